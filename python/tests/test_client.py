"""The sync client, end to end over HTTP."""

import datetime
import inspect
import subprocess
import sys
import uuid
import warnings

import pytest
from conftest import http_response

import cpaas

SMS = {"from_": "Acme", "to": "306912345678", "text": "Your table is ready"}


def test_a_send_has_the_documented_wire_format(wire):
    with wire.client() as client:
        sent = client.sms.send(**SMS, reference="booking-7", test=True)
    (request,) = wire.requests
    assert (request.method, request.path) == ("POST", "/sms")
    assert request.headers["x-service-api-key"] == "sms-secret"
    assert request.headers["content-type"] == "application/json"
    assert request.json == {
        "from": "Acme",
        "to": "306912345678",
        "text": "Your table is ready",
        "test": True,
        "reference": "booking-7",
    }
    assert (sent.id, sent.response_code, sent.to, sent.text_length) == ("m-1", 0, "306912345678", None)


def test_a_result_contains_the_unmodified_response(wire):
    body = b'{"id":"1","timestamp":"t","responseCode":0,"new":[1]}'
    wire.script = lambda _: http_response(body, headers=[("X-Trace", "7")])
    with wire.client() as client:
        sent = client.sms.send(**SMS)
    assert sent.raw == b'{"id":"1","timestamp":"t","responseCode":0,"new":[1]}'
    assert sent.headers["x-trace"] == "7"
    assert (sent.response.status, sent.response.attempts) == (200, 1)
    assert sent.response.json()["new"] == (1,)
    assert sent.extra == {"new": (1,)}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('"\\\n\t\x01', '"\\\n\t\x01'),
        ("Γεια σου 👋", "Γεια σου 👋"),
        (uuid.UUID(int=7), "00000000-0000-0000-0000-000000000007"),
        (datetime.date(2024, 2, 29), "2024-02-29"),
    ],
)
def test_values_are_sent_unchanged(wire, value, text):
    with wire.client(validation="off") as client:
        client.sms.send(from_="Acme", to="306912345678", text=value)
    assert wire.requests[0].json["text"] == text


def test_nested_objects_keep_numbers_and_order(wire):
    wire.script = lambda _: http_response(["m-1", "m-2"])
    with wire.client() as client:
        ids = client.messages.send_failover(
            destination="306912345678",
            channels={
                "messenger_b": {"type": "promotional", "text": "Hi", "ttl": 60},
                "sms": {"text": "Hi", "sender": "Acme"},
            },
            failover={
                "type": "Timeout",
                "timeoutFailover": {
                    "timeoutInSeconds": 30,
                    "status": "Delivered",
                    "trafficAccounts": [str(uuid.UUID(int=1))] * 2,
                },
            },
        )
    body = wire.requests[0].body
    assert body.index(b'"messenger_b"') < body.index(b'"sms"')
    assert b'"ttl":60' in body
    assert ids == ("m-1", "m-2")
    assert ids.raw == b'["m-1", "m-2"]'


def test_an_invalid_id_keeps_its_position(wire):
    wire.script = lambda _: http_response([None, 7])
    with wire.client() as client:
        ids = client.call(
            "messages.send_failover",
            {
                "destination": "306912345678",
                "sms": {"text": "Hi", "sender": "Acme"},
                "messenger_b": {"type": "promotional", "text": "Hi"},
                "failover": {
                    "type": "Timeout",
                    "timeoutFailover": {
                        "timeoutInSeconds": 30,
                        "status": "Delivered",
                        "trafficAccounts": [str(uuid.UUID(int=1))] * 2,
                    },
                },
            },
        )
    assert ids == (None, "7")
    codes = [warning.code for warning in ids.warnings]
    assert codes == ["response.member.unreadable", "response.elements.missing"]


def test_bulk_recipients_may_be_a_list(wire):
    ids = iter("1234")

    def script(_):
        messages = [{"id": next(ids)}, {"id": next(ids)}]
        return http_response({"responseCode": 0, "responseText": "OK", "messages": messages})

    wire.script = script
    with wire.client() as client:
        sent = client.sms.send_bulk(from_="Acme", to=["306912345678", "306912345679"], text="Hi")
        client.sms.send_bulk(from_="Acme", to="306912345678,306912345679", text="Hi")
    assert (sent.accepted, sent.rejected, sent.missing) == (2, 0, 0)
    assert [(message.id, message.outcome) for message in sent.messages] == [
        ("1", "accepted"),
        ("2", "accepted"),
    ]
    assert [request.json["to"] for request in wire.requests] == ["306912345678,306912345679"] * 2


def test_a_lookup_is_called_on_the_namespace(wire):
    wire.script = lambda _: http_response(
        [{"msisdn": "306912345678", "response": 0, "originalNetwork": {"networkName": "N"}}]
    )
    with wire.client() as client:
        (found,) = client.lookup(msisdn="306912345678")
    assert found.original_network.network_name == "N"


def test_extra_members_are_sent_and_documented_ones_are_invalid(wire):
    with wire.client() as client:
        client.sms.send(**SMS, extra={"priority": 3})
        assert wire.requests[0].json["priority"] == 3
        with pytest.raises(cpaas.Invalid) as caught:
            client.sms.send(**SMS, extra={"text": "no"})
    assert [problem.code for problem in caught.value.problems] == ["extra.known_field"]


def test_validate_and_timeout_are_options_of_one_call(wire):
    with wire.client() as client:
        assert client.sms.send(from_="", to="306912345678", text="x", validate="off").id == "m-1"
        warned = client.sms.send(from_="", to="306912345678", text="x", validate="warn")
        assert [(problem.argument, problem.code) for problem in warned.warnings] == [
            ("from_", "sms.from.required")
        ]
        with pytest.raises(ValueError, match='validate must be "strict", "pedantic", "warn" or "off"'):
            client.sms.send(**SMS, validate="no")
        with pytest.raises(ValueError, match="timeout must be a number of seconds greater than 0"):
            client.sms.send(**SMS, timeout=0)


def test_with_options_changes_a_copy(wire):
    with wire.client() as client, client.with_options(sms_key="other") as other:
        other.sms.send(**SMS)
        client.sms.send(**SMS)
    assert [request.headers["x-service-api-key"] for request in wire.requests] == ["other", "sms-secret"]


def test_with_options_shares_the_connections_and_does_not_warn_unclosed(wire):
    events = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with wire.client(on_outcome=events.append) as client:
            for _ in range(8):
                client.sms.send(**SMS)
                client.with_options(sms_key="other", timeout=50).sms.send(**SMS)
                client.with_options(timeout=50).with_options(deadline=90).sms.send(**SMS)
            # On a busy machine, a connection may return to the pool after the next call has started. Clients with pools of
            # their own would make 17 connections.
            shared = wire.connections
            assert shared <= 4
            client.with_options(connect_timeout=20).sms.send(**SMS)
            assert wire.connections == shared + 1
    assert len(events) == 25
    with wire.client() as client:
        with pytest.raises(cpaas.Invalid, match="timeout"):
            client.with_options(timeout=-1)
        with pytest.raises(TypeError, match="tmeout"):
            client.with_options(tmeout=1)


def test_with_options_keeps_the_subclass_and_its_attributes(wire):
    class Shop(cpaas.Client):
        def __init__(self, brand, **settings):
            super().__init__(**settings)
            self.brand = brand

        def greet(self, to):
            return self.sms.send(from_=self.brand, to=to, text="Hi")

    with Shop("Acme", **wire.settings()) as shop:
        assert shop.with_options(timeout=50).greet("306912345678").id == "m-1"
    assert wire.requests[0].json["from"] == "Acme"


def test_call_and_call_raw_send_requests(wire):
    with wire.client() as client:
        with pytest.raises(cpaas.Invalid, match="expected an object, got an array"):
            client.call("sms.send", [])
        assert client.call("sms.send", {"from": "Acme", "to": "306912345678", "text": "x"}).id == "m-1"
        with pytest.raises(ValueError, match=r"did you mean `sms\.send`"):
            client.call("sms.sned", {})
        wire.script = lambda _: http_response({"free": 1})
        response = client.call_raw(
            "PUT", "otp", "/2fa/new", query={"a": "b c"}, extra_headers={"X-A": "1"}, body={"n": 1}
        )
    request = wire.requests[-1]
    assert (request.method, request.path, request.json) == ("PUT", "/2fa/new?a=b%20c", {"n": 1})
    assert request.headers["authorization"].startswith("Basic ")
    assert request.headers["x-a"] == "1"
    assert response.json() == {"free": 1}


def page(number, count, total):
    records = [{"sid": f"LM{number}{at}", "name": "n", "buckets": []} for at in range(count)]
    data = {"result": records, "page": number, "total": total, "pageSize": 2, "numPages": 2}
    return {"code": 200, "message": "OK", "data": data}


def test_iteration_over_a_page_fetches_the_following_pages(wire):
    wire.script = lambda request: http_response(page(1, 1, 3) if "page=1" in request.path else page(0, 2, 3))
    with wire.client() as client:
        first = client.otp.limits.list(page_size=2)
        assert [limit.sid for limit in first.items] == ["LM00", "LM01"]
        assert [limit.sid for limit in first] == ["LM00", "LM01", "LM10"]
        assert [limit.sid for limit in first] == ["LM00", "LM01", "LM10"]
    assert ["page=1" in request.path for request in wire.requests] == [False, True, True]


def test_a_closed_client_raises(wire):
    client = wire.client()
    client.close()
    client.close()
    assert client.closed
    with pytest.raises(RuntimeError, match="the client is closed"):
        client.sms.send(**SMS)


def test_the_repr_of_a_client_names_families_and_address(monkeypatch):
    monkeypatch.delenv("CPAAS_OTP_URL", raising=False)
    with cpaas.Client(sms_url="https://sms.example:8443/hunter2", sms_key="hunter2") as client:
        assert repr(client) == "<cpaas.Client sms, https://sms.example:8443>"
        both = client.with_options(lookup_url="https://lookup.example/")
        assert repr(both) == "<cpaas.Client sms lookup, 2 addresses>"
    assert repr(client) == "<cpaas.Client sms, https://sms.example:8443 closed>"
    monkeypatch.setenv("CPAAS_OTP_URL", "http://127.0.0.1:9/")
    assert repr(cpaas.AsyncClient()) == "<cpaas.AsyncClient otp, http://127.0.0.1:9>"


def test_the_repr_of_a_client_shows_the_addresses_that_it_uses(monkeypatch):
    def shown(**settings):
        with cpaas.Client(**settings) as client:
            return repr(client)

    frankfurt = "https://frankfurt.sms.example"
    assert (
        shown(sms_url_frankfurt=f"{frankfurt}/v1", region="frankfurt") == f"<cpaas.Client sms, {frankfurt}>"
    )
    # Without the address of the chosen region, nothing can be sent.
    assert shown(sms_url_frankfurt=frankfurt) == "<cpaas.Client>"
    assert (
        shown(sms_url="https://sms.example", sms_url_frankfurt=frankfurt) == "<cpaas.Client sms, 2 addresses>"
    )
    monkeypatch.setenv("CPAAS_OTP_URL", "https://otp.example")
    with cpaas.Client() as client:
        monkeypatch.setenv("CPAAS_OTP_URL", "https://other.example")
        monkeypatch.setenv("CPAAS_SMS_URL", "https://other.example")
        assert repr(client) == "<cpaas.Client otp, https://otp.example>"
    monkeypatch.delenv("CPAAS_SMS_URL")
    monkeypatch.delenv("CPAAS_OTP_URL")
    # The text before the last `@` may be a password.
    assert shown(sms_url="https://user/hunter2@sms.example") == "<cpaas.Client sms, …>"


def test_an_unclosed_client_warns(wire):
    client = wire.client()
    with pytest.warns(ResourceWarning, match="unclosed <cpaas.Client otp sms .*, http://127.0.0.1"):
        del client
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with wire.client() as client:
            pass
        del client


def test_a_temporary_client_completes_its_call(wire):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        assert wire.client().sms.send(**SMS).id == "m-1"
        assert wire.client().with_options(timeout=50).sms.send(**SMS).id == "m-2"
        sms = wire.client().sms
        assert (sms.send(**SMS).id, sms.send(**SMS).id) == ("m-3", "m-4")


def test_arguments_override_the_environment(wire, monkeypatch):
    monkeypatch.setenv("CPAAS_SMS_URL", wire.url)
    monkeypatch.setenv("CPAAS_SMS_KEY", "from-environment")
    with cpaas.Client() as client:
        client.sms.send(**SMS)
    with cpaas.Client(sms_key="explicit") as client:
        client.sms.send(**SMS)
    assert [request.headers["x-service-api-key"] for request in wire.requests] == [
        "from-environment",
        "explicit",
    ]
    with pytest.raises(TypeError, match="sms_ulr"):
        cpaas.Client(sms_ulr="typo")


def test_errors_name_settings_of_an_invalid_type():
    for settings, words in [
        ({"sms_url": 3}, "`sms_url` must be a string, got a number"),
        ({"sms_key": "k", "timeout": "3"}, "`timeout` must be a number of seconds, got a string"),
        ({"max_attempts": 1.5}, "`max_attempts` must be an integer, got a number"),
        ({"channel_names": []}, "`channel_names` must be an object of strings, got an array"),
        ({"channel_names": {"sms": 5}}, "each value of `channel_names` must be a string, got a number"),
    ]:
        with pytest.raises(cpaas.Invalid, match=words):
            cpaas.Client(**settings)
    with pytest.raises(ValueError, match="deadline: must be a finite number"):
        cpaas.Client(deadline=float("inf"))
    with cpaas.Client() as client, pytest.raises(TypeError, match="query: must be a dict, got "):
        client.call_raw("GET", "otp", "/x", query=[1])


@pytest.mark.parametrize("cls", [cpaas.Client, cpaas.AsyncClient])
def test_editors_see_the_settings_of_a_client(cls):
    taken = inspect.signature(cls).parameters
    assert {"sms_url", "timeout", "on_outcome", "pickle_secrets"} <= set(taken)
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in taken.values())
    assert "Time limit of connecting, in seconds (default 5)" in cls.__init__.__doc__


def test_keys_and_texts_are_not_shown(wire, caplog):
    caplog.set_level("DEBUG")
    with wire.client() as client:
        sent = client.sms.send(**SMS, reference="r-1")
        shown = repr(client) + repr(sent) + repr(sent.response)
    for secret in ("sms-secret", "key-secret", "306912345678", "table"):
        assert secret not in shown
        assert secret not in caplog.text
    (record,) = [record for record in caplog.records if record.name == "cpaas"]
    assert record.getMessage().startswith("sms.send: accepted, sent: yes")
    assert record.cpaas.reference == "r-1"


def test_logging_receives_the_enabled_levels(wire, caplog):
    def logged(level, hook):
        caplog.clear()
        caplog.set_level(level, "cpaas")
        with wire.client(on_outcome=hook) as client:
            client.sms.send(**SMS)
            with pytest.raises(cpaas.Invalid):
                client.sms.send(from_="", to="", text="")
            script, wire.script = wire.script, lambda _: None
            with pytest.raises(cpaas.OutcomeUnknown):
                client.sms.send(**SMS)
            wire.script = script
        return [record.levelname for record in caplog.records if record.name == "cpaas"]

    seen = []
    for hook in (None, seen.append):
        assert logged("DEBUG", hook) == ["DEBUG", "INFO", "WARNING"]
        assert logged("INFO", hook) == ["INFO", "WARNING"]
        assert logged("ERROR", hook) == []
    assert len(seen) == 9


def test_nothing_is_printed_if_logging_is_not_configured(wire):
    code = """
import logging, sys, cpaas
with cpaas.Client(sms_url=sys.argv[1], sms_key="k", max_attempts=1) as client:
    try:
        client.sms.send(from_="Acme", to="306912345678", text="Hi")
    except cpaas.OutcomeUnknown:
        print("unknown")
"""
    wire.script = lambda _: None
    done = subprocess.run([sys.executable, "-c", code, wire.url], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("unknown\n", "")


def test_the_hook_receives_every_outcome(wire):
    events = []
    with wire.client(on_outcome=events.append) as client:
        client.sms.send(**SMS, reference="r-1")
        with pytest.raises(cpaas.Invalid):
            client.sms.send(from_="", to="", text="")
    assert [(event.operation, event.outcome, event.sent, event.reference) for event in events] == [
        ("sms.send", "accepted", "yes", "r-1"),
        ("sms.send", "invalid", "no", None),
    ]


def test_a_failing_hook_does_not_fail_the_call(wire, monkeypatch):
    unraisable = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: unraisable.append(args.exc_type))

    def hook(event):
        raise LookupError

    with wire.client(on_outcome=hook) as client:
        assert client.sms.send(**SMS).id == "m-1"
        with pytest.raises(cpaas.Invalid):
            client.sms.send(from_="", to="", text="")
    assert unraisable == [LookupError] * 2


def test_the_other_calls_are_not_operations(wire):
    with wire.client() as client:
        for name in ("raw", "send_once"):
            with pytest.raises(cpaas.Invalid, match=r"^unknown operation"):
                client.call(name, {"method": "GET", "family": "sms", "path": "/x"})
    assert wire.requests == []
