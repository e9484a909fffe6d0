"""The settings that a sandbox shows make a client of one of its accounts."""

import asyncio
import json

import pytest

import cpaas
from cpaas.callbacks import Keyring, Receiver, endpoint


def test_the_settings_of_an_account_make_a_client():
    with cpaas.Sandbox() as sandbox:
        other = sandbox.create_account()
        assert other["config"]["account_sid"] == other["sid"] != sandbox.account_sid
        for settings in (sandbox.config, other["config"]):
            assert settings["bot_id"].startswith("bot")
            with cpaas.Client(**settings) as client:
                client.sms.send(from_="Acme", to="306912345678", text="Hi")
        assert [len(sandbox.messages(account=account)) for account in (None, other["sid"])] == [1, 1]


def test_the_settings_make_an_async_client_and_change_one():
    async def main(settings):
        async with cpaas.AsyncClient(**settings) as client:
            return await client.sms.send(from_="Acme", to="306912345678", text="Hi")

    with cpaas.Sandbox() as sandbox:
        assert asyncio.run(main(sandbox.config)).id
        with cpaas.Client() as client:
            client.with_options(**sandbox.config).sms.send(from_="Acme", to="306912345678", text="Hi")
        assert len(sandbox.messages()) == 2


def test_a_setting_that_resembles_it_is_still_an_error():
    with pytest.raises(cpaas.InvalidType, match="unknown setting 'bot'"):
        cpaas.Client(bot_id="bot1:a", bot="bot1:a")


def test_the_time_of_a_business_chat_callback_is_read():
    keys = Keyring([("i1", b"inbound secret of 32 bytes or so!")])
    receiver = Receiver(
        audience="shop",
        public_url="https://shop.example/hooks",
        inbound_keys=keys,
        endpoints=[endpoint("/chat", ["business_chat"])],
    )
    body = {"messageId": "m-1", "userId": "u-1", "text": "Hi", "timestamp": "2026-11-21T10:00:00.000Z"}
    received = receiver.receive("POST", receiver.url("business_chat"), [], json.dumps(body).encode())
    assert (received.kind, received.text, received.timestamp) == ("business_chat", "Hi", body["timestamp"])
