"""The docstrings, as griffe reads them for documentation: complete, and without a warning of the parser."""

import logging
import os

import pytest

import cpaas

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
