"""The ASGI and WSGI applications of a receiver."""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from threading import Thread
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from urllib.parse import quote

from .._arguments import function, is_coroutine_function
from .._cpaas import Received, leave
from .._errors import bad_type, wrong_type
from .._public import public, public_methods
from .duplicates import (
    Claim,
    Command,
    Duplicates,
    Reply,
    TwoStateClaim,
    claim_of,
    discard,
    is_asynchronous,
    log,
)
from .receiver import CallbackRejected, Handler, Headers, Receiver

if TYPE_CHECKING:
    from asyncio import Task

AnyClaim = Claim | TwoStateClaim | None
Settlement: TypeAlias = Literal["done", "free"]
AsgiApplication: TypeAlias = Callable[[Any, Any, Any], Awaitable[None]]
WsgiApplication: TypeAlias = Callable[[dict[str, Any], Callable[..., Any]], list[bytes]]

# The size limit of a body, in bytes.
MAX_BODY = 1 << 20

_DONE = Reply(200)
_REJECTED = Reply(403)

# The types of results whose work has not run, or runs on after the handler has returned.
_UNFINISHED = (
    AsyncIterator,
    Iterator,
    Future,
    Thread,
    partial,
    FunctionType,
    BuiltinFunctionType,
    MethodType,
)

# Tasks that continue after their request was cancelled. Without this reference, the garbage collector could end them.
_kept_tasks: set[Task[Any]] = set()


class BaseApplication:
    """The base class of the adapters: receives a request and calls the handler, in the calling thread."""

    __slots__ = ("clock", "duplicates", "handler", "receiver")
    is_async = False

    def __init__(
        self,
        receiver: Receiver | Callable[[], Receiver],
        handler: Handler,
        duplicates: Duplicates | None,
        clock: Callable[[], float] | None,
    ) -> None:
        if not callable(receiver) and not callable(getattr(receiver, "receive", None)):
            raise wrong_type("receiver", "a Receiver or a function that returns one", receiver)
        if not callable(handler):
            raise wrong_type("handler", "a function", handler)
        if not self.is_async and is_coroutine_function(handler):
            raise bad_type("handler must be a function, got a coroutine function: use callbacks.asgi")
        if duplicates is not None and not callable(getattr(duplicates, "repeats", None)):
            raise wrong_type("duplicates", "a Duplicates", duplicates)
        if not self.is_async and is_asynchronous(duplicates):
            raise bad_type(
                "duplicates must have a store without coroutine functions, which only callbacks.asgi awaits"
            )
        self.receiver: Receiver | Callable[[], Receiver] = receiver
        self.handler: Handler = handler
        self.duplicates: Duplicates | None = duplicates
        self.clock: Callable[[], float] | None = function("clock", clock)

    def receive(self, method: str, url: str, headers: Headers, body: bytes | None) -> Received | None:
        """Returns the callback, or None if it was rejected; logs the reason. `body` is None if it could not be read."""
        try:
            if body is None:
                raise CallbackRejected("body")
            receiver = self.receiver() if callable(self.receiver) else self.receiver
            return receiver.receive(method, url, headers, body, now=self.clock and self.clock())
        except CallbackRejected as rejected:
            logging.getLogger("cpaas.callbacks").warning("%s", rejected)
            return None

    def run(self, received: Received, claim: AnyClaim, steps: _Steps | None = None) -> Reply | Awaitable[Any]:
        """Claims the event, runs the handler, and settles the claim, all in the calling thread.

        Args:
            received: The callback.
            claim: Its claim, if there are duplicates.
            steps: Reports each step to a request that does not wait longer than its time limit for the store.

        Returns:
            The response; or, if the application is asynchronous, the awaitable that the handler returned. Whoever awaits
            it settles the claim.
        """
        if claim is not None:
            try:
                reply = claim.reply(claim.claim())
            except Exception as error:
                return claim.failed(error)
            if reply is not None:
                return reply
            if steps is not None and not steps.begins_handler():
                _settle(claim, "free")
                return _DONE  # to nobody
        try:
            result: Any = self.handler(received)
            if self.is_async and hasattr(result, "__await__"):
                awaitable: Awaitable[Any] = result
                return awaitable
            _check_completed(result)
        except BaseException as error:
            if steps is not None:
                steps.handled.set_result(error)
            if claim is not None:
                _settle(claim, "free")
            raise
        if steps is not None:
            steps.handled.set_result(None)
        if claim is not None:
            _settle(claim, "done")
        return _DONE


class _Steps:
    """What a thread reports while it claims an event and runs its handler."""

    __slots__ = ("claimed", "handled")

    def __init__(self) -> None:
        self.claimed: Future[None] = Future()  # cancelled if the request no longer waits for the claim
        self.handled: Future[BaseException | None] = Future()  # the exception of the handler

    def begins_handler(self) -> bool:
        """Whether the request still waits for the claim. Afterwards it waits for the handler."""
        if not self.claimed.set_running_or_notify_cancel():
            return False
        self.claimed.set_result(None)
        return True


class Application(BaseApplication):
    """The base class of the synchronous adapters."""

    __slots__ = ()

    def handle(self, method: str, url: str, headers: Headers, body: bytes | None) -> Reply:
        """Runs the handler for a new callback and returns the response."""
        received = self.receive(method, url, headers, body)
        if received is None:
            return _REJECTED
        reply = self.run(received, claim_of(self.duplicates, received))
        assert isinstance(reply, Reply)
        return reply


class AsyncApplication(BaseApplication):
    """The base class of the asynchronous adapters. The handler is a coroutine function, or a function that runs in a thread."""

    __slots__ = ()
    is_async = True

    async def handle(self, method: str, url: str, headers: Headers, body: bytes | None) -> Reply:
        """Runs the handler for a new callback and returns the response."""
        received = self.receive(method, url, headers, body)
        return _REJECTED if received is None else await self.process(received)

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
        # As in `_kept`.
        from asyncio import FIRST_COMPLETED, get_running_loop, wait

        loop, steps = get_running_loop(), _Steps()
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
        log(_FAILED["done" if error is None else "free"])
        if error is not None:
            raise error
        return _DONE

    async def _await(self, handler: Callable[[], Any], claim: AnyClaim) -> Reply:
        """Calls a function, awaits its result if it is an awaitable, and settles the claim."""
        try:
            result = handler()
            _check_completed(await result if hasattr(result, "__await__") else result)
        except GeneratorExit:  # nothing can be awaited; the claim ends with its lease
            raise
        except BaseException:
            if claim is not None:
                await _kept(_settle_later(claim, "free"))
            raise
        if claim is not None:
            await _kept(_settle_later(claim, "done"))
        return _DONE


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
        url = _url(scope["path"].encode(), scope["query_string"])
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        reply = await self.handle(scope["method"], url, headers, body)
        fields = [(name.lower().encode(), value.encode()) for name, value in response_headers(reply)]
        await send({"type": "http.response.start", "status": reply.status, "headers": fields})
        await send({"type": "http.response.body", "body": b""})


@public_methods
class Wsgi(Application):
    __slots__ = ()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
        url = _url(path.encode("latin-1"), environ.get("QUERY_STRING", "").encode("latin-1"))
        headers = [("content-type", environ.get("CONTENT_TYPE", ""))]
        reply = self.handle(environ["REQUEST_METHOD"], url, headers, wsgi_body(environ))
        start_response(_STATUS_LINES[reply.status], response_headers(reply))
        return [b""]


@public
def asgi(
    receiver: Receiver | Callable[[], Receiver],
    handler: Handler,
    *,
    duplicates: Duplicates | None = None,
    clock: Callable[[], float] | None = None,
) -> AsgiApplication:
    """Creates an ASGI application that calls `handler` for each authentic callback.

    The response is 200 after the handler returned. If the handler raises, the server responds with 500, so that the provider
    repeats the callback, and the claim of `duplicates` is freed. A repeat gets 200 if the event is done, and 503 with
    `Retry-After` while another request is processing it or if the store failed. A rejected request gets the response 403, and
    so does a request whose body is too large. All bodies are empty.

    A coroutine that is cancelled frees its claim after it has ended. A function cannot be cancelled: its event stays claimed
    until it returns, even if the request was cancelled.

    Args:
        receiver: A receiver, or a function that returns the current one, so that keys rotate without a restart.
        handler: A coroutine function, or a function, which runs in a thread. Returns when its work is done; a result that nobody
            runs, such as a generator or a future, is an error.
        duplicates: Runs the handler of each event once, although the provider repeats callbacks.
        clock: Returns the current time in seconds since 1970, for tests; the default is the system clock.
    """
    return Asgi(receiver, handler, duplicates, clock)


@public
def wsgi(
    receiver: Receiver | Callable[[], Receiver],
    handler: Handler,
    *,
    duplicates: Duplicates | None = None,
    clock: Callable[[], float] | None = None,
) -> WsgiApplication:
    """Creates a WSGI application; see `asgi`. `handler` must be a function."""
    return Wsgi(receiver, handler, duplicates, clock)


_FAILED = {
    "done": "the store failed to record a callback as done; a repeat may run its handler again",
    "free": "the store failed to free a callback whose handler failed",
}
_STORE_TIMED_OUT = "the store did not respond in time"
_STATUS_LINES = {200: "200 OK", 403: "403 Forbidden", 503: "503 Service Unavailable"}


def response_headers(reply: Reply) -> list[tuple[str, str]]:
    """The headers of a response with an empty body."""
    headers = [("Content-Length", "0")]
    return headers if reply.retry_after is None else [*headers, ("Retry-After", str(reply.retry_after))]


def _settle(claim: Claim | TwoStateClaim, command: Settlement) -> None:
    """Runs `done` or `free`. An error is logged, because the handler's result decides the response."""
    try:
        result = getattr(claim, command)()
        if hasattr(result, "__await__"):
            discard(result)
            raise TypeError(f"{command} of the store returned a coroutine, which nobody awaits")
    except Exception:
        log(_FAILED[command], error=True)


async def _settle_later(claim: Claim | TwoStateClaim, command: Settlement) -> None:
    """Runs `done` or `free` off the event loop, unless the store is asynchronous. An error is logged, as in `_settle`."""
    try:
        await _command(claim, command)
    except Exception:
        log(_FAILED[command], error=True)


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
    # As in `_kept`.
    from asyncio import wait

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


def _check_completed(result: Any) -> None:
    """Raises an exception for a result whose work may not be done: a coroutine, an iterator such as a generator or a `map`, a
    future, a thread, or a function."""
    if hasattr(result, "__await__") or isinstance(result, _UNFINISHED):
        discard(result)
        raise TypeError(
            "the handler must return after its work is done, "
            f"got a {type(result).__name__}, which nobody runs or waits for"
        )


async def _kept(
    work: Coroutine[Any, Any, Any], undo: Callable[[], Coroutine[Any, Any, Any]] | None = None
) -> Any:
    """Runs a coroutine to its end, even if the request is cancelled in the meantime. Then `undo` runs after it, if it returned
    None."""
    if not _is_asyncio():
        import trio  # an optional package

        with trio.CancelScope(shield=True):
            return await work
    # Costs 40 ms, which WSGI applications need not pay.
    from asyncio import CancelledError, shield

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
    # As in `_kept`.
    from asyncio import create_task

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
    # As in `_kept`.
    from asyncio import wait

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
    # As in `_kept`.
    from asyncio import get_running_loop

    try:
        get_running_loop()
    except RuntimeError:
        return False
    return True


async def _in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function in a thread, so that other requests continue if it blocks."""
    # The outcome as a value: a future of asyncio cannot have the exception StopIteration, and trio refuses a coroutine.
    if _is_asyncio():
        # As in `_kept`.
        from asyncio import to_thread

        result, error = await to_thread(_outcome, function, *arguments)
    else:
        import trio  # an optional package

        # Only the time limit of a store's command cancels this; everything else is shielded.
        result, error = await trio.to_thread.run_sync(_outcome, function, *arguments, abandon_on_cancel=True)
    if error is not None:
        raise error
    return result


def _url(path: bytes, query: bytes) -> str:
    """Returns path and query. Encodes the path, which servers pass decoded, so that a `?` in it does not start a query."""
    parameters = query.decode("utf-8", "replace")
    return quote(path, safe="/~!$&'()*+,;=:@") + (f"?{parameters}" if parameters else "")


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


def wsgi_body(environ: Mapping[str, Any]) -> bytes | None:
    """Reads the body; None if it is too large or incomplete, or if its length is invalid."""
    length, stream = environ.get("CONTENT_LENGTH") or "", environ["wsgi.input"]
    if length:
        if len(length) > 9 or not (length.isascii() and length.isdigit()) or int(length) > MAX_BODY:
            return None
        body: bytes = stream.read(int(length)) if int(length) else b""
        return body if len(body) == int(length) else None
    if environ.get("wsgi.input_terminated"):  # a chunked body, whose end the server detects
        body = stream.read(MAX_BODY + 1)
        return None if len(body) > MAX_BODY else body
    return None if environ.get("HTTP_TRANSFER_ENCODING") else b""
