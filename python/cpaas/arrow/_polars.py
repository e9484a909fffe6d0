"""The classes of `cpaas.polars`. `cpaas.arrow` registers them if Polars is loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .._errors import bad_value
from .._public import public, public_methods
from .._text.markup import Mode
from . import _functions

try:
    import polars as pl
except ImportError as _error:
    raise ImportError("cpaas.polars needs Polars: pip install polars") from _error

_COUNT = {"encoding": pl.Categorical(), "count": pl.Int32, "units": pl.Int32, "remaining": pl.Int32}
_SEGMENTS = pl.Struct(_COUNT)
_CHECK = {
    "valid": pl.Boolean,
    "possible": pl.Boolean,
    "region": pl.Categorical(),
    "type": pl.Categorical(),
}
_PRICE = pl.Decimal(38, 9)
_ESTIMATE = pl.Struct(
    {
        **_COUNT,
        "price_per_part": _PRICE,
        "total": _PRICE,
        "prefix": pl.String,
        "currency": pl.String,
        "unpriced": pl.Categorical(),
    }
)
_MARKUP = pl.Struct({"ok": pl.Boolean, "length": pl.Int32, "text": pl.String})
_REPORT = {"ok": pl.Boolean, "code": pl.Categorical(), "pointer": pl.String, "message": pl.String}
_PROBLEM = pl.Struct({"code": pl.String, "pointer": pl.String, "severity": pl.String, "message": pl.String})


def _series(result: Any, name: str) -> pl.Series:
    return pl.Series(name, result).alias(name)  # `alias`, because `pl.Series` replaces an empty name


@pl.api.register_series_namespace("cpaas")
@public_methods
class CpaasSeries:
    """The functions of `cpaas.arrow` for a series: of text, or of structs for `validate`, `requests` and `render`."""

    __module__ = "cpaas.polars"

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def segments(self, *, threads: int | None = None) -> pl.Series:
        """Counts the SMS parts of each text; see `cpaas.arrow.segments`.

        Args:
            threads: The maximum number of threads; None uses all cores.
        """
        return self._named(_functions.segments(self._series, threads=threads))

    def check_numbers(
        self,
        *,
        region: str | pl.Series | None = None,
        normalized: bool = False,
        threads: int | None = None,
    ) -> pl.Series:
        """Checks each number against the numbering plans; see `cpaas.arrow.check_numbers`.

        Args:
            region: The region in whose national form the numbers may be written, such as "GR"; or a series of regions.
            normalized: Whether to add `normalized`, the form in which the number is sent.
            threads: The maximum number of threads; None uses all cores.
        """
        return self._named(
            _functions.check_numbers(self._series, region=region, normalized=normalized, threads=threads)
        )

    def normalize_numbers(
        self, region: str | pl.Series | None = None, *, threads: int | None = None
    ) -> pl.Series:
        """Writes each number in the form that is sent; see `cpaas.arrow.normalize_numbers`.

        Args:
            region: The region in whose national form the numbers may be written, such as "GR"; or a series of regions.
            threads: The maximum number of threads; None uses all cores.
        """
        return self._named(_functions.normalize_numbers(self._series, region, threads=threads))

    def estimate(self, prices: Any, to: pl.Series | None = None, *, threads: int | None = None) -> pl.Series:
        """Calculates the price of each text; see `cpaas.arrow.estimate`.

        Args:
            prices: The price of one part, or prices by prefix of the numbers, as for `cpaas.arrow.estimate`.
            to: The series of numbers; required for prices by prefix.
            threads: The maximum number of threads; None uses all cores.
        """
        return self._named(_functions.estimate(self._series, prices, to, threads=threads))

    def parse_markup(self, mode: Mode = "MarkdownV2", *, threads: int | None = None) -> pl.Series:
        """Parses the markup of each text; see `cpaas.arrow.parse_markup`.

        Args:
            mode: "Default", "Markdown", "Html" or "MarkdownV2".
            threads: The maximum number of threads; None uses all cores.
        """
        return self._named(_functions.parse_markup(self._series, mode, threads=threads))

    def validate(self, operation: str, *, problems: bool = False, threads: int | None = None) -> pl.Series:
        """Validates each struct as a request; see `cpaas.arrow.validate`.

        Args:
            operation: The name of the operation, such as "sms.send".
            problems: Whether to add the list of all problems, including warnings.
            threads: The maximum number of threads; None uses all cores.
        """
        return self._named(_functions.validate(operation, self._series, problems=problems, threads=threads))

    def requests(self, operation: str, *, threads: int | None = None) -> pl.Series:
        """Writes each struct as the JSON of a request; see `cpaas.arrow.requests`.

        Args:
            operation: The name of the operation, such as "sms.send".
            threads: The maximum number of threads; None uses all cores.
        """
        return self._named(_functions.requests(operation, self._series, threads=threads))

    def render(self, template: str | Mapping[str, Any], *, threads: int | None = None) -> pl.Series:
        """Renders a template with each struct; see `cpaas.arrow.render`.

        Args:
            template: A MiniJinja template, or a mapping whose strings are templates.
            threads: The maximum number of threads; None uses all cores.
        """
        return self._named(_functions.render(template, self._series, threads=threads))

    def _named(self, result: Any) -> pl.Series:
        return _series(result, self._series.name)


@pl.api.register_expr_namespace("cpaas")
@public_methods
class CpaasExpr:
    """The functions of `cpaas.arrow` for an expression: of text, or of structs (`pl.struct(...)`) for `validate`, `requests`
    and `render`."""

    __module__ = "cpaas.polars"

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def segments(self, *, threads: int | None = None) -> pl.Expr:
        """Counts the SMS parts of each text; see `cpaas.arrow.segments`.

        Args:
            threads: The maximum number of threads; None uses all cores.
        """
        return self._mapped(lambda column: _functions.segments(column, threads=threads), _SEGMENTS)

    def check_numbers(
        self,
        *,
        region: str | pl.Expr | None = None,
        normalized: bool = False,
        threads: int | None = None,
    ) -> pl.Expr:
        """Checks each number against the numbering plans; see `cpaas.arrow.check_numbers`.

        Args:
            region: The region in whose national form the numbers may be written, such as "GR"; or an expression, the column of
                regions.
            normalized: Whether to add `normalized`, the form in which the number is sent.
            threads: The maximum number of threads; None uses all cores.
        """
        result = pl.Struct({**_CHECK, "normalized": pl.String} if normalized else _CHECK)
        return self._with_region(
            lambda column, region: _functions.check_numbers(
                column, region=region, normalized=normalized, threads=threads
            ),
            region,
            result,
        )

    def normalize_numbers(
        self, region: str | pl.Expr | None = None, *, threads: int | None = None
    ) -> pl.Expr:
        """Writes each number in the form that is sent; see `cpaas.arrow.normalize_numbers`.

        Args:
            region: The region in whose national form the numbers may be written, such as "GR"; or an expression, the column of
                regions.
            threads: The maximum number of threads; None uses all cores.
        """
        return self._with_region(
            lambda column, region: _functions.normalize_numbers(column, region, threads=threads),
            region,
            pl.String,
        )

    def estimate(
        self, prices: Any, to: pl.Expr | str | None = None, *, threads: int | None = None
    ) -> pl.Expr:
        """Calculates the price of each text; see `cpaas.arrow.estimate`.

        Args:
            prices: The price of one part, or prices by prefix of the numbers, as for `cpaas.arrow.estimate`.
            to: The column of numbers, or its name; required for prices by prefix.
            threads: The maximum number of threads; None uses all cores.
        """
        if to is None:
            return self._mapped(
                lambda column: _functions.estimate(column, prices, threads=threads), _ESTIMATE
            )
        return self._mapped_two(
            pl.col(to) if isinstance(to, str) else to,
            lambda text, numbers: _functions.estimate(text, prices, numbers, threads=threads),
            _ESTIMATE,
        )

    def parse_markup(self, mode: Mode = "MarkdownV2", *, threads: int | None = None) -> pl.Expr:
        """Parses the markup of each text; see `cpaas.arrow.parse_markup`.

        Args:
            mode: "Default", "Markdown", "Html" or "MarkdownV2".
            threads: The maximum number of threads; None uses all cores.
        """
        return self._mapped(lambda column: _functions.parse_markup(column, mode, threads=threads), _MARKUP)

    def validate(self, operation: str, *, problems: bool = False, threads: int | None = None) -> pl.Expr:
        """Validates each struct as a request; see `cpaas.arrow.validate`.

        Args:
            operation: The name of the operation, such as "sms.send".
            problems: Whether to add the list of all problems, including warnings.
            threads: The maximum number of threads; None uses all cores.
        """
        result = pl.Struct({**_REPORT, "problems": pl.List(_PROBLEM)} if problems else _REPORT)
        return self._mapped(
            lambda batch: _functions.validate(operation, batch, problems=problems, threads=threads), result
        )

    def requests(self, operation: str, *, threads: int | None = None) -> pl.Expr:
        """Writes each struct as the JSON of a request; see `cpaas.arrow.requests`.

        Args:
            operation: The name of the operation, such as "sms.send".
            threads: The maximum number of threads; None uses all cores.
        """
        return self._mapped(lambda batch: _functions.requests(operation, batch, threads=threads), pl.String)

    def render(self, template: str | Mapping[str, Any], *, threads: int | None = None) -> pl.Expr:
        """Renders a template with each struct; see `cpaas.arrow.render`.

        Args:
            template: A MiniJinja template, or a mapping whose strings are templates.
            threads: The maximum number of threads; None uses all cores.
        """
        return self._mapped(lambda batch: _functions.render(template, batch, threads=threads), pl.String)

    def _with_region(
        self, function: Callable[[Any, Any], Any], region: str | pl.Expr | None, result: Any
    ) -> pl.Expr:
        if isinstance(region, pl.Expr):
            return self._mapped_two(region, function, result)
        if isinstance(region, str) and len(region) != 2:
            raise bad_value(
                f'region must be two letters of ISO 3166-1, such as "GR"; a column of regions is pl.col("{region}")'
            )
        return self._mapped(lambda column: function(column, region), result)

    def _mapped_two(self, other: pl.Expr, function: Callable[[Any, Any], Any], result: Any) -> pl.Expr:
        @public
        def mapped(columns: Any, **_: Any) -> pl.Series:
            first, second = columns
            if len(second) == 1 and len(first) != 1:  # a literal
                second = second.new_from_index(0, len(first))
            elif len(first) == 1 and len(second) != 1:
                first = first.new_from_index(0, len(second))
            return _series(function(first, second), first.name)

        return pl.map_batches([self._expr, other], mapped, return_dtype=result, is_elementwise=True)

    def _mapped(self, function: Callable[[Any], Any], result: Any) -> pl.Expr:
        return self._expr.map_batches(
            lambda column: _series(function(column), column.name), return_dtype=result, is_elementwise=True
        )
