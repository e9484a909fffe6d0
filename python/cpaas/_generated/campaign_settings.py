# Generated from `campaign/src/settings.rs` and `codegen/templates/campaign_settings.py.in`: `cargo run -p codegen` rewrites it.
"""The settings of campaigns as arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, TypeVar

from .._arguments import PriceList, boolean, natural, not_restored, number, path_text, positive, text, texts
from .._campaign.files import Path, Recipients, Rows, plan_described, read_prices, read_recipients
from .._campaign.records import CampaignPlan
from .._public import public, public_methods

Created = TypeVar("Created", bound="Creation")


def describe(
    operation: str,
    template: Mapping[str, Any],
    *,
    suppress: Recipients | None = None,
    column: str | None = None,
    lenient: bool = False,
    encoding: str | None = None,
    prices: PriceList | None = None,
    max_parts: int | None = None,
    duplicates: Literal["skip", "send"] = "skip",
    time_zone_column: str | None = None,
    frequency_cap: str | None = None,
    keep: Iterable[str] = (),
    normalize: str | None = None,
    time_zone: str | None = None,
    start_at: str | None = None,
    rate: float | None = None,
    window: str | None = None,
    concurrency: int | None = None,
    max_spend: Decimal | str | float | None = None,
    set: Sequence[tuple[str, str]] = (),
) -> dict[str, Any]:
    """The description of a campaign for the native module."""
    return {
        "operation": text("operation", operation),
        "template": template,
        "set": set,
        "suppress": None if suppress is None else read_recipients(suppress),
        "column": None if column is None else text("column", column),
        "lenient": boolean("lenient", lenient),
        "encoding": None if encoding is None else text("encoding", encoding),
        "prices": read_prices(prices, encoding),
        "max_parts": None if max_parts is None else positive("max_parts", max_parts),
        "duplicates": text("duplicates", duplicates),
        "time_zone_column": None if time_zone_column is None else text("time_zone_column", time_zone_column),
        "frequency_cap": None if frequency_cap is None else text("frequency_cap", frequency_cap),
        "keep": texts("keep", keep),
        "normalize": None if normalize is None else text("normalize", normalize),
        "time_zone": None if time_zone is None else text("time_zone", time_zone),
        "start_at": None if start_at is None else text("start_at", start_at),
        "rate": number("rate", rate),
        "window": None if window is None else text("window", window),
        "concurrency": None if concurrency is None else positive("concurrency", concurrency),
        "max_spend": None if max_spend is None else str(max_spend),
    }


@public_methods
class Creation:
    """The base class of campaigns."""

    @classmethod
    def create(
        cls: type[Created],
        journal: Path | None,
        operation: str,
        rows: Rows,
        template: Mapping[str, Any],
        *,
        name: str | None = None,
        suppress: Recipients | None = None,
        column: str | None = None,
        lenient: bool = False,
        encoding: str | None = None,
        prices: PriceList | None = None,
        max_parts: int | None = None,
        duplicates: Literal["skip", "send"] = "skip",
        time_zone_column: str | None = None,
        frequency_cap: str | None = None,
        keep: Iterable[str] = (),
        normalize: str | None = None,
        time_zone: str | None = None,
        start_at: str | None = None,
        rate: float | None = None,
        window: str | None = None,
        concurrency: int | None = None,
        max_spend: Decimal | str | float | None = None,
        digest: str | None = None,
        restored: None = None,
    ) -> Created:
        """Reads the rows once, renders and validates each, and stores them in a journal. Nothing is sent.

        Args:
            journal: A path, `sqlite:///` and a path, or `postgres://…`; created when it is missing. None: the variable
                `CPAAS_JOURNAL`.
            operation: The id of the operation, such as `sms.send`.
            rows: The path of a CSV or JSON Lines file, or any iterable of mappings from columns to values.
            template: The request; its strings are MiniJinja templates such as `"Hi {{ name }}"`.
            name: The name, unique in the journal. When absent, the name of the journal's file without its
                extension; required for Postgres.
            suppress: Recipients that get no message; numbers in any notation. One of several
                recipients of a row suppresses the row. An iterable, or the path of a file with one
                in each line or with a column of them.
            column: The column of the suppression list with the recipients, by its name or its
                number from 1. When absent, it is recognized by its name.
            lenient: Whether unreadable lines of the suppression list are skipped. Otherwise
                they are an error, as is an empty list.
            encoding: The encoding of the suppression list, of the file of prices and of the
                rows as CSV, such as windows-1252. UTF-8 when absent; UTF-16 is recognized by its
                byte order mark.
            prices: The price of one SMS part for each prefix of numbers; the longest prefix
                wins. The path or the text of a CSV file with the columns prefix, price and
                currency, or an iterable of mappings with these keys.
            max_parts: The maximum number of SMS parts of a message; a longer message makes its
                row invalid.
            duplicates: Whether to 'skip' or 'send' a row with the same recipient as an earlier
                row. Skipped rows are counted as duplicates. A row with several recipients is one
                if any of them was in an earlier row, or is twice in the row.
            time_zone_column: The column with the time zone of a row, which replaces that of
                the window. A row without one has that of the campaign, and is invalid if the
                campaign has none.
            frequency_cap: At most N messages to a recipient within a time, such as 2/7d. A row
                whose recipient had as many in earlier campaigns of the journal is suppressed.
            keep: Columns of the rows that are stored with them and exported with their
                outcomes. None is stored otherwise; a purge removes them.
            normalize: Recipients are sent as digits with their country code: 'international',
                or a region such as GR whose national form they may have. A number that is not
                possible in any country makes its row invalid. When absent, recipients are sent as
                they are.
            time_zone: The IANA time zone of the window and of the start, such as
                Europe/Athens; UTC when absent.
            start_at: No row is sent before this time: RFC 3339 such as 2026-12-01T09:00:00Z,
                or a local time such as 2026-12-01T09:00 in the time zone. It must be in the
                future.
            rate: The maximum number of rows per second, over all workers. After a 429 all
                workers wait together.
            window: The local times of day between which rows are sent, such as 09:00-20:00.
                They are compared when a row is sent.
            concurrency: The maximum number of rows in progress in each worker. When absent,
                each run has its own.
            max_spend: The campaign halts before it spends more than this, in the currency of
                the prices, which it requires. Only a campaign that was created with one can change
                it.
            digest: The digest of `plan`; if the file has changed since then, nothing is created.
            restored: Not accepted any more; see `mark_restored`.

        Raises:
            CampaignError: Rows, template or settings are invalid, the name is taken, or the journal failed.

        Warns:
            RuntimeWarning: No row can be sent, for example because a column is misspelt. The campaign is created nevertheless.
            UserWarning: The template contains the name of a column in another notation than `{{ name }}`, such as `{name}`, which is sent
                as it is; or a column that it uses has empty cells.
        """
        not_restored(restored)
        description = describe(
            operation,
            template,
            suppress=suppress,
            column=column,
            lenient=lenient,
            encoding=encoding,
            prices=prices,
            max_parts=max_parts,
            duplicates=duplicates,
            time_zone_column=time_zone_column,
            frequency_cap=frequency_cap,
            keep=keep,
            normalize=normalize,
            time_zone=time_zone,
            start_at=start_at,
            rate=rate,
            window=window,
            concurrency=concurrency,
            max_spend=max_spend,
        )
        return cls._create(journal, rows, description, name, digest)

    def set(
        self,
        *,
        rate: float | None = None,
        window: str | None = None,
        concurrency: int | None = None,
        max_spend: Decimal | str | float | None = None,
    ) -> None:
        """Changes settings from now on, also in runs that have started. Settings that are None stay as they are.

        Workers take over the rate and the maximum spend with their next rows, which can be ten seconds away, and the others
        within about a second. `status` returns the new values. A campaign that halted stays halted until `resume`.

        Args:
            rate: The maximum number of rows per second, over all workers. After a 429 all
                workers wait together.
            window: The local times of day between which rows are sent, such as 09:00-20:00.
                They are compared when a row is sent.
            concurrency: The maximum number of rows in progress in each worker. When absent,
                each run has its own.
            max_spend: The campaign halts before it spends more than this, in the currency of
                the prices, which it requires. Only a campaign that was created with one can change
                it.

        Raises:
            CampaignError: A setting is invalid; 0 is, because it would send nothing: use `pause`. Or the campaign is cancelled or
                done.
        """
        given = {
            "rate": number("rate", rate),
            "window": None if window is None else text("window", window),
            "concurrency": None if concurrency is None else natural("concurrency", concurrency),
            "max_spend": None if max_spend is None else str(max_spend),
        }
        self._set({name: value for name, value in given.items() if value is not None})

    def _set(self, changes: dict[str, Any]) -> None:
        raise NotImplementedError

    @classmethod
    def _create(
        cls: type[Created],
        journal: Path | None,
        rows: Rows,
        description: dict[str, Any],
        name: str | None,
        digest: str | None,
    ) -> Created:
        raise NotImplementedError


@public
def plan(
    operation: str,
    rows: Rows,
    template: Mapping[str, Any],
    *,
    suppress: Recipients | None = None,
    column: str | None = None,
    lenient: bool = False,
    encoding: str | None = None,
    prices: PriceList | None = None,
    max_parts: int | None = None,
    duplicates: Literal["skip", "send"] = "skip",
    time_zone_column: str | None = None,
    frequency_cap: str | None = None,
    keep: Iterable[str] = (),
    normalize: str | None = None,
    time_zone: str | None = None,
    start_at: str | None = None,
    rate: float | None = None,
    window: str | None = None,
    concurrency: int | None = None,
    max_spend: Decimal | str | float | None = None,
    journal: Path | None = None,
    id: str | None = None,
) -> CampaignPlan:
    """A dry run of `Campaign.create` and `Campaign.run`: reads the rows once; nothing is stored or sent.

    Args:
        operation: The id of the operation, such as `sms.send`.
        rows: The path of a CSV or JSON Lines file, or any iterable of mappings from columns to values.
        template: The request; its strings are MiniJinja templates such as `"Hi {{ name }}"`.
        suppress: Recipients that get no message; numbers in any notation. One of several
            recipients of a row suppresses the row. An iterable, or the path of a file with one in
            each line or with a column of them.
        column: The column of the suppression list with the recipients, by its name or its
            number from 1. When absent, it is recognized by its name.
        lenient: Whether unreadable lines of the suppression list are skipped. Otherwise they
            are an error, as is an empty list.
        encoding: The encoding of the suppression list, of the file of prices and of the rows
            as CSV, such as windows-1252. UTF-8 when absent; UTF-16 is recognized by its byte order
            mark.
        prices: The price of one SMS part for each prefix of numbers; the longest prefix wins.
            The path or the text of a CSV file with the columns prefix, price and currency, or an
            iterable of mappings with these keys.
        max_parts: The maximum number of SMS parts of a message; a longer message makes its row
            invalid.
        duplicates: Whether to 'skip' or 'send' a row with the same recipient as an earlier
            row. Skipped rows are counted as duplicates. A row with several recipients is one if
            any of them was in an earlier row, or is twice in the row.
        time_zone_column: The column with the time zone of a row, which replaces that of the
            window. A row without one has that of the campaign, and is invalid if the campaign has
            none.
        frequency_cap: At most N messages to a recipient within a time, such as 2/7d. A row
            whose recipient had as many in earlier campaigns of the journal is suppressed.
        keep: Columns of the rows that are stored with them and exported with their outcomes.
            None is stored otherwise; a purge removes them.
        normalize: Recipients are sent as digits with their country code: 'international', or a
            region such as GR whose national form they may have. A number that is not possible in
            any country makes its row invalid. When absent, recipients are sent as they are.
        time_zone: The IANA time zone of the window and of the start, such as Europe/Athens;
            UTC when absent.
        start_at: No row is sent before this time: RFC 3339 such as 2026-12-01T09:00:00Z, or a
            local time such as 2026-12-01T09:00 in the time zone. It must be in the future.
        rate: The maximum number of rows per second, over all workers. After a 429 all workers
            wait together.
        window: The local times of day between which rows are sent, such as 09:00-20:00. They
            are compared when a row is sent.
        concurrency: The maximum number of rows in progress in each worker. When absent, each
            run has its own.
        max_spend: The campaign halts before it spends more than this, in the currency of the
            prices, which it requires. Only a campaign that was created with one can change it.
        journal: The journal in which the campaign will be created; it must exist. The plan then also counts the rows whose
            recipients had messages of earlier campaigns. Required for `frequency_cap`.
        id: The column with your key of each row, such as the number of a customer. The problems and warnings of the plan
            contain it as `id`, the groups of problems as `ids`. With `keep`, the outcomes of the campaign have the column too.

    Raises:
        CampaignError: Rows, template or settings are invalid.
    """
    description = describe(
        operation,
        template,
        suppress=suppress,
        column=column,
        lenient=lenient,
        encoding=encoding,
        prices=prices,
        max_parts=max_parts,
        duplicates=duplicates,
        time_zone_column=time_zone_column,
        frequency_cap=frequency_cap,
        keep=keep,
        normalize=normalize,
        time_zone=time_zone,
        start_at=start_at,
        rate=rate,
        window=window,
        concurrency=concurrency,
        max_spend=max_spend,
    )
    description["id"] = None if id is None else text("id", id)
    return plan_described(rows, description, None if journal is None else path_text("journal", journal))
