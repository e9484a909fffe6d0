"""Printing a client or its attributes shows no key, phone number, text or password."""

import asyncio
import copy
import pickle
import pprint

import pytest

import cpaas
from cpaas import callbacks

NEEDLE = "n33dle"
SETTINGS = {
    "otp_url": f"https://otp.example/{NEEDLE}",
    "sms_url": f"https://sms.example/{NEEDLE}",
    "account_sid": f"AC-{NEEDLE}",
    "api_key": f"{NEEDLE}-api",
    "sms_key": f"{NEEDLE}-sms",
    "messenger_b_token": f"{NEEDLE}-b",
    "proxy": f"http://user:{NEEDLE}@proxy.example:8080",
    "callback_keys": f'[{{"kid": "k1", "secret": "{NEEDLE * 8}"}}]',
    "callback_audience": "shop",
}


def walk(value, depth, seen):
    """Adds the strings that a debugger or an error log shows to `seen`: reprs of the value and of its nested attributes."""
    seen.append(repr(value))
    seen.append(str(value))
    seen.append(pprint.pformat(value))
    if depth == 0:
        return
    members = dict(getattr(value, "__dict__", {}))
    for cls in type(value).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            members[name] = getattr(value, name, None)
    if isinstance(value, dict):
        members.update(value)
    for member in members.values():
        walk(member, depth - 1, seen)


@pytest.mark.parametrize("cls", [cpaas.Client, cpaas.AsyncClient])
def test_clients_show_no_settings(cls):
    client = cls(**SETTINGS)
    seen = [pprint.pformat(vars(client)), repr(vars(client))]
    for value in (client, vars(client), client.with_options(timeout=3), client.otp, client.sms):
        walk(value, 3, seen)
    asyncio.run(client.aclose()) if cls is cpaas.AsyncClient else client.close()
    assert not [text for text in seen if NEEDLE in text]


def test_clients_are_pickled_with_their_settings():
    with cpaas.Client(**SETTINGS, pickle_secrets=True) as client:
        assert NEEDLE.encode() in pickle.dumps(client)
        with pickle.loads(pickle.dumps(client)) as back, copy.copy(client) as twin:
            assert back._settings.reveal() == twin._settings.reveal() == SETTINGS
        assert client.with_options(timeout=3)._settings.reveal() == {**SETTINGS, "timeout": 3}
    with cpaas.Client(**SETTINGS) as client, pickle.loads(pickle.dumps(client)) as back:
        assert "api_key" not in back._settings.reveal()
        assert back._settings.reveal()["proxy"] == "http://proxy.example:8080"
        assert pickle.dumps(client).count(NEEDLE.encode()) == 3  # the account, and two paths


URLS = {
    f"http://user:{NEEDLE}@proxy.example:8080": "http://proxy.example:8080",
    f"user:{NEEDLE}@proxy.example:8080": "proxy.example:8080",
    f"HTTP://{NEEDLE}@proxy.example": "HTTP://proxy.example",
    f"http://us@er:{NEEDLE}@@proxy.example/x@y": "http://proxy.example/x@y",
    "http://proxy.example:8080": "http://proxy.example:8080",
}


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("name", ["proxy", "sms_url"])
def test_settings_and_pickles_have_no_credentials_of_urls(name, url):
    try:
        client = cpaas.Client(**{"sms_key": "k", name: url})
    except cpaas.Invalid as error:
        assert NEEDLE not in str(error)  # noqa: PT017
        return
    with client:
        assert client.settings == {name: URLS[url]}
        assert NEEDLE.encode() not in pickle.dumps(client)
        with pickle.loads(pickle.dumps(client)) as back, client.with_options(timeout=3) as other:
            assert back.settings == {name: URLS[url]}
            assert other._settings.reveal()[name] == url


KEYRING = callbacks.Keyring([("k1", b"thirty-two bytes that are random")])


@pytest.mark.parametrize(
    "value",
    [
        KEYRING,
        callbacks.Receiver(audience="shop", public_url="https://shop.example", delivery_keys=KEYRING),
    ],
    ids=["keyring", "receiver"],
)
def test_objects_with_secrets_copy_and_refuse_to_be_pickled(value):
    assert copy.copy(value) is value
    assert copy.deepcopy({"a": value})["a"] is value
    with pytest.raises(TypeError, match=r"cannot be pickled, because it contains secrets"):
        pickle.dumps(value)
