"""Columns and tables: segments, number checks, prices, markup, validation and templates for data frames.

Each function accepts any object with `__arrow_c_stream__` or `__arrow_c_array__`: data frames, tables, batches and columns of
pyarrow, Polars, DuckDB, pandas, DataFusion and nanoarrow. Most functions return an `ArrowArray`, which has both methods: pass it to
`pyarrow.chunked_array`, `polars.Series`, `pandas.Series.from_arrow` or another library. `ArrowArray.table` converts structs to a
table. With the name of a column, a function accepts any table, which it reads once; `append=True` returns the table with the result.
Nulls stay null. The input is not copied. Functions release the interpreter lock. They use all cores for more than 65,536
rows; `threads=1` uses the calling thread only.
"""

import sys

from .._cpaas import ArrowArray
from ._duckdb import register
from ._functions import (
    check_numbers,
    estimate,
    normalize_numbers,
    parse_markup,
    render,
    requests,
    rows,
    segments,
    summary,
    validate,
)

__all__ = [
    "ArrowArray",
    "check_numbers",
    "estimate",
    "normalize_numbers",
    "parse_markup",
    "register",
    "render",
    "requests",
    "rows",
    "segments",
    "summary",
    "validate",
]

if "polars" in sys.modules:
    from . import _polars as _polars  # registers the namespace of Polars
