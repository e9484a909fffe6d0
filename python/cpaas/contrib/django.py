"""A view of Django that receives callbacks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from ._missing import missing

try:
    from django.core.exceptions import RequestDataTooBig
    from django.db import connections, transaction
    from django.http import HttpResponse
except ImportError as _error:
    raise missing("django", "django") from _error

from .._arguments import is_coroutine_function
from .._public import public
from ..callbacks._apps import MAX_BODY, Application, response_headers
from ..callbacks._async_apps import AsyncApplication
from ..callbacks._duplicates import Duplicates, Reply
from ..callbacks._receiver import Handler, Receiver


@public
def view(
    receiver: Receiver | Callable[[], Receiver],
    handler: Handler,
    *,
    duplicates: Duplicates | None = None,
    clock: Callable[[], float] | None = None,
) -> Callable[..., Any]:
    """Creates a view for the URL of the receiver, such as `path("hooks", view(receiver, handle))`; see `callbacks.wsgi`.

    The view is asynchronous if `handler` is a coroutine function. It needs no CSRF token, because the token in the URL
    authenticates the provider. Without `duplicates` a repeated callback reaches the handler again.

    `ATOMIC_REQUESTS` does not apply to the view, because its transaction would end after the callback was recorded as
    done. For each database with this setting, the view runs a handler that is a function in a transaction of its own.

    Args:
        receiver: As for `callbacks.wsgi`.
        handler: A function, or a coroutine function as for `callbacks.asgi`.
        duplicates: As for `callbacks.wsgi`; its store may have coroutine functions if `handler` is one.
        clock: As for `callbacks.wsgi`.

    Raises:
        cpaas.Invalid: An argument is invalid.
    """
    if is_coroutine_function(handler):
        exempt = _asynchronous(AsyncApplication(receiver, handler, duplicates, clock))
    else:
        exempt = _synchronous(Application(receiver, _atomic(handler), duplicates, clock))
    exempt.csrf_exempt = True
    # As `transaction.non_atomic_requests` does, but for every database, and without the settings, which may not be loaded yet.
    exempt._non_atomic_requests = _EveryDatabase()
    return exempt  # type: ignore[no-any-return]


class _EveryDatabase:
    def __contains__(self, alias: str) -> bool:
        return True


def _synchronous(application: Application) -> Any:
    @public
    def receive(request: Any, *args: Any, **kwargs: Any) -> Any:
        return _response(
            application.handle(request.method, request.get_full_path(), request.headers, _body(request))
        )

    return receive


def _asynchronous(application: AsyncApplication) -> Any:
    @public
    async def receive(request: Any, *args: Any, **kwargs: Any) -> Any:
        return _response(
            await application.handle(request.method, request.get_full_path(), request.headers, _body(request))
        )

    return receive


def _atomic(handler: Any) -> Any:
    """The handler in a transaction of each database whose requests are atomic, which ends before the callback is done."""
    if not callable(handler):
        return handler  # an error, which the application raises

    def handle(received: Any) -> Any:
        with ExitStack() as transactions:
            for alias in connections:
                if connections.settings[alias]["ATOMIC_REQUESTS"]:
                    transactions.enter_context(transaction.atomic(using=alias))
            return handler(received)

    return handle


def _body(request: Any) -> bytes | None:
    try:
        body: bytes = request.body
    # ValueError: an invalid Content-Length, before Django 6.
    except (OSError, ValueError, RequestDataTooBig):
        return None
    return None if len(body) > MAX_BODY else body


def _response(reply: Reply) -> Any:
    return HttpResponse(status=reply.status, headers=dict(response_headers(reply)))
