"""The inputs of the functions: columns, or a table and the names of its columns."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from .. import _cpaas
from .._arguments import boolean, text
from .._cpaas import ArrowArray
from .._errors import bad_type, bad_value
from .._generated.metadata import OPERATIONS_BY_ID

# The classes whose rows a query makes, by package. The rows of a query may have another order each time it runs.
_LAZY = {
    "duckdb": ("DuckDBPyRelation",),
    "_duckdb": ("DuckDBPyRelation",),
    "polars": ("LazyFrame",),
    "datafusion": ("DataFrame",),
    "ibis": ("Table", "Column", "StringColumn"),
}
_JOINS = {"polars": "pl.concat", "pandas": "pd.concat", "pyarrow": "pa.concat_tables"}


def exported(value: Any, argument: str = "column") -> Any:
    """An object with an Arrow protocol. Frames of pandas are exported without their index."""
    if _package(value) == "polars" and type(value).__name__ == "LazyFrame":
        return _batches(value)
    if _is_pandas(value, "MultiIndex"):
        return value.to_frame(index=False)
    if _is_pandas(value, "Index", "api.extensions.ExtensionArray"):
        value = sys.modules["pandas"].Series(value, name="column")
    if _is_pandas(value, "Series", "DataFrame"):
        value = value.reset_index(drop=True)
        if not hasattr(value, "__arrow_c_stream__"):  # a Series before pandas 3
            value = value.to_frame("column")
        return _PandasStream(value, argument)
    if isinstance(value, (list, tuple)) and value and _package(value[0]) in _JOINS:
        join = _JOINS[_package(value[0])]
        raise bad_type(f"{argument} must be one frame or column, got a {type(value).__name__}; use {join}(…)")
    return value


class _PandasStream:
    """A series or frame of pandas. If pandas cannot convert it, the error names its column and no value."""

    def __init__(self, value: Any, argument: str) -> None:
        self._value = value
        self._argument = argument

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        try:
            return self._value.__arrow_c_stream__(requested_schema)
        except (TypeError, ValueError) as error:
            name = type(error).__name__  # its message may contain a value
        columns = self._value.columns if _is_pandas(self._value, "DataFrame") else None
        for twice in () if columns is None else columns[columns.duplicated()]:
            raise bad_value(f"{self._argument}: the names of columns must differ, got `{twice}` twice")
        mixed = self._mixed()
        if mixed is None:
            raise bad_type(f"{self._argument}: pandas cannot convert it to Arrow ({name})")
        raise bad_type(
            f"{self._argument}: {mixed} must have values of one type, got objects of several; "
            'convert it, as with `astype("str")`, where it is read'
        )

    def _mixed(self) -> str | None:
        """The first column with objects of several types."""
        kind = sys.modules["pandas"].api.types.infer_dtype
        is_frame = _is_pandas(self._value, "DataFrame")
        for name, column in self._value.items() if is_frame else [(None, self._value)]:
            if column.dtype == object and kind(column, skipna=True).startswith(("mixed", "unknown")):
                return "the column" if name is None or name == "column" else f"column `{name}`"
        return None


def _batches(frame: Any) -> Any:
    """The rows of a LazyFrame, batch by batch where this version of Polars can do that."""
    if hasattr(frame, "collect_batches"):
        batches = frame.collect_batches(maintain_order=True)
        if hasattr(batches, "__arrow_c_stream__"):
            return batches
    return frame.collect()


def _is_pandas(value: Any, *names: str) -> bool:
    """Whether an object is of one of these classes of pandas, or of a subclass, such as those of geopandas."""
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return False
    try:
        return isinstance(value, tuple(attrgetter(name)(pandas) for name in names))
    except AttributeError:  # another thread imports pandas, so the object is not of pandas
        return False


def _package(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def is_lazy(value: Any) -> bool:
    """Whether an object is a query, which runs when it is read."""
    return type(value).__name__ in _LAZY.get(_package(value), ())


class Inputs:
    """The columns of a function.

    They are the objects `columns`, by the arguments, or columns of the table `columns["column"]`, whose names are `names`. A table
    is read once, so that its columns belong to the same rows.
    """

    def __init__(
        self,
        value: Any,
        names: dict[str, str | None],
        *,
        append: bool = False,
        prefix: str = "",
        other: str | None = None,
    ) -> None:
        self._append = boolean("append", append)
        self._prefix = text("prefix", prefix)
        self._value = value
        self._table: _cpaas.ArrowTable | None = None
        used = [text(argument, name) for argument, name in names.items() if name is not None]
        if used:
            used = used if other is None else [*used, other]
            table = value if self._append else _projected(value, used)
            self._table = _cpaas.ArrowTable(exported(table), "column", self._append)
        elif self._append:
            argument = next(iter(names))
            raise bad_type(f"append needs a table and the name of its column, `{argument}`")

    @property
    def is_table(self) -> bool:
        """Whether the columns are those of one table."""
        return self._table is not None

    def column(self, name: str | None, argument: str) -> Any:
        """The column that the argument names; without a name, the value itself."""
        if self._table is None:
            return exported(self._value)
        if name is None:
            raise bad_type(f"`{argument}` must be the name of a column of the table")
        return self._table.column(name, argument)

    def result(self, result: ArrowArray, name: str) -> ArrowArray:
        """The result, or the table with the result; `name` is the column of a result without members."""
        if self._append and self._table is not None:
            return self._table.append(result, None, self._prefix, name)
        return _cpaas.arrow_prefixed(result, self._prefix) if self._prefix else result


class Rows:
    """The table of a function of rows. The column `id` precedes the result."""

    def __init__(
        self,
        batch: Any,
        *,
        operation: str | None = None,
        id: str | None = None,
        append: bool = False,
        prefix: str = "",
    ) -> None:
        self._append = boolean("append", append)
        self._prefix = text("prefix", prefix)
        self._id = None if id is None else text("id", id)
        self.batch: Any = exported(batch, "batch")
        self._table: _cpaas.ArrowTable | None = None
        if self._append or self._id is not None:
            self._table = _cpaas.ArrowTable(self.batch, "batch", True)
            known = OPERATIONS_BY_ID.get(operation) if operation is not None else None
            is_member = self._id is None or known is None or self._id in known.members
            self.batch = self._table.rows([] if is_member or self._id is None else [self._id])

    def result(self, result: ArrowArray, name: str) -> ArrowArray:
        """The result, after the column `id` or after all columns."""
        if self._table is None:
            return _cpaas.arrow_prefixed(result, self._prefix) if self._prefix else result
        names = None if self._append or self._id is None else [self._id]
        return self._table.append(result, names, self._prefix, name)


def check_order(column: Any, other: Any, argument: str, advice: str) -> None:
    """Refuses two inputs whose rows may not belong together: two queries, or columns of pandas with different indexes."""
    if is_lazy(column) and is_lazy(other):
        raise bad_value(
            f"column and `{argument}` must not both be queries: each runs its query, and the order of the rows may differ. "
            f"Pass one table and the names of its columns: {advice}"
        )
    have_index = all(_is_pandas(value, "Series", "DataFrame") for value in (column, other))
    if have_index and not column.index.equals(other.index):
        raise bad_value(f"column and `{argument}` must have the same index; or pass one table: {advice}")


def _projected(table: Any, names: Sequence[str]) -> Any:
    """Only the named columns, where the other columns would be computed or converted."""
    package = _package(table)
    names = [*dict.fromkeys(names)]
    if package in ("duckdb", "_duckdb") and is_lazy(table):
        if set(names) <= set(table.columns):
            return table.select(*('"' + name.replace('"', '""') + '"' for name in names))
    elif package == "polars" and is_lazy(table):
        if set(names) <= set(table.collect_schema().names()):
            return table.select(names)
    elif _is_pandas(table, "DataFrame") and set(names) <= set(table.columns):
        return table[names]
    return table
