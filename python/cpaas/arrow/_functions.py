"""The functions of `cpaas.arrow`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from os import PathLike
from typing import Any

from .. import _arguments, _cpaas
from .._arguments import boolean, price_csv
from .._cpaas import ArrowArray
from .._errors import bad_type, bad_value, wrong_type
from .._public import public
from .._text.markup import Mode
from ._inputs import Inputs, Rows, check_order, exported, is_lazy


@public
def segments(
    column: Any,
    text: str | None = None,
    *,
    append: bool = False,
    prefix: str = "",
    threads: int | None = None,
) -> ArrowArray:
    """Counts the SMS parts of each text, as `cpaas.count_segments` does.

    Args:
        column: A column of text, or a table with one such column; with `text` any table.
        text: The name of the column of the table.
        append: Whether to return the table with the result after its columns.
        prefix: A prefix for the names of the members of the result.
        threads: The maximum number of threads; None uses all cores.

    Returns:
        Structs of `encoding` ("gsm7" or "ucs2", a dictionary), `count`, `units` and `remaining` (`int32`). A message has at most 255 parts; a longer
        text is counted, but cannot be sent.

    Raises:
        TypeError: The column is not text.
        ValueError: A text is not valid UTF-8, or the array is malformed.
    """
    inputs = Inputs(column, {"text": text}, append=append, prefix=prefix)
    result = _cpaas.arrow_segments(inputs.column(text, "text"), _threads(threads))
    return inputs.result(result, "segments")


@public
def check_numbers(
    column: Any,
    number: str | None = None,
    *,
    region: Any = None,
    normalized: bool = False,
    append: bool = False,
    prefix: str = "",
    threads: int | None = None,
) -> ArrowArray:
    """Checks each number against the numbering plans, as `cpaas.check_number` does.

    Args:
        column: A column of text, or a table with one such column; with `number` any table.
        number: The name of the column of the table.
        region: The region (ISO 3166-1 alpha-2, such as "GR") in whose national form the numbers may be written, or a column of
            regions: with `number` its name in the table. A null in the column is no region.
        normalized: Whether to add the field `normalized`, the form in which the number is sent, as `normalize_numbers` returns it.
        append: Whether to return the table with the result after its columns.
        prefix: A prefix for the names of the members of the result.
        threads: The maximum number of threads; None uses all cores.

    Returns:
        Structs of `valid`, `possible`, `region` and `type` (dictionaries).

    Raises:
        TypeError: A column is not text.
        ValueError: A region is unknown, the columns differ in length, a text is not valid UTF-8, or the array is malformed.
    """
    inputs = Inputs(column, {"number": number}, append=append, prefix=prefix, other=_name(region))
    numbers = inputs.column(number, "number")
    regions = _regions(inputs, column, region)
    result = _cpaas.arrow_check_numbers(
        numbers, *regions, boolean("normalized", normalized), _threads(threads)
    )
    return inputs.result(result, "check")


@public
def normalize_numbers(
    column: Any,
    region: Any = None,
    *,
    number: str | None = None,
    append: bool = False,
    prefix: str = "",
    threads: int | None = None,
) -> ArrowArray:
    """Writes each number in the form that is sent, as `cpaas.normalize_number` does.

    Args:
        column: A column of text, or a table with one such column; with `number` any table.
        region: The region (ISO 3166-1 alpha-2, such as "GR") in whose national form the numbers may be written, or a column of
            regions: with `number` its name in the table. A null in the column is no region.
        number: The name of the column of the table.
        append: Whether to return the table with the column `normalized` after its columns.
        prefix: A prefix for the name of that column.
        threads: The maximum number of threads; None uses all cores.

    Returns:
        Text; null for a null and for a text that is not a number.

    Raises:
        TypeError: A column is not text.
        ValueError: A region is unknown, the columns differ in length, a text is not valid UTF-8, or the array is malformed.
    """
    inputs = Inputs(column, {"number": number}, append=append, prefix=prefix, other=_name(region))
    numbers = inputs.column(number, "number")
    regions = _regions(inputs, column, region)
    return inputs.result(_cpaas.arrow_normalize_numbers(numbers, *regions, _threads(threads)), "normalized")


@public
def estimate(
    column: Any,
    prices: Any,
    to: Any = None,
    *,
    text: str | None = None,
    append: bool = False,
    prefix: str = "",
    threads: int | None = None,
) -> ArrowArray:
    """Calculates the price of each text.

    Text and number belong to the same row. Pass one table and the names of its columns, which is read once:
    `estimate(table, prices, text="text", to="number")`. Two queries (relations of DuckDB, frames of Polars that are lazy) are
    refused, because each would run, and the order of their rows may differ.

    Args:
        column: A column of text, or a table with one such column; with `text` any table.
        prices: The price of one part for all numbers (a Decimal, or a str such as "0.0075"); or prices by prefix: a mapping
            from prefix to price, the path or the text of a CSV file with the columns `prefix`, `price` and `currency`, a table
            with these columns, or an iterable of mappings with these keys. The longest prefix of a number applies. Prices have
            at most nine decimals.
        to: The column of numbers, in any notation, or its name in the table; required for prices by prefix.
        text: The name of the column of text in the table.
        append: Whether to return the table with the result after its columns.
        prefix: A prefix for the names of the members of the result.
        threads: The maximum number of threads; None uses all cores.

    Returns:
        Structs of `encoding`, `count`, `units`, `remaining`, `price_per_part` and `total` (exact decimals with nine
        decimals), `prefix`, `currency` and `unpriced`. `total` is null for more than 255 parts, which cannot be sent. The prices are
        null for a number without a price, and `unpriced` is the reason: "missing" (the number is null), "not_a_number" (it has no
        canonical form), "invalid" (`check_numbers` calls it invalid) or "no_prefix" (no prefix of the table matches).

    Raises:
        TypeError: A column is not text, or `prices` has another type.
        ValueError: A price or prefix is invalid, the columns differ in length, or a text is not valid UTF-8.
    """
    price, table = _prices(prices)
    if table is not None and to is None:
        raise bad_type("`to` must be the column of numbers, because the prices depend on the prefix")
    advice = 'estimate(table, prices, text="text", to="number")'
    if text is None and isinstance(to, str):
        raise bad_type(f"`text` must name the column of text, because `to` names a column: {advice}")
    if text is not None and not (to is None or isinstance(to, str)):
        raise bad_type(f"`to` must name a column of the table, because `text` does: {advice}")
    name = to if isinstance(to, str) else None
    inputs = Inputs(column, {"text": text, "to": name}, append=append, prefix=prefix)
    if name is None and to is not None:
        check_order(column, to, "to", advice)
        numbers = exported(to, "to")
    else:
        numbers = None if name is None else inputs.column(name, "to")
    texts = inputs.column(text, "text")
    return inputs.result(_cpaas.arrow_estimate(texts, price, table, numbers, _threads(threads)), "estimate")


@public
def parse_markup(
    column: Any,
    mode: Mode = "MarkdownV2",
    *,
    text: str | None = None,
    append: bool = False,
    prefix: str = "",
    threads: int | None = None,
) -> ArrowArray:
    """Parses the messenger_c markup of each text, as `cpaas.parse_markup` does.

    Args:
        column: A column of text, or a table with one such column; with `text` any table.
        mode: "Default", "Markdown", "Html" or "MarkdownV2".
        text: The name of the column of the table.
        append: Whether to return the table with the result after its columns.
        prefix: A prefix for the names of the members of the result.
        threads: The maximum number of threads; None uses all cores.

    Returns:
        Structs of `ok`, `length` (the number of code points that are sent, to which the limits apply) and `text` (the text without
        its markup). `length` and `text` are null if the markup is invalid.

    Raises:
        TypeError: The column is not text.
        ValueError: The mode is unknown, or a text is not valid UTF-8.
    """
    inputs = Inputs(column, {"text": text}, append=append, prefix=prefix)
    texts = inputs.column(text, "text")
    return inputs.result(
        _cpaas.arrow_parse_markup(texts, _arguments.text("mode", mode), _threads(threads)), "markup"
    )


@public
def validate(
    operation: str,
    batch: Any,
    *,
    problems: bool = False,
    id: str | None = None,
    append: bool = False,
    prefix: str = "",
    threads: int | None = None,
) -> ArrowArray:
    """Validates each row as a request, as `cpaas.validate` does.

    Args:
        operation: The name of the operation, such as "sms.send".
        batch: A table or a column of structs. Its columns are the members of the request, by their names on the wire;
            nested members are structs. A null member counts as absent.
        problems: Whether to add the list of all problems, including warnings. False is faster: warnings are not searched for.
        id: A column of the batch that precedes the result, such as the key of the customer. It is not a member of the request,
            unless the operation has a member with its name.
        append: Whether to return the table with the result after its columns.
        prefix: A prefix for the names of the members of the result.
        threads: The maximum number of threads; None uses all cores.

    Returns:
        Structs of `ok` and the `code`, `pointer` and `message` of the first error; with `problems` also of `problems`, a list
        of structs of `code`, `pointer`, `severity` and `message`: errors, then warnings.

    Raises:
        ValueError: The operation is unknown, a column is not one of its members, or required columns are missing.
        TypeError: The type of a column does not fit its member.
    """
    operation = _arguments.text("operation", operation)
    rows = Rows(batch, operation=operation, id=id, append=append, prefix=prefix)
    result = _cpaas.arrow_validate(operation, rows.batch, boolean("problems", problems), _threads(threads))
    return rows.result(result, "report")


@public
def summary(report: Any, *, id: str | None = None, prefix: str = "") -> ArrowArray:
    """Groups the errors of a report by their codes and messages, in the order in which they occur, as the plan of a campaign does.

    Messages that differ in their figures only, such as "got 12" and "got 13", have one group.

    Args:
        report: The result of `validate`, or a table with its columns. All errors are counted if it has the column `problems`,
            otherwise the first error of each row. Warnings and information are not counted.
        id: A column of the report, such as that of `validate(…, id=…)`. The result has its values for the rows of each group.
        prefix: The prefix of the columns of the report.

    Returns:
        Structs of `code`, `count`, `rows` (the first three, from 1), `pointer` and `message` (of the first). With `id`, the list
        of the ids of these rows precedes them, under its name.

    Raises:
        ValueError: The report has no column `code` or `id`, or `id` is the name of another column of the result.
        TypeError: The object is not a table, or a column has another type, such as JSON text in `problems`.
    """
    column = None if id is None else _arguments.text("id", id)
    return _cpaas.arrow_summary(exported(report, "report"), column, _arguments.text("prefix", prefix))


@public
def requests(
    operation: str,
    batch: Any,
    *,
    append: bool = False,
    prefix: str = "",
    threads: int | None = None,
) -> ArrowArray:
    """Writes each row as the JSON of a request. Null members are left out. The requests are not validated.

    Args:
        operation: The name of the operation, such as "sms.send".
        batch: A table or a column of structs, as for `validate`.
        append: Whether to return the table with the column `request` after its columns.
        prefix: A prefix for the name of that column.
        threads: The maximum number of threads; None uses all cores.

    Raises:
        ValueError: The operation is unknown, a column is not one of its members, or required columns are missing.
        TypeError: The type of a column does not fit its member.
    """
    operation = _arguments.text("operation", operation)
    rows = Rows(batch, append=append, prefix=prefix)
    return rows.result(_cpaas.arrow_requests(operation, rows.batch, _threads(threads)), "request")


@public
def render(
    template: str | Mapping[str, Any],
    batch: Any,
    *,
    append: bool = False,
    prefix: str = "",
    threads: int | None = None,
) -> ArrowArray:
    """Renders a template with each row.

    Args:
        template: A MiniJinja template, whose variables are the columns; or a mapping whose strings are templates.
        batch: A table or a column of structs.
        append: Whether to return the table with the column `rendered` after its columns.
        prefix: A prefix for the name of that column.
        threads: The maximum number of threads; None uses all cores.

    Returns:
        A column of text, or of JSON if the template is a mapping. A null is false in `if`, `and` and `or`, and
        `{{ name | default("customer") }}` replaces it. A row in which a null is printed, compared, sliced or filtered is null.

    Raises:
        ValueError: The template is invalid, for example because of an unknown filter; fails for a row; or needs columns that are missing.
            Or two columns have the same name.
        TypeError: A column that the template needs has a type without a JSON form.

    Warns:
        UserWarning: The name of a column is in single braces (`{name}`), which are sent as they are.
    """
    is_text = isinstance(template, str)
    if not is_text and not isinstance(template, Mapping):
        raise wrong_type("template", "a str or a mapping whose strings are templates", template)
    rows = Rows(batch, append=append, prefix=prefix)
    source = template if isinstance(template, str) else _cpaas.to_json(template)
    return rows.result(_cpaas.arrow_render(source, is_text, rows.batch, _threads(threads)), "rendered")


@public
def rows(table: Any) -> Iterator[dict[str, Any]]:
    """Iterates over the rows of a table as dicts without nulls, for example as the rows of a campaign.

    Args:
        table: A table with an Arrow protocol.

    Raises:
        TypeError: The object is not a table, or a column has a type without a JSON form.
    """
    return _cpaas.ArrowRows(exported(table, "rows"))


def _threads(threads: Any) -> int | None:
    if threads is None:
        return None
    if not hasattr(threads, "__index__") or isinstance(threads, bool):
        raise wrong_type("threads", "int", threads)
    count: int = threads.__index__()
    return max(min(count, 1 << 32), -1)


def _name(region: Any) -> str | None:
    """The name of a column of regions. Two letters are a region."""
    return region if isinstance(region, str) and len(region) != 2 else None


def _regions(inputs: Inputs, column: Any, region: Any) -> tuple[str | None, Any]:
    """One region for all rows, or a column of regions."""
    name = _name(region)
    if name is not None and inputs.is_table:
        return None, inputs.column(name, "region")
    if region is None or isinstance(region, str):
        return region, None
    if inputs.is_table:
        raise bad_type("`region` must be a region or the name of a column of the table")
    check_order(column, region, "region", 'check_numbers(table, number="number", region="region")')
    return None, exported(region, "region")


# Whatever may be meant as a number; the native module checks it.
_PRICE = re.compile(r"[\s\d.,+\-eE]*")


def _prices(prices: Any) -> tuple[str | None, str | None]:
    """Either one price for all numbers, or the CSV text of a table of prices."""
    if isinstance(prices, Decimal):
        return format(prices, "f"), None
    if type(prices) is not bool and isinstance(prices, int):
        return str(prices), None
    table: Any = prices
    if isinstance(prices, str) and "\n" not in prices:
        if not prices.endswith(".csv"):
            if not _PRICE.fullmatch(prices):
                raise bad_value(
                    'prices must be a decimal number such as "0.0075", the path of a file that ends in .csv, its text, or a '
                    "table itself, not its name; a path with another ending must be a pathlib.Path"
                )
            return prices, None
    elif hasattr(prices, "__arrow_c_stream__") or hasattr(prices, "__arrow_c_array__") or is_lazy(prices):
        table = rows(prices)
    elif not isinstance(prices, PathLike) and not hasattr(prices, "__iter__"):
        raise bad_type(
            "prices must be a Decimal, a str, a mapping, an iterable of mappings or the path of a CSV file, "
            f"got {type(prices).__name__}"
        )
    return None, price_csv(table)
