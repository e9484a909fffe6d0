# Generated from the list of operations: `cargo run -p codegen` rewrites it.
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from ._model import Model as Model, Page as Page, Records as Records, Result as Result

class OtpResponse(Result):
    """The response to send, verify and cancel (A2)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        code: int,
        message: str | None = None,
        request_id: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def ok(self) -> bool:
        """Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no
        passcode has this request id and service; `code` and `message` say which."""
        ...
    def __bool__(self) -> bool:
        """The same as `ok`."""
        ...
    @property
    def code(self) -> int:
        """200 on success."""
        ...
    @property
    def message(self) -> str | None:
        """`OK`, or `canceled` after a cancel."""
        ...
    @property
    def request_id(self) -> str | None:
        """The id of the passcode, prefix `OTP`; null in error bodies."""
        ...

class OtpCheck(Model):
    """One submitted code (A5)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        sid: str | None = None,
        status: str | None = None,
        date_received: str | None = None,
        code: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def sid(self) -> str | None:
        """The id; prefix `OTC`."""
        ...
    @property
    def status(self) -> str | None:
        """Whether the code was valid."""
        ...
    @property
    def date_received(self) -> str | None:
        """The time of submission: `YYYY-MM-DD HH:MM:SS`."""
        ...
    @property
    def date_received_datetime(self) -> datetime | None:
        """`date_received` as a datetime in UTC; None if it is absent or unreadable."""
        ...
    @property
    def code(self) -> str | None:
        """The submitted code."""
        ...

class OtpEvent(Model):
    """One delivery of a passcode (A5)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        sid: str | None = None,
        date_created: str | None = None,
        channel: str | None = None,
        sender: str | None = None,
        recipient: str | None = None,
        target_sid: str | None = None,
        channel_status: str | None = None,
        channel_error_code: str | None = None,
        channel_error_message: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def sid(self) -> str | None:
        """The id; prefix `OTE`."""
        ...
    @property
    def date_created(self) -> str | None:
        """The time of creation: `YYYY-MM-DD HH:MM:SS`."""
        ...
    @property
    def date_created_datetime(self) -> datetime | None:
        """`date_created` as a datetime in UTC; None if it is absent or unreadable."""
        ...
    @property
    def channel(self) -> str | None:
        """The channel."""
        ...
    @property
    def sender(self) -> str | None:
        """The sender."""
        ...
    @property
    def recipient(self) -> str | None:
        """The recipient."""
        ...
    @property
    def target_sid(self) -> str | None:
        """The id of the message or call; prefix `SM`."""
        ...
    @property
    def channel_status(self) -> str | None:
        """The status of the delivery."""
        ...
    @property
    def channel_error_code(self) -> str | None:
        """The channel's error code."""
        ...
    @property
    def channel_error_message(self) -> str | None:
        """The channel's error message."""
        ...

class OtpRecord(Result):
    """The record of one passcode (A5)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        sid: str | None = None,
        status: str | None = None,
        service: str | None = None,
        account_sid: str | None = None,
        date_created: str | None = None,
        date_updated: str | None = None,
        uri: str | None = None,
        checks: tuple[OtpCheck, ...] | None = None,
        events: tuple[OtpEvent, ...] | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def sid(self) -> str | None:
        """The id; prefix `OTP`."""
        ...
    @property
    def status(self) -> str | None:
        """The state of the passcode."""
        ...
    @property
    def service(self) -> str | None:
        """The service identifier."""
        ...
    @property
    def account_sid(self) -> str | None:
        """The account; prefix `AC`."""
        ...
    @property
    def date_created(self) -> str | None:
        """The time of creation: `YYYY-MM-DD HH:MM:SS`."""
        ...
    @property
    def date_created_datetime(self) -> datetime | None:
        """`date_created` as a datetime in UTC; None if it is absent or unreadable."""
        ...
    @property
    def date_updated(self) -> str | None:
        """The time of the last change: `YYYY-MM-DD HH:MM:SS`."""
        ...
    @property
    def date_updated_datetime(self) -> datetime | None:
        """`date_updated` as a datetime in UTC; None if it is absent or unreadable."""
        ...
    @property
    def uri(self) -> str | None:
        """`/2fa/search/<sid>`"""
        ...
    @property
    def checks(self) -> tuple[OtpCheck, ...] | None:
        """The codes that were submitted."""
        ...
    @property
    def events(self) -> tuple[OtpEvent, ...] | None:
        """The deliveries."""
        ...

class OtpRecords(Page[OtpRecord]):
    """One page of records (A6)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        two_fa_otp_sdrs: tuple[OtpRecord, ...],
        page: int | None = None,
        num_pages: int | None = None,
        page_size: int | None = None,
        total: int | None = None,
        start: int | None = None,
        end: int | None = None,
        uri: str | None = None,
        first_page_uri: str | None = None,
        previous_page_uri: str | None = None,
        next_page_uri: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def two_fa_otp_sdrs(self) -> tuple[OtpRecord, ...]:
        """The records."""
        ...
    @property
    def page(self) -> int | None:
        """The number of this page."""
        ...
    @property
    def num_pages(self) -> int | None:
        """The number of pages."""
        ...
    @property
    def page_size(self) -> int | None:
        """The number of records on a page."""
        ...
    @property
    def total(self) -> int | None:
        """The total number of records."""
        ...
    @property
    def start(self) -> int | None:
        """The number of the first record on this page."""
        ...
    @property
    def end(self) -> int | None:
        """The number of the last record on this page."""
        ...
    @property
    def uri(self) -> str | None:
        """The URI of this page."""
        ...
    @property
    def first_page_uri(self) -> str | None:
        """The URI of the first page."""
        ...
    @property
    def previous_page_uri(self) -> str | None:
        """The URI of the previous page; absent on the first page."""
        ...
    @property
    def next_page_uri(self) -> str | None:
        """The URI of the next page; absent on the last page."""
        ...

class UsageRecord(Model):
    """The number of passcodes sent (A7). If the request filters by channel, the response contains `category`, `startDate` and `endDate` instead of `channel`, `startTime` and `endTime`."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        count: str | None = None,
        channel: str | None = None,
        category: str | None = None,
        description: str | None = None,
        account_sid: str | None = None,
        start_time: str | None = None,
        end_time: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        unit: str | None = None,
        uri: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def count(self) -> str | None:
        """The count, as numeric text."""
        ...
    @property
    def channel(self) -> str | None:
        """`All`, or `call` for voice."""
        ...
    @property
    def category(self) -> str | None:
        """The channel, in the filtered form."""
        ...
    @property
    def description(self) -> str | None:
        """A description of what is counted."""
        ...
    @property
    def account_sid(self) -> str | None:
        """The account; prefix `AC`."""
        ...
    @property
    def start_time(self) -> str | None:
        """The first day: `YYYY-MM-DD`."""
        ...
    @property
    def end_time(self) -> str | None:
        """The last day: `YYYY-MM-DD`."""
        ...
    @property
    def start_date(self) -> str | None:
        """The first day, in the filtered form."""
        ...
    @property
    def end_date(self) -> str | None:
        """The last day, in the filtered form."""
        ...
    @property
    def unit(self) -> str | None:
        """`OTP`, or `Calls` in the filtered form."""
        ...
    @property
    def uri(self) -> str | None:
        """The URI of the record."""
        ...

class UsageRecords(Result):
    """The response to the usage operations (A7)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        usage_records: tuple[UsageRecord, ...],
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def usage_records(self) -> tuple[UsageRecord, ...]:
        """The records; `otp.usage_daily` returns one for each day."""
        ...

class Bucket(Model):
    """The number of passcodes that a limit allows (A8). The unit of `interval` and the exact meaning of `max` are undocumented."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        name: str,
        max: Any,
        interval: Any,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def name(self) -> str:
        """The name of the bucket."""
        ...
    @property
    def max(self) -> Any:
        """The number of passcodes that the limit allows in one interval (A8)."""
        ...
    @property
    def interval(self) -> Any:
        """The interval (A8). The specification names no unit; the sandbox uses seconds."""
        ...

class Limit(Model):
    """A limit (A8)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        sid: str | None = None,
        name: str | None = None,
        buckets: tuple[Bucket, ...] | None = None,
        description: str | None = None,
        account_sid: str | None = None,
        uri: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def sid(self) -> str | None:
        """The id; prefix `LM`."""
        ...
    @property
    def name(self) -> str | None:
        """The name, unique in the account."""
        ...
    @property
    def buckets(self) -> tuple[Bucket, ...] | None:
        """The buckets: an array, or a string that contains the array as JSON."""
        ...
    @property
    def description(self) -> str | None:
        """A description."""
        ...
    @property
    def account_sid(self) -> str | None:
        """The account; prefix `AC`."""
        ...
    @property
    def uri(self) -> str | None:
        """`/2fa/limits/search/<sid>`"""
        ...

class LimitResponse(Result):
    """The response about one limit (A8)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        data: Limit | None = None,
        code: int | None = None,
        message: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def ok(self) -> bool:
        """Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no
        passcode has this request id and service; `code` and `message` say which."""
        ...
    @property
    def data(self) -> Limit | None:
        """The limit."""
        ...
    @property
    def code(self) -> int | None:
        """200 on success."""
        ...
    @property
    def message(self) -> str | None:
        """`OK`"""
        ...

class LimitPage(Model):
    """One page of limits (A8)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        result: tuple[Limit, ...],
        page_size: int | None = None,
        total: int | None = None,
        page: int | None = None,
        num_pages: int | None = None,
        start: int | None = None,
        end: int | None = None,
        first_page_uri: str | None = None,
        uri: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def result(self) -> tuple[Limit, ...]:
        """The limits."""
        ...
    @property
    def page_size(self) -> int | None:
        """The number of records on a page."""
        ...
    @property
    def total(self) -> int | None:
        """The total number of records."""
        ...
    @property
    def page(self) -> int | None:
        """The number of this page."""
        ...
    @property
    def num_pages(self) -> int | None:
        """The number of pages."""
        ...
    @property
    def start(self) -> int | None:
        """The number of the first record on this page."""
        ...
    @property
    def end(self) -> int | None:
        """The number of the last record on this page."""
        ...
    @property
    def first_page_uri(self) -> str | None:
        """The URI of the first page."""
        ...
    @property
    def uri(self) -> str | None:
        """The URI of this page."""
        ...

class LimitList(Page[Limit]):
    """The response to a list of limits (A8)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        data: LimitPage,
        code: int | None = None,
        message: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def ok(self) -> bool:
        """Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no
        passcode has this request id and service; `code` and `message` say which."""
        ...
    @property
    def data(self) -> LimitPage:
        """The page."""
        ...
    @property
    def code(self) -> int | None:
        """200 on success."""
        ...
    @property
    def message(self) -> str | None:
        """`OK`"""
        ...

class Step(Model):
    """One step of a workflow (A9). The unit of `interval` is not documented."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        channel: str,
        interval: Any,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def channel(self) -> str:
        """The channel of the step."""
        ...
    @property
    def interval(self) -> Any:
        """The time until the next step."""
        ...

class Workflow(Model):
    """A workflow (A9)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        sid: str | None = None,
        name: str | None = None,
        channels: tuple[Step, ...] | None = None,
        description: str | None = None,
        account_sid: str | None = None,
        account_email: str | None = None,
        target_account_sid: str | None = None,
        target_account_email: str | None = None,
        uri: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def sid(self) -> str | None:
        """The id; prefix `WF`."""
        ...
    @property
    def name(self) -> str | None:
        """The name, unique in the account."""
        ...
    @property
    def channels(self) -> tuple[Step, ...] | None:
        """The steps, in order: an array, or a string that contains the array as JSON."""
        ...
    @property
    def description(self) -> str | None:
        """A description."""
        ...
    @property
    def account_sid(self) -> str | None:
        """The account; prefix `AC`."""
        ...
    @property
    def account_email(self) -> str | None:
        """The e-mail address of the account's contact."""
        ...
    @property
    def target_account_sid(self) -> str | None:
        """The account that uses the workflow."""
        ...
    @property
    def target_account_email(self) -> str | None:
        """The e-mail address of that account's contact."""
        ...
    @property
    def uri(self) -> str | None:
        """`/2fa/workflows/search/<sid>`"""
        ...

class WorkflowResponse(Result):
    """The response about one workflow (A9)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        data: Workflow | None = None,
        code: int | None = None,
        message: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def ok(self) -> bool:
        """Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no
        passcode has this request id and service; `code` and `message` say which."""
        ...
    @property
    def data(self) -> Workflow | None:
        """The workflow."""
        ...
    @property
    def code(self) -> int | None:
        """200 on success."""
        ...
    @property
    def message(self) -> str | None:
        """`OK`"""
        ...

class WorkflowPage(Model):
    """One page of workflows (A9)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        result: tuple[Workflow, ...],
        page_size: int | None = None,
        total: int | None = None,
        page: int | None = None,
        num_pages: int | None = None,
        start: int | None = None,
        end: int | None = None,
        first_page_uri: str | None = None,
        uri: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def result(self) -> tuple[Workflow, ...]:
        """The workflows."""
        ...
    @property
    def page_size(self) -> int | None:
        """The number of records on a page."""
        ...
    @property
    def total(self) -> int | None:
        """The total number of records."""
        ...
    @property
    def page(self) -> int | None:
        """The number of this page."""
        ...
    @property
    def num_pages(self) -> int | None:
        """The number of pages."""
        ...
    @property
    def start(self) -> int | None:
        """The number of the first record on this page."""
        ...
    @property
    def end(self) -> int | None:
        """The number of the last record on this page."""
        ...
    @property
    def first_page_uri(self) -> str | None:
        """The URI of the first page."""
        ...
    @property
    def uri(self) -> str | None:
        """The URI of this page."""
        ...

class WorkflowList(Page[Workflow]):
    """The response to a list of workflows (A9)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        data: WorkflowPage,
        code: int | None = None,
        message: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def ok(self) -> bool:
        """Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no
        passcode has this request id and service; `code` and `message` say which."""
        ...
    @property
    def data(self) -> WorkflowPage:
        """The page."""
        ...
    @property
    def code(self) -> int | None:
        """200 on success."""
        ...
    @property
    def message(self) -> str | None:
        """`OK`"""
        ...

class Sent(Result):
    """The response to an SMS (B2)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        response_code: int,
        id: str,
        timestamp: str | None = None,
        to: str | None = None,
        text_length: int | None = None,
        response_text: str | None = None,
        test: bool | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def response_code(self) -> int:
        """0 on success."""
        ...
    @property
    def id(self) -> str:
        """The id of the message: one for each call, also if the text has several parts."""
        ...
    @property
    def timestamp(self) -> str | None:
        """The time of acceptance: ISO 8601, UTC."""
        ...
    @property
    def timestamp_datetime(self) -> datetime | None:
        """`timestamp` as a datetime in UTC; None if it is absent or unreadable."""
        ...
    @property
    def to(self) -> str | None:
        """The recipient, in some responses."""
        ...
    @property
    def text_length(self) -> int | None:
        """The length of the text in characters (B2)."""
        ...
    @property
    def response_text(self) -> str | None:
        """The provider's message."""
        ...
    @property
    def test(self) -> bool | None:
        """Whether the request was a test; present only for a test."""
        ...

class BulkSms(Model):
    """One message of a bulk SMS (B3)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        id: str | None = None,
        timestamp: str | None = None,
        to: str | None = None,
        text_length: int | None = None,
        outcome: str,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def id(self) -> str | None:
        """The id of the message."""
        ...
    @property
    def timestamp(self) -> str | None:
        """The time of acceptance: ISO 8601, UTC."""
        ...
    @property
    def timestamp_datetime(self) -> datetime | None:
        """`timestamp` as a datetime in UTC; None if it is absent or unreadable."""
        ...
    @property
    def to(self) -> str | None:
        """The recipient."""
        ...
    @property
    def text_length(self) -> int | None:
        """The length of the text in characters (B2)."""
        ...
    @property
    def outcome(self) -> str:
        """The outcome of this element."""
        ...

class BulkSent(Result):
    """The response to a bulk SMS (B3)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        response_code: int,
        messages: tuple[BulkSms, ...],
        response_text: str | None = None,
        accepted: int,
        rejected: int,
        missing: int,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def response_code(self) -> int:
        """0 on success."""
        ...
    @property
    def messages(self) -> tuple[BulkSms, ...]:
        """One element for each number, in the order of the request."""
        ...
    @property
    def response_text(self) -> str | None:
        """The provider's message."""
        ...
    @property
    def accepted(self) -> int:
        """The number of elements with an id."""
        ...
    @property
    def rejected(self) -> int:
        """The number of elements that are rejections."""
        ...
    @property
    def missing(self) -> int:
        """The number of requested elements without an id that are not rejections."""
        ...

class CountryUsage(Model):
    """Messages and cost in one country (B4)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        country: str | None = None,
        messages_count: str | None = None,
        cost: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def country(self) -> str | None:
        """The country: a three-letter code."""
        ...
    @property
    def messages_count(self) -> str | None:
        """The number of messages, as numeric text."""
        ...
    @property
    def cost(self) -> str | None:
        """The cost of the messages in the account's currency, as numeric text (the specification
        names no currency)."""
        ...
    @property
    def cost_decimal(self) -> Decimal | None:
        """`cost` as a Decimal; None if it is absent or unreadable."""
        ...

class CountryUsages(Result):
    """The response to usage by country (B4)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        usages_by_country: tuple[CountryUsage, ...],
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def usages_by_country(self) -> tuple[CountryUsage, ...]:
        """One element for each country."""
        ...

class Converted(Result):
    """The response to a conversion (B5), which is undocumented. These members are those of the family's other responses; all other members are kept."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        response_code: int | None = None,
        response_text: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def response_code(self) -> int | None:
        """0 on success."""
        ...
    @property
    def response_text(self) -> str | None:
        """The provider's message."""
        ...

class Network(Model):
    """A network (C1)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        network_name: str | None = None,
        country_name: str | None = None,
        country_prefix: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def network_name(self) -> str | None:
        """Its name."""
        ...
    @property
    def country_name(self) -> str | None:
        """The name of its country."""
        ...
    @property
    def country_prefix(self) -> str | None:
        """The calling code of its country."""
        ...

class LookupResult(Model):
    """The result for one number (C1)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        msisdn: str | None = None,
        response: int | None = None,
        mcc: str | None = None,
        mnc: str | None = None,
        ported: bool | None = None,
        original_network: Network | None = None,
        ported_network: Network | None = None,
        original_mnc: str | None = None,
        roaming: bool | None = None,
        roaming_mcc: str | None = None,
        roaming_mnc: str | None = None,
        roaming_network: Network | None = None,
        msc: str | None = None,
        imsi: str | None = None,
        absent: bool | None = None,
        cost: float | None = None,
        date: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def msisdn(self) -> str | None:
        """The number."""
        ...
    @property
    def response(self) -> int | None:
        """0 on success; another code is an error of this number only."""
        ...
    @property
    def mcc(self) -> str | None:
        """Mobile country code."""
        ...
    @property
    def mnc(self) -> str | None:
        """Mobile network code."""
        ...
    @property
    def ported(self) -> bool | None:
        """Whether the number was ported to another network."""
        ...
    @property
    def original_network(self) -> Network | None:
        """The network that the number was assigned to."""
        ...
    @property
    def ported_network(self) -> Network | None:
        """The network that the number was ported to."""
        ...
    @property
    def original_mnc(self) -> str | None:
        """The mobile network code before the number was ported."""
        ...
    @property
    def roaming(self) -> bool | None:
        """Present for roaming numbers."""
        ...
    @property
    def roaming_mcc(self) -> str | None:
        """Mobile country code of the visited network."""
        ...
    @property
    def roaming_mnc(self) -> str | None:
        """Mobile network code of the visited network."""
        ...
    @property
    def roaming_network(self) -> Network | None:
        """The visited network."""
        ...
    @property
    def msc(self) -> str | None:
        """The switching center, if the number is roaming."""
        ...
    @property
    def imsi(self) -> str | None:
        """The subscriber's identity, partly masked, if the number is roaming."""
        ...
    @property
    def absent(self) -> bool | None:
        """Whether the number is unreachable: switched off, out of coverage, or barred from roaming."""
        ...
    @property
    def cost(self) -> float | None:
        """The price of the lookup in the account's currency (C1; the specification names no
        currency)."""
        ...
    @property
    def cost_decimal(self) -> Decimal | None:
        """`cost` as a Decimal; None if it is absent or unreadable."""
        ...
    @property
    def date(self) -> str | None:
        """The time of the lookup: ISO 8601, UTC."""
        ...
    @property
    def date_datetime(self) -> datetime | None:
        """`date` as a datetime in UTC; None if it is absent or unreadable."""
        ...

class Participant(Model):
    """One side of a conversation (D1a)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        id: str | None = None,
        name: str | None = None,
        phone_number: str | None = None,
        messaging_app_identifier: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def id(self) -> str | None:
        """Its id."""
        ...
    @property
    def name(self) -> str | None:
        """Its name."""
        ...
    @property
    def phone_number(self) -> str | None:
        """Its phone number."""
        ...
    @property
    def messaging_app_identifier(self) -> str | None:
        """Its identifier in the channel."""
        ...

class Conversation(Model):
    """A conversation (D1a)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        id: str | None = None,
        participants: tuple[Participant, ...] | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def id(self) -> str | None:
        """Its id."""
        ...
    @property
    def participants(self) -> tuple[Participant, ...] | None:
        """The sender and the recipient. The entry of the recipient has a number or a channel
        identifier only."""
        ...

class Message(Result):
    """The response to a message (D1a)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        message_id: str | None = None,
        id: str | None = None,
        sender: Participant | None = None,
        conversation: Conversation | None = None,
        created_at: str | None = None,
        updated_at: str | None = None,
        traffic_account_id: str | None = None,
        delivery_status: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def message_id(self) -> str | None:
        """The id of the message."""
        ...
    @property
    def id(self) -> str | None:
        """Another id; documented only in the response of `messenger_b`."""
        ...
    @property
    def sender(self) -> Participant | None:
        """The sender."""
        ...
    @property
    def conversation(self) -> Conversation | None:
        """The conversation of the message."""
        ...
    @property
    def created_at(self) -> str | None:
        """The time of creation: ISO 8601, UTC."""
        ...
    @property
    def created_at_datetime(self) -> datetime | None:
        """`created_at` as a datetime in UTC; None if it is absent or unreadable."""
        ...
    @property
    def updated_at(self) -> str | None:
        """The time of the last change: ISO 8601, UTC."""
        ...
    @property
    def updated_at_datetime(self) -> datetime | None:
        """`updated_at` as a datetime in UTC; None if it is absent or unreadable."""
        ...
    @property
    def traffic_account_id(self) -> str | None:
        """The traffic account used."""
        ...
    @property
    def delivery_status(self) -> str | None:
        """`Ready` right after acceptance."""
        ...

class BulkMessage(Model):
    """One message of a bulk message (D6)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        message_id: str | None = None,
        destination: str | None = None,
        traffic_account_id: str | None = None,
        outcome: str,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def message_id(self) -> str | None:
        """The id of the message."""
        ...
    @property
    def destination(self) -> str | None:
        """The recipient."""
        ...
    @property
    def traffic_account_id(self) -> str | None:
        """The traffic account used."""
        ...
    @property
    def outcome(self) -> str:
        """The outcome of this element."""
        ...

class BulkMessages(Result):
    """The response to a bulk message (D6)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        messages: tuple[BulkMessage, ...],
        bulk_id: str | None = None,
        accepted: int,
        rejected: int,
        missing: int,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def messages(self) -> tuple[BulkMessage, ...]:
        """One element for each destination."""
        ...
    @property
    def bulk_id(self) -> str | None:
        """The id of the bulk message."""
        ...
    @property
    def accepted(self) -> int:
        """The number of elements with an id."""
        ...
    @property
    def rejected(self) -> int:
        """The number of elements that are rejections."""
        ...
    @property
    def missing(self) -> int:
        """The number of requested elements without an id that are not rejections."""
        ...

class Registered(Result):
    """The response to the registration (E)."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        status: int,
        status_message: str | None = None,
        event_types: tuple[str, ...] | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def status(self) -> int:
        """0 on success."""
        ...
    @property
    def status_message(self) -> str | None:
        """The provider's message."""
        ...
    @property
    def event_types(self) -> tuple[str, ...] | None:
        """The events that the webhook receives."""
        ...

class BotResponse(Result):
    """The response to setting or deleting a webhook, which is undocumented. A success status means success unless `ok` is false or the body looks like an error."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        ok: bool | None = None,
        result: Any = None,
        description: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def ok(self) -> bool | None:
        """Whether the call succeeded."""
        ...
    @property
    def result(self) -> Any:
        """The result, in any form."""
        ...
    @property
    def description(self) -> str | None:
        """The provider's message."""
        ...

class WebhookInfo(Result):
    """A bot's webhook. Only `url` is documented."""
    __match_args__: ClassVar[tuple[str, ...]] = ...
    def __init__(
        self,
        *,
        url: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def url(self) -> str | None:
        """The URL of the webhook; empty if the bot polls. Read at the top level or inside `result`."""
        ...
