"""Reads the arguments of `send_once`."""

from __future__ import annotations

from os import fspath

from ._arguments import seconds
from ._errors import bad_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import timedelta
    from os import PathLike
    from typing import Any


def once(
    operation: str,
    key: str,
    request: dict[str, Any],
    journal: str | PathLike[str],
    deadline: float | timedelta | None,
) -> tuple[Any, ...]:
    """The arguments of the native client for `send_once`."""
    if not isinstance(key, str) or not key:
        raise bad_type("key must be a str that is not empty")
    return key, operation, *_arguments(operation, request), fspath(journal), seconds("deadline", deadline)


def _arguments(operation: str, request: dict[str, Any]) -> tuple[tuple[Any, ...], Any]:
    """The arguments in the order of the generated method. Names in `request` are keywords or names of the specification."""
    from ._operation_metadata import OPERATIONS

    wire, keywords = next((row[1:3] for row in OPERATIONS if row[0] == operation), ((), ()))
    values: dict[str, Any] = {}
    extra = request.pop("extra", None)
    for name, value in request.items():
        if name in keywords:
            values[name] = value
        elif name in wire:
            values[keywords[wire.index(name)]] = value
        elif keywords:
            raise bad_type(f"send_once got an unexpected argument {name!r} for {operation}")
    return tuple(map(values.get, keywords)), extra
