"""The command `cpaas mcp`: a server of the Model Context Protocol for agents."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from typing import Any

import cpaas

from .._campaign.campaign import Campaign
from .._campaign.files import read_prices
from .._mcp.budget import Budget, Limits
from .._mcp.tools import Session
from .campaign import journal_address
from .output import USAGE
from .terminal import columns, positive, tell

DESCRIPTION = """Serves the tools of this package to an agent over standard input and output (Model Context Protocol). Without --live,
everything happens in a sandbox: nothing reaches a phone. Needs the extra `mcp`. docs/mcp.md has examples."""
# What a live server permits within 24 hours unless a switch says otherwise.
MESSAGES = 100
LOOKUPS = 100
# The settings of the environment that apply in the sandbox too: they only refuse or rewrite.
_POLICY = ("CPAAS_ALLOW_COUNTRIES", "CPAAS_ALLOW_TYPES", "CPAAS_NORMALIZE")


def add_switches(add: Callable[..., Any]) -> None:
    """Adds the switches to the parser of `cpaas mcp`."""
    add(
        "--live",
        action="store_true",
        help="send real messages with the configuration of the environment (CPAAS_SMS_URL, CPAAS_SMS_KEY, …); needs a journal",
    )
    add(
        "--journal",
        metavar="URL",
        help="where keys and campaigns are stored: a path or postgres://… without a password (the variable CPAAS_JOURNAL)",
    )
    add(
        "--allow-countries",
        type=columns,
        metavar="GR,CY",
        help="send only to numbers of these countries (the variable CPAAS_ALLOW_COUNTRIES)",
    )
    add(
        "--sender",
        action="append",
        metavar="NAME",
        help="send only with this sender; repeatable",
    )
    add(
        "--max-messages",
        type=positive,
        metavar="N",
        help=f"at most N SMS parts within 24 hours ({MESSAGES} with --live)",
    )
    add(
        "--max-lookups",
        type=positive,
        metavar="N",
        help=f"look up at most N numbers within 24 hours ({LOOKUPS} with --live)",
    )
    add(
        "--max-price",
        type=_amount,
        metavar="AMOUNT",
        help="messages for at most this amount within 24 hours, in the currency of --prices",
    )
    add(
        "--prices",
        metavar="FILE",
        help="CSV with the columns prefix, price and currency; the price of a part",
    )
    add(
        "--budget",
        metavar="FILE",
        help="the file that counts messages, lookups and price; the journal's name and -budget",
    )


def _amount(text: str) -> Decimal:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise ValueError from None
    if not amount.is_finite() or amount <= 0:
        raise ValueError
    return amount


_amount.__name__ = "positive amount"  # for the error messages of argparse


def run(options: Any) -> int:
    """Serves until the client leaves."""
    if options.live:
        options.journal = journal_address(options)
    refusal = _refusal(options)
    if refusal is not None:
        tell(f"cpaas: mcp: {refusal}")
        return USAGE
    prices = options.prices = read_prices(options.prices)
    if prices is not None and options.max_price is not None:
        _refuse_currencies(prices)
    try:
        # An extra, which loads 100 modules.
        from .._mcp.server import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types", "anyio"):
            raise
        raise ImportError(
            "cpaas mcp needs version 2 of the MCP SDK, the extra `mcp` of this package: pip install './python[mcp]' in a clone, or "
            "pip install 'FILE.whl[mcp]' with the file of the wheel"
        ) from None
    with _live(options) if options.live else _sandbox(options) as session:
        return serve(session, tell)


def _refusal(options: Any) -> str | None:
    if options.max_price is not None and options.prices is None:
        return "--max-price needs --prices"
    if options.live:
        if options.budget is None and "://" in _file(options.journal):
            return "--budget FILE must be given, because the journal is not a file"
        return None
    given = [name for name in ("journal", "budget") if getattr(options, name) is not None]
    return f"--{given[0]} needs --live: the sandbox forgets everything at its end" if given else None


def _refuse_currencies(prices: str) -> None:
    """Refuses a table of prices that one amount cannot limit."""
    found = cpaas.plan("sms.send", (), {"from": "1", "to": "1", "text": "1"}, prices=prices)
    if not found.currency:
        raise ValueError("--max-price needs --prices with one currency")


def _limits(options: Any) -> Limits:
    messages, lookups = options.max_messages, options.max_lookups
    if options.live:
        messages, lookups = messages or MESSAGES, lookups or LOOKUPS
    return Limits(messages=messages, lookups=lookups, price=options.max_price)


def _settings(options: Any) -> dict[str, Any]:
    """The settings of the client beside those of the environment."""
    settings: dict[str, Any] = {"guard": cpaas.Guard()}
    if options.allow_countries:
        settings["allow_countries"] = options.allow_countries
    if not os.environ.get("CPAAS_NORMALIZE"):
        settings["normalize"] = "international"
    return settings


def _session(options: Any, client: cpaas.Client, journal: str, budget: str, **more: Any) -> Session:
    return Session(
        client,
        journal,
        Budget(budget, _limits(options)),
        countries=_countries(options),
        senders=options.sender,
        prices=options.prices,
        normalize=os.environ.get("CPAAS_NORMALIZE") or "international",
        has_policy=bool(_countries(options) or os.environ.get("CPAAS_ALLOW_TYPES")),
        **more,
    )


def _countries(options: Any) -> list[str] | None:
    named = os.environ.get("CPAAS_ALLOW_COUNTRIES")
    return options.allow_countries or (json.loads(named) if named else None)


@contextmanager
def _sandbox(options: Any) -> Generator[Session, None, None]:
    # No address and no key of the environment: a region, for example, has an address of its own.
    for name in [name for name in os.environ if name.startswith("CPAAS_") and name not in _POLICY]:
        del os.environ[name]
    with (
        tempfile.TemporaryDirectory(prefix="cpaas-mcp-") as folder,
        cpaas.Sandbox() as sandbox,
        sandbox.client(**_settings(options)) as client,
    ):
        yield _session(options, client, f"{folder}/sandbox.db", f"{folder}/budget", sandbox=sandbox)


@contextmanager
def _live(options: Any) -> Generator[Session, None, None]:
    journal: str = options.journal
    _check(journal)
    with cpaas.Client(**_settings(options)) as client:
        yield _session(options, client, journal, options.budget or f"{_file(journal)}-budget")


def _check(journal: str) -> None:
    """Raises the exception of a journal that cannot be used. A new one is created by the first tool that writes to it."""
    try:
        Campaign.list(journal)
    except cpaas.CampaignError as error:
        if error.reason != "no_journal":
            raise


def _file(journal: str) -> str:
    return journal.removeprefix("sqlite://")
