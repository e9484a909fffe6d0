"""Reads the arguments of `send_once`."""

from __future__ import annotations

from datetime import timedelta
from os import PathLike
from typing import Any

from .._arguments import advice, boolean, journal_url, seconds, text
from .._errors import add_operation, bad_type, bad_value
from .._generated.metadata import OPERATIONS_BY_ID
from .._journal import check_journal


def once(
    operation: str,
    key: str,
    request: dict[str, Any],
    journal: str | PathLike[str] | None,
    deadline: float | timedelta | None,
    retry: str | None,
    any_provider: bool,
) -> tuple[Any, ...]:
    """The arguments of the native client for `send_once`."""
    check_journal()
    if not text("key", key):
        raise bad_value("key must not be empty")
    if key in OPERATIONS_BY_ID and operation not in OPERATIONS_BY_ID:
        raise bad_value(
            "send_once must be called with the key, then the operation, got them in the other order"
        )
    arguments = _arguments(text("operation", operation), request)
    limit = seconds("deadline", deadline)
    reason = None if retry is None else text("retry", retry)
    return (
        key,
        operation,
        *arguments,
        journal_url(journal),
        limit,
        reason,
        boolean("any_provider", any_provider),
    )


def _arguments(operation: str, request: dict[str, Any]) -> tuple[tuple[Any, ...], Any]:
    """The arguments in the order of the generated method. Names in `request` are keywords or names of the specification."""
    metadata = OPERATIONS_BY_ID.get(operation)  # the native module reports an unknown operation
    wire, keywords = (metadata.members, metadata.keywords) if metadata else ((), ())
    values: dict[str, Any] = {}
    extra = request.pop("extra", None)
    for name, value in request.items():
        keyword = keywords[wire.index(name)] if name in wire else name
        if keywords and keyword not in keywords:
            known = (*keywords, "extra")
            raise _argument_error(operation, f"unknown argument {name!r}{advice(name, known)}")
        if keyword in values:
            raise _argument_error(
                operation, f"{keyword!r} is given twice, also as {wire[keywords.index(keyword)]!r}"
            )
        values[keyword] = value
    return tuple(map(values.get, keywords)), extra


def _argument_error(operation: str, message: str) -> Exception:
    error = bad_type(f"client.send_once: {message}")
    add_operation(error, operation)
    return error
