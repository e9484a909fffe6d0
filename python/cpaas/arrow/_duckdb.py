"""SQL functions for DuckDB."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._errors import bad_type, bad_value
from .._public import public
from . import _functions

_COUNT = '"encoding" VARCHAR, "count" INTEGER, "units" INTEGER, "remaining" INTEGER'
_PRICE = (
    '"price_per_part" DECIMAL(38, 9), "total" DECIMAL(38, 9), "prefix" VARCHAR, "currency" VARCHAR, '
    '"unpriced" VARCHAR'
)


@public
def register(connection: Any) -> None:
    """Registers SQL functions in a DuckDB connection. They need pyarrow. Existing functions are not replaced.

    The functions are `cpaas_segments(text)`, `cpaas_check_numbers(number)` and `cpaas_check_numbers(number, region)`,
    `cpaas_normalize_numbers(number)` and `cpaas_normalize_numbers(number, region)`, `cpaas_estimate(text, prices)` and
    `cpaas_estimate(text, prices, number)`, `cpaas_parse_markup(text, mode)`, and with a struct as their last argument
    `cpaas_validate(operation, row)`, `cpaas_requests(operation, row)` and `cpaas_render(template, row)`.

    DuckDB calls a Python function for 2,048 rows at a time, and on one thread. For a whole table, pass a relation to a
    function of this module instead and select from its result:
    `parts = cpaas.arrow.segments(connection.sql("select text from messages"))`, then `connection.sql("from parts")`.

    Args:
        connection: The connection of DuckDB.

    Raises:
        ImportError: pyarrow is not installed.
        TypeError: `connection` is not a connection of DuckDB.
    """
    if not hasattr(connection, "create_function"):
        raise bad_type(f"connection must be a connection of DuckDB, got {type(connection).__name__}")
    try:
        import pyarrow  # an optional package
    except ImportError as error:
        raise ImportError("functions of DuckDB need pyarrow: pip install pyarrow") from error

    query = "select function_name from duckdb_functions() where function_name like 'cpaas!_%' escape '!'"
    existing = {name for (name,) in connection.execute(query).fetchall()}

    # DuckDB gets a lambda, because it evaluates the annotations of other functions. The parameter types are None, so that structs
    # with any members are accepted.
    def create(name: str, function: Callable[..., Any], result: str) -> None:
        if f"cpaas_{name}" in existing:
            return
        exported = lambda *columns: pyarrow.array(function(*columns))  # noqa: E731
        connection.create_function(
            f"cpaas_{name}", exported, None, result, type="arrow", null_handling="special"
        )

    create("segments", _functions.segments, f"STRUCT({_COUNT})")
    create(
        "check_numbers",
        _check_numbers,
        'STRUCT("valid" BOOLEAN, "possible" BOOLEAN, "region" VARCHAR, "type" VARCHAR)',
    )
    create("normalize_numbers", _normalize_numbers, "VARCHAR")
    create("estimate", _estimate, f"STRUCT({_COUNT}, {_PRICE})")
    create(
        "parse_markup",
        lambda column, mode: _functions.parse_markup(column, _constant(mode, "mode")),
        'STRUCT("ok" BOOLEAN, "length" INTEGER, "text" VARCHAR)',
    )
    create(
        "validate",
        lambda operation, batch: _functions.validate(_constant(operation, "operation"), batch),
        'STRUCT("ok" BOOLEAN, "code" VARCHAR, "pointer" VARCHAR, "message" VARCHAR)',
    )
    create(
        "requests",
        lambda operation, batch: _functions.requests(_constant(operation, "operation"), batch),
        "VARCHAR",
    )
    create(
        "render", lambda template, batch: _functions.render(_constant(template, "template"), batch), "VARCHAR"
    )


def _estimate(column: Any, prices: Any, to: Any = None) -> Any:
    return _functions.estimate(column, _constant(prices, "prices"), to)


def _check_numbers(column: Any, region: Any = None) -> Any:
    return _functions.check_numbers(column, region=region)


def _normalize_numbers(column: Any, region: Any = None) -> Any:
    return _functions.normalize_numbers(column, region)


def _constant(column: Any, name: str) -> Any:
    """The value of a constant argument. DuckDB passes it as a column with the same value in all rows."""
    values = column.unique()
    if len(values) != 1 or not values[0].is_valid:
        raise bad_value(f"{name} must be a constant that is not null")
    return values[0].as_py()
