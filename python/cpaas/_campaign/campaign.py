"""Campaigns: many messages, each sent at most once, even if a process is killed.

`Campaign.create`, `Campaign.set` and `plan`, which have an argument for each setting, are in `_generated/campaign_settings.py`; their text is
in `codegen/templates/campaign_settings.py.in`.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextvars import copy_context
from datetime import timedelta
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

import cpaas

from .._arguments import (
    PriceList,
    boolean,
    duration,
    function,
    integers,
    journal_url,
    not_restored,
    number,
    path_text,
    positive,
    seconds,
    text,
    texts,
)
from .._attributes import check_assignment
from .._base_client import BaseClient, level_of_caller
from .._client import Client, warn_of_greenlets
from .._cpaas import printable
from .._errors import bad_type, bad_value, campaign_error, wrong_type
from .._generated.campaign_settings import Creation
from .._generated.names import RowOutcome
from .._journal import ArrowOutcomes, CampaignJournal, CampaignRun, CampaignTest
from .._public import public, public_methods
from .._suppression import opened as opened_store
from .files import (
    SEPARATORS,
    Path,
    Recipients,
    Rows,
    default_name,
    format_of,
    is_json,
    open_rows,
    read_prices,
    read_recipients,
    read_reports,
    refuse_existing,
    refuse_inputs,
    replacing,
    synchronize,
    write_arrow,
    write_rows,
)
from .records import (
    HALTED,
    CampaignBackup,
    CampaignPlan,
    CampaignResolution,
    CampaignRestore,
    CampaignStatus,
    CampaignTestMessage,
    JournalVerification,
    SuppressionSummary,
    read_plan,
    read_verification,
)

# The outcomes of rows, for a filter of an export.
OUTCOMES: tuple[RowOutcome, ...] = get_args(RowOutcome)


@public_methods
class Campaign(Creation):
    """A campaign in a journal, which several processes and machines may share.

    `create` stores the rows, which never change. `run` sends each row at most once; after a crash, run the campaign again.
    Several threads and child processes may use a campaign.
    """

    __module__ = "cpaas"

    def __init__(self, journal: Path | None, name: str, *, restored: None = None) -> None:
        """Use `create` or `open`: this does not check that the journal has a campaign of this name."""
        self._url = journal_url(journal)
        self._name = text("name", name)
        not_restored(restored)
        self._journal = CampaignJournal(self._url, True)

    # A type checker that saw it would accept every name.
    if not TYPE_CHECKING:

        def __setattr__(self, name, value):
            check_assignment(self, cpaas.__name__, name, Creation.create, _how_to_set)
            super().__setattr__(name, value)

    @classmethod
    def _create(
        cls,
        journal: Path | None,
        rows: Rows,
        description: dict[str, Any],
        name: str | None,
        digest: str | None,
    ) -> Campaign:
        campaign, _, found, status = cls._create_noting(journal, rows, description, name, digest)
        for warning in found:
            place = "template, " if warning.startswith("/") else ""
            warnings.warn(f"{place}{warning}", UserWarning, stacklevel=level_of_caller())
        if not status.pending:
            warnings.warn(
                f"the campaign has no row to send: {status.rows} rows, {status.invalid} invalid, {status.suppressed} "
                f"suppressed, {status.duplicate} duplicate; `campaign.plan()` lists the reasons",
                RuntimeWarning,
                stacklevel=level_of_caller(),
            )
        return campaign

    @classmethod
    def _create_noting(
        cls,
        journal: Path | None,
        rows: Rows,
        description: dict[str, Any],
        name: str | None,
        digest: str | None,
    ) -> tuple[Campaign, list[str], list[str], CampaignStatus]:
        """The campaign, notes about its rows, those of the notes of which `create` warns, and its status."""
        url = journal_url(journal)
        name = default_name(url) if name is None else text("name", name)
        if digest is not None:
            digest = text("digest", digest)
        native = CampaignJournal(url, False)
        notes, found = native.create(name, open_rows(rows), description, digest)
        status = CampaignStatus.from_dict(native.status(name))
        native.close()
        return cls(url, name), notes, found, status

    @classmethod
    def open(cls, journal: Path | None = None, name: str | None = None, *, restored: None = None) -> Campaign:
        """Opens a campaign that was created before.

        A journal that was copied, moved or restored opens for reading (`status`, `rows`, `export`) with a `RuntimeWarning`.
        Everything else raises an exception until `mark_moved` or `mark_restored`.

        Args:
            journal: As for `create`; it must exist.
            name: The name; it may be absent when the journal has one campaign.
            restored: Not accepted any more; see `mark_restored`.

        Raises:
            cpaas.CampaignError: The journal or the campaign does not exist, or the journal cannot be used.
        """
        campaign = cls(journal, "" if name is None else name, restored=restored)
        if name is None:
            names = campaign._journal.names()
            if len(names) != 1:
                advice = "use `name`" if names else "`Campaign.create` creates one"
                raise campaign_error(
                    "no_campaign", f"the journal must have one campaign, got {len(names)}; {advice}"
                )
            campaign._name = names[0]
        try:
            campaign.status()
        except cpaas.CampaignError as error:
            if error.reason != "no_campaign":
                raise
            names = [printable(known, 100) for known in campaign._journal.names()]
            known = f"it has {', '.join(names[:10])}{', …' if names[10:] else ''}" if names else "it has none"
            raise campaign_error("no_campaign", f"{error}; {known}") from None
        return campaign

    @staticmethod
    def list(journal: Path | None = None, *, restored: None = None) -> tuple[CampaignStatus, ...]:
        """Returns the status of every campaign of a journal, the oldest first.

        Args:
            journal: As for `create`; it must exist.
            restored: Not accepted any more; see `mark_restored`.

        Raises:
            cpaas.CampaignError: The journal does not exist, or cannot be used.
        """
        not_restored(restored)
        native = CampaignJournal(journal_url(journal), True)
        found = tuple(CampaignStatus.from_dict(native.status(name)) for name in native.names())
        native.close()
        return found

    @staticmethod
    def mark_moved(journal: Path | None = None) -> None:
        """Declares that a journal was moved with nothing lost, while all workers were stopped. No row changes.

        Args:
            journal: As for `create`; it must exist.

        Raises:
            cpaas.CampaignError: The journal lacks commits, its files are damaged, or a worker on this machine uses it.
        """
        CampaignJournal.mark_moved(journal_url(journal))

    @staticmethod
    def mark_restored(journal: Path | None = None, *, forget_keys: bool = False) -> CampaignRestore:
        """Declares that a journal is a copy or a restored backup, and that no other copy is in use.

        Every row that may be sent or has no outcome becomes unknown, because the original may have sent it.

        Args:
            journal: As for `create`; it must exist.
            forget_keys: Whether `send_once` accepts new keys. The original may have used them, so this machine refuses them in the
                original and in all other copies. In a journal that opens, no row changes.

        Raises:
            cpaas.CampaignError: The journal is damaged, or a worker on this machine uses it.
        """
        forget_keys = boolean("forget_keys", forget_keys)
        url = journal_url(journal)
        return CampaignRestore.from_dict(CampaignJournal.mark_restored(url, forget_keys))

    @staticmethod
    def accept_suppression_store(
        suppression: cpaas.SuppressionList | Path, *, journal: Path | None = None
    ) -> int:
        """Accepts a suppression store that was restored from a backup, although it may lack changes that earlier runs have read.

        The store gets another identity, and the campaigns of the journal that consulted it consult it under that one. No other store is
        accepted. First add everyone again who opted out since the backup: the store has forgotten them.

        Args:
            suppression: The store that was restored.
            journal: As for `create`; it must exist.

        Returns:
            The number of changes that earlier runs have read of it.

        Raises:
            cpaas.CampaignError: A worker of such a campaign may live (`in_use`); nothing is changed.
        """
        opened_journal = CampaignJournal(journal_url(journal), True)
        store = opened_store(suppression)
        if not isinstance(store, cpaas.SuppressionList):
            raise wrong_type("suppression", "a SuppressionList or its path", suppression)
        return opened_journal.accept_restored_store(store._native)

    @staticmethod
    def forget_suppression_store(name: str, *, journal: Path | None = None) -> None:
        """Lets the next run of a campaign consult another suppression store than its earlier runs.

        Everyone who opted out must be in that store: people who are only in the other one get messages.

        Args:
            name: The name of the campaign.
            journal: As for `create`; it must exist.

        Raises:
            cpaas.CampaignError: The journal or the campaign does not exist, or the journal cannot be used.
        """
        CampaignJournal(journal_url(journal), True).forget_suppression_store(text("name", name))

    @staticmethod
    def backup(file: Path, *, journal: Path | None = None) -> CampaignBackup:
        """Copies one moment of a journal in a file to a new file, while workers write to it.

        The new file has mode 0600 and is complete: it has neither a write-ahead log nor a lock file. It is refused until
        `mark_restored` or, if nothing was sent since, `mark_moved`.

        Args:
            file: The new file; an existing file is never replaced.
            journal: As for `create`; it must exist.

        Raises:
            cpaas.CampaignError: The file exists or cannot be written, the journal is damaged, or it is in Postgres, which pg_dump
                backs up.
        """
        made = CampaignJournal.backup(journal_url(journal), path_text("file", file))
        return CampaignBackup.from_dict(made)

    @staticmethod
    def verify(journal: Path | None = None) -> JournalVerification:
        """Checks a journal and changes nothing. Workers may use it meanwhile.

        It checks the database, each chunk of rows and its kept columns, the counts of each campaign, the chains of permits,
        that other users cannot access its files, and whether it is the journal that was written last.

        Args:
            journal: As for `create`; it must exist.

        Raises:
            cpaas.CampaignError: The journal cannot be opened. What is wrong with a journal that opens is in the result.
        """
        return read_verification(CampaignJournal.verify(journal_url(journal)))

    @property
    def name(self) -> str:
        """The name of the campaign."""
        return self._name

    def plan(self, *, prices: PriceList | None = None, rate: float | None = None) -> CampaignPlan:
        """Returns the plan of the stored rows: parts, price, duration and every invalid row.

        Args:
            prices: Prices that replace those of `create`.
            rate: The rows per second from which the duration is calculated; the rate of the campaign when absent.

        Raises:
            cpaas.CampaignError: The prices are invalid, the campaign was purged, or the journal failed.
            OSError: The file of prices cannot be read.
        """
        return read_plan(self._journal.plan(self._name, read_prices(prices), number("rate", rate)))

    @overload
    def run(
        self,
        client: cpaas.Client,
        *,
        rate: float | None = None,
        concurrency: int = 64,
        deadline: float | timedelta | None = None,
        limit: int | None = None,
        any_provider: bool = False,
        on_progress: Callable[[CampaignStatus], object] | None = None,
        on_halt: Callable[[CampaignStatus], object] | None = None,
    ) -> CampaignStatus: ...

    @overload
    def run(
        self,
        client: cpaas.AsyncClient,
        *,
        rate: float | None = None,
        concurrency: int = 64,
        deadline: float | timedelta | None = None,
        limit: int | None = None,
        any_provider: bool = False,
        on_progress: Callable[[CampaignStatus], object] | None = None,
        on_halt: Callable[[CampaignStatus], object] | None = None,
    ) -> Coroutine[Any, Any, CampaignStatus]: ...

    def run(
        self,
        client: cpaas.Client | cpaas.AsyncClient,
        *,
        rate: float | None = None,
        concurrency: int = 64,
        deadline: float | timedelta | None = None,
        limit: int | None = None,
        any_provider: bool = False,
        on_progress: Callable[[CampaignStatus], object] | None = None,
        on_halt: Callable[[CampaignStatus], object] | None = None,
    ) -> CampaignStatus | Coroutine[Any, Any, CampaignStatus]:
        """Sends the rows until none is left, or the campaign is paused or cancelled. Await it with an `AsyncClient`.

        After Ctrl-C or the cancellation of the task, the run ends when the rows in progress have ended. A second Ctrl-C ends it
        at once and leaves these rows unknown. Several runs, in this process or others, may share the campaign.

        Args:
            client: The client that sends.
            rate: The maximum number of rows per second from now on, over all workers.
            concurrency: The maximum number of rows in progress in this process; the setting of the campaign replaces it.
            deadline: Time limit of one row, in seconds or as a `timedelta`, at most 60 seconds; 30 when absent.
            limit: The run ends after it has claimed this many rows; the rest stays pending.
            any_provider: Whether the campaign may continue with another provider than the one of its first run: a client that has
                none of its addresses, such as that of a sandbox.
            on_progress: Called with the status about once a second, and at the end.
            on_halt: Called with the status if the campaign halts during the run, before the exception.

        Raises:
            cpaas.CampaignError: The campaign halted, it began with another provider (`other_provider`), or the journal failed.
        """
        if not isinstance(client, BaseClient):
            raise wrong_type("client", "a Client or an AsyncClient", client)
        positive("concurrency", concurrency)
        function("on_progress", on_progress)
        function("on_halt", on_halt)
        if limit is not None:
            positive("limit", limit)
        if rate is not None:
            self._set_rate(rate)
        permits = boolean("any_provider", any_provider)
        run = CampaignRun(self._url, self._name, concurrency, seconds("deadline", deadline), limit, permits)
        if not isinstance(client, Client):
            return self._run_async(run, client, on_progress, on_halt)
        warn_of_greenlets("campaign.run", stacklevel=3)
        report = None if on_progress is None else lambda record: on_progress(CampaignStatus.from_dict(record))
        was_halted = self._is_halted(on_halt)
        end = run.run(client._native, report)
        return self._ended(end, on_progress, None if was_halted else on_halt)

    def _set_rate(self, rate: float) -> None:
        try:
            self.set(rate=rate)
        except cpaas.CampaignError as error:
            # A run of a campaign that is cancelled or done sends nothing.
            if error.reason != "state":
                raise

    @public
    async def _run_async(
        self,
        run: CampaignRun,
        client: cpaas.AsyncClient,
        on_progress: Callable[[CampaignStatus], object] | None,
        on_halt: Callable[[CampaignStatus], object] | None,
    ) -> CampaignStatus:
        # Costs 40 ms, which a sync client need not pay.
        from asyncio import CancelledError, get_running_loop, shield

        loop = get_running_loop()

        def report(members: dict[str, Any]) -> None:
            if on_progress is not None:
                loop.call_soon_threadsafe(on_progress, CampaignStatus.from_dict(members))

        was_halted = self._is_halted(on_halt)
        # The spans of an instrumentation have the parent of this task.
        context = copy_context()
        work = lambda: context.run(run.run, client._native, on_progress and report)  # noqa: E731
        task = loop.run_in_executor(None, work)
        try:
            end = await shield(task)
        except CancelledError:
            run.stop()
            await task  # until the rows in progress have ended
            raise
        return self._ended(end, on_progress, None if was_halted else on_halt)

    def _is_halted(self, on_halt: Callable[[CampaignStatus], object] | None) -> bool:
        return on_halt is not None and self.status().state == "halted"

    def _ended(
        self,
        end: str,
        on_progress: Callable[[CampaignStatus], object] | None,
        on_halt: Callable[[CampaignStatus], object] | None,
    ) -> CampaignStatus:
        status = self.status()
        if on_progress is not None:
            on_progress(status)
        if end == "halted":
            if on_halt is not None:
                on_halt(status)
            raise campaign_error(
                "halted",
                f"the campaign halted: {HALTED[status.reason] if status.reason else 'its reason was not stored'}",
            )
        return status

    def status(self) -> CampaignStatus:
        """Returns the state of the campaign, even while another process runs it.

        Raises:
            cpaas.CampaignError: The journal failed, or does not have the campaign any more.
        """
        return CampaignStatus.from_dict(self._journal.status(self._name))

    def pause(self) -> None:
        """Sends no further row until the campaign is resumed. Runs end within about a second.

        Raises:
            cpaas.CampaignError: A restored copy of the journal has taken the campaign over (`taken_over`), and its runs go on: pause it there
                too.
        """
        self._journal.change(self._name, "pause")

    def resume(self, *, acknowledge_lost_commits: bool = False) -> None:
        """Permits a campaign that was paused or halted to run again; then call `run`.

        Args:
            acknowledge_lost_commits: Whether a campaign is resumed that halted because a delivery report names a row that no worker
                has claimed ("lost_commits"). Its pending rows may have been sent, so some may be sent a second time.

        Raises:
            cpaas.CampaignError: The campaign halted because of lost commits, and they are not acknowledged.
        """
        if boolean("acknowledge_lost_commits", acknowledge_lost_commits):
            self._journal.change(self._name, "acknowledge")
        self._journal.change(self._name, "resume")

    def _set(self, changes: dict[str, Any]) -> None:
        self._journal.set(self._name, changes)

    @overload
    def test(
        self,
        client: cpaas.Client,
        to: str | Iterable[str],
        *,
        rows: Iterable[int] | None = None,
        count: int = 1,
    ) -> tuple[CampaignTestMessage, ...]: ...

    @overload
    def test(
        self,
        client: cpaas.AsyncClient,
        to: str | Iterable[str],
        *,
        rows: Iterable[int] | None = None,
        count: int = 1,
    ) -> Coroutine[Any, Any, tuple[CampaignTestMessage, ...]]: ...

    def test(
        self,
        client: cpaas.Client | cpaas.AsyncClient,
        to: str | Iterable[str],
        *,
        rows: Iterable[int] | None = None,
        count: int = 1,
    ) -> tuple[CampaignTestMessage, ...] | Coroutine[Any, Any, tuple[CampaignTestMessage, ...]]:
        """Sends rows to your own number instead of their recipients. The messages are real. Await it with an `AsyncClient`.

        They are outside of the campaign: no row changes, and state, window, rate, suppression and spend do not apply.

        Args:
            client: The client that sends.
            to: Your number, or several; each gets every message.
            rows: The numbers of the rows, from 1.
            count: How many of the first rows that can be sent are sent, when `rows` is absent.

        Raises:
            cpaas.CampaignError: A row is invalid or does not exist, a number is not valid, or the journal is not the one that was
                written last. Then nothing is sent.
        """
        if not isinstance(client, BaseClient):
            raise wrong_type("client", "a Client or an AsyncClient", client)
        positive("count", count)
        test = CampaignTest(self._url, self._name, *_tested(rows, count, to))
        if not isinstance(client, Client):
            return self._test_async(test, client)
        warn_of_greenlets("campaign.test", stacklevel=3)
        return tuple(map(CampaignTestMessage.from_dict, test.run(client._native)))

    @public
    async def _test_async(
        self, test: CampaignTest, client: cpaas.AsyncClient
    ) -> tuple[CampaignTestMessage, ...]:
        # Costs 40 ms, which a sync client need not pay.
        from asyncio import get_running_loop

        context = copy_context()
        work = lambda: context.run(test.run, client._native)  # noqa: E731
        found = await get_running_loop().run_in_executor(None, work)
        return tuple(map(CampaignTestMessage.from_dict, found))

    def test_messages(
        self, to: str | Iterable[str], *, rows: Iterable[int] | None = None, count: int = 1
    ) -> tuple[CampaignTestMessage, ...]:
        """Returns the messages that `test` would send with the same arguments. Nothing is sent.

        Args:
            to: Your number, or several; each gets every message.
            rows: The numbers of the rows, from 1.
            count: How many of the first rows that can be sent are included, when `rows` is absent.

        Raises:
            cpaas.CampaignError: A row is invalid or does not exist, or a number is not valid.
        """
        positive("count", count)
        found = self._journal.test_messages(self._name, *_tested(rows, count, to))
        return tuple(map(CampaignTestMessage.from_dict, found))

    def cancel(self) -> None:
        """Ends the campaign: rows that were not sent are never sent. A campaign that is done stays done.

        Raises:
            cpaas.CampaignError: A restored copy of the journal has taken the campaign over (`taken_over`), and its runs go on: cancel it there
                too.
        """
        self._journal.change(self._name, "cancel")

    def purge(self) -> None:
        """Removes texts, recipients, kept columns, message ids and responses of a campaign that is done or cancelled. Counts stay.

        A SQLite journal is written anew, so that its files contain none of them. In Postgres, `VACUUM FULL` does that.

        Raises:
            cpaas.CampaignError: Rows may still be sent, or another process reads the file (`not_erased`): end it and purge again.
        """
        self._journal.change(self._name, "purge")

    def suppress(
        self,
        recipients: Recipients,
        *,
        column: str | None = None,
        lenient: bool = False,
        encoding: str | None = None,
        normalize: str | None = None,
    ) -> SuppressionSummary:
        """Suppresses recipients from now on, also in runs that have started: their workers apply it within about a second.

        Args:
            recipients: An iterable such as a list of numbers, or the path of a file with one in each line or with a column of them; as
                `suppress` of `create`.
            column: The column of the file with the recipients, by its name or its number from 1. When absent, it is recognized by
                its name. An iterable has no columns.
            lenient: Whether lines that cannot be read are skipped, and numbers that no country has assigned are accepted. Otherwise they
                are an error, as is an empty list, and nobody is suppressed.
            encoding: The encoding of the file, such as "windows-1252".
            normalize: The region whose national form the numbers may have, such as "GR", or "international"; the setting of the
                campaign when absent.

        Returns:
            What was read.

        Raises:
            cpaas.CampaignError: The list cannot be read, or has a number that is probably a national one, and nobody is suppressed. Or a restored copy of the journal has taken the campaign over
                (`taken_over`): the recipients are suppressed in this journal, and the copy may still send to them, so suppress them
                there too.
        """
        read = read_recipients(recipients)
        if column is not None and isinstance(read, list):
            raise bad_value("column is only for a file of recipients")
        found = self._journal.suppress(
            self._name,
            read,
            None if column is None else text("column", column),
            boolean("lenient", lenient),
            None if encoding is None else text("encoding", encoding),
            None if normalize is None else text("normalize", normalize),
        )
        return SuppressionSummary.from_dict(found)

    def rows(
        self, *, outcome: RowOutcome | Iterable[RowOutcome] | None = None, first: int = 1
    ) -> Iterator[dict[str, Any]]:
        """Iterates over all rows: row (from 1), outcome, reason, message_id, recipients, attempts, delivery, line, and the kept columns.

        `reason` is text. Of an invalid row it contains the members and the codes of their problems; of any other, the code of a
        problem, a name of `cpaas.types.RowReason` or `cpaas.types.Reason`, and after a space a status or a code of the provider, or the
        position of a recipient.
        `delivery` is the state of the message in the delivery reports that `resolve` has read, such as "delivered".

        Args:
            outcome: Only rows with this outcome, or one of these.
            first: The number of the first row, from 1.

        Raises:
            cpaas.CampaignError: The journal failed.
            cpaas.Invalid: `outcome` is not a name of `cpaas.types.RowOutcome`.
        """
        chosen = _outcomes(outcome)
        chunk = 0
        if first > 1:
            # All chunks have as many rows as the first one, except the last.
            size = len(self._journal.export(self._name, 0, None) or ())
            chunk = (first - 1) // size if size else 0
        while (rows := self._journal.export(self._name, chunk, chosen)) is not None:
            yield from (row for row in rows if row["row"] >= first)
            chunk += 1

    def _columns(self) -> Iterable[str]:
        return self._journal.source(self._name)[1]

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The rows as an Arrow stream, for data frames: `polars.DataFrame(campaign)`, `pyarrow.table(campaign)`.

        Its columns are the members of a row of `rows`; the kept columns are text. It reads one chunk of the journal at a time.
        """
        return ArrowOutcomes(self._journal, self._name).__arrow_c_stream__(requested_schema)

    def export(
        self,
        path: Path,
        *,
        format: Literal["csv", "jsonl", "arrow"] | None = None,
        raw: bool = False,
        outcome: RowOutcome | Iterable[RowOutcome] | None = None,
        overwrite: bool = False,
        bom: bool = False,
        separator: Literal[",", ";", "\t"] = ",",
    ) -> int:
        """Writes the outcome of every row to a file that only its owner can read, and returns the number of rows.

        The file appears when it is complete: after an error, an existing file is as it was.

        Args:
            path: The file. It must not be a file of the journal or the file with the rows.
            format: "csv", "jsonl" or "arrow" (an Arrow file, also called Feather 2; needs pyarrow). When absent, the extension
                of the file selects the format: .csv, .jsonl, .ndjson, .arrow or .feather; a file without an extension is CSV.
            raw: Whether cells of CSV are written unchanged. Otherwise a cell that begins with `=`, `+`, `-`, `@`, a tab or a
                carriage return gets a leading apostrophe, because a spreadsheet would read it as a formula.
            outcome: Only rows with this outcome, or one of these, such as "unknown".
            overwrite: Whether an existing file is replaced. An empty one always is.
            bom: Whether a CSV file begins with a byte order mark, without which Excel reads other letters than ASCII wrongly.
            separator: What is between the cells of CSV: Excel expects ";" in countries with a decimal comma.

        Returns:
            The number of rows.

        Raises:
            FileExistsError: The file exists.
            cpaas.Invalid: An argument is invalid, or the file is one of the journal or of the rows.
            cpaas.CampaignError: The journal failed.
            OSError: The file cannot be written.
        """
        raw, overwrite, bom = boolean("raw", raw), boolean("overwrite", overwrite), boolean("bom", bom)
        path = path_text("path", path)
        if format is None:
            format = format_of(path)
        elif format not in ("csv", "jsonl", "arrow"):
            raise bad_value('format must be "csv", "jsonl" or "arrow"')
        chosen = _outcomes(outcome)
        source, columns = self._journal.source(self._name)
        refuse_inputs(path, self._url, source)
        if bom and format != "csv":
            raise bad_value("bom is only for CSV; other formats have no byte order mark")
        if separator not in SEPARATORS:
            raise bad_value('separator must be ",", ";" or a tab')
        if separator != "," and format != "csv":
            raise bad_value("separator is only for CSV")
        refuse_existing(path, overwrite)
        if format == "arrow":
            return write_arrow(ArrowOutcomes(self._journal, self._name, chosen), path)
        encoding = "utf-8-sig" if bom else "utf-8"
        with replacing(path) as file, os.fdopen(file, "w", encoding=encoding, newline="") as out:
            count = write_rows(
                self.rows(outcome=chosen), out, format, raw=raw, columns=columns, separator=separator
            )
            synchronize(out)
        return count

    def resolve(
        self,
        as_: Literal["accepted", "not_sent", "not-sent"] | None = None,
        *,
        rows: Iterable[int] | None = None,
        reports: Path | Iterable[Any] | None = None,
        encoding: str | None = None,
        owners_stopped: bool = False,
    ) -> CampaignResolution:
        """Settles rows whose outcome is unknown: by delivery reports, or by a decision.

        After "not_sent", the next run sends the rows again, so a recipient may get a second message. Only rows whose worker has
        ended, and that were claimed more than six minutes ago, can be resolved as "not_sent".

        Args:
            as_: "accepted" or "not_sent" (also "not-sent").
            rows: The numbers of the rows, from 1; all unknown rows when absent.
            reports: Verified delivery reports instead of `as_`: references, mappings or objects with a `reference`, or the
                path of a CSV, JSON or JSON Lines file with them. Even a report of a failed delivery proves acceptance. Their
                `status` is exported as `delivery`. A report of a row that no worker has claimed (`impossible`) halts the campaign;
                see `resume`.
            encoding: The encoding of a CSV file of reports, such as "windows-1252"; UTF-8, or UTF-16 with a byte order mark, when absent.
            owners_stopped: Whether all workers on other machines, and in a restored copy those of the original and of other copies, have
                been stopped. A worker that runs on this machine is never overridden. A restored copy takes the campaign over: this
                machine refuses it in every other copy, and the six minutes count from then.

        Returns:
            How many rows were settled, and why others were not.

        Raises:
            cpaas.Invalid: An argument is invalid, or neither or both of `as_` and `reports` are given.
            cpaas.CampaignError: The reports are invalid, or the journal failed.
            OSError: The file of reports cannot be read.
        """
        if (as_ is None) == (reports is None):
            raise bad_type("resolve requires either as_ or reports")
        members: dict[str, int] = {**dict.fromkeys(CampaignResolution._names, 0), "taken_over": False}
        if encoding is not None and not isinstance(reports, (str, os.PathLike)):
            raise bad_type("encoding requires a file of reports")
        if reports is not None:
            if encoding is None and is_json(reports):
                summary = self._journal.report_file(self._name, path_text("reports", reports))
            else:
                found = read_reports(reports, encoding)
                named = [report for report in found if report[0]]
                summary = self._journal.report(self._name, named)
                summary["without_reference"] += len(found) - len(named)
            members.update(summary, resolved=summary["settled"])
            del members["settled"]
        else:
            chosen = None if rows is None else integers("rows", rows)
            resolution = str(as_).replace("-", "_")
            members.update(self._journal.resolve(self._name, resolution, chosen, owners_stopped))
        return CampaignResolution.from_dict(members)

    def retry(
        self,
        reason: str,
        *,
        older_than: float | timedelta = 0.0,
        dry_run: bool = False,
    ) -> int:
        """Makes rows eligible again whose rejection may pass; the next run sends them. Returns their number.

        Rows with a delivery report stay as they are. "provider_5xx" takes unknown rows, so a recipient may get a second
        message, and only those that were claimed more than six minutes ago. All other unknown rows need `resolve`.

        Args:
            reason: "setup" (rejected with 401, 403, 404 or a redirect), a code of the provider with which rows were rejected, such
                as "102", or "provider_5xx" (the provider itself answered with a failure).
            older_than: Only rows that were claimed longer ago, in seconds or as a `timedelta`.
            dry_run: Whether the rows are only counted.

        Returns:
            The number of rows.

        Raises:
            cpaas.CampaignError: The reason is unknown, or the journal failed.
        """
        age = duration("older_than", older_than)
        return self._journal.retry(self._name, text("reason", reason), age, boolean("dry_run", dry_run))

    def _retry_reasons(self) -> dict[str, int]:
        """The reasons with which `retry` finds rows, and how many rows each finds, whatever their age."""
        return self._journal.retry_reasons(self._name)

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
        return f"<cpaas.Campaign {printable(self._name, 200)!r}>"


def _how_to_set(setting: str) -> str:
    if setting in signature(Creation.set).parameters:
        return f"Use campaign.set({setting}=…)"
    return "Settings other than those of campaign.set are fixed by Campaign.create"


def _tested(
    rows: Iterable[int] | None, count: int, to: str | Iterable[str]
) -> tuple[list[int] | None, int, list[str]]:
    recipients = [to] if isinstance(to, str) else texts("to", to)
    return None if rows is None else integers("rows", rows), count, recipients


def _outcomes(outcome: RowOutcome | Iterable[RowOutcome] | None) -> list[RowOutcome] | None:
    """The outcomes of a filter."""
    if outcome is None:
        return None
    chosen: Any = [outcome] if isinstance(outcome, str) else texts("outcome", outcome)
    for one in chosen:
        if one not in OUTCOMES:
            raise bad_value(f"outcome must be one of {', '.join(OUTCOMES)}")
    found: list[RowOutcome] = chosen
    return found
