"""`send_many` with bad rows, and when it is interrupted: no outcome is lost, and a row that was not sent is never "unknown"."""

import asyncio
import collections.abc
import contextlib
import io
import os
import signal
import subprocess
import sys
import threading

import pytest
from support.many_rows import Terminal, row, sandbox, send_many  # noqa: F401

import cpaas


class BrokenRow(collections.abc.Mapping):
    """A row whose method `broken` raises, as that of a record whose database connection is gone."""

    def __init__(self, broken, error):
        self.broken, self.error = broken, error

    def __getitem__(self, name):
        raise self.error

    def __iter__(self):
        if self.broken == "__iter__":
            raise self.error
        return iter(row(0))

    def __len__(self):
        if self.broken == "__len__":
            raise self.error
        return 3


@pytest.mark.parametrize("broken", ["__getitem__", "__iter__", "__len__"])
@pytest.mark.parametrize(
    "error", [KeyError("to"), OSError("disk"), TypeError("x"), RecursionError()], ids=repr
)
def test_a_row_that_cannot_be_read_is_invalid_and_the_batch_goes_on(send_many, sandbox, broken, error):
    found = send_many("sms", [row(0), BrokenRow(broken, error), row(2)])
    assert [result.outcome for result in found] == ["accepted", "invalid", "accepted"]
    invalid = found[1].error
    assert isinstance(invalid, cpaas.Invalid)
    assert isinstance(invalid, TypeError) == isinstance(error, TypeError)
    assert invalid.__cause__ is error
    assert (invalid.sent, invalid.operation) == ("no", "sms.send")
    assert str(invalid) == f"rows[1] must be readable, but reading it raised {type(error).__name__}"
    assert len(sandbox.ledger()) == 2


class BrokenValue:
    """A value that raises while it is converted to JSON."""

    def __init__(self, error):
        self.error = error

    def isoformat(self):
        raise self.error


@pytest.mark.parametrize(
    "error", [KeyError("x"), OSError("disk"), ZeroDivisionError(), cpaas.NotSent("x")], ids=repr
)
def test_a_value_that_cannot_be_read_is_invalid(send_many, sandbox, error):
    found = send_many("sms", [row(0), row(1, text=BrokenValue(error)), row(2, extra_headers={"a": 5})])
    assert [result.outcome for result in found] == ["accepted", "invalid", "invalid"]
    assert found[1].error.__cause__ is error
    assert str(found[1].error) == f"text must be readable, but reading it raised {type(error).__name__}"
    assert len(sandbox.ledger()) == 1


COLUMNS = {
    "a typo": (row(0, txt="Hi"), "rows[1]: unknown column 'txt'; did you mean 'text'?"),
    "undocumented": (
        row(0, color="red"),
        "rows[1]: unknown column 'color'; put undocumented members into 'extra'",
    ),
    "missing": ({"to": "306912345600"}, "rows[1] must have the columns 'from_' (or 'from') and 'text'"),
    "one missing": ({"from": "A", "text": "Hi"}, "rows[1] must have the column 'to'"),
    "surplus": ({**row(0), None: ["more"]}, "rows[1]: the name of a column must be str, got None"),
    "twice": (row(0, **{"from": "A"}), "rows[1]: 'from' is given twice, by two names of one argument"),
    "no mapping": ([1], "rows[1] must be a mapping, got list"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_an_error_names_the_row_and_the_column(send_many, name):
    bad, message = COLUMNS[name]
    found = send_many("sms", [row(0), bad])
    assert (found[1].outcome, str(found[1].error), found[1].error.operation) == (
        "invalid",
        message,
        "sms.send",
    )


def test_rows_of_a_closed_client_are_not_sent(sandbox):
    client = sandbox.client()
    client.close()
    [result] = client.sms.send_many([row(0)])
    assert (result.outcome, result.error.sent, result.error.operation) == ("not_sent", "no", "sms.send")
    assert isinstance(result.error, cpaas.ClientClosed)


def outcomes(error):
    return [(result.index, result.outcome) for result in error.results]


def test_an_exception_of_the_rows_has_the_results(send_many):
    def rows():
        yield row(0)
        yield row(1, to="abc")
        raise OSError("disk")

    with pytest.raises(OSError, match="disk") as found:
        send_many("sms", rows(), concurrency=3)
    assert outcomes(found.value) == [(0, "accepted"), (1, "invalid")]
    assert found.value.results[0].result.id
    if hasattr(found.value, "__notes__"):
        assert "2 rows, 1 of them accepted" in found.value.__notes__[0]


def test_rows_that_cannot_be_opened_have_no_results(send_many):
    class Rows:
        def __iter__(self):
            raise OSError("no such file")

    with pytest.raises(OSError, match="no such file") as found:
        send_many("sms", Rows())
    assert found.value.results == []


def test_an_exception_of_on_result_has_the_results_of_the_rows_in_progress(send_many, sandbox):
    seen = []

    def stop(result):
        seen.append(result.index)
        raise RuntimeError(f"stop {len(seen)}")

    with pytest.raises(RuntimeError, match="stop 1") as found:
        send_many("sms", [row(n % 100) for n in range(500)], concurrency=4, on_result=stop)
    accepted = [result for result in found.value.results if result]
    assert len(accepted) == len(sandbox.ledger()) < 500
    assert {result.index for result in accepted} <= set(seen)


def test_rows_that_wait_for_the_rate_are_not_sent_after_an_exception(send_many, sandbox):
    def stop(result):
        raise SystemExit

    with pytest.raises(SystemExit) as found:
        send_many("sms", [row(n) for n in range(9)], concurrency=4, rate=0.01, on_result=stop)
    assert outcomes(found.value)[0] == (0, "accepted")
    assert {outcome for _, outcome in outcomes(found.value)[1:]} == {"not_sent"}
    assert len(sandbox.ledger()) == 1


@contextlib.contextmanager
def slow_rows(sandbox, count):
    """Delays all messages, and yields rows."""
    sandbox.fault("latency", ms=700, op="sms.send")
    try:
        yield [row(n) for n in range(count)]
    finally:
        sandbox.clear_faults()


def test_ctrl_c_waits_for_the_rows_in_progress_and_has_their_results(sandbox):
    sandbox.reset()
    with slow_rows(sandbox, 3) as given, sandbox.client() as client:

        def rows():
            yield from given
            os.kill(os.getpid(), signal.SIGINT)

        with pytest.raises(KeyboardInterrupt) as found:
            client.sms.send_many(rows(), concurrency=4)
    assert outcomes(found.value) == [(0, "accepted"), (1, "accepted"), (2, "accepted")]
    assert len(sandbox.ledger()) == 3


def test_a_second_ctrl_c_does_not_wait_and_leaves_the_rows_in_progress_unknown(sandbox):
    sandbox.reset()
    sandbox.fault("hang", ms=60_000, op="sms.send")
    # Two signals that arrive before the main thread runs are one signal.
    handled = threading.Event()

    def handle(*_):
        handled.set()
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handle)
    try:
        with sandbox.client() as client:

            def rows():
                yield row(0)
                os.kill(os.getpid(), signal.SIGINT)
                handled.wait(60)
                os.kill(os.getpid(), signal.SIGINT)

            with pytest.raises(KeyboardInterrupt) as found:
                client.sms.send_many(rows(), concurrency=2)
    finally:
        signal.signal(signal.SIGINT, before)
    sandbox.clear_faults()
    assert outcomes(found.value) == [(0, "unknown")]
    error = found.value.results[0].error
    assert isinstance(error, cpaas.OutcomeUnknown)
    assert error.reason == "interrupted"


def cancelled(sandbox, cancellations):
    """Cancels `send_many` of an async client, and returns the exception that the task got."""

    async def run():
        requests, started = [], asyncio.Event()

        def on_request(event):
            requests.append(event)
            if len(requests) == 2:
                started.set()

        async with sandbox.async_client(on_request=on_request) as client:
            raised = []

            async def send():
                try:
                    await client.sms.send_many([row(n) for n in range(3)], concurrency=2)
                except asyncio.CancelledError as error:
                    raised.append(error)
                    raise

            task = asyncio.ensure_future(send())
            await started.wait()
            for _ in range(cancellations):
                task.cancel()
                await asyncio.sleep(0.1)
            with contextlib.suppress(asyncio.CancelledError):
                await task
            return raised[0]

    return asyncio.run(run())


def test_a_cancellation_waits_for_the_rows_in_progress_and_has_their_results(sandbox):
    sandbox.reset()
    with slow_rows(sandbox, 0):
        error = cancelled(sandbox, 1)
    assert outcomes(error) == [(0, "accepted"), (1, "accepted")]
    assert len(sandbox.ledger()) == 2


def test_a_second_cancellation_does_not_wait(sandbox):
    sandbox.reset()
    sandbox.fault("hang", ms=60_000, op="sms.send")
    error = cancelled(sandbox, 2)
    sandbox.clear_faults()
    assert [result.index for result in error.results] == [0, 1]
    for result in error.results:
        assert (result.outcome, result.error.sent) in (("unknown", "maybe"), ("not_sent", "no"))
        assert result.error.reason == "interrupted"


async def later(result):
    pass


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"progress": "x"}, "progress must be bool or a text file, got str"),
        ({"progress": 5}, "progress must be bool or a text file, got int"),
        (
            {"on_result": later},
            "on_result must be a function, got a coroutine function, which nobody would await",
        ),
        ({"rate": 10**400}, "rate must be 0.000001 to 1,000,000,000 rows a second"),
        ({"rate": 1e-320}, "rate must be 0.000001 to 1,000,000,000 rows a second"),
        ({"concurrency": True}, "concurrency must be an integer, got bool"),
    ],
    ids=repr,
)
def test_an_invalid_option_is_named(send_many, sandbox, options, message):
    with pytest.raises(cpaas.Invalid) as found:
        send_many("sms", [row(0)], **options)
    assert str(found.value) == message
    assert len(sandbox.ledger()) == 0


def test_a_terminal_that_was_closed_does_not_stop_the_rows(send_many):
    class Closed(Terminal):
        def write(self, text):
            raise BrokenPipeError

    file = io.StringIO()
    file.close()
    for progress in (Closed(), file):
        assert all(send_many("sms", [row(0), row(1)], progress=progress))


class InterruptedTerminal:
    """A terminal whose output is interrupted, such as by Ctrl-C."""

    def isatty(self):
        return True

    def write(self, text):
        raise KeyboardInterrupt

    def flush(self):
        pass


def test_an_interrupt_while_the_progress_is_shown_has_the_results(sandbox):
    before = len(sandbox.ledger())
    with sandbox.client() as client, pytest.raises(KeyboardInterrupt) as caught:
        client.sms.send_many([row(n) for n in range(4)], 2, progress=InterruptedTerminal())
    assert len(caught.value.results) >= len(sandbox.ledger()) - before > 0


CLOSED = """
import cpaas

client = cpaas.Client(sms_url="http://127.0.0.1:9", sms_key="k")
client.close()
results = client.sms.send_many([{"from": "Acme", "to": "306912345678", "text": "Hi"}] * 2)
print([type(result.error).__name__ for result in results])
"""


def test_threads_that_call_a_closed_client_at_the_same_time_do_not_block():
    for _ in range(10):
        done = subprocess.run([sys.executable, "-c", CLOSED], capture_output=True, text=True, timeout=30)
        assert done.stdout == "['ClientClosed', 'ClientClosed']\n", done.stderr
