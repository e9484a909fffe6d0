"""The functions of `cpaas.arrow`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from os import PathLike
from typing import Any

from .. import _cpaas
from .._arguments import boolean, price_csv, text
from .._cpaas import ArrowArray
from .._errors import bad_type, wrong_type
from .._public import public
from .._text.markup import Mode


@public
def segments(column: Any, *, threads: int | None = None) -> ArrowArray:
    """Counts the SMS parts of each text, as `cpaas.count_segments` does.

    Args:
        column: A column of text, or a table with one such column.
        threads: The maximum number of threads; None uses all cores.

    Returns:
        Structs of `encoding` ("gsm7" or "ucs2"), `count`, `units` and `remaining`. A message has at most 255 parts; a longer
        text is counted, but cannot be sent.

    Raises:
        TypeError: The column is not text.
        ValueError: A text is not valid UTF-8, or the array is malformed.
    """
    return _cpaas.arrow_segments(_exported(column), _threads(threads))


@public
def check_numbers(column: Any, *, threads: int | None = None) -> ArrowArray:
    """Checks each number against the numbering plans, as `cpaas.check_number` does.

    Args:
        column: A column of text, or a table with one such column.
        threads: The maximum number of threads; None uses all cores.

    Returns:
        Structs of `valid`, `possible`, `region` and `type`.

    Raises:
        TypeError: The column is not text.
        ValueError: A text is not valid UTF-8, or the array is malformed.
    """
    return _cpaas.arrow_check_numbers(_exported(column), _threads(threads))


@public
def normalize_numbers(column: Any, region: str | None = None, *, threads: int | None = None) -> ArrowArray:
    """Writes each number in the form that is sent, as `cpaas.normalize_number` does.

    Args:
        column: A column of text, or a table with one such column.
        region: The region (ISO 3166-1 alpha-2, such as "GR") in whose national form the numbers may be written.
        threads: The maximum number of threads; None uses all cores.

    Returns:
        Text; null for a null and for a text that is not a number.

    Raises:
        TypeError: The column is not text.
        ValueError: The region is unknown, a text is not valid UTF-8, or the array is malformed.
    """
    return _cpaas.arrow_normalize_numbers(_exported(column), region, _threads(threads))


@public
def estimate(column: Any, prices: Any, to: Any = None, *, threads: int | None = None) -> ArrowArray:
    """Calculates the price of each text.

    Args:
        column: A column of text, or a table with one such column.
        prices: The price of one part for all numbers (a Decimal, or a str such as "0.0075"); or prices by prefix: a mapping
            from prefix to price, the path or the text of a CSV file with the columns `prefix`, `price` and `currency`, a table
            with these columns, or an iterable of mappings with these keys. The longest prefix of a number applies. Prices have
            at most nine decimals.
        to: The column of numbers; required for prices by prefix.
        threads: The maximum number of threads; None uses all cores.

    Returns:
        Structs of `encoding`, `count`, `units`, `remaining`, `price_per_part` and `total` (exact decimals with nine
        decimals), `prefix` and `currency`. The prices are null if no prefix matches. `total` is null for more than 255 parts,
        which cannot be sent.

    Raises:
        TypeError: A column is not text, or `prices` has another type.
        ValueError: A price or prefix is invalid, the columns differ in length, or a text is not valid UTF-8.
    """
    price, table = _prices(prices)
    if table is not None and to is None:
        raise bad_type("`to` must be the column of numbers, because the prices depend on the prefix")
    return _cpaas.arrow_estimate(
        _exported(column), price, table, None if to is None else _exported(to), _threads(threads)
    )


@public
def parse_markup(column: Any, mode: Mode = "MarkdownV2", *, threads: int | None = None) -> ArrowArray:
    """Parses the messenger_c markup of each text, as `cpaas.parse_markup` does.

    Args:
        column: A column of text, or a table with one such column.
        mode: "Default", "Markdown", "Html" or "MarkdownV2".
        threads: The maximum number of threads; None uses all cores.

    Returns:
        Structs of `ok`, `length` (the number of code points that are sent, to which the limits apply) and `text` (the text without
        its markup). `length` and `text` are null if the markup is invalid.

    Raises:
        TypeError: The column is not text.
        ValueError: The mode is unknown, or a text is not valid UTF-8.
    """
    return _cpaas.arrow_parse_markup(_exported(column), text("mode", mode), _threads(threads))


@public
def validate(operation: str, batch: Any, *, problems: bool = False, threads: int | None = None) -> ArrowArray:
    """Validates each row as a request, as `cpaas.validate` does.

    Args:
        operation: The name of the operation, such as "sms.send".
        batch: A table or a column of structs. Its columns are the members of the request, by their names on the wire;
            nested members are structs. A null member counts as absent.
        problems: Whether to add the list of all problems, including warnings. False is faster: warnings are not searched for.
        threads: The maximum number of threads; None uses all cores.

    Returns:
        Structs of `ok` and the `code`, `pointer` and `message` of the first error; with `problems` also of `problems`, a list
        of structs of `code`, `pointer`, `severity` and `message`: errors, then warnings.

    Raises:
        ValueError: The operation is unknown, a column is not one of its members, or required columns are missing.
        TypeError: The type of a column does not fit its member.
    """
    return _cpaas.arrow_validate(
        text("operation", operation), _exported(batch), boolean("problems", problems), _threads(threads)
    )


@public
def requests(operation: str, batch: Any, *, threads: int | None = None) -> ArrowArray:
    """Writes each row as the JSON of a request. Null members are left out. The requests are not validated.

    Args:
        operation: The name of the operation, such as "sms.send".
        batch: A table or a column of structs, as for `validate`.
        threads: The maximum number of threads; None uses all cores.

    Raises:
        ValueError: The operation is unknown, a column is not one of its members, or required columns are missing.
        TypeError: The type of a column does not fit its member.
    """
    return _cpaas.arrow_requests(text("operation", operation), _exported(batch), _threads(threads))


@public
def render(template: str | Mapping[str, Any], batch: Any, *, threads: int | None = None) -> ArrowArray:
    """Renders a template with each row.

    Args:
        template: A MiniJinja template, whose variables are the columns; or a mapping whose strings are templates.
        batch: A table or a column of structs.
        threads: The maximum number of threads; None uses all cores.

    Returns:
        A column of text, or of JSON if the template is a mapping. A null in `batch` is an undefined variable. If the template
        fails for a row with a null, the result of the row is null; `{{ name | default("customer") }}` replaces such a variable.

    Raises:
        ValueError: The template is invalid, fails for a row without a null, or needs columns that are missing.
        TypeError: A column that the template needs has a type without a JSON form.
    """
    if isinstance(template, str):
        return _cpaas.arrow_render(template, True, _exported(batch), _threads(threads))
    return _cpaas.arrow_render(_cpaas.to_json(template), False, _exported(batch), _threads(threads))


@public
def rows(table: Any) -> Iterator[dict[str, Any]]:
    """Iterates over the rows of a table as dicts without nulls, for example as the rows of a campaign.

    Raises:
        TypeError: The object is not a table, or a column has a type without a JSON form.
    """
    return _cpaas.ArrowRows(_exported(table))


def _threads(threads: Any) -> int | None:
    if threads is None:
        return None
    if not hasattr(threads, "__index__") or isinstance(threads, bool):
        raise wrong_type("threads", "int", threads)
    count: int = threads.__index__()
    return max(min(count, 1 << 32), -1)


def _exported(value: Any) -> Any:
    """An object with an Arrow protocol. Frames of pandas are exported without their index."""
    if type(value).__module__.split(".", 1)[0] != "pandas":
        return value
    value = value.reset_index(drop=True)
    if hasattr(value, "to_frame") and not hasattr(value, "__arrow_c_stream__"):  # a Series before pandas 3
        value = value.to_frame("column")
    return value


def _prices(prices: Any) -> tuple[str | None, str | None]:
    """Either one price for all numbers, or the CSV text of a table of prices."""
    if isinstance(prices, Decimal):
        return format(prices, "f"), None
    if type(prices) is not bool and isinstance(prices, int):
        return str(prices), None
    table: Any = prices
    if isinstance(prices, str) and "\n" not in prices:
        if not prices.endswith(".csv"):
            return prices, None
    elif hasattr(prices, "__arrow_c_stream__") or hasattr(prices, "__arrow_c_array__"):
        table = rows(prices)
    elif not isinstance(prices, PathLike) and not hasattr(prices, "__iter__"):
        raise bad_type(
            "prices must be a Decimal, a str, a mapping, an iterable of mappings or the path of a CSV file, "
            f"got {type(prices).__name__}"
        )
    return None, price_csv(table)
