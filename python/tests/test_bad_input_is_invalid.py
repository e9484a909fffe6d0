"""Every bad argument raises `cpaas.Invalid`, so that a program can skip one bad row of a batch; nothing is sent."""

import datetime
import os
import pickle
import subprocess
import sys

import pytest
from support.bad_input import (
    KEYS,
    PRICES,
    REQUEST_OF_SEND_ONCE,
    ROWS_OF_A_CAMPAIGN,
    TEMPLATE,
    create,
    receiver,
    send_with_both_clients,
)

import cpaas
from cpaas import callbacks

ROWS = [
    {"to": "3069\ud83d"},
    {"text": b"bytes"},
    {"text": object()},
    {"to": float("nan")},
    {"extra": {1: "x"}},
    {"extra": {"a": "\ud83d"}},
    {"timeout": "soon"},
    {"timeout": -1},
    {"deadline": 0},
    {"validate": "sometimes"},
    {"validate": 5},
]


@pytest.mark.parametrize("row", ROWS, ids=repr)
def test_a_bad_row_is_invalid(wire, row):
    with wire.client() as client:
        with pytest.raises(cpaas.Invalid) as found:
            client.sms.send(**{"from_": "A", "to": "306912345678", "text": "Hi", **row})
        assert isinstance(found.value, ValueError)
        assert (found.value.outcome, found.value.sent) == ("invalid", "no")
        assert found.value.message
    assert wire.requests == []


def test_a_wrong_type_is_a_type_error_too(wire):
    with wire.client() as client, pytest.raises(TypeError) as found:
        client.sms.send(from_="A", to="306912345678", text=b"bytes")
    assert isinstance(found.value, cpaas.InvalidType)
    assert found.value.operation == "sms.send"
    assert "text" in str(found.value)
    assert "bytes" in str(found.value)


UNKNOWN = {
    "near name": ({"txt": "Hi"}, "client.sms.send: unknown argument 'txt'; did you mean 'text'?"),
    "name of the specification": (
        {"from": "A"},
        "client.sms.send: unknown argument 'from'; did you mean 'from_'?",
    ),
    "no near name": (
        {"nope": 1},
        "client.sms.send: unknown argument 'nope'; put undocumented members into 'extra'",
    ),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_argument_is_invalid_and_names_the_near_one(wire, name):
    unknown, message = UNKNOWN[name]
    request = {"from_": "A", "to": "306912345678", "text": "Hi", **unknown}
    for send in send_with_both_clients(wire, request):
        with pytest.raises(cpaas.InvalidType) as found:
            send()
        assert isinstance(found.value, (ValueError, TypeError))
        assert (str(found.value), found.value.operation) == (message, "sms.send")
    assert wire.requests == []


UNKNOWN_AND_MISSING = {
    "name of another operation": (
        {"from_": "A", "body": "Hi"},
        "unknown argument 'body'; did you mean 'text'?",
    ),
    "two of them": (
        {"sender": "A", "body": "Hi"},
        "missing required argument 'text'; unknown argument 'sender'; did you mean 'from_'?",
    ),
    "near name of the missing argument": (
        {"from_": "A", "txet": "Hi"},
        "unknown argument 'txet'; did you mean 'text'?",
    ),
    "near name and another missing argument": (
        {"form": "A"},
        "missing required argument 'text'; unknown argument 'form'; did you mean 'from_'?",
    ),
}


@pytest.mark.parametrize("name", UNKNOWN_AND_MISSING)
def test_an_unknown_argument_beside_a_missing_one_names_both(wire, name):
    request, message = UNKNOWN_AND_MISSING[name]
    for send in send_with_both_clients(wire, {"to": "306912345678", **request}):
        with pytest.raises(cpaas.InvalidType) as found:
            send()
        assert (str(found.value), found.value.operation) == (f"client.sms.send: {message}", "sms.send")
    assert wire.requests == []


def test_missing_and_positional_arguments_are_invalid(wire):
    with wire.client() as client:
        with pytest.raises(cpaas.InvalidType, match=r"client\.sms\.send: missing .*'text'"):
            client.sms.send(from_="A", to="306912345678")
        named = (
            r"client\.sms\.send: arguments must be named, such as client\.sms\.send\(from_=…, to=…, text=…\)"
        )
        with pytest.raises(cpaas.InvalidType, match=named):
            client.sms.send("A", "306912345678", "Hi")
        with pytest.raises(cpaas.InvalidType, match=r"client\.call: unknown argument 'tmeout'; .*'timeout'"):
            client.call("sms.send", {}, tmeout=1)
        with pytest.raises(cpaas.InvalidType, match=r"client\.sms\.send_many: unknown argument 'concurency'"):
            client.sms.send_many([], concurency=2)
        with pytest.raises(cpaas.InvalidType, match=r"client\.lookup\.numbers: unknown argument 'nmubers'"):
            client.lookup(msisdn="306912345678", nmubers=1)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"timeout": "x"}, "timeout must be a number of seconds or a timedelta, got str"),
        ({"deadline": [1]}, "deadline must be a number of seconds or a timedelta, got list"),
        ({"timeout": True}, "timeout must be a number of seconds or a timedelta, got bool"),
        ({"validate": 1}, "validate must be str, got int"),
    ],
    ids=repr,
)
def test_an_option_of_a_wrong_type_is_named(wire, option, message):
    request = {"from_": "A", "to": "306912345678", "text": "Hi", **option}
    for send in send_with_both_clients(wire, request):
        with pytest.raises(cpaas.InvalidType) as found:
            send()
        assert (str(found.value), found.value.operation) == (message, "sms.send")


@pytest.mark.parametrize("seconds", [-1, 0, 59, 5_270_401])
def test_the_lifetime_of_callback_tokens_has_limits(seconds):
    with pytest.raises(cpaas.Invalid, match="`callback_lifetime` must be 60 to 5,270,400 seconds"):
        cpaas.Client(callback_lifetime=seconds)


@pytest.mark.parametrize(
    "use",
    [
        lambda: cpaas.segments(5),
        lambda: cpaas.segments("\ud83d"),
        lambda: cpaas.annotate(None),
        lambda: cpaas.estimate(b"x", "1"),
        lambda: cpaas.count_segments("one"),
        lambda: cpaas.count_segments([None]),
        lambda: cpaas.count_segments(5),
        lambda: cpaas.check_number(None),
        lambda: cpaas.check_sender(5),
        lambda: cpaas.parse_markup(5),
        lambda: cpaas.parse_markup("x", 5),
        lambda: cpaas.escape_markup(None),
        lambda: cpaas.validate("sms.sned", {}),
        lambda: cpaas.validate(5, {}),
        lambda: cpaas.validate("sms.send", object()),
        lambda: cpaas.check("foto", {}),
        lambda: cpaas.Client().call("sms.sned", {}),
        lambda: cpaas.Client().call(None, {}),
        lambda: cpaas.Client().call("sms.send", [1]),
        lambda: cpaas.Client().call("sms.send", {1: 2}),
        lambda: cpaas.Client().call_raw("PATCH", "sms", "/"),
        lambda: cpaas.Client().call_raw("GET", "sns", "/"),
        lambda: cpaas.Client().call_raw("GET", "sms", "/", query=[1]),
        lambda: cpaas.Client().call_raw("GET", "sms", 5),
        lambda: cpaas.Client(sms_url=5),
        lambda: cpaas.Client(sms_url="x\ud83d"),
        lambda: cpaas.Client(timeout=b"5"),
    ],
)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_functions_raise_errors_of_the_package(use):
    with pytest.raises(cpaas.Error) as found:
        use()
    assert isinstance(found.value, (ValueError, TypeError))


@pytest.mark.parametrize(
    "use",
    [
        lambda: cpaas.segments("x", languages=5),
        lambda: cpaas.decode(5),
        lambda: cpaas.estimate("x"),
        lambda: cpaas.estimate("x", prices=PRICES),
        lambda: cpaas.estimate("x", "1", prices=PRICES, to="306912345678"),
        lambda: cpaas.estimate("x", prices=PRICES, to=5),
        lambda: cpaas.estimate("x", prices=5, to="306912345678"),
        lambda: cpaas.estimate("x", prices=[5], to="306912345678"),
        lambda: create(5),
        lambda: create([5]),
        lambda: create(suppress=5),
        lambda: create(prices=5),
        lambda: create(prices=[5]),
        lambda: create(max_parts="3"),
        lambda: create(operation=5),
        lambda: create(rate="fast"),
    ],
)
def test_a_wrong_type_is_both_invalid_and_a_type_error(use, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(cpaas.InvalidType, match=r"must|estimate"):
        use()


def test_a_price_without_its_columns_is_invalid():
    with pytest.raises(cpaas.Invalid, match="each item of prices must have prefix, price and currency"):
        cpaas.estimate("x", prices=[{"prefix": "30"}], to="306912345678")


@pytest.mark.parametrize("client", [None, 5])
def test_run_send_once_and_resolve_name_a_wrong_argument(client, tmp_path):
    campaign = cpaas.Campaign.create(tmp_path / "j.db", "sms.send", ROWS_OF_A_CAMPAIGN, TEMPLATE)
    with pytest.raises(cpaas.InvalidType, match="client must be a Client or an AsyncClient"):
        campaign.run(client)
    with cpaas.Client() as client:
        with pytest.raises(cpaas.InvalidType, match="concurrency must be int"):
            campaign.run(client, concurrency="many")
        with pytest.raises(cpaas.Invalid, match="concurrency must be at least 1"):
            campaign.run(client, concurrency=0)
        for deadline in (-1, 0, float("inf"), float("nan")):
            with pytest.raises(cpaas.Invalid, match="deadline must be above 0 seconds"):
                campaign.run(client, deadline=deadline)
        with pytest.raises(cpaas.InvalidType, match="deadline must be float or timedelta"):
            client.send_once("k", "sms.send", journal=tmp_path / "k.db", deadline="x", **REQUEST_OF_SEND_ONCE)
    for rows in (5, ["a"]):
        with pytest.raises(cpaas.InvalidType, match="rows must be"):
            campaign.resolve("accepted", rows=rows)
    with pytest.raises(cpaas.InvalidType, match="reports must be"):
        campaign.resolve(reports=5)


def test_time_limits_are_seconds_or_timedelta(wire):
    limit = datetime.timedelta(seconds=5)
    with wire.client(timeout=limit, deadline=limit, connect_timeout=limit) as client:
        assert client.sms.send(from_="A", to="306912345678", text="Hi", timeout=limit, deadline=limit).id


WITHOUT_DESCRIPTORS = """
import os, resource, sys
sys.path.insert(0, sys.argv[2])
import cpaas
{client}
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
held = []
try:
    while True:
        held.append(os.open("/dev/null", os.O_RDONLY))
except OSError:
    pass
try:
    send()
    print("accepted")
except BaseException as error:
    print(type(error).__name__, getattr(error, "sent", None))
for descriptor in held:
    os.close(descriptor)
print(send().response_code)
client._native.close()
"""
# Each client has made a call, so its pool has a connection.
CLIENTS = {
    "sync": """
client = cpaas.Client(sms_url=sys.argv[1], sms_key="k", max_attempts=1)
client.call_raw("POST", "sms", "/warm", body={"to": "1"})
send = lambda: client.sms.send(from_="A", to="306912345678", text="Hi")
""",
    "async": """
import asyncio
loop = asyncio.new_event_loop()
client = cpaas.AsyncClient(sms_url=sys.argv[1], sms_key="k", max_attempts=1)
loop.run_until_complete(client.call_raw("POST", "sms", "/warm", body={"to": "1"}))
send = lambda: loop.run_until_complete(client.sms.send(from_="A", to="306912345678", text="Hi"))
""",
}


@pytest.mark.parametrize("kind", CLIENTS)
def test_no_outcome_is_lost_without_file_descriptors(wire, kind):
    folder = os.path.dirname(os.path.dirname(cpaas.__file__))
    code = WITHOUT_DESCRIPTORS.replace("{client}", CLIENTS[kind])
    command = [sys.executable, "-S", "-B", "-c", code, wire.url, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    sent = [request for request in wire.requests if request.path != "/warm"]
    assert (first, len(sent)) in [("NotSent no", 1), ("accepted", 2)]
    assert second == "0"


BAD_CONFIGURATIONS = {
    "no keys": lambda: callbacks.Keyring([]),
    "short secret": lambda: callbacks.Keyring([("k1", b"x")]),
    "no secret": lambda: callbacks.Keyring([{"kid": "a"}]),
    "key id": lambda: callbacks.Keyring([("k 1", "thirty-two bytes that are random")]),
    "infinite keys": lambda: callbacks.Keyring(iter(lambda: KEYS[0], None)),
    "purpose": lambda: callbacks.Keyring(KEYS).mint("inbund", audience="shop"),
    "lifetime": lambda: callbacks.Keyring(KEYS).mint("inbound", audience="shop", lifetime="soon"),
    "short lifetime": lambda: callbacks.Keyring(KEYS).mint("inbound", audience="shop", lifetime=1),
    "lifetime of a URL": lambda: receiver().url("sms_report", "r", lifetime=1),
    "source": lambda: receiver().url("smsreport", "r"),
    "no reference": lambda: receiver().url("sms_report"),
    "token in the URL": lambda: receiver(public_url="https://a.b/c?token=1"),
    "URL": lambda: receiver(public_url="a.b/c"),
    "keys of a client": lambda: cpaas.Client(callback_keys=[("k1", b"x")]),
    "setting": lambda: cpaas.Client(sms_ulr="http://127.0.0.1:9"),
    "option of the sandbox": lambda: cpaas.Sandbox(sed=7),
    "value of an option of the sandbox": lambda: cpaas.Sandbox(seed="x"),
}


@pytest.mark.parametrize("name", BAD_CONFIGURATIONS)
def test_a_bad_configuration_is_invalid(name):
    with pytest.raises(cpaas.Invalid) as caught:
        BAD_CONFIGURATIONS[name]()
    assert isinstance(caught.value, (ValueError, TypeError))
    assert "random" not in str(caught.value)


def test_settings_must_be_named():
    for make in (cpaas.Client, cpaas.AsyncClient):
        with pytest.raises(cpaas.InvalidType, match="the settings of a client must be named, such as"):
            make("hunter2")


def test_a_setting_of_another_library_names_ours():
    with pytest.raises(
        cpaas.InvalidType, match=r"^unknown setting 'max_retries'; use 'max_attempts', which includes"
    ):
        cpaas.Client(max_retries=3)
    with (
        cpaas.Client() as client,
        pytest.raises(cpaas.InvalidType, match="'base_url'; the addresses are 'otp_url'"),
    ):
        client.with_options(base_url="https://provider.example")


def test_a_wrong_type_of_a_member_is_an_invalid_type(wire):
    """Beside another problem it is only `Invalid`."""
    for wrong, expected in [
        ({"to": 306912345678}, cpaas.InvalidType),
        ({"to": 306912345678, "text": 5}, cpaas.InvalidType),
        ({"to": 306912345678, "text": ""}, cpaas.Invalid),
        ({"to": "+306912345678"}, cpaas.Invalid),
    ]:
        for send in send_with_both_clients(wire, {"from_": "A", "to": "306912345678", "text": "Hi", **wrong}):
            with pytest.raises(cpaas.Invalid) as found:
                send()
            assert type(found.value) is expected
            assert isinstance(pickle.loads(pickle.dumps(found.value)), expected)
    with (
        wire.client() as client,
        pytest.raises(cpaas.InvalidType, match="/code: expected a string, got an integer"),
    ):
        client.otp.verify(service="S", request_id="OTP1", code=12345)
    assert wire.requests == []


def test_an_unknown_setting_names_the_near_one():
    with pytest.raises(cpaas.InvalidType, match="unknown setting 'sms_ulr'; did you mean 'sms_url'"):
        cpaas.Client(sms_ulr="x")
    with cpaas.Client() as client, pytest.raises(cpaas.InvalidType, match="unknown setting 'tiemout'"):
        client.with_options(tiemout=5)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("extra_headers", "extra_headers: a name must be str, got int"),
        ("query", "query: keys must be str, got int"),
    ],
)
def test_keys_of_a_raw_call_must_be_strings(wire, name, message):
    with wire.client() as client, pytest.raises(cpaas.InvalidType, match=message):
        client.call_raw("GET", "sms", "/x", **{name: {1: "2"}})
    with wire.client() as client, pytest.raises(cpaas.Invalid):
        client.call_raw("GET", "sms", "/x", **{name: {"a": "\ud800"}})
