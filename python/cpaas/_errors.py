"""The exceptions, one for each outcome of a call except accepted, and the problems that they and reports contain.

    Error
    ├── Invalid (also a ValueError)
    │   └── InvalidType (also a TypeError)
    ├── Rejected
    │   ├── Unauthorized, Forbidden, RateLimited
    │   └── LimitExists, UnknownLimit, WorkflowExists, UnknownWorkflow
    ├── TransportError
    │   ├── NotSent
    │   │   ├── NotSentTimeout (also a TimeoutError)
    │   │   └── ClientClosed (also a RuntimeError)
    │   ├── OutcomeUnknown
    │   │   └── OutcomeUnknownTimeout (also a TimeoutError)
    │   └── AcceptedIdUnknown
    │       └── AcceptedIdUnknownTimeout (also a TimeoutError)
    ├── CampaignError
    ├── MarkupError, TextError (also a ValueError; in `_text`)
    └── CallbackRejected (in `callbacks`)

`__module__` names the module that users import. Annotations of classes are therefore no strings: `typing.get_type_hints` would
evaluate strings in that module.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, cast, get_args

from ._cpaas import printable
from ._generated.names import CampaignReason, Outcome, Reason, RejectionReason, SentState, Severity
from ._generated.provider_codes import (
    LIMIT_EXISTS,
    PROVIDER_CODES,
    UNKNOWN_LIMIT,
    UNKNOWN_WORKFLOW,
    WORKFLOW_EXISTS,
)
from ._public import public, public_methods

_REASONS = frozenset(get_args(Reason))


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Problem:
    """A problem that validation found. `params` and `fix` may contain input, so repr and str omit them.

    Attributes:
        pointer: The place in the request, as a JSON pointer (RFC 6901) with the names of the specification, such as "/to/0";
            empty for the request.
        code: The code, such as "sms.to.required"; `docs/problems.md` lists them.
        severity: "error" breaks a rule of the specification; "warning" is allowed, but probably not intended; "info" is a hint, and
            requires no change.
        message: What is expected, then what was found. It never quotes the request.
        params: The values of the message, such as `limit` and `actual`.
        fix: A correction: a replacement of the value at `pointer`, or another name of the member; None if there is none.
        argument: The argument of the method that has the problem, such as "from_"; None if no method made the request.
    """

    __module__ = "cpaas"

    pointer: str
    code: str
    severity: Severity
    message: str
    params: dict[str, Any] = field(default_factory=dict)
    fix: dict[str, Any] | None = None
    argument: str | None = None

    def __str__(self) -> str:
        place = printable(self.argument or self.pointer or "the request", 200)
        return f"{place}: {printable(self.message)} [{self.code}]"

    def __repr__(self) -> str:
        return f"Problem({printable(self.pointer, 200)!r}, {self.code!r}, {printable(self.message)!r})"

    def __hash__(self) -> int:
        return hash((self.pointer, self.code))


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Report:
    """The result of validation. It is true if there are no errors. Iteration yields all problems.

    Attributes:
        ok: Whether there are no errors.
        errors: The problems with the severity "error".
        warnings: The problems with the severity "warning" or "info".
    """

    __module__ = "cpaas"

    ok: bool
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    def problem_details(self, **members: Any) -> dict[str, Any]:
        """Returns problem details (RFC 9457), the body of a response of the type `application/problem+json`.

        The status is 422, or 200 if there are no errors. Each problem has a `pointer` as a fragment of a URI (`#/text`), `detail`,
        `code` and `severity`.

        Args:
            members: Members to add or replace, such as `type` and `instance`; `errors` and `warnings` are not replaced.
        """
        errors, warnings = len(self.errors), len(self.warnings)
        title, status = ("Unprocessable Content", 422) if errors else ("OK", 200)
        return {
            "type": "about:blank",
            "title": title,
            "status": status,
            "detail": f"{_quantity(errors, 'error')}, {_quantity(warnings, 'warning')}",
            **members,
            "errors": [_details(problem) for problem in self.errors],
            "warnings": [_details(problem) for problem in self.warnings],
        }

    def __bool__(self) -> bool:
        return self.ok

    def __iter__(self) -> Iterator[Problem]:
        yield from self.errors
        yield from self.warnings

    def __len__(self) -> int:
        return len(self.errors) + len(self.warnings)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Report) else NotImplemented

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        errors, warnings = _quantity(len(self.errors), "error"), _quantity(len(self.warnings), "warning")
        return f"<cpaas.Report: {errors}, {warnings}>"


def _quantity(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _details(problem: Problem) -> dict[str, str]:
    # Costs some milliseconds, and few programs need problem details.
    from urllib.parse import quote

    return {
        "pointer": "#" + quote(problem.pointer, safe="/!~*'()"),
        "detail": problem.message,
        "code": problem.code,
        "severity": problem.severity,
    }


class ProviderCode(NamedTuple):
    """A code of the provider.

    Attributes:
        family: The family of the operation, or "report" for the error codes of delivery reports.
        code: The code.
        meaning: The meaning of the code.
        advice: The advice for the caller.
        source: "specification", or the assumption of the sandbox, such as "D27".
    """

    family: str
    code: int
    meaning: str
    advice: str
    source: str


ProviderCode.__module__ = "cpaas"


@public_methods
class Error(Exception):
    """The base class of all errors of this package.

    Attributes:
        outcome: "invalid", "rejected", "not_sent", "unknown" or "accepted_id_unknown"; None for errors without a call.
        sent: Whether the request reached the provider: "no", "maybe" or "yes".
        processed: Whether the request took effect: "no", "maybe" or "yes". Read-only. A rejection reached the provider, so `sent` is
            "yes", but it has no effect. If the provider itself failed, `processed` is "maybe": after a rejection with a status from
            500 to 599, and of an `otp` operation also with a code of 500 and more.
        retryable: Whether the same request with the same settings may succeed later and cannot act twice. Read-only. After a rate
            limit, wait for `retry_after` first.
        reason: The cause, such as "connect", "timeout" or "http": one of `cpaas.types.Reason`, or of `cpaas.types.CampaignReason` for a
            `CampaignError`, or of `cpaas.types.RejectionReason` for a `CallbackRejected`. Read-only.
        reason_name: The same as `reason`. If a newer version of this package stored the error of a call, with a reason that this
            version does not know, `reason` is "other" and `reason_name` is the name. Read-only.
        operation: The id of the operation.
        message: The cause, whether the request was sent, and what to do.
        status: The HTTP status of the response.
        code: The code of the provider.
        provider_message: The message of the provider.
        request_id: The id of the request at the provider.
        evidence: The findings in the records of the provider after an unknown outcome.
        retry_after_ms: The delay before a retry, in milliseconds.
        attempts: The number of attempts.
        call_id: The id of the call: 32 hexadecimal digits, the same as in its log lines, in the events of hooks and in spans. None for an
            error without a call.
        reference: Your reference of the message.
        problems: All problems of an invalid request; for any other outcome, the warnings of validation.
    """

    __module__ = "cpaas"

    outcome: Outcome | None = None
    sent: SentState = "no"
    operation: str = ""
    message: str = ""
    status: int | None = None
    code: int | None = None
    provider_message: str | None = None
    request_id: str | None = None
    evidence: str | None = None
    retry_after_ms: int | None = None
    attempts: int = 0
    call_id: str | None = None
    reference: str | None = None
    problems: tuple[Problem, ...] = ()

    def __init__(self, *args: object, **members: Any) -> None:
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
    _processed: SentState = "no"
    _retryable: bool = False
    _reason: str | None = None

    @property
    def reason(self) -> Reason | CampaignReason | RejectionReason | None:
        """The cause, such as "connect", "timeout" or "http"."""
        return cast("Reason | CampaignReason | RejectionReason | None", self.reason_name)

    @property
    def reason_name(self) -> str | None:
        """The same as `reason`; the name of a reason that this version does not know."""
        found: str | None = self.__dict__.get("reason", self._reason)
        return found

    @property
    def processed(self) -> SentState:
        """Whether the request took effect: "no", "maybe" or "yes"."""
        found: SentState = self.__dict__.get("processed", self._processed)
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
        row = _code_of_operation(self.operation, self.code)
        return None if row is None else row.meaning

    @property
    def retry_after(self) -> float | None:
        """The delay before a retry that the provider requests, in seconds."""
        return None if self.retry_after_ms is None else self.retry_after_ms / 1000

    def __setstate__(self, state: dict[str, Any] | None) -> None:
        # Not by `setattr`, because `reason`, `processed` and `retryable` are properties.
        self.__dict__.update(state or {})


def _reason_of_call(error: Error) -> Reason | None:
    """The reason of the error of a call, whose reasons are those of the core."""
    name = error.reason_name
    return cast("Reason | None", name if name is None or name in _REASONS else "other")


class Invalid(Error, ValueError):
    """The request is invalid; nothing was sent. `problems` contains all problems."""

    __module__ = "cpaas"

    outcome: Outcome | None = "invalid"
    _reason: str | None = "validation"

    @property
    def reason(self) -> Reason | None:
        """The cause, such as "connect", "timeout" or "http"."""
        return _reason_of_call(self)


class InvalidType(Invalid, TypeError):
    """Arguments, or members of a request, have a wrong type, and nothing else is wrong with them; nothing was sent."""

    __module__ = "cpaas"


class Rejected(Error):
    """The provider rejected the request. If the provider itself failed, `processed` is "maybe": unless `retryable` is true, a second
    call may act twice."""

    __module__ = "cpaas"

    outcome: Outcome | None = "rejected"
    sent: SentState = "yes"
    _reason: str | None = "http"

    @property
    def reason(self) -> Reason | None:
        """The cause, such as "connect", "timeout" or "http"."""
        return _reason_of_call(self)


class Unauthorized(Rejected):
    """The key is missing or invalid (401)."""

    __module__ = "cpaas"

    status: int | None = 401


class Forbidden(Rejected):
    """Not allowed; for example, the IP address is not on the allow list (403)."""

    __module__ = "cpaas"

    status: int | None = 403


class RateLimited(Rejected):
    """The provider rejected the request because of a rate limit (429); `retry_after` is the requested delay."""

    __module__ = "cpaas"

    status: int | None = 429
    _retryable: bool = True


class LimitExists(Rejected):
    """A limit with this name exists (492)."""

    __module__ = "cpaas"

    code: int | None = LIMIT_EXISTS


class UnknownLimit(Rejected):
    """No limit has this id (493)."""

    __module__ = "cpaas"

    code: int | None = UNKNOWN_LIMIT


class WorkflowExists(Rejected):
    """A workflow with this name exists (495)."""

    __module__ = "cpaas"

    code: int | None = WORKFLOW_EXISTS


class UnknownWorkflow(Rejected):
    """No workflow has this id (499)."""

    __module__ = "cpaas"

    code: int | None = UNKNOWN_WORKFLOW


class TransportError(Error):
    """No response arrived that proves the outcome, or it lacks the id. The subclass is what is known about the request."""

    __module__ = "cpaas"

    @property
    def reason(self) -> Reason | None:
        """The cause, such as "connect", "timeout" or "http"."""
        return _reason_of_call(self)


class NotSent(TransportError):
    """The request was not processed: a retry cannot act twice. `retryable` is false if a retry cannot succeed either."""

    __module__ = "cpaas"

    outcome: Outcome | None = "not_sent"
    _retryable: bool = True


class NotSentTimeout(NotSent, TimeoutError):
    """Not sent because of a time limit."""

    __module__ = "cpaas"

    _reason: str | None = "timeout"


class ClientClosed(NotSent, RuntimeError):
    """Not sent because the client is closed."""

    __module__ = "cpaas"

    _reason: str | None = "closed"
    _retryable: bool = False


class OutcomeUnknown(TransportError):
    """The request may have been processed: unless `retryable` is true, a retry may send a second message. `evidence` contains the
    findings in the records of the provider."""

    __module__ = "cpaas"

    outcome: Outcome | None = "unknown"
    sent: SentState = "maybe"
    _processed: SentState = "maybe"


class OutcomeUnknownTimeout(OutcomeUnknown, TimeoutError):
    """The outcome is unknown because of a time limit."""

    __module__ = "cpaas"

    _reason: str | None = "timeout"


class AcceptedIdUnknown(TransportError):
    """Accepted, but the rest of the response was lost, or it has no id: do not call again."""

    __module__ = "cpaas"

    outcome: Outcome | None = "accepted_id_unknown"
    sent: SentState = "yes"
    _processed: SentState = "yes"


class AcceptedIdUnknownTimeout(AcceptedIdUnknown, TimeoutError):
    """Accepted, but the complete response did not arrive within a time limit: do not call again."""

    __module__ = "cpaas"

    _reason: str | None = "timeout"


class CampaignError(Error):
    """A campaign or its journal failed.

    `reason` names the cause: one of `cpaas.types.CampaignReason`, such as "no_campaign", "copied", "halted" or "key_reused".
    `outcome` is "invalid" for rows or settings that are refused.
    """

    __module__ = "cpaas"

    @property
    def reason(self) -> CampaignReason | None:
        """The cause, such as "no_campaign", "copied", "halted" or "key_reused"."""
        return cast("CampaignReason | None", self.reason_name)


_BY_STATUS: dict[Any, type[Rejected]] = {401: Unauthorized, 403: Forbidden, 429: RateLimited}
# Codes of the operations `otp.*`. Elsewhere these numbers mean something else.
_BY_OTP_CODE: dict[Any, type[Rejected]] = {
    **_BY_STATUS,
    LIMIT_EXISTS: LimitExists,
    UNKNOWN_LIMIT: UnknownLimit,
    WORKFLOW_EXISTS: WorkflowExists,
    UNKNOWN_WORKFLOW: UnknownWorkflow,
}
# The problems of members with a wrong type.
_TYPE_CODES = ("msg.field.type", "otp.list.type")
_OTHERS = {
    "not_sent": (NotSent, NotSentTimeout),
    "unknown": (OutcomeUnknown, OutcomeUnknownTimeout),
    "accepted_id_unknown": (AcceptedIdUnknown, AcceptedIdUnknownTimeout),
}


def from_record(record: dict[str, Any]) -> Error:
    """Creates the exception for an error record; called by the native module."""
    operation = record["operation"]
    record["problems"] = problems(record.get("problems", ()))
    text = f"{operation}: {record['message']}" if operation else record["message"]
    return _error(_class(record), (text,), record)


def campaign_error(reason: CampaignReason, message: str) -> Error:
    """Creates the exception for an error of a campaign; called by the native module."""
    outcome: Outcome | None = "invalid" if reason in ("setting", "source") else None
    message = printable(message)
    return _error(CampaignError, (message,), {"outcome": outcome, "reason": reason, "message": message})


def bad_value(message: str) -> Invalid:
    """Creates the exception for an argument with an invalid value; called by the native module."""
    return Invalid(printable(message))


def bad_type(message: str) -> InvalidType:
    """Creates the exception for an argument with a wrong type; called by the native module."""
    return InvalidType(printable(message))


def mistyped_setting(message: str) -> InvalidType:
    """Creates the exception for a setting with a wrong type; called by the native module."""
    return InvalidType(printable(message), reason="config")


def wrong_type(name: str, expected: str, value: Any) -> InvalidType:
    """The exception for an argument of a wrong type."""
    return bad_type(f"{name} must be {expected}, got {type_name(value)}")


def type_name(value: Any) -> str:
    """The name of the type of a value, for messages."""
    return "None" if value is None else type(value).__name__


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


def no_event_loop() -> RuntimeError:
    """The exception of a call outside of an asyncio event loop."""
    found = "no event loop"
    trio = sys.modules.get("trio")
    if trio is not None:
        try:
            trio.lowlevel.current_trio_token()
        except RuntimeError:
            pass
        else:
            found = "trio"
    return RuntimeError(
        f"cpaas.AsyncClient must be used in an asyncio event loop, got {found}; in trio use cpaas.Client, "
        "for example: await trio.to_thread.run_sync(lambda: client.sms.send(...))"
    )


def problems(found: tuple[dict[str, Any], ...]) -> tuple[Problem, ...]:
    """Creates problems from their records; called by the native module too."""
    return tuple(Problem(**record) for record in found)


def report(record: dict[str, Any]) -> Report:
    """Creates a report from its record."""
    return Report(ok=record["ok"], errors=problems(record["errors"]), warnings=problems(record["warnings"]))


def _class(record: dict[str, Any]) -> type[Error]:
    outcome = record["outcome"]
    if outcome == "invalid":
        errors = [problem for problem in record["problems"] if problem.severity == "error"]
        return InvalidType if errors and all(problem.code in _TYPE_CODES for problem in errors) else Invalid
    if outcome == "rejected":
        return _rejected(record)
    plain, timeout = _OTHERS[outcome]
    return timeout if record["reason"] in ("timeout", "deadline") else plain


def _rejected(record: dict[str, Any]) -> type[Error]:
    code, status = record.get("code"), record.get("status")
    cls = _BY_OTP_CODE.get(code) if str(record["operation"]).startswith("otp.") else None
    cls = cls or _BY_STATUS.get(status, Rejected)
    # The status 429 with a permanent code of the provider, such as that of an invalid passcode, is that rejection.
    return Rejected if cls is RateLimited and not record.get("retryable") else cls


def _error(cls: type[Error], args: tuple[Any, ...], members: dict[str, Any]) -> Error:
    error = cls(*args)
    error.__dict__.update(members)
    return error


@public
def provider_code(family: str, code: int) -> ProviderCode | None:
    """Returns the meaning of a code of the provider, or None if the table of `docs/provider-codes.md` does not have the code.

    Args:
        family: "otp", "sms", "lookup", "messaging", "messenger_b", "messenger_c"; "otp.verify" for a code that means something else
            there; or "report" for the error codes of delivery reports.
        code: The code, such as the `code` of an exception.

    Raises:
        cpaas.InvalidType: `family` is not a `str`, or `code` is not an `int`.
    """
    if not isinstance(family, str) or not isinstance(code, int):
        raise wrong_type(*(("code", "int", code) if isinstance(family, str) else ("family", "str", family)))
    row = PROVIDER_CODES.get((family, code))
    return None if row is None else ProviderCode(family, code, *row)


def meaning(operation: str, code: int | None) -> str | None:
    """The meaning of the code of a result."""
    row = None if code is None else _code_of_operation(operation, code)
    return None if row is None else row.meaning


def _code_of_operation(operation: str, code: int) -> ProviderCode | None:
    """Returns the meaning of a code in the response to an operation, such as `webhooks.messenger_b.set`."""
    group, _, rest = operation.partition(".")
    families = {"messages": "messaging", "webhooks": rest.partition(".")[0]}
    return provider_code(operation, code) or provider_code(families.get(group, group), code)
