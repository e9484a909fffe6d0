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


# What a machine of a developer may have: the addresses and keys of the real provider, a proxy, a policy.
ENVIRONMENT = {
    "CPAAS_REGION": "frankfurt",
    "CPAAS_SMS_URL_FRANKFURT": "http://127.0.0.1:9",
    "CPAAS_OTP_URL_FRANKFURT": "http://127.0.0.1:9",
    "CPAAS_MESSAGING_URL": "http://127.0.0.1:9",
    "CPAAS_PROXY": "http://127.0.0.1:9",
    "CPAAS_LOOKUP_KEY": "real",
    "CPAAS_MESSAGING_KEY": "real",
    "CPAAS_API_KEY_HEADER": "X-Real-Key",
    "CPAAS_ALLOW_COUNTRIES": '["GB"]',
    "CPAAS_CA_BUNDLE": "/does/not/exist.pem",
    "CPAAS_DEADLINE": "not a number",
}


def send_everything(client):
    client.sms.send(from_="Acme", to="306912345678", text="Hi")
    client.lookup.numbers(msisdn="306912345678")
    client.otp.send(service="login", to="306912345678", from_="Acme", body="Code: {code}")


def test_no_client_of_a_sandbox_reads_the_environment(monkeypatch):
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(cpaas.Invalid, match="CPAAS_DEADLINE"):
        cpaas.Client()
    with cpaas.Sandbox() as sandbox:
        other = sandbox.create_account()
        for client in (sandbox.client(), cpaas.Client(**sandbox.config), sandbox.client(**other["config"])):
            with client, client.with_options(timeout=20) as copy:
                send_everything(client)
                send_everything(copy)
        assert len(sandbox.ledger()) == 8

        async def main():
            async with sandbox as control, sandbox.async_client() as client:
                await client.sms.send(from_="Acme", to="306912345678", text="Hi")
                return len(await control.messages())

        assert asyncio.run(main()) == 9


def test_a_client_reads_the_environment_unless_it_is_forbidden(monkeypatch):
    monkeypatch.setenv("CPAAS_SMS_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("CPAAS_SMS_KEY", "key")
    assert "127.0.0.1:9" in repr(cpaas.Client())
    with cpaas.Client(read_environment=False) as client:
        assert "127.0.0.1:9" not in repr(client)
        with pytest.raises(cpaas.Invalid, match="sms_url"):
            client.sms.send(from_="Acme", to="306912345678", text="Hi")
