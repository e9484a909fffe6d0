"""OpenTelemetry: spans of calls and of their HTTP requests, and the duration of the requests."""

from __future__ import annotations

from threading import Lock
from time import time_ns
from typing import Any
from urllib.parse import urlsplit

from ._missing import missing

try:
    from opentelemetry import metrics, trace
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
except ImportError as _error:
    raise missing("opentelemetry", "opentelemetry-api") from _error

import cpaas

from .._base_client import BaseClient
from .._cpaas import __version__
from .._errors import bad_type
from .._events import Event, RequestEvent
from .._public import public

# The version of the semantic conventions in which those for HTTP became stable.
_SCHEMA_URL = "https://opentelemetry.io/schemas/1.23.1"

# The boundaries that the semantic conventions recommend, in seconds.
_BOUNDARIES = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10)

# Calls whose end is never reported, for example because the process forked, must not accumulate.
_MAX_CALLS = 100_000

_PROPAGATOR = TraceContextTextMapPropagator()


class _Request:
    """The span of a request that has not ended, and the attributes of its duration."""

    __slots__ = ("attributes", "context", "span")

    def __init__(self, span: trace.Span, context: Any, attributes: dict[str, Any]) -> None:
        self.span = span
        self.context = context
        self.attributes = attributes


class _Call:
    """The span of a call that has not ended, and its current request."""

    __slots__ = ("context", "request", "span")

    def __init__(self, span: trace.Span) -> None:
        self.span = span
        self.context = trace.set_span_in_context(span)
        self.request: _Request | None = None


class _Instrument:
    """Creates the spans of the calls of a client. The hooks of a call run in the context of its caller."""

    __slots__ = ("_calls", "_duration", "_lock", "_tracer")

    def __init__(self, tracer_provider: Any, meter_provider: Any) -> None:
        self._tracer = trace.get_tracer("cpaas", __version__, tracer_provider, _SCHEMA_URL)
        meter = metrics.get_meter("cpaas", __version__, meter_provider, _SCHEMA_URL)
        self._duration = meter.create_histogram(
            "http.client.request.duration",
            unit="s",
            description="Duration of HTTP client requests.",
            explicit_bucket_boundaries_advisory=_BOUNDARIES,
        )
        self._calls: dict[str, _Call] = {}
        self._lock = Lock()

    def start_request(self, event: RequestEvent) -> str | None:
        with self._lock:
            call = self._calls.get(event.call_id)
        if call is None:
            call = self._start_call(event.operation, event.call_id, None)
            with self._lock:
                self._calls[event.call_id] = call
                oldest = self._calls.pop(next(iter(self._calls))) if len(self._calls) > _MAX_CALLS else None
            if oldest is not None:
                _end(oldest)
        target = _target(event.url)
        attributes = _request_attributes(event)
        shown = {
            **attributes,
            "url.full": event.url,
            "cpaas.operation": event.operation,
            "cpaas.call_id": event.call_id,
        }
        if target:
            shown["url.template"] = target
        if event.is_lookup:
            shown["cpaas.is_lookup"] = True
        elif event.attempt > 1:
            shown["http.request.resend_count"] = event.attempt - 1
        span = self._tracer.start_span(
            f"{event.method} {target}".rstrip(),
            context=call.context,
            kind=trace.SpanKind.CLIENT,
            attributes=shown,
        )
        context = trace.set_span_in_context(span, call.context)
        call.request = _Request(span, context, attributes)
        headers: dict[str, str] = {}
        _PROPAGATOR.inject(headers, context)
        # Neither the `tracestate` of other vendors nor the baggage of the program is for the provider.
        return headers.get("traceparent")

    def end_request(self, call_id: str, status: int | None, reason: str | None, elapsed: float) -> None:
        with self._lock:
            call = self._calls.get(call_id)
        if call is None or call.request is None:
            return
        request, call.request = call.request, None
        found: dict[str, Any] = {}
        if status is not None:
            found["http.response.status_code"] = status
            found["network.protocol.version"] = "1.1"
        if reason is not None or (status is not None and status >= 400):
            found["error.type"] = reason or str(status)
            request.span.set_status(trace.StatusCode.ERROR)
        request.span.set_attributes(found)
        request.span.end()
        self._duration.record(elapsed, {**request.attributes, **found}, request.context)

    def end_call(self, event: Event) -> None:
        end = time_ns()
        with self._lock:
            call = self._calls.pop(event.call_id, None)
        if call is None:
            call = self._start_call(event.operation, event.call_id, end - int(event.elapsed * 1e9))
        found: dict[str, Any] = {
            "cpaas.outcome": event.outcome,
            "cpaas.attempts": event.attempts,
            "cpaas.sent": event.sent,
        }
        if event.reason is not None:
            found["cpaas.reason"] = event.reason
        if event.outcome != "accepted":
            found["error.type"] = event.reason or event.outcome
            call.span.set_status(trace.StatusCode.ERROR)
        call.span.set_attributes(found)
        _end(call, end)

    def _start_call(self, operation: str, call_id: str, start: int | None) -> _Call:
        attributes = {"cpaas.operation": operation, "cpaas.call_id": call_id}
        return _Call(self._tracer.start_span(operation, attributes=attributes, start_time=start))


def _end(call: _Call, end: int | None = None) -> None:
    """Ends the span of a call, and that of its request if it was abandoned."""
    if call.request is not None:
        request, call.request = call.request, None
        request.span.set_attribute("error.type", "cancelled")
        request.span.set_status(trace.StatusCode.ERROR)
        request.span.end(end)
    call.span.end(end)


def _target(url: str) -> str:
    """The path with placeholders; empty for a raw call, whose path is unknown."""
    path = urlsplit(url).path
    return "" if path == "/REDACTED" else path


def _request_attributes(event: RequestEvent) -> dict[str, Any]:
    """The attributes that a span and the duration have in common."""
    address = urlsplit(event.url)
    return {
        "http.request.method": event.method,
        "server.address": address.hostname or "",
        "server.port": address.port or (443 if address.scheme == "https" else 80),
    }


@public
def instrument(
    client: cpaas.Client | cpaas.AsyncClient, *, tracer_provider: Any = None, meter_provider: Any = None
) -> None:
    """Creates spans for the calls that a client starts from now on, and measures their HTTP requests.

    A call has a span with the name of its operation. Each HTTP request of the call, such as that of a retry, has a span of its own
    below it, of the kind CLIENT, with the attributes of the semantic conventions for HTTP clients. The parent of the span of a call is the
    span that is current where the call is made, also under asyncio and in `send_many`. For the messages of a campaign it is
    the span that is current where the campaign is run.

    A request starts after its span, and its header `traceparent` contains the ids of the trace and of the span. The
    histogram `http.client.request.duration` has the duration of each request.

    Spans have the attributes `cpaas.operation` and `cpaas.call_id`, those of calls also `cpaas.outcome`, `cpaas.attempts`, `cpaas.sent` and
    `cpaas.reason`. They contain no message text, phone number, passcode, key or reference.

    Args:
        client: A `Client` or an `AsyncClient`. Clients that `with_options` makes from it later are instrumented too.
            A client that is instrumented already does not change.
        tracer_provider: The provider of the tracer; the global one when absent.
        meter_provider: The provider of the meter; the global one when absent.

    Raises:
        cpaas.InvalidType: `client` is not a client.
    """
    if not isinstance(client, BaseClient):
        raise bad_type(f"client must be a cpaas.Client or cpaas.AsyncClient, got {type(client).__name__}")
    if any(isinstance(it, _Instrument) for it in client._instruments):
        return
    client._instrument((*client._instruments, _Instrument(tracer_provider, meter_provider)))


@public
def uninstrument(client: cpaas.Client | cpaas.AsyncClient) -> None:
    """Stops creating spans for the calls of a client. Calls that have started still get theirs. Idempotent.

    Args:
        client: The client.
    """
    client._instrument(tuple(it for it in client._instruments if not isinstance(it, _Instrument)))
