"""`validate` and the methods agree; hooks run in the context of their task; keys of callbacks in every form."""

import asyncio
import contextvars

import pytest

import cpaas
from cpaas import callbacks

UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"
BULK = {"from": "Acme", "to": ["306912345678", "306912345679"], "text": "Hi", "type": "auto"}
MESSAGE = {"destination": "306912345678", "sms": {"text": "Hi", "sender": "Acme"}}


def test_a_list_of_recipients_is_valid_everywhere(wire):
    assert cpaas.validate("sms.send_bulk", BULK)
    request: cpaas.types.SmsSendBulk = BULK
    wire.script = None
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        assert client.call("sms.send_bulk", request).accepted == 2
        assert client.validate("sms.send_bulk", request)


def test_the_traffic_account_of_the_configuration(monkeypatch):
    assert not cpaas.validate("messages.send", MESSAGE)
    with cpaas.Client(traffic_account_id=UUID) as client:
        assert client.validate("messages.send", MESSAGE)
        assert client.settings == {"traffic_account_id": UUID}
    monkeypatch.setenv("CPAAS_TRAFFIC_ACCOUNT_ID", UUID)
    assert cpaas.validate("messages.send", MESSAGE)


def test_hooks_run_in_the_context_of_the_task(wire):
    variable = contextvars.ContextVar("variable", default=None)
    heard = {}

    async def one(client, n):
        variable.set(n)
        await client.sms.send(from_="Acme", to=f"30691234567{n}", text="Hi", reference=str(n))

    async def run():
        hook = lambda event: heard.__setitem__(event.reference, variable.get())  # noqa: E731
        async with wire.async_client(on_outcome=hook) as client:
            await asyncio.gather(*(one(client, n) for n in range(5)))

    asyncio.run(run())
    assert heard == {str(n): n for n in range(5)}


@pytest.mark.parametrize(
    "keys",
    [
        [("k1", "thirty-two bytes that are random")],
        [("k1", b"thirty-two bytes that are random")],
        [{"kid": "k1", "secret": "thirty-two bytes that are random"}],
        callbacks.Keyring([("k1", "thirty-two bytes that are random")]),
        '[{"kid": "k1", "secret": "thirty-two bytes that are random"}]',
    ],
    ids=["pair", "bytes", "dict", "keyring", "json"],
)
def test_callback_keys(wire, keys):
    with wire.client(callback_keys=keys, callback_audience="shop") as client:
        for each in (client, client.with_options(callback_keys=keys)):
            each.sms.send(
                from_="Acme",
                to="306912345678",
                text="Hi",
                reference="r",
                callback="https://shop.example/hooks",
            )
    assert all("token=v1.k1." in request.json["callback"] for request in wire.requests)
    assert "thirty" not in repr(client) + str(client.settings)
