"""Bad arguments of calls and clients: the exception names the argument, and nothing is sent."""

import asyncio
import datetime

import pytest
from support.bad_input import (
    REQUEST_OF_SEND_ONCE,
    Unreadable,
    UnreadableIterable,
    once,
    send_with_both_clients,
)

import cpaas

LONE = "must be valid Unicode, got a lone surrogate at index"


BAD_ONCE = {
    "no journal": ({"journal": None}, "journal must be given, or the variable CPAAS_JOURNAL must be set"),
    "bytes": ({"journal": b"x.db"}, "journal must be str or os.PathLike[str], got bytes"),
    "journal": ({"journal": "x\ud800.db"}, f"journal {LONE} 1"),
    "key": ({"key": "\ud800"}, f"key {LONE} 0"),
    "no key": ({"key": None}, "key must be str, got None"),
    "empty key": ({"key": ""}, "key must not be empty"),
    "operation": ({"operation": None}, "operation must be str, got None"),
    "operation 2": ({"operation": "sms.s\ud800"}, f"operation {LONE} 5"),
    "text": (
        {"text": b"x"},
        "text: must be str, int, float, bool, None, a mapping or an iterable, got bytes; decode it first: value.decode()",
    ),
    "argument": ({"txt": "x"}, "client.send_once: unknown argument 'txt'; did you mean 'text'?"),
    "twice": ({"from": "A"}, "client.send_once: 'from_' is given twice, also as 'from'"),
    "deadline": ({"deadline": 10**400}, "deadline must be at most 10,000,000,000 seconds"),
    "deadline 2": ({"deadline": "x"}, "deadline must be float or timedelta, got str"),
}


@pytest.mark.parametrize("name", BAD_ONCE)
def test_a_bad_argument_of_send_once_is_named(wire, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments, message = BAD_ONCE[name]

    async def send_async():
        async with wire.async_client() as client:
            await once(client, **arguments)

    with wire.client() as client:
        for send in (lambda: once(client, **arguments), lambda: asyncio.run(send_async())):
            with pytest.raises(cpaas.Invalid) as found:
                send()
            assert str(found.value) == message
    assert wire.requests == []
    assert [*tmp_path.iterdir()] == []


async def async_handler(received):
    pass


@pytest.mark.parametrize("name", ["on_outcome", "on_request", "on_response"])
def test_a_hook_must_be_a_function(wire, name):
    for hook, found in ((3, "got int"), (async_handler, "got a coroutine function")):
        with pytest.raises(cpaas.InvalidType, match=f"{name} must be a function, {found}"):
            wire.client(**{name: hook})
        with (
            wire.client() as client,
            pytest.raises(cpaas.InvalidType, match=f"{name} must be a function, {found}"),
        ):
            client.with_options(**{name: hook})


def test_pickle_secrets_must_be_bool(wire):
    with pytest.raises(cpaas.InvalidType, match="pickle_secrets must be bool, got str"):
        wire.client(pickle_secrets="no")


@pytest.mark.parametrize("name", ["api_key", "sms_key", "lookup_key", "messaging_key", "messenger_b_token"])
@pytest.mark.parametrize("key", ["key\n", "k\r\nX: 1", "k\u00e9y", "\0"])
def test_a_key_that_cannot_be_a_header_is_refused_when_the_client_is_created(wire, name, key, monkeypatch):
    rule = "must contain only printable ASCII characters"
    with pytest.raises(cpaas.Invalid, match=f"`{name}` {rule}"):
        wire.client(**{name: key})
    if "\0" not in key:
        variable = f"CPAAS_{name.upper()}"
        monkeypatch.setenv(variable, key)
        with pytest.raises(cpaas.Invalid, match=f"{variable} {rule}"):
            cpaas.Client()


def test_validate_names_the_member_of_a_wrong_type():
    expected = "must be str, int, float, bool, None, a mapping or an iterable, got bytes; decode it first: value.decode()"
    for request, place in [
        ({"text": b"x"}, "text"),
        ({"sms": {"text": b"x"}}, "sms/text"),
        ({"a": [{"b/c": [0, b"x"]}]}, "a/0/b~1c/1"),
    ]:
        for use in (cpaas.validate, cpaas.Client(sms_key="k").call):
            with pytest.raises(cpaas.InvalidType) as found:
                use("messages.send", request)
            assert str(found.value) == f"{place}: {expected}"


@pytest.mark.parametrize("limit", [10**400, 1e300, 10**11, datetime.timedelta.max])
def test_a_time_limit_has_a_maximum(wire, limit):
    with wire.client() as client:
        for name in ("timeout", "deadline"):
            with pytest.raises(cpaas.Invalid) as found:
                client.sms.send(**REQUEST_OF_SEND_ONCE, **{name: limit})
            assert str(found.value) == f"{name} must be at most 10,000,000,000 seconds"
            with pytest.raises(cpaas.Invalid, match=f"{name} must be a number of seconds greater than 0"):
                client.sms.send(**REQUEST_OF_SEND_ONCE, **{name: -(10**400)})


def test_a_lone_surrogate_is_never_called_a_wrong_type(wire):
    with wire.client() as client:
        for use, message in [
            (lambda: client.call("sms.\ud800", {}), f"operation {LONE} 4"),
            (lambda: client.call_raw("GET", "sms", "/\ud800"), f"path {LONE} 1"),
            (lambda: client.call_raw("\ud800", "sms", "/"), f"method {LONE} 0"),
            (lambda: client.sms.send(**REQUEST_OF_SEND_ONCE, validate="\ud800"), f"validate {LONE} 0"),
            (
                lambda: client.sms.send(**REQUEST_OF_SEND_ONCE, extra_headers={"a": "\ud800"}),
                f"extra_headers: a value {LONE} 0",
            ),
            (lambda: cpaas.segments("a\ud800"), f"text {LONE} 1"),
            (lambda: cpaas.count_segments(["a", "\ud800"]), f"texts[1] {LONE} 0"),
            (lambda: cpaas.validate("\ud800", {}), f"operation {LONE} 0"),
        ]:
            with pytest.raises(cpaas.Invalid) as found:
                use()
            assert str(found.value) == message


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"text": UnreadableIterable()}, "text"),
        ({"extra": {"a": [UnreadableIterable()]}}, "extra/a/0"),
        ({"extra_headers": Unreadable()}, "extra_headers"),
    ],
)
def test_an_argument_that_cannot_be_read_is_invalid_with_its_cause(wire, options, place):
    request = {**REQUEST_OF_SEND_ONCE, **options}
    for send in send_with_both_clients(wire, request):
        with pytest.raises(cpaas.Invalid) as found:
            send()
        assert str(found.value) == f"{place} must be readable, but reading it raised OSError"
        assert isinstance(found.value.__cause__, OSError)
        assert (found.value.sent, found.value.operation) == ("no", "sms.send")
    assert wire.requests == []


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_closed_client_sends_nothing_and_says_so(wire):
    client = wire.client()
    client.close()
    with pytest.raises(cpaas.ClientClosed, match="not sent: the client is closed") as found:
        client.sms.send(**REQUEST_OF_SEND_ONCE)
    assert isinstance(found.value, RuntimeError)
    assert (found.value.outcome, found.value.sent, found.value.operation) == ("not_sent", "no", "sms.send")


@pytest.mark.parametrize("operation", [0, True, 50, None, b"sms.send"])
def test_an_operation_must_be_a_name(sandbox, operation):
    request = {"service": "login", "from": "Acme", "to": "306912345678", "body": "{code}"}
    with sandbox.client() as client, pytest.raises(cpaas.InvalidType, match=r"^operation must be str, got "):
        client.call(operation, request)
    assert sandbox.ledger() == ()


def test_a_closed_client_makes_no_other_client(sandbox):
    with sandbox.client() as client:
        pass
    with pytest.raises(cpaas.ClientClosed):
        client.with_options(timeout=3)
