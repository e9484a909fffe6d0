# Generated from the settings in `core/src/config.rs`: `cargo run -p codegen` rewrites it.
"""The configuration of a client as keyword arguments."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal, TypedDict

import cpaas

from .._events import Event, RequestEvent, ResponseEvent
from .._guard import Guard
from .._suppression import SuppressionStore


class Options(TypedDict, total=False):
    """The arguments of a client, for functions that pass them on."""

    otp_url: str | None
    sms_url: str | None
    sms_url_frankfurt: str | None
    sms_url_singapore: str | None
    sms_url_hong_kong: str | None
    sms_url_united_states: str | None
    region: Literal["nearest", "frankfurt", "singapore", "hong_kong", "united_states"] | None
    lookup_url: str | None
    messaging_url: str | None
    messenger_b_url: str | None
    messenger_c_url: str | None
    account_sid: str | None
    api_key: str | None
    sms_key: str | None
    lookup_key: str | None
    messaging_key: str | None
    messaging_auth: Literal["header", "basic", "none"] | None
    messenger_b_token: str | None
    traffic_account_id: str | None
    api_key_header: str | None
    messenger_b_token_header: str | None
    send_path: str | None
    bulk_version: str | None
    otp_capitalized_names: bool | None
    sms_format: Literal["json", "xml"] | None
    search_body: bool | None
    messenger_c_unencoded_url: bool | None
    channel_names: Mapping[str, str] | None
    bulk_channel_names: Mapping[str, str] | None
    validation: Literal["strict", "pedantic", "warn", "off"] | None
    normalize: str | None
    allow_countries: Sequence[str] | None
    allow_types: Sequence[str] | None
    connect_timeout: float | timedelta | None
    timeout: float | timedelta | None
    deadline: float | timedelta | None
    max_attempts: int | None
    retry_unknown: bool | None
    strict_rejections: bool | None
    accept_repeated_ids: bool | None
    max_connections: int | None
    max_response_bytes: int | None
    user_agent: str | None
    send_traceparent: bool | None
    proxy: str | None
    callback_keys: str | Sequence[Any] | Mapping[str, Any] | cpaas.callbacks.Keyring | None
    callback_audience: str | None
    callback_lifetime: int | timedelta | None
    ca_bundle: str | None
    read_environment: bool | None
    on_outcome: Callable[[Event], object] | None
    on_request: Callable[[RequestEvent], object] | None
    on_response: Callable[[ResponseEvent], object] | None
    suppression: str | os.PathLike[str] | SuppressionStore | None
    guard: Guard | None
    pickle_secrets: bool


class SecretSettings:
    """Settings in a closure, so that `vars` and `repr` show no keys."""

    __slots__ = ("reveal",)

    def __init__(self, settings: dict[str, Any]) -> None:
        self.reveal: Callable[[], dict[str, Any]] = lambda: dict(settings)

    def __repr__(self) -> str:
        return "<settings>"


class Settings:
    """Settings that every client accepts."""

    _secrets = ("api_key", "sms_key", "lookup_key", "messaging_key", "messenger_b_token", "callback_keys")

    def __init__(
        self,
        *,
        otp_url: str | None = None,
        sms_url: str | None = None,
        sms_url_frankfurt: str | None = None,
        sms_url_singapore: str | None = None,
        sms_url_hong_kong: str | None = None,
        sms_url_united_states: str | None = None,
        region: Literal["nearest", "frankfurt", "singapore", "hong_kong", "united_states"] | None = None,
        lookup_url: str | None = None,
        messaging_url: str | None = None,
        messenger_b_url: str | None = None,
        messenger_c_url: str | None = None,
        account_sid: str | None = None,
        api_key: str | None = None,
        sms_key: str | None = None,
        lookup_key: str | None = None,
        messaging_key: str | None = None,
        messaging_auth: Literal["header", "basic", "none"] | None = None,
        messenger_b_token: str | None = None,
        traffic_account_id: str | None = None,
        api_key_header: str | None = None,
        messenger_b_token_header: str | None = None,
        send_path: str | None = None,
        bulk_version: str | None = None,
        otp_capitalized_names: bool | None = None,
        sms_format: Literal["json", "xml"] | None = None,
        search_body: bool | None = None,
        messenger_c_unencoded_url: bool | None = None,
        channel_names: Mapping[str, str] | None = None,
        bulk_channel_names: Mapping[str, str] | None = None,
        validation: Literal["strict", "pedantic", "warn", "off"] | None = None,
        normalize: str | None = None,
        allow_countries: Sequence[str] | None = None,
        allow_types: Sequence[str] | None = None,
        connect_timeout: float | timedelta | None = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        max_attempts: int | None = None,
        retry_unknown: bool | None = None,
        strict_rejections: bool | None = None,
        accept_repeated_ids: bool | None = None,
        max_connections: int | None = None,
        max_response_bytes: int | None = None,
        user_agent: str | None = None,
        send_traceparent: bool | None = None,
        proxy: str | None = None,
        callback_keys: str | Sequence[Any] | Mapping[str, Any] | cpaas.callbacks.Keyring | None = None,
        callback_audience: str | None = None,
        callback_lifetime: int | timedelta | None = None,
        ca_bundle: str | None = None,
        read_environment: bool | None = None,
        on_outcome: Callable[[Event], object] | None = None,
        on_request: Callable[[RequestEvent], object] | None = None,
        on_response: Callable[[ResponseEvent], object] | None = None,
        suppression: str | os.PathLike[str] | SuppressionStore | None = None,
        guard: Guard | None = None,
        pickle_secrets: bool = False,
    ) -> None:
        """Creates a client. A setting that is absent is read from its environment variable `CPAAS_…`, and else has its default.

        Args:
            otp_url: Address of the passcode service (SMS and voice).
            sms_url: Address of the SMS service: the nearest region.
            sms_url_frankfurt: Address of the SMS service in Frankfurt.
            sms_url_singapore: Address of the SMS service in Singapore.
            sms_url_hong_kong: Address of the SMS service in Hong Kong.
            sms_url_united_states: Address of the SMS service in the United States.
            region: `nearest` (default), `frankfurt`, `singapore`, `hong_kong` or
                `united_states`.
            lookup_url: Address of the number lookup.
            messaging_url: Address of the messaging service (chat channels).
            messenger_b_url: Address of the `messenger_b` webhook registration.
            messenger_c_url: Address of the `messenger_c` bot API.
            account_sid: The account identifier, which is the user name of the passcode
                service.
            api_key: The API key, which is the password of the passcode service and the default
                of the other keys.
            sms_key: The key of the SMS service (default: `api_key`).
            lookup_key: The key of the number lookup (default: `api_key`).
            messaging_key: The key of the messaging service (default: `sms_key`, else
                `api_key`).
            messaging_auth: How calls of the messaging service authenticate: `header`
                (default), `basic` or `none`.
            messenger_b_token: The token of the `messenger_b` account.
            traffic_account_id: The traffic account of messages and webhooks, for requests
                without one.
            api_key_header: The name of the API-key header (default `X-Service-API-Key`); not a
                header that HTTP itself uses, such as `Host`.
            messenger_b_token_header: The name of the `messenger_b` token's header (default
                `X-Channel-Auth-Token`); the same restriction.
            send_path: The path of single messages (default `/messages/send`).
            bulk_version: The version of the bulk operation (default `1.1`).
            otp_capitalized_names: Whether an OTP request uses the names `From` and `To`
                (default false).
            sms_format: The format of the response to a single SMS: `json` (default) or `xml`.
            search_body: Whether search parameters are sent in a body instead of the query
                (default false).
            messenger_c_unencoded_url: Whether setWebhook of `messenger_c` sends `url` as the
                specification prints it, not percent-encoded (default false).
            channel_names: The wire names of the channel objects in single sends, by their name
                in the specification.
            bulk_channel_names: The wire names of the channel objects in bulk sends, by their
                name in the specification (default `{'messenger_a': 'messengerA'}`).
            validation: How requests are validated: `strict` (default; a request with errors is
                not sent), `pedantic` (a request with warnings is not sent either), `warn` or
                `off`.
            normalize: How recipients are written in the form that is sent, before validation:
                `international` accepts any notation of a number with its country code (`+30 691
                234 5678`); a region (ISO 3166-1 alpha-2, such as `GR`) also accepts numbers as
                they are dialed there. By default, recipients are sent as they are. Recipients of a
                chat channel are changed only if they begin with `+` or `00`. A region reads bare
                digits as its own number first, even those of another country: use `international`,
                or `+`, for stored numbers and for replies to senders of messages. With the
                validation `off`, nothing reports that a number was changed.
            allow_countries: The countries whose numbers requests may contain (ISO 3166-1
                alpha-2, such as `GR`), whatever `validation` is. By default, all.
            allow_types: The types of numbers that requests may contain, as `check_number`
                names them, such as `mobile`, whatever `validation` is. A number of a plan that
                does not distinguish mobile and fixed line counts as both. By default, all.
            connect_timeout: Time limit of connecting, in seconds (default 5).
            timeout: Time limit of one attempt, in seconds (default 20).
            deadline: Time limit of the whole call, in seconds (default 60).
            max_attempts: Maximum number of attempts of one call (default 3).
            retry_unknown: Whether to retry after an unknown outcome, which may send a message
                twice (default false).
            strict_rejections: Whether a 4xx or 3xx response that is not in the provider's own
                form is `unknown` instead of `rejected` (default false).
            accept_repeated_ids: Whether a response whose id was already returned for another
                call of this client is accepted, with a warning (default false); for stubs and
                benchmarks that always return the same id.
            max_connections: Maximum number of connections, idle ones included (default 128).
                At most three quarters of them carry calls (96 of 128), because a connection
                becomes idle shortly after its call has ended; further calls wait within their
                deadline. A call of `otp.verify` or `otp.cancel` has a connection of its own beside
                the idle ones.
            max_response_bytes: Maximum size of a response body, in bytes (default 8,388,608).
                A response with more than 100,000 objects or 500,000 members is not read either.
            user_agent: Text appended to the `User-Agent` header, for example `shop/2.1`.
            send_traceparent: Whether each request has the header `traceparent` (W3C Trace
                Context) with the id of its call as the trace id, unless tracing sets the header
                (default false). The provider can then name the id.
            proxy: The URL of an HTTP proxy.
            callback_keys: The keyring that signs the callback URL of each SMS: a list of keys,
                `[{'kid': 'k1', 'secret': '…'}]`, an object `{'keys': […], 'longest_lifetime':
                …, 'expiring_only': …}`, or one of them as JSON in a string. The first key
                signs.
            callback_audience: The audience of callback tokens: the receiving application. Its
                receiver must be configured with the same value.
            callback_lifetime: Lifetime of callback tokens, in seconds: 60 to 5,270,400
                (default 259,200, which is 72 hours).
            ca_bundle: Path of a file with root certificates in PEM form, which replace those
                of the system.
            read_environment: Whether settings that are not given are taken from the
                environment variables `CPAAS_…`, where a binding reads them (default true). The
                sandbox's settings have `false`, so that a test uses no address and no key of the
                machine. Rust reads the environment only by `or_env` and `from_env`.
            on_outcome: Called with an Event after every call, including an abandoned one.
            on_request: Called with a RequestEvent before each HTTP request of a call is sent.
            on_response: Called with a ResponseEvent after each HTTP response.
            suppression: The numbers that get no SMS: a `SuppressionList`, its path or address,
                or an object with the method `is_suppressed`. Calls of `sms.*`, and of `messages.*`
                with the channel `sms`, to these numbers are `Invalid` with the problem
                `suppressed`, and nothing is sent.
            guard: A guard against pumping. A passcode that it refuses is `Invalid` with a
                problem `guard.…`, and nothing is sent.
            pickle_secrets: Whether a pickle of the client contains the keys, and the passwords of URLs and of
                databases, that were given here (default false). Without it, a client cannot be pickled if the
                address of its `suppression` or of the store of its `guard` contains a password.
        """
        self._on_outcome = on_outcome
        self._on_request = on_request
        self._on_response = on_response
        self._suppression = suppression
        self._guard = guard
        self._pickle_secrets = pickle_secrets
        settings: dict[str, Any] = {
            "otp_url": otp_url,
            "sms_url": sms_url,
            "sms_url_frankfurt": sms_url_frankfurt,
            "sms_url_singapore": sms_url_singapore,
            "sms_url_hong_kong": sms_url_hong_kong,
            "sms_url_united_states": sms_url_united_states,
            "region": region,
            "lookup_url": lookup_url,
            "messaging_url": messaging_url,
            "messenger_b_url": messenger_b_url,
            "messenger_c_url": messenger_c_url,
            "account_sid": account_sid,
            "api_key": api_key,
            "sms_key": sms_key,
            "lookup_key": lookup_key,
            "messaging_key": messaging_key,
            "messaging_auth": messaging_auth,
            "messenger_b_token": messenger_b_token,
            "traffic_account_id": traffic_account_id,
            "api_key_header": api_key_header,
            "messenger_b_token_header": messenger_b_token_header,
            "send_path": send_path,
            "bulk_version": bulk_version,
            "otp_capitalized_names": otp_capitalized_names,
            "sms_format": sms_format,
            "search_body": search_body,
            "messenger_c_unencoded_url": messenger_c_unencoded_url,
            "channel_names": channel_names,
            "bulk_channel_names": bulk_channel_names,
            "validation": validation,
            "normalize": normalize,
            "allow_countries": allow_countries,
            "allow_types": allow_types,
            "connect_timeout": connect_timeout,
            "timeout": timeout,
            "deadline": deadline,
            "max_attempts": max_attempts,
            "retry_unknown": retry_unknown,
            "strict_rejections": strict_rejections,
            "accept_repeated_ids": accept_repeated_ids,
            "max_connections": max_connections,
            "max_response_bytes": max_response_bytes,
            "user_agent": user_agent,
            "send_traceparent": send_traceparent,
            "proxy": proxy,
            "callback_keys": callback_keys,
            "callback_audience": callback_audience,
            "callback_lifetime": callback_lifetime,
            "ca_bundle": ca_bundle,
            "read_environment": read_environment,
        }
        self._settings = SecretSettings({name: value for name, value in settings.items() if value is not None})
