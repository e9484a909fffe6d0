"""Events of calls, for hooks and logs."""

from __future__ import annotations

from ._cpaas import printable
from ._public import public_methods

TYPE_CHECKING = False
if TYPE_CHECKING:
    import typing
    from collections import abc
else:
    from ._lazy import abc, typing


_logged: set[tuple[str, str]] = set()
_MAX_LOGGED = 10_000


def log_unknown(operation: str, pointer: str, message: str) -> None:
    """Logs an undocumented member of a request at WARNING, once for each name; called by the native module."""
    from sys import modules

    logging = modules.get("logging")
    pointer = printable(pointer, 200)
    name = "/".join(part for part in pointer.split("/") if not part.isdigit())
    if logging is None or (operation, name) in _logged or len(_logged) >= _MAX_LOGGED:
        return
    _logged.add((operation, name))
    logging.getLogger("cpaas").warning("%s: %s: %s", operation, pointer, message)


@public_methods
class Event:
    """The end of a call. It contains no message text, phone number, passcode or key.

    Attributes:
        operation: The id of the operation.
        outcome: The outcome; "not_verified" for a passcode that is wrong, expired, cancelled or already used; or "abandoned".
        sent: Whether the request was sent: "no", "maybe" or "yes".
        reason: The cause of an error, such as "connect"; "not_verified" for a passcode that is not valid.
        status: The HTTP status of the response.
        attempts: The number of attempts.
        elapsed: Seconds.
        reference: Your reference of the message.
        call_id: The number of the call in this process. The events of the requests of the call have the same number.
    """

    __slots__ = (
        "attempts",
        "call_id",
        "elapsed",
        "operation",
        "outcome",
        "reason",
        "reference",
        "sent",
        "status",
    )

    def __init__(
        self,
        operation: str,
        outcome: str,
        sent: str,
        reason: str | None = None,
        status: int | None = None,
        attempts: int = 0,
        elapsed: float = 0.0,
        reference: str | None = None,
        call_id: int = 0,
    ) -> None:
        self.operation = operation
        self.outcome = outcome
        self.sent = sent
        self.reason = reason
        self.status = status
        self.attempts = attempts
        self.elapsed = elapsed
        self.reference = reference
        self.call_id = call_id

    def __str__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        return (
            f"{self.operation}: {self.outcome}{why}, sent: {self.sent}, "
            f"attempts: {self.attempts}, {self.elapsed * 1000:.1f} ms"
        )

    def __repr__(self) -> str:
        return f"<cpaas.Event {self}>"


@public_methods
class RequestEvent:
    """One HTTP request of a call, before it is sent. It contains no message text, phone number, passcode or key.

    Attributes:
        call_id: The number of the call in this process. All events of the call have the same number.
        operation: The id of the operation.
        attempt: The number of the attempt, from 1.
        method: The HTTP method.
        url: The URL without secrets: members of the path appear as `{name}`, values of the query as `REDACTED`.
        is_lookup: Whether the request looks the call up in the records of the provider, after an unknown outcome.
    """

    __slots__ = ("attempt", "call_id", "is_lookup", "method", "operation", "url")

    def __init__(
        self,
        call_id: int,
        operation: str,
        attempt: int = 1,
        method: str = "POST",
        url: str = "",
        is_lookup: bool = False,
    ) -> None:
        self.call_id = call_id
        self.operation = operation
        self.attempt = attempt
        self.method = method
        self.url = url
        self.is_lookup = is_lookup

    def __repr__(self) -> str:
        return f"<cpaas.{type(self).__name__} {self.operation}: attempt {self.attempt}, {self.method} {self.url}>"


@public_methods
class ResponseEvent(RequestEvent):
    """The HTTP response to one request of a call. A request without a response, for example because the
    connection failed, has no such event.

    Attributes:
        status: The HTTP status.
        elapsed: Seconds from the request to the end of the response.

    It also has the attributes of `RequestEvent`.
    """

    __slots__ = ("elapsed", "status")

    def __init__(
        self,
        call_id: int,
        operation: str,
        attempt: int = 1,
        method: str = "POST",
        url: str = "",
        is_lookup: bool = False,
        *,
        status: int = 200,
        elapsed: float = 0.0,
    ) -> None:
        super().__init__(call_id, operation, attempt, method, url, is_lookup)
        self.status = status
        self.elapsed = elapsed


class Hooks:
    """One set of hooks. A client has one set from its settings, and one more for each instrumentation."""

    __slots__ = ("on_outcome", "on_request", "on_response")

    def __init__(
        self,
        on_outcome: abc.Callable[[Event], typing.Any] | None = None,
        on_request: abc.Callable[[RequestEvent], typing.Any] | None = None,
        on_response: abc.Callable[[ResponseEvent], typing.Any] | None = None,
    ) -> None:
        self.on_outcome = on_outcome
        self.on_request = on_request
        self.on_response = on_response


def native_functions(hooks: tuple[Hooks, ...], modules: dict[str, typing.Any]) -> NativeHooks | None:
    """Returns the functions that the native module calls, or None if there is no hook and `logging` is not imported."""
    native = NativeHooks()
    for it in hooks:
        for name in ("on_outcome", "on_request", "on_response"):
            hook = getattr(it, name)
            if hook is not None:
                getattr(native, name).append(hook)
    logging = modules.get("logging")
    if logging is not None:
        logger = logging.getLogger("cpaas")
        if not logger.handlers:  # a library must not print by default
            logger.addHandler(logging.NullHandler())
        native.is_enabled = logger.isEnabledFor
        native.log = lambda level, event: logger.log(level, "%s", event, extra={"cpaas": event})
    elif not (native.on_outcome or native.on_request or native.on_response):
        return None
    return native


class NativeHooks:
    """The hooks of all sets, and the functions that log an outcome; the native module calls each of them."""

    __slots__ = ("is_enabled", "log", "on_outcome", "on_request", "on_response", "run")

    def __init__(self) -> None:
        self.log: abc.Callable[[int, Event], None] | None = None
        self.is_enabled: abc.Callable[[int], bool] | None = None
        self.on_outcome: list[abc.Callable[[Event], typing.Any]] = []
        self.on_request: list[abc.Callable[[RequestEvent], typing.Any]] = []
        self.on_response: list[abc.Callable[[ResponseEvent], typing.Any]] = []
        self.run = None


def log_failure(operation: str, error: BaseException) -> None:
    """Logs the exception of a hook; called by the native module."""
    from sys import modules

    if (logging := modules.get("logging")) is not None:
        logging.getLogger("cpaas").error("%s: a hook failed", operation, exc_info=error)


def is_from_signal_handler(error: BaseException) -> bool:
    """Whether the handler of a signal raised an exception, in any function that it interrupted; called by the native module."""
    from sys import modules

    signal = modules.get("signal")
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


def _code(handler: typing.Any) -> typing.Any:
    """The code of a function, a method, a partial function or a callable object; None if it is not written in Python."""
    handler = getattr(handler, "func", handler)
    return getattr(handler, "__code__", None) or getattr(type(handler).__call__, "__code__", None)
