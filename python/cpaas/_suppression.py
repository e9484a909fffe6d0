"""Numbers that get no SMS: the people who asked to stop.

`__module__` names the module that users import. Annotations are therefore no strings: `typing.get_type_hints` would evaluate strings in
that module.
"""

import os
import re
from typing import Any, Protocol

from ._cpaas import SuppressionDatabase
from ._errors import bad_type
from ._public import public_methods


class SuppressionStore(Protocol):
    """A store that `Client(suppression=…)` accepts: an object with this method, which a thread of the library calls.

    It gets the number in the form that is sent: digits with the country code. It returns a bool, or an integer such as the 0 or 1 of a
    database. It must not be a coroutine function. If it raises an exception, returns anything else or does not answer within five
    seconds for all recipients of a call, or until the deadline of the call, nothing is sent.
    """

    def is_suppressed(self, number: str, /) -> bool:
        """Returns whether the number gets no SMS."""
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

    Raises:
        Invalid: The file cannot be created, is another file, such as a journal, or other users can access it; the server cannot be
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
    __slots__ = ("_native", "_path")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = address("path", path)
        self._native = SuppressionDatabase(self._path)

    @property
    def path(self) -> str:
        """The path of the file, or the address of the database without its password."""
        return self._native.place

    def is_suppressed(self, number: str, /) -> bool:
        """Returns whether the list contains the number."""
        return self._native.is_suppressed(number)

    def add(self, number: str, /) -> bool:
        """Adds a number. Returns whether it is new, so that only the first stop gets a confirmation."""
        return self._native.add(number)

    def remove(self, number: str, /) -> bool:
        """Removes a number. Returns whether the list contained it."""
        return self._native.remove(number)

    def __contains__(self, number: str) -> bool:
        return self._native.is_suppressed(number)

    def __repr__(self) -> str:
        return f"SuppressionList({self.path!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (picklable(self, self._path),)


def address(name: str, given: Any) -> str:
    """The path or the address of a database as a string."""
    text = os.fspath(given) if isinstance(given, (str, os.PathLike)) else given
    if not isinstance(text, str):
        raise bad_type(f"{name} must be a path or the address of a database, got {type(text).__name__}")
    return text


def picklable(owner: Any, place: str) -> str:
    """The address of a database, if it contains no password."""
    if place != public_address(place):
        raise TypeError(f"{owner!r} cannot be pickled, because its address contains a password")
    return place


def public_address(place: str) -> str:
    """An address without its password."""
    return re.sub(
        r"^(postgres(?:ql)?://[^/:@?]*):[^/?]*@", r"\1@", re.sub(r"(?<=[?&])(password=)[^&]*", r"\1", place)
    )


def native_store(given: Any) -> Any:
    """The argument of the native client: a database, an object with the method `is_suppressed`, or None."""
    if given is None:
        return None
    if isinstance(given, (str, os.PathLike)):
        given = SuppressionList(given)
    if isinstance(given, SuppressionList):
        return given._native
    if not callable(getattr(given, "is_suppressed", None)):
        raise bad_type(
            f"suppression must be a path or an object with the method is_suppressed, got {type(given).__name__}"
        )
    if _is_coroutine_function(given.is_suppressed):
        raise bad_type(
            "the method is_suppressed of suppression must be a plain function, got a coroutine function"
        )
    return given


def _is_coroutine_function(function: Any) -> bool:
    from inspect import iscoroutinefunction  # slow to import

    return iscoroutinefunction(function) or iscoroutinefunction(type(function).__call__)
