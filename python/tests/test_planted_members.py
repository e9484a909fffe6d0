"""A response member with a name of our own is an undocumented member like any other."""

import pytest

import cpaas
from conftest import http_response

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}
SUCCESS = {"code": 200, "message": "OK", "requestID": "OTP9", "id": "EVIL", "responseCode": 0}
NAMES = sorted(
    {name for cls in (cpaas.models.OtpResponse, cpaas.models.SmsSent) for name in dir(cls) if not name.startswith("__")}
    - {"id", "to", "timestamp", "test", "code", "message"}
    | {"extra", "outcome", "accepted", "processed", "retryable", "attempts", "status"}
)


def answers(wire, body):
    wire.script = lambda request: http_response(body)


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_passcode_stays_wrong(wire, name):
    answers(wire, {"code": 400, "message": "Invalid code", "requestID": "OTP1", name: SUCCESS})
    with wire.client() as client:
        verified = client.otp.verify(service="login", request_id="OTP1", code="123456")
    assert not verified and not verified.ok
    assert (verified.code, verified.request_id, verified.extra) == (400, "OTP1", {name: SUCCESS})
    assert verified.warnings == ()


@pytest.mark.parametrize("name", NAMES)
def test_another_id_is_not_returned(wire, name):
    answers(wire, {"id": "M1", "timestamp": "t", "to": "306912345678", "responseCode": 0, "textLength": 2, name: SUCCESS})
    with wire.client() as client:
        sent = client.sms.send(**SMS)
    assert (sent.id, sent.response_code, sent.extra) == ("M1", 0, {name: SUCCESS})
    assert sent.to_dict()[name] == SUCCESS and sent.to_dict()["id"] == "M1"


def test_a_nested_object_keeps_its_members(wire):
    bucket = {"name": "b", "max": "5", "interval": "60", "extra": {"max": "999"}}
    record = {"sid": "LM1", "name": "n", "buckets": [bucket], "description": "d", "extra": {"sid": "LM2"}}
    answers(wire, {"code": 200, "message": "OK", "data": record, "extra": {"data": {"sid": "LM3"}}})
    with wire.client() as client:
        limit = client.otp.limits.get("LM1")
    assert limit.data.sid == "LM1"
    assert limit.data.extra == {"extra": {"sid": "LM2"}}
