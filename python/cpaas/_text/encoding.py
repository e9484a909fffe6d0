"""The user data of SMS parts, transliteration, and the parts of templates. Nothing here needs the network.

`__module__` names the module that users import. Annotations of classes are therefore no strings: `typing.get_type_hints` would
evaluate strings in that module.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Literal, TypeVar

from .. import _cpaas
from .._arguments import items
from .._errors import bad_value, wrong_type
from .._public import public, public_methods
from .._records import Model
from .segments import Languages, SegmentCount, TextError, segment_options, text_error, value_or_raise

_Part = TypeVar("_Part", bound="EncodedPart")


@public_methods
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class EncodedPart(Model):
    """A part as transmitted.

    Attributes:
        udh: The user data header with its length octet; empty if there is none.
        ud: The octets after the header, including fill bits.
        udl: The user data length, with header and fill bits: in septets for GSM 7-bit, in octets for UCS-2.
        dcs: The data coding scheme: 0 for GSM 7-bit, 8 for UCS-2.
    """

    __module__ = "cpaas"
    __match_args__: ClassVar[tuple[str, ...]] = ("udh", "ud", "udl", "dcs")
    _fields = {name: (name, None) for name in __match_args__}
    _shown = frozenset(("udl", "dcs"))

    udh: bytes = b""
    ud: bytes = b""
    udl: int = 0
    dcs: int = 0

    def to_dict(self, *, by: Literal["wire", "python"] = "wire") -> dict[str, Any]:
        """Returns the members as a dict; octets are hexadecimal digits, as in JSON.

        Args:
            by: As for the other records; the names of a part are the same.
        """
        return {**Model.to_dict(self, by=by), "udh": self.udh.hex().upper(), "ud": self.ud.hex().upper()}

    @classmethod
    def from_dict(cls: type[_Part], data: Mapping[str, Any]) -> _Part:
        """Creates a part from a dict; octets are bytes or hexadecimal digits.

        Args:
            data: The members. `udh` and `dcs` may be absent.

        Raises:
            KeyError: A member is missing.
            ValueError: A text is not hexadecimal digits.
        """
        rest = {"udh": b"", "dcs": 0, **data}
        members = {name: rest.pop(name) for name in cls._fields}
        for name in ("udh", "ud"):
            if isinstance(members[name], str):
                members[name] = bytes.fromhex(members[name])
        return cls(**members, extra=rest)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Transliteration(Model):
    """A text with replacements.

    Attributes:
        text: The text with every replacement.
        replacements: Each replacement: `from`, `to`, and the position in the original text, as `start` and `end` in bytes of
            UTF-8 and as `start16` and `end16` in UTF-16 code units.
        kept: The characters outside the default alphabet that have no replacement.
    """

    __module__ = "cpaas"
    __match_args__: ClassVar[tuple[str, ...]] = ("text", "replacements", "kept")
    _fields = {name: (name, None) for name in __match_args__}

    text: str
    replacements: tuple[dict[str, Any], ...]
    kept: tuple[str, ...]


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class TemplateSegments(Model):
    """The smallest and the largest number of parts that the texts of a template can have.

    Attributes:
        shortest: The text with the fewest parts.
        longest: The text with the most parts.
        rows: The indexes of the rows of `shortest` and `longest`, or None without rows.
        reason: Why `shortest` and `longest` differ: "length" or "encoding"; "same" if they do not differ.
        message: The reason as a sentence.
        fields: The names of the merge fields.
    """

    __module__ = "cpaas"
    __match_args__: ClassVar[tuple[str, ...]] = ("shortest", "longest", "reason")
    _fields = {
        "shortest": ("shortest", SegmentCount),
        "longest": ("longest", SegmentCount),
        **{name: (name, None) for name in ("rows", "reason", "message", "fields")},
    }
    _shown = frozenset(("shortest", "longest", "rows", "reason"))

    shortest: SegmentCount
    longest: SegmentCount
    rows: tuple[int, int] | None = None
    reason: Literal["same", "length", "encoding"]
    message: str
    fields: tuple[str, ...]


@public
def encode(
    text: str,
    *,
    languages: Languages = None,
    reference: int = 0,
    split: Literal["code_point", "grapheme"] = "code_point",
    reference_bits: Literal[8, 16] = 8,
    encoding: Literal["gsm7", "ucs2"] | None = None,
    transliterate: Literal["auto"] | bool = False,
    ports: tuple[int, int] | None = None,
) -> tuple[EncodedPart, ...]:
    """Encodes a text as the user data of SMS parts (3GPP TS 23.038 and TS 23.040). The parts are those of `segments`.

    Args:
        text: The text.
        languages: The languages whose national tables may be used, as in `segments`.
        reference: The concatenation reference, 0 to 65535. Messages to the same phone need different references. A reference above
            255 is sent in 16 bits, any other in `reference_bits` bits.
        split: As in `segments`.
        reference_bits: As in `segments`.
        encoding: As in `segments`.
        transliterate: As in `segments`.
        ports: The application ports, destination and source.

    Raises:
        cpaas.TextError: As for `segments`.
    """
    options = segment_options(split, reference_bits, encoding, languages, transliterate)
    options["reference"] = reference
    if ports is not None:
        pair = [*islice(items("ports", "a pair of int", ports), 3)]
        if len(pair) != 2:
            raise bad_value("ports must be a pair: the destination and the source")
        options["ports"] = dict(zip(("destination", "source"), pair))
    found = value_or_raise(_cpaas.encode(text, options))
    return tuple(map(EncodedPart.from_dict, found["parts"]))


@public
def decode(parts: Iterable[EncodedPart | Mapping[str, Any]]) -> str:
    """Decodes the parts of one message, in any order.

    Args:
        parts: The parts, or mappings with `udh`, `ud`, `udl` and `dcs`; octets are bytes or hexadecimal digits.

    Raises:
        cpaas.TextError: A part is missing or invalid. `part` and `octet` are the position.
    """
    given = items("parts", "an iterable of EncodedPart", parts)
    found = _cpaas.decode([_octets(index, part) for index, part in enumerate(given)])
    if isinstance(found, dict):
        raise _decode_error(found["error"])
    return found


def _octets(index: int, part: Any) -> tuple[bytes, bytes, int, int]:
    try:
        if not isinstance(part, EncodedPart):
            part = EncodedPart.from_dict(part)
        udh, ud = bytes(memoryview(part.udh)), bytes(memoryview(part.ud))
        udl, dcs = part.udl.__index__(), part.dcs.__index__()
    except (TypeError, ValueError, KeyError, AttributeError):
        raise _part_error(
            index, "must have udh and ud as bytes or hexadecimal digits, and udl and dcs as int"
        ) from None
    if not (0 <= udl <= 255 and 0 <= dcs <= 255):
        raise _part_error(index, "must have udl and dcs from 0 to 255")
    return udh, ud, udl, dcs


def _decode_error(members: dict[str, Any]) -> TextError:
    error = text_error(members["code"], members["message"])
    error.part, error.octet = members["part"], members["octet"]
    return error


def _part_error(index: int, message: str) -> Exception:
    error = text_error("text.user_data", f"parts[{index}] {message}")
    error.part = index
    return error


def _field(name: Any, value: Any) -> Any:
    expected = "an int, a pair of int or a list of str"
    return value if isinstance(value, (int, str)) else [*items(f"fields[{name!r}]", expected, value)]


def _sample(index: int, row: Any) -> dict[Any, Any]:
    if not isinstance(row, Mapping):
        raise wrong_type(f"rows[{index}]", "a mapping", row)
    return dict(row)


@public
def transliterate(text: str) -> Transliteration:
    """Replaces characters outside the GSM 7-bit default alphabet that have a replacement, and reports each replacement.

    Args:
        text: The text.

    Raises:
        cpaas.Invalid: The text is not a `str` or contains a lone surrogate.
    """
    return Transliteration.from_dict(_cpaas.transliterate(text))


@public
def template_segments(
    template: str,
    *,
    fields: Mapping[str, int | tuple[int, int] | Sequence[str]] | None = None,
    rows: Iterable[Mapping[str, str]] | None = None,
    split: Literal["code_point", "grapheme"] = "code_point",
    reference_bits: Literal[8, 16] = 8,
    encoding: Literal["gsm7", "ucs2"] | None = None,
    languages: Languages = None,
) -> TemplateSegments:
    """Returns the range of the number of SMS parts of a template with merge fields such as `{{name}}`.

    Args:
        template: The template.
        fields: For each merge field: its shortest and longest length in characters of the default alphabet, a single length,
            or a list of sample values.
        rows: Sample rows instead of `fields`, each with a value for every field.
        split: As in `segments`.
        reference_bits: As in `segments`.
        encoding: As in `segments`.
        languages: As in `segments`.

    Raises:
        cpaas.TextError: The template, a value or an option is invalid.
    """
    options = segment_options(split, reference_bits, encoding, languages, False)
    del options["transliterate"]
    values: dict[str, Any] = {}
    if fields is not None:
        if not isinstance(fields, Mapping):
            raise wrong_type("fields", "a mapping", fields)
        values["fields"] = {name: _field(name, value) for name, value in fields.items()}
    if rows is not None:
        values["rows"] = [
            _sample(index, row) for index, row in enumerate(items("rows", "an iterable of mappings", rows))
        ]
    found = value_or_raise(_cpaas.template_segments(template, values, options))
    return TemplateSegments.from_dict(found)
