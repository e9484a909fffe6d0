"""Parsed messenger_c markup.

`__module__` names the module that users import. Annotations of classes are therefore no strings: `typing.get_type_hints` would
evaluate strings in that module.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from .. import _cpaas
from .._errors import Error
from .._generated.names import MarkupErrorKind
from .._public import public, public_methods
from .._records import Model

Mode = Literal["Default", "Markdown", "Html", "MarkdownV2"]


class MarkupError(Error, ValueError):
    """The markup is invalid.

    Attributes:
        kind: A stable code, such as "unclosed_tag": one of `cpaas.types.MarkupErrorKind`.
        offset: The position, in bytes of UTF-8.
        utf16_offset: The position, in UTF-16 code units.
        fix: A correction, `{"start", "end", "insert"}` with positions in bytes, or None if no correction is safe.
    """

    __module__ = "cpaas"

    kind: MarkupErrorKind | None = None
    offset: int = 0
    utf16_offset: int = 0
    fix: dict[str, Any] | None = None


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False, match_args=False)
class _Record(Model):
    """A record that also accepts the names of the specification as keys, like a dict."""

    def __getitem__(self, name: str) -> Any:
        return self.to_dict()[name]

    def get(self, name: str, default: Any = None) -> Any:
        """Returns a member by its name in the specification.

        Args:
            name: The name of the specification.
            default: What is returned for an absent member.
        """
        return self.to_dict().get(name, default)

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other if isinstance(other, dict) else Model.__eq__(self, other)

    def __hash__(self) -> int:
        return Model.__hash__(self)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class MarkupEntity(_Record):
    """A range of the text with a style or a function.

    Attributes:
        type: The kind, such as "Bold" or "TextUrl".
        offset: The start, in UTF-16 code units.
        length: The length, in UTF-16 code units.
        url: The URL of a "TextUrl".
        language: The programming language of a "PreCode".
        user_id: The user of a "MentionName".
        emoji_id: The identifier of a "CustomEmoji".
        unix: The time of a "FormattedDate", in seconds since 1970.
        date_flags: How a "FormattedDate" is shown.
    """

    __module__ = "cpaas"
    __match_args__: ClassVar[tuple[str, ...]] = ("type", "offset", "length")
    _fields = {
        "type": ("type", None),
        "offset": ("offset", None),
        "length": ("length", None),
        "url": ("url", None),
        "language": ("language", None),
        "user_id": ("user_id", None),
        "emoji_id": ("emoji_id", None),
        "unix": ("unix", None),
        "date_flags": ("date_flags", None),
    }
    _shown = frozenset(("type", "offset", "length"))

    type: str
    offset: int
    length: int
    url: str | None = None
    language: str | None = None
    user_id: int | None = None
    emoji_id: str | None = None
    unix: int | None = None
    date_flags: int | None = None


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class SentMarkup(_Record):
    """The message as it is sent: cleaned and trimmed.

    Attributes:
        text: The text.
        entities: Its entities, in order.
        length: The number of code points, to which the limits of 4096 and 1024 apply.
        utf16: The number of UTF-16 code units.
        graphemes: The number of grapheme clusters.
    """

    __module__ = "cpaas"
    __match_args__: ClassVar[tuple[str, ...]] = ("text", "entities")
    _fields = {
        "text": ("text", None),
        "entities": ("entities", MarkupEntity),
        "length": ("length", None),
        "utf16": ("utf16", None),
        "graphemes": ("graphemes", None),
    }
    _shown = frozenset(("length", "utf16", "graphemes"))

    text: str
    entities: tuple[MarkupEntity, ...]
    length: int
    utf16: int
    graphemes: int | None = None


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Markup(_Record):
    """Parsed markup.

    Attributes:
        text: The plain text.
        entities: Its entities, in order.
        sent: The message as it is sent.
        findings: What is probably not intended: `kind`, and the range as `start` and `end` in bytes of UTF-8 and as `start16` and `end16` in UTF-16
            code units.
    """

    __module__ = "cpaas"
    __match_args__: ClassVar[tuple[str, ...]] = ("text", "entities")
    _fields = {
        "text": ("text", None),
        "entities": ("entities", MarkupEntity),
        "sent": ("sent", SentMarkup),
        "findings": ("findings", None),
    }

    text: str
    entities: tuple[MarkupEntity, ...]
    sent: SentMarkup
    findings: tuple[dict[str, Any], ...]

    @property
    def length(self) -> int:
        """The number of code points of the message as it is sent, to which the limits of 4096 and 1024 apply."""
        return self.sent.length


@public
def parse_markup(text: str, mode: Mode = "MarkdownV2") -> Markup:
    """Parses messenger_c markup.

    Args:
        text: The text.
        mode: The markup mode.

    Raises:
        cpaas.MarkupError: The markup is invalid, or the mode is unknown.
    """
    return Markup.from_dict(_parsed(_cpaas.parse_markup(text, mode)))


@public
def escape_markup(text: str, mode: Mode = "MarkdownV2") -> str:
    """Escapes a plain text, so that it is shown unchanged in a markup mode.

    Args:
        text: The text.
        mode: The markup mode.

    Raises:
        cpaas.MarkupError: The mode is unknown.
    """
    return _parsed(_cpaas.escape_markup(text, mode))["text"]  # type: ignore[no-any-return]


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
