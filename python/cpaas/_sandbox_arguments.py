"""Converts the arguments of a sandbox's methods to the forms of the control API and of the switches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

_FILTERS = ("to", "from_", "phone", "contains", "text", "channel", "status", "id", "direction", "since")


def client_settings(config: Mapping[str, Any]) -> dict[str, Any]:
    """The settings for a client: `config` without `bot_id`, which is not a setting."""
    return {name: value for name, value in config.items() if name != "bot_id"}


def filter_query(filters: Mapping[str, Any]) -> dict[str, str]:
    for name in filters:
        if name not in _FILTERS:
            raise TypeError(f"unknown filter {name!r}; filters: {', '.join(_FILTERS)}")
    return {name.rstrip("_"): str(value) for name, value in filters.items() if value is not None}


def wire_names(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name.rstrip("_"): value for name, value in members.items()}


def seconds(value: float | timedelta) -> float:
    """A number of seconds; a `timedelta` is converted."""
    return value.total_seconds() if hasattr(value, "total_seconds") else value


def milliseconds(value: float | timedelta) -> str:
    return f"{round(seconds(value) * 1000)}ms"


def wait_text(value: float | timedelta | None) -> str | None:
    return None if value is None else milliseconds(value)


def given(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def items(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else (value,)


def switch(value: object) -> str:
    return "" if value is True else str(value)
