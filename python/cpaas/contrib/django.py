"""A view of Django that receives callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import missing

try:
    from django.core.exceptions import RequestDataTooBig
    from django.http import HttpResponse
    from django.views.decorators.csrf import csrf_exempt
except ImportError as error:
    raise missing("django", "django") from error

from .._callback_apps import MAX_BODY, _Application
from .._callback_duplicates import Duplicates
from .._public import public
from ..callbacks import Handler, Receiver


@public
def view(
    receiver: Receiver | Callable[[], Receiver],
    handler: Handler,
    *,
    duplicates: Duplicates | None = None,
    clock: Callable[[], float] | None = None,
) -> Callable[..., Any]:
    """Creates a view for the URL of the receiver, such as `path("hooks", view(receiver, handle))`; see `callbacks.wsgi`.

    It needs no CSRF token, because the token in the URL authenticates the provider. Without `duplicates` a repeated
    callback reaches the handler again.
    """
    application = _Application(receiver, handler, duplicates, clock)

    @public
    def receive(request: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            body: bytes | None = request.body
        # ValueError: an invalid Content-Length, before Django 6.
        except (OSError, ValueError, RequestDataTooBig):
            body = None
        if body is not None and len(body) > MAX_BODY:
            body = None
        accepted = application.handle(request.method, request.get_full_path(), request.headers, body)
        return HttpResponse(status=200 if accepted else 403)

    exempt: Callable[..., Any] = csrf_exempt(receive)
    return exempt
