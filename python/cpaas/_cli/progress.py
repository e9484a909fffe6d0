"""The progress of `cpaas campaign run`."""

from __future__ import annotations

import os
from time import monotonic
from typing import Any

from .._campaign.records import CampaignStatus, clock
from .._cpaas import printable

# Seconds between two plain lines of progress.
PLAIN_INTERVAL = 5.0


class Progress:
    """Shows the progress of a run: a bar on a terminal, otherwise a plain line every 5 seconds."""

    def __init__(self, out: Any, status: CampaignStatus, quiet: bool) -> None:
        self._out = out
        self._is_terminal = out.isatty()
        self._quiet = quiet and not self._is_terminal
        self._samples = [(monotonic(), status.pending + status.in_flight)]
        self._printed = monotonic() - PLAIN_INTERVAL + 1.0
        self._width = 0

    def __call__(self, status: CampaignStatus) -> None:
        now = monotonic()
        left = status.pending + status.in_flight
        self._samples = [*self._samples[-9:], (now, left)]
        (begun, before), (_, after) = self._samples[0], self._samples[-1]
        rate = max(before - after, 0) / (now - begun) if now > begun else 0.0
        speed = f"{rate:,.0f} rows/s" + (f", {clock(left / rate)} left" if rate and left else "")
        if self._is_terminal:
            self._bar(status, left, speed)
        elif not self._quiet and (now - self._printed >= PLAIN_INTERVAL or not left):
            self._printed = now
            print(f"{line(status)}, {status.obstacle or speed}", file=self._out, flush=True)

    def _bar(self, status: CampaignStatus, left: int, speed: str) -> None:
        done = status.rows - left
        filled = 20 * done // max(status.rows, 1)
        bar = f"[{'#' * filled}{'.' * (20 - filled)}]"
        text = ", ".join((f"{bar} {done:,}/{status.rows:,}", status.obstacle or speed, *outcomes(status)))
        try:
            columns = os.get_terminal_size(self._out.fileno()).columns or 80
        except OSError:
            columns = 80
        text = text[: max(columns - 1, 20)]
        # The width is set before the output, because Ctrl-C may interrupt the output.
        shown, self._width = self._width, len(text)
        self._out.write("\r" + text.ljust(shown))
        self._out.flush()

    def end(self) -> None:
        """Ends the line of the bar, before other text is printed. Idempotent."""
        if self._width:
            self._width = 0
            self._out.write("\n")
            self._out.flush()


def line(status: CampaignStatus) -> str:
    """The state of a campaign in one line."""
    done = status.rows - status.pending - status.in_flight
    return ", ".join(
        (
            f"{printable(status.name, 200)}: {status.state}, {done:,} of {status.rows:,} rows",
            *outcomes(status),
        )
    )


def outcomes(status: CampaignStatus) -> list[str]:
    """The counts of rows by outcome that are not zero."""
    names = ("accepted", "rejected", "invalid", "suppressed", "duplicate", "unknown", "cancelled")
    return [f"{getattr(status, name):,} {name}" for name in names if getattr(status, name)]
