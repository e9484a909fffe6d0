"""Checks and converts arguments. A wrong type raises `cpaas.InvalidType`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from os import PathLike
from typing import Any, TypeAlias

from ._errors import bad_type, bad_value

PriceList: TypeAlias = str | PathLike[str] | Iterable[Mapping[str, Any]]
_PRICE_COLUMNS = ("prefix", "price", "currency")


def wrong_type(name: str, expected: str, value: Any) -> Exception:
    """The exception for an argument of a wrong type."""
    return bad_type(f"{name} must be {expected}, got {type(value).__name__}")


def wrong_arguments(
    name: str, function: Callable[..., Any], keywords: Mapping[str, Any], error: TypeError
) -> Exception:
    """The exception for arguments that the method `name` of a client does not accept, or that are missing."""
    from ._operation_metadata import OPERATIONS

    code = function.__code__
    known = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    takes_any = code.co_flags & 0x08  # inspect.CO_VARKEYWORDS
    unknown = [] if takes_any else [keyword for keyword in keywords if keyword not in known]
    message = (
        f"unknown argument {unknown[0]!r}{_advice(unknown[0], known)}"
        if unknown
        else str(error).partition("() ")[2]
    )
    found = bad_type(f"{name}: {message}")
    operation = name.removeprefix("client.")
    if any(operation == row[0] for row in OPERATIONS):
        found.operation = operation
    return found


def _advice(name: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

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
        if not isinstance(item, int):
            raise wrong_type(name, expected, item)
    return found


def positive(name: str, value: Any) -> int:
    """An integer that is 1 or greater."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(name, "int", value)
    if value < 1:
        raise bad_value(f"{name} must be at least 1")
    return value


def seconds(name: str, value: Any) -> float | None:
    """A time limit in seconds, or None: a number above 0 or a `timedelta`."""
    if value is None:
        return None
    if hasattr(value, "total_seconds"):
        value = value.total_seconds()
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise wrong_type(name, "float or timedelta", value)
    if not 0 < value < float("inf"):
        raise bad_value(f"{name} must be above 0 seconds")
    return float(value)


def whole_seconds(name: str, value: Any) -> Any:
    """A `timedelta` as an integer of seconds; any other value as it is, for the native module."""
    if not isinstance(value, timedelta):
        return value
    if value % timedelta(seconds=1):
        raise bad_value(f"{name} must be a number of whole seconds")
    return value // timedelta(seconds=1)


def price_csv(prices: PriceList) -> str:
    """Prices as CSV; a string with several lines is CSV, any other string is a path."""
    if isinstance(prices, str) and "\n" in prices:
        return prices
    if isinstance(prices, (str, PathLike)):
        with open(prices, encoding="utf-8-sig") as file:
            return file.read()
    rows = items("prices", "the path of a CSV file or an iterable of mappings", prices)
    return "\n".join([",".join(_PRICE_COLUMNS), *map(_price_line, rows)])


def _price_line(row: Any) -> str:
    try:
        return ",".join(str(row[name]) for name in _PRICE_COLUMNS)
    except TypeError:
        raise wrong_type("each item of prices", "a mapping", row) from None
    except KeyError:
        raise bad_value("each item of prices must have prefix, price and currency") from None
