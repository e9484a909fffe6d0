"""The sandbox in this process, and the pytest plugin."""

import asyncio
import time
from importlib.metadata import entry_points

import pytest

import cpaas

TO = "306912345678"
SMS = {"from_": "Acme", "to": TO, "text": "Your table is ready"}
pytest_plugins = ["pytester"]


def test_the_fixtures_provide_a_sandbox_and_a_client(pytester):
    pytester.makepyfile("""
        def test_one(cpaas_sandbox, cpaas_client):
            cpaas_client.sms.send(from_="Acme", to="306912345678", text="one")
            assert cpaas_sandbox.wait_for(to="306912345678").text == "one"

        def test_two(cpaas_sandbox):
            assert cpaas_sandbox.messages() == ()
    """)
    plugged = any(point.value == "cpaas.pytest_plugin" for point in entry_points(group="pytest11"))
    loaded = () if plugged else ("-p", "cpaas.pytest_plugin")
    pytester.runpytest_subprocess(*loaded).assert_outcomes(passed=2)


def test_a_passcode_is_sent_and_verified():
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        otp = client.otp.send(service="login", from_="Acme", to=TO, body="Your code is {code}")
        code = sandbox.wait_for(to=TO, contains="code").otp
        wrong = client.otp.verify(
            service="login", request_id=otp.request_id, code=f"{(int(code) + 1) % 1000000:06}"
        )
        assert not wrong.ok
        assert client.otp.verify(service="login", request_id=otp.request_id, code=code).ok
        record = client.otp.get(sid=otp.request_id)
        assert [check.status for check in record.checks] == ["invalid", "valid"]
        assert [record.sid for record in client.otp.search(page_size=1)] == [otp.request_id]


def test_pages_of_the_search_are_followed():
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        sids = [
            client.otp.send(service="s", from_="Acme", to=f"30691234567{n}", body="{code}").request_id
            for n in range(7)
        ]
        found = client.otp.search(page_size=3)
        assert (len(found.items), found.total) == (3, 7)
        assert sorted(record.sid for record in found) == sorted(sids)


def test_the_control_plane_reports_and_forgets_rejected_requests():
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        with pytest.raises(
            ValueError,
            match=r"the sandbox rejected the request: unknown variant `bogus`, expected one of `status`",
        ):
            sandbox.fault("bogus")
        sandbox.fault("latency", ms=1)
        assert client.sms.send(**SMS).id
        with pytest.raises(ValueError, match="only moves forward"):
            sandbox.advance(-1)
        with pytest.raises(TypeError, match="unknown filter 'too'; filters: to, from_"):
            sandbox.wait_for(too=TO)
        with pytest.raises(TypeError, match="unknown filter 'form'"):
            sandbox.messages(form="Acme")
        assert len(sandbox.messages(to=TO, limit=5)) == 1

    async def main():
        async with cpaas.Sandbox() as sandbox:
            with pytest.raises(ValueError, match="the sandbox rejected the request"):
                await sandbox.fault("bogus")
            await sandbox.fault("latency", ms=1)

    asyncio.run(main())


def test_the_control_plane_has_methods():
    with cpaas.Sandbox(clock="virtual", seed=7) as sandbox, sandbox.client(max_attempts=1) as client:
        sandbox.fault("close-after-read", op="sms.send", nth=1)
        with pytest.raises(cpaas.OutcomeUnknown):
            client.sms.send(**SMS)
        sandbox.clear_faults()
        sent = client.sms.send(**SMS, reference="r-1")
        entries = {entry["id"]: entry["operation"] for entry in sandbox.ledger()}
        assert entries[sent.id] == "sms.send"
        before = client.otp.send(service="s", from_="Acme", to=TO, body="{code}")
        sandbox.advance("1h")
        assert client.otp.get(sid=before.request_id).status == "expired"
        begun = time.monotonic()
        with pytest.raises(TimeoutError):
            sandbox.wait_for(to="1", timeout=0.2)
        assert time.monotonic() - begun > 0.15  # the unit is seconds
        sandbox.reset()
        assert sandbox.messages() == ()
        assert sandbox.ledger() == ()


def test_the_same_seed_creates_the_same_account():
    with cpaas.Sandbox(seed=7) as one, cpaas.Sandbox(seed=7) as two, cpaas.Sandbox() as three:
        assert one.account_sid == two.account_sid != three.account_sid
    with pytest.raises(ValueError, match="colour"):
        cpaas.Sandbox(colour="red")


def test_fifty_sandboxes_run_concurrently():
    sandboxes = [cpaas.Sandbox() for _ in range(50)]
    try:
        assert len({sandbox.url for sandbox in sandboxes}) == 50
    finally:
        for sandbox in sandboxes:
            sandbox.stop()


def test_the_sandbox_supports_asyncio():
    async def main():
        async with cpaas.Sandbox() as sandbox, sandbox.async_client() as client:
            waiting = asyncio.create_task(sandbox.wait_for(to=TO))
            await client.sms.send(**SMS)
            assert (await waiting).text == SMS["text"]
            await sandbox.fault("latency", ms=1)
            await sandbox.reset()
            assert await sandbox.messages() == ()

    asyncio.run(main())


def test_the_rest_of_the_control_plane():
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        assert sandbox.url.startswith("http://127.0.0.1:")
        assert sandbox.config["traffic_account_id"] == sandbox.traffic_account_id
        sandbox.inbound(from_=TO, to="54321", text="STOP", channel="sms")
        (received,) = sandbox.messages(direction="in")
        assert (received.from_, received.to, received.text, received.direction) == (TO, "54321", "STOP", "in")
        client.sms.send(**SMS)
        assert sandbox.messages(from_="Acme", contains="table", channel="sms", direction="out")[0].to == TO
        assert sandbox.messages(contains="nothing like it") == ()
        requests = sandbox.requests()
        assert "table" in str(requests) or "sms.send" in str(requests)
        assert client._settings.reveal()["sms_key"] not in str(requests)
        assert sandbox.callbacks() is not None
        sandbox.account(allow_ip=["10.0.0.0/8"])
        with pytest.raises(cpaas.Rejected):
            client.sms.send(**SMS)
        assert repr(sandbox) == f"<cpaas.Sandbox {sandbox.url}>"
        sandbox.stop()
        sandbox.stop()
