"""Converts the arguments of a sandbox's methods to the forms of the control API and of the switches."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from os import PathLike
from typing import Any

from .._arguments import advice, duration, path_text, text
from .._errors import bad_type, bad_value, wrong_type

_FILTERS = (
    "to",
    "from_",
    "phone",
    "contains",
    "text",
    "channel",
    "status",
    "id",
    "direction",
    "operation",
    "after",
    "before",
    "since",
)

# The settings of an account, each with a dict of the right form, if it is a dict.
_ACCOUNT = {
    "callback": "{'url': 'https://…'}",
    "chat_callback": None,
    "inbound_callback": None,
    "allow_ip": None,
    "two_way": None,
    "features": "{'conversion': True}",
    "parent": None,
}


def check_account(changes: Mapping[str, Any]) -> None:
    known_names("setting of an account", changes, _ACCOUNT)
    for name, value in changes.items():
        if _ACCOUNT[name] is not None and value is not None and not isinstance(value, Mapping):
            raise wrong_type(name, f"a dict such as {_ACCOUNT[name]}", value)


def known_names(what: str, names: Iterable[str], known: Collection[str]) -> None:
    """Refuses keyword arguments with other names."""
    for name in names:
        if name not in known:
            others = "" if len(known) > len(_FILTERS) else f"; known: {', '.join(known)}"
            raise bad_type(f"unknown {what} {name!r}{advice(name, [*known]) or others}")


def one_of(name: str, value: Any, known: Collection[str]) -> None:
    """Refuses another value than one of these."""
    if text(name, value) not in known:
        near = advice(value, [*known])
        raise bad_value(f"{name} must be one of {', '.join(known)}{near}")


def with_argument_names(message: str) -> str:
    """A message about switches with the names of the arguments."""
    return re.sub(r"--([a-z]+(?:-[a-z]+)*)", lambda found: found[1].replace("-", "_"), message)


def filter_query(filters: Mapping[str, Any]) -> dict[str, str]:
    for name in filters:
        if name not in _FILTERS:
            raise bad_type(f"unknown filter {name!r}; filters: {', '.join(_FILTERS)}")
    return {
        name.rstrip("_"): str(time_text(name, value) if name in ("after", "before") else value)
        for name, value in filters.items()
        if value is not None
    }


def log_query(filters: Mapping[str, Any]) -> dict[str, str | None]:
    known = ("text", "after", "before")
    for name in filters:
        if name not in known:
            raise bad_type(f"unknown filter {name!r}; filters: {', '.join(known)}")
    return {name: time_text(name, value) if name != "text" else value for name, value in filters.items()}


def time_text(name: str, value: Any) -> str | None:
    """A time of the sandbox's clock: a `datetime` with a time zone, or a string."""
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, datetime):
        raise wrong_type(name, "a datetime or a str", value)
    if value.tzinfo is None:
        raise bad_value(f"{name} must be a datetime with a time zone")
    return value.isoformat()


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
