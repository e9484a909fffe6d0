"""Campaigns: many messages, each sent at most once, whatever is killed."""

from __future__ import annotations

from os import PathLike, fspath

from ._cpaas import CampaignJournal, CampaignRun, plan_rows
from ._errors import campaign_error
from ._model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
    from decimal import Decimal
    from typing import Any, Literal, TypeAlias, overload

    from ._async_client import AsyncClient
    from ._client import Client

    Path: TypeAlias = str | PathLike[str]
    Rows: TypeAlias = Path | Iterable[Mapping[str, Any]]
    Recipients: TypeAlias = Path | Iterable[str]
    PriceList: TypeAlias = Path | Iterable[Mapping[str, Any]]
else:

    def overload(function):
        return function


_HALTED = {
    "setup": "three requests in a row failed because of the key or the address; correct them, then resume the campaign",
    "max_spend": "the maximal spend is reached",
    "lost_commits": "a delivery report names a row that was never sent: the journal has lost commits",
}


class _Record(Model):
    """A record whose `to_dict` contains every member."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Returns all members as a dict."""
        members = {name: getattr(self, name) for name in self._fields}
        return {name: _plain(value) for name, value in members.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value.to_dict() if isinstance(value, Model) else value


class CampaignStatus(_Record):
    """The state of a campaign. `accepted` to `cancelled` add up to `rows` at every moment.

    Attributes:
        name: The name of the campaign.
        state: "creating", "created", "running", "paused", "halted", "cancelled" or "done".
        reason: Why it halted: "setup", "max_spend" or "lost_commits".
        rows: All rows.
        accepted: Rows that the provider accepted.
        rejected: Rows that the provider rejected.
        invalid: Rows that break a rule.
        suppressed: Rows with a suppressed recipient.
        duplicate: Rows whose recipient an earlier row has.
        unknown: Rows that may have been sent and have no stored outcome. They are never sent again by themselves.
        pending: Rows that will be sent, also those that were not sent and wait for another attempt.
        in_flight: Rows that a worker is sending.
        cancelled: Rows of a cancelled campaign that were not sent.
        attempts: The number of times that a row was given to a worker.
        rate: The maximum number of rows per second.
        spend: The price of all rows that were sent or may have been sent, as a decimal number.
        currency: The currency of the prices.
        parts: The SMS parts of all rows that can be sent.
    """

    __module__ = "cpaas"
    __slots__ = _names = (
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
        "spend",
        "currency",
        "parts",
    )
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names)

    if TYPE_CHECKING:
        name: str
        state: str
        reason: str | None
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
        rate: float | None
        spend: str
        currency: str | None
        parts: int

    def __str__(self) -> str:
        state = self.state + (f" ({self.reason})" if self.reason else "")
        counts = (f"{name:<10} {getattr(self, name):>12,}" for name in self._names[3:13])
        spend = f"{self.spend} {self.currency or ''}".strip()
        lines = (f"attempts   {self.attempts:>12,}", f"parts      {self.parts:>12,}", f"spend      {spend:>12}")
        return "\n".join((f"{self.name}: {state}", *counts, *lines))


class PlanShare(_Record):
    """The rows, parts and price of one prefix or encoding."""

    __module__ = "cpaas"
    __slots__ = _names = ("rows", "parts", "price")
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names)

    if TYPE_CHECKING:
        rows: int
        parts: int
        price: str


class RowProblem(_Record):
    """A rule that a row breaks: the number of the row from 1, the member of the request, and the code of the rule."""

    __module__ = "cpaas"
    __slots__ = _names = ("row", "pointer", "code", "message")
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names)

    if TYPE_CHECKING:
        row: int
        pointer: str
        code: str
        message: str

    def __str__(self) -> str:
        return f"row {self.row}, {self.pointer or 'the request'}: {self.message} [{self.code}]"


class CampaignPlan(_Record):
    """What a campaign would do. Nothing is sent.

    Attributes:
        rows: All rows.
        valid: Rows that would be sent.
        invalid: Rows that break a rule.
        duplicate: Rows whose recipient an earlier row has.
        suppressed: Rows with a suppressed recipient.
        problems: The first 1,000 problems.
        problem_count: The number of all problems.
        total: Rows, parts and price of everything that would be sent.
        by_encoding: The same by encoding: "gsm7" and "ucs2".
        by_prefix: The same by the prefix of the price; the empty prefix has no price.
        currency: The currency of the prices.
        duration: Seconds at the rate.
        reports_settle: Whether delivery reports can settle rows whose outcome is unknown.
        digest: SHA-256 of the file, for `Campaign.create(digest=…)`.
    """

    __module__ = "cpaas"
    __slots__ = _names = (
        "rows",
        "valid",
        "invalid",
        "duplicate",
        "suppressed",
        "problems",
        "problem_count",
        "total",
        "by_encoding",
        "by_prefix",
        "currency",
        "duration",
        "reports_settle",
        "digest",
    )
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names) - {"problems"}

    if TYPE_CHECKING:
        rows: int
        valid: int
        invalid: int
        duplicate: int
        suppressed: int
        problems: tuple[RowProblem, ...]
        problem_count: int
        total: PlanShare
        by_encoding: dict[str, PlanShare]
        by_prefix: dict[str, PlanShare]
        currency: str | None
        duration: float | None
        reports_settle: bool
        digest: str | None

    def __str__(self) -> str:
        price = f"{self.total.price} {self.currency}" if self.currency else "no prices"
        lines = [
            f"{self.rows:,} rows: {self.valid:,} valid, {self.invalid:,} invalid, {self.duplicate:,} duplicate, "
            f"{self.suppressed:,} suppressed",
            f"{self.total.parts:,} parts, {price}",
        ]
        for name, share in self.by_encoding.items():
            lines.append(f"  {name}: {share.rows:,} rows, {share.parts:,} parts")
        for prefix, share in self.by_prefix.items():
            lines.append(f"  +{prefix}: {share.rows:,} rows, {share.parts:,} parts, {share.price} {self.currency}")
        if self.duration is not None:
            lines.append(f"{_duration(self.duration)} at the rate")
        lines.append(f"delivery reports {'can' if self.reports_settle else 'cannot'} settle unknown rows")
        lines.extend(map(str, self.problems))
        if self.problem_count > len(self.problems):
            lines.append(f"and {self.problem_count - len(self.problems):,} more problems")
        if self.digest:
            lines.append(f"digest {self.digest}")
        return "\n".join(lines)


class CampaignResolution(_Record):
    """What `Campaign.resolve` did.

    Attributes:
        resolved: Rows that have an outcome now and had none before, and rows that a report proved to be accepted.
        overridden: Of these, rows that a report proved to be accepted, and that were stored as not sent or rejected.
        known: Reports of rows that were accepted already.
        foreign: Reports that are not of this campaign.
        impossible: Reports of rows that were never sent: the journal has lost commits, and the campaign is halted.
    """

    __module__ = "cpaas"
    __slots__ = _names = ("resolved", "overridden", "known", "foreign", "impossible")
    _fields = {name: (name, None) for name in _names}
    _shown = frozenset(_names)

    if TYPE_CHECKING:
        resolved: int
        overridden: int
        known: int
        foreign: int
        impossible: int

    def __str__(self) -> str:
        counts = [f"{getattr(self, name):,} {name}" for name in self._names if getattr(self, name)]
        return ", ".join(counts) or "0 resolved"


class Campaign:
    """A campaign in a journal, which several processes and machines may share.

    Rows are frozen when it is created. `run` sends each row at most once, also after a crash: run it again.
    A campaign may be used from several threads, and in child processes.
    """

    __module__ = "cpaas"

    def __init__(self, journal: Path, name: str, *, restored: bool = False) -> None:
        self._url = fspath(journal)
        self._name = name
        self._journal = CampaignJournal(self._url, True, restored)

    @classmethod
    def create(
        cls,
        journal: Path,
        operation: str,
        rows: Rows,
        template: Mapping[str, Any],
        *,
        name: str | None = None,
        suppress: Recipients = (),
        prices: PriceList | None = None,
        max_parts: int | None = None,
        max_spend: Decimal | str | float | None = None,
        window: str | None = None,
        time_zone: str | None = None,
        time_zone_column: str | None = None,
        rate: float | None = None,
        duplicates: Literal["skip", "send"] = "skip",
        digest: str | None = None,
        restored: bool = False,
    ) -> Campaign:
        """Reads the rows once, renders and validates each, and stores them in a journal. Nothing is sent.

        Args:
            journal: A path, `sqlite:///` and a path, or `postgres://…`; created when it is missing.
            operation: The id of the operation, such as `sms.send`.
            rows: The path of a CSV or JSON Lines file, or any iterable of mappings from columns to values.
            template: The request; its strings are MiniJinja templates such as `"Hi {{ name }}"`.
            name: The name, unique in the journal; the name of the file without its extension when absent.
            suppress: Recipients that are not sent to: an iterable, or the path of a file with one in each line.
            prices: A CSV file with the columns prefix, price and currency, or an iterable of such mappings.
            max_parts: The maximum number of SMS parts of a message; a longer message makes its row invalid.
            max_spend: The campaign halts before it spends more than this; requires `prices`.
            window: The local time of day between which rows are sent, such as "09:00-20:00".
            time_zone: The IANA time zone of the window; UTC when absent.
            time_zone_column: The column with the time zone of a row.
            rate: The maximum number of rows per second, over all workers.
            duplicates: "skip" counts rows whose recipient an earlier row has, "send" sends them.
            digest: The digest of `plan`; when the file has changed since, nothing is created.
            restored: The journal is a copy or a restored backup, and no other copy is in use.

        Raises:
            CampaignError: Rows, template or settings are refused, the name is taken, or the journal failed.
        """
        spec = _spec(
            operation,
            template,
            suppress=suppress,
            prices=prices,
            max_parts=max_parts,
            max_spend=max_spend,
            window=window,
            time_zone=time_zone,
            time_zone_column=time_zone_column,
            rate=rate,
            duplicates=duplicates,
        )
        return cls._create(journal, rows, spec, name, digest, restored)

    @classmethod
    def _create(
        cls,
        journal: Path,
        rows: Rows,
        spec: dict[str, Any],
        name: str | None,
        digest: str | None,
        restored: bool,
    ) -> Campaign:
        url = fspath(journal)
        name = _default_name(url) if name is None else name
        native = CampaignJournal(url, False, restored)
        native.create(name, _rows(rows), spec, digest)
        native.close()
        return cls(url, name)

    @classmethod
    def open(cls, journal: Path, name: str | None = None, *, restored: bool = False) -> Campaign:
        """Opens a campaign that was created before.

        Args:
            journal: As for `create`; it must exist.
            name: The name; it may be absent when the journal has one campaign.
            restored: The journal is a copy or a restored backup, and no other copy is in use. Every row without an outcome
                becomes unknown.

        Raises:
            CampaignError: The journal or the campaign does not exist, or the journal was refused.
        """
        campaign = cls(journal, name or "", restored=restored)
        if name is None:
            names = campaign._journal.names()
            if len(names) != 1:
                raise campaign_error("no_campaign", f"the journal must have one campaign, got {len(names)}; use `name`")
            campaign._name = names[0]
        campaign.status()
        return campaign

    @staticmethod
    def list(journal: Path, *, restored: bool = False) -> tuple[CampaignStatus, ...]:
        """Returns the status of every campaign of a journal, the oldest first."""
        native = CampaignJournal(fspath(journal), True, restored)
        found = tuple(CampaignStatus.from_dict(native.status(name)) for name in native.names())
        native.close()
        return found

    @property
    def name(self) -> str:
        """The name of the campaign."""
        return self._name

    def plan(self, *, prices: PriceList | None = None, rate: float | None = None) -> CampaignPlan:
        """Returns what the frozen rows are: parts, price, duration and every invalid row.

        Args:
            prices: Other prices than those of the creation.
            rate: Rows per second for the duration; the rate of the campaign when absent.
        """
        return _plan(self._journal.plan(self._name, _prices(prices), rate))

    if TYPE_CHECKING:

        @overload
        def run(
            self,
            client: Client,
            *,
            rate: float | None = None,
            concurrency: int = 64,
            deadline: float | None = None,
            on_progress: Callable[[CampaignStatus], object] | None = None,
        ) -> CampaignStatus: ...

        @overload
        def run(
            self,
            client: AsyncClient,
            *,
            rate: float | None = None,
            concurrency: int = 64,
            deadline: float | None = None,
            on_progress: Callable[[CampaignStatus], object] | None = None,
        ) -> Awaitable[CampaignStatus]: ...

    def run(
        self,
        client: Client | AsyncClient,
        *,
        rate: float | None = None,
        concurrency: int = 64,
        deadline: float | None = None,
        on_progress: Callable[[CampaignStatus], object] | None = None,
    ) -> CampaignStatus | Awaitable[CampaignStatus]:
        """Sends the rows until none is left, or the campaign is paused or cancelled. Await it with an `AsyncClient`.

        Ctrl-C, or the cancellation of the task, finishes the rows under way; a second Ctrl-C leaves them unknown. Several
        runs, in this process or others, share the campaign.

        Args:
            client: The client that sends.
            rate: The maximum number of rows per second from now on, over all workers.
            concurrency: The maximum number of rows under way in this process.
            deadline: Time limit of one row, in seconds; 30 when absent.
            on_progress: Called with the status about once a second, and at the end.

        Raises:
            CampaignError: The campaign halted, the provider was not reached for minutes, or the journal failed.
        """
        from ._client import Client

        if concurrency < 1:
            raise ValueError("concurrency must be at least 1")
        if rate is not None:
            self._journal.set_rate(self._name, rate)
        run = CampaignRun(self._url, self._name, concurrency, deadline)
        if not isinstance(client, Client):
            return self._run_async(run, client, on_progress)
        end = run.run(client._native, _heard(on_progress))
        return self._ended(end, on_progress)

    async def _run_async(
        self, run: CampaignRun, client: AsyncClient, on_progress: Callable[[CampaignStatus], object] | None
    ) -> CampaignStatus:
        from asyncio import CancelledError, get_running_loop, shield

        loop = get_running_loop()
        hear = None
        if on_progress is not None:

            def hear(members: dict[str, Any]) -> None:
                loop.call_soon_threadsafe(on_progress, CampaignStatus.from_dict(members))

        task = loop.run_in_executor(None, run.run, client._native, hear)
        try:
            end = await shield(task)
        except CancelledError:
            run.stop()
            await task  # the rows under way
            raise
        return self._ended(end, on_progress)

    def _ended(self, end: str, on_progress: Callable[[CampaignStatus], object] | None) -> CampaignStatus:
        status = self.status()
        if on_progress is not None:
            on_progress(status)
        if end == "halted":
            raise campaign_error("halted", f"the campaign halted: {_HALTED.get(status.reason or '', status.reason)}")
        if end == "unreachable":
            raise campaign_error("unreachable", "the provider was not reached for minutes; run the campaign again")
        return status

    def status(self) -> CampaignStatus:
        """Returns the state of the campaign; also while it runs elsewhere."""
        return CampaignStatus.from_dict(self._journal.status(self._name))

    def pause(self) -> None:
        """No further row is sent until the campaign is resumed. Runs end within about a second."""
        self._journal.change(self._name, "pause")

    def resume(self) -> None:
        """Permits a campaign that was paused or halted to run again; then call `run`."""
        self._journal.change(self._name, "resume")

    def cancel(self) -> None:
        """Ends the campaign: rows that were not sent are never sent."""
        self._journal.change(self._name, "cancel")

    def purge(self) -> None:
        """Removes texts, recipients, message ids and responses of a campaign that is done or cancelled. Counts stay."""
        self._journal.change(self._name, "purge")

    def suppress(self, recipients: Recipients) -> None:
        """Suppresses recipients from now on, also in runs under way."""
        self._journal.suppress(self._name, _recipients(recipients))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Iterates over all rows: row (from 1), outcome, reason, message_id, recipients and attempts."""
        chunk = 0
        while rows := self._journal.export(self._name, chunk):
            yield from rows
            chunk += 1

    def export(self, path: Path, *, format: Literal["csv", "jsonl"] | None = None) -> int:
        """Writes the outcome of every row to a file that only its owner can read, and returns the number of rows.

        Args:
            path: The file; it is replaced.
            format: "csv" or "jsonl"; by the extension of the file when absent, otherwise CSV.
        """
        import os

        if format is None:
            format = "jsonl" if fspath(path).endswith((".jsonl", ".ndjson")) else "csv"
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "w", encoding="utf-8", newline="") as out:
            return write_rows(self, out, format)

    def resolve(
        self,
        as_: Literal["accepted", "not-sent"] | None = None,
        *,
        rows: Iterable[int] | None = None,
        reports: Path | Iterable[Any] | None = None,
        owners_stopped: bool = False,
    ) -> CampaignResolution:
        """Settles rows whose outcome is unknown: by delivery reports, or by a decision.

        "not-sent" sends the rows again, perhaps a second time. It requires that the worker has ended and that the row was
        claimed more than six minutes ago.

        Args:
            as_: "accepted" or "not-sent".
            rows: The numbers of the rows, from 1; all unknown rows when absent.
            reports: Verified delivery reports instead of `as_`: references, mappings or objects with `reference`, or the
                path of a CSV or JSON Lines file with them. A report of a failed delivery proves acceptance, too.
            owners_stopped: All workers on other machines have been stopped.
        """
        if (as_ is None) == (reports is None):
            raise TypeError("resolve requires either as_ or reports")
        members = {"resolved": 0, "overridden": 0, "known": 0, "foreign": 0, "impossible": 0}
        if reports is not None:
            summary = self._journal.report(self._name, _references(reports))
            members.update(summary, resolved=summary["settled"])
            del members["settled"]
        else:
            chosen = None if rows is None else [*rows]
            resolution = str(as_).replace("-", "_")
            members["resolved"] = self._journal.resolve(self._name, resolution, chosen, owners_stopped)
        return CampaignResolution.from_dict(members)

    def close(self) -> None:
        """Closes the journal. Idempotent; the next use opens it again."""
        self._journal.close()

    def __enter__(self) -> Campaign:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._url, self._name)

    def __repr__(self) -> str:
        return f"<cpaas.Campaign {self._name!r}>"


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
    spec = _spec(
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
    return _plan(plan_rows(_rows(rows), spec))


def once(
    operation: str, key: str, request: dict[str, Any], journal: Path, deadline: float | None
) -> tuple[Any, ...]:
    """The arguments of the native client for `send_once`."""
    if not isinstance(key, str) or not key:
        raise TypeError("key must be a str that is not empty")
    return key, operation, *_arguments(operation, request), fspath(journal), deadline


def write_rows(campaign: Campaign, out: Any, format: str) -> int:
    """Writes all rows as CSV or JSON Lines and returns their number."""
    import csv
    import json

    if format not in ("csv", "jsonl"):
        raise ValueError('format must be "csv" or "jsonl"')
    table = csv.writer(out)
    if format == "csv":
        table.writerow(("row", "outcome", "reason", "message_id", "recipients", "attempts"))
    count = 0
    for row in campaign.rows():
        count += 1
        if format == "csv":
            table.writerow([*row.values()][:4] + [" ".join(row["recipients"]), row["attempts"]])
        else:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    return count


def _spec(
    operation: str,
    template: Mapping[str, Any],
    *,
    suppress: Recipients = (),
    prices: PriceList | None = None,
    max_spend: Decimal | str | float | None = None,
    max_parts: int | None = None,
    **settings: Any,
) -> dict[str, Any]:
    if max_parts is not None and max_parts < 1:
        raise ValueError("max_parts must be at least 1")
    return {
        "operation": operation,
        "template": template,
        "suppress": _recipients(suppress),
        "prices": _prices(prices),
        "max_spend": None if max_spend is None else str(max_spend),
        "max_parts": max_parts,
        **settings,
    }


def _rows(rows: Rows) -> Any:
    """What the native module reads: a path, or an iterable of mappings."""
    if hasattr(rows, "iter_rows"):  # a data frame
        return rows.iter_rows(named=True)
    return rows


def _recipients(recipients: Recipients) -> list[str]:
    if not isinstance(recipients, (str, PathLike)):
        return [str(recipient) for recipient in recipients]
    with open(recipients, encoding="utf-8-sig") as file:
        fields = (line.replace(";", ",").replace("\t", ",").split(",")[0].strip().strip('"') for line in file)
        return [field for field in fields if field]


def _prices(prices: PriceList | None) -> str | None:
    """Prices as CSV."""
    if prices is None:
        return None
    if isinstance(prices, (str, PathLike)):
        with open(prices, encoding="utf-8-sig") as file:
            return file.read()
    names = ("prefix", "price", "currency")
    return "\n".join(",".join(names if row is None else (str(row[name]) for name in names)) for row in (None, *prices))


def _references(reports: Path | Iterable[Any]) -> list[str]:
    if not isinstance(reports, (str, PathLike)):
        return [_reference(report) for report in reports]
    import csv
    import json

    with open(reports, encoding="utf-8-sig") as file:
        lines = [line for line in file if line.strip()]
    if lines and lines[0].lstrip()[0] in "{[":
        found = json.loads("".join(lines)) if lines[0].lstrip()[0] == "[" else map(json.loads, lines)
        return [_reference(report) for report in found]
    delimiter = next((one for one in ",;\t|" if lines and one in lines[0]), ",")
    table = [*csv.reader(lines, delimiter=delimiter)]
    if table and "reference" in table[0]:
        column = table[0].index("reference")
        return [record[column] for record in table[1:] if len(record) > column]
    return [record[0].strip() for record in table if record]


def _reference(report: Any) -> str:
    """The reference of a report, at any depth; empty when it has none."""
    if isinstance(report, str):
        return report
    if isinstance(report, dict):
        own = report.get("reference")
        inner = (_reference(value) for value in report.values() if isinstance(value, dict))
        return own if isinstance(own, str) else next(filter(None, inner), "")
    own = getattr(report, "reference", None)
    return own if isinstance(own, str) else ""


def _arguments(operation: str, request: dict[str, Any]) -> tuple[tuple[Any, ...], Any]:
    """The arguments of the generated method in their order, by keyword or by the name of the specification."""
    from ._metadata import OPERATIONS

    wire, keywords = next((row[1:3] for row in OPERATIONS if row[0] == operation), ((), ()))
    values: dict[str, Any] = {}
    extra = request.pop("extra", None)
    for name, value in request.items():
        if name in keywords:
            values[name] = value
        elif name in wire:
            values[keywords[wire.index(name)]] = value
        elif keywords:
            raise TypeError(f"send_once got an unexpected argument {name!r} for {operation}")
    return tuple(map(values.get, keywords)), extra


def _heard(on_progress: Callable[[CampaignStatus], object] | None) -> Callable[[dict[str, Any]], object] | None:
    if on_progress is None:
        return None
    return lambda members: on_progress(CampaignStatus.from_dict(members))


def _plan(members: dict[str, Any]) -> CampaignPlan:
    shares = {
        name: {key: PlanShare.from_dict(share) for key, share in members[name].items()}
        for name in ("by_encoding", "by_prefix")
    }
    problems = tuple(map(RowProblem.from_dict, members["problems"]))
    total = PlanShare.from_dict(members["total"])
    return CampaignPlan.from_dict({**members, **shares, "problems": problems, "total": total})


def _default_name(url: str) -> str:
    if url.startswith(("postgres://", "postgresql://")):
        raise TypeError("name is required for a journal in Postgres")
    from os.path import basename, splitext

    return splitext(basename(url))[0]


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
