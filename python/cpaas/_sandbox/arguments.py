"""Converts the arguments of a sandbox's methods to the forms of the control API and of the switches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from os import PathLike
from typing import Any

from .._arguments import duration, path_text, text
from .._errors import bad_type, wrong_type

_FILTERS = ("to", "from_", "phone", "contains", "text", "channel", "status", "id", "direction", "since")


def filter_query(filters: Mapping[str, Any]) -> dict[str, str]:
    for name in filters:
        if name not in _FILTERS:
            raise bad_type(f"unknown filter {name!r}; filters: {', '.join(_FILTERS)}")
    return {name.rstrip("_"): str(value) for name, value in filters.items() if value is not None}


def wire_names(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name.rstrip("_"): value for name, value in members.items()}


def milliseconds(name: str, value: float | timedelta) -> str:
    return f"{round(duration(name, value) * 1000)}ms"


def wait_text(value: float | timedelta | None) -> str | None:
    return None if value is None else milliseconds("wait", value)


def given(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def as_sequence(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else (value,)


def switch(name: str, value: object) -> str:
    """The value of a switch as text; empty for a switch that is on."""
    if value is True:
        return ""
    if isinstance(value, PathLike):
        return path_text(name, value)
    if not isinstance(value, (str, int)):
        raise wrong_type(name, "str, int, bool or a path", value)
    return text(name, str(value))
