"""An infinite iterator as an argument raises an error; nothing is sent."""

import itertools

import pytest

import cpaas
from cpaas import callbacks

LIMIT = "1,000,000"


class WrongLength:
    """Has the length 2 and an infinite iterator."""

    def __len__(self):
        return 2

    def __iter__(self):
        return itertools.repeat("306912345678")


def numbers():
    yield from itertools.repeat("306912345678")


@pytest.mark.parametrize("infinite", [lambda: itertools.repeat("306912345678"), numbers, WrongLength])
def test_arguments_of_calls_are_limited(wire, infinite):
    with wire.client() as client:
        account = "0f8fad5b-d9cb-469f-a165-70867728950e"
        sms = {"text": "Hi", "sender": "Acme"}
        for call, name in [
            (lambda: client.lookup(msisdn=infinite()), "msisdn"),
            (lambda: client.sms.send_bulk(from_="Acme", to=infinite(), text="Hi"), "to"),
            (
                lambda: client.messages.send_bulk(
                    destinations=infinite(), traffic_account_id=account, channels={"sms": sms}
                ),
                "destinations",
            ),
            (lambda: client.otp.limits.create(name="n", buckets=infinite(), description="d"), "buckets"),
            (
                lambda: client.otp.send(service="s", from_="a", to="1", body="b", extra={"x": infinite()}),
                "extra/x",
            ),
        ]:
            with pytest.raises(ValueError, match=f"{name}: .*{LIMIT}"):
                call()
    assert wire.requests == []


def test_a_range_is_limited_like_an_iterator(wire):
    with wire.client() as client, pytest.raises(ValueError, match=LIMIT):
        client.sms.send(from_=range(10**12), to="306912345678", text="Hi")
    assert wire.requests == []


def test_recipients_that_are_not_strings_are_invalid(wire):
    with wire.client() as client:
        with pytest.raises(ValueError, match=LIMIT):
            client.lookup(msisdn=itertools.count())
        with pytest.raises(TypeError):
            client.sms.send_bulk(from_="Acme", to=itertools.count(), text="Hi")


def test_texts_are_limited():
    with pytest.raises(ValueError, match=LIMIT):
        cpaas.count_segments(itertools.repeat("Hi"))
    with pytest.raises(ValueError, match=r"texts\[0\] must be str, got "):
        cpaas.count_segments(iter([1]))
    with pytest.raises(TypeError):
        cpaas.count_segments("one text")
    assert cpaas.count_segments(text for text in ["Hi", "a" * 161]).counts == [1, 2]
    with pytest.raises(ValueError, match=LIMIT):
        cpaas.validate("messages.send_bulk", {"destinations": itertools.count()})


def test_a_collection_with_a_length_is_read_completely():
    assert cpaas.count_segments(("Hi",) * 1_000_001).total == 1_000_001
    assert cpaas.count_segments(dict.fromkeys(map(str, range(1_000_001)))).total == 1_000_001


def test_configurations_of_callbacks_are_limited():
    with pytest.raises(ValueError, match=r"keys: .*10,000"):
        callbacks.Keyring(itertools.repeat(("k1", "x" * 32)))
    with pytest.raises(ValueError, match=r"sources: .*10,000"):
        callbacks.endpoint("/x", itertools.repeat("sms_report"))
    keys = callbacks.Keyring([("k1", "x" * 32)])
    receiver = callbacks.Receiver(audience="shop", public_url="https://shop.example/", inbound_keys=keys)
    with pytest.raises(ValueError, match=r"headers: .*10,000"):
        receiver.receive("GET", "/", itertools.repeat(("a", "b")))
    with pytest.raises(TypeError):
        receiver.receive("POST", "/", (), itertools.repeat(0))
    with pytest.raises(ValueError, match=r"endpoints: .*10,000"):
        endpoints = itertools.repeat(callbacks.endpoint("/x", []))
        callbacks.Receiver(
            audience="shop", public_url="https://shop.example/", inbound_keys=keys, endpoints=endpoints
        )
