"""Verifies and parses callback requests."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import islice
from typing import Any, Literal, TypeVar, cast

from .. import _cpaas
from .._arguments import items, text, unix_time, whole_seconds
from .._cpaas import Received, to_json
from .._errors import Error, Invalid, bad_type, bad_value, located, type_name, wrong_type
from .._generated.names import RejectionReason
from .._public import public, public_methods
from .._records import Secret

Item = TypeVar("Item")

Source = Literal["sms_report", "chat_report", "inbound_sms", "messenger_b", "messenger_c", "business_chat"]
Purpose = Literal["delivery_report", "inbound", "chat_report"]
Handler = Callable[[Received], object]
Headers = Mapping[str, str] | Iterable[tuple[str, str]]

# The maximum number of keys, endpoints, sources or headers, because an iterator may be infinite.
_MAX_ITEMS = 10_000

# The members of all types of callbacks, which the native class `Received` has as attributes: it reads this list.
MEMBERS = frozenset(
    [
        "message_id",
        "status",
        "error_code",
        "mcc",
        "mnc",
        "rate",
        "to",
        "from",
        "from_",
        "reference",
        "timestamp",
        "extra",
        "text",
        "event",
        "user_id",
        "user_name",
        "user_photo",
        "description",
        "raw",
        "update_id",
        "chat_id",
        "conversation_id",
        "postback_data",
        "source",
    ]
)


@public_methods
class CallbackRejected(Error):
    """The callback is not authentic. Respond with 403 and an empty body; `reason` is for the log only."""

    __module__ = "cpaas.callbacks"

    status: int | None = 403

    def __init__(self, reason: RejectionReason) -> None:
        super().__init__(reason, reason=reason)
        self.message: str = f"callback rejected: {reason}"

    @property
    def reason(self) -> RejectionReason | None:
        """Why the callback is rejected, for the log only."""
        return cast("RejectionReason | None", self.reason_name)

    def __str__(self) -> str:
        return self.message


@public_methods
class Keyring(Secret):
    """1 to 8 keys: the first key signs, all keys verify. The repr contains no secret.

    Args:
        keys: Pairs of an id and a secret (at least 32 bytes), or dicts with `kid`, `secret` or
            `secret_base64`, and `retired_at` (seconds since 1970) for a key that no longer signs.
        longest_lifetime: The maximum lifetime of a token, in seconds or as a timedelta.
        expiring_only: Whether `mint` rejects a token without an expiry.
    """

    __module__ = "cpaas.callbacks"

    __slots__ = ("_config", "_native")

    def __init__(
        self,
        keys: Iterable[tuple[str, str | bytes] | Mapping[str, Any]],
        *,
        longest_lifetime: int | timedelta | None = None,
        expiring_only: bool = False,
    ) -> None:
        self._config: dict[str, Any] = {"keys": _keys(keys), "expiring_only": expiring_only}
        if longest_lifetime is not None:
            self._config["longest_lifetime"] = whole_seconds("longest_lifetime", longest_lifetime)
        self._native = _cpaas.Keyring(self._config)

    def mint(
        self,
        purpose: Purpose,
        *,
        audience: str,
        reference: str = "",
        lifetime: int | timedelta | Literal["never"] | None = None,
        now: float | None = None,
    ) -> str:
        """Creates a token, signed with the first key.

        Args:
            purpose: What the token authenticates.
            audience: The audience of the receiver.
            reference: The reference of the SMS, required for delivery reports; other tokens are bound to the audience
                only.
            lifetime: Seconds, a timedelta, "never", or None for the default.
            now: The current time in seconds since 1970; the default is the system clock.

        Raises:
            cpaas.Invalid: An argument is invalid.
        """
        return self._native.mint(
            purpose, audience, reference, whole_seconds("lifetime", lifetime), unix_time("now", now)
        )

    def verify(
        self, token: str, purpose: Purpose, *, audience: str, reference: str = "", now: float | None = None
    ) -> dict[str, Any]:
        """Verifies a token and returns its claims: kid, purpose, issued, expires, nonce.

        Args:
            token: The token.
            purpose: What the token must authenticate.
            audience: The audience of the receiver.
            reference: The reference of the SMS, for the token of a delivery report.
            now: The current time in seconds since 1970; the default is the system clock.

        Raises:
            cpaas.callbacks.CallbackRejected: The token is invalid.
            cpaas.Invalid: An argument is invalid; `cpaas.InvalidType` for a wrong type.
        """
        claims: dict[str, Any] | RejectionReason = self._native.verify(
            token, purpose, audience, reference, unix_time("now", now)
        )
        if isinstance(claims, str):
            raise CallbackRejected(claims)
        return claims

    def lint(self, now: float | None = None) -> tuple[dict[str, Any], ...]:
        """Returns the state of each key: `kid`, `state`, `tokens_expire_at`.

        Args:
            now: The current time in seconds since 1970; the default is the system clock.
        """
        return self._native.lint(unix_time("now", now))

    def __repr__(self) -> str:
        return f"<cpaas.callbacks.Keyring: {', '.join(key['kid'] for key in self._config['keys'])}>"


def keys_as_json(keys: Any) -> str:
    """The setting `callback_keys` of a client, from a `Keyring`, from its keys, or from a mapping of its arguments."""
    try:
        return to_json(keys._config if isinstance(keys, Keyring) else _keyring_config(keys))
    except Invalid as error:
        raise located("`callback_keys`", error) from None


def _keyring_config(keys: Any) -> dict[str, Any]:
    """The configuration of a keyring that is not checked yet."""
    if not isinstance(keys, Mapping):
        return {"keys": _keys(keys)}
    config = dict(keys)
    if "keys" in config:
        config["keys"] = _keys(config["keys"])
    if isinstance(config.get("longest_lifetime"), timedelta):
        config["longest_lifetime"] = whole_seconds("longest_lifetime", config["longest_lifetime"])
    return config


def _keys(keys: Any) -> list[dict[str, Any]]:
    if isinstance(keys, (str, bytes, Mapping)) or not hasattr(keys, "__iter__"):
        raise wrong_type("keys", "a list of pairs of an id and a secret", keys)
    return [_key(key) for key in _limited(keys, "keys")]


def _limited(values: Iterable[Item], name: str, expected: str = "an iterable") -> list[Item]:
    """The items of an iterable, which may be infinite."""
    limited = list(islice(items(name, expected, values), _MAX_ITEMS + 1))
    if len(limited) > _MAX_ITEMS:
        raise bad_value(f"{name}: must have at most {_MAX_ITEMS:,} items, got more or an infinite iterator")
    return limited


@public
def endpoint(
    path: str,
    sources: Sequence[Source],
    *,
    query_template: str | None = None,
    form_template: str | None = None,
    json_template: str | None = None,
    bind_reference: bool = True,
) -> dict[str, Any]:
    """Returns the configuration of an endpoint.

    Args:
        path: A path below the public URL of the receiver.
        sources: The callbacks that the endpoint receives.
        query_template: The template of delivery reports in the query.
        form_template: The template of delivery reports in a form body.
        json_template: The template of delivery reports in a JSON body.
        bind_reference: Whether tokens of delivery reports are bound to the reference of the SMS.
    """
    members = {
        "path": path,
        "sources": _limited(sources, "sources"),
        "query_template": query_template,
        "form_template": form_template,
        "json_template": json_template,
        "bind_reference": None if bind_reference else False,
    }
    return {name: value for name, value in members.items() if value is not None}


@public_methods
class Receiver(Secret):
    """Verifies and parses callback requests. Thread-safe.

    Args:
        audience: The audience of tokens.
        public_url: The URL at which the provider reaches the endpoints.
        delivery_keys: The keys for delivery reports.
        inbound_keys: The keys for inbound messages and webhook events. At least one of the two is required.
        endpoints: The endpoints, created with `endpoint`.

    Raises:
        cpaas.Invalid: The configuration is invalid.
    """

    __module__ = "cpaas.callbacks"

    __slots__ = ("_native",)

    def __init__(
        self,
        *,
        audience: str,
        public_url: str,
        delivery_keys: Keyring | None = None,
        inbound_keys: Keyring | None = None,
        endpoints: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        config: dict[str, Any] = {
            "audience": text("audience", audience),
            "public_url": text("public_url", public_url),
        }
        for name, keys in (("delivery_keys", delivery_keys), ("inbound_keys", inbound_keys)):
            if keys is not None and not isinstance(keys, Keyring):
                raise wrong_type(name, "a Keyring", keys)
        if delivery_keys is None and inbound_keys is None:
            raise bad_value("a receiver needs a Keyring: delivery_keys, inbound_keys or both")
        if delivery_keys is not None:
            config["delivery_keys"] = delivery_keys._config
        if inbound_keys is not None:
            config["inbound_keys"] = inbound_keys._config
        if endpoints:
            config["endpoints"] = _limited(endpoints, "endpoints")
        if not public_url.lower().startswith(("https://", "http://")):
            raise bad_value("public_url must be an absolute http or https URL")
        self._native = _cpaas.Receiver(config)

    @classmethod
    def from_json(cls, text: str | bytes) -> Receiver:
        """Creates a receiver from a JSON configuration, which is the same as in Rust and C.

        Args:
            text: The configuration.

        Raises:
            cpaas.Invalid: The configuration is invalid. The message does not quote the configuration.
        """
        if not isinstance(text, (str, bytes, bytearray)):
            raise wrong_type("text", "str or bytes", text)
        try:
            config = json.loads(text)
        except (ValueError, RecursionError):
            raise bad_value("the configuration must be JSON") from None
        receiver = cls.__new__(cls)
        receiver._native = _cpaas.Receiver(config)
        return receiver

    def receive(
        self, method: str, url: str, headers: Headers = (), body: bytes = b"", *, now: float | None = None
    ) -> Received:
        """Verifies and parses one request.

        Args:
            method: The HTTP method.
            url: The absolute URL, or path and query.
            headers: The headers.
            body: The body.
            now: The current time in seconds since 1970; the default is the system clock.

        Raises:
            cpaas.callbacks.CallbackRejected: The request is not authentic. Respond with 403 and an empty body, whatever the reason.
            cpaas.InvalidType: An argument has a wrong type. A lone surrogate is not an error: it counts as U+FFFD.
        """
        pairs: Any = headers
        pairs = pairs.items() if hasattr(pairs, "items") else pairs
        limited: list[Any] = _limited(pairs, "headers", "a mapping or an iterable of pairs of str")
        try:
            content = bytes(memoryview(body))
        except TypeError:
            raise wrong_type("body", "bytes", body) from None
        received: Received | RejectionReason = self._native.receive(
            method, url, limited, content, unix_time("now", now)
        )
        if isinstance(received, str):
            raise CallbackRejected(received)
        return received

    def url(
        self,
        source: Source,
        reference: str = "",
        *,
        lifetime: int | timedelta | Literal["never"] | None = None,
        now: float | None = None,
    ) -> str:
        """Returns the URL of the endpoint of a source, with a token, for the provider.

        Args:
            source: The source of the callbacks.
            reference: The reference of the SMS, required for "sms_report".
            lifetime: Seconds, a timedelta, "never", or None for the default.
            now: The current time in seconds since 1970; the default is the system clock.

        Raises:
            cpaas.Invalid: An argument is invalid.
        """
        request: dict[str, Any] = {"source": source, "reference": reference}
        if lifetime is not None:
            request["lifetime"] = whole_seconds("lifetime", lifetime)
        result = self._native.mint(request, unix_time("now", now))
        if not result["ok"]:
            raise bad_value(result["message"])
        return result["url"]  # type: ignore[no-any-return]


def _key(key: tuple[str, str | bytes] | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(key, Mapping):
        return dict(key)
    if not isinstance(key, (tuple, list)) or len(key) != 2:
        raise bad_type(f"keys: each must be a pair of an id and a secret, or a dict, got {type_name(key)}")
    kid, secret = key
    if not isinstance(kid, str) or not isinstance(secret, (str, bytes, bytearray)):
        raise bad_type(
            f"keys: each must be a pair of an id (str) and a secret (str or bytes), "
            f"got {type_name(kid)} and {type_name(secret)}"
        )
    if isinstance(secret, str):
        return {"kid": kid, "secret": secret}
    return {"kid": kid, "secret_base64": b64encode(secret).decode()}
