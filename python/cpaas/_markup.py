"""Parsed messenger_c markup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._model import Model


class _Record(Model):
    """A record that also accepts the names of the specification as keys, like a dict."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getitem__(self, name):
            return self.to_dict()[name]

        def get(self, name, default=None):
            return self.to_dict().get(name, default)

        def __eq__(self, other):
            return self.to_dict() == other if isinstance(other, dict) else super().__eq__(other)

        __hash__ = Model.__hash__

    else:

        def __getitem__(self, name: str) -> Any: ...
        def get(self, name: str, default: Any = None) -> Any: ...


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

    if TYPE_CHECKING:
        type: str
        offset: int
        length: int
        url: str | None
        language: str | None
        user_id: int | None
        emoji_id: str | None
        unix: int | None
        date_flags: int | None

    else:
        __slots__ = (
            "date_flags",
            "emoji_id",
            "language",
            "length",
            "offset",
            "type",
            "unix",
            "url",
            "user_id",
        )
    __match_args__ = ("type", "offset", "length")
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


class SentMarkup(_Record):
    """The message as it is sent: cleaned and trimmed.

    Attributes:
        text: The text.
        entities: Its entities, in order.
        length: The number of code points, to which the limits of 4096 and 1024 apply.
        utf16: The number of UTF-16 code units.
        graphemes: The number of grapheme clusters.
    """

    if TYPE_CHECKING:
        text: str
        entities: tuple[MarkupEntity, ...]
        length: int
        utf16: int
        graphemes: int | None

    else:
        __slots__ = ("entities", "graphemes", "length", "text", "utf16")
    __match_args__ = ("text", "entities")
    _fields = {
        "text": ("text", None),
        "entities": ("entities", MarkupEntity),
        "length": ("length", None),
        "utf16": ("utf16", None),
        "graphemes": ("graphemes", None),
    }
    _shown = frozenset(("length", "utf16", "graphemes"))


class Markup(_Record):
    """Parsed markup: the plain `text`, its `entities`, the message as it is `sent`, and `findings`."""

    if TYPE_CHECKING:
        text: str
        entities: tuple[MarkupEntity, ...]
        sent: SentMarkup
        findings: tuple[dict[str, Any], ...]

    else:
        __slots__ = ("entities", "findings", "sent", "text")
    __match_args__ = ("text", "entities")
    _fields = {
        "text": ("text", None),
        "entities": ("entities", MarkupEntity),
        "sent": ("sent", SentMarkup),
        "findings": ("findings", None),
    }

    @property
    def length(self) -> int:
        """The number of code points of the message as it is sent, to which the limits of 4096 and 1024 apply."""
        return self.sent.length
