"""The ASGI and WSGI applications of a receiver."""

from __future__ import annotations

from ._cpaas import leave
from ._public import public_methods

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Any

    from ._callback_duplicates import Duplicates
    from ._cpaas import Received
    from .callbacks import Handler, Headers, Receiver

# The size limit of a body, in bytes.
MAX_BODY = 1 << 20


class _Application:
    """The base class of `Asgi` and `Wsgi`."""

    __slots__ = ("clock", "duplicates", "handler", "receiver")
    is_async = False

    def __init__(
        self,
        receiver: Receiver | Callable[[], Receiver],
        handler: Handler,
        duplicates: Duplicates | None,
        clock: Callable[[], float] | None,
    ) -> None:
        from ._arguments import function, is_coroutine_function, wrong_type
        from ._errors import bad_type

        if not callable(receiver) and not callable(getattr(receiver, "receive", None)):
            raise wrong_type("receiver", "a Receiver or a function that returns one", receiver)
        if not callable(handler):
            raise wrong_type("handler", "a function", handler)
        if not self.is_async and is_coroutine_function(handler):
            raise bad_type("handler must be a function, got a coroutine function: use callbacks.asgi")
        if duplicates is not None and not callable(getattr(duplicates, "repeats", None)):
            raise wrong_type("duplicates", "a Duplicates", duplicates)
        self.receiver = receiver
        self.handler = handler
        self.duplicates = duplicates
        self.clock = function("clock", clock)

    def receive(self, method: str, url: str, headers: Headers, body: bytes | None) -> Received | None:
        """Returns the callback, or None if it was rejected; logs the reason. `body` is None if it could not be read."""
        from .callbacks import CallbackRejected

        try:
            if body is None:
                raise CallbackRejected("body")
            receiver = self.receiver() if callable(self.receiver) else self.receiver
            return receiver.receive(method, url, headers, body, now=self.clock and self.clock())
        except CallbackRejected as rejected:
            import logging

            logging.getLogger("cpaas.callbacks").warning("%s", rejected)
            return None

    def is_new(self, received: Received) -> bool:
        return self.duplicates is None or not self.duplicates.repeats(received)

    def failed(self, received: Received) -> None:
        if self.duplicates is not None:
            self.duplicates.forget(received)

    def handle(self, method: str, url: str, headers: Headers, body: bytes | None) -> bool:
        """Runs the handler for a new callback. Returns whether the request is authentic."""
        received = self.receive(method, url, headers, body)
        if received is not None and self.is_new(received):
            try:
                result = self.handler(received)
                if hasattr(result, "__await__") and hasattr(result, "close"):  # a coroutine
                    result.close()
                    raise TypeError(
                        "the handler must be a function, got a coroutine, which only callbacks.asgi awaits"
                    )
            except BaseException:
                self.failed(received)
                raise
        return received is not None


# A class, because routers treat a function as a handler and an instance as an application.
class Asgi(_Application):
    __slots__ = ()
    is_async = True

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
        from ._arguments import is_coroutine_function

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
        if received is not None and await _in_thread(self.is_new, received):
            try:
                if is_coroutine_function(self.handler):
                    await self.handler(received)  # type: ignore[misc]
                else:
                    result = await _in_thread(self.handler, received)
                    if hasattr(result, "__await__"):
                        await result
            except BaseException:
                await _in_thread(self.failed, received)
                raise
        status = 403 if received is None else 200
        empty = [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": status, "headers": empty})
        await send({"type": "http.response.body", "body": b""})


@public_methods
class Wsgi(_Application):
    __slots__ = ()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
        url = _url(path.encode("latin-1"), environ.get("QUERY_STRING", "").encode("latin-1"))
        headers = [("content-type", environ.get("CONTENT_TYPE", ""))]
        accepted = self.handle(environ["REQUEST_METHOD"], url, headers, _wsgi_body(environ))
        start_response("200 OK" if accepted else "403 Forbidden", [("Content-Length", "0")])
        return [b""]


async def _in_thread(function: Callable[[Received], Any], received: Received) -> Any:
    """Calls a function in a thread, so that other requests continue if it blocks."""
    from asyncio import get_running_loop, to_thread

    try:
        get_running_loop()
    except RuntimeError:  # a server that runs trio
        import trio

        return await trio.to_thread.run_sync(function, received)
    return await to_thread(function, received)


def _url(path: bytes, query: bytes) -> str:
    """Returns path and query. Encodes the path, which servers pass decoded, so that a `?` in it does not start a query."""
    from urllib.parse import quote

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
    body: bytes = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            return None
        if not message.get("more_body"):
            return body


def _wsgi_body(environ: Mapping[str, Any]) -> bytes | None:
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
