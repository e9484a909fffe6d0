"""`validate` accepts what the methods accept: lists of recipients, and the traffic account of the configuration."""

import json
from types import MappingProxyType

import pytest

import cpaas

UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"
BULK = {"from": "Acme", "to": ["306912345678", "306912345679"], "text": "Hi", "type": "auto"}
MESSAGE = {"destination": "306912345678", "sms": {"text": "Hi", "sender": "Acme"}}


def test_a_list_of_recipients_is_valid_everywhere():
    assert cpaas.validate("sms.send_bulk", BULK)
    request: cpaas.types.SmsSendBulk = BULK
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        assert client.call("sms.send_bulk", request).accepted == 2
        assert client.validate("sms.send_bulk", request)


def test_the_traffic_account_may_come_from_the_configuration(monkeypatch):
    assert not cpaas.validate("messages.send", MESSAGE)
    with cpaas.Client(traffic_account_id=UUID) as client:
        assert client.validate("messages.send", MESSAGE)
        assert client.settings == {"traffic_account_id": UUID}
    monkeypatch.setenv("CPAAS_TRAFFIC_ACCOUNT_ID", UUID)
    assert cpaas.validate("messages.send", MESSAGE)


FORMS = {
    "dict": dict,
    "mapping": MappingProxyType,
    "str": json.dumps,
    "bytes": lambda it: json.dumps(it).encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_traffic_account_of_the_configuration_holds_for_every_form_of_a_request(monkeypatch, form):
    request = FORMS[form](MESSAGE)
    assert not cpaas.validate("messages.send", request)
    with cpaas.Client(traffic_account_id=UUID) as client:
        assert client.validate("messages.send", request)
    monkeypatch.setenv("CPAAS_TRAFFIC_ACCOUNT_ID", UUID)
    assert cpaas.validate("messages.send", request)
    assert [bool(report) for report in cpaas.validate("messages.send", [request, MESSAGE])] == [True, True]


@pytest.mark.parametrize(
    ("operation", "request_"),
    [("messages.send", MESSAGE), ("webhooks.messenger_b.set", {"url": "https://shop.example/hook"})],
)
def test_validate_reports_an_invalid_account_of_the_configuration_where_the_call_does(operation, request_):
    with cpaas.Client(traffic_account_id="shop") as client:
        report = client.validate(operation, request_)
        with pytest.raises(cpaas.Invalid) as caught:
            client.call(operation, request_)
    assert report.errors == caught.value.problems
