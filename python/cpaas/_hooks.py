"""The hooks of a client, and the log of its calls."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, Protocol

from ._cpaas import printable
from ._events import Event, RequestEvent, ResponseEvent

_logged: set[tuple[str, str]] = set()
_MAX_LOGGED = 10_000


def log_mistake(operation: str, pointer: str, message: str) -> None:
    """Logs a probable mistake in a request at WARNING, once for each member; called by the native module.

    A program that has not imported `logging` sees it too, on stderr.
    """
    pointer = printable(pointer, 200)
    name = "/".join(part for part in pointer.split("/") if not part.isdigit())
    if (operation, name) in _logged or len(_logged) >= _MAX_LOGGED:
        return
    _logged.add((operation, name))
    # Costs some milliseconds, and few programs need it.
    import logging

    logging.getLogger("cpaas").warning("%s: %s: %s", operation, pointer, message)


def log_pages(operation: str, message: str) -> None:
    """Logs a warning about the pages of a list at WARNING; called by the native module."""
    logging = sys.modules.get("logging")
    if logging is not None:
        logging.getLogger("cpaas").warning("%s: %s", operation, message)


@dataclass(slots=True, repr=False)
class Hooks:
    """The hooks of the settings of a client."""

    on_outcome: Callable[[Event], Any] | None = None
    on_request: Callable[[RequestEvent], Any] | None = None
    on_response: Callable[[ResponseEvent], Any] | None = None


class Instrument(Protocol):
    """Creates spans for the calls of a client, also for those of `send_once` and of campaigns."""

    def start_request(self, event: RequestEvent) -> str | None:
        """Starts the span of a request; returns the value of its header `traceparent`. The request waits for it."""

    def end_request(self, call_id: str, status: int | None, reason: str | None, elapsed: float) -> None:
        """Ends the span of a request. `reason` is why it has no complete response. Not called for an abandoned request."""

    def end_call(self, event: Event) -> None:
        """Ends the span of a call."""


@dataclass(slots=True, repr=False)
class NativeHooks:
    """The hooks of a client and of its instrumentations, and the functions that log an outcome; the native module calls each of them."""

    log: Callable[[int, Event], None] | None = None
    is_enabled: Callable[[int], bool] | None = None
    on_outcome: list[Callable[[Event], Any]] = field(default_factory=list)
    on_request: list[Callable[[RequestEvent], Any]] = field(default_factory=list)
    on_response: list[Callable[[ResponseEvent], Any]] = field(default_factory=list)
    start_request: list[Callable[[RequestEvent], str | None]] = field(default_factory=list)
    end_request: list[Callable[[str, int | None, str | None, float], None]] = field(default_factory=list)
    end_call: list[Callable[[Event], None]] = field(default_factory=list)
    run: Callable[..., Any] | None = None


def native_functions(hooks: Hooks, instruments: tuple[Instrument, ...]) -> NativeHooks | None:
    """Returns the functions that the native module calls, or None if there is no hook and `logging` is not imported."""
    native = NativeHooks()
    for name in ("on_outcome", "on_request", "on_response"):
        hook = getattr(hooks, name)
        if hook is not None:
            getattr(native, name).append(hook)
    native.start_request = [it.start_request for it in instruments]
    native.end_request = [it.end_request for it in instruments]
    native.end_call = [it.end_call for it in instruments]
    logging = sys.modules.get("logging")
    if logging is not None:
        logger = logging.getLogger("cpaas")
        if not logger.handlers:  # a library must not print by default
            logger.addHandler(logging.NullHandler())
        native.is_enabled = logger.isEnabledFor
        native.log = lambda level, event: logger.log(level, "%s", event, extra={"cpaas": event})
    elif not (native.on_outcome or native.on_request or native.on_response or instruments):
        return None
    return native


def accepts_one(function: Callable[..., object]) -> bool:
    """Whether a function can be called with one argument, as far as its signature shows."""
    try:
        # A decorator may give the function below it more arguments.
        parameters = signature(function, follow_wrapped=False)
    except Exception:  # some functions of C have none, and annotations may not exist at run time
        return True
    try:
        parameters.bind(None)
    except TypeError:
        return False
    return True


def log_failure(operation: str, error: BaseException) -> None:
    """Logs the exception of a hook; called by the native module."""
    if (logging := sys.modules.get("logging")) is not None:
        logging.getLogger("cpaas").error("%s: a hook failed", operation, exc_info=error)


def log_store_failure(operation: str, kind: str) -> None:
    """Logs the type of the exception of a suppression store; called by the native module. Its text may contain a number."""
    if (logging := sys.modules.get("logging")) is not None:
        logging.getLogger("cpaas").error(
            "%s: the suppression store raised %s; nothing was sent", operation, kind
        )


def is_from_signal_handler(error: BaseException) -> bool:
    """Whether the handler of a signal raised an exception, in any function that it interrupted; called by the native module."""
    signal = sys.modules.get("signal")
    if signal is None:  # then Python has no handlers but its own
        return False
    codes = {_code(handler) for handler in map(signal.getsignal, signal.valid_signals()) if callable(handler)}
    codes.discard(None)
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code in codes:
            return True
        traceback = traceback.tb_next
    return False


def _code(handler: Any) -> Any:
    """The code of a function, a method, a partial function or a callable object; None if it is not written in Python."""
    handler = getattr(handler, "func", handler)
    return getattr(handler, "__code__", None) or getattr(type(handler).__call__, "__code__", None)
