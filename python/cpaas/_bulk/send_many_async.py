"""`send_many` for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from time import monotonic
from typing import Any, Generic, TextIO, TypeVar

from .._cpaas import leave
from .._errors import Invalid, interrupted, no_event_loop
from .._groups import OperationGroup
from .send_many import OnResult, Row, Run, SendResult, without_frame

T = TypeVar("T")


class AsyncSendMany(OperationGroup, Generic[T]):
    """A group of operations of an `AsyncClient`: `send_many` is a coroutine."""

    _send = ""  # the id of the operation of `send`
    send: Callable[..., Awaitable[Any]]

    async def send_many(
        self,
        rows: Iterable[Row],
        concurrency: int = 64,
        *,
        rate: float | None = None,
        on_result: Callable[[SendResult[T]], object] | None = None,
        progress: bool | TextIO = False,
    ) -> list[SendResult[T]]:
        """Sends a message for each row, many at a time, and returns the results in the order of the rows. Without `await`,
        nothing is sent.

        For scripts that need no journal: if the process ends, there is no record of the sent rows. `cpaas.Campaign` keeps one.
        A failed row does not raise an exception; its result contains the outcome and the exception.

        If `rows` or `on_result` raises, or the task is cancelled, no further row starts, and the exception is raised after the
        rows in progress have ended. Its attribute `results` is the list of the results so far. A second cancellation does not
        wait; then a row in progress is "unknown", unless the abandoned call proves its outcome. `asyncio.timeout` and
        `asyncio.run` raise another exception, whose `__cause__` or `__context__` has the results, unless `asyncio.run` is
        interrupted twice.

        Args:
            rows: Mappings with the arguments of `send`, such as the rows of `csv.DictReader`. Names of the specification, such
                as `from`, are accepted too. The task reads them, so an iterator that blocks stops the event loop.
            concurrency: The maximum number of calls at a time, 1 to 1,000.
            rate: The maximum number of rows that start in a second; None does not limit it.
            on_result: A function that receives each `SendResult` when its row ends, in the event loop. It is not awaited.
            progress: Where to show the progress, if this is a terminal: True for stderr, or a file such as `sys.stdout`.

        Returns:
            A result for each row. It is true if the row was accepted.

        Raises:
            cpaas.Invalid: `rows`, `concurrency`, `rate`, `on_result` or `progress` is invalid; nothing was sent.
            RuntimeError: No asyncio event loop runs.
            asyncio.CancelledError: The task was cancelled; see above.

        Example:
            >>> import asyncio, cpaas
            >>> async def main(rows):
            ...     async with cpaas.Sandbox() as sandbox, sandbox.async_client() as client:
            ...         return [result.outcome for result in await client.sms.send_many(rows)]
            >>> rows = [{"from": "Acme", "to": to, "text": "Doors open at 8"} for to in ("306912345678", "abc")]
            >>> asyncio.run(main(rows))
            ['accepted', 'invalid']
        """
        return await send_many_async(self.send, self._send, rows, concurrency, rate, on_result, progress)


async def send_many_async(
    send: Callable[..., Awaitable[Any]],
    operation: str,
    rows: Iterable[Row],
    concurrency: int,
    rate: float | None,
    on_result: OnResult | None,
    progress: Any,
) -> list[SendResult[Any]]:
    """See `AsyncSendMany.send_many`."""
    run = Run(send, operation, rows, concurrency, rate, on_result, progress)
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        raise no_event_loop() from None
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


def _settle(future: Any) -> None:
    if not future.done():
        future.set_result(None)
