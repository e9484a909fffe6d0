# Generated from the models of requests, and the names in `_generated/names.py`: `cargo run -p codegen` rewrites it.
"""The nested objects of requests, plain dicts with the specification's names; and the sets of names that results and errors use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ._generated.metadata import OperationId as OperationId
from ._generated.names import CampaignReason as CampaignReason
from ._generated.names import CampaignState as CampaignState
from ._generated.names import ElementOutcome as ElementOutcome
from ._generated.names import MarkupErrorKind as MarkupErrorKind
from ._generated.names import Outcome as Outcome
from ._generated.names import Reason as Reason
from ._generated.names import RejectionReason as RejectionReason
from ._generated.names import RowOutcome as RowOutcome
from ._generated.names import RowReason as RowReason
from ._generated.names import SentState as SentState
from ._generated.names import StopReason as StopReason
from ._generated.names import TestOutcome as TestOutcome
from ._generated.names import TextErrorCode as TextErrorCode

if TYPE_CHECKING:
    from typing import TypedDict
else:
    try:  # pydantic requires it before Python 3.12
        from typing_extensions import TypedDict
    except ImportError:
        from typing import TypedDict


class Bucket(TypedDict):
    """The number of passcodes that a limit allows. The unit of `interval` and the exact meaning of `max` are undocumented."""

    # The name of the bucket.
    name: str
    # The number of passcodes that the limit allows in one interval.
    max: Any
    # The interval. The specification names no unit; the sandbox uses seconds.
    interval: Any


class Step(TypedDict):
    """One step of a workflow. The unit of `interval` is not documented."""

    # The channel of the step.
    channel: Literal["sms", "voice"] | str
    # The time until the next step.
    interval: Any


class _Sms(TypedDict):
    # The message text.
    text: str


class Sms(_Sms, total=False):
    """SMS as a channel of the messaging API."""

    # The sender: numeric 1-16 characters or alphanumeric 1-11 characters.
    sender: str


class _Regular(TypedDict):
    # The message text.
    text: str


class Regular(_Regular, total=False):
    """A regular `messenger_a` message."""

    # The kind of content.
    type: Literal["text"] | str


class MessengerA(TypedDict, total=False):
    """The `messenger_a` object."""

    # The kind of message.
    type: Literal["regular"] | str
    # The regular message.
    regular: Regular


class Button(TypedDict, total=False):
    """The button of a `messenger_b` message."""

    # The label of the button.
    caption: str
    # A URL, or a URI with a scheme of the channel.
    action: str


class _File(TypedDict):
    # The URL of the file.
    mediaUrl: str


class File(_File, total=False):
    """The file of a `messenger_b` message: at most 200 MB."""

    # The name of the file, at most 25 characters; if absent, the file name of the URL.
    fileName: str


class MessengerB(TypedDict, total=False):
    """The `messenger_b` object."""

    # The kind of message.
    type: Literal["session", "promotional", "transactional", "regular"] | str
    # The message text.
    text: str
    # The URL of an image.
    mediaUrl: str
    # The time for which delivery is attempted, in seconds: 30 to 1,209,600; 60 or more is
    # recommended.
    ttl: int
    # A button below the text.
    button: Button
    # A file, without a text, an image or a button.
    file: File


class _Text(TypedDict):
    # 1-4096 characters (code points) after parsing.
    message: str


class Text(_Text, total=False):
    """The text of a `messenger_c` message."""

    # The parse mode of the text.
    parseMode: Literal["Default", "Markdown", "Html", "MarkdownV2"] | str
    # Disables link previews.
    noPreview: bool


class _Media(TypedDict):
    # The URL of the file.
    url: str


class Media(_Media, total=False):
    """A photo, document, video or voice note of a `messenger_c` message."""

    # 0-1024 characters (code points) after parsing.
    caption: str
    # The parse mode of the caption.
    parseMode: Literal["Default", "Markdown", "Html", "MarkdownV2"] | str
    # Ignored by the service.
    thumb: Any


class Location(TypedDict, total=False):
    """A location."""

    # Degrees, -90 to 90.
    latitude: float
    # Degrees, -180 to 180.
    longitude: float


class MessengerC(TypedDict, total=False):
    """The `messenger_c` object."""

    # Sends the message without a notification sound.
    silent: bool
    # A text.
    text: Text
    # A photo: at most 10 MiB (10,485,760 bytes), width plus height at most 10,000 pixels, the
    # longer side at most 20 times the shorter.
    photo: Media
    # A document: `.gif`, `.pdf` or `.zip`.
    document: Media
    # A video: `.mp4`, or `.ogg`, which is only partly supported.
    video: Media
    # A voice note: `.ogg` (OPUS) or `.mp3`.
    voice: Media
    # A location.
    location: Location


class _RichText(TypedDict):
    # The text.
    message: str


class RichText(_RichText, total=False):
    """The text of a business chat message."""

    # Allows basic Markdown: bold, italic and links.
    containsRichText: bool


class _Image(TypedDict):
    # The URL of the image.
    fileUrl: str


class Image(_Image, total=False):
    """An image."""

    # The URL of its thumbnail.
    thumbnailUrl: str
    # Fetches the image again.
    forceRefresh: bool
    # The alternative text for screen readers.
    altText: str


class _Reply(TypedDict):
    # The text of the chip: at most 25 characters (code points).
    text: str


class Reply(_Reply, total=False):
    """A suggested reply."""

    # The data that the webhook receives when the suggestion is tapped.
    postbackData: str


class Suggestion(TypedDict, total=False):
    """A suggestion. The fields of suggested actions are undocumented, and are sent as they are."""

    # A suggested reply.
    reply: Reply


class _ContentInfo(TypedDict):
    # The URL of the file.
    fileUrl: str


class ContentInfo(_ContentInfo, total=False):
    """The file of a card's media."""

    # The URL of its thumbnail.
    thumbnailUrl: str
    # The alternative text for screen readers.
    altText: str


class CardMedia(TypedDict, total=False):
    """The media of a card."""

    # The height of the media.
    height: Literal["SHORT", "MEDIUM", "TALL"] | str
    # The file.
    contentInfo: ContentInfo


class Card(TypedDict, total=False):
    """A rich card: at least media or a title."""

    # The title.
    title: str
    # The text below the title.
    description: str
    # An image or a video.
    media: CardMedia
    # At most 4 suggestions.
    suggestions: Sequence[Suggestion]


class _Carousel(TypedDict):
    # 2 to 10 cards.
    cardContents: Sequence[Card]


class Carousel(_Carousel, total=False):
    """A carousel."""

    # The width of its cards: SMALL is 136 DP, MEDIUM is 280 DP.
    cardWidth: Literal["SMALL", "MEDIUM"] | str


class Representative(TypedDict, total=False):
    """The sender in a business chat."""

    # The URL of the avatar.
    avatarImage: str
    # The displayed name.
    displayName: str
    # Whether the sender is a program or a person.
    representativeType: Literal["BOT", "HUMAN"] | str


class BusinessChat(TypedDict, total=False):
    """The `business_chat` object."""

    # A text.
    text: RichText
    # An image.
    image: Image
    # At most 13 suggestions, shown below the message.
    suggestions: Sequence[Suggestion]
    # One card.
    standaloneCard: Card
    # A carousel of 2 to 10 cards.
    carouselCard: Carousel
    # The text for devices that cannot render the message; `\\n` and `\\r\\n` break lines.
    fallback: str
    # Shows the fallback instead of the content, for testing.
    forceFallback: bool
    # The sender.
    representative: Representative


class TimeoutFailover(TypedDict, total=False):
    """A timeout failover."""

    # Seconds until the next channel is tried, an integer.
    timeoutInSeconds: int
    # The status that must be reached in time.
    status: Literal["Delivered"] | str
    # The traffic account of each channel, in order; UUIDs.
    trafficAccounts: Sequence[str]


class Failover(TypedDict, total=False):
    """The failover to the next channel."""

    # The kind of failover.
    type: Literal["Timeout"] | str
    # The timeout.
    timeoutFailover: TimeoutFailover


class Channels(TypedDict, total=False):
    """The channel objects, in the order in which they are tried."""

    sms: Sms
    messenger_a: MessengerA
    messenger_b: MessengerB
    messenger_c: MessengerC
    business_chat: BusinessChat


_OtpSend = TypedDict(
    "_OtpSend",
    {
        "service": "str",
        "from": "str",
        "to": "str",
        "body": "str",
    },
)


class OtpSend(_OtpSend, total=False):
    """Sends a one-time passcode by SMS or by a text-to-speech call. The members that set the language, the voice or a code chosen by the caller are undocumented. Undocumented members are sent unchanged."""

    # `call` speaks the code, `sms` writes it; the default is not documented.
    channel: Literal["sms", "call"] | str
    # The name of each limit that applies, with the value that it counts, such as an IP address or
    # a phone number.
    limits: Mapping[str, str]
    # The time for which an earlier passcode stays valid after a new one is sent; type and unit are
    # undocumented.
    guardTime: Any


class OtpVerify(TypedDict):
    """Checks a code that the recipient submitted."""

    # The service identifier of the send.
    service: str
    # The `requestID` that the send returned; it begins with `OTP`.
    requestId: str
    # The submitted code: a string, because a number would lose leading zeros.
    code: str


class _OtpCancel(TypedDict):
    # The id that the send returned; prefix `OTP`.
    requestId: str


class OtpCancel(_OtpCancel, total=False):
    """Cancels a pending passcode."""

    # The account. If it is absent, the client sends that of the configuration, because the
    # provider requires it.
    accountSid: str


class OtpSearch(TypedDict, total=False):
    """Lists one-time passcodes, page by page."""

    # The number of records on a page; the maximum is not documented.
    pageSize: int
    # The number of the page.
    page: int
    # Only records of this status, such as `success`.
    status: Literal["success", "expired"] | str
    # Only records of this account or sub-account.
    accountSid: str


class OtpGet(TypedDict):
    """Reads the record of one passcode."""

    # The id of the record; prefix `OTP`.
    sid: str


class OtpUsage(TypedDict, total=False):
    """Counts passcodes over a range of days."""

    # The first day: `YYYY-MM-DD`.
    startDate: str
    # The last day: `YYYY-MM-DD`.
    endDate: str
    # Only passcodes of this channel.
    channel: Literal["sms", "call"] | str


class OtpUsageDaily(TypedDict, total=False):
    """Counts passcodes day by day."""

    # The first day: `YYYY-MM-DD`.
    startDate: str
    # The last day: `YYYY-MM-DD`.
    endDate: str
    # Only passcodes of this channel.
    channel: Literal["sms", "call"] | str


class OtpLimitsCreate(TypedDict):
    """Creates a limit. The name must be unique: the provider rejects an existing name with code 492."""

    # The name, unique in the account.
    name: str
    # The buckets: an array, or a string that contains it as JSON. A request sends the string.
    buckets: Sequence[Bucket] | str
    # A description.
    description: str


class _OtpLimitsUpdate(TypedDict):
    # The id; prefix `LM`.
    sid: str


class OtpLimitsUpdate(_OtpLimitsUpdate, total=False):
    """Changes a limit. An omitted member is not changed. The provider rejects an unknown sid with code 493."""

    # The buckets: an array, or a string that contains it as JSON. A request sends the string.
    buckets: Sequence[Bucket] | str
    # A description.
    description: str


class OtpLimitsDelete(TypedDict):
    """Deletes a limit and returns it."""

    # The id; prefix `LM`.
    sid: str


class OtpLimitsList(TypedDict, total=False):
    """Lists limits, page by page."""

    # The number of records on a page; the maximum is not documented.
    pageSize: int
    # The number of the page.
    page: int
    # Only records of this account or sub-account.
    accountSid: str


class OtpLimitsGet(TypedDict):
    """Reads one limit."""

    # The id; prefix `LM`.
    sid: str


class _OtpWorkflowsCreate(TypedDict):
    # The name, unique in the account.
    name: str
    # The steps, in order: an array, or a string that contains it as JSON. A request sends the
    # string.
    channels: Sequence[Step] | str


class OtpWorkflowsCreate(_OtpWorkflowsCreate, total=False):
    """Creates a workflow. The name must be unique: the provider rejects an existing name with code 495."""

    # A description.
    description: str


class _OtpWorkflowsUpdate(TypedDict):
    # The id; prefix `WF`.
    sid: str


class OtpWorkflowsUpdate(_OtpWorkflowsUpdate, total=False):
    """Changes a workflow: `channels` are appended, `description` is replaced. The provider rejects an unknown sid with code 499."""

    # The steps, in order: an array, or a string that contains it as JSON. A request sends the
    # string.
    channels: Sequence[Step] | str
    # A description.
    description: str


class OtpWorkflowsDelete(TypedDict):
    """Deletes a workflow and returns it."""

    # The id; prefix `WF`.
    sid: str


class OtpWorkflowsList(TypedDict, total=False):
    """Lists workflows, page by page."""

    # The number of records on a page; the maximum is not documented.
    pageSize: int
    # The number of the page.
    page: int
    # Only records of this account or sub-account.
    accountSid: str


class OtpWorkflowsGet(TypedDict):
    """Reads one workflow."""

    # The id; prefix `WF`.
    sid: str


_SmsSend = TypedDict(
    "_SmsSend",
    {
        "from": "str",
        "to": "str",
        "text": "str",
    },
)


class SmsSend(_SmsSend, total=False):
    """Sends one SMS."""

    # Whether this is a test, which sends nothing to a handset; `to` must still be a real number.
    test: bool
    # `auto` detects the encoding and is the recommended value.
    type: str
    # Any reference, which callbacks return.
    reference: str
    # The URL that receives the delivery reports of this message.
    callback: str


_SmsSendBulk = TypedDict(
    "_SmsSendBulk",
    {
        "from": "str",
        "to": "Sequence[str] | str",
        "text": "str",
    },
)


class SmsSendBulk(_SmsSendBulk, total=False):
    """Sends one text to several numbers. A number listed twice receives a message for each occurrence."""

    # Whether this is a test, which sends nothing to a handset; the numbers must still be real.
    test: bool
    # `auto` detects the encoding and is the recommended value.
    type: str
    # Any reference, which callbacks return.
    reference: str
    # The URL that receives the delivery reports of these messages.
    callback: str


class SmsUsageByCountry(TypedDict, total=False):
    """Counts messages and their cost by country."""

    # The first day: `YYYY-MM-DD`.
    startDate: str
    # The last day: `YYYY-MM-DD`.
    endDate: str
    # The name of the account.
    AccountName: str


class SmsConvert(TypedDict):
    """Reports that a message led to a conversion. The provider must have enabled this for the account."""

    # The id of the message.
    messageId: str


class LookupNumbers(TypedDict):
    """Looks up numbers, with the key in a header. One number is sent as a string, several as an array. Each number is charged."""

    # The numbers.
    msisdn: Sequence[str] | str


class LookupNumbersByQuery(TypedDict):
    """Looks up numbers, with the key in the query. Each number is charged. The URL contains the key: prefer `lookup.numbers` if both are available."""

    # The numbers; sent as one string, separated by commas.
    msisdn: Sequence[str] | str


class _MessagesSend(TypedDict):
    # The traffic account used for sending, a UUID; that of the configuration if absent.
    trafficAccountId: str
    # Phone number, or the recipient's channel identifier.
    destination: str


class MessagesSend(_MessagesSend, total=False):
    """Sends one message over one channel."""

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


class _MessagesSendFailover(TypedDict):
    # Phone number, or the recipient's channel identifier.
    destination: str
    # How the message moves to the next channel.
    failover: Failover


class MessagesSendFailover(_MessagesSendFailover, total=False):
    """Sends one message over the first channel that delivers it."""

    # A traffic account in addition to those of the failover, a UUID. Sent only if it is set here.
    trafficAccountId: str
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


class _MessagesSendBulk(TypedDict):
    # The recipients: phone numbers, or identifiers of one channel.
    destinations: Sequence[str]
    # The traffic account used for sending, a UUID; that of the configuration if absent.
    trafficAccountId: str


class MessagesSendBulk(_MessagesSendBulk, total=False):
    """Sends one message to several destinations."""

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
    # How the message moves to the next channel.
    failover: Failover
    # The version in the path, 1.1 or later; that of the configuration if absent.
    version: str


class _WebhooksMessengerBSet(TypedDict):
    # The URL of the webhook; an empty string removes the webhook and disables the one-to-one
    # conversation.
    url: str


class WebhooksMessengerBSet(_WebhooksMessengerBSet, total=False):
    """Registers the webhook of `messenger_b` (E). The provider calls the URL immediately, and the registration fails unless the URL returns 200."""

    # The events to receive; all events if absent.
    event_types: Sequence[Literal["delivered", "seen", "failed", "subscribed", "unsubscribed", "conversation_started"] | str]
    # Whether events contain the user's name (default false).
    send_name: bool
    # Whether events contain the user's photo (default false).
    send_photo: bool
    # The traffic account, a query parameter; that of the configuration if absent.
    ta: str


class _WebhooksMessengerCSet(TypedDict):
    # The bot's id or token: one segment of the path, which the client percent-encodes. It never
    # appears in output.
    bot_id: str
    # The URL of the webhook.
    url: str


class WebhooksMessengerCSet(_WebhooksMessengerCSet, total=False):
    """Registers the webhook of a `messenger_c` bot."""

    # The traffic account, which is added to the URL; that of the configuration if absent.
    ta: str


class WebhooksMessengerCDelete(TypedDict):
    """Removes the webhook of a `messenger_c` bot."""

    # The bot's id or token: one segment of the path, which the client percent-encodes. It never
    # appears in output.
    bot_id: str


class WebhooksMessengerCInfo(TypedDict):
    """Reads the webhook of a `messenger_c` bot."""

    # The bot's id or token: one segment of the path, which the client percent-encodes. It never
    # appears in output.
    bot_id: str
