# Generated from `campaign/src/settings.rs`: `cargo run -p codegen` rewrites it.
"""The settings of campaigns as switches of `cpaas campaign`."""

from __future__ import annotations

from typing import Any

from .._cli.terminal import columns, number, positive

# The switch, and the arguments of `add_argument`.
SWITCHES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("--suppress", {"metavar": "FILE", "help": "recipients that get no message; numbers in any notation; one recipient in each line, or a table with a column of recipients"}),
    ("--column", {"metavar": "NAME", "help": "the column of the suppression list with the recipients, by its name or its number from 1"}),
    ("--lenient", {"action": "store_true", "help": "whether unreadable lines of the suppression list are skipped"}),
    ("--encoding", {"metavar": "NAME", "help": "the encoding of the suppression list, of the file of prices and of the rows as CSV, such as windows-1252"}),
    ("--prices", {"metavar": "FILE", "help": "the price of one SMS part for each prefix of numbers; the longest prefix wins; CSV with the columns prefix, price and currency"}),
    ("--max-parts", {"type": positive, "metavar": "N", "help": "the maximum number of SMS parts of a message; a longer message makes its row invalid"}),
    ("--duplicates", {"choices": ["skip", "send"], "default": "skip", "help": "whether to \"skip\" or \"send\" a row with the same recipient as an earlier row (skip)"}),
    ("--time-zone-column", {"metavar": "NAME", "help": "the column with the time zone of a row, which replaces that of the window"}),
    ("--frequency-cap", {"metavar": "N/TIME", "help": "at most N messages to a recipient within a time, such as 2/7d"}),
    ("--keep", {"type": columns, "action": "extend", "metavar": "COLUMNS", "help": "columns of the rows that are stored with them and exported with their outcomes"}),
    ("--normalize", {"metavar": "REGION", "help": "recipients are sent as digits with their country code: \"international\", or a region such as GR whose national form they may have"}),
    ("--time-zone", {"metavar": "ZONE", "help": "the IANA time zone of the window and of the start, such as Europe/Athens; UTC when absent"}),
    ("--start-at", {"metavar": "TIME", "help": "no row is sent before this time: RFC 3339 such as 2026-12-01T09:00:00Z, or a local time such as 2026-12-01T09:00 in the time zone"}),
    ("--rate", {"type": number, "metavar": "N", "help": "the maximum number of rows per second, over all workers"}),
    ("--window", {"metavar": "FROM-UNTIL", "help": "the local times of day between which rows are sent, such as 09:00-20:00"}),
    ("--concurrency", {"type": positive, "metavar": "N", "help": "the maximum number of rows in progress in each worker"}),
    ("--max-spend", {"metavar": "AMOUNT", "help": "the campaign halts before it spends more than this, in the currency of the prices, which it requires"}),
)

# The switches of settings that can be changed while a campaign runs.
CHANGING = ("--rate", "--window", "--concurrency", "--max-spend")
