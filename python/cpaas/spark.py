"""Functions for `DataFrame.mapInArrow` of Spark. They append columns to those of the data frame.

Each function is pure, because Spark may run a task several times. `schema` returns the schema that `mapInArrow` needs. It raises
the errors of columns on the driver, before a task starts:

    step = cpaas.spark.validate("sms.send", columns=["from", "to", "text"])
    checked = messages.mapInArrow(step, step.schema(messages))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from inspect import signature
from typing import Any

from . import arrow
from ._arguments import printable_path
from ._errors import bad_value
from ._public import public, public_methods
from ._text.markup import Mode

try:
    import pyarrow
    import pyspark as _pyspark  # noqa: F401
except ImportError as _error:
    raise ImportError("cpaas.spark needs PySpark: pip install pyspark pyarrow") from _error

__all__ = [
    "Step",
    "check_numbers",
    "estimate",
    "normalize_numbers",
    "parse_markup",
    "render",
    "requests",
    "segments",
    "validate",
]

_COUNT = "encoding string, count int, units int, remaining int"
_PRICE = (
    "price_per_part decimal(38, 9), total decimal(38, 9), prefix string, currency string, unpriced string"
)
_PROBLEMS = "problems array<struct<code: string, pointer: string, severity: string, message: string>>"


@public_methods
class Step:
    """A function for `mapInArrow`."""

    def __init__(
        self, function: Callable[[Any], Any], added: str, prefix: str, columns: Sequence[str] = ()
    ) -> None:
        self._function = function
        self._added = added
        self._prefix = prefix
        self._columns = columns

    def schema(self, frame: Any) -> Any:
        """Returns the schema of the result: the columns of the data frame, then the added ones.

        Args:
            frame: The data frame, or its schema.

        Raises:
            ValueError: A column is missing, or two columns would have the same name.
            TypeError: The type of a column does not fit.
        """
        # Starting Spark loads them; importing this module need not.
        from pyspark.sql.pandas.types import to_arrow_schema

        # As above.
        from pyspark.sql.types import StructField, StructType

        found = getattr(frame, "schema", frame)
        names = list(found.names)
        for name in self._columns:
            if name not in names:
                near = get_close_matches(name, names, 1)
                advice = f"; did you mean `{near[0]}`?" if near else f"; the columns are {', '.join(names)}"
                raise bad_value(f"the data frame must have the column `{name}`{advice}")
        fields = StructType.fromDDL(self._added).fields
        added = [StructField(self._prefix + field.name, field.dataType, True) for field in fields]
        counts = Counter(names)
        for field in added:
            if field.name in counts:
                raise bad_value(
                    f"the data frame already has a column `{field.name}`; `prefix` renames the added columns"
                )
        twice = [name for name, count in counts.items() if count > 1]
        if twice:
            raise bad_value(f"the data frame has several columns `{twice[0]}`")
        # Newer versions, such as 4.3, require a time zone for timestamps; its name does not matter here.
        zone = {"timezone": "UTC"} if "timezone" in signature(to_arrow_schema).parameters else {}
        self._function(_empty_batch(to_arrow_schema(found, **zone)))  # checks the types
        return StructType([*found.fields, *added])

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Appends the columns to each batch."""
        for batch in batches:
            result = pyarrow.array(self._function(batch))
            if pyarrow.types.is_struct(result.type):
                columns, names = result.flatten(), [field.name for field in result.type]
            else:
                columns, names = [result], [self._added.split(" ", 1)[0]]
            columns = [_plain(column) for column in columns]
            yield pyarrow.RecordBatch.from_arrays(
                [*batch.columns, *columns],
                names=[*batch.schema.names, *(self._prefix + name for name in names)],
            )


@public
def segments(column: str, *, prefix: str = "") -> Step:
    """Appends `encoding`, `count`, `units` and `remaining` of a column of text; see `cpaas.arrow.segments`.

    Args:
        column: The name of the column.
        prefix: A prefix for the names of the added columns.
    """
    return Step(lambda batch: arrow.segments(batch.column(column), threads=1), _COUNT, prefix, [column])


@public
def check_numbers(
    column: str,
    *,
    region: str | None = None,
    region_column: str | None = None,
    normalized: bool = False,
    prefix: str = "",
) -> Step:
    """Appends `valid`, `possible`, `region` and `type` of a column of numbers; see `cpaas.arrow.check_numbers`.

    Args:
        column: The name of the column.
        region: The region in whose national form the numbers may be written, such as "GR".
        region_column: The name of a column of regions, instead of `region`.
        normalized: Whether to append `normalized` too, the form that is sent.
        prefix: A prefix for the names of the added columns.
    """
    added = "valid boolean, possible boolean, region string, type string"
    return Step(
        lambda batch: arrow.check_numbers(
            batch.column(column),
            region=region if region_column is None else batch.column(region_column),
            normalized=normalized,
            threads=1,
        ),
        f"{added}, normalized string" if normalized else added,
        prefix,
        [column] if region_column is None else [column, region_column],
    )


@public
def normalize_numbers(
    column: str, region: str | None = None, *, region_column: str | None = None, prefix: str = ""
) -> Step:
    """Appends `normalized`, the form of a column of numbers that is sent; see `cpaas.arrow.normalize_numbers`.

    Args:
        column: The name of the column.
        region: The region in whose national form the numbers may be written, such as "GR".
        region_column: The name of a column of regions, instead of `region`.
        prefix: A prefix for the names of the added columns.
    """
    return Step(
        lambda batch: arrow.normalize_numbers(
            batch.column(column), region if region_column is None else batch.column(region_column), threads=1
        ),
        "normalized string",
        prefix,
        [column] if region_column is None else [column, region_column],
    )


@public
def estimate(column: str, prices: Any, to: str | None = None, *, prefix: str = "") -> Step:
    """Appends the price of a column of text; see `cpaas.arrow.estimate`.

    Args:
        column: The name of the column.
        prices: The prices, as for `cpaas.arrow.estimate`. A file is read now, on the driver.
        to: The name of a column of numbers.
        prefix: A prefix for the names of the added columns.

    Raises:
        OSError: The file of prices cannot be read.
    """
    if hasattr(prices, "__fspath__") or (isinstance(prices, str) and prices.endswith(".csv")):
        with printable_path(), open(prices, encoding="utf-8", newline="") as file:
            prices = file.read()
    return Step(
        lambda batch: arrow.estimate(
            batch.column(column), prices, None if to is None else batch.column(to), threads=1
        ),
        f"{_COUNT}, {_PRICE}",
        prefix,
        [column] if to is None else [column, to],
    )


@public
def parse_markup(column: str, mode: Mode = "MarkdownV2", *, prefix: str = "") -> Step:
    """Appends `ok`, `length` and `text` of a column of markup; see `cpaas.arrow.parse_markup`.

    Args:
        column: The name of the column.
        mode: The markup mode.
        prefix: A prefix for the names of the added columns.
    """
    added = "ok boolean, length int, text string"
    return Step(
        lambda batch: arrow.parse_markup(batch.column(column), mode, threads=1), added, prefix, [column]
    )


@public
def validate(
    operation: str,
    *,
    columns: Sequence[str] | Mapping[str, str] | None = None,
    problems: bool = False,
    prefix: str = "",
) -> Step:
    """Appends `ok`, `code`, `pointer` and `message` of the first error; see `cpaas.arrow.validate`.

    Args:
        operation: The name of the operation, such as "sms.send".
        columns: The columns that are members of the request, or a mapping from members to columns. None means all columns.
        problems: Also appends the list of all problems.
        prefix: A prefix for the names of the added columns.
    """
    added = "ok boolean, code string, pointer string, message string"
    return Step(
        lambda batch: arrow.validate(operation, _selected(batch, columns), problems=problems, threads=1),
        f"{added}, {_PROBLEMS}" if problems else added,
        prefix,
        _names(columns),
    )


@public
def requests(
    operation: str, *, columns: Sequence[str] | Mapping[str, str] | None = None, prefix: str = ""
) -> Step:
    """Appends `request`, the JSON of each row; see `cpaas.arrow.requests`.

    Args:
        operation: The name of the operation, such as "sms.send".
        columns: As for `validate`.
        prefix: A prefix for the names of the added columns.
    """
    return Step(
        lambda batch: arrow.requests(operation, _selected(batch, columns), threads=1),
        "request string",
        prefix,
        _names(columns),
    )


@public
def render(template: str | Mapping[str, Any], *, name: str = "rendered", prefix: str = "") -> Step:
    """Appends a column with the rendered template; see `cpaas.arrow.render`.

    Args:
        template: The template, as for `cpaas.arrow.render`.
        name: The name of the added column.
        prefix: A prefix for the name of the added column.
    """
    return Step(lambda batch: arrow.render(template, batch, threads=1), f"{name} string", prefix)


def _empty_batch(schema: Any) -> Any:
    columns = [pyarrow.array([], field.type) for field in schema]
    return pyarrow.RecordBatch.from_arrays(columns, schema=schema)


def _names(columns: Sequence[str] | Mapping[str, str] | None) -> list[str]:
    if columns is None:
        return []
    names: Any = columns
    return [*names.values()] if hasattr(names, "items") else [*names]


def _plain(column: Any) -> Any:
    """A column without a dictionary, which Spark does not read."""
    return column.dictionary_decode() if hasattr(column, "dictionary_decode") else column


def _selected(batch: Any, columns: Sequence[str] | Mapping[str, str] | None) -> Any:
    if columns is None:
        return batch
    names: Any = columns
    pairs = dict(names) if hasattr(names, "items") else {name: name for name in names}
    return pyarrow.RecordBatch.from_arrays(
        [batch.column(column) for column in pairs.values()], names=list(pairs)
    )
