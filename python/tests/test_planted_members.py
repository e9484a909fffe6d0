"""A response member with a name of our own is an undocumented member like any other, at every level of every response."""

import json

import pytest
from conftest import http_response
from support.vector_files import files, plain, settings

import cpaas
from cpaas.models import Model

SUCCESS = {"code": 200, "message": "OK", "requestID": "OTP9", "id": "EVIL", "responseCode": 0}
RECORD_NAMES = {
    "extra",
    "outcome",
    "accepted",
    "rejected",
    "missing",
    "processed",
    "retryable",
    "attempts",
    "sent",
}
# Members that the result computes; a response member with this name is only in the raw response.
DERIVED = {"outcome", "accepted", "rejected", "missing"}


def objects(value):
    """Yields the objects of a body or the records of a result, outer ones first."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    elif isinstance(value, Model):
        yield value
        value = value._values()
    for item in value if isinstance(value, (list, tuple)) else ():
        yield from objects(item)


def without(value, name):
    if isinstance(value, dict):
        return {key: without(item, name) for key, item in value.items() if key != name}
    return [without(item, name) for item in value] if isinstance(value, (list, tuple)) else value


def responses():
    for file in files("responses"):
        accepted = (case for case in file["cases"] if "result" in case["expect"] and case["body"][:1] in "{[")
        case = next(accepted, None)
        if case and any(objects(json.loads(case["body"]))):
            yield pytest.param(file, case, id=file["operation"])


def request(wire, file, case, body):
    wire.script = lambda _: http_response(json.dumps(body).encode(), case["status"])
    with cpaas.Client(**settings(wire, case)) as client:
        return client.call(file["operation"], file["request"])


@pytest.mark.parametrize(("file", "case"), list(responses()))
@pytest.mark.parametrize("value", [SUCCESS, 0, "EVIL"], ids=["object", "number", "text"])
def test_a_planted_member_changes_no_documented_one(wire, file, case, value):
    body = json.loads(case["body"])
    expected = request(wire, file, case, body)
    documented = {name for record in objects(body) for name in record}
    documented |= {name for record in objects(expected) for name, _ in record._fields.values()}
    names = RECORD_NAMES | {name for record in objects(expected) for name in dir(record)} | set(dir(expected))
    # A member with this name may deny that a passcode is valid.
    denying = {"ok"} if file["operation"] == "otp.verify" else set()
    for name in sorted(names - documented - denying):
        body = json.loads(case["body"])
        for record in list(objects(body)):
            record[name] = value
        found = request(wire, file, case, body)
        assert without(plain(found), name) == without(plain(expected), name), name
        assert found.warnings == expected.warnings
        extras = [record.extra for record in objects(found)]
        assert [without(extra, name) for extra in extras] == [record.extra for record in objects(expected)]
        planted = [extra[name] for extra in extras if name in extra]
        assert all(item == value for item in planted), name
        assert planted or name in DERIVED or not extras, name


@pytest.mark.parametrize("value", [SUCCESS, 0, "EVIL", False], ids=["object", "number", "text", "false"])
def test_a_success_that_a_planted_member_may_deny_verifies_nothing(wire, value):
    wire.script = lambda _: http_response({"code": 200, "message": "OK", "requestID": "OTP1", "ok": value})
    with wire.client(max_attempts=1) as client, pytest.raises(cpaas.OutcomeUnknown):
        client.otp.verify(service="login", request_id="OTP1", code="123456")


@pytest.mark.parametrize(
    "name", sorted({*dir(cpaas.models.OtpResponse), *RECORD_NAMES} - {"code", "message"})
)
def test_a_wrong_passcode_stays_wrong(wire, name):
    wire.script = lambda _: http_response(
        {"code": 400, "message": "Invalid code", "requestID": "OTP1", name: SUCCESS}
    )
    with wire.client() as client:
        verified = client.otp.verify(service="login", request_id="OTP1", code="123456")
    assert not verified
    assert verified.ok is False
    assert (verified.code, verified.request_id, verified.extra) == (400, "OTP1", {name: SUCCESS})
