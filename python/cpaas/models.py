# Generated from the models of results: `cargo run -p codegen` rewrites it.
"""The records that calls return: read-only classes with attributes in snake_case."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from ._conversions import as_datetime, as_decimal
from ._cpaas import Response
from ._errors import meaning
from ._generated.names import ElementOutcome
from ._pages import AsyncPaginator, Page
from ._pages import Link as Link
from ._public import public_methods
from ._records import UNSET, Model, Records, Result, code_ok

__all__ = [
    "AsyncPaginator",
    "Model",
    "Page",
    "Records",
    "Response",
    "Result",
    "OtpResponse",
    "OtpCheck",
    "OtpEvent",
    "OtpRecord",
    "OtpRecords",
    "UsageRecord",
    "UsageRecords",
    "Bucket",
    "Limit",
    "LimitResponse",
    "LimitPage",
    "LimitList",
    "Step",
    "Workflow",
    "WorkflowResponse",
    "WorkflowPage",
    "WorkflowList",
    "Sent",
    "BulkSms",
    "BulkSent",
    "CountryUsage",
    "CountryUsages",
    "Converted",
    "Network",
    "LookupResult",
    "Participant",
    "Conversation",
    "Message",
    "BulkMessage",
    "BulkMessages",
    "Registered",
    "BotResponse",
    "WebhookInfo",
]


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class OtpResponse(Result):
    """The response to send, verify and cancel."""

    __match_args__: ClassVar[tuple[str, ...]] = ("code", "message", "request_id")
    _fields = {
        "code": ("code", None),
        "message": ("message", None),
        "request_id": ("requestID", None),
    }
    _shown = frozenset(("code", "request_id"))

    code: int = UNSET
    """200 on success."""
    message: str | None = None
    """`OK`, or `canceled` after a cancel."""
    request_id: str | None = None
    """The id of the passcode, prefix `OTP`; null in error bodies."""

    @property
    def ok(self) -> bool:
        """Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no
        passcode has this request id and service; `code` and `message` say which."""
        return code_ok(self.code)

    def __bool__(self) -> bool:
        """The same as `ok`."""
        return self.ok

    @property
    def code_meaning(self) -> str | None:
        """The meaning of the code, such as that of a wrong or an expired passcode; None if the code reports success, or if the table
        (`docs/provider-codes.md`) does not have it."""
        return None if self.ok else meaning("otp.verify", self.code)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class OtpCheck(Model):
    """One submitted code."""

    __match_args__: ClassVar[tuple[str, ...]] = ("sid", "status", "date_received", "code")
    _fields = {
        "sid": ("sid", None),
        "status": ("status", None),
        "date_received": ("dateReceived", None),
        "code": ("code", None),
    }
    _shown = frozenset(("sid", "status", "date_received"))

    sid: str | None = None
    """The id; prefix `OTC`."""
    status: str | None = None
    """Whether the code was valid."""
    date_received: str | None = None
    """The time of submission: `YYYY-MM-DD HH:MM:SS`."""
    code: str | None = None
    """The submitted code."""

    @property
    def date_received_datetime(self) -> datetime | None:
        """`date_received` as a datetime in UTC; None if it is absent or unreadable."""
        return as_datetime(self.date_received)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class OtpEvent(Model):
    """One delivery of a passcode."""

    __match_args__: ClassVar[tuple[str, ...]] = ("sid", "date_created", "channel", "sender", "recipient", "target_sid", "channel_status", "channel_error_code", "channel_error_message")
    _fields = {
        "sid": ("sid", None),
        "date_created": ("dateCreated", None),
        "channel": ("channel", None),
        "sender": ("sender", None),
        "recipient": ("recipient", None),
        "target_sid": ("targetSid", None),
        "channel_status": ("channelStatus", None),
        "channel_error_code": ("channelErrorCode", None),
        "channel_error_message": ("channelErrorMessage", None),
    }
    _shown = frozenset(("sid", "date_created", "channel", "target_sid", "channel_status"))

    sid: str | None = None
    """The id; prefix `OTE`."""
    date_created: str | None = None
    """The time of creation: `YYYY-MM-DD HH:MM:SS`."""
    channel: str | None = None
    """The channel."""
    sender: str | None = None
    """The sender."""
    recipient: str | None = None
    """The recipient."""
    target_sid: str | None = None
    """The id of the message or call; prefix `SM`."""
    channel_status: str | None = None
    """The status of the delivery."""
    channel_error_code: str | None = None
    """The channel's error code."""
    channel_error_message: str | None = None
    """The channel's error message."""

    @property
    def date_created_datetime(self) -> datetime | None:
        """`date_created` as a datetime in UTC; None if it is absent or unreadable."""
        return as_datetime(self.date_created)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class OtpRecord(Result):
    """The record of one passcode."""

    __match_args__: ClassVar[tuple[str, ...]] = ("sid", "status", "service", "account_sid", "date_created", "date_updated", "uri", "checks", "events")
    _fields = {
        "sid": ("sid", None),
        "status": ("status", None),
        "service": ("service", None),
        "account_sid": ("accountSid", None),
        "date_created": ("dateCreated", None),
        "date_updated": ("dateUpdated", None),
        "uri": ("uri", None),
        "checks": ("checks", OtpCheck),
        "events": ("events", OtpEvent),
    }
    _shown = frozenset(("sid", "status", "date_created", "date_updated", "checks", "events"))

    sid: str | None = None
    """The id; prefix `OTP`."""
    status: str | None = None
    """The state of the passcode."""
    service: str | None = None
    """The service identifier."""
    account_sid: str | None = None
    """The account; prefix `AC`."""
    date_created: str | None = None
    """The time of creation: `YYYY-MM-DD HH:MM:SS`."""
    date_updated: str | None = None
    """The time of the last change: `YYYY-MM-DD HH:MM:SS`."""
    uri: str | None = None
    """`/2fa/search/<sid>`"""
    checks: tuple[OtpCheck, ...] | None = None
    """The codes that were submitted."""
    events: tuple[OtpEvent, ...] | None = None
    """The deliveries."""

    @property
    def date_created_datetime(self) -> datetime | None:
        """`date_created` as a datetime in UTC; None if it is absent or unreadable."""
        return as_datetime(self.date_created)

    @property
    def date_updated_datetime(self) -> datetime | None:
        """`date_updated` as a datetime in UTC; None if it is absent or unreadable."""
        return as_datetime(self.date_updated)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class OtpRecords(Page[OtpRecord]):
    """One page of records."""

    __match_args__: ClassVar[tuple[str, ...]] = ("two_fa_otp_sdrs", "page", "num_pages", "page_size", "total", "start", "end", "uri", "first_page_uri", "previous_page_uri", "next_page_uri")
    _fields = {
        "two_fa_otp_sdrs": ("twoFaOtpSdrs", OtpRecord),
        "page": ("page", None),
        "num_pages": ("num_pages", None),
        "page_size": ("page_size", None),
        "total": ("total", None),
        "start": ("start", None),
        "end": ("end", None),
        "uri": ("uri", None),
        "first_page_uri": ("first_page_uri", None),
        "previous_page_uri": ("previous_page_uri", None),
        "next_page_uri": ("next_page_uri", None),
    }
    _shown = frozenset(("two_fa_otp_sdrs", "page", "num_pages", "page_size", "total", "start", "end"))
    _items = ("two_fa_otp_sdrs",)

    two_fa_otp_sdrs: tuple[OtpRecord, ...] = UNSET
    """The records."""
    page: int | None = None
    """The number of this page."""
    num_pages: int | None = None
    """The number of pages."""
    page_size: int | None = None
    """The number of records on a page."""
    total: int | None = None
    """The total number of records."""
    start: int | None = None
    """The number of the first record on this page."""
    end: int | None = None
    """The number of the last record on this page."""
    uri: str | None = None
    """The URI of this page."""
    first_page_uri: str | None = None
    """The URI of the first page."""
    previous_page_uri: str | None = None
    """The URI of the previous page; absent on the first page."""
    next_page_uri: str | None = None
    """The URI of the next page; absent on the last page."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class UsageRecord(Model):
    """The number of passcodes sent. If the request filters by channel, the response contains `category`, `startDate` and `endDate` instead of `channel`, `startTime` and `endTime`."""

    __match_args__: ClassVar[tuple[str, ...]] = ("count", "channel", "category", "description", "account_sid", "start_time", "end_time", "start_date", "end_date", "unit", "uri")
    _fields = {
        "count": ("count", None),
        "channel": ("channel", None),
        "category": ("category", None),
        "description": ("description", None),
        "account_sid": ("accountSid", None),
        "start_time": ("startTime", None),
        "end_time": ("endTime", None),
        "start_date": ("startDate", None),
        "end_date": ("endDate", None),
        "unit": ("unit", None),
        "uri": ("uri", None),
    }
    _shown = frozenset(("count", "channel", "category", "start_time", "end_time", "start_date", "end_date", "unit"))

    count: str | None = None
    """The count, as numeric text."""
    channel: str | None = None
    """`All`, or `call` for voice."""
    category: str | None = None
    """The channel, in the filtered form."""
    description: str | None = None
    """A description of what is counted."""
    account_sid: str | None = None
    """The account; prefix `AC`."""
    start_time: str | None = None
    """The first day: `YYYY-MM-DD`."""
    end_time: str | None = None
    """The last day: `YYYY-MM-DD`."""
    start_date: str | None = None
    """The first day, in the filtered form."""
    end_date: str | None = None
    """The last day, in the filtered form."""
    unit: str | None = None
    """`OTP`, or `Calls` in the filtered form."""
    uri: str | None = None
    """The URI of the record."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class UsageRecords(Result):
    """The response to the usage operations."""

    __match_args__: ClassVar[tuple[str, ...]] = ("usage_records",)
    _fields = {
        "usage_records": ("usageRecords", UsageRecord),
    }
    _shown = frozenset(("usage_records",))

    usage_records: tuple[UsageRecord, ...] = UNSET
    """The records; `otp.usage_daily` returns one for each day."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Bucket(Model):
    """The number of passcodes that a limit allows. The unit of `interval` and the exact meaning of `max` are undocumented."""

    __match_args__: ClassVar[tuple[str, ...]] = ("name", "max", "interval")
    _fields = {
        "name": ("name", None),
        "max": ("max", None),
        "interval": ("interval", None),
    }
    _shown = frozenset(("max", "interval"))

    name: str = UNSET
    """The name of the bucket."""
    max: Any = UNSET
    """The number of passcodes that the limit allows in one interval."""
    interval: Any = UNSET
    """The interval. The specification names no unit; the sandbox uses seconds."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Limit(Model):
    """A limit."""

    __match_args__: ClassVar[tuple[str, ...]] = ("sid", "name", "buckets", "description", "account_sid", "uri")
    _fields = {
        "sid": ("sid", None),
        "name": ("name", None),
        "buckets": ("buckets", Bucket),
        "description": ("description", None),
        "account_sid": ("accountSid", None),
        "uri": ("uri", None),
    }
    _shown = frozenset(("sid", "buckets"))

    sid: str | None = None
    """The id; prefix `LM`."""
    name: str | None = None
    """The name, unique in the account."""
    buckets: tuple[Bucket, ...] | None = None
    """The buckets: an array, or a string that contains the array as JSON."""
    description: str | None = None
    """A description."""
    account_sid: str | None = None
    """The account; prefix `AC`."""
    uri: str | None = None
    """`/2fa/limits/search/<sid>`"""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class LimitResponse(Result):
    """The response about one limit."""

    __match_args__: ClassVar[tuple[str, ...]] = ("data", "code", "message")
    _fields = {
        "data": ("data", Limit),
        "code": ("code", None),
        "message": ("message", None),
    }
    _shown = frozenset(("data", "code"))

    data: Limit | None = None
    """The limit."""
    code: int | None = None
    """200 on success."""
    message: str | None = None
    """`OK`"""

    @property
    def ok(self) -> bool:
        """Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no
        passcode has this request id and service; `code` and `message` say which."""
        return code_ok(self.code)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class LimitPage(Model):
    """One page of limits."""

    __match_args__: ClassVar[tuple[str, ...]] = ("result", "page_size", "total", "page", "num_pages", "start", "end", "first_page_uri", "uri")
    _fields = {
        "result": ("result", Limit),
        "page_size": ("pageSize", None),
        "total": ("total", None),
        "page": ("page", None),
        "num_pages": ("numPages", None),
        "start": ("start", None),
        "end": ("end", None),
        "first_page_uri": ("firstPageUri", None),
        "uri": ("uri", None),
    }
    _shown = frozenset(("result", "page_size", "total", "page", "num_pages", "start", "end"))
    _items = ("result",)

    result: tuple[Limit, ...] = UNSET
    """The limits."""
    page_size: int | None = None
    """The number of records on a page."""
    total: int | None = None
    """The total number of records."""
    page: int | None = None
    """The number of this page."""
    num_pages: int | None = None
    """The number of pages."""
    start: int | None = None
    """The number of the first record on this page."""
    end: int | None = None
    """The number of the last record on this page."""
    first_page_uri: str | None = None
    """The URI of the first page."""
    uri: str | None = None
    """The URI of this page."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class LimitList(Page[Limit]):
    """The response to a list of limits."""

    __match_args__: ClassVar[tuple[str, ...]] = ("data", "code", "message")
    _fields = {
        "data": ("data", LimitPage),
        "code": ("code", None),
        "message": ("message", None),
    }
    _shown = frozenset(("data", "code"))
    _items = ("data", "result")

    data: LimitPage = UNSET
    """The page."""
    code: int | None = None
    """200 on success."""
    message: str | None = None
    """`OK`"""

    @property
    def ok(self) -> bool:
        """Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no
        passcode has this request id and service; `code` and `message` say which."""
        return code_ok(self.code)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Step(Model):
    """One step of a workflow. The unit of `interval` is not documented."""

    __match_args__: ClassVar[tuple[str, ...]] = ("channel", "interval")
    _fields = {
        "channel": ("channel", None),
        "interval": ("interval", None),
    }
    _shown = frozenset(("channel", "interval"))

    channel: str = UNSET
    """The channel of the step."""
    interval: Any = UNSET
    """The time until the next step."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Workflow(Model):
    """A workflow."""

    __match_args__: ClassVar[tuple[str, ...]] = ("sid", "name", "channels", "description", "account_sid", "account_email", "target_account_sid", "target_account_email", "uri")
    _fields = {
        "sid": ("sid", None),
        "name": ("name", None),
        "channels": ("channels", Step),
        "description": ("description", None),
        "account_sid": ("accountSid", None),
        "account_email": ("accountEmail", None),
        "target_account_sid": ("targetAccountSid", None),
        "target_account_email": ("targetAccountEmail", None),
        "uri": ("uri", None),
    }
    _shown = frozenset(("sid", "channels"))

    sid: str | None = None
    """The id; prefix `WF`."""
    name: str | None = None
    """The name, unique in the account."""
    channels: tuple[Step, ...] | None = None
    """The steps, in order: an array, or a string that contains the array as JSON."""
    description: str | None = None
    """A description."""
    account_sid: str | None = None
    """The account; prefix `AC`."""
    account_email: str | None = None
    """The e-mail address of the account's contact."""
    target_account_sid: str | None = None
    """The account that uses the workflow."""
    target_account_email: str | None = None
    """The e-mail address of that account's contact."""
    uri: str | None = None
    """`/2fa/workflows/search/<sid>`"""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class WorkflowResponse(Result):
    """The response about one workflow."""

    __match_args__: ClassVar[tuple[str, ...]] = ("data", "code", "message")
    _fields = {
        "data": ("data", Workflow),
        "code": ("code", None),
        "message": ("message", None),
    }
    _shown = frozenset(("data", "code"))

    data: Workflow | None = None
    """The workflow."""
    code: int | None = None
    """200 on success."""
    message: str | None = None
    """`OK`"""

    @property
    def ok(self) -> bool:
        """Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no
        passcode has this request id and service; `code` and `message` say which."""
        return code_ok(self.code)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class WorkflowPage(Model):
    """One page of workflows."""

    __match_args__: ClassVar[tuple[str, ...]] = ("result", "page_size", "total", "page", "num_pages", "start", "end", "first_page_uri", "uri")
    _fields = {
        "result": ("result", Workflow),
        "page_size": ("pageSize", None),
        "total": ("total", None),
        "page": ("page", None),
        "num_pages": ("numPages", None),
        "start": ("start", None),
        "end": ("end", None),
        "first_page_uri": ("firstPageUri", None),
        "uri": ("uri", None),
    }
    _shown = frozenset(("result", "page_size", "total", "page", "num_pages", "start", "end"))
    _items = ("result",)

    result: tuple[Workflow, ...] = UNSET
    """The workflows."""
    page_size: int | None = None
    """The number of records on a page."""
    total: int | None = None
    """The total number of records."""
    page: int | None = None
    """The number of this page."""
    num_pages: int | None = None
    """The number of pages."""
    start: int | None = None
    """The number of the first record on this page."""
    end: int | None = None
    """The number of the last record on this page."""
    first_page_uri: str | None = None
    """The URI of the first page."""
    uri: str | None = None
    """The URI of this page."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class WorkflowList(Page[Workflow]):
    """The response to a list of workflows."""

    __match_args__: ClassVar[tuple[str, ...]] = ("data", "code", "message")
    _fields = {
        "data": ("data", WorkflowPage),
        "code": ("code", None),
        "message": ("message", None),
    }
    _shown = frozenset(("data", "code"))
    _items = ("data", "result")

    data: WorkflowPage = UNSET
    """The page."""
    code: int | None = None
    """200 on success."""
    message: str | None = None
    """`OK`"""

    @property
    def ok(self) -> bool:
        """Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no
        passcode has this request id and service; `code` and `message` say which."""
        return code_ok(self.code)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Sent(Result):
    """The response to an SMS."""

    __match_args__: ClassVar[tuple[str, ...]] = ("response_code", "id", "timestamp", "to", "text_length", "response_text", "test")
    _fields = {
        "response_code": ("responseCode", None),
        "id": ("id", None),
        "timestamp": ("timestamp", None),
        "to": ("to", None),
        "text_length": ("textLength", None),
        "response_text": ("responseText", None),
        "test": ("test", None),
    }
    _shown = frozenset(("response_code", "id", "timestamp", "text_length", "test"))

    response_code: int = UNSET
    """0 on success."""
    id: str = UNSET
    """The id of the message: one for each call, also if the text has several parts."""
    timestamp: str | None = None
    """The time of acceptance: ISO 8601, UTC."""
    to: str | None = None
    """The recipient, in some responses."""
    text_length: int | None = None
    """The length of the text in characters."""
    response_text: str | None = None
    """The provider's message."""
    test: bool | None = None
    """Whether the request was a test; present only for a test."""

    @property
    def timestamp_datetime(self) -> datetime | None:
        """`timestamp` as a datetime in UTC; None if it is absent or unreadable."""
        return as_datetime(self.timestamp)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class BulkSms(Model):
    """One message of a bulk SMS."""

    __match_args__: ClassVar[tuple[str, ...]] = ("id", "timestamp", "to", "text_length", "outcome")
    _fields = {
        "id": ("id", None),
        "timestamp": ("timestamp", None),
        "to": ("to", None),
        "text_length": ("textLength", None),
        "outcome": ("outcome", None),
    }
    _shown = frozenset(("id", "timestamp", "text_length"))

    id: str | None = None
    """The id of the message."""
    timestamp: str | None = None
    """The time of acceptance: ISO 8601, UTC."""
    to: str | None = None
    """The recipient."""
    text_length: int | None = None
    """The length of the text in characters."""
    outcome: ElementOutcome = UNSET
    """The outcome of this element."""

    @property
    def timestamp_datetime(self) -> datetime | None:
        """`timestamp` as a datetime in UTC; None if it is absent or unreadable."""
        return as_datetime(self.timestamp)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class BulkSent(Result):
    """The response to a bulk SMS."""

    __match_args__: ClassVar[tuple[str, ...]] = ("response_code", "messages", "response_text", "accepted", "rejected", "missing")
    _fields = {
        "response_code": ("responseCode", None),
        "messages": ("messages", BulkSms),
        "response_text": ("responseText", None),
        "accepted": ("accepted", None),
        "rejected": ("rejected", None),
        "missing": ("missing", None),
    }
    _shown = frozenset(("response_code", "messages", "accepted", "rejected", "missing"))

    response_code: int = UNSET
    """0 on success."""
    messages: tuple[BulkSms, ...] = UNSET
    """One element for each number, in the order of the request."""
    response_text: str | None = None
    """The provider's message."""
    accepted: int = UNSET
    """The number of elements with an id."""
    rejected: int = UNSET
    """The number of elements that are rejections."""
    missing: int = UNSET
    """The number of requested elements without an id that are not rejections."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class CountryUsage(Model):
    """Messages and cost in one country."""

    __match_args__: ClassVar[tuple[str, ...]] = ("country", "messages_count", "cost")
    _fields = {
        "country": ("country", None),
        "messages_count": ("messagesCount", None),
        "cost": ("cost", None),
    }
    _shown = frozenset(("messages_count", "cost"))

    country: str | None = None
    """The country: a three-letter code."""
    messages_count: str | None = None
    """The number of messages, as numeric text."""
    cost: str | None = None
    """The cost of the messages in the account's currency, as numeric text (the specification names no
    currency)."""

    @property
    def cost_decimal(self) -> Decimal | None:
        """`cost` as a Decimal; None if it is absent or unreadable."""
        return as_decimal(self.cost)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class CountryUsages(Result):
    """The response to usage by country."""

    __match_args__: ClassVar[tuple[str, ...]] = ("usages_by_country",)
    _fields = {
        "usages_by_country": ("usagesByCountry", CountryUsage),
    }
    _shown = frozenset(("usages_by_country",))

    usages_by_country: tuple[CountryUsage, ...] = UNSET
    """One element for each country."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Converted(Result):
    """The response to a conversion, which is undocumented. These members are those of the family's other responses; all other members are kept."""

    __match_args__: ClassVar[tuple[str, ...]] = ("response_code", "response_text")
    _fields = {
        "response_code": ("responseCode", None),
        "response_text": ("responseText", None),
    }
    _shown = frozenset(("response_code",))

    response_code: int | None = None
    """0 on success."""
    response_text: str | None = None
    """The provider's message."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Network(Model):
    """A network."""

    __match_args__: ClassVar[tuple[str, ...]] = ("network_name", "country_name", "country_prefix")
    _fields = {
        "network_name": ("networkName", None),
        "country_name": ("countryName", None),
        "country_prefix": ("countryPrefix", None),
    }
    _shown = frozenset(())

    network_name: str | None = None
    """Its name."""
    country_name: str | None = None
    """The name of its country."""
    country_prefix: str | None = None
    """The calling code of its country."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class LookupResult(Model):
    """The result for one number."""

    __match_args__: ClassVar[tuple[str, ...]] = ("msisdn", "response", "mcc", "mnc", "ported", "original_network", "ported_network", "original_mnc", "roaming", "roaming_mcc", "roaming_mnc", "roaming_network", "msc", "imsi", "absent", "cost", "date")
    _fields = {
        "msisdn": ("msisdn", None),
        "response": ("response", None),
        "mcc": ("mcc", None),
        "mnc": ("mnc", None),
        "ported": ("ported", None),
        "original_network": ("originalNetwork", Network),
        "ported_network": ("portedNetwork", Network),
        "original_mnc": ("originalMnc", None),
        "roaming": ("roaming", None),
        "roaming_mcc": ("roamingMcc", None),
        "roaming_mnc": ("roamingMnc", None),
        "roaming_network": ("roamingNetwork", Network),
        "msc": ("msc", None),
        "imsi": ("imsi", None),
        "absent": ("absent", None),
        "cost": ("cost", None),
        "date": ("date", None),
    }
    _shown = frozenset(("response", "ported", "original_network", "ported_network", "roaming", "roaming_network", "absent", "cost", "date"))

    msisdn: str | None = None
    """The number."""
    response: int | None = None
    """0 on success; another code is an error of this number only."""
    mcc: str | None = None
    """Mobile country code."""
    mnc: str | None = None
    """Mobile network code."""
    ported: bool | None = None
    """Whether the number was ported to another network."""
    original_network: Network | None = None
    """The network that the number was assigned to."""
    ported_network: Network | None = None
    """The network that the number was ported to."""
    original_mnc: str | None = None
    """The mobile network code before the number was ported."""
    roaming: bool | None = None
    """Present for roaming numbers."""
    roaming_mcc: str | None = None
    """Mobile country code of the visited network."""
    roaming_mnc: str | None = None
    """Mobile network code of the visited network."""
    roaming_network: Network | None = None
    """The visited network."""
    msc: str | None = None
    """The switching center, if the number is roaming."""
    imsi: str | None = None
    """The subscriber's identity, partly masked, if the number is roaming."""
    absent: bool | None = None
    """Whether the number is unreachable: switched off, out of coverage, or barred from roaming."""
    cost: float | None = None
    """The price of the lookup in the account's currency (C1; the specification names no currency)."""
    date: str | None = None
    """The time of the lookup: ISO 8601, UTC."""

    @property
    def cost_decimal(self) -> Decimal | None:
        """`cost` as a Decimal; None if it is absent or unreadable."""
        return as_decimal(self.cost)

    @property
    def date_datetime(self) -> datetime | None:
        """`date` as a datetime in UTC; None if it is absent or unreadable."""
        return as_datetime(self.date)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Participant(Model):
    """One side of a conversation."""

    __match_args__: ClassVar[tuple[str, ...]] = ("id", "name", "phone_number", "messaging_app_identifier")
    _fields = {
        "id": ("id", None),
        "name": ("name", None),
        "phone_number": ("phoneNumber", None),
        "messaging_app_identifier": ("messagingAppIdentifier", None),
    }
    _shown = frozenset(("id",))

    id: str | None = None
    """Its id."""
    name: str | None = None
    """Its name."""
    phone_number: str | None = None
    """Its phone number."""
    messaging_app_identifier: str | None = None
    """Its identifier in the channel."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Conversation(Model):
    """A conversation."""

    __match_args__: ClassVar[tuple[str, ...]] = ("id", "participants")
    _fields = {
        "id": ("id", None),
        "participants": ("participants", Participant),
    }
    _shown = frozenset(("id", "participants"))

    id: str | None = None
    """Its id."""
    participants: tuple[Participant, ...] | None = None
    """The sender and the recipient. The entry of the recipient has a number or a channel identifier
    only."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Message(Result):
    """The response to a message."""

    __match_args__: ClassVar[tuple[str, ...]] = ("message_id", "id", "sender", "conversation", "created_at", "updated_at", "traffic_account_id", "delivery_status")
    _fields = {
        "message_id": ("messageId", None),
        "id": ("id", None),
        "sender": ("sender", Participant),
        "conversation": ("conversation", Conversation),
        "created_at": ("createdAt", None),
        "updated_at": ("updatedAt", None),
        "traffic_account_id": ("trafficAccountId", None),
        "delivery_status": ("deliveryStatus", None),
    }
    _shown = frozenset(("message_id", "id", "sender", "conversation", "created_at", "updated_at", "delivery_status"))

    message_id: str | None = None
    """The id of the message."""
    id: str | None = None
    """Another id; documented only in the response of `messenger_b`."""
    sender: Participant | None = None
    """The sender."""
    conversation: Conversation | None = None
    """The conversation of the message."""
    created_at: str | None = None
    """The time of creation: ISO 8601, UTC."""
    updated_at: str | None = None
    """The time of the last change: ISO 8601, UTC."""
    traffic_account_id: str | None = None
    """The traffic account used."""
    delivery_status: str | None = None
    """`Ready` right after acceptance."""

    @property
    def created_at_datetime(self) -> datetime | None:
        """`created_at` as a datetime in UTC; None if it is absent or unreadable."""
        return as_datetime(self.created_at)

    @property
    def updated_at_datetime(self) -> datetime | None:
        """`updated_at` as a datetime in UTC; None if it is absent or unreadable."""
        return as_datetime(self.updated_at)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class BulkMessage(Model):
    """One message of a bulk message."""

    __match_args__: ClassVar[tuple[str, ...]] = ("message_id", "destination", "traffic_account_id", "outcome")
    _fields = {
        "message_id": ("messageId", None),
        "destination": ("destination", None),
        "traffic_account_id": ("trafficAccountId", None),
        "outcome": ("outcome", None),
    }
    _shown = frozenset(("message_id",))

    message_id: str | None = None
    """The id of the message."""
    destination: str | None = None
    """The recipient."""
    traffic_account_id: str | None = None
    """The traffic account used."""
    outcome: ElementOutcome = UNSET
    """The outcome of this element."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class BulkMessages(Result):
    """The response to a bulk message."""

    __match_args__: ClassVar[tuple[str, ...]] = ("messages", "bulk_id", "accepted", "rejected", "missing")
    _fields = {
        "messages": ("messages", BulkMessage),
        "bulk_id": ("bulkId", None),
        "accepted": ("accepted", None),
        "rejected": ("rejected", None),
        "missing": ("missing", None),
    }
    _shown = frozenset(("messages", "bulk_id", "accepted", "rejected", "missing"))

    messages: tuple[BulkMessage, ...] = UNSET
    """One element for each destination."""
    bulk_id: str | None = None
    """The id of the bulk message."""
    accepted: int = UNSET
    """The number of elements with an id."""
    rejected: int = UNSET
    """The number of elements that are rejections."""
    missing: int = UNSET
    """The number of requested elements without an id that are not rejections."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Registered(Result):
    """The response to the registration (E)."""

    __match_args__: ClassVar[tuple[str, ...]] = ("status", "status_message", "event_types")
    _fields = {
        "status": ("status", None),
        "status_message": ("status_message", None),
        "event_types": ("event_types", None),
    }
    _shown = frozenset(("status", "event_types"))

    status: int = UNSET
    """0 on success."""
    status_message: str | None = None
    """The provider's message."""
    event_types: tuple[str, ...] | None = None
    """The events that the webhook receives."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class BotResponse(Result):
    """The response to setting or deleting a webhook, which is undocumented. A success status means success unless `ok` is false or the body looks like an error."""

    __match_args__: ClassVar[tuple[str, ...]] = ("ok", "result", "description")
    _fields = {
        "ok": ("ok", None),
        "result": ("result", None),
        "description": ("description", None),
    }
    _shown = frozenset(("ok",))

    ok: bool | None = None
    """Whether the call succeeded."""
    result: Any = None
    """The result, in any form."""
    description: str | None = None
    """The provider's message."""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class WebhookInfo(Result):
    """A bot's webhook. Only `url` is documented."""

    __match_args__: ClassVar[tuple[str, ...]] = ("url",)
    _fields = {
        "url": ("url", None),
    }
    _shown = frozenset(())

    url: str | None = None
    """The URL of the webhook; empty if the bot polls. Read at the top level or inside `result`."""
