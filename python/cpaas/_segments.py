"""The results of functions about texts: size, parts and price."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ._model import Model
from ._public import public_methods


class _Size(Model):
    """The base class of records that contain the size of a text."""

    if TYPE_CHECKING:

        @property
        def encoding(self) -> str: ...

        @property
        def count(self) -> int: ...

        @property
        def units(self) -> int: ...

        @property
        def remaining(self) -> int: ...

    __slots__ = ("count", "encoding", "remaining", "units")
    __match_args__ = ("encoding", "count", "units", "remaining")
    _fields = {name: (name, None) for name in __match_args__}
    _shown = frozenset(__match_args__)


@public_methods
class SegmentCount(_Size):
    """The size of a text.

    Attributes:
        encoding: "gsm7" or "ucs2".
        count: The number of parts.
        units: The length of the text in septets ("gsm7") or UTF-16 code units ("ucs2").
        remaining: The number of units that still fit into the last part.
    """

    __slots__ = ()

    if not TYPE_CHECKING:

        def __init__(self, encoding, count, units, remaining, *, extra=None):
            super().__init__(encoding=encoding, count=count, units=units, remaining=remaining, extra=extra)


class Part(Model):
    """A part of a text. `start` and `end` count code points of the text; `units` are septets or UTF-16 code units."""

    if TYPE_CHECKING:

        @property
        def text(self) -> str: ...

        @property
        def start(self) -> int: ...

        @property
        def end(self) -> int: ...

        @property
        def units(self) -> int: ...

    __slots__ = ("end", "start", "text", "units")
    __match_args__ = ("text", "start", "end", "units")
    _fields = {name: (name, None) for name in __match_args__}
    _shown = frozenset(("start", "end", "units"))


@public_methods
class Segments(_Size):
    """The SMS parts of a text.

    Attributes:
        encoding: "gsm7" or "ucs2".
        count: The number of parts.
        units: The length of the text in septets ("gsm7") or UTF-16 code units ("ucs2").
        remaining: The number of units that still fit into the last part.
        by_code_point: The number of parts that are billed; None unless `split="grapheme"`.
        by_grapheme: The number of parts with whole grapheme clusters; None unless `split="grapheme"`.
        locking_shift: The language of the locking shift table, or None.
        single_shift: The language of the single shift table, or None.
        saved: The number of parts that the national tables save; None without `languages`.
        replacements: The replacements of a transliteration, or None.
    """

    if TYPE_CHECKING:

        @property
        def by_code_point(self) -> int | None: ...

        @property
        def by_grapheme(self) -> int | None: ...

        @property
        def locking_shift(self) -> str | None: ...

        @property
        def single_shift(self) -> str | None: ...

        @property
        def saved(self) -> int | None: ...

        @property
        def replacements(self) -> tuple[dict[str, Any], ...] | None: ...

    __slots__ = (
        "_parts",
        "_text",
        "by_code_point",
        "by_grapheme",
        "locking_shift",
        "replacements",
        "saved",
        "single_shift",
    )
    _fields = {
        **_Size._fields,
        "by_code_point": ("countByCodePoint", None),
        "by_grapheme": ("countByGrapheme", None),
        "locking_shift": ("lockingShift", None),
        "single_shift": ("singleShift", None),
        "saved": ("saved", None),
        "replacements": ("replacements", None),
    }
    _shown = frozenset(_fields) - {"replacements"}

    if TYPE_CHECKING:
        _text: str
        _parts: tuple[dict[str, int], ...]

    @property
    def text(self) -> str:
        """The text that was split: with `transliterate`, the text with replacements."""
        return self._text

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts, in order; empty for a record that your code created."""
        data = self._text.encode()
        out: list[Part] = []
        at = 0
        for part in self._parts:
            text = data[part["start"] : part["end"]].decode()
            out.append(Part(text=text, start=at, end=at + len(text), units=part["units"]))
            at += len(text)
        return tuple(out)

    if not TYPE_CHECKING:

        def __init__(self, **members):
            super().__init__(**members)
            _with_parts(self, "", ())

        def replace(self, **changes):
            return _with_parts(super().replace(**changes), self._text, self._parts)

        __replace__ = replace

        def __reduce__(self):
            return _restore, (self.to_dict(), self._text, self._parts)


def _with_parts(result: Segments, text: str, parts: tuple[dict[str, int], ...]) -> Segments:
    object.__setattr__(result, "_text", text)
    object.__setattr__(result, "_parts", parts)
    return result


def _restore(members: dict[str, Any], text: str, parts: tuple[dict[str, int], ...]) -> Segments:
    return _with_parts(Segments.from_dict(members), text, parts)


class Estimate(_Size):
    """The price of a text. `price_per_part` and `total` are exact decimals. `locking_shift` and `single_shift` are the languages
    of the national tables, None without them.

    With `prices` and `to`, `total` is the price of all messages, `currency` is the currency of the prices, and `recipients` counts
    the numbers in `to`. `by_prefix` contains `recipients`, `parts`, `price_per_part` and `total` for each prefix. `price_per_part`
    is None if it differs between the numbers.
    """

    if TYPE_CHECKING:

        @property
        def price_per_part(self) -> Decimal | None: ...

        @property
        def total(self) -> Decimal: ...

        @property
        def locking_shift(self) -> str | None: ...

        @property
        def single_shift(self) -> str | None: ...

        @property
        def replacements(self) -> tuple[dict[str, Any], ...] | None: ...

        @property
        def currency(self) -> str | None: ...

        @property
        def recipients(self) -> int | None: ...

        @property
        def by_prefix(self) -> Mapping[str, Mapping[str, Any]] | None: ...

    __slots__ = (
        "by_prefix",
        "currency",
        "locking_shift",
        "price_per_part",
        "recipients",
        "replacements",
        "single_shift",
        "total",
    )
    __match_args__ = ("total", "count")
    _fields = {
        **_Size._fields,
        "price_per_part": ("pricePerPart", None),
        "total": ("total", None),
        "locking_shift": ("lockingShift", None),
        "single_shift": ("singleShift", None),
        "replacements": ("replacements", None),
        "currency": ("currency", None),
        "recipients": ("recipients", None),
        "by_prefix": ("byPrefix", None),
    }
    _shown = frozenset(_fields) - {"replacements"}
