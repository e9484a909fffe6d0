"""SQL functions for DuckDB."""

from __future__ import annotations

from . import arrow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SEGMENTS = 'STRUCT("encoding" VARCHAR, "count" BIGINT, units BIGINT, remaining BIGINT)'
NUMBERS = 'STRUCT("valid" BOOLEAN, possible BOOLEAN, region VARCHAR, "type" VARCHAR)'
MARKUP = 'STRUCT(ok BOOLEAN, "length" BIGINT, "text" VARCHAR)'


def register(connection: Any) -> None:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("functions of DuckDB need pyarrow: pip install pyarrow") from error

    def exported(result: Any) -> Any:
        return pyarrow.array(result)

    def segments(texts: Any) -> Any:
        return exported(arrow.segments(texts))

    def check_numbers(numbers: Any) -> Any:
        return exported(arrow.check_numbers(numbers))

    def parse_markup(texts: Any, modes: Any) -> Any:
        found = {mode.as_py() for mode in modes.unique()}
        if len(found) > 1:
            raise ValueError("mode must be the same in all rows")
        return exported(arrow.parse_markup(texts, found.pop() if found else "MarkdownV2"))

    def create(name: str, function: Any, parameters: list[str], result: str) -> None:
        connection.create_function(
            f"cpaas_{name}", function, parameters, result, type="arrow", null_handling="special"
        )

    create("segments", segments, ["VARCHAR"], SEGMENTS)
    create("check_numbers", check_numbers, ["VARCHAR"], NUMBERS)
    create("parse_markup", parse_markup, ["VARCHAR", "VARCHAR"], MARKUP)
