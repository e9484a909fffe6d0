"""The dry run of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from .._arguments import PriceList
from .._cpaas import plan_rows
from .._public import public
from .files import Recipients, Rows, describe, open_rows
from .records import CampaignPlan, read_plan


@public
def plan(
    operation: str,
    rows: Rows,
    template: Mapping[str, Any],
    *,
    suppress: Recipients = (),
    prices: PriceList | None = None,
    max_parts: int | None = None,
    time_zone_column: str | None = None,
    rate: float | None = None,
    duplicates: Literal["skip", "send"] = "skip",
) -> CampaignPlan:
    """A dry run of `Campaign.create` and `Campaign.run`: reads the rows once; nothing is stored or sent.

    The arguments are those of `Campaign.create`.
    """
    spec = describe(
        operation,
        template,
        suppress=suppress,
        prices=prices,
        max_parts=max_parts,
        time_zone_column=time_zone_column,
        rate=rate,
        duplicates=duplicates,
    )
    return plan_spec(rows, spec)


def plan_spec(rows: Rows, spec: dict[str, Any]) -> CampaignPlan:
    return read_plan(plan_rows(open_rows(rows), spec))
