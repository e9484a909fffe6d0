"""Arguments, objects and functions of the tests of bad input."""

import asyncio
import os
import tempfile

import cpaas
from cpaas import callbacks

KEYS = [("k1", b"thirty-two bytes that are random")]
PRICES = [{"prefix": "30", "price": "0.05", "currency": "EUR"}]
ROWS_OF_A_CAMPAIGN = [{"phone": "306912345678"}]
TEMPLATE = {"from": "Acme", "to": "{{phone}}", "text": "Hi"}
REQUEST_OF_SEND_ONCE = {"from_": "Acme", "to": "306912345678", "text": "Hi"}


def send_with_both_clients(wire, request):
    """Two functions that send an SMS: with a sync client and with an async client."""

    def send():
        with wire.client() as client:
            client.sms.send(**request)

    async def send_async():
        async with wire.async_client() as client:
            await client.sms.send(**request)

    return send, lambda: asyncio.run(send_async())


def create(rows=ROWS_OF_A_CAMPAIGN, operation="sms.send", **settings):
    journal = os.path.join(tempfile.mkdtemp(), "j.db")
    return cpaas.Campaign.create(journal, operation, rows, TEMPLATE, **settings)


def receiver(**changes):
    keys = callbacks.Keyring(KEYS)
    return callbacks.Receiver(
        **{"audience": "shop", "public_url": "https://a.b/c", "delivery_keys": keys, **changes}
    )


def keyring():
    return callbacks.Keyring(KEYS)


def once(client, key="k", operation="sms.send", journal="x.db", **request):
    return client.send_once(key, operation, journal=journal, **{**REQUEST_OF_SEND_ONCE, **request})


class Unreadable(dict):
    """A mapping whose methods raise."""

    def items(self):
        raise OSError("disk")

    keys = __iter__ = __getitem__ = items


class UnreadableIterable:
    def __iter__(self):
        raise OSError("disk")
