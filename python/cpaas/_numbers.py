"""Checks of senders and phone numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _cpaas
from ._model import Model


class SenderCheck(Model):
    """The `kind` of a sender (`empty`, `shortCode`, `numeric` or `alphanumeric`), its length, and its characters."""

    if TYPE_CHECKING:

        @property
        def kind(self) -> str: ...

        @property
        def length(self) -> int: ...

        @property
        def septets(self) -> int | None: ...

        @property
        def has_plus(self) -> bool: ...

        @property
        def charset(self) -> dict[str, Any]: ...

    __slots__ = ("charset", "has_plus", "kind", "length", "septets")
    __match_args__ = ("kind",)
    _fields = {
        "kind": ("kind", None),
        "length": ("length", None),
        "septets": ("septets", None),
        "has_plus": ("hasPlus", None),
        "charset": ("charset", None),
    }
    _shown = frozenset(_fields)


class NumberCheck(Model):
    """The result of checking a number against the numbering plans. It does not tell whether a subscriber exists."""

    if TYPE_CHECKING:

        @property
        def valid(self) -> bool: ...

        @property
        def possible(self) -> bool: ...

        @property
        def region(self) -> str | None: ...

        @property
        def type(self) -> str: ...

    __slots__ = ("possible", "region", "type", "valid")
    __match_args__ = ("valid", "type")
    _fields = {name: (name, None) for name in ("valid", "possible", "region", "type")}
    _shown = frozenset(_fields)


def check_sender(sender: str) -> SenderCheck:
    """Classifies a sender."""
    return SenderCheck.from_dict(_cpaas.check_sender(sender))


def check_number(number: str) -> NumberCheck:
    """Checks a number against the numbering plans. A number that is valid only locally is not possible."""
    return NumberCheck.from_dict(_cpaas.check_number(number))
