"""Bad input that no call has seen: every exception is a `cpaas.Error` and still a `ValueError` or `TypeError`."""

import copy
import pickle

import pytest

import cpaas
from cpaas import callbacks

PAIRS = [("k1", b"thirty-two bytes that are random")]


def receiver(**changes):
    keys = callbacks.Keyring(PAIRS)
    return callbacks.Receiver(
        **{"audience": "shop", "public_url": "https://a.b/c", "delivery_keys": keys, **changes}
    )


BAD = {
    "no keys": lambda: callbacks.Keyring([]),
    "short secret": lambda: callbacks.Keyring([("k1", b"x")]),
    "no secret": lambda: callbacks.Keyring([{"kid": "a"}]),
    "key id": lambda: callbacks.Keyring([("k 1", "thirty-two bytes that are random")]),
    "endless keys": lambda: callbacks.Keyring(iter(lambda: PAIRS[0], None)),
    "purpose": lambda: callbacks.Keyring(PAIRS).mint("inbund", audience="shop"),
    "lifetime": lambda: callbacks.Keyring(PAIRS).mint("inbound", audience="shop", lifetime="soon"),
    "short lifetime": lambda: callbacks.Keyring(PAIRS).mint("inbound", audience="shop", lifetime=1),
    "lifetime of a URL": lambda: receiver().url("sms_report", "r", lifetime=1),
    "source": lambda: receiver().url("smsreport", "r"),
    "no reference": lambda: receiver().url("sms_report"),
    "token in the URL": lambda: receiver(public_url="https://a.b/c?token=1"),
    "URL": lambda: receiver(public_url="a.b/c"),
    "keys of a client": lambda: cpaas.Client(callback_keys=[("k1", b"x")]),
    "setting": lambda: cpaas.Client(sms_ulr="http://127.0.0.1:9"),
    "switch": lambda: cpaas.Sandbox(sed=7),
    "switch value": lambda: cpaas.Sandbox(seed="x"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_a_cpaas_error(name):
    with pytest.raises(cpaas.Invalid) as caught:
        BAD[name]()
    assert isinstance(caught.value, (ValueError, TypeError))
    assert "random" not in str(caught.value)


def test_an_unknown_setting_names_the_near_one():
    with pytest.raises(cpaas.InvalidType, match="unknown setting 'sms_ulr'; did you mean 'sms_url'"):
        cpaas.Client(sms_ulr="x")
    with cpaas.Client() as client, pytest.raises(cpaas.InvalidType, match="unknown setting 'tiemout'"):
        client.with_options(tiemout=5)


@pytest.mark.parametrize("name", ["headers", "query"])
def test_keys_of_a_raw_call_must_be_strings(wire, name):
    with (
        wire.client() as client,
        pytest.raises(cpaas.InvalidType, match=f"{name}: keys must be str, got int"),
    ):
        client.call_raw("GET", "sms", "/x", **{name: {1: "2"}})
    with wire.client() as client, pytest.raises(cpaas.Invalid):
        client.call_raw("GET", "sms", "/x", **{name: {"a": "\ud800"}})


@pytest.mark.parametrize("value", [callbacks.Keyring(PAIRS), receiver()])
def test_objects_with_secrets_copy_and_refuse_to_be_pickled(value):
    assert copy.copy(value) is value
    assert copy.deepcopy({"a": value})["a"] is value
    with pytest.raises(TypeError, match=r"cannot be pickled, because it contains secrets"):
        pickle.dumps(value)


def test_events_pickle_and_copy(wire):
    seen = []
    with wire.client(on_request=seen.append, on_response=seen.append, on_outcome=seen.append) as client:
        client.sms.send(from_="Acme", to="306912345678", text="Hi")
    for event in seen:
        for twin in (pickle.loads(pickle.dumps(event)), copy.copy(event), copy.deepcopy(event)):
            assert type(twin) is type(event)
            assert (repr(twin), twin.call_id) == (repr(event), event.call_id)
