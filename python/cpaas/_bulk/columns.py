"""Reads the columns of the rows of `send_many`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .._arguments import advice
from .._errors import bad_type, bad_value, type_name, wrong_type
from .._generated.metadata import OPERATIONS_BY_ID


class RowColumns:
    """The columns of a row: the arguments of the method, also by the names of the specification."""

    def __init__(self, send: Callable[..., Any], operation: str) -> None:
        metadata = OPERATIONS_BY_ID[operation]
        self._keywords: dict[str, str] = dict(zip(metadata.members, metadata.keywords))
        method: Any = getattr(send, "__wrapped__", None)
        # A function that a test has put in place of the method checks its arguments itself.
        code = getattr(method, "__code__", None)
        count = 0 if code is None else code.co_argcount + code.co_kwonlyargcount
        self._known: tuple[str, ...] = () if code is None else code.co_varnames[1:count]
        defaults = getattr(method, "__kwdefaults__", None) or {}
        self._required = [name for name in self._known if name not in defaults]

    def read(self, place: str, row: Any) -> dict[str, Any]:
        if not isinstance(row, Mapping):
            raise wrong_type(place, "a mapping", row)
        found: dict[str, Any] = {}
        for column, value in row.items():
            if not isinstance(column, str):
                # csv.DictReader puts surplus values under None.
                raise bad_type(f"{place}: the name of a column must be str, got {type_name(column)}")
            name = self._keywords.get(column, column)
            if self._known and name not in self._known:
                raise bad_type(f"{place}: unknown column {column!r}{advice(column, self._known)}")
            if name in found:
                raise bad_value(f"{place}: {column!r} is given twice, by two names of one argument")
            found[name] = value
        missing = [name for name in self._required if name not in found]
        if missing:
            names = " and ".join(map(self._both_names, missing))
            raise bad_type(f"{place} must have the column{'s' * (len(missing) > 1)} {names}")
        return found

    def _both_names(self, name: str) -> str:
        wire = next((wire for wire, keyword in self._keywords.items() if keyword == name), name)
        return repr(name) if wire == name else f"{name!r} (or {wire!r})"
