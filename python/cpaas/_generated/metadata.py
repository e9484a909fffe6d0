# Generated from the list of operations and their models: `cargo run -p codegen` rewrites it.
"""The metadata of the operations."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias


class Operation(NamedTuple):
    """The metadata of an operation.

    Attributes:
        id: The id, such as `sms.send`.
        members: The names of the members of its request in the specification. "*" is the argument `channels`, whose items
            become members of the request.
        keywords: The arguments of its method, in the order of `members`.
        result: The class of its result in `cpaas.models`; "[X]" for a list of X, "[]" for a list of plain values, and an empty
            string for a plain value.
    """

    id: str
    members: tuple[str, ...]
    keywords: tuple[str, ...]
    result: str


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "otp.send",
        ("service", "from", "to", "body", "channel", "limits", "guardTime"),
        ("service", "from_", "to", "body", "channel", "limits", "guard_time"),
        "OtpResponse",
    ),
    Operation(
        "otp.verify",
        ("service", "requestId", "code"),
        ("service", "request_id", "code"),
        "OtpResponse",
    ),
    Operation(
        "otp.cancel",
        ("requestId", "accountSid"),
        ("request_id", "account_sid"),
        "OtpResponse",
    ),
    Operation(
        "otp.search",
        ("pageSize", "page", "status", "accountSid"),
        ("page_size", "page", "status", "account_sid"),
        "OtpRecords",
    ),
    Operation(
        "otp.get",
        ("sid",),
        ("sid",),
        "OtpRecord",
    ),
    Operation(
        "otp.usage",
        ("startDate", "endDate", "channel"),
        ("start_date", "end_date", "channel"),
        "UsageRecords",
    ),
    Operation(
        "otp.usage_daily",
        ("startDate", "endDate", "channel"),
        ("start_date", "end_date", "channel"),
        "UsageRecords",
    ),
    Operation(
        "otp.limits.create",
        ("name", "buckets", "description"),
        ("name", "buckets", "description"),
        "LimitResponse",
    ),
    Operation(
        "otp.limits.update",
        ("sid", "buckets", "description"),
        ("sid", "buckets", "description"),
        "LimitResponse",
    ),
    Operation(
        "otp.limits.delete",
        ("sid",),
        ("sid",),
        "LimitResponse",
    ),
    Operation(
        "otp.limits.list",
        ("pageSize", "page", "accountSid"),
        ("page_size", "page", "account_sid"),
        "LimitList",
    ),
    Operation(
        "otp.limits.get",
        ("sid",),
        ("sid",),
        "LimitResponse",
    ),
    Operation(
        "otp.workflows.create",
        ("name", "channels", "description"),
        ("name", "channels", "description"),
        "WorkflowResponse",
    ),
    Operation(
        "otp.workflows.update",
        ("sid", "channels", "description"),
        ("sid", "channels", "description"),
        "WorkflowResponse",
    ),
    Operation(
        "otp.workflows.delete",
        ("sid",),
        ("sid",),
        "WorkflowResponse",
    ),
    Operation(
        "otp.workflows.list",
        ("pageSize", "page", "accountSid"),
        ("page_size", "page", "account_sid"),
        "WorkflowList",
    ),
    Operation(
        "otp.workflows.get",
        ("sid",),
        ("sid",),
        "WorkflowResponse",
    ),
    Operation(
        "sms.send",
        ("from", "to", "text", "test", "type", "reference", "callback"),
        ("from_", "to", "text", "test", "type", "reference", "callback"),
        "Sent",
    ),
    Operation(
        "sms.send_bulk",
        ("from", "to", "text", "test", "type", "reference", "callback"),
        ("from_", "to", "text", "test", "type", "reference", "callback"),
        "BulkSent",
    ),
    Operation(
        "sms.usage_by_country",
        ("startDate", "endDate", "AccountName"),
        ("start_date", "end_date", "account_name"),
        "CountryUsages",
    ),
    Operation(
        "sms.convert",
        ("messageId",),
        ("message_id",),
        "Converted",
    ),
    Operation(
        "lookup.numbers",
        ("msisdn",),
        ("msisdn",),
        "[LookupResult]",
    ),
    Operation(
        "lookup.numbers_by_query",
        ("msisdn",),
        ("msisdn",),
        "[LookupResult]",
    ),
    Operation(
        "messages.send",
        ("trafficAccountId", "destination", "sms", "messenger_a", "messenger_b", "messenger_c", "business_chat"),
        ("traffic_account_id", "destination", "sms", "messenger_a", "messenger_b", "messenger_c", "business_chat"),
        "Message",
    ),
    Operation(
        "messages.send_failover",
        ("trafficAccountId", "destination", "*", "failover"),
        ("traffic_account_id", "destination", "channels", "failover"),
        "[]",
    ),
    Operation(
        "messages.send_bulk",
        ("destinations", "trafficAccountId", "*", "failover", "version"),
        ("destinations", "traffic_account_id", "channels", "failover", "version"),
        "BulkMessages",
    ),
    Operation(
        "webhooks.messenger_b.set",
        ("url", "event_types", "send_name", "send_photo", "ta"),
        ("url", "event_types", "send_name", "send_photo", "ta"),
        "Registered",
    ),
    Operation(
        "webhooks.messenger_c.set",
        ("bot_id", "url", "ta"),
        ("bot_id", "url", "ta"),
        "BotResponse",
    ),
    Operation(
        "webhooks.messenger_c.delete",
        ("bot_id",),
        ("bot_id",),
        "BotResponse",
    ),
    Operation(
        "webhooks.messenger_c.info",
        ("bot_id",),
        ("bot_id",),
        "WebhookInfo",
    ),
)

OPERATIONS_BY_ID = {operation.id: operation for operation in OPERATIONS}

OperationId: TypeAlias = Literal[
    "otp.send",
    "otp.verify",
    "otp.cancel",
    "otp.search",
    "otp.get",
    "otp.usage",
    "otp.usage_daily",
    "otp.limits.create",
    "otp.limits.update",
    "otp.limits.delete",
    "otp.limits.list",
    "otp.limits.get",
    "otp.workflows.create",
    "otp.workflows.update",
    "otp.workflows.delete",
    "otp.workflows.list",
    "otp.workflows.get",
    "sms.send",
    "sms.send_bulk",
    "sms.usage_by_country",
    "sms.convert",
    "lookup.numbers",
    "lookup.numbers_by_query",
    "messages.send",
    "messages.send_failover",
    "messages.send_bulk",
    "webhooks.messenger_b.set",
    "webhooks.messenger_c.set",
    "webhooks.messenger_c.delete",
    "webhooks.messenger_c.info",
]

# The index of each operation in `OPERATIONS`: a call with it needs no search for the id.
OTP_SEND = 0
OTP_VERIFY = 1
OTP_CANCEL = 2
OTP_SEARCH = 3
OTP_GET = 4
OTP_USAGE = 5
OTP_USAGE_DAILY = 6
OTP_LIMITS_CREATE = 7
OTP_LIMITS_UPDATE = 8
OTP_LIMITS_DELETE = 9
OTP_LIMITS_LIST = 10
OTP_LIMITS_GET = 11
OTP_WORKFLOWS_CREATE = 12
OTP_WORKFLOWS_UPDATE = 13
OTP_WORKFLOWS_DELETE = 14
OTP_WORKFLOWS_LIST = 15
OTP_WORKFLOWS_GET = 16
SMS_SEND = 17
SMS_SEND_BULK = 18
SMS_USAGE_BY_COUNTRY = 19
SMS_CONVERT = 20
LOOKUP_NUMBERS = 21
LOOKUP_NUMBERS_BY_QUERY = 22
MESSAGES_SEND = 23
MESSAGES_SEND_FAILOVER = 24
MESSAGES_SEND_BULK = 25
WEBHOOKS_MESSENGER_B_SET = 26
WEBHOOKS_MESSENGER_C_SET = 27
WEBHOOKS_MESSENGER_C_DELETE = 28
WEBHOOKS_MESSENGER_C_INFO = 29
