"""The accessors `cpaas` of pandas: `series.cpaas.segments()`, `frame.cpaas.estimate(prices, text="text", to="number")`."""

from .arrow._pandas import CpaasDataFrame, CpaasSeries

__all__ = ["CpaasDataFrame", "CpaasSeries"]
