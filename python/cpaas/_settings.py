# Generated from the list of operations: `cargo run -p codegen` rewrites it.
"""The configuration of a client as keyword arguments."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from typing_extensions import TypedDict

    from ._event import Event

    class Options(TypedDict, total=False):
        """The arguments of a client, for functions that take any of them."""

        otp_url: str | None
        sms_url: str | None
        sms_url_frankfurt: str | None
        sms_url_singapore: str | None
        sms_url_hong_kong: str | None
        sms_url_united_states: str | None
        region: str | None
        lookup_url: str | None
        messaging_url: str | None
        messenger_b_url: str | None
        bot_url: str | None
        account_sid: str | None
        api_key: str | None
        sms_key: str | None
        lookup_key: str | None
        messaging_key: str | None
        messaging_auth: str | None
        messenger_b_token: str | None
        traffic_account_id: str | None
        api_key_header: str | None
        messenger_b_token_header: str | None
        send_path: str | None
        bulk_version: str | None
        voice_capitals: bool | None
        sms_format: str | None
        search_body: bool | None
        set_webhook_raw: bool | None
        channel_names: Mapping[str, str] | None
        bulk_channel_names: Mapping[str, str] | None
        validation: str | None
        connect_timeout: float | None
        timeout: float | None
        deadline: float | None
        max_attempts: int | None
        retry_unknown: bool | None
        strict_refusals: bool | None
        accept_repeated_ids: bool | None
        max_connections: int | None
        max_response_bytes: int | None
        user_agent: str | None
        proxy: str | None
        callback_keys: str | None
        callback_audience: str | None
        callback_lifetime: int | None
        ca_bundle: str | None
        on_outcome: Callable[[Event], object] | None
        pickle_secrets: bool

class Hidden:
    """Settings that neither `vars` nor `repr` shows, since keys are among them."""

    __slots__ = ("reveal",)

    def __init__(self, settings: dict[str, Any]) -> None:
        self.reveal: Callable[[], dict[str, Any]] = lambda: dict(settings)

    def __repr__(self) -> str:
        return "<settings>"


class Settings:
    """What every client takes; an absent one is read from `CPAAS_…` in the environment."""

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
        region: str | None = None,
        lookup_url: str | None = None,
        messaging_url: str | None = None,
        messenger_b_url: str | None = None,
        bot_url: str | None = None,
        account_sid: str | None = None,
        api_key: str | None = None,
        sms_key: str | None = None,
        lookup_key: str | None = None,
        messaging_key: str | None = None,
        messaging_auth: str | None = None,
        messenger_b_token: str | None = None,
        traffic_account_id: str | None = None,
        api_key_header: str | None = None,
        messenger_b_token_header: str | None = None,
        send_path: str | None = None,
        bulk_version: str | None = None,
        voice_capitals: bool | None = None,
        sms_format: str | None = None,
        search_body: bool | None = None,
        set_webhook_raw: bool | None = None,
        channel_names: Mapping[str, str] | None = None,
        bulk_channel_names: Mapping[str, str] | None = None,
        validation: str | None = None,
        connect_timeout: float | None = None,
        timeout: float | None = None,
        deadline: float | None = None,
        max_attempts: int | None = None,
        retry_unknown: bool | None = None,
        strict_refusals: bool | None = None,
        accept_repeated_ids: bool | None = None,
        max_connections: int | None = None,
        max_response_bytes: int | None = None,
        user_agent: str | None = None,
        proxy: str | None = None,
        callback_keys: str | None = None,
        callback_audience: str | None = None,
        callback_lifetime: int | None = None,
        ca_bundle: str | None = None,
        on_outcome: Callable[[Event], object] | None = None,
        pickle_secrets: bool = False,
    ) -> None:
        """Every argument is optional.

        otp_url: Address of family A (OTP, voice).
        sms_url: Address of family B (SMS): the nearest region.
        sms_url_frankfurt: Address of family B in Frankfurt.
        sms_url_singapore: Address of family B in Singapore.
        sms_url_hong_kong: Address of family B in Hong Kong.
        sms_url_united_states: Address of family B in the United States.
        region: `nearest` (default), `frankfurt`, `singapore`, `hong_kong` or `united_states`.
        lookup_url: Address of family C (number lookup).
        messaging_url: Address of family D (messaging).
        messenger_b_url: Address of the `messenger_b` webhook registration.
        bot_url: Address of the `messenger_c` bot calls.
        account_sid: The account identifier: the user name of family A.
        api_key: The API key: the password of family A, and the default of the other keys.
        sms_key: The key of family B (default: `api_key`).
        lookup_key: The key of family C (default: `api_key`).
        messaging_key: The key of family D (default: `sms_key`, else `api_key`).
        messaging_auth: How family D authenticates: `header` (default), `basic` or `none`.
        messenger_b_token: The token of the `messenger_b` account.
        traffic_account_id: The traffic account of family D, when a request names none.
        api_key_header: The name of the API-key header (default `X-Service-API-Key`).
        messenger_b_token_header: The name of the `messenger_b` token's header (default
        `X-Channel-Auth-Token`).
        send_path: The send path of family D (default `/messages/send`).
        bulk_version: The version of the bulk operation (default `1.1`).
        voice_capitals: Writes `From` and `To` for an OTP (default false).
        sms_format: The form of the answer to a single SMS: `json` (default) or `xml`.
        search_body: Sends search parameters in a body instead of the query (default false).
        set_webhook_raw: Writes the literal form of the `messenger_c` setWebhook call (default
        false).
        channel_names: The channel objects' names on the wire in single sends, by neutral name.
        bulk_channel_names: The channel objects' names on the wire in bulk (default
        `{'messenger_a': 'messengerA'}`).
        validation: `strict` (default: errors refuse the call), `warn` or `off`.
        connect_timeout: Connecting may take this many seconds (default 5).
        timeout: One attempt may take this many seconds (default 20).
        deadline: All attempts together may take this many seconds (default 60).
        max_attempts: At most this many attempts of one call (default 3).
        retry_unknown: Sends again after an unknown outcome, which may send twice (default false).
        strict_refusals: Treats a 4xx or 3xx response that is not in the provider's own form as
        `unknown` instead of `rejected` (default false).
        accept_repeated_ids: Accepts a response whose id was already returned for another call of
        this client, with a warning (default false); for stubs and benchmarks that always return
        the same id.
        max_connections: At most this many connections at a time, idle ones included; further calls
        wait within their deadline (default 128).
        max_response_bytes: At most this many bytes of a response body are read (default
        8,388,608). A response of more than 100,000 objects or 500,000 members is not read either.
        user_agent: Text appended to the `User-Agent` header, for example `shop/2.1`.
        proxy: The URL of an HTTP proxy.
        callback_keys: The keyring that signs the callback URL of each SMS, as JSON: `[{'kid':
        'k1', 'secret': '…'}]`, the signing key first.
        callback_audience: The receiving application that the tokens are for; the same text at its
        receiver.
        callback_lifetime: How long a token is good, in seconds: 60 to 5,270,400 (default 259,200,
        which is 72 hours).
        ca_bundle: A file of root certificates in PEM form, instead of the system's.
        on_outcome: Called with an Event after every call, also an abandoned one.
        pickle_secrets: Keys given here travel along when the client is pickled (default false).
        """
        self._on_outcome = on_outcome
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
            "bot_url": bot_url,
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
            "voice_capitals": voice_capitals,
            "sms_format": sms_format,
            "search_body": search_body,
            "set_webhook_raw": set_webhook_raw,
            "channel_names": channel_names,
            "bulk_channel_names": bulk_channel_names,
            "validation": validation,
            "connect_timeout": connect_timeout,
            "timeout": timeout,
            "deadline": deadline,
            "max_attempts": max_attempts,
            "retry_unknown": retry_unknown,
            "strict_refusals": strict_refusals,
            "accept_repeated_ids": accept_repeated_ids,
            "max_connections": max_connections,
            "max_response_bytes": max_response_bytes,
            "user_agent": user_agent,
            "proxy": proxy,
            "callback_keys": callback_keys,
            "callback_audience": callback_audience,
            "callback_lifetime": callback_lifetime,
            "ca_bundle": ca_bundle,
        }
        self._settings = Hidden({name: value for name, value in settings.items() if value is not None})
