"""The base class of the sync and the async client."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, overload

from ._arguments import function
from ._attributes import check_assignment
from ._cpaas import NativeClient, misspelled_variables, printable
from ._errors import Report, bad_type, client_closed
from ._generated.metadata import OperationId
from ._generated.settings import Options, Settings
from ._groups import OperationGroup
from ._guard import Guard, native_guard
from ._hooks import Hooks, Instrument, accepts_one, native_functions
from ._public import public, public_methods
from ._suppression import SuppressionList, native_store, opened
from ._typing import Self, Unpack
from ._validation import validate_with

# The sandbox shows it among the settings of an account; it is accepted and ignored, as in C and Rust.
_ARGUMENT_OF_CALLS = "bot_id"

# Settings of other libraries, and what to use.
_OTHER_NAMES = {
    "api_token": "the keys are 'api_key', 'sms_key', 'lookup_key', 'messaging_key', …: one for each family",
    "base_url": "the addresses are 'otp_url', 'sms_url', 'lookup_url', 'messaging_url', …: one for each family",
    "max_retries": "use 'max_attempts', which includes the first attempt",
    "retries": "use 'max_attempts', which includes the first attempt",
}
_HOOKS = ("on_outcome", "on_request", "on_response")
_STORES = ("suppression", "guard")


def _unnamed_settings(
    client: object, function: Callable[..., Any], keywords: Mapping[str, Any], error: TypeError
) -> Exception:
    return bad_type("the settings of a client must be named, such as cpaas.Client(sms_url=…, sms_key=…)")


@public_methods
class BaseClient(Settings):
    """The base class of the sync and the async client.

    A client is built in three steps: `__init__` (or `with_options`) stores the settings, `_open` opens the stores and the native client, and
    `_bind`, which the `_open` of a subclass calls at its end, gives the groups the function that they call.
    """

    _kind = "Client"
    _native: NativeClient
    _call: Callable[..., Any]
    _shares_connections = False
    _instruments: tuple[Instrument, ...] = ()

    # Type checkers read the generated `Settings.__init__`, which names each setting; `**settings` would hide the names from them.
    if not TYPE_CHECKING:

        def __init__(self, **settings):
            try:
                super().__init__(**_with_keys(settings))
            except TypeError as error:
                raise _unknown_setting(settings, error) from None
            if self._settings.reveal().get("read_environment") is not False:
                _warn_of_misspelled_variables()
            self._open(None)

        __init__ = public(__init__, _unnamed_settings)
        __init__.__wrapped__ = Settings.__init__  # for inspect.signature and editors
        __init__.__doc__ = Settings.__init__.__doc__
        __init__.__annotations__ = Settings.__init__.__annotations__

        # A type checker that saw it would accept every name.
        def __setattr__(self, name, value):
            check_assignment(self, __package__, name, Settings.__init__, _how_to_set)
            super().__setattr__(name, value)

    def _open(self, parent: NativeClient | None) -> None:
        if not isinstance(self._pickle_secrets, bool):
            raise bad_type(f"pickle_secrets must be bool, got {type(self._pickle_secrets).__name__}")
        # A client of `with_options` uses the store that its parent opened.
        self._suppression = opened(self._suppression)
        stores = (native_store(self._suppression), native_guard(self._guard))
        self._native = NativeClient(self._settings.reveal(), self._hooks(), parent, *stores)

    def _bind(self, call: Callable[..., Any]) -> None:
        """Sets the function that the groups call. A copied client loses the groups of the original."""
        for name, value in list(self.__dict__.items()):
            if isinstance(value, OperationGroup):
                del self.__dict__[name]
        self._call = call

    def _hooks(self) -> Any:
        for name in _HOOKS:
            hook = function(name, getattr(self, f"_{name}"))
            if hook is not None and not accepts_one(hook):
                raise bad_type(f"{name} must be a function that can be called with one argument, the event")
        own = Hooks(*(getattr(self, f"_{name}") for name in _HOOKS))
        return native_functions(own, self._instruments)

    def _instrument(self, instruments: tuple[Instrument, ...]) -> None:
        """Replaces the instrumentations. Calls that have started keep the previous ones."""
        self._instruments = instruments
        self._native.set_hook(self._hooks())

    @public
    def with_options(self, **changes: Unpack[Options]) -> Self:
        """Returns a client with the same settings, except for the changes.

        The new client does not have to be closed. It shares the connections of this client, unless the changes contain another
        `proxy`, `ca_bundle`, `connect_timeout`, `max_connections`, `max_response_bytes` or `user_agent`, or another server.

        Args:
            changes: The settings to change; see the arguments of the client.

        Raises:
            cpaas.ClientClosed: This client is closed.
            cpaas.Invalid: A setting is unknown or invalid.
        """
        if self.closed:
            raise client_closed()
        settings: dict[str, Any] = {**self._settings.reveal(), "pickle_secrets": self._pickle_secrets}
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._shares_connections = True
        hooks = {name: getattr(self, f"_{name}") for name in (*_HOOKS, *_STORES)}
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
    def validate(self, operation: OperationId | str, request: Mapping[str, Any]) -> Report: ...

    @overload
    def validate(
        self, operation: OperationId | str, request: Sequence[Mapping[str, Any]]
    ) -> list[Report]: ...

    @public
    def validate(self, operation: OperationId | str, request: Any) -> Any:
        """Validates a request, or a list of requests, with the settings of this client; see `cpaas.validate`.

        The settings are the traffic account, `normalize`, `allow_countries` and `allow_types`.

        Args:
            operation: The id of the operation, such as `sms.send`.
            request: The request with the names of the specification, or a list of requests.

        Returns:
            A report; for a list of requests, a list of reports.

        Raises:
            cpaas.Invalid: The operation is unknown, or a value of a single request cannot be converted to JSON.
        """
        return validate_with(operation, request, self._native)

    @property
    def closed(self) -> bool:
        """Whether the client is closed."""
        return self._native.closed

    def __repr__(self) -> str:
        """The families that have an address, and the address if it is one; no keys."""
        addresses = self._native.family_origins
        families = [name for name, _ in addresses]
        origins = {origin for _, used in addresses for origin in used}
        place = f", {len(origins)} addresses" if origins else ""
        if len(origins) == 1:
            place = f", {printable(origins.pop(), 200)}"
        closed = " closed" if self.closed else ""
        return f"<cpaas.{self._kind}{''.join(f' {name}' for name in families)}{place}{closed}>"

    def __copy__(self) -> Self:
        return self.with_options()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # A store or a hook is shared, as `with_options` does.
        return self.with_options()

    def __reduce__(self) -> tuple[Any, ...]:
        # A client without its store would send to people who asked to stop.
        given = {name: getattr(self, f"_{name}") for name in _STORES}
        stores = {name: store for name, store in given.items() if store is not None}
        if not self._pickle_secrets:
            return partial(type(self), **self._without_secrets(), **stores), ()
        stores = {
            name: store._with_password() if isinstance(store, (SuppressionList, Guard)) else store
            for name, store in stores.items()
        }
        return partial(type(self), **self._settings.reveal(), **stores, pickle_secrets=True), ()

    def __del__(self) -> None:
        native = getattr(self, "_native", None)
        if native is not None and not native.closed and not self._shares_connections:
            warnings.warn(f"unclosed {self!r}", ResourceWarning, source=self, stacklevel=2)


def _how_to_set(setting: str) -> str:
    return f"Use client.with_options({setting}=…), which returns another client"


_named_variables: set[str] = set()
"""The misspelled variables that the process was warned of."""


def _warn_of_misspelled_variables() -> None:
    """Warns once of environment variables that are not settings but resemble one; names them, never their values."""
    found = [(name, meant) for name, meant in misspelled_variables() if name not in _named_variables]
    level = level_of_caller() if found else 0
    for name, meant in found:
        warnings.warn(
            f"the environment variable {name} is not a setting; did you mean {meant}?", stacklevel=level
        )
        _named_variables.add(name)


def level_of_caller() -> int:
    """The `stacklevel`, in the calling function, of the first frame outside this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    return level


def _with_keys(settings: Any) -> Any:
    """The settings without `bot_id`. In `callback_keys`, a `Keyring`, a list of keys or a mapping is converted to JSON."""
    settings = {name: value for name, value in settings.items() if name != _ARGUMENT_OF_CALLS}
    keys = settings.get("callback_keys")
    if keys is None or isinstance(keys, str):
        return settings
    # Loads `logging`, for the applications of callbacks; few clients have keys.
    from .callbacks._receiver import keys_as_json

    return {**settings, "callback_keys": keys_as_json(keys)}


def _unknown_setting(settings: Mapping[str, Any], error: TypeError) -> Exception:
    """The exception for an unknown setting; `error` if all settings are known."""
    known = signature(Settings.__init__).parameters
    unknown = [name for name in settings if name not in known and name != _ARGUMENT_OF_CALLS]
    if not unknown:
        return error
    near = get_close_matches(unknown[0], known, 1)
    meant = f"did you mean {near[0]!r}?" if near else ""
    advice = _OTHER_NAMES.get(unknown[0], meant)
    return bad_type(f"unknown setting {unknown[0]!r}{advice and f'; {advice}'}")


def _public_value(value: Any) -> Any:
    """A setting; if it is a URL, without its user name and password."""
    if not isinstance(value, str) or "@" not in value:
        return value
    # The authority ends with the first slash, question mark or number sign.
    return re.sub(r"^(\s*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[\\/]+)?[^\\/?#]*@", r"\1", value)
