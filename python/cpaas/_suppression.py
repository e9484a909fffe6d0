"""Numbers that get no SMS: the people who asked to stop.

`__module__` names the module that users import. Annotations are therefore no strings: `typing.get_type_hints` would evaluate strings in
that module.
"""

import os
from typing import Any, Protocol

from ._cpaas import SuppressionFile
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
    """The numbers that get no SMS, in a file. Several processes and threads may use one file.

    Numbers may be in any notation with their country code; they are compared in the form that is sent. A text that is not a number, such
    as a short code or the name of a sender, is never in the list: `add` raises `Invalid` for it.

    Args:
        path: The path of the file, which is created if it does not exist. It is an SQLite database.

    Raises:
        Invalid: The file cannot be created, is another file, such as a journal, or other users can access it.

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
        self._path = os.fspath(path)
        self._native = SuppressionFile(self._path)

    @property
    def path(self) -> str:
        """The path of the file."""
        return self._path

    def is_suppressed(self, number: str, /) -> bool:
        """Returns whether the file contains the number."""
        return self._native.is_suppressed(number)

    def add(self, number: str, /) -> bool:
        """Adds a number. Returns whether it is new, so that only the first stop gets a confirmation."""
        return self._native.add(number)

    def remove(self, number: str, /) -> bool:
        """Removes a number. Returns whether the file contained it."""
        return self._native.remove(number)

    def __contains__(self, number: str) -> bool:
        return self._native.is_suppressed(number)

    def __repr__(self) -> str:
        return f"SuppressionList({self._path!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._path,)


def native_store(given: Any) -> Any:
    """The argument of the native client: a file, an object with the method `is_suppressed`, or None."""
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
