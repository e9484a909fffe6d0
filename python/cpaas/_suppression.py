"""Numbers that get no SMS: the people who asked to stop.

`__module__` names the module that users import. Annotations are therefore no strings: `typing.get_type_hints` would evaluate strings in
that module.
"""

import os
import warnings
from typing import Any, Protocol

from ._arguments import lasting
from ._cpaas import printable
from ._errors import bad_type, bad_value
from ._journal import SuppressionDatabase, has_password
from ._public import public_methods
from ._typing import Self


class SuppressionStore(Protocol):
    """A store that `Client(suppression=…)` accepts: an object with this method, which a thread of the library calls.

    It gets the number in the form that is sent: digits with the country code. It returns a bool, or an integer such as the 0 or 1 of a
    database. It must not be a coroutine function. If it raises an exception, returns anything else or does not answer within five
    seconds for all recipients of a call, or until the deadline of the call, nothing is sent. Its exception is the `__cause__` of the
    `Invalid`, and a line of the log has its type.
    """

    def is_suppressed(self, number: str, /) -> bool:
        """Returns whether the number gets no SMS.

        Args:
            number: The number: digits with the country code.
        """
        ...


SuppressionStore.__module__ = "cpaas"


@public_methods
class SuppressionList:
    """The numbers that get no SMS, in a file or in Postgres. Several processes and threads may use one file or database, and may fork.

    Numbers may be in any notation with their country code; they are compared in the form that is sent. A text that is not a number, such
    as a short code or the name of a sender, is never in the list: `add` raises `Invalid` for it.

    Args:
        path: The path of an SQLite file, which is created if it does not exist, or the address of a database, `postgres://…`, whose table
            is created. The database may also contain the journal of campaigns and a guard; its server must answer within four seconds.
            A list whose address contains a password cannot be pickled, except in a client with `pickle_secrets=True`. A pickle contains
            the absolute path, and raises `Invalid` where that file does not exist: a new list would protect nobody.

    Raises:
        cpaas.Invalid: The file cannot be created, is another file, such as a journal, or other users can access it; the server cannot be
            reached.

    Example:
        >>> import cpaas, tempfile
        >>> stopped = cpaas.SuppressionList(tempfile.mkdtemp() + "/stopped.db")
        >>> stopped.add("+30 691 234 5678"), stopped.add("306912345678")
        (True, False)
        >>> "306912345678" in stopped
        True
    """

    __module__ = "cpaas"
    __slots__ = ("_native", "_path", "_pickles_password")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = absolute(address("path", path))
        self._pickles_password = False
        self._native = SuppressionDatabase(self._path)

    @property
    def path(self) -> str:
        """The absolute path of the file, or the address of the database without its password."""
        return self._native.place

    def is_suppressed(self, number: str, /) -> bool:
        """Returns whether the list contains the number.

        Args:
            number: The number with its country code, in any notation.
        """
        return self._native.is_suppressed(number)

    def add(self, number: str, /, *, region: str | None = None) -> bool:
        """Adds a number. Returns whether it is new, so that only the first stop gets a confirmation.

        Without a region, national digits such as 6912345678 are read as a number with the country code 691, and protect nobody.

        Args:
            number: The number with its country code, or in the national form of `region`. Digits that may be both add both.
            region: The region of national numbers, such as "GR".

        Raises:
            cpaas.Invalid: The text is not a number, the region is unknown, or the store failed.

        Warns:
            RuntimeWarning: Without a region, a number without `+` or `00` is assigned in no country. It is added nevertheless.
        """
        is_new = self._native.add(number, region)
        if region is None and self._native.is_unassigned(number):
            warnings.warn(
                "a number without + or 00 that no country has assigned protects nobody if its country code is missing: "
                "give `add` the region, or the number with + and its country code",
                RuntimeWarning,
                stacklevel=3,  # the caller of `public`
            )
        return is_new

    def remove(self, number: str, /) -> bool:
        """Removes a number. Returns whether the list contained it.

        Args:
            number: The number with its country code, in any notation.
        """
        return self._native.remove(number)

    def __contains__(self, number: str) -> bool:
        return self._native.is_suppressed(number)

    def __repr__(self) -> str:
        return f"SuppressionList({self.path!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        check_picklable(self, self._path)
        return _restored, (type(self), self._path)

    def _with_password(self) -> Self:
        """The same list, whose pickle contains the password."""
        copy = object.__new__(type(self))
        copy._native, copy._path, copy._pickles_password = self._native, self._path, True
        return copy


def _restored(kind: type[SuppressionList], path: str) -> SuppressionList:
    """The list of a pickle."""
    check_exists("suppression list", path)
    return kind(path)


def address(name: str, given: Any) -> str:
    """The path or the address of a database as a string."""
    text = os.fspath(given) if isinstance(given, (str, os.PathLike)) else given
    if not isinstance(text, str):
        raise bad_type(f"{name} must be a path or the address of a database, got {type(text).__name__}")
    return lasting(name, text)


def absolute(place: str) -> str:
    """A path that names the same file in another folder or process; the address of a server as it is."""
    file = place.removeprefix("sqlite://")
    if not file or "://" in file or os.path.isabs(file):
        return place
    return place[: len(place) - len(file)] + os.path.join(os.getcwd(), file)


def check_exists(store: str, place: str) -> None:
    """Refuses the file of a pickle that does not exist. A new one would have forgotten what was stored."""
    file = place.removeprefix("sqlite://")
    if "://" in file or os.path.exists(file):
        return
    found = "a number" if is_number(os.path.basename(file)) else printable(file, 200)
    raise bad_value(
        f"the file of the pickled {store} must exist, got {found}; open the {store} where the client is used, or use Postgres"
    )


def is_number(path: str) -> bool:
    """Whether a path is rather a phone number, which no message shows: it has neither a letter nor a separator."""
    return bool(path) and not any(character.isalpha() or character in "/\\" for character in path)


def check_picklable(owner: Any, place: str | None) -> None:
    """Refuses to pickle an object with the password of a database, unless a client with `pickle_secrets` pickles it."""
    if place is not None and not owner._pickles_password and has_password(place):
        raise TypeError(
            f"{owner!r} cannot be pickled, because its address contains a password; "
            "set PGPASSWORD in both processes instead, or pickle a client with pickle_secrets=True"
        )


def opened(given: Any) -> Any:
    """The store of a client: an object with the method `is_suppressed`, or None."""
    if given is None or isinstance(given, SuppressionList):
        return given
    if isinstance(given, (str, os.PathLike)):
        place = address("suppression", given)
        file = place.removeprefix("sqlite://")
        if "://" not in file and not os.path.exists(file):
            # A misspelt path would be a new list, which protects nobody.
            found = "a number" if is_number(file) else printable(file, 200)
            raise bad_value(
                f"suppression must be the path of a list that exists, got {found}; cpaas.SuppressionList(path) creates one"
            )
        return SuppressionList(place)
    if not callable(getattr(given, "is_suppressed", None)):
        raise bad_type(
            f"suppression must be a path or an object with the method is_suppressed, got {type(given).__name__}"
        )
    if _is_coroutine_function(given.is_suppressed):
        raise bad_type(
            "the method is_suppressed of suppression must be a plain function, got a coroutine function"
        )
    return given


def native_store(store: Any) -> Any:
    """The argument of the native client for a store that `opened` returned."""
    return store._native if isinstance(store, SuppressionList) else store


def _is_coroutine_function(function: Any) -> bool:
    from inspect import iscoroutinefunction  # slow to import

    return iscoroutinefunction(function) or iscoroutinefunction(type(function).__call__)
