"""The async client: concurrent calls, event loops, cancellation, errors and pages."""

import asyncio
import gc
import os
import socket
import sys
import threading
import time
import weakref

import pytest
from conftest import http_response

import cpaas

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}
CALLS = int(os.environ.get("CPAAS_ASYNC_CALLS", "10000"))


async def many(client, calls, at_once):
    gate = asyncio.Semaphore(at_once)

    async def one(number):
        async with gate:
            sent = await client.sms.send(from_="Acme", to=f"3069{number:08}", text="Hi")
            assert sent.to == f"3069{number:08}"

    await asyncio.gather(*map(one, range(calls)))


def test_64_concurrent_calls_get_their_own_results():
    async def main():
        async with cpaas.Sandbox() as sandbox, sandbox.async_client() as client:
            await many(client, CALLS, 64)
            ledger = await sandbox.ledger()
            assert len({entry["to"] for entry in ledger}) == len(ledger) == CALLS

    asyncio.run(main())


def test_event_loops_share_a_client_sequentially_and_concurrently(wire):
    client = wire.async_client()
    asyncio.run(many(client, 20, 4))
    asyncio.run(many(client, 20, 4))
    failures = []

    def run():
        try:
            asyncio.run(many(client, 50, 8))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert failures == []
    asyncio.run(client.aclose())


def test_cancelling_drops_the_request_and_adds_a_note(wire):
    gone = threading.Event()

    def hang(request):
        gone.wait(100)

    wire.script = hang

    async def main():
        events = []
        async with wire.async_client(on_outcome=events.append) as client:
            task = asyncio.create_task(client.sms.send(**SMS, reference="r-1"))
            while not wire.requests:
                await asyncio.sleep(0.005)
            task.cancel()
            with pytest.raises(asyncio.CancelledError) as caught:
                await task
            if sys.version_info >= (3, 11):
                assert caught.value.__notes__ == [
                    "cpaas: sms.send was abandoned; the request may have been sent"
                ]
            assert [(event.outcome, event.sent, event.reference) for event in events] == [
                ("abandoned", "maybe", "r-1")
            ]
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.sms.send(**SMS), 0.05)
            gone.set()
            wire.script = lambda _: http_response({"id": "2", "timestamp": "t", "responseCode": 0})
            assert (await client.sms.send(**SMS)).id == "2"

    asyncio.run(main())


def silent():
    """A socket that listens but does not accept."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    return listener


def abandoned(error, sent):
    if sys.version_info >= (3, 11):
        assert error.__notes__ == [f"cpaas: sms.send was abandoned; {sent}"]


def test_the_event_of_a_call_cancelled_before_it_was_sent_has_the_reference():
    async def main():
        events = []
        with silent() as listener:
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            async with cpaas.AsyncClient(sms_url=url, sms_key="k", on_outcome=events.append) as client:
                for number in range(30):
                    task = asyncio.create_task(client.sms.send(**SMS, reference=f"r-{number}"))
                    for _ in range(1 + number % 3):
                        await asyncio.sleep(0)
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)
        # A task that was cancelled before its first step has no call, and no event.
        assert len(events) >= 10
        references = [event.reference for event in events]
        assert all(references)
        assert len(set(references)) == len(references)

    asyncio.run(main())


def test_cancelling_during_the_handshake_sends_nothing():
    async def main():
        events = []
        with silent() as listener:
            url = f"https://127.0.0.1:{listener.getsockname()[1]}"
            async with cpaas.AsyncClient(sms_url=url, sms_key="k", on_outcome=events.append) as client:
                task = asyncio.create_task(client.sms.send(**SMS))
                connection, _ = await asyncio.get_running_loop().sock_accept(listener)
                with connection:
                    connection.setblocking(False)
                    assert await asyncio.get_running_loop().sock_recv(connection, 1)
                    task.cancel()
                    with pytest.raises(asyncio.CancelledError) as caught:
                        await task
        abandoned(caught.value, "nothing was sent")
        assert [(event.outcome, event.sent, event.attempts) for event in events] == [("abandoned", "no", 1)]

    asyncio.run(main())


def test_cancelling_a_call_that_waits_for_a_connection_sends_nothing(wire):
    gone = threading.Event()
    wire.script = lambda _: gone.wait(100)

    async def main():
        events = []
        async with wire.async_client(on_outcome=events.append, max_connections=1) as client:
            first = asyncio.create_task(client.sms.send(**SMS))
            while not wire.requests:
                await asyncio.sleep(0.005)
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.sms.send(**SMS), 0.1)
            assert [(event.outcome, event.sent) for event in events] == [("abandoned", "no")]
            assert len(wire.requests) == 1
            first.cancel()
            gone.set()

    asyncio.run(main())


def test_a_call_cancelled_before_it_starts_sends_nothing(wire):
    async def main():
        events = []
        async with wire.async_client(on_outcome=events.append) as client:
            task = asyncio.create_task(client.sms.send(**SMS))
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (events, wire.requests) == ([], [])

    asyncio.run(main())


def test_errors_are_the_same_as_for_the_sync_client(wire):
    async def main():
        async with wire.async_client() as client:
            with pytest.raises(cpaas.Invalid) as caught:
                await client.sms.send(from_="", to="306912345678", text="x")
            assert caught.value.problems[0].argument == "from_"
            wire.script = lambda _: http_response({"responseCode": 901}, 401)
            with pytest.raises(cpaas.Unauthorized):
                await client.sms.send(**SMS)
            with pytest.raises(
                TypeError, match=r"^text: must be str, .*, got bytes; decode it first: value\.decode\(\)$"
            ):
                await client.sms.send(from_="Acme", to="1", text=b"")
        with pytest.raises(RuntimeError, match="closed"):
            await client.sms.send(**SMS)

    asyncio.run(main())


def test_pages_are_awaitable_and_async_iterable(wire):
    def script(request):
        number = 1 if "page=1" in request.path else 0
        records = [{"sid": f"LM{number}{at}", "name": "n", "buckets": []} for at in range(2 - number)]
        return http_response(
            {"code": 200, "message": "OK", "data": {"result": records, "page": number, "total": 3}}
        )

    wire.script = script

    async def main():
        async with wire.async_client() as client:
            assert len((await client.otp.limits.list()).items) == 2
            assert [limit.sid async for limit in client.otp.limits.list()] == ["LM00", "LM01", "LM10"]
            assert (await client.call_raw("GET", "otp", "/2fa/limits/search")).status == 200
            assert (await client.call("otp.limits.list")).items[0].sid == "LM00"

    asyncio.run(main())


class NoReaderLoop(asyncio.SelectorEventLoop):
    """Has no `add_reader`, as the event loop of Windows. Counts the callbacks from other threads."""

    def __init__(self):
        super().__init__()
        self.wakeups = 0

    def add_reader(self, fd, callback, *args):
        raise NotImplementedError

    def call_soon_threadsafe(self, callback, *args, **options):
        self.wakeups += 1
        return super().call_soon_threadsafe(callback, *args, **options)


@pytest.fixture
def loop_without_reader():
    loop = NoReaderLoop()
    yield loop
    loop.close()


def test_a_loop_without_add_reader_completes_many_calls(wire, loop_without_reader):
    async def main():
        async with wire.async_client() as client:
            await many(client, 200, 16)

    loop_without_reader.run_until_complete(main())


def test_a_loop_without_add_reader_cancels_a_call_and_continues(wire, loop_without_reader):
    gone = threading.Event()

    def hang(request):
        gone.wait(100)

    wire.script = hang

    async def main():
        events = []
        async with wire.async_client(on_outcome=events.append) as client:
            task = asyncio.create_task(client.sms.send(**SMS, reference="r-1"))
            while not wire.requests:
                await asyncio.sleep(0.005)
            task.cancel()
            with pytest.raises(asyncio.CancelledError) as caught:
                await task
            abandoned(caught.value, "the request may have been sent")
            assert [(event.outcome, event.reference) for event in events] == [("abandoned", "r-1")]
            gone.set()
            wire.script = lambda _: http_response({"id": "2", "timestamp": "t", "responseCode": 0})
            assert (await client.sms.send(**SMS)).id == "2"

    loop_without_reader.run_until_complete(main())


def test_a_loop_that_is_blocked_is_woken_once_for_a_batch(wire, loop_without_reader):
    async def main():
        async with wire.async_client() as client:
            await client.sms.send(**SMS)
            before = loop_without_reader.wakeups
            tasks = [asyncio.create_task(client.sms.send(**SMS)) for _ in range(5)]
            await asyncio.sleep(0)  # the calls start
            while len(wire.requests) < 6:
                time.sleep(0.005)
            time.sleep(0.3)  # the results arrive while the loop is blocked
            await asyncio.gather(*tasks)
            assert 1 <= loop_without_reader.wakeups - before <= len(tasks)

    loop_without_reader.run_until_complete(main())


def test_the_thread_of_a_loop_without_add_reader_ends_with_the_loop(wire):
    def threads():
        return [thread for thread in threading.enumerate() if thread.name == "cpaas-queue"]

    async def main():
        async with wire.async_client() as client:
            await client.sms.send(**SMS)
            assert threads()

    loop = NoReaderLoop()
    loop.run_until_complete(main())
    loop.close()
    watched = weakref.ref(loop)
    del loop
    gc.collect()
    assert watched() is None
    for thread in threads():
        thread.join(60)
    assert not threads()
