"""The docstrings, as griffe reads them for documentation: complete, and without a warning of the parser."""

import ast
import builtins
import dataclasses
import doctest
import importlib
import inspect
import logging
import os
import textwrap
from types import SimpleNamespace

import pytest

import cpaas
from cpaas import callbacks

griffe = pytest.importorskip("griffe")

# Parameters that have no entry of their own.
UNDOCUMENTED = {"self", "cls"}


@pytest.fixture(scope="module")
def package():
    folder = os.path.dirname(os.path.dirname(cpaas.__file__))
    return griffe.load("cpaas", search_paths=[folder], docstring_parser="google", allow_inspection=False)


def functions(parent):
    for member in parent.members.values():
        if member.is_alias:
            continue
        if member.is_function:
            yield member
        elif member.is_class or member.is_module:
            yield from functions(member)


def sections(it):
    return (
        {} if it.docstring is None else {section.kind.value: section.value for section in it.docstring.parsed}
    )


def test_the_parser_gives_no_warning(package, caplog):
    seen = 0
    with caplog.at_level(logging.WARNING):
        for function in functions(package):
            sections(function)
            seen += 1
    assert seen > 400
    assert caplog.messages == []


@pytest.mark.parametrize("module", ["operations", "async_operations"])
def test_each_parameter_of_a_generated_method_is_documented(package, module):
    methods = [
        it
        for it in functions(package[f"_generated.{module}"])
        if not it.name.startswith("_") and it.name != "bind"
    ]
    assert len(methods) >= 29
    for method in methods:
        documented = {entry.name for entry in sections(method).get("parameters", ())}
        assert documented == {parameter.name for parameter in method.parameters} - UNDOCUMENTED, method.path


@pytest.mark.parametrize("function", ["plan", "Creation.create"])
def test_each_argument_of_a_campaign_is_documented(package, function):
    found = package[f"_generated.campaign_settings.{function}"]
    documented = {entry.name for entry in sections(found)["parameters"]}
    assert documented == {parameter.name for parameter in found.parameters} - UNDOCUMENTED


def test_each_setting_is_documented(package):
    method = package["_generated.settings"]["Settings"]["__init__"]
    documented = {entry.name for entry in sections(method)["parameters"]}
    assert documented == {parameter.name for parameter in method.parameters} - UNDOCUMENTED


PUBLIC = [
    "cpaas",
    "cpaas.arrow",
    "cpaas.callbacks",
    "cpaas.contrib.django",
    "cpaas.contrib.fastapi",
    "cpaas.contrib.flask",
    "cpaas.contrib.opentelemetry",
    "cpaas.models",
    "cpaas.pandas",
    "cpaas.polars",
    "cpaas.spark",
]


def public_functions(package):
    """The functions that users call, and the public methods of their classes, each once."""
    found = {}
    for name in PUBLIC:
        module = package.modules_collection[name]
        for member in module.members.values():
            # What a module imports is public only if it is in `__all__`.
            if member.name.startswith("_") or (member.is_alias and member.name not in (module.exports or ())):
                continue
            owner = member.final_target if member.is_alias else member
            for it in owner.all_members.values() if owner.is_class else [owner]:
                it = it.final_target if it.is_alias else it
                if it.is_function and not it.name.startswith("_"):
                    found[it.path] = it
    return list(found.values())


def test_each_public_function_documents_its_parameters(package):
    found = public_functions(package)
    assert len(found) > 150
    without = {}
    for function in found:
        documented = {entry.name.lstrip("*") for entry in sections(function).get("parameters", ())}
        parameters = {parameter.name.lstrip("*") for parameter in function.parameters} - UNDOCUMENTED
        if documented != parameters:
            without[function.path] = sorted(documented ^ parameters)
    assert without == {}, "add these to the section Args, or remove them from it"


def raises(function):
    """Whether the body of a function has a statement `raise`, except in a function inside it."""
    (node,) = ast.parse(textwrap.dedent(function.source)).body
    nodes = list(node.body)
    while nodes:
        child = nodes.pop()
        if isinstance(child, ast.Raise):
            return True
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            nodes.extend(ast.iter_child_nodes(child))
    return False


def test_each_public_function_that_raises_documents_its_exceptions(package):
    without = [it.path for it in public_functions(package) if raises(it) and "raises" not in sections(it)]
    assert without == [], "add a section Raises"


@pytest.mark.parametrize("module", [cpaas, callbacks], ids=lambda module: module.__name__)
def test_each_public_record_documents_its_attributes(module):
    records = 0
    for cls in (getattr(module, name) for name in module.__all__):
        if not inspect.isclass(cls) or not (dataclasses.is_dataclass(cls) or hasattr(cls, "_fields")):
            continue
        fields = [it.name for it in dataclasses.fields(cls)] if dataclasses.is_dataclass(cls) else cls._fields
        documented = set()
        for base in cls.__mro__:
            found = sections(SimpleNamespace(docstring=griffe.Docstring(base.__doc__ or "", parser="google")))
            documented.update(entry.name for entry in found.get("attributes", ()))
        missing = {name for name in fields if not name.startswith("_")} - documented - {"extra"}
        assert missing == set(), cls.__name__
        records += 1
    assert records > 0


def test_documented_exceptions_exist(package):
    documented = [
        (function.path, str(entry.annotation))
        for function in [*public_functions(package), *functions(package["_generated"])]
        for entry in sections(function).get("raises", ())
    ]
    assert len(documented) > 300
    for path, name in documented:
        module, _, cls = name.rpartition(".")
        owner = importlib.import_module(module) if module else builtins
        assert issubclass(getattr(owner, cls), BaseException), f"{path}: {name}"


def test_the_methods_of_the_async_client_have_the_same_arguments(package):
    for name in ("_client.Client.call", "_client.Client.call_raw", "_client.Client.send_once"):
        same = package[name], package[name.replace("_client.Client", "_async_client.AsyncClient")]
        texts = [{entry.name: entry.description for entry in sections(it)["parameters"]} for it in same]
        normal = [{name: " ".join(text.split()) for name, text in entries.items()} for entries in texts]
        assert normal[0] == normal[1]


def examples():
    folder = os.path.dirname(cpaas.__file__)
    for root, _, files in sorted(os.walk(folder)):
        for file in sorted(files):
            if not file.endswith(".py"):
                continue
            with open(os.path.join(root, file), encoding="utf-8") as source:
                text = source.read()
            for node in ast.walk(ast.parse(text)) if ">>> " in text else ():
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    docstring = ast.get_docstring(node) or ""
                    if ">>> " in docstring:
                        yield pytest.param(docstring, id=node.name)


@pytest.mark.parametrize("docstring", list(examples()))
def test_examples_of_docstrings_run(docstring):
    example = doctest.DocTestParser().get_doctest(docstring, {"cpaas": cpaas}, "docstring", None, None)
    output = []
    assert doctest.DocTestRunner().run(example, out=output.append).failed == 0, "".join(output)
    assert example.examples
