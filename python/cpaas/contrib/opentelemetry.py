"""Spans of OpenTelemetry: one for each call of a client."""

from __future__ import annotations

from threading import Lock
from time import time_ns
from typing import Any
from urllib.parse import urlsplit

from . import missing

try:
    from opentelemetry import trace
except ImportError as _error:
    raise missing("opentelemetry", "opentelemetry-api") from _error

import cpaas

from .._base_client import BaseClient
from .._cpaas import __version__
from .._errors import bad_type
from .._events import Event, RequestEvent, ResponseEvent
from .._hooks import Hooks
from .._public import public

# Calls whose end is never reported, for example because the process forked, must not accumulate.
_MAX_CALLS = 100_000


class _Call:
    """The last request and the status of a call that has not ended."""

    __slots__ = ("request", "status")

    def __init__(self, request: RequestEvent) -> None:
        self.request = request
        self.status: int | None = None


class _Instrument(Hooks):
    """Collects the requests and responses of calls, and creates the span of a call at its end."""

    __slots__ = ("_calls", "_lock", "_tracer")

    def __init__(self, tracer: Any) -> None:
        super().__init__(self._end, self._request, self._response)
        self._tracer = tracer
        self._calls: dict[int, _Call] = {}
        self._lock = Lock()

    def _request(self, event: RequestEvent) -> None:
        if not event.is_lookup:
            with self._lock:
                self._calls.setdefault(event.call_id, _Call(event)).request = event
                if len(self._calls) > _MAX_CALLS:
                    del self._calls[next(iter(self._calls))]

    def _response(self, event: ResponseEvent) -> None:
        with self._lock:
            call = self._calls.get(event.call_id)
            if call is not None and not event.is_lookup:
                call.status = event.status

    def _end(self, event: Event) -> None:
        end = time_ns()
        with self._lock:
            call = self._calls.pop(event.call_id, None)
        span = self._tracer.start_span(
            event.operation if call is None else f"{call.request.method} {urlsplit(call.request.url).path}",
            kind=trace.SpanKind.CLIENT,
            attributes=_attributes(event, call),
            start_time=end - int(event.elapsed * 1e9),
        )
        if event.outcome != "accepted":
            span.set_status(trace.StatusCode.ERROR)
        span.end(end)


def _attributes(event: Event, call: _Call | None) -> dict[str, Any]:
    """The attributes of a span, with the names of the semantic conventions for HTTP clients."""
    found: dict[str, Any] = {
        "cpaas.operation": event.operation,
        "cpaas.outcome": event.outcome,
        "cpaas.attempts": event.attempts,
        "cpaas.sent": event.sent,
    }
    if event.reason is not None:
        found["cpaas.reason"] = event.reason
    status = None
    if call is not None:
        address = urlsplit(call.request.url)
        status = call.status
        found["http.request.method"] = call.request.method
        found["url.full"] = call.request.url
        found["server.address"] = address.hostname or ""
        found["server.port"] = address.port or (443 if address.scheme == "https" else 80)
        if status is not None:
            found["http.response.status_code"] = status
        if event.attempts > 1:
            found["http.request.resend_count"] = event.attempts - 1
    if event.outcome != "accepted":
        is_error = status is not None and status >= 400
        found["error.type"] = str(status) if is_error else event.reason or event.outcome
    return found


@public
def instrument(client: cpaas.Client | cpaas.AsyncClient, *, tracer_provider: Any = None) -> None:
    """Creates a span for each call that a client starts from now on.

    The parent is the span that is current where the call is made, even under asyncio. A span has the attributes of the
    semantic conventions for HTTP clients (`http.request.method`, `server.address`, `server.port`,
    `http.response.status_code`, `url.full` without secrets, `error.type`) and `cpaas.operation`, `cpaas.outcome`,
    `cpaas.attempts`, `cpaas.sent` and `cpaas.reason`. It contains no message text, phone number, passcode or key.

    Args:
        client: A `Client` or an `AsyncClient`. Clients that `with_options` makes from it later are instrumented too.
            A client that is instrumented already does not change.
        tracer_provider: The provider of the tracer; the global one when absent.
    """
    if not isinstance(client, BaseClient):
        raise bad_type(f"client must be a cpaas.Client or cpaas.AsyncClient, got {type(client).__name__}")
    if any(isinstance(it, _Instrument) for it in client._instruments):
        return
    tracer = trace.get_tracer("cpaas", __version__, tracer_provider)
    client._instrument((*client._instruments, _Instrument(tracer)))


@public
def uninstrument(client: cpaas.Client | cpaas.AsyncClient) -> None:
    """Stops creating spans for the calls of a client. Calls that have started still get one. Idempotent."""
    client._instrument(tuple(it for it in client._instruments if not isinstance(it, _Instrument)))
