"""The tools: their schemas, their annotations, and what they do. They block, and any thread may run them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice
from tempfile import TemporaryDirectory
from threading import Event
from time import monotonic
from typing import Any, cast
from uuid import uuid4

import cpaas

from .._campaign.campaign import OUTCOMES as ROW_OUTCOMES
from .._campaign.campaign import Campaign
from .._campaign.records import CampaignStatus
from .._client import Client
from .._cpaas import printable
from .._errors import Error, Invalid, Problem
from .._generated.descriptions import DESCRIPTIONS
from .._generated.metadata import OPERATIONS_BY_ID, OperationId
from .._sandbox.sandbox import Sandbox
from .budget import PERIOD, Budget
from .results import KEPT, TAKEN_OVER, crashed, failed, refused, succeeded
from .schemas import Schema, check, closed, string

Arguments = dict[str, Any]

# A tool returns before hosts lose patience, which is usual after 60 seconds.
RUN_SECONDS = 40.0
MAX_ROWS = 1_000
# Passcodes in a body, for its size.
_CODE = "000000"
_OBJECT: Schema = {"type": "object"}
_KEY = string(
    "Names this one message, such as booking-7-reminder. Required, so that a call whose result was lost can be repeated: the same key never "
    "sends twice. Use a new key for a new message, and never a new key to repeat one.",
    maxLength=200,
)


@dataclass(frozen=True, slots=True, repr=False)
class Session:
    """What the tools use: one client, one journal, one budget."""

    client: Client
    journal: str
    budget: Budget
    sandbox: Sandbox | None = None
    countries: list[str] | None = None
    senders: list[str] | None = None
    prices: str | None = None
    # How recipients are read: the setting of the client.
    normalize: str = "international"
    # Whether the client refuses countries or types of numbers.
    has_policy: bool = False
    ending: Event = field(default_factory=Event)
    # The campaigns whose rows this server has checked. Rows never change.
    checked: set[str] = field(default_factory=set[str])

    @property
    def mode(self) -> str:
        return "live" if self.sandbox is None else "sandbox"


@dataclass(frozen=True, slots=True, repr=False)
class Hints:
    """The annotations of a tool in live mode. In the sandbox nothing is irreversible, and no tool reaches the world."""

    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Tool:
    """A tool. `run` returns a record of `results`, without the mode."""

    name: str
    title: str
    description: str
    properties: dict[str, Schema]
    result: Schema
    hints: Hints
    run: Callable[[Session, Arguments], dict[str, Any]]
    optional: tuple[str, ...] = ()
    only_sandbox: bool = False

    def schema(self, session: Session) -> Schema:
        properties = dict(self.properties)
        if session.senders is not None and "from" in properties:
            properties["from"] = {**properties["from"], "enum": session.senders}
        return closed(properties, [name for name in properties if name not in self.optional])


def call(session: Session, tool: Tool, arguments: Any) -> dict[str, Any]:
    """Runs a tool. Every error is a record: nothing is raised, and nothing is logged."""
    has_key = "idempotencyKey" in tool.properties
    try:
        problems = list(check(tool.schema(session), arguments))
        record = refused(problems, has_key=has_key) if problems else tool.run(session, arguments)
        if record["outcome"] == "ok" and not tool.hints.read_only:
            record["processed"] = "yes"
    except Error as error:
        record = failed(error, has_key=has_key)
    except Exception as error:
        record = crashed(error, has_key=has_key)
    return {"mode": session.mode, **record}


def _member(operation: str, name: str) -> Schema:
    return string(DESCRIPTIONS[operation][name])


def _send(
    session: Session,
    operation: OperationId,
    arguments: Arguments,
    cost: Callable[[], tuple[int, Decimal]] | None,
) -> dict[str, Any]:
    """Sends one request under the key of the call, if the rules and the budget permit it."""
    request = {name: value for name, value in arguments.items() if name != "idempotencyKey"}
    key: str = arguments["idempotencyKey"]
    report = session.client.validate(operation, request)
    if not report.ok:
        return refused(report.errors, has_key=True)
    if cost is not None:
        messages, price = cost()
        session.budget.reserve(_counted(session, f"key {key}"), messages=messages, price=price)
    response = session.client.send_once(key, operation, journal=session.journal, **request)
    verdict = {"verified": bool(response)} if operation == "otp.verify" else {}
    return succeeded("accepted", {**verdict, **response.to_dict()}, problems=response.warnings)


def _counted(session: Session, name: str) -> str:
    """The key of the budget for a key or a campaign of the journal. Several journals may share a budget."""
    journal = session.journal.removeprefix("sqlite://")
    return f"{journal if '://' in journal else os.path.realpath(journal)} {name}"


def _cost(session: Session, text: str, to: str) -> tuple[int, Decimal]:
    """The SMS parts of a text and their price."""
    count = cpaas.segments(text).count
    if session.budget.limits.price is None or session.prices is None:
        return count, Decimal(0)
    try:
        found = cpaas.estimate(text, prices=session.prices, to=_number(session, to))
    except cpaas.TextError:
        raise _invalid("/to", "budget.price", "must have a price in the table of prices") from None
    assert found.total is not None  # a price limit permits one currency
    return count, found.total


def _number(session: Session, to: str) -> str:
    """A recipient as the client sends it."""
    return cpaas.normalize_number(to, None if session.normalize == "international" else session.normalize)


def _invalid(pointer: str, code: str, message: str) -> Invalid:
    problem = Problem(pointer=pointer, code=code, severity="error", message=message)
    return Invalid(message, problems=(problem,))


def _send_sms(session: Session, arguments: Arguments) -> dict[str, Any]:
    return _send(session, "sms.send", arguments, lambda: _cost(session, arguments["text"], arguments["to"]))


def _send_passcode(session: Session, arguments: Arguments) -> dict[str, Any]:
    is_call = arguments.get("channel") == "call"
    if is_call and session.budget.limits.price is not None:
        raise _invalid(
            "/channel", "budget.price", "must be sms, because the table of prices has no price of a call"
        )

    def cost() -> tuple[int, Decimal]:
        text = arguments["body"].replace("{code}", _CODE)
        return (1, Decimal(0)) if is_call else _cost(session, text, arguments["to"])

    return _send(session, "otp.send", arguments, cost)


def _verify_passcode(session: Session, arguments: Arguments) -> dict[str, Any]:
    record = _send(session, "otp.verify", arguments, None)
    if record["outcome"] == "accepted":
        verified = record["result"]["verified"]
        record["next"] = (
            f"The passcode is valid. Do not verify it with another key: a passcode is valid once. {KEPT}"
            if verified
            else "The passcode is wrong, expired, cancelled or already used, or, if the code is 404, no passcode has this request id and service. If the person enters another one, verify it with a new key."
        )
    return record


def _lookup(session: Session, arguments: Arguments) -> dict[str, Any]:
    numbers: list[str] = arguments["msisdn"]
    report = session.client.validate("lookup.numbers", {"msisdn": numbers})
    if not report.ok:
        return refused(report.errors, has_key=False)
    session.budget.reserve(f"lookup {uuid4()}", lookups=len(numbers))
    found = session.client.lookup(msisdn=numbers)
    rows = {"numbers": [row.to_dict() for row in found]}
    step = "Done. Another lookup of these numbers is charged again."
    return succeeded("accepted", rows, problems=found.warnings, next_step=step)


def _validate(session: Session, arguments: Arguments) -> dict[str, Any]:
    request: dict[str, Any] = arguments["request"]
    report = session.client.validate(arguments["operation"], request)
    step = "The request is valid; nothing was sent." if report.ok else "Correct the errors; nothing was sent."
    return succeeded("ok", {"valid": report.ok}, problems=report, next_step=step)


def _segments(session: Session, arguments: Arguments) -> dict[str, Any]:
    found = cpaas.segments(arguments["text"])
    members = found.to_dict()
    if found.encoding == "ucs2":
        members["causes"] = cpaas.annotate(arguments["text"])["causes"]
    return succeeded("ok", members)


def _plan(session: Session, arguments: Arguments) -> dict[str, Any]:
    plan = cpaas.plan(*_campaign(arguments), **_settings(session, arguments))
    sendable = f"{plan.valid} of {plan.rows} rows can be sent; nothing was sent or stored."
    refusal = ""
    if session.has_policy and plan.valid:
        with _planned(session, arguments) as campaign:
            refusal = _refusal(session, campaign)
    return succeeded(
        "ok", plan, next_step=f"{sendable}{refusal} Show the plan to the person before you create it."
    )


@contextmanager
def _planned(session: Session, arguments: Arguments) -> Generator[Campaign, None, None]:
    """The campaign in a journal that is removed: its rows have the recipients, which a plan does not have."""
    with TemporaryDirectory(prefix="cpaas-mcp-") as folder:
        rows, settings = _campaign(arguments), _settings(session, arguments)
        with Campaign.create(f"{folder}/plan.db", *rows, name="plan", **settings) as campaign:
            yield campaign


def _refusal(session: Session, campaign: Campaign) -> str:
    """Says how many rows the client will refuse, because their recipients are not of the permitted countries or types."""
    if not session.has_policy:
        return ""
    count = 0
    for row in campaign.rows(outcome="pending"):
        # The journal has canonical numbers, which a region of `normalize` would read as its own.
        requests = [{"to": f"+{to}" if to.isdigit() else to} for to in row["recipients"]]
        reports = session.client.validate("sms.send", requests)
        count += any(problem.code.startswith("policy.") for report in reports for problem in report.errors)
    if not count:
        return ""
    rows = "1 row is" if count == 1 else f"{count} rows are"
    return f" The permitted countries and types of this server will refuse them: {rows} to other numbers."


def _create(session: Session, arguments: Arguments) -> dict[str, Any]:
    operation, rows, template = _campaign(arguments)
    _refuse_senders(session, template, "/template")
    settings = _settings(session, arguments)
    plan = cpaas.plan(operation, rows, template, **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the plan has the same, for the next step
        campaign = Campaign.create(
            session.journal, operation, rows, template, name=arguments["name"], **settings
        )
    with campaign:
        status = campaign.status()
        runs = "campaign_run sends the rows, each at most once."
        step = f"Stored; nothing was sent. {runs if status.pending else 'No row can be sent.'}"
        step += _invalid_rows(plan) + _refusal(session, campaign)
        return succeeded("ok", status, next_step=step)


def _invalid_rows(plan: cpaas.CampaignPlan) -> str:
    """Says which rows are invalid and why, and what is probably a mistake in the template. Neither quotes a value of a row."""
    found: list[str] = []
    for group in plan.problem_groups[:3]:
        rows = "1 row is" if group.count == 1 else f"{group.count} rows are"
        first = ", ".join(map(str, group.rows))
        found.append(f" {rows} invalid (row {first}): {group.pointer}: {group.message} [{group.code}].")
    found += [f" Warning: {warning.pointer}: {warning.message}." for warning in plan.warnings[:3]]
    found += [f" Warning: {note}." for note in plan.notes if plan.valid]
    return "".join(found)


# The members of a message with a channel. Only the channel `sms` has a sender.
_MESSAGE = ("destination", "trafficAccountId", "sms")


def _refuse_senders(session: Session, request: Arguments, place: str) -> None:
    """Refuses a request, or the template of requests, with another sender than those of the server."""
    if session.senders is None:
        return
    path = ["from"]
    if "destination" in request:
        path = ["sms", "sender"]
        for name in request.keys() - {*_MESSAGE}:
            place = f"{place}/{printable(name, 100)}"
            raise _invalid(place, "argument.enum", "must not be present: only the channel sms has a sender")
    sender: Any = request
    for name in path:
        sender = cast("Arguments", sender).get(name) if isinstance(sender, dict) else None
    if sender not in session.senders:
        place = "/".join((place, *path))
        raise _invalid(place, "argument.enum", f"must be one of {', '.join(session.senders)}")


def _campaign(arguments: Arguments) -> tuple[str, list[dict[str, Any]], dict[str, Any]]:
    return arguments.get("operation", "sms.send"), arguments["rows"], arguments["template"]


def _settings(session: Session, arguments: Arguments) -> dict[str, Any]:
    settings: dict[str, Any] = {"normalize": session.normalize}
    names = {"normalize": "normalize", "window": "window", "timeZone": "time_zone"}
    settings.update((names[name], arguments[name]) for name in names if name in arguments)
    if session.prices is not None:
        settings["prices"] = session.prices
    return settings


class _Stopped(Exception):
    """Ends a run after the rows in progress."""


def _run(session: Session, arguments: Arguments) -> dict[str, Any]:
    end = monotonic() + RUN_SECONDS
    with _open(session, arguments) as campaign:
        status = campaign.status()
        if status.state not in ("done", "cancelled"):
            _reserve(session, campaign, status)
            _run_rows(session, campaign, arguments.get("limit", 100), end)
            status = campaign.status()
        return succeeded("ok", status, next_step=_after_run(status))


def _reserve(session: Session, campaign: Campaign, status: CampaignStatus) -> None:
    """Checks the rows of a campaign, which another program may have created, and counts them; once each."""
    key = _counted(session, f"campaign {campaign.name}")
    if campaign.name in session.checked and session.budget.is_counted(key):
        return
    _check_senders(session, campaign, status)
    plan = campaign.plan(prices=session.prices)
    if session.budget.limits.price is not None:
        if plan.unpriced:
            raise _invalid("/name", "budget.price", "must be a campaign whose rows all have a price")
        if sum(share.rows for share in plan.by_encoding.values()) < plan.valid:
            raise _invalid(
                "/name",
                "budget.price",
                "must be a campaign of SMS, because the table of prices has no price of a call or of another channel",
            )
    price = Decimal(plan.total.price or 0)
    session.budget.reserve(key, messages=max(plan.valid, plan.total.parts), price=price)
    session.checked.add(campaign.name)


def _check_senders(session: Session, campaign: Campaign, status: CampaignStatus) -> None:
    """Refuses a campaign that has a row with another sender than those of the server."""
    if session.senders is None:
        return
    sendable = status.rows - status.invalid - status.duplicate - status.suppressed
    if sendable < 1:
        return
    # The recipient is only a placeholder: nothing is sent.
    for message in campaign.test_messages("+306900000000", count=status.rows):
        try:
            _refuse_senders(session, message.request, "/name")
        except Invalid:
            senders = ", ".join(session.senders)
            raise _invalid(
                "/name",
                "argument.enum",
                f"must be a campaign whose rows all have one of the senders {senders}",
            ) from None


def _run_rows(session: Session, campaign: Campaign, limit: int, end: float) -> None:
    stopped = False

    def progress(status: CampaignStatus) -> None:
        nonlocal stopped
        # Once: a second exception would end the rows in progress, which would be unknown.
        if not stopped and (status.waiting or monotonic() > end or session.ending.is_set()):
            stopped = True
            raise _Stopped

    try:
        campaign.run(session.client, limit=limit, concurrency=16, on_progress=progress)
    except _Stopped:
        pass
    except cpaas.CampaignError as error:
        if error.reason != "halted":
            raise


def _after_run(status: CampaignStatus) -> str:
    unknown = (
        f"{status.unknown} rows are unknown: they may have been sent, and only a person decides about them. "
    )
    steps = {
        "done": "All rows have an outcome; campaign_outcomes lists them.",
        "halted": "The campaign halted: a person must correct the cause.",
        "paused": "The campaign is paused.",
        "cancelled": "The campaign is cancelled.",
    }
    waiting = f"It waits {status.waiting}. " if status.waiting else ""
    step = steps.get(
        status.state,
        f"{waiting}{status.pending} rows are pending; call campaign_run again to send them.",
    )
    if status.taken_over_by is not None:
        step = TAKEN_OVER
    return (unknown if status.unknown else "") + step


def _open(session: Session, arguments: Arguments) -> Campaign:
    return Campaign.open(session.journal, arguments["name"])


def _status(session: Session, arguments: Arguments) -> dict[str, Any]:
    with _open(session, arguments) as campaign:
        status = campaign.status()
    return succeeded("ok", status, next_step=_after_run(status))


def _list(session: Session, arguments: Arguments) -> dict[str, Any]:
    # The first send creates the journal.
    try:
        found = Campaign.list(session.journal)
    except cpaas.CampaignError as error:
        if error.reason != "no_journal":
            raise
        found = ()
    return succeeded("ok", {"campaigns": [status.to_dict() for status in found]})


def _outcomes(session: Session, arguments: Arguments) -> dict[str, Any]:
    first, limit = arguments.get("first", 1), arguments.get("limit", 100)
    with _open(session, arguments) as campaign:
        rows = [*islice(campaign.rows(outcome=arguments.get("outcome"), first=first), limit + 1)]
    found: dict[str, Any] = {"rows": rows[:limit]}
    if len(rows) > limit:
        found["nextFirst"] = rows[limit]["row"]
    return succeeded("ok", found)


def _changes(verb: str) -> Callable[[Session, Arguments], dict[str, Any]]:
    def change(session: Session, arguments: Arguments) -> dict[str, Any]:
        with _open(session, arguments) as campaign:
            getattr(campaign, verb)()
            status = campaign.status()
        return succeeded("ok", status, next_step=_after_run(status))

    return change


def _budget(session: Session, arguments: Arguments) -> dict[str, Any]:
    limits, used = session.budget.limits, session.budget.used()
    found: dict[str, Any] = {
        "periodSeconds": PERIOD,
        "countries": session.countries,
        "senders": session.senders,
    }
    for name in ("messages", "lookups", "price"):
        limit = getattr(limits, name)
        left = None if limit is None else max(limit - used[name], 0)
        found[name] = {"limit": limit, "used": used[name], "left": left}
    return succeeded("ok", found)


def _inbox(session: Session, arguments: Arguments) -> dict[str, Any]:
    assert session.sandbox is not None
    found = session.sandbox.messages(to=arguments.get("to"), limit=arguments.get("limit", 20))
    return succeeded("ok", {"messages": [message.to_dict() for message in found]})


_SENDS = Hints(destructive=True, idempotent=True, open_world=True)
_READS = Hints(read_only=True, idempotent=True)
_NAME = string("The name of the campaign.", maxLength=200)
_CAMPAIGN: dict[str, Schema] = {
    "operation": {
        "enum": ["sms.send", "otp.send", "messages.send"],
        "type": "string",
        "description": "The operation of each row; sms.send when absent.",
    },
    "rows": {
        "type": "array",
        "items": _OBJECT,
        "minItems": 1,
        "maxItems": MAX_ROWS,
        "description": 'One object for each recipient, such as {"phone": "306912345678", "name": "Ann"}.',
    },
    "template": {
        "type": "object",
        "description": "The request of each row; its strings use the names of columns, such as "
        '{"from": "Acme", "to": "{{ phone }}", "text": "Hi {{ name }}"}.',
    },
    "normalize": string(
        "international, or a region such as GR whose national numbers are accepted; the setting of the server when absent."
    ),
    "window": string("The local times between which rows are sent, such as 09:00-20:00."),
    "timeZone": string("The time zone of the window, such as Europe/Athens."),
}
_SETTINGS = ("operation", "normalize", "window", "timeZone")
_RECIPIENT = string("The recipient: a number with its country code, such as 306912345678 or +306912345678.")

TOOLS = (
    Tool(
        "sms_send",
        "Send an SMS",
        "Sends one SMS. It cannot be taken back, and it costs money. If the result is lost, repeat the call with the same key and the same "
        "arguments.",
        {
            "idempotencyKey": _KEY,
            "from": _member("sms.send", "from"),
            "to": _RECIPIENT,
            "text": _member("sms.send", "text"),
            "reference": _member("sms.send", "reference"),
        },
        _OBJECT,
        _SENDS,
        _send_sms,
        optional=("reference",),
    ),
    Tool(
        "otp_send",
        "Send a passcode",
        "Sends a one-time passcode. The requestID of the result is required by otp_verify. The person receives the code; this tool "
        "never returns it.",
        {
            "idempotencyKey": _KEY,
            "service": _member("otp.send", "service"),
            "from": _member("otp.send", "from"),
            "to": _RECIPIENT,
            "body": _member("otp.send", "body"),
            "channel": {
                "type": "string",
                "enum": ["sms", "call"],
                "description": DESCRIPTIONS["otp.send"]["channel"],
            },
        },
        _OBJECT,
        _SENDS,
        _send_passcode,
        optional=("channel",),
    ),
    Tool(
        "otp_verify",
        "Verify a passcode",
        "Verifies the code that a person entered. `verified` of the result is the answer. A valid code can be verified once, so repeat "
        "a call whose result was lost with the same key.",
        {
            "idempotencyKey": _KEY,
            "service": _member("otp.verify", "service"),
            "requestId": _member("otp.verify", "requestId"),
            "code": _member("otp.verify", "code"),
        },
        {"type": "object", "properties": {"verified": {"type": "boolean"}}},
        _SENDS,
        _verify_passcode,
    ),
    Tool(
        "lookup",
        "Look up numbers",
        "Returns the network and the country of numbers. The provider charges each lookup, also a repeated one.",
        {"msisdn": {"type": "array", "items": string("A number."), "minItems": 1, "maxItems": 100}},
        {"type": "object", "properties": {"numbers": {"type": "array", "items": _OBJECT}}},
        Hints(open_world=True),
        _lookup,
    ),
    Tool(
        "validate",
        "Validate a request",
        "Checks a request of any operation by the rules of the provider and of this configuration. Sends nothing.",
        {
            "operation": {"type": "string", "enum": list(OPERATIONS_BY_ID)},
            "request": {"type": "object", "description": "The request, with the names of the provider."},
        },
        {"type": "object", "properties": {"valid": {"type": "boolean"}}},
        _READS,
        _validate,
    ),
    Tool(
        "segments",
        "Count SMS parts",
        "Counts the SMS parts of a text, each of which is charged, and names the characters that make it longer. Sends nothing.",
        {"text": {"type": "string", "maxLength": 100_000}},
        {"type": "object", "properties": {"encoding": {"type": "string"}, "count": {"type": "integer"}}},
        _READS,
        _segments,
    ),
    Tool(
        "campaign_plan",
        "Plan a campaign",
        "A dry run of a campaign: rows, problems, SMS parts, price and samples. Sends and stores nothing.",
        _CAMPAIGN,
        _OBJECT,
        _READS,
        _plan,
        optional=_SETTINGS,
    ),
    Tool(
        "campaign_create",
        "Create a campaign",
        "Stores the rows of a campaign in the journal. Sends nothing. If the result is lost, a repeat is refused because the name is taken: "
        "read campaign_status.",
        {"name": _NAME, **_CAMPAIGN},
        _OBJECT,
        Hints(idempotent=True),
        _create,
        optional=_SETTINGS,
    ),
    Tool(
        "campaign_run",
        "Run a campaign",
        "Sends pending rows of a campaign, each at most once, for at most 40 seconds. The whole campaign counts against the budget. Rows that "
        "are unknown are never sent again: only a person decides about them.",
        {
            "name": _NAME,
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_ROWS,
                "description": "At most this many rows; 100 when absent.",
            },
        },
        _OBJECT,
        Hints(destructive=True, open_world=True),
        _run,
        optional=("limit",),
    ),
    Tool(
        "campaign_status",
        "Read the state of a campaign",
        "Returns the state of a campaign and the number of rows by outcome.",
        {"name": _NAME},
        _OBJECT,
        _READS,
        _status,
    ),
    Tool(
        "campaign_outcomes",
        "Read the outcomes of a campaign",
        "Returns the outcome of each row, with its message id and the reason of a failure. `nextFirst` is present if there are more rows.",
        {
            "name": _NAME,
            "outcome": {
                "type": "string",
                "enum": list(ROW_OUTCOMES),
                "description": "Only rows with this outcome.",
            },
            "first": {
                "type": "integer",
                "minimum": 1,
                "description": "The first row, from 1; 1 when absent.",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_ROWS,
                "description": "100 when absent.",
            },
        },
        {"type": "object", "properties": {"rows": {"type": "array", "items": _OBJECT}}},
        _READS,
        _outcomes,
        optional=("outcome", "first", "limit"),
    ),
    Tool(
        "campaign_list",
        "List the campaigns",
        "Returns the state of every campaign of the journal, the oldest first.",
        {},
        {"type": "object", "properties": {"campaigns": {"type": "array", "items": _OBJECT}}},
        _READS,
        _list,
    ),
    Tool(
        "campaign_pause",
        "Pause a campaign",
        "Sends no further row of a campaign, also in runs elsewhere, until it is resumed.",
        {"name": _NAME},
        _OBJECT,
        Hints(idempotent=True),
        _changes("pause"),
    ),
    Tool(
        "campaign_resume",
        "Resume a campaign",
        "Permits a campaign that was paused or halted to run. Sends nothing itself; campaign_run does.",
        {"name": _NAME},
        _OBJECT,
        Hints(idempotent=True),
        _changes("resume"),
    ),
    Tool(
        "campaign_cancel",
        "Cancel a campaign",
        "Ends a campaign: rows that were not sent are never sent. It cannot be undone.",
        {"name": _NAME},
        _OBJECT,
        Hints(destructive=True, idempotent=True),
        _changes("cancel"),
    ),
    Tool(
        "budget",
        "Read the budget",
        "Returns the limits of this server, what is left of them within 24 hours, and the permitted countries and senders.",
        {},
        _OBJECT,
        _READS,
        _budget,
    ),
    Tool(
        "sandbox_inbox",
        "Read the phones of the sandbox",
        "Returns the messages that the phones of the sandbox received, with their passcodes. Exists in the sandbox only.",
        {
            "to": string("Only messages to this number, digits only."),
            "limit": {"type": "integer", "minimum": 1, "maximum": 100},
        },
        {"type": "object", "properties": {"messages": {"type": "array", "items": _OBJECT}}},
        _READS,
        _inbox,
        optional=("to", "limit"),
        only_sandbox=True,
    ),
)


def tools_of(session: Session) -> dict[str, Tool]:
    """The tools of a server, by their names."""
    return {tool.name: tool for tool in TOOLS if session.sandbox is not None or not tool.only_sandbox}
