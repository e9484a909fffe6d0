"""The results of validation: problems and reports. `__module__` is set to the module that users import."""

from __future__ import annotations

from ._cpaas import printable
from ._public import public_methods

TYPE_CHECKING = False
if TYPE_CHECKING:
    import typing
    from collections import abc
else:
    from ._lazy import abc, typing


@public_methods
class Problem:
    """A problem that validation found. `params` and `fix` may contain input, so repr and str omit them."""

    __module__ = "cpaas"

    __slots__ = ("argument", "code", "fix", "message", "params", "pointer", "severity")

    def __init__(
        self,
        *,
        pointer: str,
        code: str,
        severity: str,
        message: str,
        params: dict[str, typing.Any] | None = None,
        fix: dict[str, typing.Any] | None = None,
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
        place = printable(self.argument or self.pointer or "the request", 200)
        return f"{place}: {printable(self.message)} [{self.code}]"

    def __repr__(self) -> str:
        return f"Problem({printable(self.pointer, 200)!r}, {self.code!r}, {printable(self.message)!r})"

    def _key(self) -> tuple[typing.Any, ...]:
        return self.pointer, self.code, self.severity, self.message, self.params, self.fix, self.argument

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Problem) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.pointer, self.code))

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return problem_of, ({name: getattr(self, name) for name in self.__slots__},)


@public_methods
class Report:
    """The result of validation. It is true if there are no errors. Iteration yields all problems."""

    __module__ = "cpaas"

    __slots__ = ("errors", "ok", "warnings")

    def __init__(self, *, ok: bool, errors: tuple[Problem, ...], warnings: tuple[Problem, ...]) -> None:
        self.ok = ok
        self.errors = errors
        self.warnings = warnings

    def problem_details(self, **members: typing.Any) -> dict[str, typing.Any]:
        """Returns problem details (RFC 9457), the body of a response of the type `application/problem+json`.

        Each problem has a `pointer` as a fragment of a URI (`#/text`), `detail`, `code` and `severity`.

        Args:
            members: Members to add or replace, such as `type` and `instance`; `errors` and `warnings` are not replaced.
        """
        errors, warnings = len(self.errors), len(self.warnings)
        return {
            "type": "about:blank",
            "title": "Unprocessable Content",
            "status": 422,
            "detail": f"{_quantity(errors, 'error')}, {_quantity(warnings, 'warning')}",
            **members,
            "errors": [_details(problem) for problem in self.errors],
            "warnings": [_details(problem) for problem in self.warnings],
        }

    def __bool__(self) -> bool:
        return self.ok

    def __iter__(self) -> abc.Iterator[Problem]:
        yield from self.errors
        yield from self.warnings

    def __len__(self) -> int:
        return len(self.errors) + len(self.warnings)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Report) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        errors, warnings = _quantity(len(self.errors), "error"), _quantity(len(self.warnings), "warning")
        return f"<cpaas.Report: {errors}, {warnings}>"


def _quantity(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _details(problem: Problem) -> dict[str, str]:
    from urllib.parse import quote

    return {
        "pointer": "#" + quote(problem.pointer, safe="/!~*'()"),
        "detail": problem.message,
        "code": problem.code,
        "severity": problem.severity,
    }


def problem_of(record: dict[str, typing.Any]) -> Problem:
    return Problem(**record)
