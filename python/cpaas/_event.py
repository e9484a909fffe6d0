"""Events of calls, for hooks and logs."""

from __future__ import annotations

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
    name = "/".join(part for part in pointer.split("/") if not part.isdigit())
    if logging is None or (operation, name) in _logged or len(_logged) >= _MAX_LOGGED:
        return
    _logged.add((operation, name))
    logging.getLogger("cpaas").warning("%s: %s: %s", operation, pointer, message)


class Event:
    """The end of a call. It contains no message text, phone number, code or key.

    Attributes:
        operation: The id of the operation.
        outcome: The outcome, or "abandoned".
        sent: Whether the request was sent: "no", "maybe" or "yes".
        reason: The cause of an error, such as "connect".
        status: The HTTP status of the response.
        attempts: The number of attempts.
        elapsed: Seconds.
        reference: Your reference of the message.
    """

    __slots__ = ("attempts", "elapsed", "operation", "outcome", "reason", "reference", "sent", "status")

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
    ) -> None:
        self.operation = operation
        self.outcome = outcome
        self.sent = sent
        self.reason = reason
        self.status = status
        self.attempts = attempts
        self.elapsed = elapsed
        self.reference = reference

    def __str__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        return (
            f"{self.operation}: {self.outcome}{why}, sent: {self.sent}, "
            f"attempts: {self.attempts}, {self.elapsed * 1000:.1f} ms"
        )

    def __repr__(self) -> str:
        return f"<cpaas.Event {self}>"


def observer(
    on_outcome: abc.Callable[[Event], typing.Any] | None, modules: dict[str, typing.Any]
) -> tuple[abc.Callable[..., None], abc.Callable[[int], bool] | None] | None:
    """Returns the function that receives every event, or None if there is no hook and `logging` is not imported.

    The second item is a function that returns whether a level is enabled. It is None if there is a hook, which receives every event.
    """
    logging = modules.get("logging")
    if on_outcome is None and logging is None:
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
        if on_outcome is not None:
            on_outcome(event)

    return observe, logger.isEnabledFor if on_outcome is None and logger is not None else None
