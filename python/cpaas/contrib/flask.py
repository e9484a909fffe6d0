"""A blueprint of Flask that receives callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._missing import missing

try:
    from flask import Blueprint, Response, request
except ImportError as _error:
    raise missing("flask", "flask") from _error

from .._arguments import text
from .._public import public
from ..callbacks._apps import Application, response_headers, wsgi_body
from ..callbacks._duplicates import Duplicates
from ..callbacks._receiver import Handler, Receiver

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@public
def blueprint(
    receiver: Receiver | Callable[[], Receiver],
    handler: Handler,
    *,
    url_prefix: str,
    name: str = "cpaas",
    duplicates: Duplicates | None = None,
    clock: Callable[[], float] | None = None,
) -> Blueprint:
    """Creates a blueprint for the endpoints of the receiver; see `callbacks.wsgi`.

    Args:
        receiver: As for `callbacks.wsgi`.
        handler: As for `callbacks.wsgi`.
        url_prefix: The path of the public URL of the receiver, such as "/hooks".
        name: The name of the blueprint.
        duplicates: As for `callbacks.wsgi`.
        clock: As for `callbacks.wsgi`.

    Raises:
        cpaas.Invalid: An argument is invalid.
    """
    url_prefix, name = text("url_prefix", url_prefix), text("name", name)
    application = Application(receiver, handler, duplicates, clock)
    routes = Blueprint(name, __name__, url_prefix=url_prefix)

    @public
    def receive(rest: str = "") -> Any:
        path = request.full_path if request.query_string else request.path
        headers = [("content-type", request.headers.get("content-type", ""))]
        reply = application.handle(request.method, path, headers, wsgi_body(request.environ))
        return Response(status=reply.status, headers=response_headers(reply))

    for rule in ("", "/<path:rest>"):
        routes.add_url_rule(rule, "callback", receive, methods=_METHODS)
    return routes
