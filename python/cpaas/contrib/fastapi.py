"""A router of FastAPI that receives callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._missing import missing

try:
    from fastapi import APIRouter
except ImportError as _error:
    raise missing("fastapi", "fastapi") from _error

from .._arguments import text
from .._public import public
from ..callbacks import Duplicates, Handler, Receiver, asgi


@public
def router(
    receiver: Receiver | Callable[[], Receiver],
    handler: Handler,
    *,
    path: str,
    duplicates: Duplicates | None = None,
    clock: Callable[[], float] | None = None,
) -> APIRouter:
    """Creates a router for the endpoints of the receiver, for `app.include_router`; see `callbacks.asgi`.

    Args:
        receiver: As for `callbacks.asgi`.
        handler: As for `callbacks.asgi`.
        path: The path of the public URL of the receiver, such as "/hooks".
        duplicates: As for `callbacks.asgi`.
        clock: As for `callbacks.asgi`.

    Raises:
        cpaas.Invalid: An argument is invalid.
    """
    path = text("path", path)
    # Routers serve an ASGI application too, which the annotation of `add_route` leaves out.
    application: Any = asgi(receiver, handler, duplicates=duplicates, clock=clock)
    routes = APIRouter()
    for route in (path, path.rstrip("/") + "/{rest:path}"):
        routes.add_route(route, application, include_in_schema=False)
    return routes
