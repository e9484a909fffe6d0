"""The classes of `cpaas.pandas`, which registers them when it is imported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._arguments import boolean
from .._errors import bad_value
from .._public import public_methods
from .._text.markup import Mode
from . import _functions

try:
    import pandas as pd
    import pyarrow as pa
except ImportError as _error:
    raise ImportError("cpaas.pandas needs pandas and pyarrow: pip install pandas pyarrow") from _error

_DTYPES = {
    pa.bool_(): pd.BooleanDtype(),
    pa.int32(): pd.Int32Dtype(),
    pa.int64(): pd.Int64Dtype(),
    pa.string(): pd.StringDtype(),
}


def _dtype(data_type: Any) -> Any:
    """A type with `pd.NA`; decimals and lists are those of Arrow, because pandas has none."""
    return _DTYPES.get(data_type) or pd.ArrowDtype(data_type)


def _frame(result: Any, index: Any) -> pd.DataFrame:
    frame = pa.table(result.table()).to_pandas(types_mapper=_dtype)
    frame.index = index
    return frame


def _column(result: Any, like: Any, name: Any) -> pd.Series:
    values = pa.chunked_array(result)
    return pd.Series(values.to_pandas(types_mapper=_dtype).array, index=like.index, name=name)


@pd.api.extensions.register_series_accessor("cpaas")
@public_methods
class CpaasSeries:
    """The functions of `cpaas.arrow` for a series of text. Their results have the index of the series, and missing values are `pd.NA`."""

    __module__ = "cpaas.pandas"

    def __init__(self, series: pd.Series) -> None:
        self._series = series

    def segments(self, *, prefix: str = "", threads: int | None = None) -> pd.DataFrame:
        """Counts the SMS parts of each text; see `cpaas.arrow.segments`.

        Args:
            prefix: A prefix for the names of the columns of the result.
            threads: The maximum number of threads; None uses all cores.
        """
        return self._framed(_functions.segments(self._series, prefix=prefix, threads=threads))

    def check_numbers(
        self,
        *,
        region: str | pd.Series | None = None,
        normalized: bool = False,
        prefix: str = "",
        threads: int | None = None,
    ) -> pd.DataFrame:
        """Checks each number against the numbering plans; see `cpaas.arrow.check_numbers`.

        Args:
            region: The region in whose national form the numbers may be written, such as "GR"; or a series of regions.
            normalized: Whether to add `normalized`, the form in which the number is sent.
            prefix: A prefix for the names of the columns of the result.
            threads: The maximum number of threads; None uses all cores.
        """
        return self._framed(
            _functions.check_numbers(
                self._series, region=region, normalized=normalized, prefix=prefix, threads=threads
            )
        )

    def normalize_numbers(
        self, region: str | pd.Series | None = None, *, threads: int | None = None
    ) -> pd.Series:
        """Writes each number in the form that is sent; see `cpaas.arrow.normalize_numbers`.

        Args:
            region: The region in whose national form the numbers may be written, such as "GR"; or a series of regions.
            threads: The maximum number of threads; None uses all cores.
        """
        result = _functions.normalize_numbers(self._series, region, threads=threads)
        return _column(result, self._series, self._series.name)

    def estimate(
        self, prices: Any, to: pd.Series | None = None, *, prefix: str = "", threads: int | None = None
    ) -> pd.DataFrame:
        """Calculates the price of each text; see `cpaas.arrow.estimate`.

        Args:
            prices: The price of one part, or prices by prefix of the numbers, as for `cpaas.arrow.estimate`.
            to: The series of numbers, with the same index; required for prices by prefix.
            prefix: A prefix for the names of the columns of the result.
            threads: The maximum number of threads; None uses all cores.
        """
        return self._framed(_functions.estimate(self._series, prices, to, prefix=prefix, threads=threads))

    def parse_markup(
        self, mode: Mode = "MarkdownV2", *, prefix: str = "", threads: int | None = None
    ) -> pd.DataFrame:
        """Parses the markup of each text; see `cpaas.arrow.parse_markup`.

        Args:
            mode: "Default", "Markdown", "Html" or "MarkdownV2".
            prefix: A prefix for the names of the columns of the result.
            threads: The maximum number of threads; None uses all cores.
        """
        return self._framed(_functions.parse_markup(self._series, mode, prefix=prefix, threads=threads))

    def _framed(self, result: Any) -> pd.DataFrame:
        return _frame(result, self._series.index)


@pd.api.extensions.register_dataframe_accessor("cpaas")
@public_methods
class CpaasDataFrame:
    """The functions of `cpaas.arrow` for a data frame. Their results have its index, and missing values are `pd.NA`.

    `append=True` returns the data frame with the columns of the result after its own.
    """

    __module__ = "cpaas.pandas"

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def segments(
        self, text: str, *, append: bool = False, prefix: str = "", threads: int | None = None
    ) -> pd.DataFrame:
        """Counts the SMS parts of each text; see `cpaas.arrow.segments`.

        Args:
            text: The name of the column of text.
            append: Whether to return the data frame with the result after its columns.
            prefix: A prefix for the names of the columns of the result.
            threads: The maximum number of threads; None uses all cores.
        """
        result = _functions.segments(self._frame, text, prefix=prefix, threads=threads)
        return self._result(result, append)

    def check_numbers(
        self,
        number: str,
        *,
        region: str | None = None,
        normalized: bool = False,
        append: bool = False,
        prefix: str = "",
        threads: int | None = None,
    ) -> pd.DataFrame:
        """Checks each number against the numbering plans; see `cpaas.arrow.check_numbers`.

        Args:
            number: The name of the column of numbers.
            region: The region in whose national form the numbers may be written, such as "GR"; or the name of a column of
                regions.
            normalized: Whether to add `normalized`, the form in which the number is sent.
            append: Whether to return the data frame with the result after its columns.
            prefix: A prefix for the names of the columns of the result.
            threads: The maximum number of threads; None uses all cores.
        """
        result = _functions.check_numbers(
            self._frame, number, region=region, normalized=normalized, prefix=prefix, threads=threads
        )
        return self._result(result, append)

    def normalize_numbers(
        self, number: str, region: str | None = None, *, threads: int | None = None
    ) -> pd.Series:
        """Writes each number in the form that is sent; see `cpaas.arrow.normalize_numbers`.

        Args:
            number: The name of the column of numbers.
            region: The region in whose national form the numbers may be written, such as "GR"; or the name of a column of
                regions.
            threads: The maximum number of threads; None uses all cores.
        """
        result = _functions.normalize_numbers(self._frame, region, number=number, threads=threads)
        return _column(result, self._frame, "normalized")

    def estimate(
        self,
        prices: Any,
        *,
        text: str,
        to: str | None = None,
        append: bool = False,
        prefix: str = "",
        threads: int | None = None,
    ) -> pd.DataFrame:
        """Calculates the price of each text; see `cpaas.arrow.estimate`.

        Args:
            prices: The price of one part, or prices by prefix of the numbers, as for `cpaas.arrow.estimate`.
            text: The name of the column of text.
            to: The name of the column of numbers; required for prices by prefix.
            append: Whether to return the data frame with the result after its columns.
            prefix: A prefix for the names of the columns of the result.
            threads: The maximum number of threads; None uses all cores.
        """
        result = _functions.estimate(self._frame, prices, to, text=text, prefix=prefix, threads=threads)
        return self._result(result, append)

    def parse_markup(
        self,
        mode: Mode = "MarkdownV2",
        *,
        text: str,
        append: bool = False,
        prefix: str = "",
        threads: int | None = None,
    ) -> pd.DataFrame:
        """Parses the markup of each text; see `cpaas.arrow.parse_markup`.

        Args:
            mode: "Default", "Markdown", "Html" or "MarkdownV2".
            text: The name of the column of text.
            append: Whether to return the data frame with the result after its columns.
            prefix: A prefix for the names of the columns of the result.
            threads: The maximum number of threads; None uses all cores.
        """
        result = _functions.parse_markup(self._frame, mode, text=text, prefix=prefix, threads=threads)
        return self._result(result, append)

    def validate(
        self,
        operation: str,
        *,
        problems: bool = False,
        id: str | None = None,
        append: bool = False,
        prefix: str = "",
        threads: int | None = None,
    ) -> pd.DataFrame:
        """Validates each row as a request; see `cpaas.arrow.validate`.

        Args:
            operation: The name of the operation, such as "sms.send".
            problems: Whether to add the list of all problems, including warnings.
            id: The name of a column that precedes the result, such as the key of the customer.
            append: Whether to return the data frame with the result after its columns.
            prefix: A prefix for the names of the columns of the result.
            threads: The maximum number of threads; None uses all cores.
        """
        result = _functions.validate(
            operation, self._frame, problems=problems, id=id, prefix=prefix, threads=threads
        )
        return self._result(result, append, has_id=id is not None)

    def requests(self, operation: str, *, threads: int | None = None) -> pd.Series:
        """Writes each row as the JSON of a request; see `cpaas.arrow.requests`.

        Args:
            operation: The name of the operation, such as "sms.send".
            threads: The maximum number of threads; None uses all cores.
        """
        return _column(_functions.requests(operation, self._frame, threads=threads), self._frame, "request")

    def render(self, template: str | Mapping[str, Any], *, threads: int | None = None) -> pd.Series:
        """Renders a template with each row; see `cpaas.arrow.render`.

        Args:
            template: A MiniJinja template, or a mapping whose strings are templates.
            threads: The maximum number of threads; None uses all cores.
        """
        return _column(_functions.render(template, self._frame, threads=threads), self._frame, "rendered")

    def _result(self, result: Any, append: bool, *, has_id: bool = False) -> pd.DataFrame:
        added = _frame(result, self._frame.index)
        if not boolean("append", append):
            return added
        if has_id:
            added = added.iloc[:, 1:]  # the data frame has the column already
        known = [name for name in added.columns if name in self._frame.columns]
        if known:
            raise bad_value(
                f"the table already has a column `{known[0]}`; `prefix` renames the added columns"
            )
        return pd.concat([self._frame, added], axis=1)
