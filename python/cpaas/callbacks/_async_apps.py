"""The ASGI application of a receiver, and what asynchronous adapters share. It imports asyncio, which costs 40 ms that WSGI
applications need not pay."""

from __future__ import annotations

import logging
import sys
from asyncio import (
    FIRST_COMPLETED,
    CancelledError,
    Task,
    create_task,
    get_running_loop,
    shield,
    to_thread,
    wait,
)
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

from .._arguments import is_coroutine_function
from .._cpaas import Received, leave
from ._apps import (
    DONE,
    FAILED,
    MAX_BODY,
    REJECTED,
    AnyClaim,
    BaseApplication,
    Settlement,
    Steps,
    check_completed,
    response_headers,
    url_of,
)
from ._duplicates import Claim, Command, Reply, TwoStateClaim, claim_of, is_asynchronous, log
from ._receiver import Headers

_STORE_TIMED_OUT = "the store did not respond in time"

# Tasks that continue after their request was cancelled. Without this reference, the garbage collector could end them.
_kept_tasks: set[Task[Any]] = set()


class AsyncApplication(BaseApplication):
    """The base class of the asynchronous adapters. The handler is a coroutine function, or a function that runs in a thread."""

    __slots__ = ()
    is_async = True

    async def handle(self, method: str, url: str, headers: Headers, body: bytes | None) -> Reply:
        """Runs the handler for a new callback and returns the response."""
        received = self.receive(method, url, headers, body)
        return REJECTED if received is None else await self.process(received)

    async def process(self, received: Received) -> Reply:
        """Runs the handler for a new callback and returns the response."""
        claim = claim_of(self.duplicates, received)
        if not is_coroutine_function(self.handler):
            # A thread cannot be cancelled: the claim is settled when the handler ends, not when the request does.
            reply: Reply = await _kept(self._process_in_thread(received, claim))
            return reply
        if claim is not None:
            reply_now = await _kept(_claim(claim), lambda: _settle_later(claim, "free"))
            if reply_now is not None:
                return reply_now  # type: ignore[no-any-return]
        return await self._await(lambda: self.handler(received), claim)

    async def _process_in_thread(self, received: Received, claim: AnyClaim) -> Reply:
        if claim is None or not is_asynchronous(self.duplicates):
            if claim is None or claim.time_limit is None or not _is_asyncio():
                result = await _in_thread(self.run, received, claim)
            else:
                result = await self._run_in_thread(received, claim, claim.time_limit)
            return result if isinstance(result, Reply) else await self._await(lambda: result, claim)
        reply = await _claim(claim)
        if reply is not None:
            return reply
        # If this task is cancelled, the thread continues, and the claim ends with its lease.
        result, error = await _in_thread(_outcome, self.handler, received)
        if error is not None:
            await _settle_later(claim, "free")
            raise error
        return await self._await(lambda: result, claim)

    async def _run_in_thread(self, received: Received, claim: Claim | TwoStateClaim, limit: float) -> Any:
        """Calls `run` in a thread, and does not wait longer than a time limit for each command of the store."""
        loop, steps = get_running_loop(), Steps()
        task = _kept_task(_in_thread(self.run, received, claim, steps))
        claimed, handled = loop.create_future(), loop.create_future()
        _forward(steps.claimed, claimed)
        _forward(steps.handled, handled)
        await wait([task, claimed], timeout=limit, return_when=FIRST_COMPLETED)
        if not task.done() and steps.claimed.cancel():
            return _claim_timed_out(claim)
        await wait([task, handled], return_when=FIRST_COMPLETED)
        if not task.done():
            await wait([task], timeout=limit)
        if task.done():
            return task.result()
        error = steps.handled.result()
        log(FAILED["done" if error is None else "free"])
        if error is not None:
            raise error
        return DONE

    async def _await(self, handler: Callable[[], Any], claim: AnyClaim) -> Reply:
        """Calls a function, awaits its result if it is an awaitable, and settles the claim."""
        try:
            result = handler()
            check_completed(await result if hasattr(result, "__await__") else result)
        except GeneratorExit:  # nothing can be awaited; the claim ends with its lease
            raise
        except BaseException:
            if claim is not None:
                await _kept(_settle_later(claim, "free"))
            raise
        if claim is not None:
            await _kept(_settle_later(claim, "done"))
        return DONE


# A class, because routers treat a function as a handler and an instance as an application.
class Asgi(AsyncApplication):
    __slots__ = ()

    # With its own parameters, because a server tries a call to learn whether this is a factory.
    async def __call__(
        self,
        scope: dict[str, Any],
        receive: Callable[[], Awaitable[Any]],
        send: Callable[[Any], Awaitable[None]],
    ) -> None:
        try:
            await self._serve(scope, receive, send)
        except BaseException as error:
            del scope, receive, send
            leave(error)
            raise

    async def _serve(
        self,
        scope: dict[str, Any],
        receive: Callable[[], Awaitable[Any]],
        send: Callable[[Any], Awaitable[None]],
    ) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
            return
        try:
            body = await _body(receive)
        except ConnectionResetError:
            return
        url = url_of(scope["path"].encode(), scope["query_string"])
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        reply = await self.handle(scope["method"], url, headers, body)
        fields = [(name.lower().encode(), value.encode()) for name, value in response_headers(reply)]
        await send({"type": "http.response.start", "status": reply.status, "headers": fields})
        await send({"type": "http.response.body", "body": b""})


async def _settle_later(claim: Claim | TwoStateClaim, command: Settlement) -> None:
    """Runs `done` or `free` off the event loop, unless the store is asynchronous. An error is logged, as in `_settle`."""
    try:
        await _command(claim, command)
    except Exception:
        log(FAILED[command], error=True)


async def _claim(claim: Claim | TwoStateClaim) -> Reply | None:
    """Claims the event. Returns None if the handler runs, otherwise the response."""
    try:
        return claim.reply(await _command(claim, "claim"))
    except Exception as error:
        return claim.failed(error)


async def _command(claim: Claim | TwoStateClaim, command: Command) -> Any:
    """Runs a command of the store.

    Raises:
        TimeoutError: The command did not end within its time limit. Under asyncio it is not cancelled, and a claim that it makes
            later is freed.
    """
    run: Callable[[], Any] = getattr(claim, command)
    if claim.blocks(command):
        result = _in_thread(run)
    else:
        result = run()
        if not hasattr(result, "__await__"):
            return result
    limit = claim.time_limit
    if limit is None:
        return await _resolved(result)
    if not _is_asyncio():
        import trio  # an optional package

        # A claim that the store makes later ends with its lease.
        with trio.move_on_after(limit):
            return await _resolved(result)
        raise TimeoutError(_STORE_TIMED_OUT)
    task = _kept_task(_resolved(result))
    await wait([task], timeout=limit)
    if task.done():
        return task.result()
    if command == "claim":
        task.add_done_callback(lambda ended: _free_late_claim(ended, claim))
    raise TimeoutError(_STORE_TIMED_OUT)


async def _resolved(result: Awaitable[Any]) -> Any:
    """Awaits a result, and what it returned in turn: a function that ran in a thread may return a coroutine."""
    found = await result
    return await found if hasattr(found, "__await__") else found


def _free_late_claim(task: Task[Any], claim: Claim | TwoStateClaim) -> None:
    if not task.cancelled() and task.exception() is None and claim.reply(task.result()) is None:
        _kept_task(_settle_later(claim, "free"))


def _claim_timed_out(claim: Claim | TwoStateClaim) -> Reply:
    try:
        raise TimeoutError(_STORE_TIMED_OUT)
    except TimeoutError as error:
        return claim.failed(error)


def _outcome(function: Callable[..., Any], *arguments: Any) -> tuple[Any, BaseException | None]:
    """The result of a function, or its exception, which thus differs from a cancellation of whoever waits for it."""
    try:
        return function(*arguments), None
    except BaseException as error:
        return None, error


async def _kept(
    work: Coroutine[Any, Any, Any], undo: Callable[[], Coroutine[Any, Any, Any]] | None = None
) -> Any:
    """Runs a coroutine to its end, even if the request is cancelled in the meantime. Then `undo` runs after it, if it returned
    None."""
    if not _is_asyncio():
        import trio  # an optional package

        with trio.CancelScope(shield=True):
            return await work
    task = _kept_task(work)
    try:
        with _shield_of_anyio():
            return await shield(task)
    except CancelledError:
        if undo is None:
            task.add_done_callback(_log_exception)
        else:
            await _kept(_after(task, undo))
        raise


def _kept_task(work: Coroutine[Any, Any, Any]) -> Task[Any]:
    """A task that the garbage collector cannot end, and whose exception may remain unread."""
    task = create_task(work)
    _kept_tasks.add(task)
    task.add_done_callback(_forget_task)
    return task


def _forget_task(task: Task[Any]) -> None:
    _kept_tasks.discard(task)
    if not task.cancelled():
        task.exception()  # so that asyncio does not log it as never retrieved


def _forward(source: Future[Any], target: Any) -> None:
    """Ends a future of the event loop when one of a thread ends."""

    def end() -> None:
        if not target.done():
            target.set_result(None)

    def ended(_: Future[Any]) -> None:
        with suppress(RuntimeError):  # the event loop has ended
            target.get_loop().call_soon_threadsafe(end)

    source.add_done_callback(ended)


async def _after(task: Task[Any], undo: Callable[[], Coroutine[Any, Any, Any]]) -> None:
    await wait([task])
    if not task.cancelled() and task.exception() is None and task.result() is None:
        await undo()


def _shield_of_anyio() -> AbstractContextManager[Any]:
    """Defers the cancellation by a scope of anyio, which would cancel each `await` of this task until the scope ends."""
    anyio = sys.modules.get("anyio")
    return nullcontext() if anyio is None else anyio.CancelScope(shield=True)


def _log_exception(task: Task[Any]) -> None:
    """Logs the exception of a task for whose result nobody waits."""
    if not task.cancelled() and (error := task.exception()) is not None:
        logging.getLogger("cpaas.callbacks").error(
            "the handler of a callback failed after its request was cancelled", exc_info=error
        )


def _is_asyncio() -> bool:
    """Whether asyncio runs this coroutine; otherwise trio does."""
    try:
        get_running_loop()
    except RuntimeError:
        return False
    return True


async def _in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function in a thread, so that other requests continue if it blocks."""
    # The outcome as a value: a future of asyncio cannot have the exception StopIteration, and trio refuses a coroutine.
    if _is_asyncio():
        result, error = await to_thread(_outcome, function, *arguments)
    else:
        import trio  # an optional package

        # Only the time limit of a store's command cancels this; everything else is shielded.
        result, error = await trio.to_thread.run_sync(_outcome, function, *arguments, abandon_on_cancel=True)
    if error is not None:
        raise error
    return result


async def _lifespan(receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
    while True:
        kind = (await receive())["type"]
        await send({"type": f"{kind}.complete"})
        if kind == "lifespan.shutdown":
            return


async def _body(receive: Callable[[], Awaitable[Any]]) -> bytes | None:
    """Reads the body; None if it is too large.

    Raises:
        ConnectionResetError: The client disconnected.
    """
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            return None
        if not message.get("more_body"):
            return bytes(body)
