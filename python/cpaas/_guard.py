"""The guard against pumping.

`__module__` names the module that users import. Annotations are therefore no strings: `typing.get_type_hints` would evaluate strings in
that module.
"""

import os
from collections.abc import Sequence
from typing import Any

from ._cpaas import NativeGuard
from ._errors import bad_type, bad_value
from ._journal import check_journal
from ._public import public_methods
from ._suppression import absolute, address, check_exists, check_picklable
from ._typing import Self


@public_methods
class Guard:
    """A guard against pumping: fraud that requests passcodes for many numbers of an operator that shares its revenue.

    A client with `guard=` consults it before it sends a passcode. A refused call is `Invalid` with a problem `guard.…`, and nothing is
    sent. Messages whose passcode was entered (`otp.verify`) do not count for sequences, ranges, prefixes and countries, and a call
    that proves that nothing was sent, or that was rejected, does not count at all.

    The counters are in memory: clients with the same guard share them, other processes have their own. With `store`, they are in a file or in
    Postgres: processes with the same store and the same settings share them, and they survive a restart.

    Args:
        recipient_limits: Messages to one number, each limit with its window in seconds: `guard.recipient`.
        max_sequence: The longest run of consecutive numbers within `window`: `guard.sequence`.
        max_range: Numbers with the same digits except the last four, within `window`: `guard.range`.
        max_prefix: Messages with the same digits except the last seven, within `window`: `guard.prefix`.
        max_country: Messages with the same country code, within `window`: `guard.country`.
        window: The window of sequences, ranges, prefixes and countries, in seconds.
        min_conversion: The share of passcodes of a prefix that must be entered, from 0 to 1, such as 0.2: `guard.conversion`. By default
            the rule is off, because it needs one process that sends and verifies all passcodes and is not restarted, or a `store`: a
            passcode that another process verified counts as not entered.
        min_passcodes: The passcodes from which on their share counts.
        conversion_window: The window of the share, in seconds.
        grace: The time that a person has to enter a passcode before it counts as not entered, in seconds.
        includes_sms: Whether `sms.send` is guarded too. Its messages have no conversion. `sms.send_bulk` and `messages.*` are never guarded.
        store: The path of an SQLite file, or the address of a database, `postgres://…`, for the counters of several processes. It contains
            phone numbers, and what is older than the longest window is removed. The clocks of the machines must agree. A guard whose
            address contains a password cannot be pickled, except in a client with `pickle_secrets=True`. A pickle contains the absolute
            path, and raises `Invalid` where that file does not exist.
        sends_without_store: Whether messages are sent while the store fails, or does not answer within five seconds and half of the time to
            the deadline of the call. By default they are `Invalid` with the problem `guard.unavailable` after five seconds or at the
            deadline.

    Raises:
        cpaas.Invalid: A count is less than 1, a window is not greater than 0, the share is not from 0 to 1, or the store cannot be opened.

    Example:
        >>> import cpaas
        >>> with cpaas.Sandbox() as sandbox, sandbox.client(guard=cpaas.Guard(recipient_limits=[(1, 60)])) as client:
        ...     passcode = {"service": "login", "from_": "Acme", "to": "306912345678", "body": "{code}"}
        ...     sent = client.otp.send(**passcode)
        ...     try:
        ...         client.otp.send(**passcode)
        ...     except cpaas.Invalid as error:
        ...         error.problems[0].code
        'guard.recipient'
    """

    __module__ = "cpaas"
    __slots__ = ("_native", "_pickles_password", "_settings")

    def __init__(
        self,
        *,
        recipient_limits: Sequence[tuple[int, float]] = ((3, 600), (5, 3600)),
        max_sequence: int = 5,
        max_range: int = 20,
        max_prefix: int = 200,
        max_country: int = 1000,
        window: float = 600,
        min_conversion: float = 0,
        min_passcodes: int = 30,
        conversion_window: float = 86400,
        grace: float = 120,
        includes_sms: bool = False,
        store: str | os.PathLike[str] | None = None,
        sends_without_store: bool = False,
    ) -> None:
        self._pickles_password = False
        if store is not None:
            check_journal()
        try:
            limits = tuple(recipient_limits)
            self._settings: dict[str, Any] = {
                "recipient_limits": limits,
                "max_sequence": max_sequence,
                "max_range": max_range,
                "max_prefix": max_prefix,
                "max_country": max_country,
                "window": window,
                "min_conversion": min_conversion,
                "min_passcodes": min_passcodes,
                "conversion_window": conversion_window,
                "grace": grace,
                "includes_sms": includes_sms,
                "store": None if store is None else absolute(address("store", store)),
                "sends_without_store": sends_without_store,
            }
            self._native = NativeGuard(
                list(limits),
                (max_sequence, max_range, max_prefix, max_country, min_passcodes),
                (window, conversion_window, grace),
                min_conversion,
                (includes_sms, sends_without_store),
                self._settings["store"],
            )
        except TypeError as error:
            raise bad_type(f"a setting of the guard has a wrong type: {error}") from None
        except OverflowError:
            raise bad_value("a count must be 1 or greater, and not greater than 2**64 - 1") from None

    def __repr__(self) -> str:
        settings = {**self._settings, "store": self._native.place}
        return f"Guard({', '.join(f'{name}={value!r}' for name, value in settings.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        check_picklable(self, self._settings["store"])
        return _restored, (self._settings,)

    def _with_password(self) -> Self:
        """The same guard, whose pickle contains the password of its store."""
        copy = object.__new__(type(self))
        copy._native, copy._settings, copy._pickles_password = self._native, self._settings, True
        return copy


def _restored(settings: dict[str, Any]) -> Guard:
    if settings["store"] is not None:
        check_exists("guard's store", settings["store"])
    return Guard(**settings)


def native_guard(given: Any) -> NativeGuard | None:
    """The argument of the native client."""
    if given is None:
        return None
    if not isinstance(given, Guard):
        raise bad_type(f"guard must be a cpaas.Guard, got {type(given).__name__}")
    return given._native
