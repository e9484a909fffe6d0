"""The ASGI and WSGI applications of a receiver."""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from .._arguments import function, is_coroutine_function
from .._cpaas import Received, leave
from .._errors import bad_type, wrong_type
from .._public import public, public_methods
from .duplicates import Claim, Duplicates, Reply, TwoStateClaim, claim_of, discard, is_asynchronous, log
from .receiver import CallbackRejected, Handler, Headers, Receiver

if TYPE_CHECKING:
    from asyncio import Task

AnyClaim = Claim | TwoStateClaim | None

# The size limit of a body, in bytes.
MAX_BODY = 1 << 20

_DONE = Reply(200)
_REJECTED = Reply(403)

# Tasks that continue after their request was cancelled. Without this reference, the garbage collector could end them.
_kept_tasks: set[Task[Any]] = set()


class Application:
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

    def handle(self, method: str, url: str, headers: Headers, body: bytes | None) -> Reply:
        """Runs the handler for a new callback and returns the response."""
        received = self.receive(method, url, headers, body)
        if received is None:
            return _REJECTED
        reply = self.run(received, claim_of(self.duplicates, received))
        assert isinstance(reply, Reply)
        return reply

    def run(self, received: Received, claim: AnyClaim) -> Reply | Awaitable[Any]:
        """Claims the event, runs the handler, and settles the claim, all in the calling thread.

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
        try:
            result: Any = self.handler(received)
            if self.is_async and hasattr(result, "__await__"):
                awaitable: Awaitable[Any] = result
                return awaitable
            _check_completed(result)
        except BaseException:
            if claim is not None:
                _settle(claim.free)
            raise
        if claim is not None:
            _settle(claim.done)
        return _DONE


class AsyncApplication(Application):
    """The base class of the asynchronous adapters. The handler is a coroutine function, or a function that runs in a thread."""

    __slots__ = ()
    is_async = True

    async def process(self, received: Received) -> Reply:
        """Runs the handler for a new callback and returns the response."""
        claim = claim_of(self.duplicates, received)
        if not is_coroutine_function(self.handler):
            # A thread cannot be cancelled: the claim is settled when the handler ends, not when the request does.
            reply: Reply = await _kept(self._process_in_thread(received, claim))
            return reply
        if claim is not None:
            reply_now = await _kept(_claim(claim), lambda: _settle_later(claim.free, claim))
            if reply_now is not None:
                return reply_now  # type: ignore[no-any-return]
        return await self._await(lambda: self.handler(received), claim)

    async def _process_in_thread(self, received: Received, claim: AnyClaim) -> Reply:
        if claim is None or not is_asynchronous(self.duplicates):
            result = await _in_thread(self.run, received, claim)
            return result if isinstance(result, Reply) else await self._await(lambda: result, claim)
        reply = await _claim(claim)
        if reply is not None:
            return reply
        # If this task is cancelled, the thread continues, and the claim ends with its lease.
        result, error = await _in_thread(_outcome, self.handler, received)
        if error is not None:
            await _settle_later(claim.free, claim)
            raise error
        return await self._await(lambda: result, claim)

    async def _await(self, handler: Callable[[], Any], claim: AnyClaim) -> Reply:
        """Calls a function, awaits its result if it is an awaitable, and settles the claim."""
        try:
            result = handler()
            _check_completed(await result if hasattr(result, "__await__") else result)
        except GeneratorExit:  # nothing can be awaited; the claim ends with its lease
            raise
        except BaseException:
            if claim is not None:
                await _kept(_settle_later(claim.free, claim))
            raise
        if claim is not None:
            await _kept(_settle_later(claim.done, claim))
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
        received = self.receive(scope["method"], url, headers, body)
        reply = _REJECTED if received is None else await self.process(received)
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
) -> Callable[..., Any]:
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
) -> Callable[..., Any]:
    """Creates a WSGI application; see `asgi`. `handler` must be a function."""
    return Wsgi(receiver, handler, duplicates, clock)


_FAILED = {
    "done": "the store failed to record a callback as done; a repeat may run its handler again",
    "free": "the store failed to free a callback whose handler failed",
}
_STATUS_LINES = {200: "200 OK", 403: "403 Forbidden", 503: "503 Service Unavailable"}


def response_headers(reply: Reply) -> list[tuple[str, str]]:
    """The headers of a response with an empty body."""
    headers = [("Content-Length", "0")]
    return headers if reply.retry_after is None else [*headers, ("Retry-After", str(reply.retry_after))]


def _settle(command: Callable[[], Any]) -> None:
    """Runs `done` or `free`. An error is logged, because the handler's result decides the response."""
    try:
        result = command()
        if hasattr(result, "__await__"):
            discard(result)
            raise TypeError(f"{command.__name__} of the store returned a coroutine, which nobody awaits")
    except Exception:
        log(_FAILED[command.__name__], error=True)


async def _settle_later(command: Callable[[], Any], claim: Claim | TwoStateClaim) -> None:
    """The same, off the event loop unless the store is asynchronous."""
    try:
        await _command(command, claim)
    except Exception:
        log(_FAILED[command.__name__], error=True)


async def _claim(claim: Claim | TwoStateClaim) -> Reply | None:
    """Claims the event. Returns None if the handler runs, otherwise the response."""
    try:
        return claim.reply(await _command(claim.claim, claim))
    except Exception as error:
        return claim.failed(error)


async def _command(command: Callable[[], Any], claim: Claim | TwoStateClaim) -> Any:
    result = await _in_thread(command) if claim.blocks(command) else command()
    return await result if hasattr(result, "__await__") else result


def _outcome(function: Callable[..., Any], *arguments: Any) -> tuple[Any, BaseException | None]:
    """The result of a function, or its exception, which thus differs from a cancellation of whoever waits for it."""
    try:
        return function(*arguments), None
    except BaseException as error:
        return None, error


def _check_completed(result: Any) -> None:
    """Raises an exception for a result that has not run: a coroutine, an iterator such as a generator or a `map`, or a future."""
    if hasattr(result, "__await__") or isinstance(result, (AsyncIterator, Iterator, Future)):
        discard(result)
        raise TypeError(
            f"the handler must return after its work is done, got a {type(result).__name__}, which nobody runs"
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
    from asyncio import CancelledError, create_task, shield

    task = create_task(work)
    _kept_tasks.add(task)
    task.add_done_callback(_kept_tasks.discard)
    try:
        with _shield_of_anyio():
            return await shield(task)
    except CancelledError:
        if undo is None:
            task.add_done_callback(_log_exception)
        else:
            await _kept(_after(task, undo))
        raise


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

        result, error = await trio.to_thread.run_sync(_outcome, function, *arguments)
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
