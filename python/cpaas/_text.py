"""Functions that need no network: segments, prices, markup, validation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from . import _cpaas
from ._arguments import PriceList, items, price_csv, wrong_type
from ._cpaas import SegmentCounts
from ._errors import Error, Invalid, bad_type, report
from ._markup import Markup
from ._public import public
from ._report import Problem, Report
from ._segments import Estimate, Segments, _with_parts

Mode = Literal["Default", "Markdown", "Html", "MarkdownV2"]
Languages = Sequence[str] | Literal["auto"] | None


class TextError(Error, ValueError):
    """The text cannot be split, priced, encoded or decoded, or an option is invalid.

    Attributes:
        code: A stable code.
        part: For `decode`: the index of the part with the error; None if a part is missing.
        octet: For `decode`: the octet in that part, from the start of its header; None if the error is not in an octet.
    """

    __module__ = "cpaas"

    code: str = ""  # type: ignore[assignment]
    part: int | None = None
    octet: int | None = None


class MarkupError(Error, ValueError):
    """The markup is invalid.

    Attributes:
        kind: A stable code.
        offset: The position, in bytes of UTF-8.
        utf16_offset: The position, in UTF-16 code units.
        fix: A correction, `{"start", "end", "insert"}` with positions in bytes, or None if no correction is safe.
    """

    __module__ = "cpaas"

    kind: str = ""
    offset: int = 0
    utf16_offset: int = 0
    fix: dict[str, Any] | None = None


if not TYPE_CHECKING:  # `typing.get_type_hints` looks names up in `cpaas`, which lacks `Any`
    MarkupError.__annotations__["fix"] = dict[str, Any] | None


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
        TextError: The text has more than 255 parts, `encoding` cannot represent a character, or an option is invalid.
    """
    options = _options(split, reference_bits, encoding, languages, transliterate)
    found = _checked(_cpaas.segments(text, options))
    parts = found.pop("parts")
    found.pop("kept", None)
    text = found.pop("text", text)
    return _with_parts(Segments.from_dict(found), text, parts)


def _options(
    split: str | None,
    reference_bits: int | None,
    encoding: str | None,
    languages: Languages,
    transliterate: str | bool,
) -> dict[str, Any]:
    if split not in (None, "code_point", "grapheme"):
        raise _text_error("text.options", 'split must be "code_point" or "grapheme"')
    if reference_bits not in (None, 8, 16):
        raise _text_error("text.options", "reference_bits must be 8 or 16")
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
        TextError: A language is unknown.
    """
    if not hasattr(texts, "__iter__"):
        raise wrong_type("texts", "an iterable of str", texts)
    if not languages:
        return _cpaas.count_segments(texts)
    options = {"languages": _languages(languages)}
    _checked(_cpaas.segments("", options))
    return _cpaas.count_segments(texts, _cpaas.to_json(options))


@public
def annotate(text: str, *, languages: Languages = None) -> dict[str, Any]:
    """Returns the cost of each character, the characters that force UCS-2, and the text with replacements for them.

    The member `languages` is present if national tables save parts. It contains the languages of these tables, the `count` of
    parts and the number of parts that are `saved`. With the argument `languages`, as in `segments`, costs and causes are those of
    the cheapest tables.

    Raises:
        TextError: A language is unknown.
    """
    return _checked(_cpaas.annotate(text, {"languages": _languages(languages)}))


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
        prices: The path or the text of a CSV file with the columns prefix, price and currency, or an iterable of mappings with
            these keys. The longest prefix of a number applies.
        to: One number or several, in any notation.
        languages: The languages whose national tables may be used, as in `segments`.
        transliterate: As in `segments`.

    Raises:
        TextError: A price is not a decimal number, the table of prices is invalid, a number has no price, or the text has more
            than 255 parts.
        TypeError: The arguments are neither `price_per_part` alone nor `prices` with `to`.
    """
    options = {"languages": _languages(languages), "transliterate": transliterate}
    if price_per_part is not None and prices is None and to is None:
        found = _checked(_cpaas.estimate(text, str(price_per_part), options))
        by_prefix = None
    else:
        if price_per_part is not None or prices is None or to is None:
            raise bad_type("estimate needs either price_per_part, or prices and to")
        numbers = (
            to
            if isinstance(to, str)
            else _cpaas.to_json([str(number) for number in items("to", "str or an iterable of str", to)])
        )
        found = _checked(_cpaas.estimate_to(text, price_csv(prices), numbers, options))
        by_prefix = {
            prefix: {
                "recipients": share["recipients"],
                "parts": share["parts"],
                "price_per_part": Decimal(share["pricePerPart"]),
                "total": Decimal(share["total"]),
            }
            for prefix, share in found["byPrefix"].items()
        }
    for name in ("text", "kept"):
        found.pop(name, None)
    for name in ("pricePerPart", "total"):
        found[name] = None if found[name] is None else Decimal(found[name])
    return Estimate.from_dict(found if by_prefix is None else {**found, "byPrefix": by_prefix})


@overload
def validate(operation: str, request: Mapping[str, Any] | str | bytes) -> Report: ...


@overload
def validate(operation: str, request: Sequence[Mapping[str, Any]]) -> list[Report]: ...


@public
def validate(operation: str, request: Any) -> Any:
    """Validates a request, which is a mapping or JSON, and reports all problems at once.

    The rules are those of the methods: `to` of `sms.send_bulk` may be a list, and the traffic account may be absent if
    `CPAAS_TRAFFIC_ACCOUNT_ID` is set. `Client.validate` uses the settings of a client. If the request contains lone surrogates,
    only these are reported, as `json.syntax`. For a list or tuple of requests, the result is a list with one report for each
    request. An empty list is validated as a single request, which has a wrong type.

    Raises:
        Invalid: The operation is unknown, or a value of a single request cannot be converted to JSON.
    """
    from os import environ

    return validate_with(operation, request, environ.get("CPAAS_TRAFFIC_ACCOUNT_ID"))


def validate_with(operation: str, request: Any, account: str | None) -> Any:
    """Validates one request or several; `account` is the traffic account of a request without one."""
    if isinstance(request, (list, tuple)) and request:
        _cpaas.validate(operation, {})  # raises for an unknown operation
        return [_row_report(operation, row, account) for row in request]
    if account and operation in ("messages.send", "messages.send_bulk") and isinstance(request, dict):
        request = {**request, "trafficAccountId": request.get("trafficAccountId") or account}
    found = _cpaas.validate(operation, request)
    return Report(ok=True, errors=(), warnings=()) if found is None else report(found)


def _row_report(operation: str, row: Any, account: str | None) -> Report:
    """The report of one of several requests: a value that cannot be converted to JSON is a problem."""
    if isinstance(row, (list, tuple)):
        row = _cpaas.to_json(row)  # so that `validate_with` does not read it as several requests
    try:
        return cast(Report, validate_with(operation, row, account))
    except Invalid as error:
        problem = Problem(pointer="", code="msg.field.type", severity="error", message=str(error))
        return Report(ok=False, errors=(problem,), warnings=())


@public
def check(
    name: Literal["photo", "file", "bot_username", "card_height"], arguments: Mapping[str, Any]
) -> Report:
    """Checks something that is not part of a request, such as the size of a photo.

    Args:
        name: The name of the check.
        arguments: For "photo" `bytes`, `width` and `height`; for "file" `bytes`; for "bot_username" `username`; for
            "card_height" `dp`.

    Raises:
        ValueError: The name is unknown.
    """
    found = _cpaas.check(name, arguments)
    return Report(ok=True, errors=(), warnings=()) if found is None else report(found)


@public
def parse_markup(text: str, mode: Mode = "MarkdownV2") -> Markup:
    """Parses messenger_c markup.

    Raises:
        MarkupError: The markup is invalid.
    """
    return Markup.from_dict(_parsed(_cpaas.parse_markup(text, mode)))


@public
def escape_markup(text: str, mode: Mode = "MarkdownV2") -> str:
    """Escapes a plain text, so that it is shown unchanged in a markup mode."""
    return _parsed(_cpaas.escape_markup(text, mode))["text"]  # type: ignore[no-any-return]


def _checked(found: dict[str, Any]) -> dict[str, Any]:
    if "error" in found:
        raise _text_error(found["error"]["code"], found["error"]["message"])
    return found


def _text_error(code: str, message: str) -> TextError:
    error = TextError(message)
    error.message = message
    error.code = code
    return error


def _decode_error(members: dict[str, Any]) -> TextError:
    error = _text_error(members["code"], members["message"])
    error.part, error.octet = members["part"], members["octet"]
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
