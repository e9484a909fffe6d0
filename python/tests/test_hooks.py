"""The hooks `on_request` and `on_response`, beside `on_outcome`."""

import asyncio
import contextlib
import contextvars
import copy
import logging
import pickle
import socket
import sys
import threading
import time

import pytest
from conftest import http_response

import cpaas

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}
SECRETS = ("306912345678", "key-secret", "sms-secret", "Hi")


class Recorder:
    """Hooks that keep what they receive."""

    def __init__(self):
        self.seen = []

    def hooks(self):
        return {name: self.hook(name) for name in ("on_request", "on_response", "on_outcome")}

    def hook(self, name):
        return lambda event: self.seen.append((name, event))

    @property
    def names(self):
        return [name for name, _ in self.seen]


def throttle_first_request(wire):
    """Makes the server respond with 429 to the first request."""
    accepted = wire.script

    def script(request):
        if len(wire.requests) == 1:
            return http_response(
                {"responseCode": 499, "responseText": "slow"}, status=429, headers=[("retry-after", "0")]
            )
        return accepted(request)

    wire.script = script


CALL = ["on_request", "on_response", "on_request", "on_response", "on_outcome"]


def check(wire, seen):
    assert [name for name, _ in seen] == CALL
    events = [event for _, event in seen]
    assert len({event.call_id for event in events}) == 1
    assert {event.operation for event in events} == {"sms.send"}
    assert [event.attempt for event in events[:4]] == [1, 1, 2, 2]
    for event in events[:4]:
        assert (event.method, event.url, event.is_lookup) == ("POST", f"{wire.url}/sms", False)
    assert [events[1].status, events[3].status] == [429, 200]
    assert all(0 < event.elapsed < 60 for event in (events[1], events[3]))
    assert (events[4].outcome, events[4].attempts) == ("accepted", 2)
    assert type(events[0]) is cpaas.RequestEvent
    assert type(events[1]) is cpaas.ResponseEvent
    text = "".join(f"{event!r}" for event in events)
    assert not any(secret in text for secret in SECRETS)


def test_hooks_receive_each_request_and_response(wire):
    throttle_first_request(wire)
    recorder = Recorder()
    with wire.client(max_attempts=3, **recorder.hooks()) as client:
        client.sms.send(**SMS)
    check(wire, recorder.seen)


def test_hooks_of_the_async_client_receive_the_same_events(wire):
    throttle_first_request(wire)
    recorder = Recorder()

    async def main():
        async with wire.async_client(max_attempts=3, **recorder.hooks()) as client:
            await client.sms.send(**SMS)

    asyncio.run(main())
    check(wire, recorder.seen)


def test_on_request_runs_before_the_request_is_sent(wire):
    sent = []
    with wire.client(on_request=lambda _: sent.append(len(wire.requests))) as client:
        client.sms.send(**SMS)
        client.sms.send(**SMS)
    assert sent == [0, 1]


def test_a_request_without_a_response_has_no_response_event(wire):
    recorder = Recorder()
    wire.script = lambda _: None
    with wire.client(**recorder.hooks()) as client, pytest.raises(cpaas.OutcomeUnknown):
        client.sms.send(**SMS)
    assert recorder.names == ["on_request", "on_outcome"]


def test_an_invalid_call_has_only_an_outcome_event(wire):
    recorder = Recorder()
    with wire.client(**recorder.hooks()) as client, pytest.raises(cpaas.Invalid):
        client.sms.send(from_="", to="", text="")
    assert recorder.names == ["on_outcome"]


@pytest.mark.parametrize("name", ["on_request", "on_response"])
def test_each_hook_works_alone(wire, name):
    recorder = Recorder()
    with wire.client(**{name: recorder.hook(name)}) as client:
        assert client.sms.send(**SMS).id == "m-1"
    assert recorder.names == [name]


@pytest.mark.parametrize("name", ["on_request", "on_response", "on_outcome"])
@pytest.mark.parametrize("is_async", [False, True])
def test_an_exception_of_a_hook_changes_no_outcome_and_is_logged(wire, name, is_async, monkeypatch, caplog):
    unraisable = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: unraisable.append(args.exc_type))

    def fail(event):
        raise LookupError("mine")

    hooks = {**Recorder().hooks(), name: fail}

    async def main():
        async with wire.async_client(**hooks) as client:
            return await client.sms.send(**SMS)

    if is_async:
        sent = asyncio.run(main())
    else:
        with wire.client(**hooks) as client:
            sent = client.sms.send(**SMS)
    assert sent.id == "m-1"
    assert unraisable == [LookupError]
    [record] = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert (record.name, record.exc_info[0]) == ("cpaas", LookupError)


def test_a_hook_may_call_the_client(wire):
    """The hook of a sync call runs outside of the runtime."""
    ids = []
    with (
        wire.client() as other,
        wire.client(on_request=lambda _: ids.append(other.sms.send(**SMS).id)) as client,
    ):
        assert client.sms.send(**SMS).id == "m-2"
    assert ids == ["m-1"]


@pytest.mark.parametrize("name", ["on_request", "on_response"])
def test_a_call_of_a_hook_takes_no_event_of_the_call_that_it_reports(wire, name):
    outcomes = []
    with (
        wire.client() as other,
        wire.client(**{name: lambda _: other.sms.send(**SMS)}, on_outcome=outcomes.append) as client,
    ):
        sent = [client.sms.send(**SMS) for _ in range(3)]
    assert [event.call_id for event in outcomes] == [it.response.call_id for it in sent]


def test_an_interrupt_after_the_call_of_a_hook_has_a_note_about_the_call_that_it_reports(wire):
    def hook(event):
        other.sms.send(**SMS)
        raise KeyboardInterrupt

    with wire.client() as other, wire.client(on_response=hook) as client:
        with pytest.raises(KeyboardInterrupt) as caught:
            client.sms.send(**SMS)
    if sys.version_info >= (3, 11):
        assert caught.value.__notes__ == ["cpaas: sms.send was abandoned after it had ended: accepted"]


@pytest.mark.skipif(not hasattr(cpaas, "Campaign"), reason="a build without the journal")
def test_send_once_that_sends_again_reports_the_outcome_of_its_last_call(tmp_path):
    """Its first call has one attempt, whose connection is refused; after it, the server listens."""
    outcomes, urls = [], []
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))

        def serve():
            for number in (1, 2):
                connection, _ = server.accept()
                with connection, connection.makefile("rb") as file:
                    while line := file.readline().strip():
                        if line.lower().startswith(b"content-length:"):
                            length = int(line.split(b":")[1])
                    file.read(length)
                    body = {"id": f"m-{number}", "responseCode": 0}
                    connection.sendall(http_response(body, headers=[("connection", "close")]))

        thread = threading.Thread(target=serve)

        def on_request(event):
            urls.append(event.url)
            if len(urls) == 2:
                server.listen()
                thread.start()

        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        with cpaas.Client(
            sms_url=url, sms_key="key", on_request=on_request, on_outcome=outcomes.append
        ) as client:
            once = client.send_once("booking-7", "sms.send", journal=tmp_path / "once.db", **SMS)
            sent = client.sms.send(**SMS)
        thread.join()
    assert (once.id, sent.id, len(urls)) == ("m-1", "m-2", 3)
    assert [event.outcome for event in outcomes] == ["accepted", "accepted"]
    assert outcomes[1].call_id == sent.response.call_id


@pytest.mark.skipif(not hasattr(cpaas, "Campaign"), reason="a build without the journal")
def test_a_call_while_a_campaign_reports_its_progress_has_its_own_event(wire, tmp_path):
    outcomes, sent = [], []
    rows = [{"to": f"30691234567{digit}", "reference": f"r{digit}"} for digit in range(3)]
    with (
        wire.client() as sender,
        wire.client(on_request=lambda _: None, on_outcome=outcomes.append) as client,
    ):
        template = {"from": "Acme", "to": "{{to}}", "text": "Hi"}
        campaign = cpaas.Campaign.create(str(tmp_path / "c.db"), "sms.send", rows, template, name="c")
        campaign.run(sender, on_progress=lambda _: sent.append(client.sms.send(**SMS)))
    assert sent
    assert [event.call_id for event in outcomes] == [it.response.call_id for it in sent]


def test_hooks_run_on_the_thread_and_in_the_context_of_the_calling_task(wire):
    variable = contextvars.ContextVar("variable", default=None)
    seen = []

    def hook(event):
        seen.append((variable.get(), threading.get_ident()))

    async def one(client, number):
        variable.set(number)
        await client.sms.send(**SMS)

    async def main():
        async with wire.async_client(on_request=hook, on_response=hook, on_outcome=hook) as client:
            await asyncio.gather(*(one(client, number) for number in range(8)))

    asyncio.run(main())
    assert sorted(value for value, _ in seen) == sorted([*range(8)] * 3)
    assert {thread for _, thread in seen} == {threading.get_ident()}


def test_hooks_of_a_sync_call_run_in_the_context_of_the_caller(wire):
    variable = contextvars.ContextVar("variable", default=None)
    seen = []
    with wire.client(on_request=lambda _: seen.append(variable.get())) as client:
        variable.set("mine")
        client.sms.send(**SMS)
    assert seen == ["mine"]


def test_an_abandoned_call_has_its_request_before_its_outcome(wire):
    started = threading.Event()
    release = threading.Event()
    recorder = Recorder()

    def script(_):
        started.set()
        release.wait(10)

    wire.script = script

    async def main():
        async with wire.async_client(**recorder.hooks()) as client:
            task = asyncio.create_task(client.sms.send(**SMS))
            await asyncio.to_thread(started.wait, 10)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    release.set()
    assert recorder.names == ["on_request", "on_outcome"]
    assert recorder.seen[1][1].outcome == "abandoned"
    assert recorder.seen[1][1].call_id == recorder.seen[0][1].call_id


def test_the_time_of_on_request_counts_towards_the_deadline(wire):
    with wire.client(on_request=lambda _: time.sleep(0.4), deadline=0.2) as client:
        with pytest.raises(cpaas.NotSentTimeout) as caught:
            client.sms.send(**SMS)
    assert (caught.value.sent, caught.value.reason, caught.value.attempts) == ("no", "deadline", 1)
    assert wire.requests == []


def test_a_slow_on_request_leaves_the_rest_of_the_time(wire):
    with wire.client(on_request=lambda _: time.sleep(0.2), deadline=60) as client:
        assert client.sms.send(**SMS).id == "m-1"


def test_a_slow_on_request_of_a_retry_sends_nothing_after_the_deadline(wire):
    delays = iter([0, 1.2])
    wire.script = lambda _: http_response(
        {"code": 429, "message": "wait", "requestID": None}, 429, [("Retry-After", "0")]
    )
    hook = lambda _: time.sleep(next(delays))  # noqa: E731
    with wire.client(on_request=hook, deadline=1, max_attempts=3) as client:
        with pytest.raises(cpaas.Error) as caught:
            client.otp.usage()
    assert (caught.value.outcome, caught.value.reason) == ("not_sent", "deadline")
    assert len(wire.requests) == 1


@pytest.mark.parametrize("name", ["on_response", "on_outcome"])
def test_a_slow_hook_after_the_response_changes_no_outcome(wire, name):
    with wire.client(**{name: lambda _: time.sleep(1.2)}, deadline=1) as client:
        assert client.sms.send(**SMS).id == "m-1"


@pytest.mark.parametrize("name", ["on_request", "on_response", "on_outcome"])
def test_a_slow_hook_under_asyncio_changes_no_outcome(wire, name):
    async def main():
        async with wire.async_client(**{name: lambda _: time.sleep(1.2)}, deadline=1) as client:
            return await client.sms.send(**SMS)

    assert asyncio.run(main()).id == "m-1"


def test_with_options_keeps_and_replaces_hooks(wire):
    first, second = Recorder(), Recorder()
    with wire.client(**first.hooks()) as client:
        client.with_options(timeout=5).sms.send(**SMS)
        client.with_options(on_request=second.hook("on_request")).sms.send(**SMS)
    assert first.names == ["on_request", "on_response", "on_outcome", "on_response", "on_outcome"]
    assert second.names == ["on_request"]


@pytest.mark.parametrize(
    ("call", "url"),
    [
        (lambda client: client.otp.get(sid="OTPsecret1"), "/2fa/search/{sid}"),
        (lambda client: client.webhooks.messenger_c.info(bot_id="12345:secret"), "/{bot_id}/getWebhookInfo"),
        (lambda client: client.lookup(msisdn="306912345678"), "/lookup.json"),
        (
            lambda client: client.call_raw(
                "GET", "messenger_c", "/12345:secret/getMe", query={"q": "secret"}
            ),
            "/REDACTED?q=REDACTED",
        ),
    ],
)
def test_urls_contain_no_secret(wire, call, url):
    wire.script = lambda _: http_response({})
    seen = []
    with wire.client(on_request=lambda event: seen.append(event.url)) as client:
        with contextlib.suppress(cpaas.Error):
            call(client)
    assert seen[0].startswith(wire.url + url.partition("?")[0])
    assert seen[0].endswith(url.partition("?")[2])
    assert not any(word in seen[0] for word in ("secret", "306912345678"))


def test_many_threads_have_their_own_events(wire):
    recorder = Recorder()
    with wire.client(**recorder.hooks()) as client:
        results = client.sms.send_many([SMS] * 40, concurrency=8)
    assert all(results)
    calls = {}
    for name, event in recorder.seen:
        calls.setdefault(event.call_id, []).append(name)
    assert len(calls) == 40
    assert all(names == ["on_request", "on_response", "on_outcome"] for names in calls.values())


def test_events_pickle_and_copy(wire):
    seen = []
    with wire.client(on_request=seen.append, on_response=seen.append, on_outcome=seen.append) as client:
        client.sms.send(from_="Acme", to="306912345678", text="Hi")
    for event in seen:
        for twin in (pickle.loads(pickle.dumps(event)), copy.copy(event), copy.deepcopy(event)):
            assert type(twin) is type(event)
            assert (repr(twin), twin.call_id) == (repr(event), event.call_id)


@pytest.mark.parametrize("code", [400, 404, 410])
def test_an_invalid_passcode_ends_with_not_verified(wire, code, caplog):
    wire.script = lambda _: http_response({"code": code, "message": "m", "requestID": None}, code)
    call = {"service": "login", "request_id": "OTP1", "code": "123456"}
    events = []

    async def both():
        async with wire.async_client(on_outcome=events.append) as client:
            assert not await client.otp.verify(**call)

    with wire.client(on_outcome=events.append) as client, caplog.at_level("INFO", "cpaas"):
        assert not client.otp.verify(**call)
    asyncio.run(both())
    expected = ("not_verified", "yes", "not_verified", code, 1)
    found = [(event.outcome, event.sent, event.reason, event.status, event.attempts) for event in events]
    assert found == [expected, expected]
    assert "otp.verify: not_verified (not_verified), sent: yes" in caplog.text
