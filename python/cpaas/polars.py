"""The namespace `cpaas` of Polars expressions and series: `pl.col("text").cpaas.segments()`."""

from .arrow._polars import CpaasExpr, CpaasSeries

__all__ = ["CpaasExpr", "CpaasSeries"]
