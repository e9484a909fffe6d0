"""The sync client, and the base class of both clients."""

from __future__ import annotations

from sys import modules

from ._cpaas import NativeClient, Response
from ._groups import checked
from ._operations import Namespaces
from ._public import public, public_methods
from ._settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    import os
    import types as builtin_types
    import typing
    from collections import abc

    from . import _event as event
    from . import _type_hints as hints
    from ._report import Report
else:
    from ._lazy import Module, abc, datetime, event, hints, typing

    builtin_types = Module("types")
    os = Module("os")


_HOOKS = ("on_outcome", "on_request", "on_response")


@public_methods
class Base(Settings):
    """The base class of the sync and the async client."""

    _kind = "Client"
    _native: NativeClient
    _shares_connections = False
    _instruments: tuple[event.Hooks, ...] = ()

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
        # Loaded now, because a later import fails while the interpreter exits or without a free file descriptor.
        from . import _errors, _pages  # noqa: F401

        if not isinstance(self._pickle_secrets, bool):
            raise _errors.bad_type(f"pickle_secrets must be bool, got {type(self._pickle_secrets).__name__}")
        self._native = NativeClient(self._settings.reveal(), self._hooks(), parent)

    def _hooks(self) -> typing.Any:
        for name in _HOOKS:
            if getattr(self, f"_{name}") is not None:
                from ._arguments import function

                function(name, getattr(self, f"_{name}"))
        own = event.Hooks(*(getattr(self, f"_{name}") for name in _HOOKS))
        return event.native_functions((own, *self._instruments), modules)

    def _instrument(self, instruments: tuple[event.Hooks, ...]) -> None:
        """Replaces the hooks of instrumentations. Calls that have started keep the previous hooks."""
        self._instruments = instruments
        self._native.set_hook(self._hooks())

    @public
    def with_options(self: hints.Self, **changes: hints.Unpack[hints.Options]) -> hints.Self:
        """Returns a client with the same settings, except for the changes.

        The new client does not have to be closed. It shares the connections of this client, unless the changes contain another
        `proxy`, `ca_bundle`, `connect_timeout`, `max_connections`, `max_response_bytes` or `user_agent`, or another server.

        Raises:
            cpaas.ClientClosed: This client is closed.
        """
        if self.closed:
            from ._errors import client_closed

            raise client_closed()
        settings: dict[str, typing.Any] = {**self._settings.reveal(), "pickle_secrets": self._pickle_secrets}
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
    def settings(self) -> dict[str, typing.Any]:
        """The settings that were passed to this client, without the keys, and without user names and passwords of URLs."""
        return self._without_secrets()

    def _without_secrets(self) -> dict[str, typing.Any]:
        settings = self._settings.reveal()
        return {name: _public_value(value) for name, value in settings.items() if name not in self._secrets}

    if TYPE_CHECKING:

        @typing.overload
        def validate(self, operation: str, request: abc.Mapping[str, typing.Any]) -> Report: ...

        @typing.overload
        def validate(
            self, operation: str, request: abc.Sequence[abc.Mapping[str, typing.Any]]
        ) -> list[Report]: ...

    @public
    def validate(self, operation: str, request: typing.Any) -> typing.Any:
        """Validates a request, or a list of requests, with the traffic account of this client; see `cpaas.validate`."""
        from os import environ

        from ._text import validate_with

        account = self._settings.reveal().get("traffic_account_id") or environ.get("CPAAS_TRAFFIC_ACCOUNT_ID")
        return validate_with(operation, request, account)

    @property
    def closed(self) -> bool:
        """Whether the client is closed."""
        return self._native.closed

    def __repr__(self) -> str:
        return f"<cpaas.{self._kind}{' closed' if self.closed else ''}>"

    def __reduce__(self) -> tuple[typing.Any, ...]:
        if self._pickle_secrets:
            return _rebuild, (type(self), {**self._settings.reveal(), "pickle_secrets": True})
        return _rebuild, (type(self), self._without_secrets())

    def __del__(self) -> None:
        native = getattr(self, "_native", None)
        if native is not None and not native.closed and not self._shares_connections:
            try:
                import warnings
            except ImportError:  # the interpreter is exiting
                return
            warnings.warn(f"unclosed {self!r}", ResourceWarning, source=self, stacklevel=2)


def _with_keys(settings: typing.Any) -> typing.Any:
    """The settings. In `callback_keys`, a `Keyring` or a list of keys is converted to JSON."""
    keys = settings.get("callback_keys")
    if keys is None or isinstance(keys, str):
        return settings
    from . import callbacks

    return {**settings, "callback_keys": callbacks.keys_as_json(keys)}


def _unknown_setting(settings: abc.Mapping[str, typing.Any], error: TypeError) -> Exception:
    """The exception for an unknown setting; `error` if all settings are known."""
    from inspect import signature

    from ._errors import bad_type

    known = signature(Settings.__init__).parameters
    unknown = [name for name in settings if name not in known]
    if not unknown:
        return error
    from difflib import get_close_matches

    near = get_close_matches(unknown[0], known, 1)
    return bad_type(f"unknown setting {unknown[0]!r}{f'; did you mean {near[0]!r}?' if near else ''}")


def _public_value(value: typing.Any) -> typing.Any:
    """A setting; if it is a URL, without its user name and password."""
    if not isinstance(value, str) or "@" not in value:
        return value
    from re import sub

    # The authority ends with the first slash, question mark or number sign.
    return sub(r"^(\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[\\/]+)?[^\\/?#]*@", r"\1", value)


def _rebuild(cls: type[Base], settings: dict[str, typing.Any]) -> Base:
    return cls(**settings)


@public_methods
class Client(Namespaces, Base):
    """Calls the provider; each call blocks until it ends.

    Thread-safe. A call releases the GIL while it blocks, and a signal such as Ctrl-C interrupts it. Close the client, or
    use it in a `with` statement.

    The operations are in groups: `otp`, `otp.limits`, `otp.workflows`, `sms`, `lookup`, `messages`,
    `webhooks.messenger_b` and `webhooks.messenger_c`; `help(cpaas.Client.sms)` shows the methods of a group.
    """

    _call: abc.Callable[..., typing.Any]

    def _open(self, parent: NativeClient | None) -> None:
        super()._open(parent)
        call = self._native.call
        if "gevent" in modules:
            from ._gevent import with_warning

            call = with_warning(call)
        self._bind(call)

    @checked
    def call(
        self,
        operation: str,
        request: abc.Mapping[str, typing.Any] | None = None,
        *,
        timeout: float | datetime.timedelta | None = None,
        deadline: float | datetime.timedelta | None = None,
        validate: typing.Literal["strict", "pedantic", "warn", "off"] | None = None,
        extra_headers: abc.Mapping[str, str] | None = None,
    ) -> typing.Any:
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
        from ._arguments import text
        from ._pages import Link, linked

        operation = text("operation", operation)
        request = {} if request is None else request
        call, options = self._call, (timeout, deadline, validate, extra_headers)
        return linked(call(operation, request, None, *options), Link(call, operation, request, options))

    @checked
    def call_raw(
        self,
        method: str,
        family: typing.Literal["otp", "sms", "lookup", "messaging", "messenger_b", "messenger_c"],
        path: str,
        *,
        query: abc.Mapping[str, typing.Any] | None = None,
        headers: abc.Mapping[str, str] | None = None,
        body: typing.Any = None,
        timeout: float | datetime.timedelta | None = None,
        deadline: float | datetime.timedelta | None = None,
        extra_headers: abc.Mapping[str, str] | None = None,
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
        deadline: float | datetime.timedelta | None = None,
        **request: typing.Any,
    ) -> typing.Any:
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
        from ._send_once import once

        arguments = once(operation, key, request, journal, deadline)
        return self._native.call("send_once", arguments, None, None, None, None)

    def close(self) -> None:
        """Closes all connections. Idempotent."""
        self._native.close()

    def __enter__(self: hints.Self) -> hints.Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: builtin_types.TracebackType | None,
    ) -> None:
        self.close()
