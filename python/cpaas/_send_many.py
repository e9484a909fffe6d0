"""Sends many rows concurrently: `client.sms.send_many` and `client.messages.send_many`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sized
from contextvars import copy_context
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Generic, TypeVar

from ._arguments import function, wrong_type
from ._cpaas import leave, on_leave
from ._errors import Invalid, add_operation, bad_value, interrupted, located
from ._public import public_methods
from ._send_many_columns import RowColumns
from ._send_many_progress import Progress, terminal

T = TypeVar("T")
Row = Mapping[str, Any]

# Each sync call in progress has a thread.
MAX_CONCURRENCY = 1_000


@public_methods
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


class _Run:
    """The rows, limits and results of one `send_many`, sync or async."""

    def __init__(
        self,
        send: Callable[..., Any],
        operation: str,
        rows: Iterable[Row],
        concurrency: int,
        rate: float | None,
        on_result: OnResult | None,
        progress: Any,
    ) -> None:
        if not isinstance(concurrency, int) or isinstance(concurrency, bool):
            raise wrong_type("concurrency", "an integer", concurrency)
        if not 1 <= concurrency <= MAX_CONCURRENCY:
            raise bad_value(f"concurrency must be 1 to {MAX_CONCURRENCY:,}")
        if isinstance(rows, (str, bytes, Mapping)) or not hasattr(rows, "__iter__"):
            raise wrong_type("rows", "an iterable of mappings", rows)
        size = _size(rows)
        self.pace = Pace(_rate(rate))
        self._on_result = function("on_result", on_result)
        self._progress = Progress(terminal(progress), size)
        self.tasks = concurrency if size is None else min(concurrency, max(size, 1))
        self.operation = operation
        self.results: dict[int, SendResult[Any]] = {}
        self.failure: BaseException | None = None
        self._columns = RowColumns(send, operation)
        self._rows = _numbered(rows)
        self._taken: dict[int, Any] = {}
        self._calls: set[int] = set()
        self._reported: set[int] = set()

    def next_row(self) -> tuple[int, Any] | None:
        """The next row, or None. The row then counts as taken: if an exception ends the run, `end` adds a result for it."""
        item = next(self._rows, None)
        if item is not None:
            self._taken[item[0]] = item[1]
        return item

    def arguments(self, index: int, row: Any) -> dict[str, Any] | Invalid:
        """The keyword arguments of a row, or its error. After arguments were returned, the row counts as possibly sent."""
        place = f"rows[{index}]"
        try:
            found = self._columns.read(place, row)
        except Exception as error:  # of the row's own methods, or of this module
            invalid = error if isinstance(error, Invalid) else located(place, error)
            add_operation(invalid, self.operation)
            return invalid
        self._calls.add(index)
        return found

    def report(self, result: SendResult[Any]) -> None:
        """Shows a result and passes it on. Only one thread calls this."""
        self._reported.add(result.index)
        self._progress.add(result, monotonic())
        if self._on_result is not None:
            self._on_result(result)

    def report_rest(self) -> None:
        """Reports results after an exception. Only the first exception of `on_result` is raised."""
        for index in sorted(self.results.keys() - self._reported):
            try:
                self.report(self.results[index])
            except Exception:
                pass

    def failed(self, error: BaseException) -> None:
        """Keeps the first exception that ended the run."""
        if self.failure is None:
            self.failure = error

    def end(self) -> list[SendResult[Any]]:
        """Returns all results, or raises the exception that ended the run, with the results."""
        try:
            self._progress.end()
        except BaseException as broken:  # of the file, or Ctrl-C
            self.failed(broken)
        error, self.failure = self.failure, None
        if error is None:
            return self._all_results()
        self.add_results(error)
        raise error

    def add_results(self, error: BaseException) -> None:
        """Adds the results to an exception that ends the run, also to an interrupt after its end."""
        if "results" in error.__dict__:
            return
        results = error.__dict__["results"] = self._all_results()
        if hasattr(error, "add_note"):  # Python 3.11
            accepted = sum(map(bool, results))
            error.add_note(
                f"cpaas: send_many stopped after {len(results):,} rows, {accepted:,} of them accepted; the attribute "
                "`results` of this exception has their results"
            )

    def _all_results(self) -> list[SendResult[Any]]:
        for index, row in self._taken.items():
            if index not in self.results:
                unsent = interrupted(self.operation, "maybe" if index in self._calls else "no")
                self.results[index] = SendResult(index, row, error=unsent)
        return [self.results[index] for index in sorted(self.results)]


def _numbered(rows: Iterable[Row]) -> Iterator[tuple[int, Any]]:
    # The source is opened with the first row, so that an exception of it has `results` too. It is not closed: the caller
    # may go on with the rows that were not taken.
    for item in enumerate(rows):  # noqa: UP028
        yield item


def _size(rows: Any) -> int | None:
    try:
        return len(rows) if isinstance(rows, Sized) else None
    except Exception:
        return None


def _rate(rate: Any) -> float | None:
    if rate is None:
        return None
    if not isinstance(rate, (int, float)) or isinstance(rate, bool):
        raise wrong_type("rate", "a number of rows a second", rate)
    if not 0 < rate < float("inf"):
        raise bad_value("rate must be a number greater than 0")
    if not 1e-6 <= rate <= 1e9:
        raise bad_value("rate must be 0.000001 to 1,000,000,000 rows a second")
    return rate


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
    run = _Run(send, operation, rows, concurrency, rate, on_result, progress)
    on_leave(run.add_results)
    ended: SimpleQueue[SendResult[Any] | None] = SimpleQueue()
    lock = Lock()
    stop = Event()

    def next_row() -> tuple[int, Any] | None:
        with lock:
            item = None if stop.is_set() else run.next_row()
            delay = 0.0 if item is None else run.pace.delay(monotonic())
            if delay:
                stop.wait(delay)
            return None if stop.is_set() else item

    def result_of(index: int, row: Any) -> SendResult[Any]:
        arguments = run.arguments(index, row)
        if isinstance(arguments, Invalid):
            leave(arguments)
            return SendResult(index, row, error=arguments)
        try:
            return SendResult(index, row, result=send(**arguments))
        except Exception as error:
            return SendResult(index, row, error=without_frame(error))

    def work() -> None:
        try:
            while (item := next_row()) is not None:
                result = run.results[item[0]] = result_of(*item)
                ended.put(result)
        except BaseException as error:  # the iterator of the rows raised
            item = None
            stop.set()
            run.failed(error)
        ended.put(None)

    threads = [
        Thread(target=copy_context().run, args=(work,), name="cpaas-send-many", daemon=True)
        for _ in range(run.tasks)
    ]
    try:
        running = _start(threads)
        while running:
            result = ended.get()
            if result is None:
                running -= 1
            else:
                run.report(result)
    except BaseException as error:  # of `on_result`, or Ctrl-C
        stop.set()  # no further row starts
        run.failed(error)
        try:
            for thread in threads:
                if thread.ident is not None:
                    thread.join()
            run.report_rest()
        except BaseException as second:  # the second Ctrl-C does not wait for the rows in progress
            run.failure = second
    return run.end()


def _start(threads: list[Thread]) -> int:
    """Starts as many threads as the system permits, at least one."""
    for count, thread in enumerate(threads):
        try:
            thread.start()
        except RuntimeError:
            if count == 0:
                raise
            return count
    return len(threads)


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

    run = _Run(send, operation, rows, concurrency, rate, on_result, progress)
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        raise no_loop() from None
    stopped = False
    pauses: set[asyncio.Future[None]] = set()

    def stop(error: BaseException) -> None:
        nonlocal stopped
        stopped = True
        run.failed(error)
        for future in pauses:
            _settle(future)

    async def pause(delay: float) -> None:
        future = loop.create_future()
        timer = loop.call_later(delay, _settle, future)
        pauses.add(future)
        try:
            await future
        finally:
            timer.cancel()
            pauses.discard(future)

    async def result_of(index: int, row: Any) -> SendResult[Any]:
        arguments = run.arguments(index, row)
        if isinstance(arguments, Invalid):
            leave(arguments)
            return SendResult(index, row, error=arguments)
        try:
            return SendResult(index, row, result=await send(**arguments))
        except Exception as error:
            return SendResult(index, row, error=without_frame(error))
        except asyncio.CancelledError as error:
            sent = getattr(error, "_cpaas_sent", "maybe")
            run.results[index] = SendResult(index, row, error=interrupted(operation, sent))
            raise

    async def work() -> None:
        try:
            while not stopped and (item := run.next_row()) is not None:
                delay = run.pace.delay(monotonic())
                if delay:
                    await pause(delay)
                if stopped:
                    return
                result = run.results[item[0]] = await result_of(*item)
                run.report(result)
        except BaseException as error:  # of the rows or of `on_result`, or a cancellation
            stop(error)
            if isinstance(error, asyncio.CancelledError):
                raise

    tasks = [asyncio.ensure_future(work()) for _ in range(run.tasks)]
    try:
        await asyncio.wait(tasks)
    except asyncio.CancelledError as error:
        stop(error)
        try:
            await asyncio.wait(tasks)  # the rows in progress
        except asyncio.CancelledError:  # the second cancellation does not wait
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
    run.report_rest()
    return run.end()


def without_frame(error: BaseException) -> BaseException:
    """An exception without the frame that caught it, whose local variables are a row."""
    traceback = error.__traceback__
    return error.with_traceback(None if traceback is None else traceback.tb_next)


def _settle(future: Any) -> None:
    if not future.done():
        future.set_result(None)
