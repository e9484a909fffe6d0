"""Checks and converts arguments. A wrong type raises `cpaas.InvalidType`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from difflib import get_close_matches
from os import PathLike
from time import time
from typing import Any, TypeAlias

from ._cpaas import printable
from ._errors import bad_type, bad_value, wrong_type
from ._generated.metadata import OPERATIONS_BY_ID

PriceList: TypeAlias = str | PathLike[str] | Mapping[str, Decimal | str] | Iterable[Mapping[str, Any]]
_IN_MEMORY = ":memory:"

# Other words for an argument, and the arguments that may be meant.
_OTHER_WORDS = {
    "sender": ("from_",),
    "recipient": ("to", "destination"),
    "number": ("to", "msisdn", "destination"),
    "phone": ("to", "msisdn", "destination"),
    "to": ("destination",),
    "destination": ("to",),
    "message": ("text", "body"),
    "body": ("text",),
    "text": ("body",),
}
_PRICE_COLUMNS = ("prefix", "price", "currency")


def wrong_arguments(
    name: str, function: Callable[..., Any], keywords: Mapping[str, Any], error: TypeError
) -> Exception:
    """The exception for arguments that the method `name` of a client does not accept, or that are missing."""
    code = function.__code__
    known = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    takes_any = code.co_flags & 0x08  # inspect.CO_VARKEYWORDS
    unknown = next((keyword for keyword in keywords if keyword not in known and not takes_any), None)
    by_position = code.co_varnames[1 : code.co_posonlyargcount]
    if unknown is None:
        message = str(error).partition("() ")[2]
        if by_position and "positional" in message:
            first = ", ".join(by_position)
            message = f"{' and '.join(by_position)} must be given by position, the rest by name, such as {name}({first}, …=…)"
        elif "positional" in message and "were given" in message:
            example = ", ".join(f"{keyword}=…" for keyword in known[:3])
            message = f"arguments must be named, such as {name}({example})"
    elif name == "client.call" and not get_close_matches(unknown, known, 1):
        message = f"unknown argument {unknown!r}; pass the request as a dict: client.call(operation, {{…}})"
    else:
        required = set(known[code.co_argcount - 1 :]).difference(function.__kwdefaults__ or ())
        missing = [keyword for keyword in known if keyword in required and keyword not in keywords]
        message = _unknown_argument(unknown, known, missing)
    found = bad_type(f"{name}: {message}")
    operation = name.removeprefix("client.")
    if operation in OPERATIONS_BY_ID:
        found.operation = operation
    return found


def _unknown_argument(name: str, known: Sequence[str], missing: Sequence[str]) -> str:
    """The message for an unknown argument. The missing ones are named too: it probably means one of them."""
    words = [word for word in _OTHER_WORDS.get(name, ()) if word in missing]
    meant = get_close_matches(name, known, 1) or words[:1]
    others = [repr(keyword) for keyword in missing if keyword not in meant]
    if not others:
        return f"unknown argument {name!r}{advice(name, known) if not words else f'; did you mean {meant[0]!r}?'}"
    arguments = "argument" if len(others) == 1 else "arguments"
    near = f"; did you mean {meant[0]!r}?" if meant else ""
    return f"missing required {arguments} {' and '.join(others)}; unknown argument {name!r}{near}"


def text(name: str, value: Any) -> str:
    """A `str` without lone surrogates."""
    if not isinstance(value, str):
        raise wrong_type(name, "str", value)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise bad_value(
            f"{name} must be valid Unicode, got a lone surrogate at index {error.start}"
        ) from None
    return value


def path_text(name: str, value: Any) -> str:
    """The path of a file, or a URL, as a `str`."""
    found = value.__fspath__() if isinstance(value, PathLike) else value
    if not isinstance(found, str):
        raise wrong_type(name, "str or os.PathLike[str]", value)
    if "\0" in text(name, found):
        raise bad_value(f"{name} must be a path without NUL characters")
    return found


def journal_url(value: Any) -> str:
    """The address of a journal: a path or a URL, or the value of the variable `CPAAS_JOURNAL` if it is None."""
    if value is not None:
        return lasting("journal", path_text("journal", value))
    url = os.environ.get("CPAAS_JOURNAL")
    if not url:
        raise bad_value("journal must be given, or the variable CPAAS_JOURNAL must be set")
    return path_text("CPAAS_JOURNAL", url)


def lasting(name: str, place: str) -> str:
    """Refuses a database in memory, which would be a file of this name."""
    if place.removeprefix("sqlite://") == _IN_MEMORY:
        raise bad_value(f"{name} must be a file or the address of a database, got {_IN_MEMORY}")
    return place


@contextmanager
def printable_path() -> Iterator[None]:
    """Makes the path in an error of the operating system printable, as names in other messages are."""
    try:
        yield
    except OSError as error:
        if isinstance(error.filename, str):
            error.filename = printable(error.filename, 200)
        raise


def function(name: str, value: Any) -> Any:
    """A function that is called and not awaited, or None."""
    if value is None:
        return None
    if not callable(value):
        raise wrong_type(name, "a function", value)
    if is_coroutine_function(value):
        raise bad_type(f"{name} must be a function, got a coroutine function, which nobody would await")
    return value


def is_coroutine_function(value: Any) -> bool:
    """Whether a call returns a coroutine, without the import of `inspect`."""
    while type(value).__name__ == "partial":
        value = value.func
    functions = (value, getattr(value, "__func__", None), getattr(type(value), "__call__", None))  # noqa: B004
    codes = (getattr(one, "__code__", None) for one in functions)
    return any(getattr(code, "co_flags", 0) & 0x80 for code in codes)  # inspect.CO_COROUTINE


def advice(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, 1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return "; put undocumented members into 'extra'" if "extra" in known else ""


def items(name: str, expected: str, value: Any) -> Iterator[Any]:
    """The items of an iterable."""
    try:
        return iter(value)
    except TypeError:
        raise wrong_type(name, expected, value) from None


def integers(name: str, value: Any) -> list[int]:
    """A list of integers."""
    expected = "an iterable of int"
    found = [*items(name, expected, value)]
    for item in found:
        if not isinstance(item, int) or isinstance(item, bool):
            raise wrong_type(name, expected, item)
        if not 0 <= item < 1 << 63:
            raise bad_value(f"{name} must be 0 or greater and less than 2**63")
    return found


def texts(name: str, value: Any) -> list[str]:
    """A list of strings."""
    expected = "an iterable of str"
    if isinstance(value, str):
        raise wrong_type(name, expected, value)
    return [text(name, item) for item in items(name, expected, value)]


def natural(name: str, value: Any) -> int:
    """An integer that is 0 or greater."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(name, "int", value)
    if not 0 <= value < 1 << 32:
        raise bad_value(f"{name} must be 0 or greater and less than 2**32")
    return value


def positive(name: str, value: Any) -> int:
    """An integer that is 1 or greater."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(name, "int", value)
    if value < 1:
        raise bad_value(f"{name} must be at least 1")
    if value >= 1 << 32:
        raise bad_value(f"{name} must be less than 2**32")
    return value


def number(name: str, value: Any) -> float | None:
    """A finite number, or None."""
    if value is None:
        return None
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise wrong_type(name, "a number", value)
    try:
        if abs(value) < float("inf"):
            return float(value)
    except OverflowError:
        pass
    raise bad_value(f"{name} must be a finite number")


def boolean(name: str, value: Any) -> bool:
    """A bool."""
    if not isinstance(value, bool):
        raise wrong_type(name, "bool", value)
    return value


def not_restored(restored: object) -> None:
    """Refuses the argument `restored` of earlier versions."""
    if restored is not None:
        raise bad_type(
            "`restored` is not an argument any more: use `cpaas.Campaign.mark_restored(journal)`, or the command "
            "`cpaas campaign restored --journal URL`"
        )


# About 300 years; more would overflow clocks.
_MAX_SECONDS = 10_000_000_000


def seconds(name: str, value: Any) -> float | None:
    """A time limit in seconds, or None: a number above 0 or a `timedelta`."""
    if value is None:
        return None
    expected = "above 0 seconds"
    found = duration(name, value, expected)
    if not found:
        raise bad_value(f"{name} must be {expected}")
    return found


def duration(name: str, value: Any, expected: str = "0 seconds or more") -> float:
    """A duration in seconds, 0 included: a number or a `timedelta`."""
    if isinstance(value, timedelta):
        value = value.total_seconds()
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise wrong_type(name, "float or timedelta", value)
    if not 0 <= value < float("inf"):
        raise bad_value(f"{name} must be {expected}")
    if value > _MAX_SECONDS:
        raise bad_value(f"{name} must be at most {_MAX_SECONDS:,} seconds")
    return float(value)


def unix_time(name: str, value: Any) -> int:
    """A time in seconds since 1970; None is the time of the system clock."""
    if value is None:
        return int(time())
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise wrong_type(name, "a number of seconds since 1970", value)
    if not 0 <= value <= _MAX_SECONDS * 10:
        raise bad_value(f"{name} must be a number of seconds since 1970, from 0 to {_MAX_SECONDS * 10:,}")
    return int(value)


def whole_seconds(name: str, value: Any) -> Any:
    """A `timedelta` as an integer of seconds; any other value as it is, for the native module."""
    if not isinstance(value, timedelta):
        return value
    if value % timedelta(seconds=1):
        raise bad_value(f"{name} must be a number of whole seconds")
    return value // timedelta(seconds=1)


def price_csv(prices: PriceList) -> str:
    """Prices by prefix as CSV. A string with several lines is CSV, any other string is a path; a mapping has no currency."""
    if isinstance(prices, str) and "\n" in prices:
        return prices
    if isinstance(prices, (str, PathLike)):
        with printable_path(), open(path_text("prices", prices), encoding="utf-8-sig") as file:
            return file.read()
    if isinstance(prices, Mapping):
        lines = [f"{prefix},{_price(price)}," for prefix, price in prices.items()]
    else:
        expected = "the path of a CSV file, a mapping or an iterable of mappings"
        lines = [_price_line(row) for row in items("prices", expected, prices)]
    return "\n".join([",".join(_PRICE_COLUMNS), *lines])


def _price_line(row: Any) -> str:
    try:
        prefix, price, currency = (row[name] for name in _PRICE_COLUMNS)
    except TypeError:
        raise wrong_type("each item of prices", "a mapping", row) from None
    except KeyError:
        raise bad_value("each item of prices must have prefix, price and currency") from None
    return f"{prefix},{_price(price)},{currency}"


def _price(price: Any) -> str:
    if isinstance(price, (float, bool)):
        raise wrong_type("a price", "a Decimal or a str", price)
    return format(price, "f") if isinstance(price, Decimal) else str(price)
