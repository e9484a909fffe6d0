"""The exceptions: one for each outcome of a call except accepted. `__module__` is set to the module that users import."""

from __future__ import annotations

from ._cpaas import printable
from ._public import public_methods
from ._report import Problem, Report, problem_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import typing
else:
    from ._lazy import typing


@public_methods
class Error(Exception):
    """The base class of all errors of this package.

    Attributes:
        outcome: "invalid", "rejected", "not_sent", "unknown" or "accepted_id_unknown"; None for errors without a call.
        sent: Whether the request reached the provider: "no", "maybe" or "yes".
        processed: Whether the request took effect: "no", "maybe" or "yes". Read-only. A rejection reached the provider, so `sent` is
            "yes", but it has no effect; after a rejection with a status from 500 to 599, `processed` is "maybe".
        retryable: Whether the same request with the same settings may succeed later and cannot act twice. Read-only. After a rate
            limit, wait for `retry_after` first.
        reason: The cause, such as "connect", "timeout" or "http".
        operation: The id of the operation.
        message: The cause, whether the request was sent, and what to do.
        status: The HTTP status of the response.
        code: The code of the provider.
        provider_message: The message of the provider.
        request_id: The id of the request at the provider.
        evidence: The findings in the records of the provider after an unknown outcome.
        retry_after_ms: The delay before a retry, in milliseconds.
        attempts: The number of attempts.
        reference: Your reference of the message.
        problems: All problems of an invalid request; for any other outcome, the warnings of validation.
    """

    __module__ = "cpaas"

    outcome: str | None = None
    sent: str = "no"
    reason: str | None = None
    operation: str = ""
    message: str = ""
    status: int | None = None
    code: int | None = None
    provider_message: str | None = None
    request_id: str | None = None
    evidence: str | None = None
    retry_after_ms: int | None = None
    attempts: int = 0
    reference: str | None = None
    problems: tuple[Problem, ...] = ()

    def __init__(self, *args: object, **members: typing.Any) -> None:
        """`members` are attributes, so that a test can create the exception of any outcome.

        Unless they are given, `processed` and `retryable` are those that most exceptions of the class have.
        """
        super().__init__(*args)
        if "retry_after" in members:
            members["retry_after_ms"] = round(members.pop("retry_after") * 1000)
        for name in members:
            if not hasattr(type(self), name) or name.startswith("_"):
                raise TypeError(f"{type(self).__name__} got an unknown member {printable(name, 200)!r}")
        if args:
            members.setdefault("message", str(args[0]))
        self.__dict__.update(members)

    # The values of an exception without a record, by class.
    _processed: typing.Literal["no", "maybe", "yes"] = "no"
    _retryable: bool = False

    @property
    def processed(self) -> typing.Literal["no", "maybe", "yes"]:
        """Whether the request took effect: "no", "maybe" or "yes"."""
        found: typing.Literal["no", "maybe", "yes"] = self.__dict__.get("processed", self._processed)
        return found

    @property
    def retryable(self) -> bool:
        """Whether the same request with the same settings may succeed later and cannot act twice."""
        found: bool = self.__dict__.get("retryable", self._retryable)
        return found

    @property
    def code_meaning(self) -> str | None:
        """The meaning of the provider's code; None without a code, or if the table (`docs/provider-codes.md`) does not have it."""
        # The exceptions of calls contain the meaning. An exception that a test created has only the code.
        meaning: str | None = self.__dict__.get("code_meaning")
        if meaning is not None or self.code is None:
            return meaning
        from ._provider_code import of_operation

        row = of_operation(self.operation, self.code)
        return None if row is None else row.meaning

    @property
    def retry_after(self) -> float | None:
        """The delay before a retry that the provider requests, in seconds."""
        return None if self.retry_after_ms is None else self.retry_after_ms / 1000

    def __reduce__(self) -> typing.Any:
        return _error, (type(self), self.args, dict(self.__dict__))


if not TYPE_CHECKING:  # `typing.get_type_hints` looks names up in `cpaas`, which lacks `typing`, and `Problem` until its first use
    Error.__annotations__["problems"] = tuple[Problem, ...]
    Error.__annotations__["_processed"] = str


class Invalid(Error, ValueError):
    """The request is invalid; nothing was sent. `problems` contains all problems."""

    __module__ = "cpaas"

    outcome = "invalid"
    reason = "validation"


class InvalidType(Invalid, TypeError):
    """An argument has a wrong type; nothing was sent."""

    __module__ = "cpaas"


class Rejected(Error):
    """The provider rejected the request."""

    __module__ = "cpaas"

    outcome = "rejected"
    sent = "yes"
    reason = "http"


class Unauthorized(Rejected):
    """The key is missing or invalid (401)."""

    __module__ = "cpaas"

    status = 401


class Forbidden(Rejected):
    """Not allowed; for example, the IP address is not on the allow list (403)."""

    __module__ = "cpaas"

    status = 403


class RateLimited(Rejected):
    """The provider rejected the request because of a rate limit (429); `retry_after` is the requested delay."""

    __module__ = "cpaas"

    status = 429
    _retryable = True


class LimitExists(Rejected):
    """A limit with this name exists (492)."""

    __module__ = "cpaas"

    code = 492


class UnknownLimit(Rejected):
    """No limit has this id (493)."""

    __module__ = "cpaas"

    code = 493


class WorkflowExists(Rejected):
    """A workflow with this name exists (495)."""

    __module__ = "cpaas"

    code = 495


class UnknownWorkflow(Rejected):
    """No workflow has this id (499)."""

    __module__ = "cpaas"

    code = 499


class TransportError(Error):
    """There was no valid response."""

    __module__ = "cpaas"


class NotSent(TransportError):
    """The request was not processed: a retry cannot act twice. `retryable` is false if a retry cannot succeed either."""

    __module__ = "cpaas"

    outcome = "not_sent"
    _retryable = True


class NotSentTimeout(NotSent, TimeoutError):
    """Not sent because of a time limit."""

    __module__ = "cpaas"

    reason = "timeout"


class ClientClosed(NotSent, RuntimeError):
    """Not sent because the client is closed."""

    __module__ = "cpaas"

    reason = "closed"
    _retryable = False


class OutcomeUnknown(TransportError):
    """The request may have been processed: unless `retryable` is true, a retry may send a second message. `evidence` contains the
    findings in the records of the provider."""

    __module__ = "cpaas"

    outcome = "unknown"
    sent = "maybe"
    _processed = "maybe"


class OutcomeUnknownTimeout(OutcomeUnknown, TimeoutError):
    """The outcome is unknown because of a time limit."""

    __module__ = "cpaas"

    reason = "timeout"


class AcceptedIdUnknown(TransportError):
    """Accepted, but the response with the id was lost: do not retry."""

    __module__ = "cpaas"

    outcome = "accepted_id_unknown"
    sent = "yes"
    _processed = "yes"


class AcceptedIdUnknownTimeout(AcceptedIdUnknown, TimeoutError):
    """Accepted, but the complete response did not arrive within a time limit: do not retry."""

    __module__ = "cpaas"

    reason = "timeout"


class CampaignError(Error):
    """A campaign or its journal failed. `reason` names the cause: "open", "newer_version", "copied", "network_file_system",
    "disk_full", "disk", "journal", "replaced", "damaged", "no_campaign", "name_taken", "state", "purged", "source",
    "setting", "key_reused", "halted", "unreachable", "forked", "random" or "task". `outcome` is "invalid" for rows or settings that
    are refused."""

    __module__ = "cpaas"


_REJECTED = {
    401: Unauthorized,
    403: Forbidden,
    429: RateLimited,
    492: LimitExists,
    493: UnknownLimit,
    495: WorkflowExists,
    499: UnknownWorkflow,
}
_OTHERS = {
    "not_sent": (NotSent, NotSentTimeout),
    "unknown": (OutcomeUnknown, OutcomeUnknownTimeout),
    "accepted_id_unknown": (AcceptedIdUnknown, AcceptedIdUnknownTimeout),
}


def from_record(record: dict[str, typing.Any]) -> Error:
    """Creates the exception for an error record; called by the native module."""
    operation = record["operation"]
    record["problems"] = problems(record.get("problems", ()))
    text = f"{operation}: {record['message']}" if operation else record["message"]
    return _error(_class(record), (text,), record)


def campaign_error(reason: str, message: str) -> Error:
    """Creates the exception for an error of a campaign; called by the native module."""
    outcome = "invalid" if reason in ("setting", "source") else None
    message = printable(message)
    return _error(CampaignError, (message,), {"outcome": outcome, "reason": reason, "message": message})


def bad_value(message: str) -> Invalid:
    """Creates the exception for an argument with an invalid value; called by the native module."""
    return Invalid(printable(message))


def bad_type(message: str) -> InvalidType:
    """Creates the exception for an argument with a wrong type; called by the native module."""
    return InvalidType(printable(message))


def located(place: str, cause: Exception) -> Invalid:
    """Creates the exception for an argument that could not be read; called by the native module.

    `place` names the argument, or a part of it. `cause` is an exception of this package whose message does not name the
    argument yet, or an exception that an object of the caller raised.
    """
    if isinstance(cause, Invalid):
        error = type(cause)(printable(f"{place}: {cause}") if place else str(cause))
        error.__cause__ = cause.__cause__
        return error
    text = f"{place or 'a value'} must be readable, but reading it raised {type(cause).__name__}"
    error = bad_type(text) if isinstance(cause, TypeError) else bad_value(text)
    error.__cause__ = cause
    return error


def client_closed() -> ClientClosed:
    """Creates the exception of a call with a closed client; called by the native module."""
    return ClientClosed("not sent: the client is closed")


def interrupted(operation: str, sent: str) -> Error:
    """Creates the exception of a row of `send_many` that was interrupted. `sent` is "no", "maybe" or "accepted"."""
    if sent == "no":
        cls: type[Error] = NotSent
        text = "not sent: send_many was interrupted before this row was sent; it is safe to retry"
    elif sent == "accepted":
        cls, text = (
            AcceptedIdUnknown,
            "accepted, but send_many was interrupted before the id was read: do not retry",
        )
    else:
        cls = OutcomeUnknown
        text = "unknown: send_many was interrupted before this row ended; a retry may send a second message"
    return cls(f"{operation}: {text}", operation=operation, message=text, reason="interrupted")


def add_operation(error: Error, operation: str) -> None:
    """Adds the operation to an exception about an argument; called by the native module."""
    error.operation = error.operation or operation


def resource_missing(operation: str, cause: BaseException) -> NotSent:
    """Creates the exception for a call that lacks a resource, such as a file descriptor; called by the native module."""
    text = (
        f"not sent: a resource of the process could not be opened ({type(cause).__name__}): raise the limit of file "
        "descriptors or check the installation; it is safe to retry"
    )
    head = f"{operation}: " if operation else ""
    error = NotSent(head + text, operation=operation, message=text, reason="resources")
    error.__cause__ = cause
    return error


def problems(found: tuple[dict[str, typing.Any], ...]) -> tuple[Problem, ...]:
    """Creates problems from their records."""
    return tuple(map(problem_of, found))


def report(record: dict[str, typing.Any]) -> Report:
    """Creates a report from its record."""
    return Report(ok=record["ok"], errors=problems(record["errors"]), warnings=problems(record["warnings"]))


def _class(record: dict[str, typing.Any]) -> type[Error]:
    outcome = record["outcome"]
    if outcome == "invalid":
        return Invalid
    if outcome == "rejected":
        return _REJECTED.get(record.get("code"), _REJECTED.get(record.get("status"), Rejected))  # type: ignore[arg-type]
    plain, timeout = _OTHERS[outcome]
    return timeout if record["reason"] in ("timeout", "deadline") else plain


def _error(cls: type[Error], args: tuple[typing.Any, ...], members: dict[str, typing.Any]) -> Error:
    error = cls(*args)
    error.__dict__.update(members)
    return error
