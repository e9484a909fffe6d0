"""`send_once` of a passcode whose response was lost."""

import asyncio

import pytest

import cpaas

TO = "306912345678"
REQUEST = {"service": "login", "from_": "Acme", "to": TO, "body": "Your code is {code}"}


def once(client, journal, key="login-1"):
    return client.send_once(key, "otp.send", journal=journal, **REQUEST)


def test_the_id_is_found_and_the_code_verifies(cpaas_sandbox, cpaas_client, tmp_path):
    journal = tmp_path / "once.db"
    cpaas_sandbox.fault("close-after-read", op="otp.send")
    sent = once(cpaas_client, journal)
    code = cpaas_sandbox.wait_for(to=TO, contains="code").otp
    assert cpaas_client.otp.verify(service="login", request_id=sent.request_id, code=code)
    assert once(cpaas_client, journal) == sent
    assert len(cpaas_sandbox.ledger()) == 1


def test_the_async_client_finds_it_too(cpaas_sandbox, tmp_path):
    cpaas_sandbox.fault("close-after-read", op="otp.send")

    async def run():
        async with cpaas_sandbox.async_client() as client:
            return await client.send_once("login-1", "otp.send", journal=tmp_path / "once.db", **REQUEST)

    assert asyncio.run(run()).request_id.startswith("OTP")


def test_two_passcodes_alike_stay_unknown(cpaas_sandbox, cpaas_client, tmp_path):
    cpaas_sandbox.fault("close-after-read", op="otp.send")
    once(cpaas_client, tmp_path / "once.db")
    for _ in range(2):  # also when the key is used again
        with pytest.raises(cpaas.OutcomeUnknown) as caught:
            once(cpaas_client, tmp_path / "once.db", "login-2")
        assert "2 passcodes" in caught.value.evidence
    assert len(cpaas_sandbox.ledger()) == 2


def test_records_that_cannot_be_read_stay_unknown(cpaas_sandbox, cpaas_client, tmp_path):
    cpaas_sandbox.fault("close-after-read", op="otp.send")
    cpaas_sandbox.fault("status", status=500, op="otp.search")
    with pytest.raises(cpaas.OutcomeUnknown):
        once(cpaas_client, tmp_path / "once.db")
    assert len(cpaas_sandbox.ledger()) == 1


def test_a_call_without_a_key_stays_unknown(cpaas_sandbox, cpaas_client):
    cpaas_sandbox.fault("close-after-read", op="otp.send")
    with pytest.raises(cpaas.OutcomeUnknown) as caught:
        cpaas_client.otp.send(**REQUEST)
    assert caught.value.evidence is None
