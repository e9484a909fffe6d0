"""The classes and functions of the native module that need a journal. The build for Windows has none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _cpaas

MISSING = (
    "campaigns, send_once, SuppressionList and the store of a Guard must have a journal, which this build of cpaas does not have: "
    "use Linux or macOS, or build it with the Cargo feature `campaign`"
)


def check_journal() -> None:
    """Raises the exception of a build without a journal."""
    if not hasattr(_cpaas, "CampaignJournal"):
        raise NotImplementedError(MISSING)


class _Missing:
    """Each use raises the exception."""

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError(MISSING)

    def __getattr__(self, name: str) -> Any:
        raise NotImplementedError(MISSING)


if TYPE_CHECKING:
    from ._cpaas import ArrowOutcomes as ArrowOutcomes
    from ._cpaas import CampaignJournal as CampaignJournal
    from ._cpaas import CampaignRun as CampaignRun
    from ._cpaas import CampaignTest as CampaignTest
    from ._cpaas import SuppressionDatabase as SuppressionDatabase
    from ._cpaas import has_password as has_password
    from ._cpaas import plan_rows as plan_rows
else:
    _NAMES = (
        "ArrowOutcomes",
        "CampaignJournal",
        "CampaignRun",
        "CampaignTest",
        "SuppressionDatabase",
        "has_password",
        "plan_rows",
    )
    globals().update((name, getattr(_cpaas, name, _Missing())) for name in _NAMES)
