"""The operations as methods: the arguments and documentation of each, sync and async."""

import inspect
import subprocess
import sys

import pytest
from conftest import VECTORS

import cpaas
from cpaas import models
from cpaas._generated import metadata
from cpaas._generated.metadata import OPERATIONS, OPERATIONS_BY_ID

OPTIONS = ["extra", "timeout", "deadline", "validate", "extra_headers"]
NAMES = sorted(path.stem for path in (VECTORS / "requests").glob("*.json"))


def method(client, operation):
    for name in operation.split("."):
        client = getattr(client, name)
    return client


@pytest.fixture(scope="module")
def clients():
    with cpaas.Client() as client:
        other = cpaas.AsyncClient()
        yield client, other
        other._native.close()


def test_the_operation_ids_are_equal_in_every_language():
    assert sorted(OPERATIONS_BY_ID) == sorted(NAMES)
    for index, operation in enumerate(OPERATIONS):
        assert getattr(metadata, operation.id.replace(".", "_").upper()) == index


@pytest.mark.parametrize("operation", NAMES)
def test_methods_accept_documented_keywords_only(clients, operation):
    names = OPERATIONS_BY_ID[operation].keywords
    for client in clients:
        found = method(client, operation)
        parameters = inspect.signature(found).parameters.values()
        assert {parameter.kind for parameter in parameters} == {inspect.Parameter.KEYWORD_ONLY}
        assert [parameter.name for parameter in parameters] == [*names, *OPTIONS]
        for parameter in parameters:
            assert f"{parameter.name}: " in found.__doc__
        assert "Raises:" in found.__doc__
        lines = inspect.getdoc(found).splitlines()
        # The section of the specification is named in the last line, or in parentheses in the first one.
        assert "ection" in lines[-1] or "(" in lines[0]


def test_both_clients_have_the_same_methods(clients):
    for operation in NAMES:
        sync, later = (inspect.signature(method(client, operation)).parameters for client in clients)
        assert list(sync.values()) == list(later.values())


@pytest.mark.parametrize("wrong", [{"positional": True}, {"from": "Acme"}, {"txt": "Hi"}])
def test_unknown_arguments_are_type_errors(clients, wrong):
    client, _ = clients
    with pytest.raises(TypeError):
        if "positional" in wrong:
            client.sms.send("Acme", "306912345678", "Hi")
        else:
            client.sms.send(**{"from_": "Acme", "to": "306912345678", "text": "Hi", **wrong})


@pytest.mark.parametrize(
    ("group", "use"),
    [
        ("messages", "; use client.sms.send for an SMS, client.messages.send for a chat message"),
        ("sms", "; use client.sms.send"),
        ("otp", "; use client.otp.send"),
        ("lookup", ""),
    ],
)
def test_the_method_of_other_packages_is_corrected(clients, group, use):
    for client in clients:
        with pytest.raises(AttributeError) as caught:
            getattr(client, group).create(to="306912345678", body="Hi")
        assert str(caught.value) == f"client.{group} has no attribute 'create'{use}"
        assert not hasattr(getattr(client, group), "sendd")


def test_lookup_accepts_one_number_or_several(clients):
    for client in clients:
        assert (
            inspect.signature(client.lookup.numbers).parameters["msisdn"].annotation == "Sequence[str] | str"
        )


def test_results_are_importable_classes_of_the_models():
    for operation in OPERATIONS:
        for name in filter(None, [operation.result.strip("[]")]):
            cls = getattr(models, name)
            assert issubclass(cls, models.Model)
            assert cls.__module__ == "cpaas.models"
            assert cls.__doc__


def test_groups_and_errors_name_the_operation_without_docstrings():
    code = """
import cpaas
client = cpaas.Client()
print(repr(client.sms).partition(":")[0])
try:
    client.otp.limits.get(idd="1")
except cpaas.InvalidType as error:
    print(error.operation, "|", error)
client.close()
"""
    done = subprocess.run([sys.executable, "-OO", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "<client.sms",
        "otp.limits.get | client.otp.limits.get: unknown argument 'idd'; did you mean 'sid'?",
    ]
