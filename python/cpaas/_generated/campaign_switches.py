# Generated from the table of campaign settings: `cargo run -p codegen` rewrites it.
"""The settings of campaigns as switches of `cpaas campaign`."""

from __future__ import annotations

from typing import Any

from .._cli.terminal import positive

# The switch, whether `plan` accepts it, and the arguments of `add_argument`.
SWITCHES: tuple[tuple[str, bool, dict[str, Any]], ...] = (
    ("--suppress", True, {"metavar": "FILE", "help": "recipients that get no message; numbers in any notation; one recipient in each line"}),
    ("--prices", True, {"metavar": "FILE", "help": "the price of one SMS part for each prefix of numbers; the longest prefix wins; CSV with the columns prefix, price and currency"}),
    ("--max-parts", True, {"type": positive, "metavar": "N", "help": "the maximum number of SMS parts of a message; a longer message makes its row invalid"}),
    ("--duplicates", True, {"choices": ["skip", "send"], "default": "skip", "help": "whether to \"skip\" or \"send\" a row with the same recipient as an earlier row (skip)"}),
    ("--time-zone-column", True, {"metavar": "NAME", "help": "the column with the time zone of a row, which replaces that of the window"}),
    ("--rate", True, {"type": float, "metavar": "N", "help": "the maximum number of rows per second, over all workers"}),
    ("--window", False, {"metavar": "FROM-UNTIL", "help": "the local times of day between which rows are sent, such as 09:00-20:00"}),
    ("--time-zone", False, {"metavar": "ZONE", "help": "the IANA time zone of the window, such as Europe/Athens; UTC when absent"}),
    ("--max-spend", False, {"metavar": "AMOUNT", "help": "the campaign halts before it spends more than this, in the currency of the prices, which it requires"}),
)
