"""The message of a rejection: the meaning of the code, the warnings of validation, and advice that fits the status."""

import logging

import pytest
from conftest import http_response

import cpaas

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}


def rejected(wire, body, status, **request):
    wire.script = lambda _: http_response(body, status)
    with wire.client() as client, pytest.raises(cpaas.Error) as found:
        client.sms.send(**{**SMS, **request})
    return found.value


def test_a_code_is_explained(wire):
    error = rejected(wire, {"responseCode": 904, "responseText": "no"}, 400)
    assert "the sender is invalid or not allowed" in str(error)
    assert error.code_meaning == "the sender is invalid or not allowed"
    assert "provider_message" in str(error)
    error = rejected(wire, {"responseCode": 910}, 403)
    assert "not enabled" in str(error)
    assert "IP address" not in str(error)
    assert "provider_message" not in str(error)
    assert rejected(wire, {"responseCode": 12345}, 400).code_meaning is None


@pytest.mark.parametrize("status", [408, 500, 502, 503])
def test_a_failure_of_the_provider_is_not_a_wrong_request(wire, status):
    error = rejected(wire, {"responseCode": 12345}, status)
    assert "correct the request" not in str(error)
    assert "try again" in str(error)


def test_the_advice_for_403_names_several_causes(wire):
    assert "the account or the key" in str(rejected(wire, {"responseCode": 12345}, 403))
    assert "firewall" in str(rejected(wire, b"<html>", 403))


def test_the_warnings_of_validation_are_attached(wire):
    error = rejected(wire, {"responseCode": 904}, 400, type="color")
    assert [problem.code for problem in error.problems] == ["sms.type.unknown"]
    assert error.problems[0].argument == "type"
    assert error.outcome == "rejected"


def test_codes_of_every_family_are_explained(wire):
    assert cpaas.provider_code("otp", 492).meaning == "a limit with this name already exists"
    assert cpaas.provider_code("otp", 492).source == "specification"
    assert cpaas.provider_code("messenger_b", 2).advice == "check `messenger_b_token`"
    assert cpaas.provider_code("report", 911) is not None
    assert cpaas.provider_code("sms", 12345) is None
    for operation, code in [("messages.send", 404), ("webhooks.messenger_b.set", 1), ("lookup.numbers", 902)]:
        assert cpaas.Rejected("x", operation=operation, code=code).code_meaning, operation
    assert cpaas.Rejected("x", operation="raw", code=904).code_meaning is None


def test_the_code_of_a_raw_call_is_explained(wire):
    wire.script = lambda _: http_response({"responseCode": 904}, 400)
    with wire.client() as client, pytest.raises(cpaas.Rejected) as found:
        client.call_raw("POST", "sms", "/sms", body={})
    assert found.value.code_meaning == "the sender is invalid or not allowed"


def test_http_429_with_a_permanent_code_is_not_a_rate_limit(wire):
    error = rejected(wire, {"responseCode": 902}, 429)
    assert type(error) is cpaas.Rejected
    assert (error.status, error.retryable) == (429, False)
    assert type(rejected(wire, {"responseCode": 12345}, 429)) in (cpaas.RateLimited, cpaas.OutcomeUnknown)


@pytest.mark.parametrize("code", [492, 493, 495, 499])
def test_codes_of_passcodes_mean_nothing_in_other_families(wire, code):
    assert type(rejected(wire, {"responseCode": code}, 400)) is cpaas.Rejected


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (401, {"code": 401, "message": "key-secret may not check 482913", "requestID": None}, 401),
        (400, {"code": 482913, "message": "482913 is wrong", "requestID": None}, None),
        (200, {"code": "482913", "message": "482913 is wrong", "requestID": None}, None),
    ],
)
def test_a_key_and_a_passcode_that_a_response_repeats_are_hidden(wire, caplog, status, body, code):
    caplog.set_level(logging.DEBUG)
    wire.script = lambda _: http_response(body, status)
    with wire.client(max_attempts=1) as client, pytest.raises(cpaas.Error) as found:
        client.otp.verify(service="login", request_id="OTP1", code="482913")
    error = found.value
    assert error.code == code
    assert "[secret]" in error.provider_message
    shown = f"{error} {error!r} {error.__dict__} {caplog.text}"
    assert "482913" not in shown
    assert "key-secret" not in shown
