"""Exceptions: one for each outcome of a call but accepted. They show themselves by the name they are imported by."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Problem:
    """One finding of validation. `params` and `fix` may hold input, so neither repr nor str shows them."""

    __module__ = "cpaas"

    __slots__ = ("argument", "code", "fix", "message", "params", "pointer", "severity")

    def __init__(
        self,
        *,
        pointer: str,
        code: str,
        severity: str,
        message: str,
        params: dict[str, Any] | None = None,
        fix: dict[str, Any] | None = None,
        argument: str | None = None,
    ) -> None:
        self.pointer = pointer
        self.code = code
        self.severity = severity
        self.message = message
        self.params = params or {}
        self.fix = fix
        self.argument = argument

    def __str__(self) -> str:
        return f"{self.argument or self.pointer or 'the request'}: {self.message} [{self.code}]"

    def __repr__(self) -> str:
        return f"Problem({self.pointer!r}, {self.code!r}, {self.message!r})"

    def _key(self) -> tuple[Any, ...]:
        return self.pointer, self.code, self.severity, self.message, self.params, self.fix, self.argument

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Problem) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.pointer, self.code))

    def __reduce__(self) -> tuple[Any, ...]:
        return _problem, ({name: getattr(self, name) for name in self.__slots__},)


class Report:
    """What validation found: truthy when there is no error, iterable over all problems."""

    __module__ = "cpaas"

    __slots__ = ("errors", "ok", "warnings")

    def __init__(self, *, ok: bool, errors: tuple[Problem, ...], warnings: tuple[Problem, ...]) -> None:
        self.ok = ok
        self.errors = errors
        self.warnings = warnings

    def __bool__(self) -> bool:
        return self.ok

    def __iter__(self) -> Iterator[Problem]:
        yield from self.errors
        yield from self.warnings

    def __len__(self) -> int:
        return len(self.errors) + len(self.warnings)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Report) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<cpaas.Report: {len(self.errors)} errors, {len(self.warnings)} warnings>"


class Error(Exception):
    """Every error of this package. The message says what happened, whether something was sent, what to do."""

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

    @property
    def retry_after(self) -> float | None:
        """Seconds after which the provider wants to be asked again."""
        return None if self.retry_after_ms is None else self.retry_after_ms / 1000

    def __reduce__(self) -> Any:
        return _error, (type(self), self.args, dict(self.__dict__))


class Invalid(Error, ValueError):
    """Our own rules refused it, all in `problems`; nothing left the machine."""

    __module__ = "cpaas"


class Rejected(Error):
    """The provider rejected it."""

    __module__ = "cpaas"


class Unauthorized(Rejected):
    """The key is missing or wrong (401)."""

    __module__ = "cpaas"


class Forbidden(Rejected):
    """Not allowed: the address is not whitelisted, for one (403)."""

    __module__ = "cpaas"


class RateLimited(Rejected):
    """The provider itself rejected the call for now (429); `retry_after` is the delay that it asks for."""

    __module__ = "cpaas"


class LimitExists(Rejected):
    """A limit with that name exists (492)."""

    __module__ = "cpaas"


class UnknownLimit(Rejected):
    """No limit has that id (493)."""

    __module__ = "cpaas"


class WorkflowExists(Rejected):
    """A workflow with that name exists (495)."""

    __module__ = "cpaas"


class UnknownWorkflow(Rejected):
    """No workflow has that id (499)."""

    __module__ = "cpaas"


class TransportError(Error):
    """The call did not come to an answer that can be read."""

    __module__ = "cpaas"


class NotSent(TransportError):
    """Proof that no byte of the request was processed: it is safe to try again."""

    __module__ = "cpaas"


class NotSentTimeout(NotSent, TimeoutError):
    """Not sent, because a time ran out."""

    __module__ = "cpaas"


class OutcomeUnknown(TransportError):
    """It may have been processed: look before sending again. `evidence` is what the provider's records show, if anything."""

    __module__ = "cpaas"


class OutcomeUnknownTimeout(OutcomeUnknown, TimeoutError):
    """A time ran out before the answer came; it may have been processed."""

    __module__ = "cpaas"


class AcceptedIdUnknown(TransportError):
    """Accepted, and the answer lost: do not send again."""

    __module__ = "cpaas"


class AcceptedIdUnknownTimeout(AcceptedIdUnknown, TimeoutError):
    """Accepted, and a time ran out before the answer was whole."""

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


def from_record(record: dict[str, Any]) -> Error:
    """The exception for an error record; called by the native module."""
    operation = record["operation"]
    record["problems"] = problems(record.get("problems", ()))
    text = f"{operation}: {record['message']}" if operation else record["message"]
    return _error(_class(record), (text,), record)


def problems(found: tuple[dict[str, Any], ...]) -> tuple[Problem, ...]:
    """Problems from their records."""
    return tuple(map(_problem, found))


def report(record: dict[str, Any]) -> Report:
    """A report from its record; called by the native module."""
    return Report(ok=record["ok"], errors=problems(record["errors"]), warnings=problems(record["warnings"]))


def _class(record: dict[str, Any]) -> type[Error]:
    outcome = record["outcome"]
    if outcome == "invalid":
        return Invalid
    if outcome == "rejected":
        return _REJECTED.get(record.get("code"), _REJECTED.get(record.get("status"), Rejected))  # type: ignore[arg-type]
    plain, timeout = _OTHERS[outcome]
    return timeout if record["reason"] in ("timeout", "deadline") else plain


def _error(cls: type[Error], args: tuple[Any, ...], members: dict[str, Any]) -> Error:
    error = cls(*args)
    error.__dict__.update(members)
    return error


def _problem(record: dict[str, Any]) -> Problem:
    return Problem(**record)
