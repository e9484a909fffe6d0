"""The functions that create an application from a receiver."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from .._public import public
from ._apps import Wsgi
from ._duplicates import Duplicates
from ._receiver import Handler, Receiver

AsgiApplication: TypeAlias = Callable[[Any, Any, Any], Awaitable[None]]
WsgiApplication: TypeAlias = Callable[[dict[str, Any], Callable[..., Any]], list[bytes]]


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

    Raises:
        cpaas.Invalid: An argument is invalid; `cpaas.InvalidType` for a wrong type.
    """
    # It imports asyncio, which WSGI applications need not load.
    from ._async_apps import Asgi

    return Asgi(receiver, handler, duplicates, clock)


@public
def wsgi(
    receiver: Receiver | Callable[[], Receiver],
    handler: Handler,
    *,
    duplicates: Duplicates | None = None,
    clock: Callable[[], float] | None = None,
) -> WsgiApplication:
    """Creates a WSGI application that calls `handler` for each authentic callback.

    The responses are those of `asgi`.

    Args:
        receiver: A receiver, or a function that returns the current one, so that keys rotate without a restart.
        handler: A function, which runs in the thread of the request. Returns when its work is done; a result that nobody runs,
            such as a generator or a future, is an error.
        duplicates: Runs the handler of each event once, although the provider repeats callbacks. Its store has no coroutine
            functions.
        clock: Returns the current time in seconds since 1970, for tests; the default is the system clock.

    Raises:
        cpaas.Invalid: An argument is invalid; `cpaas.InvalidType` for a wrong type, such as a coroutine function as `handler`.
    """
    return Wsgi(receiver, handler, duplicates, clock)
