"""Sends many rows concurrently: `client.sms.send_many` and `client.messages.send_many`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sized
from contextvars import copy_context
from math import isfinite
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, Generic, TypeVar

from ._errors import InvalidType, bad_type, bad_value
from ._operation_metadata import OPERATIONS

T = TypeVar("T")
Row = Mapping[str, Any]

# Each sync call in progress has a thread.
MAX_CONCURRENCY = 1_000


class SendResult(Generic[T]):
    """The result of one row of `send_many`. It is true if the row was accepted. The repr contains nothing of the row.

    Attributes:
        index: The position of the row.
        row: The row.
        outcome: "accepted", "invalid", "rejected", "not_sent", "unknown" or "accepted_id_unknown".
        result: The result of the call if the outcome is "accepted", otherwise None.
        error: The exception of any other outcome, otherwise None.
    """

    __module__ = "cpaas"

    __slots__ = ("error", "index", "outcome", "result", "row")

    def __init__(
        self, index: int, row: Any, *, result: T | None = None, error: BaseException | None = None
    ) -> None:
        self.index = index
        self.row = row
        self.result = result
        self.error = error
        self.outcome: str = "accepted" if error is None else getattr(error, "outcome", None) or "unknown"

    def __bool__(self) -> bool:
        return self.error is None

    def __repr__(self) -> str:
        return f"<cpaas.SendResult {self.index}: {self.outcome}>"


OnResult = Callable[[SendResult[Any]], object]


class Pace:
    """Computes when the next row may start, so that rows start at most `rate` times a second."""

    def __init__(self, rate: float | None) -> None:
        self._interval = 0.0 if rate is None else 1 / rate
        self._next = 0.0

    def delay(self, now: float) -> float:
        """Reserves the next start and returns the seconds until then."""
        start = max(self._next, now)
        self._next = start + self._interval
        return start - now


class Progress:
    """Shows the number of rows that ended, on a terminal only."""

    def __init__(self, out: Any, total: int | None) -> None:
        self._out = out if out is not None and out.isatty() else None
        self._total = "" if total is None else f"/{total:,}"
        self._ended = 0
        self._failed = 0
        self._shown = 0.0

    def add(self, result: SendResult[Any], now: float) -> None:
        self._ended += 1
        self._failed += not result
        if self._out is not None and now - self._shown >= 0.1:
            self._shown = now
            self._show("")

    def end(self) -> None:
        if self._out is not None:
            self._show("\n")

    def _show(self, end: str) -> None:
        assert self._out is not None
        self._out.write(f"\r{self._ended:,}{self._total} rows, {self._failed:,} not accepted{end}")
        self._out.flush()


class _Run:
    """The rows, limits and results of one `send_many`, sync or async. Only one thread calls `ended`."""

    def __init__(
        self, operation: str, rows: Iterable[Row], rate: float | None, on_result: Any, progress: Any
    ) -> None:
        if isinstance(rows, (str, bytes, Mapping)) or not hasattr(rows, "__iter__"):
            raise bad_type(f"rows must be an iterable of mappings, got {type(rows).__name__}")
        self.rows: Iterator[tuple[int, Any]] = enumerate(rows)
        self.pace = Pace(rate)
        self.results: dict[int, SendResult[Any]] = {}
        self.size: int | None = len(rows) if isinstance(rows, Sized) else None
        self._names = _keywords(operation)
        self._on_result = on_result
        self._progress = Progress(_stream(progress), self.size)

    def arguments(self, row: Any) -> dict[str, Any]:
        """The keyword arguments of a row. Its keys may also be the names of the specification."""
        if not isinstance(row, Mapping):
            raise bad_type(f"a row must be a mapping, got {type(row).__name__}")
        found: dict[str, Any] = {self._names.get(name) or name: value for name, value in row.items()}
        if len(found) < len(row):
            raise bad_value("a row must have each argument once, got two names of one argument")
        return found

    def ended(self, result: SendResult[Any]) -> None:
        self.results[result.index] = result
        self._progress.add(result, monotonic())
        if self._on_result is not None:
            self._on_result(result)

    def finish(self) -> None:
        self._progress.end()

    def in_order(self) -> list[SendResult[Any]]:
        return [self.results[index] for index in sorted(self.results)]


def _keywords(operation: str) -> dict[str, str]:
    """The keyword argument of each member of a request."""
    return next(dict(zip(wire, names)) for name, wire, names, _ in OPERATIONS if name == operation)


def _stream(progress: Any) -> Any:
    from sys import stderr

    return stderr if progress is True else progress or None


def _check(concurrency: Any, rate: Any, on_result: Any) -> None:
    if not isinstance(concurrency, int) or isinstance(concurrency, bool):
        raise bad_type(f"concurrency must be an integer, got {type(concurrency).__name__}")
    if not 1 <= concurrency <= MAX_CONCURRENCY:
        raise bad_value(f"concurrency must be 1 to {MAX_CONCURRENCY:,}")
    if on_result is not None and not callable(on_result):
        raise bad_type(f"on_result must be a function, got {type(on_result).__name__}")
    if rate is None:
        return
    if not isinstance(rate, (int, float)) or isinstance(rate, bool):
        raise bad_type(f"rate must be a number of rows a second, got {type(rate).__name__}")
    if not isfinite(rate) or rate <= 0:
        raise bad_value("rate must be a number greater than 0")


def _failed(index: int, row: Any, error: Exception) -> SendResult[Any]:
    """The result of a row whose call raised an exception. A `TypeError` reports a missing or unknown argument."""
    cause = error.__cause__ if isinstance(error, InvalidType) else error
    if type(cause) is TypeError:
        error = bad_type(_signature_message(cause))
        error.__cause__ = cause
    return SendResult(index, row, error=error)


def _signature_message(error: TypeError) -> str:
    if "missing" in str(error):
        return "a row must have all required arguments of the method"
    return "a row must have arguments of the method only; put undocumented members into `extra`"


def send_many(
    send: Callable[..., Any],
    operation: str,
    rows: Iterable[Row],
    concurrency: int,
    rate: float | None,
    on_result: OnResult | None,
    progress: Any,
) -> list[SendResult[Any]]:
    """See `SendMany.send_many`."""
    _check(concurrency, rate, on_result)
    run = _Run(operation, rows, rate, on_result, progress)
    ended: SimpleQueue[SendResult[Any] | BaseException | None] = SimpleQueue()
    lock = Lock()
    stopped = False

    def next_row() -> tuple[int, Any] | None:
        with lock:
            item = None if stopped else next(run.rows, None)
            delay = 0.0 if item is None else run.pace.delay(monotonic())
            if delay:
                sleep(delay)
            return item

    def work() -> None:
        nonlocal stopped
        try:
            while (item := next_row()) is not None:
                index, row = item
                try:
                    ended.put(SendResult(index, row, result=send(**run.arguments(row))))
                except Exception as error:
                    ended.put(_failed(index, row, error))
        except BaseException as error:  # the iterator of the rows raised
            stopped = True
            ended.put(error)
        ended.put(None)

    size = concurrency if run.size is None else max(run.size, 1)
    threads = [
        Thread(target=copy_context().run, args=(work,), name="cpaas-send-many", daemon=True)
        for _ in range(min(concurrency, size))
    ]
    failure: BaseException | None = None
    running = 0
    try:
        for thread in threads:
            thread.start()
            running += 1
        while running:
            item = ended.get()
            if item is None:
                running -= 1
            elif isinstance(item, BaseException):
                failure = failure or item
            else:
                run.ended(item)
    except BaseException:
        stopped = True  # rows in progress end; no further row starts
        _drain(run, ended, running)
        raise
    finally:
        run.finish()
    if failure is not None:
        raise failure
    return run.in_order()


def _drain(run: _Run, ended: SimpleQueue[Any], running: int) -> None:
    """Waits for the rows in progress and reports their results."""
    while running:
        item = ended.get()
        if item is None:
            running -= 1
        elif isinstance(item, SendResult):
            try:
                run.ended(item)
            except Exception:  # the first exception of `on_result` is raised
                pass


async def send_many_async(
    send: Callable[..., Awaitable[Any]],
    operation: str,
    rows: Iterable[Row],
    concurrency: int,
    rate: float | None,
    on_result: OnResult | None,
    progress: Any,
) -> list[SendResult[Any]]:
    """See `SendMany.send_many`."""
    import asyncio

    from ._async_client import no_loop

    _check(concurrency, rate, on_result)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise no_loop() from None
    run = _Run(operation, rows, rate, on_result, progress)
    stopped = False

    async def work() -> None:
        nonlocal stopped
        try:
            while not stopped and (item := next(run.rows, None)) is not None:
                index, row = item
                delay = run.pace.delay(monotonic())
                if delay:
                    await asyncio.sleep(delay)
                try:
                    result = SendResult(index, row, result=await send(**run.arguments(row)))
                except Exception as error:
                    result = _failed(index, row, error)
                run.ended(result)
        except BaseException:
            stopped = True
            raise

    size = concurrency if run.size is None else max(run.size, 1)
    tasks = [asyncio.ensure_future(work()) for _ in range(min(concurrency, size))]
    try:
        ends = await asyncio.gather(*tasks, return_exceptions=True)  # waits for all rows in progress
    finally:
        for task in tasks:
            task.cancel()
        run.finish()
    failures = [end for end in ends if isinstance(end, BaseException)]
    if failures:
        raise failures[0]
    return run.in_order()
