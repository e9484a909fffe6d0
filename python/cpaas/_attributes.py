"""Refuses to assign attributes that do not exist: `client.timeout = 3` would have no effect."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from inspect import signature
from typing import Any


def check_assignment(
    owner: object, own: str, name: str, function: Callable[..., Any], advice: Callable[[str], str]
) -> None:
    """Raises `AttributeError` for an attribute that the class of `owner` does not declare.

    A class of a program that is derived from one of the package may have any attribute, except the name of a setting.

    Args:
        owner: The object whose attribute is assigned.
        own: The module of the classes of the package.
        name: The name of the attribute. Private names are accepted.
        function: The function whose parameters are the settings.
        advice: How a setting is changed.
    """
    if name.startswith("_"):
        return
    kind = type(owner)
    if any(name in cls.__dict__ or name in getattr(cls, "__annotations__", ()) for cls in kind.__mro__):
        return
    settings = signature(function).parameters
    if name in settings:
        raise AttributeError(f"{kind.__name__} has no attribute {name!r}: it is a setting. {advice(name)}")
    if kind.__module__ != own:
        return
    known = [*settings, *(attribute for attribute in dir(kind) if not attribute.startswith("_"))]
    near = next(iter(get_close_matches(name, known, 1)), None)
    meant = f"; did you mean {near!r}?" if near else ""
    if near is not None and near in settings:
        meant = f"; did you mean the setting {near!r}? {advice(near)}"
    raise AttributeError(f"{kind.__name__} has no attribute {name!r}{meant}")
