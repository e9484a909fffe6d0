"""`send_once`: one message for each key, for any number of callers."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

import cpaas

REQUEST = {"from_": "Acme", "to": "306912345678", "text": "Your order is ready"}


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "once.db"


def environment(sandbox):
    return {**os.environ, **sandbox.environment}


CALLER = """
import json, sys, cpaas
with cpaas.Client() as client:
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        found = client.send_once("order-1", "sms.send", journal=sys.argv[1], **json.loads(sys.argv[2]))
        print(found.to_json())
    except cpaas.Error as error:
        print(type(error).__name__)
"""


def start(sandbox, journal, **request):
    command = [sys.executable, "-c", CALLER, str(journal), json.dumps({**REQUEST, **request})]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, env=environment(sandbox), **pipes)
    assert process.stdout.readline() == "ready\n"
    return process


def go(process):
    process.stdin.write("go\n")
    process.stdin.flush()


def until_claimed(journal, permits=1):
    """Waits until a caller has claimed the message of its key."""
    while True:
        with contextlib.suppress(sqlite3.OperationalError):
            with contextlib.closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as database:
                if database.execute("SELECT COUNT(*) FROM permits").fetchone()[0] >= permits:
                    return


def test_all_processes_with_a_key_get_one_response(sandbox, client, journal):
    count = int(os.environ.get("CPAAS_ONCE_PROCESSES", "20"))
    callers = [start(sandbox, journal) for _ in range(count)]
    for caller in callers:
        go(caller)
    responses = [caller.communicate(timeout=60)[0] for caller in callers]
    assert len(sandbox.ledger()) == 1
    assert len(set(responses)) == 1
    first = client.send_once("order-1", "sms.send", journal=journal, **REQUEST)
    assert json.loads(responses[0]) == first.to_dict()
    assert sandbox.messages()[0].id == first.id
    assert len(sandbox.ledger()) == 1
    client.send_once("order-2", "sms.send", journal=journal, **REQUEST)
    assert len(sandbox.ledger()) == 2


def test_after_the_owner_was_killed_each_caller_gets_unknown(sandbox, client, journal):
    sandbox.fault("hang", ms=600_000, op="sms.send")
    owner = start(sandbox, journal)
    go(owner)
    until_claimed(journal)
    waiting = start(sandbox, journal)
    go(waiting)
    owner.kill()
    owner.wait()
    sandbox.clear_faults()
    assert waiting.communicate(timeout=60)[0] == "OutcomeUnknown\n"
    for _ in range(3):
        with pytest.raises(cpaas.OutcomeUnknown, match="this call sent nothing") as caught:
            client.send_once("order-1", "sms.send", journal=journal, **REQUEST)
        assert (caught.value.operation, caught.value.outcome) == ("sms.send", "unknown")
    assert len(sandbox.ledger()) <= 1


def test_async_calls_with_one_key_send_one_message(sandbox, journal):
    async def main():
        async with sandbox.async_client() as client:
            calls = [client.send_once("k", "sms.send", journal=journal, **REQUEST) for _ in range(40)]
            found = await asyncio.gather(*calls)
            assert len(set(found)) == 1
            with pytest.raises(cpaas.CampaignError, match="key_reused"):
                await client.send_once("k", "sms.send", journal=journal, **{**REQUEST, "text": "Other"})

    asyncio.run(main())
    assert len(sandbox.ledger()) == 1


def test_threads_share_a_key(sandbox, client, journal):
    found = []
    call = lambda: found.append(client.send_once("k", "sms.send", journal=str(journal), **REQUEST))  # noqa: E731
    threads = [threading.Thread(target=call) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 10
    assert len(set(found)) == 1
    assert len(sandbox.ledger()) == 1


def test_another_request_under_the_key_is_an_error(sandbox, client, journal):
    client.send_once("k", "sms.send", journal=journal, **REQUEST)
    for request in ({**REQUEST, "text": "Other"}, {**REQUEST, "to": "306912345679"}):
        with pytest.raises(cpaas.CampaignError, match="key_reused") as caught:
            client.send_once("k", "sms.send", journal=journal, **request)
        assert caught.value.reason == "key_reused"
    with pytest.raises(cpaas.CampaignError, match="key_reused"):
        client.send_once("k", "lookup.numbers", journal=journal, msisdn=["306912345678"])
    reordered = dict(reversed(REQUEST.items()))
    client.send_once("k", "sms.send", journal=journal, **reordered)
    assert len(sandbox.ledger()) == 1


def test_an_invalid_request_uses_no_key(sandbox, client, journal):
    with pytest.raises(cpaas.Invalid) as caught:
        client.send_once("k", "sms.send", journal=journal, **{**REQUEST, "to": "x"})
    assert caught.value.problems[0].pointer == "/to"
    assert client.send_once("k", "sms.send", journal=journal, **REQUEST).id


def test_a_message_that_was_not_sent_is_sent_by_the_next_call(sandbox, client, journal):
    with cpaas.Client(sms_url="http://127.0.0.1:9", sms_key="k", max_attempts=1) as nowhere:
        with pytest.raises(cpaas.NotSent):
            nowhere.send_once("k", "sms.send", journal=journal, **REQUEST)
    assert client.send_once("k", "sms.send", journal=journal, **REQUEST).id
    assert len(sandbox.ledger()) == 1


def test_a_stored_rejection_is_sent_again_for_its_reason_only(sandbox, client, journal):
    with sandbox.client(sms_key="wrong") as wrong, pytest.raises(cpaas.Rejected):
        wrong.send_once("k", "sms.send", journal=journal, **REQUEST)
    for retry in (None, "12345", "provider_5xx"):
        with pytest.raises(cpaas.Rejected):
            client.send_once("k", "sms.send", journal=journal, retry=retry, **REQUEST)
    with pytest.raises(cpaas.CampaignError, match="must be `setup`"):
        client.send_once("k", "sms.send", journal=journal, retry="always", **REQUEST)
    first = client.send_once("k", "sms.send", journal=journal, retry="setup", **REQUEST)
    assert client.send_once("k", "sms.send", journal=journal, retry="setup", **REQUEST).id == first.id
    assert len(sandbox.ledger()) == 1


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ({"kind": "status", "status": 400}, cpaas.Rejected),
        ({"kind": "reset-after-read"}, cpaas.OutcomeUnknown),
    ],
)
def test_an_outcome_is_final(fault, expected, sandbox, client, journal):
    sandbox.fault(fault.pop("kind"), **fault)
    with pytest.raises(expected) as first:
        client.send_once("k", "sms.send", journal=journal, **REQUEST)
    sandbox.clear_faults()
    sent = len(sandbox.ledger())
    with pytest.raises(expected) as second:
        client.send_once("k", "sms.send", journal=journal, **REQUEST)
    assert (str(first.value), first.value.status) == (str(second.value), second.value.status)
    assert len(sandbox.ledger()) == sent


def test_a_waiting_caller_ends_at_its_deadline(sandbox, client, journal):
    sandbox.fault("hang", ms=600_000, op="sms.send")
    owner = start(sandbox, journal)
    go(owner)
    until_claimed(journal)
    with pytest.raises(cpaas.OutcomeUnknown):
        client.send_once("order-1", "sms.send", journal=journal, deadline=0.5, **REQUEST)
    owner.kill()
    owner.wait()


@contextlib.contextmanager
def silent_server():
    """A server that accepts a connection and never writes. Yields its port, and an event that is set when bytes have arrived."""
    received = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            with contextlib.suppress(OSError):
                connection, _ = listener.accept()
                with connection:
                    connection.recv(1)
                    received.set()
                    closed.wait()

        closed = threading.Event()
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1], received
        finally:
            closed.set()
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def cancel_a_call(journal, scheme):
    """Cancels the task of a call when the server has received bytes; with https, these are bytes of the handshake."""

    async def main(port, received):
        async with cpaas.AsyncClient(sms_url=f"{scheme}://127.0.0.1:{port}", sms_key="k") as client:
            call = client.send_once("k", "sms.send", journal=journal, deadline=600, **REQUEST)
            task = asyncio.create_task(call)
            await asyncio.to_thread(received.wait)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    with silent_server() as (port, received):
        asyncio.run(main(port, received))


def send_when_released(client, journal, key):
    """Sends with a key whose call was dropped. Until the journal has stored that, only the provider of that call may continue."""
    for _ in range(600):
        try:
            return client.send_once(key, "sms.send", journal=journal, deadline=600, **REQUEST)
        except cpaas.CampaignError as error:
            if error.reason != "other_provider":
                raise
            time.sleep(0.05)
    raise AssertionError("the key was not released")


def test_a_task_cancelled_before_the_first_byte_leaves_the_key_free(sandbox, client, journal):
    cancel_a_call(journal, "https")
    assert send_when_released(client, journal, "k").id
    assert len(sandbox.ledger()) == 1


def test_a_task_cancelled_after_the_first_byte_leaves_unknown(sandbox, client, journal):
    cancel_a_call(journal, "http")
    for _ in range(3):
        # Raised immediately, not at the deadline. The silent server has another address than the sandbox.
        with pytest.raises(cpaas.OutcomeUnknown):
            client.send_once("k", "sms.send", journal=journal, deadline=600, any_provider=True, **REQUEST)
    assert len(sandbox.ledger()) == 0


def test_an_interrupted_call_leaves_the_key_free(sandbox, client, journal):
    with silent_server() as (port, received):
        script = CALLER.replace("cpaas.Error", "KeyboardInterrupt")
        command = [sys.executable, "-c", script, str(journal), json.dumps(REQUEST)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        urls = {"CPAAS_SMS_URL": f"https://127.0.0.1:{port}"}
        process = subprocess.Popen(command, env={**environment(sandbox), **urls}, **pipes)
        assert process.stdout.readline() == "ready\n"
        go(process)
        received.wait()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "KeyboardInterrupt\n"
    assert send_when_released(client, journal, "order-1").id
    assert len(sandbox.ledger()) == 1


def test_invalid_arguments_are_named(client, journal):
    with pytest.raises(TypeError, match="unknown argument 'txt'; did you mean 'text'"):
        client.send_once("k", "sms.send", journal=journal, txt="Hi")
    with pytest.raises(ValueError, match="did you mean"):
        client.send_once("k", "sms.sen", journal=journal, text="Hi")
    with pytest.raises(ValueError, match="key must not be empty"):
        client.send_once("", "sms.send", journal=journal, **REQUEST)
    with pytest.raises(ValueError, match="deadline"):
        client.send_once("k", "sms.send", journal=journal, deadline=0, **REQUEST)
    with pytest.raises(ValueError, match="journal must be given, or the variable CPAAS_JOURNAL"):
        client.send_once("k", "sms.send", **REQUEST)
    sent = client.send_once(
        "w", "sms.send", journal=journal, **{"from": "Acme", "to": "306912345678", "text": "x"}
    )
    assert sent.id
    bulk = client.send_once(
        "b", "sms.send_bulk", journal=journal, from_="Acme", to=["306912345678", "306912345679"], text="x"
    )
    assert (
        client.send_once(
            "b", "sms.send_bulk", journal=journal, from_="Acme", to=["306912345678", "306912345679"], text="x"
        )
        == bulk
    )


def test_a_hook_that_outlasts_the_deadline_sends_nothing_and_leaves_the_key_free(sandbox, journal):
    with sandbox.client(on_request=lambda _: time.sleep(1.2)) as slow, pytest.raises(cpaas.NotSentTimeout):
        slow.send_once("k", "sms.send", journal=journal, deadline=1, **REQUEST)
    assert sandbox.ledger() == ()
    with sandbox.client() as client:
        assert client.send_once("k", "sms.send", journal=journal, **REQUEST).id
    assert len(sandbox.ledger()) == 1


def test_an_invalid_passcode_is_a_falsy_result(sandbox, journal):
    with sandbox.client() as client:
        otp = client.otp.send(service="login", from_="Acme", to="306912345678", body="Your code is {code}")
        call = {"service": "login", "request_id": otp.request_id, "code": "not it"}
        for _ in range(2):  # the second call reads the journal
            found = client.send_once("login-1", "otp.verify", journal=journal, **call)
            assert (bool(found), found.ok, found.code) == (False, False, 400)
