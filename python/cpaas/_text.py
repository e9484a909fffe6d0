"""Texts and rules: nothing here goes over the network."""

from __future__ import annotations

from . import _cpaas
from ._errors import Error, Report, report
from ._model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from decimal import Decimal
    from typing import Any, Literal

    from ._cpaas import SegmentCounts

    Mode = Literal["Default", "Markdown", "Html", "MarkdownV2"]


class TextError(Error, ValueError):
    """A text that cannot be cut or priced; `reason` is a stable code."""

    __module__ = "cpaas"


class MarkupError(Error, ValueError):
    """Markup that cannot be parsed.

    `kind` is a stable code; `offset` counts bytes of the input in UTF-8, `utf16_offset` UTF-16 units;
    `fix` is an edit of the bytes that mends it, `{"start", "end", "insert"}`, where one is safe.
    """

    __module__ = "cpaas"

    kind: str = ""
    offset: int = 0
    utf16_offset: int = 0
    fix: dict[str, Any] | None = None


class SegmentCount(Model):
    """How a text is sent: `gsm7` or `ucs2`, parts, units, and the units that still fit the last part."""

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

    if not TYPE_CHECKING:

        def __init__(self, encoding, count, units, remaining, *, extra=None):
            super().__init__(encoding=encoding, count=count, units=units, remaining=remaining, extra=extra)


class Part(Model):
    """One part: `text` and the range `start:end` of the whole in characters."""

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


class Segments(Model):
    """The parts of a text; `parts` are made when they are asked for."""

    if TYPE_CHECKING:

        @property
        def encoding(self) -> str: ...

        @property
        def count(self) -> int: ...

        @property
        def units(self) -> int: ...

        @property
        def remaining(self) -> int: ...

        @property
        def by_code_point(self) -> int | None: ...

        @property
        def by_grapheme(self) -> int | None: ...

    __slots__ = ("_parts", "_text", "by_code_point", "by_grapheme", "count", "encoding", "remaining", "units")
    __match_args__ = ("encoding", "count", "units", "remaining")
    _fields = {
        "encoding": ("encoding", None),
        "count": ("count", None),
        "units": ("units", None),
        "remaining": ("remaining", None),
        "by_code_point": ("countByCodePoint", None),
        "by_grapheme": ("countByGrapheme", None),
    }
    _shown = frozenset(_fields)

    if TYPE_CHECKING:
        _text: str
        _parts: tuple[dict[str, int], ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts, in order; none in a record made by hand."""
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
            _cut(self, "", ())

        def replace(self, **changes):
            return _cut(super().replace(**changes), self._text, self._parts)

        __replace__ = replace

        def __reduce__(self):
            return _restored, (self.to_dict(), self._text, self._parts)


def _cut(result: Segments, text: str, parts: tuple[dict[str, int], ...]) -> Segments:
    object.__setattr__(result, "_text", text)
    object.__setattr__(result, "_parts", parts)
    return result


def _restored(members: dict[str, Any], text: str, parts: tuple[dict[str, int], ...]) -> Segments:
    return _cut(Segments.from_dict(members), text, parts)


class Estimate(Model):
    """The price of a text, in decimals."""

    if TYPE_CHECKING:

        @property
        def encoding(self) -> str: ...

        @property
        def count(self) -> int: ...

        @property
        def units(self) -> int: ...

        @property
        def remaining(self) -> int: ...

        @property
        def price_per_part(self) -> Decimal: ...

        @property
        def total(self) -> Decimal: ...

    __slots__ = ("count", "encoding", "price_per_part", "remaining", "total", "units")
    __match_args__ = ("total", "count")
    _fields = {
        "encoding": ("encoding", None),
        "count": ("count", None),
        "units": ("units", None),
        "remaining": ("remaining", None),
        "price_per_part": ("pricePerPart", None),
        "total": ("total", None),
    }
    _shown = frozenset(_fields)


class Markup(Model):
    """Parsed markup: `text` with its `entities`, what is `sent` of it, and `findings`."""

    if TYPE_CHECKING:

        @property
        def text(self) -> str: ...

        @property
        def entities(self) -> tuple[dict[str, Any], ...]: ...

        @property
        def sent(self) -> dict[str, Any]: ...

        @property
        def findings(self) -> tuple[dict[str, Any], ...]: ...

    __slots__ = ("entities", "findings", "sent", "text")
    __match_args__ = ("text", "entities")
    _fields = {name: (name, None) for name in ("text", "entities", "sent", "findings")}


class SenderCheck(Model):
    """What a sender is: `empty`, `shortCode`, `numeric` or `alphanumeric`, its length, and its characters."""

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
    """What the numbering plans say about a number; nothing about a subscriber."""

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


def segments(
    text: str,
    *,
    split: Literal["code_point", "grapheme"] = "code_point",
    reference_bits: Literal[8, 16] = 8,
    encoding: Literal["gsm7", "ucs2"] | None = None,
    languages: Sequence[str] = (),
) -> Segments:
    """The parts of a text.

    Args:
        text: The text.
        split: Where parts may end: "code_point" (what is billed), or "grapheme" to keep what is read as one whole.
        reference_bits: The width of the reference that joins the parts.
        encoding: Refuses a text that this encoding cannot carry, instead of choosing.
        languages: National shift tables that may be used. There are none yet, so that only an empty one is taken.

    Raises:
        TextError: more than 255 parts, characters outside the encoding asked for, or a shift table.
    """
    if languages:
        raise _refused("text.options", "national shift tables are not supported; leave `languages` out")
    if split not in (None, "code_point", "grapheme"):
        raise _refused("text.options", 'split is "code_point" or "grapheme"')
    if reference_bits not in (None, 8, 16):
        raise _refused("text.options", "reference_bits is 8 or 16")
    cut = "codePoint" if split == "code_point" else split
    options = {"split": cut, "referenceBits": reference_bits, "encoding": encoding}
    found = _good(_cpaas.segments(text, options))
    parts = found.pop("parts")
    return _cut(Segments.from_dict(found), text, parts)


def count_segments(texts: Iterable[str]) -> SegmentCounts:
    """How many parts many texts have; a list is quickest. An iterable without a length has at most 1,000,000."""
    return _cpaas.count_segments(texts)


def annotate(text: str) -> dict[str, Any]:
    """What each character costs, which ones force UCS-2, and the text with its replacements."""
    return _cpaas.annotate(text)


def estimate(text: str, price_per_part: str | Decimal) -> Estimate:
    """The price of a text.

    Raises:
        TextError: a price that is no decimal number, or more than 255 parts.
    """
    from decimal import Decimal

    found = _good(_cpaas.estimate(text, str(price_per_part)))
    for name in ("pricePerPart", "total"):
        found[name] = Decimal(found[name])
    return Estimate.from_dict(found)


def validate(operation: str, request: Mapping[str, Any] | str | bytes) -> Report:
    """Checks a request against the rules: all problems at once. JSON text is taken as well.
    Half a character (a lone surrogate) is `json.syntax` at its place, and nothing else is told until it is gone."""
    found = _cpaas.validate(operation, request)
    return Report(ok=True, errors=(), warnings=()) if found is None else report(found)


def check(
    name: Literal["photo", "file", "bot_username", "card_height"], arguments: Mapping[str, Any]
) -> Report:
    """Checks what no request shows: a photo (`bytes`, `width`, `height`), a file (`bytes`), a bot's `username`, a card's height (`dp`)."""
    found = _cpaas.check(name, arguments)
    return Report(ok=True, errors=(), warnings=()) if found is None else report(found)


def parse_markup(text: str, mode: Mode = "MarkdownV2") -> Markup:
    """Parses messenger_c markup.

    Raises:
        MarkupError: with the place and, where one is safe, the fix.
    """
    return Markup.from_dict(_parsed(_cpaas.parse_markup(text, mode)))


def escape_markup(text: str, mode: Mode = "MarkdownV2") -> str:
    """A text as it must be written to stand for itself in a mode of markup."""
    return _parsed(_cpaas.escape_markup(text, mode))["text"]  # type: ignore[no-any-return]


def check_sender(sender: str) -> SenderCheck:
    """What a sender is, and how long."""
    return SenderCheck.from_dict(_cpaas.check_sender(sender))


def check_number(number: str) -> NumberCheck:
    """What the numbering plans of the world say about a number; one of local use only is not possible."""
    return NumberCheck.from_dict(_cpaas.check_number(number))


def _good(found: dict[str, Any]) -> dict[str, Any]:
    if "error" in found:
        raise _refused(found["error"]["code"], found["error"]["message"])
    return found


def _refused(code: str, message: str) -> TextError:
    error = TextError(message)
    error.message = message
    error.reason = code
    return error


def _parsed(found: dict[str, Any]) -> dict[str, Any]:
    if "error" not in found:
        return found
    members = found["error"]
    error = MarkupError(members["message"])
    error.message = error.args[0]
    error.kind = members["kind"]
    error.offset = members["offset"]
    error.utf16_offset = members["utf16Offset"]
    error.fix = members.get("fix")
    raise error
