"""Shows the progress of `send_many`."""

from __future__ import annotations

import sys
from typing import Any

from .._errors import wrong_type


class Progress:
    """Shows the number of rows that ended, on a terminal only."""

    def __init__(self, out: Any, total: int | None) -> None:
        self._out = out
        self._total = "" if total is None else f"/{total:,}"
        self._ended = 0
        self._failed = 0
        self._shown = 0.0

    def add(self, accepted: bool, now: float) -> None:
        self._ended += 1
        self._failed += not accepted
        if now - self._shown >= 0.1:
            self._shown = now
            self._show("")

    def end(self) -> None:
        self._show("\n")

    def _show(self, end: str) -> None:
        if self._out is None:
            return
        try:
            self._out.write(f"\r{self._ended:,}{self._total} rows, {self._failed:,} not accepted{end}")
            self._out.flush()
        except (OSError, ValueError):  # the terminal was closed; the rows go on
            self._out = None


def terminal(progress: Any) -> Any:
    """The terminal that shows the progress, or None."""
    out = sys.stderr if progress is True else progress
    if out is None or out is False:
        return None
    if not callable(getattr(out, "write", None)) or not callable(getattr(out, "isatty", None)):
        raise wrong_type("progress", "bool or a text file", out)
    try:
        return out if out.isatty() else None
    except ValueError:  # it is closed
        return None
