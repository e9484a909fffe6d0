"""The size, the parts and the price of texts.

`__module__` names the module that users import. Annotations of classes are therefore no strings: `typing.get_type_hints` would
evaluate strings in that module.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar, Literal

from .. import _cpaas
from .._arguments import PriceList, items, price_csv
from .._cpaas import SegmentCounts
from .._errors import Error, bad_type, wrong_type
from .._generated.names import TextErrorCode
from .._public import public, public_methods
from .._records import Model

Languages = Sequence[str] | Literal["auto"] | None


class TextError(Error, ValueError):
    """The text cannot be split, priced, encoded or decoded, or an option is invalid.

    Attributes:
        code: A stable code, such as "text.not_gsm7": one of `cpaas.types.TextErrorCode`.
        part: For `decode`: the index of the part with the error; None if a part is missing.
        octet: For `decode`: the octet in that part, from the start of its header; None if the error is not in an octet.
    """

    __module__ = "cpaas"

    code: TextErrorCode | None = None  # type: ignore[assignment]
    part: int | None = None
    octet: int | None = None


_SIZE: dict[str, tuple[str, type[Model] | None]] = {
    name: (name, None) for name in ("encoding", "count", "units", "remaining")
}


@public_methods
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SegmentCount(Model):
    """The size of a text.

    Attributes:
        encoding: "gsm7" or "ucs2".
        count: The number of parts.
        units: The length of the text in septets ("gsm7") or UTF-16 code units ("ucs2").
        remaining: The number of units that still fit into the last part.
    """

    __module__ = "cpaas"
    __match_args__: ClassVar[tuple[str, ...]] = ("encoding", "count", "units", "remaining")
    _fields = _SIZE
    _shown = frozenset(_fields)

    encoding: str
    count: int
    units: int
    remaining: int


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Part(Model):
    """A part of a text.

    Attributes:
        text: The text of the part.
        start: Its start in the text, in code points.
        end: Its end in the text, in code points.
        units: Its length in septets ("gsm7") or UTF-16 code units ("ucs2").
    """

    __module__ = "cpaas"
    __match_args__: ClassVar[tuple[str, ...]] = ("text", "start", "end", "units")
    _fields = {name: (name, None) for name in __match_args__}
    _shown = frozenset(("start", "end", "units"))

    text: str
    start: int
    end: int
    units: int


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Segments(Model):
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

    __module__ = "cpaas"
    __match_args__: ClassVar[tuple[str, ...]] = ("encoding", "count", "units", "remaining")
    _fields = {
        **_SIZE,
        "by_code_point": ("countByCodePoint", None),
        "by_grapheme": ("countByGrapheme", None),
        "locking_shift": ("lockingShift", None),
        "single_shift": ("singleShift", None),
        "saved": ("saved", None),
        "replacements": ("replacements", None),
    }
    _shown = frozenset(_fields) - {"replacements"}

    encoding: str
    count: int
    units: int
    remaining: int
    by_code_point: int | None = None
    by_grapheme: int | None = None
    locking_shift: str | None = None
    single_shift: str | None = None
    saved: int | None = None
    replacements: tuple[dict[str, Any], ...] | None = None
    _text: str = field(default="", init=False)
    _parts: tuple[dict[str, int], ...] = field(default=(), init=False)

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

    def replace(self, **changes: Any) -> "Segments":
        """Returns a copy with changed members.

        Args:
            changes: The new values, by the names of the attributes.
        """
        return _with_parts(super(Segments, self).replace(**changes), self._text, self._parts)

    __replace__ = replace


def _with_parts(result: Segments, text: str, parts: tuple[dict[str, int], ...]) -> Segments:
    object.__setattr__(result, "_text", text)
    object.__setattr__(result, "_parts", parts)
    return result


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Estimate(Model):
    """The price of a text.

    Attributes:
        encoding: "gsm7" or "ucs2".
        count: The number of parts of one message.
        units: The length of the text in septets ("gsm7") or UTF-16 code units ("ucs2").
        remaining: The number of units that still fit into the last part.
        price_per_part: The price of one part, an exact decimal; None if it differs between the numbers.
        total: The price of all messages, an exact decimal; None if the numbers have prices in several currencies.
        locking_shift: The language of the locking shift table, or None.
        single_shift: The language of the single shift table, or None.
        replacements: The replacements of a transliteration, or None.
        currency: The currency of `total`; None without `prices`, or if there are several.
        recipients: The count of the numbers in `to`; None without `to`.
        by_prefix: For each prefix `recipients`, `parts`, `price_per_part`, `total` and `currency`; None without `prices`.
        by_currency: For each currency `recipients`, `parts` and `total`; None without `prices`.
    """

    __module__ = "cpaas"
    __match_args__: ClassVar[tuple[str, ...]] = ("total", "count")
    _fields = {
        **_SIZE,
        "price_per_part": ("pricePerPart", None),
        "total": ("total", None),
        "locking_shift": ("lockingShift", None),
        "single_shift": ("singleShift", None),
        "replacements": ("replacements", None),
        "currency": ("currency", None),
        "recipients": ("recipients", None),
        "by_prefix": ("byPrefix", None),
        "by_currency": ("byCurrency", None),
    }
    _shown = frozenset(_fields) - {"replacements"}

    encoding: str
    count: int
    units: int
    remaining: int
    price_per_part: Decimal | None
    total: Decimal | None
    locking_shift: str | None = None
    single_shift: str | None = None
    replacements: tuple[dict[str, Any], ...] | None = None
    currency: str | None = None
    recipients: int | None = None
    by_prefix: Mapping[str, Mapping[str, Any]] | None = None
    by_currency: Mapping[str, Mapping[str, Any]] | None = None


@public
def segments(
    text: str,
    *,
    split: Literal["code_point", "grapheme"] = "code_point",
    reference_bits: Literal[8, 16] = 8,
    encoding: Literal["gsm7", "ucs2"] | None = None,
    languages: Languages = None,
    transliterate: Literal["auto"] | bool = False,
) -> Segments:
    """Splits a text into SMS parts.

    Args:
        text: The text.
        split: Where parts may end: after any code point, as networks bill them, or only after whole grapheme clusters.
        reference_bits: The size of the concatenation reference, in bits.
        encoding: Forces an encoding; None selects the encoding that the text needs.
        languages: The languages whose national tables may be used, as ISO 639-1 codes: tr, es, pt, bn, gu, hi, kn, ml,
            or, pa, ta, te, ur; or "auto" for all. The provider must support them.
        transliterate: True replaces characters with characters of the default alphabet; "auto" does so only if this saves a part.

    Raises:
        cpaas.TextError: The text has more than 255 parts, `encoding` cannot represent a character, or an option is invalid.
    """
    options = segment_options(split, reference_bits, encoding, languages, transliterate)
    found = value_or_raise(_cpaas.segments(text, options))
    parts = found.pop("parts")
    found.pop("kept", None)
    text = found.pop("text", text)
    return _with_parts(Segments.from_dict(found), text, parts)


def segment_options(
    split: str | None,
    reference_bits: int | None,
    encoding: str | None,
    languages: Languages,
    transliterate: str | bool,
) -> dict[str, Any]:
    if split not in (None, "code_point", "grapheme"):
        raise text_error("text.options", 'split must be "code_point" or "grapheme"')
    if reference_bits not in (None, 8, 16):
        raise text_error("text.options", "reference_bits must be 8 or 16")
    split_name = "codePoint" if split == "code_point" else split
    return {
        "split": split_name,
        "referenceBits": reference_bits,
        "encoding": encoding,
        "languages": _languages(languages),
        "transliterate": transliterate,
    }


def _languages(languages: Languages) -> str | list[str] | None:
    if languages is None or isinstance(languages, str):
        return languages
    return [*items("languages", '"auto" or an iterable of str', languages)]


@public
def count_segments(texts: Iterable[str], *, languages: Languages = None) -> SegmentCounts:
    """Counts the SMS parts of many texts. A list is fastest; an iterable without a length may have at most 1,000,000 items.

    A text with more than 255 parts is counted too, but cannot be sent: `segments` raises `TextError` for it.

    Args:
        texts: The texts.
        languages: The languages whose national tables may be used, as in `segments`.

    Raises:
        TypeError: `texts` is a str or not iterable.
        ValueError: An item is not a str, or is not valid Unicode.
        cpaas.TextError: A language is unknown.
    """
    if not hasattr(texts, "__iter__"):
        raise wrong_type("texts", "an iterable of str", texts)
    if not languages:
        return _cpaas.count_segments(texts)
    options = {"languages": _languages(languages)}
    value_or_raise(_cpaas.segments("", options))
    return _cpaas.count_segments(texts, _cpaas.to_json(options))


@public
def annotate(text: str, *, languages: Languages = None) -> dict[str, Any]:
    """Returns the cost of each character, the characters that force UCS-2, and the text with replacements for them.

    The member `languages` is present if national tables save parts. It contains the languages of these tables, the `count` of
    parts and the number of parts that are `saved`. With the argument `languages`, as in `segments`, costs and causes are those of
    the cheapest tables.

    Args:
        text: The text.
        languages: The languages whose national tables may be used, as in `segments`.

    Raises:
        cpaas.TextError: A language is unknown.
    """
    return value_or_raise(_cpaas.annotate(text, {"languages": _languages(languages)}))


@public
def estimate(
    text: str,
    price_per_part: str | Decimal | None = None,
    *,
    prices: PriceList | None = None,
    to: str | Iterable[str] | None = None,
    languages: Languages = None,
    transliterate: Literal["auto"] | bool = False,
) -> Estimate:
    """Calculates the price of a text: with the price of one part, or with prices by prefix and numbers.

    Args:
        text: The text.
        price_per_part: The price of one part, a decimal number.
        prices: The path or the text of a CSV file with the columns prefix, price and currency, an iterable of mappings with these
            keys, or a mapping from prefix to price. The longest prefix of a number applies.
        to: One number or several, in any notation.
        languages: The languages whose national tables may be used, as in `segments`.
        transliterate: As in `segments`.

    Raises:
        cpaas.TextError: A price is not a decimal number, the table of prices is invalid, a number has no price, or the text has more
            than 255 parts.
        TypeError: The arguments are neither `price_per_part` alone nor `prices` with `to`.
    """
    options = {"languages": _languages(languages), "transliterate": transliterate}
    if price_per_part is not None and prices is None and to is None:
        found = value_or_raise(_cpaas.estimate(text, str(price_per_part), options))
        shares = {}
    else:
        if price_per_part is not None or prices is None or to is None:
            raise bad_type("estimate needs either price_per_part, or prices and to")
        numbers = (
            to
            if isinstance(to, str)
            else _cpaas.to_json([str(number) for number in items("to", "str or an iterable of str", to)])
        )
        found = value_or_raise(_cpaas.estimate_to(text, price_csv(prices), numbers, options))
        by_prefix = {
            prefix: {
                "recipients": share["recipients"],
                "parts": share["parts"],
                "price_per_part": Decimal(share["pricePerPart"]),
                "total": Decimal(share["total"]),
                "currency": share["currency"],
            }
            for prefix, share in found["byPrefix"].items()
        }
        by_currency = {
            currency: {**share, "total": Decimal(share["total"])}
            for currency, share in found["byCurrency"].items()
        }
        shares = {"byPrefix": by_prefix, "byCurrency": by_currency}
    for name in ("text", "kept"):
        found.pop(name, None)
    for name in ("pricePerPart", "total"):
        found[name] = None if found[name] is None else Decimal(found[name])
    return Estimate.from_dict({**found, **shares})


def value_or_raise(found: dict[str, Any]) -> dict[str, Any]:
    if "error" in found:
        raise text_error(found["error"]["code"], found["error"]["message"])
    return found


def text_error(code: TextErrorCode, message: str) -> TextError:
    error = TextError(message)
    error.message = message
    error.code = code
    return error
