"""Classes and pickles name modules that users import, so that a private module can move."""

import ast
import inspect
import pickle
import pickletools
from pathlib import Path

import pytest
from conftest import http_response

import cpaas
from cpaas import arrow, callbacks, models
from cpaas._cli.main import main

PUBLIC = ("cpaas", "cpaas.callbacks", "cpaas.models", "cpaas.types", "cpaas.arrow")
TEXT = "Price 12 €"
RECORD = {"pointer": "/text", "code": "x", "severity": "error", "message": "m"}


def test_public_classes_name_public_modules():
    for module in (cpaas, callbacks, models):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value) and value.__module__.startswith("cpaas"):
                assert value.__module__ in PUBLIC, name
                assert getattr(__import__(value.__module__, fromlist=["_"]), name) is value


def test_the_modules_of_the_implementation_begin_with_an_underscore():
    """The modules that users import. A module that is not in this list gets an underscore, as docs/versioning.md requires."""
    folder = Path(cpaas.__file__).parent
    names = {
        ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in folder.rglob("*.py")
    }
    assert {name for name in names if "._" not in name} == {
        *PUBLIC,
        *("cpaas.codes", "cpaas.pandas", "cpaas.polars", "cpaas.pytest_plugin", "cpaas.spark"),
        *("cpaas.contrib", "cpaas.contrib.django", "cpaas.contrib.fastapi", "cpaas.contrib.flask"),
        "cpaas.contrib.opentelemetry",
    }


@pytest.mark.parametrize("module", [cpaas, callbacks, arrow], ids=lambda module: module.__name__)
def test_pickles_of_public_functions_name_their_module(module):
    functions = [
        value for value in (getattr(module, name) for name in module.__all__) if inspect.isfunction(value)
    ]
    assert functions
    for function in functions:
        assert set(names(function)) == {module.__name__}, function
        assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("cpaas.contrib.django", "view"),
        ("cpaas.contrib.fastapi", "router"),
        ("cpaas.contrib.flask", "blueprint"),
        ("cpaas.contrib.opentelemetry", "instrument"),
        ("cpaas.contrib.opentelemetry", "uninstrument"),
        ("cpaas.spark", "validate"),
    ],
)
def test_pickles_of_functions_for_other_packages_name_their_module(module, name):
    function = getattr(pytest.importorskip(module, exc_type=ImportError), name)
    assert set(names(function)) == {module}
    assert pickle.loads(pickle.dumps(function)) is function


def test_a_pickle_of_the_function_of_the_command_is_read():
    assert pickle.loads(pickle.dumps(main)) is main


def test_the_lists_of_public_names_agree():
    """Type checkers read the imports, `from cpaas import *` reads `__all__`, and attributes are found in `_NAMES`."""
    block = next(node for node in ast.parse(inspect.getsource(cpaas)).body if isinstance(node, ast.If))
    assert ast.unparse(block.test) == "TYPE_CHECKING"
    modules, names = set(), {}
    for node in block.body:
        (alias,) = node.names
        assert alias.asname == alias.name  # a re-export
        if node.module is None:
            modules.add(alias.name)
        else:
            names[alias.name] = node.module
    assert names == cpaas._NAMES
    assert modules == set(cpaas._MODULES)
    assert sorted(cpaas.__all__) == sorted([*names, *modules, "__version__"])


def names(value):
    """The strings in a pickle that name a module of this package."""
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        for _, argument, _ in pickletools.genops(pickle.dumps(value, protocol)):
            for word in argument.split() if isinstance(argument, str) else ():
                if word == "cpaas" or word.startswith("cpaas."):
                    yield word


VALUES = {
    "segments": lambda: cpaas.segments(TEXT, split="grapheme"),
    "parts": lambda: cpaas.segments(TEXT).parts,
    "counts": lambda: cpaas.count_segments([TEXT]),
    "count": lambda: cpaas.count_segments([TEXT])[0],
    "estimate": lambda: cpaas.estimate(TEXT, "0.1"),
    "encoded": lambda: cpaas.encode(TEXT),
    "transliteration": lambda: cpaas.transliterate(TEXT),
    "template": lambda: cpaas.template_segments("a {{b}}", fields={"b": 3}),
    "markup": lambda: cpaas.parse_markup("*a*"),
    "number": lambda: cpaas.check_number("+30 691 234 5678"),
    "sender": lambda: cpaas.check_sender("Acme"),
    "report": lambda: cpaas.validate("sms.send", {}),
    "error": lambda: cpaas.OutcomeUnknownTimeout("x", problems=(cpaas.Problem(**RECORD),)),
    "rejected callback": lambda: callbacks.CallbackRejected("body"),
    "event": lambda: cpaas.ResponseEvent(1, "sms.send", status=200),
    "code": lambda: cpaas.provider_code("otp", 492),
    "row": lambda: cpaas.SendResult(0, {}, error=cpaas.NotSent("x")),
    "client": lambda: cpaas.Client(sms_url="http://127.0.0.1:9"),
}


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("kind", VALUES)
def test_a_pickle_names_public_modules(kind):
    value = VALUES[kind]()
    assert set(names(value)) <= set(PUBLIC)
    back = pickle.loads(pickle.dumps(value))
    assert type(back) is type(value)
    assert str(back) == str(value)


def test_a_pickle_of_a_result_names_public_modules(wire):
    with wire.client() as client:
        found = [client.sms.send(from_="Acme", to="306912345678", text="Hi")]
        wire.script = lambda _: http_response([{"msisdn": "1", "response": 0}])
        found.append(client.lookup(msisdn=["1"]))
        wire.script = lambda _: http_response({"twoFaOtpSdrs": [], "page": 0, "total": 0})
        found.append(client.otp.search())
    for result in found:
        assert set(names(result)) <= set(PUBLIC)
        back = pickle.loads(pickle.dumps(result))
        assert (back, back.raw) == (result, result.raw)
