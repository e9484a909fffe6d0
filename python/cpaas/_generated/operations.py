# Generated from the list of operations and their models: `cargo run -p codegen` rewrites it.
"""The operations as methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal

import cpaas

from .._bulk.ensure import EnsureLimit, EnsureWorkflow
from .._bulk.send_many import SendMany
from .._groups import OperationGroup, group_property
from .._pages import first_page
from .metadata import (
    OTP_SEND,
    OTP_VERIFY,
    OTP_CANCEL,
    OTP_SEARCH,
    OTP_GET,
    OTP_USAGE,
    OTP_USAGE_DAILY,
    OTP_LIMITS_CREATE,
    OTP_LIMITS_UPDATE,
    OTP_LIMITS_DELETE,
    OTP_LIMITS_LIST,
    OTP_LIMITS_GET,
    OTP_WORKFLOWS_CREATE,
    OTP_WORKFLOWS_UPDATE,
    OTP_WORKFLOWS_DELETE,
    OTP_WORKFLOWS_LIST,
    OTP_WORKFLOWS_GET,
    SMS_SEND,
    SMS_SEND_BULK,
    SMS_USAGE_BY_COUNTRY,
    SMS_CONVERT,
    LOOKUP_NUMBERS,
    LOOKUP_NUMBERS_BY_QUERY,
    MESSAGES_SEND,
    MESSAGES_SEND_FAILOVER,
    MESSAGES_SEND_BULK,
    WEBHOOKS_MESSENGER_B_SET,
    WEBHOOKS_MESSENGER_C_SET,
    WEBHOOKS_MESSENGER_C_DELETE,
    WEBHOOKS_MESSENGER_C_INFO,
)


class WebhooksMessengerC(OperationGroup):
    """The operations `webhooks.messenger_c.*`."""

    _path = "client.webhooks.messenger_c"

    def set(
        self,
        *,
        bot_id: str,
        url: str,
        ta: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.BotResponse:
        """Registers the webhook of a `messenger_c` bot.

        Args:
            bot_id: The bot's id or token: one segment of the path, which the client
                percent-encodes. It never appears in output.
            url: The URL of the webhook.
            ta: The traffic account, which is added to the URL; that of the configuration if
                absent.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section E of the specification.
        """
        return self._call(WEBHOOKS_MESSENGER_C_SET, (bot_id, url, ta), extra, timeout, deadline, validate, extra_headers)

    def delete(
        self,
        *,
        bot_id: str,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.BotResponse:
        """Removes the webhook of a `messenger_c` bot.

        Args:
            bot_id: The bot's id or token: one segment of the path, which the client
                percent-encodes. It never appears in output.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section E of the specification.
        """
        return self._call(WEBHOOKS_MESSENGER_C_DELETE, (bot_id,), extra, timeout, deadline, validate, extra_headers)

    def info(
        self,
        *,
        bot_id: str,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.WebhookInfo:
        """Reads the webhook of a `messenger_c` bot.

        Args:
            bot_id: The bot's id or token: one segment of the path, which the client
                percent-encodes. It never appears in output.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section E of the specification.
        """
        return self._call(WEBHOOKS_MESSENGER_C_INFO, (bot_id,), extra, timeout, deadline, validate, extra_headers)


class WebhooksMessengerB(OperationGroup):
    """The operations `webhooks.messenger_b.*`."""

    _path = "client.webhooks.messenger_b"

    def set(
        self,
        *,
        url: str,
        event_types: Sequence[Literal["delivered", "seen", "failed", "subscribed", "unsubscribed", "conversation_started"] | str] | None = None,
        send_name: bool | None = None,
        send_photo: bool | None = None,
        ta: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.Registered:
        """Registers the webhook of `messenger_b` (E). The provider calls the URL immediately, and the registration fails unless the URL returns 200.

        Args:
            url: The URL of the webhook; an empty string removes the webhook and disables the
                one-to-one conversation.
            event_types: The events to receive; all events if absent.
            send_name: Whether events contain the user's name (default false).
            send_photo: Whether events contain the user's photo (default false).
            ta: The traffic account, a query parameter; that of the configuration if absent.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section E of the specification.
        """
        return self._call(WEBHOOKS_MESSENGER_B_SET, (url, event_types, send_name, send_photo, ta), extra, timeout, deadline, validate, extra_headers)


class Webhooks(OperationGroup):
    """The operations `webhooks.*`."""

    _path = "client.webhooks"

    def __init__(self, call: Callable[..., Any]) -> None:
        super().__init__(call)
        self.messenger_b = WebhooksMessengerB(call)
        self.messenger_c = WebhooksMessengerC(call)


class Sms(SendMany["cpaas.models.Sent"]):
    """The operations `sms.*`."""

    _path = "client.sms"
    _send = "sms.send"

    def send(
        self,
        *,
        from_: str,
        to: str,
        text: str,
        test: bool | None = None,
        type: str | None = None,
        reference: str | None = None,
        callback: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.Sent:
        """Sends one SMS.

        Args:
            from_: The sender: a name of at most 11 characters, or a number.
            to: The recipient: international number, digits without plus sign.
            text: The message text.
            test: Whether this is a test, which sends nothing to a handset; `to` must still be
                a real number.
            type: `auto` detects the encoding and is the recommended value.
            reference: Any reference, which callbacks return.
            callback: The URL that receives the delivery reports of this message.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section B1 of the specification.
        """
        return self._call(SMS_SEND, (from_, to, text, test, type, reference, callback), extra, timeout, deadline, validate, extra_headers)

    def send_bulk(
        self,
        *,
        from_: str,
        to: Sequence[str] | str,
        text: str,
        test: bool | None = None,
        type: str | None = None,
        reference: str | None = None,
        callback: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.BulkSent:
        """Sends one text to several numbers. A number listed twice receives a message for each occurrence.

        Args:
            from_: The sender: a name or a number.
            to: The recipients: international numbers without plus sign, separated by commas.
            text: The message text.
            test: Whether this is a test, which sends nothing to a handset; the numbers must
                still be real.
            type: `auto` detects the encoding and is the recommended value.
            reference: Any reference, which callbacks return.
            callback: The URL that receives the delivery reports of these messages.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section B3 of the specification.
        """
        return self._call(SMS_SEND_BULK, (from_, to, text, test, type, reference, callback), extra, timeout, deadline, validate, extra_headers)

    def usage_by_country(
        self,
        *,
        start_date: str | None = None,
        end_date: str | None = None,
        account_name: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.CountryUsages:
        """Counts messages and their cost by country.

        Args:
            start_date: The first day: `YYYY-MM-DD`.
            end_date: The last day: `YYYY-MM-DD`.
            account_name: The name of the account.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section B4 of the specification.
        """
        return self._call(SMS_USAGE_BY_COUNTRY, (start_date, end_date, account_name), extra, timeout, deadline, validate, extra_headers)

    def convert(
        self,
        *,
        message_id: str,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.Converted:
        """Reports that a message led to a conversion. The provider must have enabled this for the account.

        Args:
            message_id: The id of the message.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section B5 of the specification.
        """
        return self._call(SMS_CONVERT, (message_id,), extra, timeout, deadline, validate, extra_headers)


class OtpWorkflows(EnsureWorkflow):
    """The operations `otp.workflows.*`."""

    _path = "client.otp.workflows"

    def create(
        self,
        *,
        name: str,
        channels: Sequence[cpaas.types.Step] | str,
        description: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.WorkflowResponse:
        """Creates a workflow. The name must be unique: the provider rejects an existing name with code 495.

        Args:
            name: The name, unique in the account.
            channels: The steps, in order: an array, or a string that contains it as JSON. A
                request sends the string.
            description: A description.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A9 of the specification.
        """
        return self._call(OTP_WORKFLOWS_CREATE, (name, channels, description), extra, timeout, deadline, validate, extra_headers)

    def update(
        self,
        *,
        sid: str,
        channels: Sequence[cpaas.types.Step] | str | None = None,
        description: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.WorkflowResponse:
        """Changes a workflow: `channels` are appended, `description` is replaced. The provider rejects an unknown sid with code 499.

        Args:
            sid: The id; prefix `WF`.
            channels: The steps, in order: an array, or a string that contains it as JSON. A
                request sends the string.
            description: A description.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A9 of the specification.
        """
        return self._call(OTP_WORKFLOWS_UPDATE, (sid, channels, description), extra, timeout, deadline, validate, extra_headers)

    def delete(
        self,
        *,
        sid: str,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.WorkflowResponse:
        """Deletes a workflow and returns it.

        Args:
            sid: The id; prefix `WF`.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A9 of the specification.
        """
        return self._call(OTP_WORKFLOWS_DELETE, (sid,), extra, timeout, deadline, validate, extra_headers)

    def list(
        self,
        *,
        page_size: int | None = None,
        page: int | None = None,
        account_sid: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.WorkflowList:
        """Lists workflows, page by page.

        Args:
            page_size: The number of records on a page; the maximum is not documented.
            page: The number of the page.
            account_sid: Only records of this account or sub-account.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A9 of the specification.
        """
        return first_page(self._call, OTP_WORKFLOWS_LIST, {"pageSize": page_size, "page": page, "accountSid": account_sid}, extra, timeout, deadline, validate, extra_headers)

    def get(
        self,
        *,
        sid: str,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.WorkflowResponse:
        """Reads one workflow.

        Args:
            sid: The id; prefix `WF`.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A9 of the specification.
        """
        return self._call(OTP_WORKFLOWS_GET, (sid,), extra, timeout, deadline, validate, extra_headers)


class OtpLimits(EnsureLimit):
    """The operations `otp.limits.*`."""

    _path = "client.otp.limits"

    def create(
        self,
        *,
        name: str,
        buckets: Sequence[cpaas.types.Bucket] | str,
        description: str,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.LimitResponse:
        """Creates a limit. The name must be unique: the provider rejects an existing name with code 492.

        Args:
            name: The name, unique in the account.
            buckets: The buckets: an array, or a string that contains it as JSON. A request
                sends the string.
            description: A description.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A8 of the specification.
        """
        return self._call(OTP_LIMITS_CREATE, (name, buckets, description), extra, timeout, deadline, validate, extra_headers)

    def update(
        self,
        *,
        sid: str,
        buckets: Sequence[cpaas.types.Bucket] | str | None = None,
        description: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.LimitResponse:
        """Changes a limit. An omitted member is not changed. The provider rejects an unknown sid with code 493.

        Args:
            sid: The id; prefix `LM`.
            buckets: The buckets: an array, or a string that contains it as JSON. A request
                sends the string.
            description: A description.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A8 of the specification.
        """
        return self._call(OTP_LIMITS_UPDATE, (sid, buckets, description), extra, timeout, deadline, validate, extra_headers)

    def delete(
        self,
        *,
        sid: str,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.LimitResponse:
        """Deletes a limit and returns it.

        Args:
            sid: The id; prefix `LM`.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A8 of the specification.
        """
        return self._call(OTP_LIMITS_DELETE, (sid,), extra, timeout, deadline, validate, extra_headers)

    def list(
        self,
        *,
        page_size: int | None = None,
        page: int | None = None,
        account_sid: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.LimitList:
        """Lists limits, page by page.

        Args:
            page_size: The number of records on a page; the maximum is not documented.
            page: The number of the page.
            account_sid: Only records of this account or sub-account.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A8 of the specification.
        """
        return first_page(self._call, OTP_LIMITS_LIST, {"pageSize": page_size, "page": page, "accountSid": account_sid}, extra, timeout, deadline, validate, extra_headers)

    def get(
        self,
        *,
        sid: str,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.LimitResponse:
        """Reads one limit.

        Args:
            sid: The id; prefix `LM`.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A8 of the specification.
        """
        return self._call(OTP_LIMITS_GET, (sid,), extra, timeout, deadline, validate, extra_headers)


class Otp(OperationGroup):
    """The operations `otp.*`."""

    _path = "client.otp"

    def __init__(self, call: Callable[..., Any]) -> None:
        super().__init__(call)
        self.limits = OtpLimits(call)
        self.workflows = OtpWorkflows(call)

    def send(
        self,
        *,
        service: str,
        from_: str,
        to: str,
        body: str,
        channel: Literal["sms", "call"] | str | None = None,
        limits: Mapping[str, str] | None = None,
        guard_time: Any = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.OtpResponse:
        """Sends a one-time passcode by SMS or by a text-to-speech call. The members that set the language, the voice or a code chosen by the caller are undocumented. Undocumented members are sent unchanged.

        Args:
            service: The service identifier.
            from_: The sender.
            to: The recipient's number.
            body: The message text; `{code}` is replaced by a random six-digit code.
            channel: `call` speaks the code, `sms` writes it; the default is not documented.
            limits: The name of each limit that applies, with the value that it counts, such as
                an IP address or a phone number.
            guard_time: The time for which an earlier passcode stays valid after a new one is
                sent; type and unit are undocumented.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A1 of the specification.
        """
        return self._call(OTP_SEND, (service, from_, to, body, channel, limits, guard_time), extra, timeout, deadline, validate, extra_headers)

    def verify(
        self,
        *,
        service: str,
        request_id: str,
        code: str,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.OtpResponse:
        """Checks a code that the recipient submitted.

        Args:
            service: The service identifier of the send.
            request_id: The `requestID` that the send returned; it begins with `OTP`.
            code: The submitted code: a string, because a number would lose leading zeros.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A3 of the specification.
        """
        return self._call(OTP_VERIFY, (service, request_id, code), extra, timeout, deadline, validate, extra_headers)

    def cancel(
        self,
        *,
        request_id: str,
        account_sid: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.OtpResponse:
        """Cancels a pending passcode.

        Args:
            request_id: The id that the send returned; prefix `OTP`.
            account_sid: The account. If it is absent, the client sends that of the
                configuration, because the provider requires it.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A4 of the specification.
        """
        return self._call(OTP_CANCEL, (request_id, account_sid), extra, timeout, deadline, validate, extra_headers)

    def search(
        self,
        *,
        page_size: int | None = None,
        page: int | None = None,
        status: Literal["success", "expired"] | str | None = None,
        account_sid: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.OtpRecords:
        """Lists one-time passcodes, page by page.

        Args:
            page_size: The number of records on a page; the maximum is not documented.
            page: The number of the page.
            status: Only records of this status, such as `success`.
            account_sid: Only records of this account or sub-account.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A6 of the specification.
        """
        return first_page(self._call, OTP_SEARCH, {"pageSize": page_size, "page": page, "status": status, "accountSid": account_sid}, extra, timeout, deadline, validate, extra_headers)

    def get(
        self,
        *,
        sid: str,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.OtpRecord:
        """Reads the record of one passcode.

        Args:
            sid: The id of the record; prefix `OTP`.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A5 of the specification.
        """
        return self._call(OTP_GET, (sid,), extra, timeout, deadline, validate, extra_headers)

    def usage(
        self,
        *,
        start_date: str | None = None,
        end_date: str | None = None,
        channel: Literal["sms", "call"] | str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.UsageRecords:
        """Counts passcodes over a range of days.

        Args:
            start_date: The first day: `YYYY-MM-DD`.
            end_date: The last day: `YYYY-MM-DD`.
            channel: Only passcodes of this channel.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A7 of the specification.
        """
        return self._call(OTP_USAGE, (start_date, end_date, channel), extra, timeout, deadline, validate, extra_headers)

    def usage_daily(
        self,
        *,
        start_date: str | None = None,
        end_date: str | None = None,
        channel: Literal["sms", "call"] | str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.UsageRecords:
        """Counts passcodes day by day.

        Args:
            start_date: The first day: `YYYY-MM-DD`.
            end_date: The last day: `YYYY-MM-DD`.
            channel: Only passcodes of this channel.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section A7 of the specification.
        """
        return self._call(OTP_USAGE_DAILY, (start_date, end_date, channel), extra, timeout, deadline, validate, extra_headers)


class Messages(SendMany["cpaas.models.Message"]):
    """The operations `messages.*`."""

    _path = "client.messages"
    _send = "messages.send"

    def send(
        self,
        *,
        traffic_account_id: str | None = None,
        destination: str,
        sms: cpaas.types.Sms | None = None,
        messenger_a: cpaas.types.MessengerA | None = None,
        messenger_b: cpaas.types.MessengerB | None = None,
        messenger_c: cpaas.types.MessengerC | None = None,
        business_chat: cpaas.types.BusinessChat | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.Message:
        """Sends one message over one channel.

        Args:
            traffic_account_id: The traffic account used for sending, a UUID; that of the
                configuration if absent.
            destination: Phone number, or the recipient's channel identifier.
            sms: SMS.
            messenger_a: The messenger_a object.
            messenger_b: The messenger_b object.
            messenger_c: The messenger_c object.
            business_chat: The business_chat object.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section D1 of the specification.
        """
        return self._call(MESSAGES_SEND, (traffic_account_id, destination, sms, messenger_a, messenger_b, messenger_c, business_chat), extra, timeout, deadline, validate, extra_headers)

    def send_failover(
        self,
        *,
        traffic_account_id: str | None = None,
        destination: str,
        channels: cpaas.types.Channels | None = None,
        failover: cpaas.types.Failover,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.Records[str | None]:
        """Sends one message over the first channel that delivers it.

        Args:
            traffic_account_id: A traffic account in addition to those of the failover, a UUID.
                Sent only if it is set here.
            destination: Phone number, or the recipient's channel identifier.
            channels: The channel objects, in the order in which they are tried.
            failover: How the message moves to the next channel.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section D5 of the specification.
        """
        return self._call(MESSAGES_SEND_FAILOVER, (traffic_account_id, destination, channels, failover), extra, timeout, deadline, validate, extra_headers)

    def send_bulk(
        self,
        *,
        destinations: Sequence[str],
        traffic_account_id: str | None = None,
        channels: cpaas.types.Channels | None = None,
        failover: cpaas.types.Failover | None = None,
        version: str | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.BulkMessages:
        """Sends one message to several destinations.

        Args:
            destinations: The recipients: phone numbers, or identifiers of one channel.
            traffic_account_id: The traffic account used for sending, a UUID; that of the
                configuration if absent.
            channels: The channel objects, in the order in which they are tried.
            failover: How the message moves to the next channel.
            version: The version in the path, 1.1 or later; that of the configuration if
                absent.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section D6 of the specification.
        """
        return self._call(MESSAGES_SEND_BULK, (destinations, traffic_account_id, channels, failover, version), extra, timeout, deadline, validate, extra_headers)


class Lookup(OperationGroup):
    """The operations `lookup.*`."""

    _path = "client.lookup"

    def numbers(
        self,
        *,
        msisdn: Sequence[str] | str,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.Records[cpaas.models.LookupResult]:
        """Looks up numbers, with the key in a header. One number is sent as a string, several as an array. Each number is charged.

        Args:
            msisdn: The numbers.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section C1 of the specification.
        """
        return self._call(LOOKUP_NUMBERS, (msisdn,), extra, timeout, deadline, validate, extra_headers)

    def numbers_by_query(
        self,
        *,
        msisdn: Sequence[str] | str,
        extra: Mapping[str, Any] | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> cpaas.models.Records[cpaas.models.LookupResult]:
        """Looks up numbers, with the key in the query. Each number is charged. The URL contains the key: prefer `lookup.numbers` if both are available.

        Args:
            msisdn: The numbers; sent as one string, separated by commas.
            extra: Undocumented members; sent as they are.
            timeout: Time limit of one attempt, in seconds or as a timedelta.
            deadline: Time limit of all attempts together, in seconds or as a timedelta.
            validate: How validation treats problems: 'strict' rejects a request with errors,
                'pedantic' also one with warnings; 'warn' reports errors as warnings, 'off' does
                not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers
                that the client itself sets, are rejected.

        Raises:
            cpaas.Error: For every outcome except accepted.

        Section C1 of the specification.
        """
        return self._call(LOOKUP_NUMBERS_BY_QUERY, (msisdn,), extra, timeout, deadline, validate, extra_headers)

    __call__ = numbers


class Groups:
    """The groups of a client."""

    lookup: group_property[Lookup] = group_property(Lookup)
    messages: group_property[Messages] = group_property(Messages)
    otp: group_property[Otp] = group_property(Otp)
    sms: group_property[Sms] = group_property(Sms)
    webhooks: group_property[Webhooks] = group_property(Webhooks)
