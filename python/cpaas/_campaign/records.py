"""The records of campaigns: status, plan and resolution.

`__module__` names the module that users import. Annotations of classes are therefore no strings: `typing.get_type_hints` would
evaluate strings in that module.
"""

from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any, Literal

from .._cpaas import printable, to_json
from .._generated.names import CampaignState, StopReason, TestOutcome
from .._public import public_methods
from .._records import Model

# The explanation of each `reason` of a campaign.
HALTED: dict[StopReason, str] = {
    "setup": "three requests in a row failed because of the key or the address; correct them, then resume the campaign",
    "max_spend": "the maximum spend is reached; raise it with `set` (--max-spend), then resume the campaign",
    "outage": "the provider failed or could not be reached for too long; resume the campaign when it works again",
    "lost_commits": "a delivery report names a row that no worker has claimed: the journal has lost commits",
    "lost_commits_acknowledged": "the journal has lost commits, which was acknowledged; resume the campaign",
    "restored": "the campaign was being created when the journal was restored",
}


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False, match_args=False)
class _Record(Model):
    """A record whose `to_dict` contains every member."""

    def to_dict(self, *, by: Literal["wire", "python"] = "python") -> dict[str, Any]:
        """Returns all members as a dict, by the names of the attributes.

        Args:
            by: Has no effect, because the specification has no names for the members.
        """
        members = {name: getattr(self, name) for name in self._fields}
        return {name: _plain(value) for name, value in members.items()}


def _counted(count: int, noun: str) -> str:
    """A number and its noun, such as `1 row` and `2 rows`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value.to_dict() if isinstance(value, Model) else value


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class SuppressionSummary(_Record):
    """What was read of a suppression list.

    Attributes:
        read: Recipients that were read.
        unreadable: Lines without a recipient that can be read.
        lines: The first 20 of these lines, from 1.
        unassigned: Numbers of these that were read, that have neither `+` nor `00`, and that no country has assigned: they are
            probably national numbers, and protect nobody. 0 with a region in `normalize`.
        column: The name of the column that was read; None for a list without a header.
    """

    __module__ = "cpaas"
    _names = ("read", "unreadable", "lines", "unassigned", "column")
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names)

    read: int
    unreadable: int
    lines: tuple[int, ...] = ()
    unassigned: int = 0
    column: str | None = None

    def __str__(self) -> str:
        column = "" if self.column is None else f" from the column `{printable(self.column)}`"
        found = f"suppression: {self.read:,} read{column}, {self.unreadable:,} unreadable"
        if self.lines:
            more = self.unreadable - len(self.lines)
            named = ", ".join(map(str, self.lines)) + (f" and {more:,} more" if more else "")
            found += f" ({'line' if self.unreadable == 1 else 'lines'} {named})"
        if self.unassigned:
            verb, protect = ("is", "it protects") if self.unassigned == 1 else ("are", "they protect")
            found += (
                f"; {self.unassigned:,} of the numbers that were read {verb} not assigned in any country; "
                f"without a country code {protect} nobody: set `normalize` to a region"
            )
        return found


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class CampaignStatus(_Record):
    """The state of a campaign. The counts from `accepted` to `cancelled` always add up to `rows`.

    Attributes:
        name: The name of the campaign.
        state: "creating", "created", "running" (a worker lives), "stopped" (rows are left and no worker lives), "paused",
            "halted", "cancelled" or "done": `cpaas.types.CampaignState`.
        reason: Why the campaign halted: "setup", "max_spend", "outage", "lost_commits" or "lost_commits_acknowledged"; "restored" if
            it was being created when the journal was restored: `cpaas.types.StopReason`.
        rows: All rows.
        accepted: Rows that the provider accepted.
        rejected: Rows that the provider rejected.
        invalid: Rows that break a rule.
        suppressed: Rows with a suppressed recipient.
        duplicate: Rows with the same recipient as an earlier row.
        unknown: Rows that may have been sent and have no stored outcome. They are never sent again without `resolve`.
        pending: Rows that will be sent, including those that wait for another attempt.
        in_flight: Rows without an outcome that a worker has claimed, as long as the worker may be running.
        cancelled: Rows of a cancelled campaign that were not sent.
        attempts: How often workers claimed a row, over all rows. A claim is not a message: a row that was claimed and not sent is
            claimed again.
        rate: The maximum number of rows per second.
        window: The local times of day between which rows are sent, such as "09:00-20:00".
        concurrency: The maximum number of rows in progress in each worker; None when each run has its own.
        start_at: The moment before which no row is sent, in RFC 3339.
        spend: The price of all rows that were sent or may have been sent, as a decimal number; None if the prices are in several
            currencies.
        max_spend: The maximum spend, as a decimal number; None without one.
        currency: The currency of the prices; None without prices, or if they are in several currencies.
        parts: The SMS parts of all rows that can be sent.
        waiting: Why no row is sent now, such as "until 09:00 Europe/Athens": when the send window opens first in one of the time zones
            of the rows.
        last_error: The reason of the last row that failed because of the provider or of the way to it, or that a store of the client
            refused for now (`suppression.unavailable`, `guard.…`); None when rows are accepted again.
        suppression: What was read of the suppression list; None without one.
        workers: Workers that may live. A worker elsewhere counts until it was silent for a minute.
        workers_here: The workers of these that live on this machine.
        rate_last_minute: Rows per second that got an outcome in the last minute; None if nobody ran the campaign in that time.
        ends_at: When no row is left at the rate of the last minute, in UTC, with the time during which the send window is closed;
            of rows in several time zones, each zone counts as having as many. None if no worker lives or no row got an outcome.
        files: The files that contain the journal now, without its lock file. If there is more than one, they belong together.
        taken_over_by: The place of the restored copy of the journal that took the campaign over, as far as this machine knows: this
            journal sends none of its rows, and `pause`, `cancel`, `set` and `suppress` do not reach that copy. None if no other copy
            took it over.
    """

    __module__ = "cpaas"
    _names = (
        "name",
        "state",
        "reason",
        "rows",
        "accepted",
        "rejected",
        "invalid",
        "suppressed",
        "duplicate",
        "unknown",
        "pending",
        "in_flight",
        "cancelled",
        "attempts",
        "rate",
        "window",
        "concurrency",
        "start_at",
        "spend",
        "max_spend",
        "currency",
        "parts",
        "waiting",
        "last_error",
        "suppression",
        "workers",
        "workers_here",
        "rate_last_minute",
        "ends_at",
        "files",
        "taken_over_by",
    )
    _fields = {name: (name, SuppressionSummary if name == "suppression" else None) for name in _names}
    _shown = frozenset(_names)

    name: str
    state: CampaignState
    reason: StopReason | None = None
    rows: int
    accepted: int
    rejected: int
    invalid: int
    suppressed: int
    duplicate: int
    unknown: int
    pending: int
    in_flight: int
    cancelled: int
    attempts: int
    rate: float | None = None
    window: str | None = None
    concurrency: int | None = None
    start_at: str | None = None
    spend: str | None
    max_spend: str | None = None
    currency: str | None = None
    parts: int
    waiting: str | None = None
    last_error: str | None = None
    suppression: SuppressionSummary | None = None
    workers: int = 0
    workers_here: int = 0
    rate_last_minute: float | None = None
    ends_at: str | None = None
    files: tuple[str, ...] = ()
    taken_over_by: str | None = None

    def __str__(self) -> str:
        state = self.state + (f" ({self.reason})" if self.reason else "")
        state += f", {self.obstacle}" if self.obstacle else ""
        counts = (f"{name:<10} {getattr(self, name):>12,}" for name in self._names[3:13])
        spend = f"{self.spend} {self.currency or ''}".strip() if self.spend else "several currencies"
        most = "" if self.max_spend is None else f", at most {self.max_spend} {self.currency or ''}".rstrip()
        lines = (
            f"attempts   {self.attempts:>12,} (claims of rows, sent or not)",
            f"parts      {self.parts:>12,}",
            f"spend      {spend:>12}{most}",
        )
        shown = {
            "window": self.window,
            "concurrency": self.concurrency,
            "start_at": self.start_at,
        }
        settings = (f"{name:<11} {value:>11}" for name, value in shown.items() if value is not None)
        read = () if self.suppression is None else (str(self.suppression),)
        return "\n".join(
            (f"{printable(self.name, 200)}: {state}", *counts, *lines, *self._work(), *settings, *read)
        )

    def _work(self) -> list[str]:
        """What the workers do, and what they leave."""
        elsewhere = self.workers - self.workers_here
        places = f" ({self.workers_here:,} on this machine, {elsewhere:,} elsewhere)" if self.workers else ""
        lines = [f"workers    {self.workers:>12,}{places}"]
        most = "" if self.rate is None else f"{self.rate:,g} rows/s"
        if self.rate_last_minute is not None:
            limit = f", at most {most}" if most else ""
            lines.append(f"rate       {self.rate_last_minute:>12,.1f} rows/s in the last minute{limit}")
        elif most:
            lines.append(f"rate       at most {most}")
        if self.ends_at is not None:
            lines.append(f"ends at    {self.ends_at} at this rate")
        if self.waiting and self.last_error:
            lines.append(f"last error {self.last_error}")
        if len(self.files) > 1:
            names = " and ".join(printable(file, 200) for file in self.files)
            lines.append(f"files      {names} belong together; `cpaas campaign backup` copies them")
        return lines

    @property
    def obstacle(self) -> str:
        """Why no row is sent, or why the last one failed; empty if there is no such reason."""
        if self.taken_over_by is not None:
            return f"taken over by the restored copy {printable(self.taken_over_by, 200)}"
        if self.waiting:
            return f"{'waiting' if self.state == 'running' else 'a run would wait'} {self.waiting}"
        return f"last error: {self.last_error}" if self.last_error else ""


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class PlanShare(_Record):
    """The rows, parts and price of one prefix, currency or encoding.

    Attributes:
        rows: The number of rows.
        parts: The number of parts.
        price: The price, as decimal text; None if it is in several currencies.
        currency: The currency; None if there are several, or if no row has a price.
    """

    __module__ = "cpaas"
    _names = ("rows", "parts", "price", "currency")
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names)

    rows: int
    parts: int
    price: str | None
    currency: str | None = None


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class RowProblem(_Record):
    """An error or a warning about a row.

    Attributes:
        row: The number of the row, from 1.
        line: The line of the file in which the row begins, from 1; None if the rows are not those of a file.
        pointer: The member of the request, as a JSON pointer.
        code: The code of the rule.
        message: What is expected, then what was found.
        kept: The columns of the row that the campaign keeps.
        id: Your key of the row, if `plan` has the argument `id`.
    """

    __module__ = "cpaas"
    _names = ("row", "line", "pointer", "code", "message", "kept", "id")
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names) - {"kept", "id"}

    row: int
    line: int | None = None
    pointer: str
    code: str
    message: str
    kept: dict[str, Any] = field(default_factory=dict)
    id: Any = None

    def __str__(self) -> str:
        place = printable(self.pointer or "the request", 200)
        row = _named_row(self.row, self.line, self.id)
        return f"row {row}, {place}: {printable(self.message)} [{self.code}]"


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class ProblemGroup(_Record):
    """The errors with one code.

    Attributes:
        code: The code of the rule.
        count: The number of errors.
        rows: The first three rows, from 1.
        lines: The lines of the file in which these rows begin; empty if the rows are not those of a file.
        ids: Your keys of these rows, if `plan` has the argument `id`.
        pointer: The member of the first row, as a JSON pointer.
        message: The message of the first row.
    """

    __module__ = "cpaas"
    _names = ("code", "count", "rows", "lines", "ids", "pointer", "message")
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names) - {"ids"}

    code: str
    count: int
    rows: tuple[int, ...]
    lines: tuple[int, ...] = ()
    ids: tuple[Any, ...] = ()
    pointer: str
    message: str

    def __str__(self) -> str:
        lines, ids = chain(self.lines, repeat(None)), chain(self.ids, repeat(None))
        rows = ", ".join(map(_named_row, self.rows, lines, ids))
        more = ", …" if self.count > len(self.rows) else ""
        named = f"row {rows}" if self.count == 1 else f"{self.count:,} problems (rows {rows}{more})"
        place = printable(self.pointer or "the request", 200)
        return f"{named}, {place}: {printable(self.message)} [{self.code}]"


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class CampaignPlan(_Record):
    """The plan of a campaign. Nothing is sent.

    Attributes:
        rows: All rows.
        valid: Rows that would be sent.
        invalid: Rows that break a rule.
        duplicate: Rows with the same recipient as an earlier row.
        suppressed: Rows with a suppressed recipient, including those of the frequency cap.
        frequency_capped: Rows that the frequency cap suppresses.
        recently_contacted: Rows that break no rule, and with a recipient that had a message of an earlier campaign of the journal
            within `recent_seconds`; None without a journal.
        recent_seconds: The time of `recently_contacted`: that of the frequency cap, or 30 days.
        problems: The first 1,000 problems.
        problem_count: The number of all problems.
        problem_groups: All problems by their codes and messages: count and first three rows.
        warnings: At most 1,000 warnings about the requests of valid rows: for each member and
            rule only the first row that has the warning.
        total: Rows, parts and price of everything that would be sent.
        by_encoding: Rows, parts and price for each encoding: "gsm7" and "ucs2".
        by_prefix: Rows, parts and price for each prefix of the prices; "" contains the rows without a price.
        by_currency: For each currency, the rows with a recipient whose price is in it, and the parts and the price of these
            recipients; empty for a campaign that was created, without new prices.
        currency: The currency of all prices or of all rows; None without prices, or if there are several.
        duration: The duration of the campaign at the rate, in seconds; None without a rate. With a send window it begins when the
            window is open for the first time after the start, and includes the times in which the window is closed, for each row in
            its own time zone; None for more than two years.
        reports_settle: Whether delivery reports can settle rows whose outcome is unknown.
        digest: SHA-256 of the file, for `Campaign.create(digest=…)`.
        samples: The first three requests that would be sent.
        unpriced: The number of rows with a recipient without a price, by the first three digits of the number; "" for a recipient
            that is not a number. Duplicates and suppressed rows are not counted.
        exceeds_max_spend: Whether the price of all rows exceeds the maximum spend, so that the campaign would halt.
        header: The columns of the rows; None for rows without a header.
        suppression: What was read of the suppression list; None without one.
        notes: What you should know about the rows that would be sent, such as empty cells. The notes quote no cell.
        window: The local times of day between which rows are sent, such as "09:00-20:00".
        time_zone: The time zone of the window and of the start: "UTC" if the campaign has none.
        start_at: The moment before which no row is sent, in RFC 3339.
    """

    __module__ = "cpaas"
    _names = (
        "rows",
        "valid",
        "invalid",
        "duplicate",
        "suppressed",
        "frequency_capped",
        "recently_contacted",
        "recent_seconds",
        "problems",
        "problem_count",
        "problem_groups",
        "warnings",
        "total",
        "by_encoding",
        "by_prefix",
        "by_currency",
        "currency",
        "duration",
        "reports_settle",
        "digest",
        "samples",
        "unpriced",
        "exceeds_max_spend",
        "header",
        "suppression",
        "notes",
        "window",
        "time_zone",
        "start_at",
    )
    _fields = {name: (name, SuppressionSummary if name == "suppression" else None) for name in _names}
    _shown = frozenset(_names) - {"problems", "problem_groups", "warnings", "samples", "notes"}

    rows: int
    valid: int
    invalid: int
    duplicate: int
    suppressed: int
    frequency_capped: int = 0
    recently_contacted: int | None = None
    recent_seconds: int | None = None
    problems: tuple[RowProblem, ...]
    problem_count: int
    problem_groups: tuple[ProblemGroup, ...]
    warnings: tuple[RowProblem, ...]
    total: PlanShare
    by_encoding: dict[str, PlanShare]
    by_prefix: dict[str, PlanShare]
    by_currency: dict[str, PlanShare] = field(default_factory=dict)
    currency: str | None = None
    duration: float | None = None
    reports_settle: bool
    digest: str | None = None
    samples: tuple[dict[str, Any], ...] = ()
    unpriced: dict[str, int]
    exceeds_max_spend: bool = False
    header: tuple[str, ...] | None = None
    suppression: SuppressionSummary | None = None
    notes: tuple[str, ...] = ()
    window: str | None = None
    time_zone: str = "UTC"
    start_at: str | None = None

    def __str__(self) -> str:
        price = f"{self.total.price} {self.currency}" if self.currency else "no prices"
        if self.total.price is None:
            sums = [f"{share.price} {currency}" for currency, share in self.by_currency.items()]
            price = " + ".join(sums) or "prices in several currencies"
        lines = [
            f"{self.rows:,} rows: {self.valid:,} valid, {self.invalid:,} invalid, {self.duplicate:,} duplicate, "
            f"{self.suppressed:,} suppressed",
            f"{self.total.parts:,} parts, {price}",
        ]
        if self.header is not None:
            lines.insert(0, f"columns: {', '.join(printable(name, 200) for name in self.header)}")
        if self.suppression is not None:
            lines.append(str(self.suppression))
        if self.frequency_capped:
            lines.append(f"{self.frequency_capped:,} of the suppressed rows have reached the frequency cap")
        if self.recently_contacted is not None:
            rows = "1 row is" if self.recently_contacted == 1 else f"{self.recently_contacted:,} rows are"
            within = _days(self.recent_seconds or 0)
            lines.append(
                f"{rows} already in an earlier campaign of this journal (same recipient within {within})"
            )
        for name, share in self.by_encoding.items():
            lines.append(f"  {name}: {share.rows:,} rows, {share.parts:,} parts")
        for prefix, share in self.by_prefix.items():
            counted = f"{share.rows:,} rows, {share.parts:,} parts"
            priced = f"  +{prefix}: {counted}, {share.price} {share.currency or self.currency or ''}"
            lines.append(priced.rstrip() if prefix else f"  no price: {counted}")
        if self.unpriced:
            count = sum(self.unpriced.values())
            named = ", ".join(
                f"+{prefix}… ({rows:,})" if prefix else f"not a number ({rows:,})"
                for prefix, rows in [*self.unpriced.items()][:20]
            )
            lines.append(f"{count:,} {'row has' if count == 1 else 'rows have'} no price: {named}")
        if self.exceeds_max_spend:
            lines.append("the price exceeds the maximum spend: the campaign would halt")
        lines.extend(f"example: {printable(to_json(sample), 2000)}" for sample in self.samples)
        if self.duration is not None:
            lines.append(f"{clock(self.duration)} at the rate")
        if self.window is not None:
            lines.append(f"window {self.window} {printable(self.time_zone, 200)}")
        if self.start_at is not None:
            lines.append(f"no row is sent before {self.start_at}")
        lines.append(f"delivery reports {'can' if self.reports_settle else 'cannot'} settle unknown rows")
        lines.extend(f"warning: {printable(note)}" for note in self.notes)
        lines.extend(f"warning: {warning}" for warning in self.warnings)
        lines.extend(map(str, self.problem_groups))
        if self.digest:
            lines.append(f"digest {self.digest}")
        return "\n".join(lines)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class CampaignResolution(_Record):
    """The result of `Campaign.resolve`.

    Attributes:
        resolved: Rows that got an outcome, and rows that a report proved to be accepted.
        overridden: The resolved rows that were stored as not sent or rejected before a report proved them to be accepted.
        known: Reports of rows that were already accepted.
        foreign: Reports of messages that are not of this campaign. They change nothing.
        impossible: Reports of rows that no worker has claimed: the journal has lost commits, and the campaign is halted until
            `Campaign.resume(acknowledge_lost_commits=True)`.
        without_reference: Reports without a reference.
        unknown_states: Reports of rows whose delivery state is none of the provider's. They prove acceptance, but their state is not stored.
        without_state: Reports of rows without a delivery state. They prove acceptance.
        owner_alive: Rows that stay unknown because their worker runs on this machine.
        owner_elsewhere: Rows that stay unknown because their worker may run on another machine, or because the journal is a restored copy,
            and its original may send them.
        too_recent: Rows that stay unknown because they were claimed, or the campaign was taken over, less than six minutes ago.
        taken_over: Whether this call took the campaign over: the original and all other copies of the journal are refused it on this
            machine.
    """

    __module__ = "cpaas"
    _names = (
        "resolved",
        "overridden",
        "known",
        "foreign",
        "impossible",
        "without_reference",
        "unknown_states",
        "without_state",
        "owner_alive",
        "owner_elsewhere",
        "too_recent",
        "taken_over",
    )
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names)

    resolved: int
    overridden: int
    known: int
    foreign: int
    impossible: int
    without_reference: int
    unknown_states: int = 0
    without_state: int = 0
    owner_alive: int = 0
    owner_elsewhere: int = 0
    too_recent: int = 0
    taken_over: bool = False

    def __str__(self) -> str:
        counts = (
            (self.overridden, "of them {was} stored as not sent or rejected"),
            (self.known, "{report} of rows that already counted as accepted"),
            (self.foreign, "{report} of messages that are not of this campaign"),
            (self.impossible, "{report} of rows that no worker has claimed"),
            (self.without_reference, "{report} without a reference"),
            (
                self.unknown_states,
                "{report} with a delivery state that the provider does not have, which is not stored",
            ),
            (self.without_state, "{report} without a delivery state"),
        )
        words = ({"was": "were", "report": "reports"}, {"was": "was", "report": "report"})
        found = [f"{count:,} {text.format(**words[count == 1])}" for count, text in counts if count]
        return ", ".join((f"{self.resolved:,} resolved", *found))

    @property
    def notes(self) -> tuple[str, ...]:
        """Why rows were not resolved, and what to do, and whether the campaign was taken over; one sentence each."""
        taken_over = "this journal has taken the campaign over: this machine refuses it in every other copy"
        unresolved = tuple(
            f"{'1 row' if count == 1 else f'{count:,} rows'} {text}"
            for count, text in (
                (self.owner_alive, "not resolved: the worker runs on this machine; stop it first"),
                (
                    self.owner_elsewhere,
                    "not resolved: a worker on another machine, or the journal from which this one was restored, may send "
                    "them; stop all of these and use --owners-stopped",
                ),
                (self.too_recent, "not resolved: claimed, or taken over, less than six minutes ago"),
            )
            if count
        )
        return (*((taken_over,) if self.taken_over else ()), *unresolved)


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class CampaignTestMessage(_Record):
    """A message of `Campaign.test`.

    Attributes:
        row: The row whose request is sent, from 1.
        to: The recipient that replaces those of the row.
        request: The request as it is sent.
        outcome: "accepted", "rejected", "invalid", "not_sent", "suppressed" or "unknown"; None before it was sent.
        reason: The reason of an outcome other than "accepted", as text: see `Campaign.rows`.
        message: The cause of an outcome other than "accepted" and what to do, in words, without number, text, code and key.
        message_id: The provider's id of the message.
    """

    __module__ = "cpaas"
    _names = ("row", "to", "request", "outcome", "reason", "message", "message_id")
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names) - {"to", "request"}

    row: int
    to: str
    request: dict[str, Any]
    outcome: TestOutcome | None = None
    reason: str | None = None
    message: str | None = None
    message_id: str | None = None

    def __str__(self) -> str:
        ended = " ".join(filter(None, (self.outcome, self.reason, self.message_id)))
        shown = [f"row {self.row} to {printable(self.to, 200)}", printable(ended, 200), self.message]
        return ": ".join(filter(None, shown))


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class CampaignRestore(_Record):
    """The result of `Campaign.mark_restored`.

    Attributes:
        campaigns: Campaigns with rows that became unknown.
        unknown: Rows of campaigns that became unknown, with `rejected`.
        rejected: Rows that were rejected for a reason that `retry` accepts. They became unknown, because
            they may have been retried since the backup.
        cancelled: Campaigns that were being created, and are cancelled now. Their names stay taken.
        keys: Keys of `send_once` whose message became unknown.
        accepts_keys: Whether `send_once` accepts new keys.
        lost_suppressions: For each campaign whose table of suppressed recipients lacks some that the journal knew, their number. It is not run
            until they are suppressed again. Recipients that were suppressed after the backup are not known at all. Suppress both again
            before the unknown rows are resolved.
    """

    __module__ = "cpaas"
    _names = ("campaigns", "unknown", "rejected", "cancelled", "keys", "accepts_keys", "lost_suppressions")
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names)

    campaigns: int
    unknown: int
    rejected: int
    cancelled: int
    keys: int
    accepts_keys: bool
    lost_suppressions: dict[str, int]

    def __str__(self) -> str:
        keys = "accepted" if self.accepts_keys else "refused until `restored --forget-keys`"
        rejected = (
            f" ({self.rejected:,} were rejected, and may have been retried since)" if self.rejected else ""
        )
        lost = "".join(
            f"\nsuppress these again before anything is sent: {_counted(count, 'recipient')} of {printable(name, 200)}"
            for name, count in self.lost_suppressions.items()
        )
        campaigns = _counted(self.campaigns, "campaign")
        cancelled = f"{_counted(self.cancelled, 'campaign')} whose creation was interrupted"
        changed = self.campaigns + self.unknown + self.cancelled + self.keys
        if self.accepts_keys and not changed:
            return (
                f"no row changed; new keys of send_once are accepted{lost}\n"
                "opt-outs that the original stored since the backup are not in this journal: suppress them again\n"
                "if the journal was set back or copied since it was declared, run `restored` without `--forget-keys` too"
            )
        return (
            f"{_counted(self.unknown, 'row')} in {campaigns} {'is' if self.unknown == 1 else 'are'} unknown now{rejected}; "
            f"{cancelled} {'is' if self.cancelled == 1 else 'are'} cancelled; "
            f"{_counted(self.keys, 'key')} of send_once {'is' if self.keys == 1 else 'are'} unknown, new keys are {keys}{lost}\n"
            "opt-outs since the backup are not in it: suppress them again before `resolve` and `run`"
        )


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class CampaignBackup(_Record):
    """The result of `Campaign.backup`.

    Attributes:
        bytes: The size of the file.
        campaigns: Campaigns of the journal, without those of `send_once`.
        rows: Their rows.
        warning: Why the journal would be refused for writing, or what a reader of it may miss; None if neither.
    """

    __module__ = "cpaas"
    _names = ("bytes", "campaigns", "rows", "warning")
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names)

    bytes: int
    campaigns: int
    rows: int
    warning: str | None = None

    def __str__(self) -> str:
        return f"{_counted(self.campaigns, 'campaign')}, {_counted(self.rows, 'row')}, {self.bytes:,} bytes"


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class JournalProblem(_Record):
    """Something in a journal that is damaged or does not add up.

    Attributes:
        campaign: The campaign that it concerns, if any.
        chunk: The chunk of rows that it concerns, if any.
        message: What is wrong.
    """

    __module__ = "cpaas"
    _names = ("campaign", "chunk", "message")
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names)

    campaign: str | None = None
    chunk: int | None = None
    message: str

    def __str__(self) -> str:
        place = "" if self.campaign is None else f"campaign {printable(self.campaign, 200)}"
        place += "" if self.chunk is None else f", chunk {self.chunk}"
        return f"{place}{': ' if place else ''}{printable(self.message)}"


@public_methods
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class JournalVerification(_Record):
    """The result of `Campaign.verify`.

    Attributes:
        campaigns: Campaigns that were compared, with those of `send_once`.
        rows: Rows of these campaigns.
        identity: Why the journal is not the one that was written last; None if it is. A copy and a backup never are. Its text counts
            it among the problems.
        warning: What a reader of this journal may miss, because it is read without locks; None if nothing.
        problems: What is damaged or does not add up, and files that other users can access.
    """

    __module__ = "cpaas"
    _names = ("campaigns", "rows", "identity", "warning", "problems")
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names)

    campaigns: int
    rows: int
    identity: str | None = None
    warning: str | None = None
    problems: tuple[JournalProblem, ...] = ()

    def __str__(self) -> str:
        problems = [*map(str, self.problems)]
        if self.identity is not None:
            problems.append(printable(self.identity))
        count = len(problems)
        found = f"{count:,} {'problem' if count == 1 else 'problems'}" if count else "no problem"
        campaigns, rows = _counted(self.campaigns, "campaign"), _counted(self.rows, "row")
        warning = () if self.warning is None else (f"warning: {printable(self.warning)}",)
        return "\n".join((f"{campaigns}, {rows}: {found}", *problems, *warning))


def read_verification(members: dict[str, Any]) -> JournalVerification:
    """Creates a verification from the record of the native module."""
    problems = tuple(map(JournalProblem.from_dict, members["problems"]))
    return JournalVerification.from_dict({**members, "problems": problems})


def read_plan(members: dict[str, Any]) -> CampaignPlan:
    """Creates a plan from the record of the native module."""
    shares = {
        name: {key: PlanShare.from_dict(share) for key, share in members[name].items()}
        for name in ("by_encoding", "by_prefix", "by_currency")
    }
    lists = {
        name: tuple(RowProblem.from_dict({"line": None, "kept": {}, **problem}) for problem in members[name])
        for name in ("problems", "warnings")
    }
    groups = tuple(
        ProblemGroup.from_dict({"lines": (), "ids": (), **group}) for group in members["problem_groups"]
    )
    total = PlanShare.from_dict(members["total"])
    return CampaignPlan.from_dict({**members, **shares, **lists, "problem_groups": groups, "total": total})


def _named_row(row: int, line: int | None, id: Any) -> str:
    """The number of a row, the line of the file in which it begins, and the caller's key of the row."""
    added = [] if line is None else [f"line {line:,}"]
    added += [] if id is None else [printable(str(id), 60)]
    return f"{row:,} ({', '.join(added)})" if added else f"{row:,}"


def clock(seconds: float) -> str:
    """A duration as hours, minutes and seconds, such as 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _days(seconds: int) -> str:
    """A length of time in the largest unit that has no rest, such as 7 days."""
    for unit, length in (("day", 86_400), ("hour", 3_600)):
        if seconds and not seconds % length:
            count = seconds // length
            return f"1 {unit}" if count == 1 else f"{count:,} {unit}s"
    return f"{seconds // 60:,} minutes"
