"""Events of calls, for hooks and logs."""

from __future__ import annotations

from ._cpaas import printable

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


def native_functions(
    hooks: tuple[Hooks, ...], modules: dict[str, typing.Any]
) -> tuple[abc.Callable[..., None], abc.Callable[[int], bool] | None, abc.Callable[..., None] | None] | None:
    """Returns the functions that the native module calls, or None if there is no hook and `logging` is not imported.

    The first one receives every outcome. The second one returns whether a level is enabled, and is None if a hook needs every
    outcome. The third one receives requests and responses, and is None if no hook needs them.
    """
    logging = modules.get("logging")
    on_outcome = [it.on_outcome for it in hooks if it.on_outcome is not None]
    on_request = [it.on_request for it in hooks if it.on_request is not None]
    on_response = [it.on_response for it in hooks if it.on_response is not None]
    if not (on_outcome or on_request or on_response) and logging is None:
        return None
    logger = None
    if logging is not None:
        logger = logging.getLogger("cpaas")
        if not logger.handlers:  # a library must not print by default
            logger.addHandler(logging.NullHandler())

    def observe(level: int, *members: typing.Any) -> None:
        event = Event(*members)
        if logger is not None and logger.isEnabledFor(level):
            logger.log(level, "%s", event, extra={"cpaas": event})
        _run(on_outcome, event)

    def report(request: tuple[typing.Any, ...], response: tuple[int, float] | None) -> None:
        if response is None:
            _run(on_request, RequestEvent(*request))
        else:
            _run(on_response, ResponseEvent(*request, status=response[0], elapsed=response[1]))

    is_enabled = logger.isEnabledFor if logger is not None and not on_outcome else None
    return observe, is_enabled, report if on_request or on_response else None


def _run(hooks: list[abc.Callable[[typing.Any], typing.Any]], event: typing.Any) -> None:
    """Calls all hooks. Logs their exceptions, and raises the first exception at the end, for `sys.unraisablehook`."""
    failed = None
    for hook in hooks:
        try:
            hook(event)
        except Exception as error:
            from sys import modules

            if (logging := modules.get("logging")) is not None:
                logging.getLogger("cpaas").error("%s: a hook failed", event.operation, exc_info=error)
            failed = failed or error
    if failed is not None:
        raise failed
