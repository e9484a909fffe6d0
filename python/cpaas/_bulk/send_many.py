"""Sends many rows concurrently: `client.sms.send_many` and `client.messages.send_many`.

`__module__` names the module that users import. Annotations of classes are therefore no strings: `typing.get_type_hints` would
evaluate strings in that module.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from contextvars import copy_context
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Generic, Literal, TextIO, TypeVar

from .._arguments import function
from .._cpaas import leave, on_leave
from .._errors import Invalid, add_operation, bad_value, interrupted, located, wrong_type
from .._generated.names import Outcome
from .._groups import OperationGroup
from .._public import public_methods
from .columns import RowColumns
from .progress import Progress, terminal

T = TypeVar("T")
Row = Mapping[str, Any]

# Each sync call in progress has a thread.
MAX_CONCURRENCY = 1_000


@public_methods
@dataclass(frozen=True, slots=True, repr=False, eq=False)
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

    index: int
    row: Any
    result: T | None = field(default=None, kw_only=True)
    error: BaseException | None = field(default=None, kw_only=True)
    outcome: Outcome | Literal["accepted"] = field(default="accepted", init=False)

    def __post_init__(self) -> None:
        if self.error is not None:
            object.__setattr__(self, "outcome", getattr(self.error, "outcome", None) or "unknown")

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


class Run:
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
        self._progress.add(bool(result), monotonic())
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
        if sys.version_info >= (3, 11):
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
    run = Run(send, operation, rows, concurrency, rate, on_result, progress)
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


def without_frame(error: BaseException) -> BaseException:
    """An exception without the frame that caught it, whose local variables are a row."""
    traceback = error.__traceback__
    return error.with_traceback(None if traceback is None else traceback.tb_next)


class SendMany(OperationGroup, Generic[T]):
    """A group of operations whose `send` sends one message."""

    _send = ""  # the id of the operation of `send`
    send: Callable[..., Any]

    def send_many(
        self,
        rows: Iterable[Row],
        concurrency: int = 64,
        *,
        rate: float | None = None,
        on_result: Callable[[SendResult[T]], object] | None = None,
        progress: bool | TextIO = False,
    ) -> list[SendResult[T]]:
        """Sends a message for each row, many at a time, and returns the results in the order of the rows.

        For scripts that need no journal: if the process ends, there is no record of the sent rows. `cpaas.Campaign` keeps one.
        A failed row does not raise an exception; its result contains the outcome and the exception.

        If `rows` or `on_result` raises, or Ctrl-C interrupts it, no further row starts, and the exception is raised after the
        rows in progress have ended. Its attribute `results` is the list of the results so far. A second Ctrl-C does not wait;
        then a row in progress is "unknown", unless the abandoned call proves its outcome.

        Args:
            rows: Mappings with the arguments of `send`, such as the rows of `csv.DictReader`. Names of the specification, such
                as `from`, are accepted too. Threads of the library read them.
            concurrency: The maximum number of calls at a time, 1 to 1,000.
            rate: The maximum number of rows that start in a second; None does not limit it.
            on_result: A function that receives each `SendResult` when its row ends, on the calling thread.
            progress: Where to show the progress, if this is a terminal: True for stderr, or a file such as `sys.stdout`.

        Returns:
            A result for each row. It is true if the row was accepted.

        Raises:
            cpaas.Invalid: `rows`, `concurrency`, `rate`, `on_result` or `progress` is invalid; nothing was sent.

        Example:
            >>> import cpaas
            >>> rows = [{"from": "Acme", "to": to, "text": "Doors open at 8"} for to in ("306912345678", "abc")]
            >>> with cpaas.Sandbox() as sandbox, sandbox.client() as client:
            ...     [result.outcome for result in client.sms.send_many(rows)]
            ['accepted', 'invalid']
        """
        return send_many(self.send, self._send, rows, concurrency, rate, on_result, progress)
