"""Exceptions: classes, attributes and messages."""

import asyncio
import pickle
import socket
import threading

import pytest
from conftest import http_response

import cpaas

SMS_REQUEST = {"from": "Acme", "to": "306912345678", "text": "Hi"}
SMS = {"from_": "Acme", "to": "306912345678", "text": "Your table is ready", "reference": "r-1"}
MESSAGE = {"destination": "306912345678", "sms": {"text": "Hi", "sender": "Acme"}}


def caught(call, *classes):
    with pytest.raises(classes) as info:
        call()
    error = info.value
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)
    for secret in ("306912345678", "table is ready", "sms-secret"):
        assert secret not in str(error) + repr(error)
    return error


def test_invalid_names_all_problems_and_their_arguments(wire):
    with wire.client() as client:
        error = caught(
            lambda: client.sms.send(from_="", to="306912345678", text=""), cpaas.Invalid, ValueError
        )
        assert [(p.pointer, p.argument) for p in error.problems] == [("/from", "from_"), ("/text", "text")]
        nested = caught(
            lambda: client.messages.send(destination="306912345678", sms={"text": ""}), cpaas.Invalid
        )
        assert nested.problems[0].argument == "sms"
        by_name = caught(lambda: client.call("sms.send", {"from": ""}), cpaas.Invalid)
        assert by_name.problems[0].argument is None
    assert (error.outcome, error.sent, error.attempts) == ("invalid", "no", 0)
    assert "nothing was sent" in str(error)
    assert wire.requests == []


@pytest.mark.parametrize(
    ("status", "body", "cls"),
    [
        (401, {"responseCode": 901, "responseText": "no"}, cpaas.Unauthorized),
        (403, {"responseCode": 903, "responseText": "no"}, cpaas.Forbidden),
        (400, {"responseCode": 902, "responseText": "no"}, cpaas.Rejected),
        (200, {"responseCode": 902, "responseText": "no"}, cpaas.Rejected),
    ],
)
def test_rejections_of_family_b(wire, status, body, cls):
    wire.script = lambda _: http_response(body, status)
    with wire.client() as client:
        error = caught(lambda: client.sms.send(**SMS), cls)
    assert type(error) is cls
    assert (error.outcome, error.status, error.code, error.reference) == (
        "rejected",
        status,
        body["responseCode"],
        "r-1",
    )
    assert error.provider_message == "no"


@pytest.mark.parametrize(
    ("code", "cls"),
    [
        (492, cpaas.LimitExists),
        (493, cpaas.UnknownLimit),
        (495, cpaas.WorkflowExists),
        (499, cpaas.UnknownWorkflow),
    ],
)
@pytest.mark.parametrize("mirrored", [True, False])
def test_codes_of_family_a_have_classes(wire, code, cls, mirrored):
    body = {"code": code, "message": "said", "requestID": None}
    wire.script = lambda _: http_response(body, code if mirrored else 200)
    with wire.client() as client:
        error = caught(lambda: client.otp.limits.get(sid="LM1"), cls)
    assert (error.code, error.provider_message) == (code, "said")


EFFECTS = [
    # operation, request, status, body, outcome, processed, retryable
    ("sms.send", SMS_REQUEST, 503, {"responseCode": 990}, "rejected", "maybe", False),
    ("sms.send", SMS_REQUEST, 400, {"responseCode": 990}, "rejected", "no", False),
    ("sms.send", SMS_REQUEST, 429, {"responseCode": 906}, "rejected", "no", True),
    ("sms.send", SMS_REQUEST, 502, {}, "unknown", "maybe", False),
    ("otp.get", {"sid": "OTP1"}, 503, {"code": 503, "message": "m", "requestID": None}, "rejected", "maybe", True),
    ("otp.get", {"sid": "OTP1"}, 200, {"code": 500, "message": "m", "requestID": None}, "rejected", "maybe", True),
    ("otp.get", {"sid": "OTP1"}, 404, {"code": 404, "message": "m", "requestID": None}, "rejected", "no", False),
    ("otp.get", {"sid": "OTP1"}, 502, {}, "unknown", "maybe", True),
    ("otp.limits.delete", {"sid": "LM1"}, 502, {}, "unknown", "maybe", True),
    ("otp.limits.delete", {"sid": "LM1"}, 500, {"code": 500, "message": "m", "requestID": None}, "rejected", "maybe", False),
    ("lookup.numbers", {"msisdn": "306912345678"}, 502, {}, "unknown", "maybe", False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("operation", "request_", "status", "body", "outcome", "processed", "retryable"), EFFECTS
)
def test_the_effect_of_a_failed_call(wire, operation, request_, status, body, outcome, processed, retryable):
    wire.script = lambda _: http_response(body, status)
    with wire.client(max_attempts=1) as client:
        error = caught(lambda: client.call(operation, request_), cpaas.Error)
    assert (error.outcome, error.processed, error.retryable) == (outcome, processed, retryable)
    assert not hasattr(error, "facts")
    with pytest.raises(AttributeError):
        error.retryable = True


def test_an_invalid_passcode_is_a_result(wire):
    wire.script = lambda _: http_response({"code": 400, "message": "Invalid code", "requestID": None}, 400)
    with wire.client() as client:
        checked = client.otp.verify(service="login", request_id="OTP1", code="123456")
    assert (checked.ok, checked.code, checked.message) == (False, 400, "Invalid code")
    assert bool(checked) is False


def test_a_verification_is_truthy_if_ok(wire):
    async def both():
        async with wire.async_client() as client:
            call = {"service": "login", "request_id": "OTP1", "code": "123456"}
            codes = {200: True, 400: False}
            for code, ok in codes.items():
                body = {"code": code, "message": "OK" if ok else "m", "requestID": "OTP1" if ok else None}
                wire.script = lambda _, body=body: http_response(body, body["code"])
                checked = await client.otp.verify(**call)
                assert (bool(checked), checked.ok) == (ok, ok)

    asyncio.run(both())
    for request_id in (None, "OTP2"):  # a success without the id of this passcode is not a success
        wire.script = lambda _, id=request_id: http_response({"code": 200, "message": "OK", "requestID": id})
        with wire.client() as client, pytest.raises(cpaas.OutcomeUnknown):
            client.otp.verify(service="login", request_id="OTP1", code="123456")
    success = {"code": 200, "message": "OK", "requestID": "OTP1"}
    for body, status in [
        ({**success, "message": "Invalid code"}, 200),
        ({**success, "valid": False}, 200),
        ({**success, "status": "invalid"}, 200),
        (success, 202),
        (success, 429),
        (success, 503),
    ]:
        wire.script = lambda _, body=body, status=status: http_response(body, status)
        with wire.client() as client, pytest.raises(cpaas.OutcomeUnknown):
            client.otp.verify(service="login", request_id="OTP1", code="123456")
    wire.script = lambda _: http_response(success)
    with wire.client() as client:
        assert bool(client.otp.verify(service="login", request_id="OTP1", code="123456")) is True
        assert client.otp.send(service="login", from_="A", to="306912345678", body="{code}")


def test_ok_documents_when_it_is_false():
    text = cpaas.models.OtpResponse.ok.__doc__
    for word in ("wrong", "expired", "cancelled", "already used", "request"):
        assert word in text


def test_rate_limits_have_a_retry_delay(wire):
    calls = {
        "sms.send": ({"from": "Acme", "to": "306912345678", "text": "Hi"}, {}, cpaas.OutcomeUnknown),
        "otp.send": (
            {"service": "s", "from": "Acme", "to": "306912345678", "body": "{code}"},
            {"code": 429, "message": "Too many", "requestID": None},
            cpaas.RateLimited,
        ),
    }
    for operation, (
        request,
        body,
        cls,
    ) in calls.items():  # a gateway may also return 429 after it has forwarded the request
        wire.script = lambda _, body=body: http_response(body, 429, [("Retry-After", "61")])
        with wire.client(max_attempts=3) as client:
            error = caught(lambda: client.call(operation, request), cls)
        assert (error.retry_after, error.retry_after_ms, error.attempts) == (61.0, 61000, 1)


def test_a_rate_limit_made_by_hand_has_its_delay():
    error = cpaas.RateLimited("later", retry_after=1.5)
    assert (error.retry_after, error.retry_after_ms) == (1.5, 1500)


def test_inconclusive_records_are_evidence(wire):
    step = {"channel": "sms", "interval": "30"}
    record = {"code": 200, "message": "OK", "data": {"sid": "WF1", "name": "n", "channels": [step]}}
    wire.script = lambda request: (
        http_response(record) if request.method == "GET" else http_response(b"<html>", 502)
    )
    with wire.client() as client:
        error = caught(
            lambda: client.call("otp.workflows.update", {"sid": "WF1", "channels": [step]}),
            cpaas.OutcomeUnknown,
        )
    assert (error.status, error.sent, error.attempts) == (502, "maybe", 1)
    assert error.evidence is not None
    assert "the workflow now ends with these channels" in error.evidence
    assert cpaas.Error.evidence is None


def test_a_closed_port_is_not_sent(wire):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with wire.client(sms_url=url) as client:
        error = caught(lambda: client.sms.send(**SMS), cpaas.NotSent, cpaas.TransportError)
    assert (error.outcome, error.sent, error.reason) == ("not_sent", "no", "connect")
    assert "not sent" in str(error)


def test_a_lost_response_is_unknown_and_not_retried(wire):
    wire.script = lambda _: None
    with wire.client(max_attempts=3) as client:
        error = caught(lambda: client.sms.send(**SMS), cpaas.OutcomeUnknown)
    assert (error.outcome, error.sent, error.attempts) == ("unknown", "maybe", 1)
    assert len(wire.requests) == 1


def test_a_timeout_is_also_a_timeout_error(wire):
    release = threading.Event()
    with wire.client() as client:
        client.sms.send(**SMS)  # opens the connection, so that only the response is late
        wire.script = lambda _: release.wait(100) and None
        error = caught(lambda: client.sms.send(**SMS, timeout=2), TimeoutError)
        assert isinstance(error, cpaas.OutcomeUnknown)
        assert error.reason in ("timeout", "deadline")
        error = caught(lambda: client.sms.send(**SMS, deadline=1), TimeoutError)
        assert isinstance(error, cpaas.TransportError)
    release.set()


def test_a_lost_body_of_family_d_is_accepted(wire):
    wire.script = lambda _: b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 100\r\n\r\n{"
    with wire.client() as client:
        error = caught(lambda: client.messages.send(**MESSAGE), cpaas.AcceptedIdUnknown)
    assert (error.outcome, error.sent, len(wire.requests)) == ("accepted_id_unknown", "yes", 1)


def test_a_missing_address_names_the_setting():
    with cpaas.Client() as client:
        error = caught(lambda: client.sms.send(**SMS), cpaas.Invalid)
    assert "sms_url" in str(error)


def test_missing_credentials_are_named_and_nothing_is_sent(wire):
    sms = {"from": "Acme", "to": "306912345678", "text": "Hi"}
    missing = {
        "sms.send": ({"sms_key": None, "api_key": None}, sms, ("`sms_key`", "CPAAS_SMS_KEY", "`api_key`")),
        "otp.usage": ({"account_sid": ""}, {}, ("`account_sid`", "CPAAS_ACCOUNT_SID")),
        "lookup.numbers": ({"api_key": ""}, {"msisdn": "306912345678"}, ("`lookup_key`", "CPAAS_API_KEY")),
    }
    for operation, (lacking, request, names) in missing.items():
        with wire.client(**lacking) as client:
            error = caught(lambda: client.call(operation, request), cpaas.Invalid)
        assert (error.outcome, error.sent, error.reason) == ("invalid", "no", "config")
        assert all(name in str(error) for name in names), error
    assert wire.requests == []


def test_every_class_has_one_base():
    for name in cpaas.__all__:
        value = getattr(cpaas, name)
        if isinstance(value, type) and issubclass(value, BaseException):
            assert issubclass(value, cpaas.Error)
    assert issubclass(cpaas.callbacks.CallbackRejected, cpaas.Error)
    assert issubclass(cpaas.MarkupError, cpaas.Error)


def test_a_value_that_is_not_json_is_a_type_error_with_the_argument(wire):
    with wire.client() as client:
        with pytest.raises(
            TypeError, match=r"^text: must be str, .*, got bytes; decode it first: value\.decode\(\)$"
        ):
            client.sms.send(from_="Acme", to="306912345678", text=b"x")
        with pytest.raises(
            TypeError, match=r"^from_: must be str, .*, got bytes; decode it first: value\.decode\(\)$"
        ):
            client.sms.send(from_=b"x", to="306912345678", text="Hi")
        with pytest.raises(TypeError, match=r"^channels: must be a dict, got list$"):
            client.messages.send_failover(
                traffic_account_id="t", destination="3069", channels=[], failover=[]
            )
        with pytest.raises(ValueError, match="messenger_c/location/latitude: must be a finite number"):
            client.messages.send(destination="u", messenger_c={"location": {"latitude": float("nan")}})
        with pytest.raises(ValueError, match="text: must be valid Unicode, got a lone surrogate"):
            client.sms.send(from_="Acme", to="306912345678", text="\ud83d")
        message = "must be valid Unicode, got a lone surrogate at index"
        with pytest.raises(TypeError, match=r"^to must be str or a list of str, got int$"):
            client.sms.send_bulk(from_="Acme", to=306912345678, text="Hi")
        with pytest.raises(ValueError, match=f"^to/1: {message} 1$"):
            client.sms.send_bulk(from_="Acme", to=["306912345678", "3\ud83d"], text="Hi")
        cards = [{"title": "a"}, {"title": "b\ud83d"}]
        expected = f"^business_chat/carouselCard/cardContents/1/title: {message} 1$"
        with pytest.raises(ValueError, match=expected):
            client.messages.send(destination="u", business_chat={"carouselCard": {"cardContents": cards}})
        with pytest.raises(ValueError, match=f"^text: {message} 2$"):
            client.call("sms.send", {"from": "Acme", "to": "306912345678", "text": "Hi\ud83d"})
        loop = {}
        loop["sms"] = loop
        with pytest.raises(ValueError, match="must be nested at most 127 levels deep"):
            client.messages.send(destination="u", sms=loop)
    assert wire.requests == []
