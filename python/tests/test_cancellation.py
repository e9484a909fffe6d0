"""A task that is cancelled at any point of a call: its exception reports the outcome, and the hooks are called once."""

import asyncio
import signal
import sys
import threading
import time

import pytest

SMS = {"from_": "Acme", "to": "306912345678", "text": "Hi"}
HAS_NOTES = sys.version_info >= (3, 11)


def linked(error):
    """A cancellation, and those that caused it: a timeout and Python 3.10 raise an exception of their own."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def notes(error):
    notes = [note for each in linked(error) for note in getattr(each, "__notes__", [])]
    return [note for note in notes if note.startswith("cpaas: ")]


def check(error, outcomes, requests, outcome):
    assert [event.outcome for event in outcomes] == [outcome]
    [sent] = [each._cpaas_sent for each in linked(error) if hasattr(each, "_cpaas_sent")]
    assert sent == {"accepted": "accepted", "abandoned": "no"}[outcome]
    assert requests == (outcome == "accepted")
    if HAS_NOTES:
        ends = {"accepted": "after it had ended: accepted", "abandoned": "nothing was sent"}
        [note] = notes(error)
        assert note.startswith("cpaas: sms.send was abandoned")
        assert note.endswith(ends[outcome])


def cancelled(wire, cancel, **hooks):
    """Runs a call whose task `cancel` cancels. Returns the exception and the outcomes."""
    outcomes = []

    async def main():
        async with wire.async_client(**{"on_outcome": outcomes.append, **hooks}) as client:
            task = asyncio.ensure_future(client.sms.send(**SMS))
            with pytest.raises(asyncio.CancelledError) as caught:
                await cancel(task)
            return caught.value

    return asyncio.run(main()), outcomes


async def when_queued(task):
    """Cancels when the response is in the queue of the loop, which does not run meanwhile."""
    from cpaas._async_client import _queues

    await asyncio.sleep(0)
    queue = _queues[asyncio.get_running_loop()]
    queue.waiter().wait()
    task.cancel()
    await task


async def when_settled(task):
    """Cancels when the task has its result, but has not taken it."""
    from cpaas._async_client import _queues

    await asyncio.sleep(0)
    queue = _queues[asyncio.get_running_loop()]
    queue.waiter().wait()
    queue.drain()
    task.cancel()
    await task


@pytest.mark.parametrize("cancel", [when_queued, when_settled])
def test_a_task_that_is_cancelled_after_the_response_reports_the_outcome(wire, cancel):
    for _ in range(100):
        wire.requests.clear()
        error, outcomes = cancelled(wire, cancel)
        check(error, outcomes, len(wire.requests), "accepted")


@pytest.mark.parametrize("name", ["on_response", "on_outcome"])
def test_a_task_that_a_hook_cancels_reports_the_outcome(wire, name):
    outcomes = []
    tasks = []

    def hook(event):
        if name == "on_outcome":
            outcomes.append(event)
        tasks[0].cancel()

    async def wait(task):
        tasks.append(task)
        await task

    error, others = cancelled(wire, wait, **{name: hook})
    check(error, outcomes or others, len(wire.requests), "accepted")


CALLS = {
    "method": lambda client, _: client.sms.send(**SMS),
    "call": lambda client, _: client.call("sms.send", {"from": "Acme", "to": SMS["to"], "text": "Hi"}),
    "call_raw": lambda client, _: client.call_raw("POST", "sms", "/sms", body={"to": SMS["to"]}),
    "send_once": lambda client, path: client.send_once("key", "sms.send", journal=path / "once.db", **SMS),
    "pages": lambda client, _: anext(aiter(client.otp.limits.list())),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("steps", [1, 2])
def test_a_task_that_is_cancelled_before_anything_was_sent_has_an_outcome(wire, tmp_path, call, steps):
    outcomes = []
    accepted, release = wire.script, threading.Event()
    wire.script = lambda request: release.wait(30) and accepted(request)

    async def main():
        async with wire.async_client(on_outcome=outcomes.append) as client:

            async def run():
                await call(client, tmp_path)

            task = asyncio.ensure_future(run())
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError) as caught:
                await task
            return caught.value

    error = asyncio.run(main())
    release.set()
    assert [event.outcome for event in outcomes] == ["abandoned"]
    assert not HAS_NOTES or len(notes(error)) == 1


@pytest.mark.skipif(not hasattr(asyncio, "timeout"), reason="Python 3.11")
@pytest.mark.parametrize("is_busy", [False, True])
def test_each_timeout_around_a_call_has_a_note(wire, is_busy):
    """At 400 points from the start of a call until after its end. A busy loop sees the response and the timeout at once."""
    outcomes = []
    timed_out = []

    async def main():
        async with wire.async_client(on_outcome=outcomes.append) as client:
            for point in range(400):
                calls = len(outcomes)
                try:
                    async with asyncio.timeout(point * 0.00001):
                        if is_busy:
                            asyncio.get_running_loop().call_soon(time.sleep, 0.005)
                        await client.sms.send(**SMS)
                except TimeoutError as error:
                    timed_out.append(len(notes(error)))
                assert len(outcomes) - calls == 1, point

    asyncio.run(main())
    assert set(timed_out) == {1}


def test_a_signal_in_a_hook_loses_no_result_of_another_task(wire):
    outcomes = []

    def hook(event):
        outcomes.append(event)
        if len(outcomes) == 1:
            signal.raise_signal(signal.SIGINT)

    loop = asyncio.new_event_loop()
    client = wire.async_client(on_outcome=hook)

    async def main():
        return await asyncio.gather(*(client.sms.send(**SMS) for _ in range(20)))

    task = loop.create_task(main())
    with pytest.raises(KeyboardInterrupt):
        loop.run_until_complete(task)
    results = loop.run_until_complete(task)
    loop.run_until_complete(client.aclose())
    loop.close()
    assert len({result.id for result in results}) == len(outcomes) == 20
