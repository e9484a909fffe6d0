"""The WSGI application of a receiver, and what all adapters share."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from concurrent.futures import Future
from functools import partial
from threading import Thread
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, Literal, TypeAlias
from urllib.parse import quote

from .._arguments import function, is_coroutine_function
from .._cpaas import Received
from .._errors import bad_type, wrong_type
from .._hooks import accepts_one
from .._public import public_methods
from ._duplicates import (
    Claim,
    Duplicates,
    Reply,
    TwoStateClaim,
    claim_of,
    discard,
    is_asynchronous,
    log,
)
from ._receiver import CallbackRejected, Handler, Headers, Receiver

AnyClaim = Claim | TwoStateClaim | None
Settlement: TypeAlias = Literal["done", "free"]

# The size limit of a body, in bytes.
MAX_BODY = 1 << 20

DONE = Reply(200)
REJECTED = Reply(403)

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
        for name, value in (("receiver", receiver), ("duplicates", duplicates)):
            if isinstance(value, type):
                raise bad_type(f"{name} must be an object, got the class {value.__name__}; call it")
        if not callable(handler):
            raise wrong_type("handler", "a function", handler)
        if not accepts_one(handler):
            raise bad_type("handler must be a function that can be called with one argument, the callback")
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

    def run(self, received: Received, claim: AnyClaim, steps: Steps | None = None) -> Reply | Awaitable[Any]:
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
                return DONE  # to nobody
        try:
            result: Any = self.handler(received)
            if self.is_async and hasattr(result, "__await__"):
                awaitable: Awaitable[Any] = result
                return awaitable
            check_completed(result)
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
        return DONE


class Steps:
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
            return REJECTED
        reply = self.run(received, claim_of(self.duplicates, received))
        assert isinstance(reply, Reply)
        return reply


@public_methods
class Wsgi(Application):
    __slots__ = ()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
        url = url_of(path.encode("latin-1"), environ.get("QUERY_STRING", "").encode("latin-1"))
        headers = [("content-type", environ.get("CONTENT_TYPE", ""))]
        reply = self.handle(environ["REQUEST_METHOD"], url, headers, wsgi_body(environ))
        start_response(_STATUS_LINES[reply.status], response_headers(reply))
        return [b""]


FAILED = {
    "done": "the store failed to record a callback as done; a repeat may run its handler again",
    "free": "the store failed to free a callback whose handler failed",
}
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
        log(FAILED[command], error=True)


def check_completed(result: Any) -> None:
    """Raises an exception for a result whose work may not be done: a coroutine, an iterator such as a generator or a `map`, a
    future, a thread, or a function."""
    if hasattr(result, "__await__") or isinstance(result, _UNFINISHED):
        discard(result)
        raise TypeError(
            "the handler must return after its work is done, "
            f"got a {type(result).__name__}, which nobody runs or waits for"
        )


def url_of(path: bytes, query: bytes) -> str:
    """Returns path and query. Encodes the path, which servers pass decoded, so that a `?` in it does not start a query."""
    parameters = query.decode("utf-8", "replace")
    return quote(path, safe="/~!$&'()*+,;=:@") + (f"?{parameters}" if parameters else "")


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
