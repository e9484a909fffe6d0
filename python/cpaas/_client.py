"""The sync client, and the base class of both clients."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from difflib import get_close_matches
from functools import partial
from inspect import signature
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from ._arguments import function, text
from ._bulk.send_once import once
from ._cpaas import NativeClient, Response
from ._errors import Report, bad_type, client_closed
from ._generated.operations import Namespaces
from ._generated.settings import Options, Settings
from ._groups import checked
from ._hooks import Hooks, native_functions
from ._public import public, public_methods
from ._records import Link, linked
from ._validation import validate_with

if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack
elif sys.version_info >= (3, 11):
    from typing import Unpack
else:
    Unpack = dict  # so that annotations can be evaluated on Python 3.10, whose `typing` has no `Unpack`

Self = TypeVar("Self", bound="Base")

_HOOKS = ("on_outcome", "on_request", "on_response")


@public_methods
class Base(Settings):
    """The base class of the sync and the async client."""

    _kind = "Client"
    _native: NativeClient
    _shares_connections = False
    _instruments: tuple[Hooks, ...] = ()

    if not TYPE_CHECKING:

        def __init__(self, **settings):
            try:
                super().__init__(**_with_keys(settings))
            except TypeError as error:
                raise _unknown_setting(settings, error) from None
            self._open(None)

        __init__ = public(__init__)
        __init__.__wrapped__ = Settings.__init__  # for inspect.signature and editors
        __init__.__doc__ = Settings.__init__.__doc__
        __init__.__annotations__ = Settings.__init__.__annotations__

    def _open(self, parent: NativeClient | None) -> None:
        if not isinstance(self._pickle_secrets, bool):
            raise bad_type(f"pickle_secrets must be bool, got {type(self._pickle_secrets).__name__}")
        self._native = NativeClient(self._settings.reveal(), self._hooks(), parent)

    def _hooks(self) -> Any:
        for name in _HOOKS:
            if getattr(self, f"_{name}") is not None:
                function(name, getattr(self, f"_{name}"))
        own = Hooks(*(getattr(self, f"_{name}") for name in _HOOKS))
        return native_functions((own, *self._instruments))

    def _instrument(self, instruments: tuple[Hooks, ...]) -> None:
        """Replaces the hooks of instrumentations. Calls that have started keep the previous hooks."""
        self._instruments = instruments
        self._native.set_hook(self._hooks())

    @public
    def with_options(self: Self, **changes: Unpack[Options]) -> Self:
        """Returns a client with the same settings, except for the changes.

        The new client does not have to be closed. It shares the connections of this client, unless the changes contain another
        `proxy`, `ca_bundle`, `connect_timeout`, `max_connections`, `max_response_bytes` or `user_agent`, or another server.

        Raises:
            cpaas.ClientClosed: This client is closed.
        """
        if self.closed:
            raise client_closed()
        settings: dict[str, Any] = {**self._settings.reveal(), "pickle_secrets": self._pickle_secrets}
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._shares_connections = True
        hooks = {name: getattr(self, f"_{name}") for name in _HOOKS}
        try:
            Settings.__init__(copy, **{**settings, **hooks, **_with_keys(changes)})
        except TypeError as error:
            raise _unknown_setting(changes, error) from None
        copy._open(self._native)
        return copy

    @property
    @public
    def settings(self) -> dict[str, Any]:
        """The settings that were passed to this client, without the keys, and without user names and passwords of URLs."""
        return self._without_secrets()

    def _without_secrets(self) -> dict[str, Any]:
        settings = self._settings.reveal()
        return {name: _public_value(value) for name, value in settings.items() if name not in self._secrets}

    @overload
    def validate(self, operation: str, request: Mapping[str, Any]) -> Report: ...

    @overload
    def validate(self, operation: str, request: Sequence[Mapping[str, Any]]) -> list[Report]: ...

    @public
    def validate(self, operation: str, request: Any) -> Any:
        """Validates a request, or a list of requests, with the traffic account of this client; see `cpaas.validate`."""
        account = self._settings.reveal().get("traffic_account_id") or os.environ.get(
            "CPAAS_TRAFFIC_ACCOUNT_ID"
        )
        return validate_with(operation, request, account)

    @property
    def closed(self) -> bool:
        """Whether the client is closed."""
        return self._native.closed

    def __repr__(self) -> str:
        return f"<cpaas.{self._kind}{' closed' if self.closed else ''}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._pickle_secrets:
            return partial(type(self), **self._settings.reveal(), pickle_secrets=True), ()
        return partial(type(self), **self._without_secrets()), ()

    def __del__(self) -> None:
        native = getattr(self, "_native", None)
        if native is not None and not native.closed and not self._shares_connections:
            warnings.warn(f"unclosed {self!r}", ResourceWarning, source=self, stacklevel=2)


def _with_keys(settings: Any) -> Any:
    """The settings. In `callback_keys`, a `Keyring` or a list of keys is converted to JSON."""
    keys = settings.get("callback_keys")
    if keys is None or isinstance(keys, str):
        return settings
    # Loads `logging`, for the applications of callbacks; few clients have keys.
    from .callbacks.receiver import keys_as_json

    return {**settings, "callback_keys": keys_as_json(keys)}


def _unknown_setting(settings: Mapping[str, Any], error: TypeError) -> Exception:
    """The exception for an unknown setting; `error` if all settings are known."""
    known = signature(Settings.__init__).parameters
    unknown = [name for name in settings if name not in known]
    if not unknown:
        return error
    near = get_close_matches(unknown[0], known, 1)
    return bad_type(f"unknown setting {unknown[0]!r}{f'; did you mean {near[0]!r}?' if near else ''}")


def _public_value(value: Any) -> Any:
    """A setting; if it is a URL, without its user name and password."""
    if not isinstance(value, str) or "@" not in value:
        return value
    # The authority ends with the first slash, question mark or number sign.
    return re.sub(r"^(\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[\\/]+)?[^\\/?#]*@", r"\1", value)


def _with_warning(call: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps the call function of a sync client, so that a call warns on a thread that has a hub of gevent."""
    # An optional package; `gevent.get_hub` would create a hub.
    from gevent._hub_local import get_hub_if_exists

    def blocking(*arguments: Any) -> Any:
        if get_hub_if_exists() is not None:
            warnings.warn(
                "a call of cpaas.Client blocks all greenlets of this thread; run it in a thread: "
                "gevent.get_hub().threadpool.apply(client.sms.send, kwds={...})",
                RuntimeWarning,
                stacklevel=4,
            )
        return call(*arguments)

    return blocking


@public_methods
class Client(Namespaces, Base):
    """Calls the provider; each call blocks until it ends.

    Thread-safe. A call releases the GIL while it blocks, and a signal such as Ctrl-C interrupts it. Close the client, or
    use it in a `with` statement.

    The operations are in groups: `otp`, `otp.limits`, `otp.workflows`, `sms`, `lookup`, `messages`,
    `webhooks.messenger_b` and `webhooks.messenger_c`; `help(cpaas.Client.sms)` shows the methods of a group.
    """

    __module__ = "cpaas"

    def _open(self, parent: NativeClient | None) -> None:
        super()._open(parent)
        call = self._native.call
        if "gevent" in sys.modules:
            call = _with_warning(call)
        self._bind(call)

    @checked
    def call(
        self,
        operation: str,
        request: Mapping[str, Any] | None = None,
        *,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        validate: Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Calls an operation by its id.

        Args:
            operation: The id of the operation, such as `sms.send`.
            request: The request, with the member names of the specification.
            timeout: Time limit of one attempt, in seconds.
            deadline: Time limit of all attempts and the delays between them, in seconds.
            validate: What to do about problems: "strict" raises errors, "pedantic" raises warnings too, "warn" turns errors into
                warnings of the result, "off" does not validate.
            extra_headers: Headers added to the requests of this call. Credentials, and headers that the client itself
                sets, are refused.

        Raises:
            cpaas.Error: For every outcome except accepted.
        """
        operation = text("operation", operation)
        request = {} if request is None else request
        call, options = self._call, (timeout, deadline, validate, extra_headers)
        return linked(call(operation, request, None, *options), Link(call, operation, request, options))

    @checked
    def call_raw(
        self,
        method: str,
        family: Literal["otp", "sms", "lookup", "messaging", "messenger_b", "messenger_c"],
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
        timeout: float | timedelta | None = None,
        deadline: float | timedelta | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Calls any endpoint, with the address and the credentials of a family.

        Args:
            method: GET, POST, PUT or DELETE. A GET is retried like a read, any other method like a send.
            family: The family of operations whose address and credentials the call uses.
            path: The path below the address; it starts with `/`.
            query: The parameters of the query.
            headers: The same as `extra_headers`.
            body: The body, sent as JSON.
            timeout: Time limit of one attempt, in seconds.
            deadline: Time limit of all attempts and the delays between them, in seconds.
            extra_headers: Headers added to the requests of this call. Credentials, and headers that the client itself
                sets, are refused.

        Raises:
            cpaas.Error: For every outcome except accepted.
        """
        request = {
            "method": method,
            "family": family,
            "path": path,
            "query": query,
            "headers": headers,
            "body": body,
        }
        return self._call("raw", request, None, timeout, deadline, None, extra_headers)  # type: ignore[no-any-return]

    @checked
    def send_once(
        self,
        key: str,
        operation: str,
        /,
        *,
        journal: str | os.PathLike[str],
        deadline: float | timedelta | None = None,
        **request: Any,
    ) -> Any:
        """Sends a request. If a request with this key was sent before, sends nothing and returns the outcome of that request.

        Calls with the same key, in any number of processes, send one message and get its response. A message is sent
        again only after proof that it was not sent. An invalid request does not use up its key.

        Args:
            key: Identifies the message, such as "order-17".
            operation: The id of the operation, such as `sms.send`.
            journal: A path, or `postgres://…`; created when it is missing.
            deadline: Time limit of the call, in seconds or as a timedelta; 30 seconds when absent.
            request: The arguments of the method of the operation.

        Raises:
            cpaas.CampaignError: The key was used for another request (`key_reused`), or the journal failed.
            cpaas.Error: For every outcome except accepted.
        """
        arguments = once(operation, key, request, journal, deadline)
        return self._native.call("send_once", arguments, None, None, None, None)

    def close(self) -> None:
        """Closes all connections. Idempotent."""
        self._native.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
