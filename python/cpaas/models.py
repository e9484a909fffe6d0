# Generated from the list of operations: `cargo run -p codegen` rewrites it.
"""Response models: read-only classes with attributes in snake_case."""

from ._model import Model, Page, Records, Result, _records, code_ok, datetime_of, decimal_of

__all__ = ("Model", "Page", "Records", "Result", "OtpResponse", "OtpCheck", "OtpEvent", "OtpRecord", "OtpRecords", "UsageRecord", "UsageRecords", "Bucket", "Limit", "LimitResponse", "LimitPage", "LimitList", "Step", "Workflow", "WorkflowResponse", "WorkflowPage", "WorkflowList", "Sent", "BulkSms", "BulkSent", "CountryUsage", "CountryUsages", "Converted", "Network", "LookupResult", "Participant", "Conversation", "Message", "BulkMessage", "BulkMessages", "Registered", "BotResponse", "WebhookInfo")


class OtpResponse(Result):
    """The response to send, verify and cancel (A2)."""

    __slots__ = ("code", "message", "request_id")
    __match_args__ = __slots__
    _fields = {
        "code": ("code", None),
        "message": ("message", None),
        "request_id": ("requestID", None),
    }
    _shown = frozenset(("code", "request_id"))
    ok = property(code_ok)
    __bool__ = code_ok


class OtpCheck(Model):
    """One submitted code (A5)."""

    __slots__ = ("sid", "status", "date_received", "code")
    __match_args__ = __slots__
    _fields = {
        "sid": ("sid", None),
        "status": ("status", None),
        "date_received": ("dateReceived", None),
        "code": ("code", None),
    }
    _shown = frozenset(("sid", "status", "date_received"))
    date_received_datetime = datetime_of("date_received")


class OtpEvent(Model):
    """One delivery of a passcode (A5)."""

    __slots__ = ("sid", "date_created", "channel", "sender", "recipient", "target_sid", "channel_status", "channel_error_code", "channel_error_message")
    __match_args__ = __slots__
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
    date_created_datetime = datetime_of("date_created")


class OtpRecord(Result):
    """The record of one passcode (A5)."""

    __slots__ = ("sid", "status", "service", "account_sid", "date_created", "date_updated", "uri", "checks", "events")
    __match_args__ = __slots__
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
    date_created_datetime = datetime_of("date_created")
    date_updated_datetime = datetime_of("date_updated")


class OtpRecords(Page):
    """One page of records (A6)."""

    __slots__ = ("two_fa_otp_sdrs", "page", "num_pages", "page_size", "total", "start", "end", "uri", "first_page_uri", "previous_page_uri", "next_page_uri")
    __match_args__ = __slots__
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


class UsageRecord(Model):
    """The number of passcodes sent (A7). If the request filters by channel, the response contains `category`, `startDate` and `endDate` instead of `channel`, `startTime` and `endTime`."""

    __slots__ = ("count", "channel", "category", "description", "account_sid", "start_time", "end_time", "start_date", "end_date", "unit", "uri")
    __match_args__ = __slots__
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


class UsageRecords(Result):
    """The response to the usage operations (A7)."""

    __slots__ = ("usage_records",)
    __match_args__ = __slots__
    _fields = {
        "usage_records": ("usageRecords", UsageRecord),
    }
    _shown = frozenset(("usage_records",))


class Bucket(Model):
    """The number of passcodes that a limit allows (A8). The unit of `interval` and the exact meaning of `max` are undocumented."""

    __slots__ = ("name", "max", "interval")
    __match_args__ = __slots__
    _fields = {
        "name": ("name", None),
        "max": ("max", None),
        "interval": ("interval", None),
    }
    _shown = frozenset(("max", "interval"))


class Limit(Model):
    """A limit (A8)."""

    __slots__ = ("sid", "name", "buckets", "description", "account_sid", "uri")
    __match_args__ = __slots__
    _fields = {
        "sid": ("sid", None),
        "name": ("name", None),
        "buckets": ("buckets", Bucket),
        "description": ("description", None),
        "account_sid": ("accountSid", None),
        "uri": ("uri", None),
    }
    _shown = frozenset(("sid", "buckets"))


class LimitResponse(Result):
    """The response about one limit (A8)."""

    __slots__ = ("data", "code", "message")
    __match_args__ = __slots__
    _fields = {
        "data": ("data", Limit),
        "code": ("code", None),
        "message": ("message", None),
    }
    _shown = frozenset(("data", "code"))
    ok = property(code_ok)


class LimitPage(Model):
    """One page of limits (A8)."""

    __slots__ = ("result", "page_size", "total", "page", "num_pages", "start", "end", "first_page_uri", "uri")
    __match_args__ = __slots__
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


class LimitList(Page):
    """The response to a list of limits (A8)."""

    __slots__ = ("data", "code", "message")
    __match_args__ = __slots__
    _fields = {
        "data": ("data", LimitPage),
        "code": ("code", None),
        "message": ("message", None),
    }
    _shown = frozenset(("data", "code"))
    ok = property(code_ok)
    _items = ("data", "result")


class Step(Model):
    """One step of a workflow (A9). The unit of `interval` is not documented."""

    __slots__ = ("channel", "interval")
    __match_args__ = __slots__
    _fields = {
        "channel": ("channel", None),
        "interval": ("interval", None),
    }
    _shown = frozenset(("channel", "interval"))


class Workflow(Model):
    """A workflow (A9)."""

    __slots__ = ("sid", "name", "channels", "description", "account_sid", "account_email", "target_account_sid", "target_account_email", "uri")
    __match_args__ = __slots__
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


class WorkflowResponse(Result):
    """The response about one workflow (A9)."""

    __slots__ = ("data", "code", "message")
    __match_args__ = __slots__
    _fields = {
        "data": ("data", Workflow),
        "code": ("code", None),
        "message": ("message", None),
    }
    _shown = frozenset(("data", "code"))
    ok = property(code_ok)


class WorkflowPage(Model):
    """One page of workflows (A9)."""

    __slots__ = ("result", "page_size", "total", "page", "num_pages", "start", "end", "first_page_uri", "uri")
    __match_args__ = __slots__
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


class WorkflowList(Page):
    """The response to a list of workflows (A9)."""

    __slots__ = ("data", "code", "message")
    __match_args__ = __slots__
    _fields = {
        "data": ("data", WorkflowPage),
        "code": ("code", None),
        "message": ("message", None),
    }
    _shown = frozenset(("data", "code"))
    ok = property(code_ok)
    _items = ("data", "result")


class Sent(Result):
    """The response to an SMS (B2)."""

    __slots__ = ("response_code", "id", "timestamp", "to", "text_length", "response_text", "test")
    __match_args__ = __slots__
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
    timestamp_datetime = datetime_of("timestamp")


class BulkSms(Model):
    """One message of a bulk SMS (B3)."""

    __slots__ = ("id", "timestamp", "to", "text_length", "outcome")
    __match_args__ = __slots__
    _fields = {
        "id": ("id", None),
        "timestamp": ("timestamp", None),
        "to": ("to", None),
        "text_length": ("textLength", None),
        "outcome": ("outcome", None),
    }
    _shown = frozenset(("id", "timestamp", "text_length"))
    timestamp_datetime = datetime_of("timestamp")


class BulkSent(Result):
    """The response to a bulk SMS (B3)."""

    __slots__ = ("response_code", "messages", "response_text", "accepted", "rejected", "missing")
    __match_args__ = __slots__
    _fields = {
        "response_code": ("responseCode", None),
        "messages": ("messages", BulkSms),
        "response_text": ("responseText", None),
        "accepted": ("accepted", None),
        "rejected": ("rejected", None),
        "missing": ("missing", None),
    }
    _shown = frozenset(("response_code", "messages", "accepted", "rejected", "missing"))


class CountryUsage(Model):
    """Messages and cost in one country (B4)."""

    __slots__ = ("country", "messages_count", "cost")
    __match_args__ = __slots__
    _fields = {
        "country": ("country", None),
        "messages_count": ("messagesCount", None),
        "cost": ("cost", None),
    }
    _shown = frozenset(("messages_count", "cost"))
    cost_decimal = decimal_of("cost")


class CountryUsages(Result):
    """The response to usage by country (B4)."""

    __slots__ = ("usages_by_country",)
    __match_args__ = __slots__
    _fields = {
        "usages_by_country": ("usagesByCountry", CountryUsage),
    }
    _shown = frozenset(("usages_by_country",))


class Converted(Result):
    """The response to a conversion (B5), which is undocumented. These members are those of the family's other responses; all other members are kept."""

    __slots__ = ("response_code", "response_text")
    __match_args__ = __slots__
    _fields = {
        "response_code": ("responseCode", None),
        "response_text": ("responseText", None),
    }
    _shown = frozenset(("response_code",))


class Network(Model):
    """A network (C1)."""

    __slots__ = ("network_name", "country_name", "country_prefix")
    __match_args__ = __slots__
    _fields = {
        "network_name": ("networkName", None),
        "country_name": ("countryName", None),
        "country_prefix": ("countryPrefix", None),
    }
    _shown = frozenset(())


class LookupResult(Model):
    """The result for one number (C1)."""

    __slots__ = ("msisdn", "response", "mcc", "mnc", "ported", "original_network", "ported_network", "original_mnc", "roaming", "roaming_mcc", "roaming_mnc", "roaming_network", "msc", "imsi", "absent", "cost", "date")
    __match_args__ = __slots__
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
    cost_decimal = decimal_of("cost")
    date_datetime = datetime_of("date")


class Participant(Model):
    """One side of a conversation (D1a)."""

    __slots__ = ("id", "name", "phone_number", "messaging_app_identifier")
    __match_args__ = __slots__
    _fields = {
        "id": ("id", None),
        "name": ("name", None),
        "phone_number": ("phoneNumber", None),
        "messaging_app_identifier": ("messagingAppIdentifier", None),
    }
    _shown = frozenset(("id",))


class Conversation(Model):
    """A conversation (D1a)."""

    __slots__ = ("id", "participants")
    __match_args__ = __slots__
    _fields = {
        "id": ("id", None),
        "participants": ("participants", Participant),
    }
    _shown = frozenset(("id", "participants"))


class Message(Result):
    """The response to a message (D1a)."""

    __slots__ = ("message_id", "id", "sender", "conversation", "created_at", "updated_at", "traffic_account_id", "delivery_status")
    __match_args__ = __slots__
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
    created_at_datetime = datetime_of("created_at")
    updated_at_datetime = datetime_of("updated_at")


class BulkMessage(Model):
    """One message of a bulk message (D6)."""

    __slots__ = ("message_id", "destination", "traffic_account_id", "outcome")
    __match_args__ = __slots__
    _fields = {
        "message_id": ("messageId", None),
        "destination": ("destination", None),
        "traffic_account_id": ("trafficAccountId", None),
        "outcome": ("outcome", None),
    }
    _shown = frozenset(("message_id",))


class BulkMessages(Result):
    """The response to a bulk message (D6)."""

    __slots__ = ("messages", "bulk_id", "accepted", "rejected", "missing")
    __match_args__ = __slots__
    _fields = {
        "messages": ("messages", BulkMessage),
        "bulk_id": ("bulkId", None),
        "accepted": ("accepted", None),
        "rejected": ("rejected", None),
        "missing": ("missing", None),
    }
    _shown = frozenset(("messages", "bulk_id", "accepted", "rejected", "missing"))


class Registered(Result):
    """The response to the registration (E)."""

    __slots__ = ("status", "status_message", "event_types")
    __match_args__ = __slots__
    _fields = {
        "status": ("status", None),
        "status_message": ("status_message", None),
        "event_types": ("event_types", None),
    }
    _shown = frozenset(("status", "event_types"))


class BotResponse(Result):
    """The response to setting or deleting a webhook, which is undocumented. A success status means success unless `ok` is false or the body looks like an error."""

    __slots__ = ("ok", "result", "description")
    __match_args__ = __slots__
    _fields = {
        "ok": ("ok", None),
        "result": ("result", None),
        "description": ("description", None),
    }
    _shown = frozenset(("ok",))


class WebhookInfo(Result):
    """A bot's webhook. Only `url` is documented."""

    __slots__ = ("url",)
    __match_args__ = __slots__
    _fields = {
        "url": ("url", None),
    }
    _shown = frozenset(())
