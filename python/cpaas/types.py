# Generated from the list of operations: `UPDATE=1 cargo test -p cpaas-tests` rewrites it.
"""The nested objects of requests: plain dicts with the specification's names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict


class _Sms(TypedDict):
    # The message text.
    text: str


class Sms(_Sms, total=False):
    """SMS as a channel of the messaging API (D1)."""

    # The sender: numeric 1-16 characters or alphanumeric 1-11 characters.
    sender: str


class _Regular(TypedDict):
    # The message text.
    text: str


class Regular(_Regular, total=False):
    """A regular `messenger_a` message (D1)."""

    # The kind of content.
    type: Literal["text"] | str


class MessengerA(TypedDict, total=False):
    """The `messenger_a` object (D1)."""

    # The kind of message.
    type: Literal["regular"] | str
    # The regular message.
    regular: Regular


class Button(TypedDict, total=False):
    """The button of a `messenger_b` message (D2)."""

    # What stands on the button.
    caption: str
    # A URL, or a scheme of the channel.
    action: str


class _File(TypedDict):
    # The URL of the file.
    mediaUrl: str


class File(_File, total=False):
    """The file of a `messenger_b` message (D2): at most 200 MB."""

    # Its name, at most 25 characters; taken from the URL when absent.
    fileName: str


class MessengerB(TypedDict, total=False):
    """The `messenger_b` object (D2)."""

    # The kind of message.
    type: Literal["session", "promotional", "transactional", "regular"] | str
    # The message text.
    text: str
    # The URL of an image.
    mediaUrl: str
    # How long delivery is tried, in seconds: 30 to 1,209,600; 60 or more is recommended.
    ttl: int
    # A button below the text.
    button: Button
    # A file, sent alone.
    file: File


class _Text(TypedDict):
    # 1-4096 characters (code points) after parsing.
    message: str


class Text(_Text, total=False):
    """The text of a `messenger_c` message (D3)."""

    # How the text is parsed.
    parseMode: Literal["Default", "Markdown", "Html", "MarkdownV2"] | str
    # Disables link previews.
    noPreview: bool


class _Media(TypedDict):
    # The URL of the file.
    url: str


class Media(_Media, total=False):
    """A photo, document, video or voice note of a `messenger_c` message (D3)."""

    # 0-1024 characters (code points) after parsing.
    caption: str
    # How the caption is parsed.
    parseMode: Literal["Default", "Markdown", "Html", "MarkdownV2"] | str
    # Ignored by the service.
    thumb: Any


class Location(TypedDict, total=False):
    """A place (D3)."""

    # Degrees, -90 to 90.
    latitude: float
    # Degrees, -180 to 180.
    longitude: float


class MessengerC(TypedDict, total=False):
    """The `messenger_c` object (D3)."""

    # No sound notification.
    silent: bool
    # A text.
    text: Text
    # A photo: at most 10 MB, width plus height at most 10,000, ratio at most 20.
    photo: Media
    # A document: `.gif`, `.pdf` or `.zip`.
    document: Media
    # A video: `.mp4`, partly `.ogg`.
    video: Media
    # A voice note: `.ogg` (OPUS) or `.mp3`.
    voice: Media
    # A place.
    location: Location


class _RichText(TypedDict):
    # The text.
    message: str


class RichText(_RichText, total=False):
    """The text of a business chat message (D4)."""

    # Allows basic Markdown: bold, italic and links.
    containsRichText: bool


class _Image(TypedDict):
    # The URL of the image.
    fileUrl: str


class Image(_Image, total=False):
    """An image (D4)."""

    # The URL of its thumbnail.
    thumbnailUrl: str
    # Fetches the image anew.
    forceRefresh: bool
    # What a screen reader says.
    altText: str


class _Reply(TypedDict):
    # What stands on the chip: at most 25 characters (code points).
    text: str


class Reply(_Reply, total=False):
    """A suggested reply (D4)."""

    # What the webhook receives when it is tapped.
    postbackData: str


class Suggestion(TypedDict, total=False):
    """A suggestion (D4). The fields of suggested actions are not shown by the specification: add them with [`Suggestion::extra`]."""

    # A suggested reply.
    reply: Reply


class _ContentInfo(TypedDict):
    # The URL of the file.
    fileUrl: str


class ContentInfo(_ContentInfo, total=False):
    """The file of a card's media (D4)."""

    # The URL of its thumbnail.
    thumbnailUrl: str
    # What a screen reader says.
    altText: str


class CardMedia(TypedDict, total=False):
    """The media of a card (D4)."""

    # Its height.
    height: Literal["SHORT", "MEDIUM", "TALL"] | str
    # The file.
    contentInfo: ContentInfo


class Card(TypedDict, total=False):
    """A rich card (D4): media or a title at the least."""

    # The title.
    title: str
    # The text below the title.
    description: str
    # Picture or video.
    media: CardMedia
    # At most 4 suggestions.
    suggestions: Sequence[Suggestion]


class _Carousel(TypedDict):
    # 2 to 10 cards.
    cardContents: Sequence[Card]


class Carousel(_Carousel, total=False):
    """A carousel (D4)."""

    # The width of its cards.
    cardWidth: Literal["SMALL", "MEDIUM"] | str


class Representative(TypedDict, total=False):
    """Who speaks in a business chat (D4)."""

    # The URL of the avatar.
    avatarImage: str
    # The name shown.
    displayName: str
    # Program or person.
    representativeType: Literal["BOT", "HUMAN"] | str


class BusinessChat(TypedDict, total=False):
    """The `business_chat` object (D4)."""

    # A text.
    text: RichText
    # An image.
    image: Image
    # At most 13 suggestions below the message.
    suggestions: Sequence[Suggestion]
    # One card.
    standaloneCard: Card
    # A carousel of 2 to 10 cards.
    carouselCard: Carousel
    # The text shown when the device cannot render the message; `\\n` and `\\r\\n` break lines.
    fallback: str
    # Shows the fallback instead of the content, for testing.
    forceFallback: bool
    # Who speaks.
    representative: Representative


class Channels(TypedDict, total=False):
    """The channel objects, in the order in which they are tried."""

    sms: Sms
    messenger_a: MessengerA
    messenger_b: MessengerB
    messenger_c: MessengerC
    business_chat: BusinessChat


_SmsSend = TypedDict(
    "_SmsSend",
    {
        "from": "str",
        "to": "str",
        "text": "str",
    },
)


class SmsSend(_SmsSend, total=False):
    """Sends one SMS (B1)."""

    # When true, nothing is dispatched to a handset; `to` must still be a real number.
    test: bool
    # `auto` detects the encoding and is the recommended value.
    type: str
    # A free tag that comes back in callbacks.
    reference: str
    # The URL that is called with the delivery reports of this message.
    callback: str


class _MessagesSend(TypedDict):
    # The traffic account used for sending: a UUID.
    trafficAccountId: str
    # Phone number, or the recipient's channel identifier.
    destination: str


class MessagesSend(_MessagesSend, total=False):
    """Sends one message over one channel (D1)."""

    # SMS.
    sms: Sms
    # The messenger_a object.
    messenger_a: MessengerA
    # The messenger_b object.
    messenger_b: MessengerB
    # The messenger_c object.
    messenger_c: MessengerC
    # The business_chat object.
    business_chat: BusinessChat
