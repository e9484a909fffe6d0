"""Callbacks: delivery reports, inbound messages and webhook events, received and verified.

`Receiver` does no I/O: hand it what the web framework has. `asgi` and `wsgi` make an application of it.
"""

from __future__ import annotations

from . import _cpaas
from ._callback_apps import MAX_BODY, Asgi, Wsgi
from ._cpaas import Duplicates, Pending, Received, Template, token_url
from ._errors import Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Literal, TypeVar

    Item = TypeVar("Item")

    Source = Literal[
        "sms_report", "chat_report", "inbound_sms", "messenger_b", "messenger_c", "business_chat"
    ]
    Purpose = Literal["delivery_report", "inbound", "chat_report"]
    Handler = Callable[[Received], object]
    Headers = Mapping[str, str] | Iterable[tuple[str, str]]

__all__ = [
    "MAX_BODY",
    "Duplicates",
    "Keyring",
    "Pending",
    "Received",
    "Receiver",
    "Refused",
    "Template",
    "asgi",
    "endpoint",
    "token_url",
    "wsgi",
]

# Keys, endpoints, sources or headers that are read; an iterator may have no end.
_MOST_ITEMS = 10_000

# The members of all kinds of callbacks.
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


class Refused(Error):
    """A callback that is not authentic. `reason` is for the log: the answer is 403 without a word."""

    status = 403

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.message = f"callback refused: {reason}"

    def __str__(self) -> str:
        return self.message


class Keyring:
    """Keys by their ids: the first signs, all verify. Its repr shows no secret.

    Args:
        keys: pairs of an id and a secret (at least 32 bytes), or dicts with `kid`, `secret` or
            `secret_base64`, and `retired_at` (Unix seconds) for a key that signs no more.
        longest_lifetime: Seconds that a token may live at most.
        expiring_only: Refuse to make tokens that never expire.
    """

    __slots__ = ("_config", "_native")

    def __init__(
        self,
        keys: Iterable[tuple[str, str | bytes] | Mapping[str, Any]],
        *,
        longest_lifetime: int | None = None,
        expiring_only: bool = False,
    ) -> None:
        self._config: dict[str, Any] = {
            "keys": [_key(key) for key in _few(keys, "keys")],
            "expiring_only": expiring_only,
        }
        if longest_lifetime is not None:
            self._config["longest_lifetime"] = longest_lifetime
        self._native = _cpaas.Keyring(self._config)

    def mint(
        self,
        purpose: Purpose,
        *,
        audience: str,
        reference: str = "",
        lifetime: int | Literal["never"] | None = None,
        now: float | None = None,
    ) -> str:
        """A token, signed with the first key.

        One for delivery reports needs the `reference` of the SMS; the others are bound to the audience alone.
        """
        return self._native.mint(purpose, audience, reference, lifetime, _now(now))

    def verify(
        self, token: str, purpose: Purpose, *, audience: str, reference: str = "", now: float | None = None
    ) -> dict[str, Any]:
        """The claims of a token: kid, purpose, issued, expires, nonce.

        Raises:
            Refused: with the reason.
        """
        claims: dict[str, Any] | str = self._native.verify(token, purpose, audience, reference, _now(now))
        if isinstance(claims, str):
            raise Refused(claims)
        return claims

    def lint(self, now: float | None = None) -> tuple[dict[str, Any], ...]:
        """What to do with each key: `kid`, `state`, `tokens_expire_at`."""
        return self._native.lint(_now(now))

    def __repr__(self) -> str:
        return f"<cpaas.callbacks.Keyring: {', '.join(key['kid'] for key in self._config['keys'])}>"


def _few(items: Iterable[Item], name: str) -> list[Item]:
    """The items of an iterable, which may have no end."""
    from itertools import islice

    few = list(islice(items, _MOST_ITEMS + 1))
    if len(few) > _MOST_ITEMS:
        raise ValueError(f"{name}: must have an end: at most {_MOST_ITEMS:,} items are read")
    return few


def endpoint(
    path: str,
    sources: Sequence[Source],
    *,
    query_template: str | None = None,
    form_template: str | None = None,
    json_template: str | None = None,
    bind_reference: bool = True,
) -> dict[str, Any]:
    """A path below the public URL of a receiver, and what comes in there."""
    members = {
        "path": path,
        "sources": _few(sources, "sources"),
        "query_template": query_template,
        "form_template": form_template,
        "json_template": json_template,
        "bind_reference": None if bind_reference else False,
    }
    return {name: value for name, value in members.items() if value is not None}


class Receiver:
    """Receives callbacks in any web framework. Threads may share it."""

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
        config: dict[str, Any] = {"audience": audience, "public_url": public_url}
        if delivery_keys is not None:
            config["delivery_keys"] = delivery_keys._config
        if inbound_keys is not None:
            config["inbound_keys"] = inbound_keys._config
        if endpoints:
            config["endpoints"] = _few(endpoints, "endpoints")
        self._native = _cpaas.Receiver(config)

    @classmethod
    def from_json(cls, text: str | bytes) -> Receiver:
        """A receiver of a configuration in JSON, the same as in Rust and C.

        Raises:
            ValueError: it is not of the documented form; nothing of it is quoted.
        """
        from json import loads

        try:
            config = loads(text)
        except ValueError:
            raise ValueError("the configuration is not JSON") from None
        made = cls.__new__(cls)
        made._native = _cpaas.Receiver(config)
        return made

    def receive(
        self, method: str, url: str, headers: Headers = (), body: bytes = b"", *, now: float | None = None
    ) -> Received:
        """One request: the URL absolute or from the path on.

        Raises:
            Refused: answer 403 with an empty body, whatever the reason.
        """
        pairs = headers.items() if hasattr(headers, "items") else headers
        received: Received | str = self._native.receive(
            method, url, _few(pairs, "headers"), bytes(memoryview(body)), _now(now)
        )
        if isinstance(received, str):
            raise Refused(received)
        return received

    def url(
        self,
        source: Source,
        reference: str = "",
        *,
        lifetime: int | Literal["never"] | None = None,
        now: float | None = None,
    ) -> str:
        """The URL to give to the provider for a source, token included."""
        request = {"source": source, "reference": reference}
        if lifetime is not None:
            request["lifetime"] = lifetime  # type: ignore[assignment]
        answer = self._native.mint(request, _now(now))
        if not answer["ok"]:
            raise ValueError(answer["message"])
        return answer["url"]  # type: ignore[no-any-return]


def asgi(
    receiver: Receiver | Callable[[], Receiver],
    handler: Handler,
    *,
    duplicates: Duplicates | None = None,
    clock: Callable[[], float] | None = None,
) -> Callable[..., Any]:
    """An ASGI application: `handler`, which may be a coroutine function, gets every callback.

    What the handler raises becomes the server's 500, so that the provider sends the callback again; `duplicates` forgets
    it then. Every refusal, also of a body that is too large, is answered with 403 and nothing else.

    Args:
        receiver: A receiver, or what gives the one of the moment: so keys rotate without a restart.
        handler: Called with each authentic callback.
        duplicates: What keeps repeats from the handler.
        clock: Unix seconds; the system's clock unless given, for tests.
    """

    return Asgi(receiver, handler, duplicates, clock)


def wsgi(
    receiver: Receiver | Callable[[], Receiver],
    handler: Handler,
    *,
    duplicates: Duplicates | None = None,
    clock: Callable[[], float] | None = None,
) -> Callable[..., Any]:
    """A WSGI application: `handler` gets every callback. Everything is as for `asgi`."""

    return Wsgi(receiver, handler, duplicates, clock)


def _key(key: tuple[str, str | bytes] | Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(key, tuple):
        return dict(key)
    kid, secret = key
    if isinstance(secret, str):
        return {"kid": kid, "secret": secret}
    from base64 import b64encode

    return {"kid": kid, "secret_base64": b64encode(secret).decode()}


def _now(now: float | None) -> int:
    if now is None:
        from time import time

        now = time()
    return int(now)
