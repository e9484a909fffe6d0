"""The data of campaigns, from files or iterables: rows, recipients, prices, delivery reports and exports."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from os import PathLike
from typing import Any, Literal, TypeAlias, TypeGuard

from .. import arrow
from .._arguments import PriceList, items, path_text, price_csv, printable_path
from .._cpaas import plan_rows
from .._errors import bad_type, bad_value
from .records import CampaignPlan, read_plan

Path: TypeAlias = str | PathLike[str]
Rows: TypeAlias = Path | Iterable[Mapping[str, Any]]
Recipients: TypeAlias = Path | Iterable[str]


def open_rows(rows: Any) -> Any:
    """Converts rows to a path or an iterable of mappings, for the native module."""
    if hasattr(rows, "__arrow_c_stream__") or hasattr(rows, "__arrow_c_array__"):
        return arrow.rows(rows)
    if hasattr(rows, "iter_rows"):  # a data frame
        return rows.iter_rows(named=True)
    return rows


def plan_described(rows: Rows, description: dict[str, Any]) -> CampaignPlan:
    """The plan of rows with what `describe` returned."""
    return read_plan(plan_rows(open_rows(rows), description))


def read_recipients(recipients: Recipients) -> list[str] | dict[str, str]:
    """Recipients, or the path of their file, for the native module."""
    if isinstance(recipients, (str, PathLike)):
        path = path_text("recipients", recipients)
        with (
            printable_path(),
            open(path, "rb"),
        ):  # a file that cannot be opened is an `OSError`, as everywhere
            return {"file": path}
    expected = "the path of a file or an iterable of str"
    return [str(recipient) for recipient in items("recipients", expected, recipients)]


def read_prices(prices: PriceList | None) -> str | None:
    """Prices as CSV."""
    return None if prices is None else price_csv(prices)


def is_json(reports: Path | Iterable[Any]) -> TypeGuard[Path]:
    """Whether reports are a file of JSON values."""
    if not isinstance(reports, (str, PathLike)):
        return False
    with printable_path(), open(path_text("reports", reports), "rb") as file:
        return file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


def read_references(reports: Path | Iterable[Any]) -> list[str]:
    """The references of reports, or of a CSV file of reports."""
    if not isinstance(reports, (str, PathLike)):
        expected = "the path of a file or an iterable of reports"
        return [_reference(report) for report in items("reports", expected, reports)]
    with printable_path(), open(path_text("reports", reports), encoding="utf-8-sig") as file:
        lines = [line for line in file if line.strip()]
    delimiter = next((one for one in ",;\t|" if lines and one in lines[0]), ",")
    table = [*csv.reader(lines, delimiter=delimiter)]
    if table and "reference" in table[0]:
        column = table[0].index("reference")
        return [record[column] for record in table[1:] if len(record) > column]
    return [record[0].strip() for record in table if record]


def _reference(report: Any) -> str:
    """The reference of a report, at any depth; an empty string if the report has none."""
    if isinstance(report, str):
        return report
    if isinstance(report, dict):
        own = report.get("reference")
        inner = (_reference(value) for value in report.values() if isinstance(value, dict))
        return own if isinstance(own, str) else next(filter(None, inner), "")
    own = getattr(report, "reference", None)
    return own if isinstance(own, str) else ""


def format_of(path: str) -> Literal["csv", "jsonl", "arrow"]:
    """The format of an export, which the extension of the file selects."""
    if path.endswith((".arrow", ".feather")):
        return "arrow"
    return "jsonl" if path.endswith((".jsonl", ".ndjson")) else "csv"


def write_arrow(stream: Any, path: Path) -> int:
    """Writes an Arrow stream to an Arrow file and returns the number of its rows."""
    try:
        import pyarrow  # an optional package
    except ImportError as error:
        raise ImportError("the export as Arrow needs pyarrow: pip install pyarrow") from error
    reader = pyarrow.RecordBatchReader.from_stream(stream)  # first, because opening the file truncates it
    with printable_path():
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    count = 0
    with os.fdopen(file, "wb") as out, pyarrow.ipc.new_file(out, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)
            count += batch.num_rows
    return count


# Characters with which a spreadsheet begins a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _cell(value: Any) -> Any:
    """A cell that a spreadsheet shows as text. The readers of campaigns remove the apostrophe again."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def write_rows(rows: Iterator[dict[str, Any]], out: Any, format: str, *, raw: bool = False) -> int:
    """Writes rows as CSV or JSON Lines and returns their number. `raw` writes cells of CSV unchanged."""
    if format not in ("csv", "jsonl"):
        raise bad_value('format must be "csv", "jsonl" or "arrow"')
    first = next(rows, None)  # before the header is written, so that after an error the file is empty
    table = csv.writer(out)
    if format == "csv":
        table.writerow(("row", "outcome", "reason", "message_id", "recipients", "attempts"))
    count = 0
    for row in () if first is None else chain((first,), rows):
        count += 1
        if format == "csv":
            cells = {**row, "recipients": " ".join(row["recipients"])}.values()
            table.writerow(cells if raw else map(_cell, cells))
        else:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    return count


def default_name(url: str) -> str:
    """The default name of a campaign: the name of its journal's file without the extension."""
    if url.startswith(("postgres://", "postgresql://")):
        raise bad_type("name is required for a journal in Postgres")
    return os.path.splitext(os.path.basename(url))[0]
