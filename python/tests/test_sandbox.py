"""The sandbox in this process, and the pytest plugin."""

import asyncio
import os
import subprocess
import sys
import time
from datetime import datetime, timedelta, timezone
from importlib.metadata import entry_points
from typing import get_args, get_origin, get_type_hints

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
    has_plugin_entry_point = any(
        point.value == "cpaas.pytest_plugin" for point in entry_points(group="pytest11")
    )
    loaded = () if has_plugin_entry_point else ("-p", "cpaas.pytest_plugin")
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


def test_the_control_api_reports_and_forgets_rejected_requests():
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        with pytest.raises(
            ValueError,
            match="kind must be one of status, latency",
        ):
            sandbox.fault("bogus")
        sandbox.fault("latency", ms=1)
        assert client.sms.send(**SMS).id
        with pytest.raises(ValueError, match="by must be 0 seconds or more"):
            sandbox.advance(-1)
        with pytest.raises(TypeError, match="unknown filter 'too'; filters: to, from_"):
            sandbox.wait_for(too=TO)
        with pytest.raises(TypeError, match="unknown filter 'form'"):
            sandbox.messages(form="Acme")
        assert len(sandbox.messages(to=TO, limit=5)) == 1

    async def main():
        async with cpaas.Sandbox() as sandbox:
            with pytest.raises(ValueError, match="kind must be one of status, latency"):
                await sandbox.fault("bogus")
            await sandbox.fault("latency", ms=1)

    asyncio.run(main())


def test_methods_of_the_control_api_change_faults_ledger_and_clock():
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
    with pytest.raises(ValueError, match="color"):
        cpaas.Sandbox(color="red")


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


def test_messages_are_filtered_requests_are_logged_and_addresses_are_refused():
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


def test_the_members_of_a_message_have_the_annotated_types():
    hints = get_type_hints(cpaas.InboxMessage)
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        client.sms.send(**SMS)
        client.otp.send(service="login", from_="Acme", to=TO, body="Your code is {code}")
        sandbox.inbound(from_=TO, to="54321", text="STOP", channel="sms")
        messages = sandbox.messages()
    assert [message.otp is None for message in messages].count(True) == 2
    for message in messages:
        for name in message._fields:
            kinds = [get_origin(kind) or kind for kind in get_args(hints[name]) or (hints[name],)]
            assert isinstance(getattr(message, name), tuple(kinds)), name
    # A failed assertion shows the message.
    assert "text='STOP'" in repr(messages[-1])
    assert all(f"to={message.to!r}" in repr(message) for message in messages)


def test_the_class_of_an_async_sandbox_is_public():
    async def main():
        async with cpaas.Sandbox() as sandbox:
            assert type(sandbox) is cpaas.AsyncSandbox
            assert repr(sandbox).startswith("<cpaas.AsyncSandbox ")

    asyncio.run(main())


def test_every_route_of_the_control_api_has_a_method():
    """The methods have the fields that docs/sandbox.md documents."""
    methods = [
        "overview",
        "messages",
        "wait_for",
        "phones",
        "inbound",
        "webhook_event",
        "message",
        "delete_message",
        "set_status",
        "clock",
        "advance",
        "fault",
        "faults",
        "fault_presets",
        "clear_faults",
        "ledger",
        "requests",
        "events",
        "callbacks",
        "replay_callback",
        "media",
        "run_workflow",
        "limits",
        "statistics",
        "campaigns",
        "accounts",
        "create_account",
        "account",
        "magic",
        "openapi",
        "reset",
    ]
    with cpaas.Sandbox(clock="virtual") as sandbox, sandbox.client() as client:
        for name in methods:
            assert getattr(type(sandbox), name).__doc__, name
        assert sandbox.overview()["account"] == sandbox.account_sid
        client.sms.send(**SMS)
        assert [phone["number"] for phone in sandbox.phones()] == [TO]
        assert len(sandbox.messages(phone=TO, text="table", status="accepted")) <= 1
        before = sandbox.clock()["ms"]
        assert sandbox.advance(timedelta(hours=1))["ms"] == before + 3_600_000
        sandbox.fault("latency", ms=1, op="sms.send")
        client.sms.send(**SMS)
        assert [(rule["rule"]["kind"], rule["hits"]) for rule in sandbox.faults()] == [("latency", 1)]
        assert any(preset["name"] == "Provider down" for preset in sandbox.fault_presets())
        chat = client.messages.send(destination=TO, messenger_b={"type": "transactional", "text": "Hi"})
        assert sandbox.set_status(chat.message_id, "Delivered")["status"] == "Delivered"
        assert sandbox.statistics()["Delivered"] == 1
        assert any(event["kind"] for event in sandbox.events())
        assert sandbox.events(kind="no.such.kind", wait=0.01) == ()
        sandbox.media("https://example.com/a.jpg", bytes=1000, width=10, height=10)
        steps = [{"channel": "sms", "interval": "30"}]
        flow = client.otp.workflows.create(name="w", channels=steps, description="d")
        run = sandbox.run_workflow(flow.data.sid, service="s", from_="Acme", to=TO, body="{code}")
        assert run["requestID"].startswith("OTP")
        assert sandbox.limits() == ()
        assert sandbox.campaigns() == ()
        assert sandbox.magic()[0]["prefix"].startswith("999")
        assert sandbox.openapi()["openapi"].startswith("3.1")


def test_the_logs_are_filtered_and_a_message_is_deleted():
    with cpaas.Sandbox(clock="virtual", seed=7) as sandbox, sandbox.client() as client:
        sandbox.account(callback={"url": "http://127.0.0.1:1/report"})
        client.sms.send(**SMS)
        sandbox.advance("1h")
        client.sms.send(**{**SMS, "text": "The needle"})
        hour = datetime(2026, 1, 1, 1, tzinfo=timezone.utc)
        assert [one["n"] for one in sandbox.requests(text="NEEDLE")["requests"]] == [1]
        assert [
            one["n"] for one in sandbox.requests(status="2xx", operation="sms.send", before=hour)["requests"]
        ] == [0]
        assert sandbox.requests(status=404)["requests"] == ()
        assert {one["status"] for one in sandbox.callbacks(status="none", kind="report")["attempts"]} == {
            None
        }
        assert sandbox.callbacks(kind="bot")["attempts"] == ()
        assert sandbox.events(text="callback.failed", before="2026-01-01T00:00:00Z") == ()
        assert sandbox.events(text="callback.failed", before=hour) != ()
        (first, second) = sandbox.messages(operation="sms.send")
        assert sandbox.messages(after=hour) == (second,)
        assert sandbox.message(first.id) == first
        assert sandbox.delete_message(first.id)["n"] == first.n
        assert sandbox.messages() == (second,)
        with pytest.raises(cpaas.Invalid, match="no such message"):
            sandbox.message(first.id)
        with pytest.raises(cpaas.InvalidType, match="unknown filter 'txt'; filters: text, after, before"):
            sandbox.requests(txt="x")
        with pytest.raises(cpaas.InvalidType, match="after must be a datetime or a str, got int"):
            sandbox.messages(after=5)
        with pytest.raises(cpaas.Invalid, match="before must be a datetime with a time zone"):
            sandbox.events(before=datetime(2026, 1, 1))
        with pytest.raises(
            cpaas.Invalid, match="`status` must be a status such as 404, a class such as 4xx, none or failed"
        ):
            sandbox.requests(status="teapot")


def test_callbacks_are_replayed():
    with cpaas.Sandbox(clock="virtual") as sandbox, sandbox.client() as client:
        sandbox.account(callback={"url": "http://127.0.0.1:1/report"})
        client.sms.send(**SMS)
        sandbox.advance("6s")
        (first, *_) = sandbox.callbacks(wait=5)["attempts"]
        assert sandbox.replay_callback(first["n"])["delivery"] is not None
        sandbox.account(callback=None)


def test_accounts_are_separate():
    with cpaas.Sandbox() as sandbox:
        other = sandbox.create_account()
        assert {account["sid"] for account in sandbox.accounts()} == {sandbox.account_sid, other["sid"]}
        with sandbox.client(**other["config"]) as client:
            client.sms.send(**SMS)
        assert sandbox.messages() == ()
        assert len(sandbox.messages(account=other["sid"])) == 1
        assert len(sandbox.ledger(account=other["sid"])) == 1
        sandbox.reset()
        assert len(sandbox.ledger(account=other["sid"])) == 1
        sandbox.reset(account=other["sid"])
        assert sandbox.ledger(account=other["sid"]) == ()


def test_clear_faults_removes_the_rules_of_all_accounts():
    with cpaas.Sandbox() as sandbox:
        other = sandbox.create_account()["sid"]
        sandbox.fault("latency", ms=1)
        sandbox.fault("latency", ms=2, account=other)
        sandbox.clear_faults()
        assert (sandbox.faults(), sandbox.faults(account=other)) == ((), ())

    async def main():
        async with cpaas.Sandbox() as sandbox:
            other = (await sandbox.create_account())["sid"]
            await sandbox.fault("latency", ms=2, account=other)
            await sandbox.clear_faults()
            assert await sandbox.faults(account=other) == ()

    asyncio.run(main())


def test_an_added_rule_does_not_bring_back_those_that_are_used_up():
    with cpaas.Sandbox() as sandbox, sandbox.client(max_attempts=1) as client:
        sandbox.fault("status", status=500, expires=1)
        with pytest.raises(cpaas.Error):
            client.sms.send(**SMS)
        sandbox.fault("latency", ms=1, nth=3)
        client.sms.send(**SMS)
        assert [(rule["rule"]["kind"], rule["hits"]) for rule in sandbox.faults()] == [
            ("status", 1),
            ("latency", 0),
        ]
        assert sandbox.faults()[1]["seen"] == 1


def test_a_reset_of_one_account_keeps_the_rules_of_the_others():
    with cpaas.Sandbox() as sandbox:
        other = sandbox.create_account()["sid"]
        sandbox.fault("latency", ms=1)
        sandbox.fault("latency", ms=2, account=other)
        sandbox.reset(account=other)
        sandbox.fault("latency", ms=3)
        assert [rule["rule"]["ms"] for rule in sandbox.faults()] == [1, 3]
        assert sandbox.faults(account=other) == ()
        sandbox.fault("latency", ms=4, account=other)
        sandbox.reset()
        sandbox.fault("latency", ms=5, account=other)
        assert sandbox.faults() == ()
        assert [rule["rule"]["ms"] for rule in sandbox.faults(account=other)] == [4, 5]


def test_an_async_sandbox_keeps_the_rules_of_its_sandbox():
    sandbox = cpaas.Sandbox()
    sandbox.fault("latency", ms=1)

    async def main():
        async with sandbox as asynchronous:
            await asynchronous.fault("latency", ms=2)
            return await asynchronous.faults()

    assert [rule["rule"]["ms"] for rule in asyncio.run(main())] == [1, 2]


def test_a_reset_keeps_keys_settings_and_the_clock():
    with cpaas.Sandbox(clock="virtual") as sandbox, sandbox.client() as client:
        client.sms.send(**SMS)
        client.otp.limits.create(
            name="n", buckets=[{"name": "b", "max": "1", "interval": "60"}], description="d"
        )
        sandbox.account(two_way=["54321"])
        sandbox.fault("status", status=500)
        sandbox.advance("1h")
        now, config = sandbox.clock()["ms"], sandbox.config
        sandbox.reset()
        assert (sandbox.messages(), sandbox.ledger(), sandbox.faults()) == ((), (), ())
        assert not sandbox.requests()["requests"]
        assert (sandbox.clock()["ms"], sandbox.config) == (now, config)
        assert sandbox.accounts()[0]["two_way"] == ("54321",)
        assert list(client.otp.limits.list()) == []
        sandbox.fault("latency", ms=1)  # the rule before the reset does not return
        assert [rule["rule"]["kind"] for rule in sandbox.faults()] == ["latency"]


def test_the_async_sandbox_has_the_same_methods():
    async def main():
        async with cpaas.Sandbox(clock="virtual") as sandbox, sandbox.async_client() as client:
            await client.sms.send(**SMS)
            assert [phone["number"] for phone in await sandbox.phones()] == [TO]
            before = (await sandbox.clock())["ms"]
            assert (await sandbox.advance(60))["ms"] == before + 60_000
            assert await sandbox.faults() == ()
            assert len(await sandbox.accounts()) == 1
            assert (await sandbox.overview())["account"] == sandbox.account_sid
            assert (await sandbox.statistics())["messages"] == 0

    asyncio.run(main())


def test_the_python_code_of_a_request_runs_as_pasted():
    """The inbox's "copy as Python", in an environment with the variables that `cpaas sandbox` prints."""
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        ta, bot_id = sandbox.traffic_account_id, sandbox.bot_id
        client.sms.send(from_="Acme", to=TO, text='It\'s "ok" \\ {x} ’ 👋\n\u2028 </script> $HOME `x`')
        client.sms.send_bulk(from_="Acme", to=[TO, "306912345679"], text="Hi", test=True)
        otp = client.otp.send(service="login", from_="Acme", to=TO, body="{code}")
        client.otp.verify(service="login", request_id=otp.request_id, code="1")
        list(client.otp.search(page_size=1))
        client.lookup.numbers_by_query(msisdn=[TO])
        client.messages.send(destination=TO, sms={"text": "Hi", "sender": "Acme"})
        client.webhooks.messenger_c.set(bot_id=bot_id, ta=ta, url="https://example.com/x")
        client.webhooks.messenger_c.info(bot_id=bot_id)
        client.call_raw("GET", "otp", "/2fa/search", query={"pageSize": 1})
        client.call_raw("GET", "messenger_c", f"/{bot_id}/getWebhookInfo", query={"other": "1"})
        environment = {
            **os.environ,
            **sandbox.environment,
        }
        codes = [
            request["copy"]["python"]
            for request in sandbox.requests()["requests"]
            if "/_sandbox" not in request["target"]
        ]
        assert len(codes) >= 11
        assert any('if client.call("otp.verify"' in code for code in codes)
        program = "\n".join(f"exec(compile({code!r}, 'pasted', 'exec'), {{}})" for code in codes)
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert bot_id not in str(codes)


def test_a_message_of_a_failover_has_its_step():
    with cpaas.Sandbox() as sandbox, sandbox.client() as client:
        client.messages.send_failover(
            destination="306912345678",
            channels={
                "messenger_b": {"type": "promotional", "text": "Hi"},
                "sms": {"text": "Hi", "sender": "Acme"},
            },
            failover={
                "type": "Timeout",
                "timeoutFailover": {
                    "timeoutInSeconds": 30,
                    "status": "Delivered",
                    "trafficAccounts": [sandbox.traffic_account_id] * 2,
                },
            },
        )
        (message,) = sandbox.messages(to="306912345678")
        assert message.failover is not None
        assert (message.failover["step"], message.failover["timeout"]) == (1, 30)
        assert message.failover["channels"] == ("messenger_b", "sms")
        client.sms.send(from_="Acme", to="306912345679", text="Hi")
        assert sandbox.wait_for(to="306912345679").failover is None
