"""The data of campaigns, from files or iterables: rows, recipients, prices, delivery reports and exports."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, TypeGuard

from .. import arrow
from .._arguments import PriceList, items, path_text, price_csv, printable_path
from .._cpaas import decode_text, printable
from .._errors import bad_type, bad_value, campaign_error
from .._journal import plan_rows
from .._suppression import is_number
from ..arrow._inputs import is_lazy
from .records import CampaignPlan, read_plan

Path: TypeAlias = str | PathLike[str]
Recipients: TypeAlias = Path | Iterable[str]


class ArrowTable(Protocol):
    """A data frame, a table or a query with the stream protocol of Arrow."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...


class LazyTable(Protocol):
    """A lazy frame of Polars."""

    def collect_schema(self) -> Any: ...


Rows: TypeAlias = Path | Iterable[Mapping[str, Any]] | ArrowTable | LazyTable


def open_rows(rows: Any) -> Any:
    """Converts rows to a path or an iterable of mappings, for the native module."""
    if hasattr(rows, "__arrow_c_stream__") or hasattr(rows, "__arrow_c_array__") or is_lazy(rows):
        return arrow.rows(rows)
    if hasattr(rows, "iter_rows"):  # a data frame
        return rows.iter_rows(named=True)
    return rows


def plan_described(rows: Rows, description: dict[str, Any], journal: str | None = None) -> CampaignPlan:
    """The plan of rows with what `describe` returned, for a campaign in a journal."""
    return read_plan(plan_rows(open_rows(rows), description, journal))


def read_recipients(recipients: Recipients) -> list[str] | dict[str, str]:
    """Recipients, or the path of their file, for the native module."""
    if isinstance(recipients, (str, PathLike)):
        path = path_text("recipients", recipients)
        if is_number(path) and not os.path.exists(path):
            raise bad_value(
                "recipients must be the path of a file or an iterable of str, got a number; put it into a list"
            )
        with (
            printable_path(),
            open(path, "rb"),
        ):  # a file that cannot be opened is an `OSError`, as everywhere
            return {"file": path}
    if isinstance(recipients, Mapping) or is_lazy(recipients) or hasattr(recipients, "columns"):
        raise bad_type(
            "recipients must be the path of a file or an iterable of str, such as one column of a table, got a table"
        )
    expected = "the path of a file or an iterable of str"
    return [_recipient(at, one) for at, one in enumerate(items("recipients", expected, recipients))]


def _recipient(at: int, recipient: Any) -> str:
    if isinstance(recipient, (Mapping, list, tuple)):
        raise bad_type(f"recipients[{at}] must be str, got {type(recipient).__name__}")
    return str(recipient)


def read_prices(prices: PriceList | None, encoding: str | None = None) -> str | None:
    """Prices as CSV. The encoding is that of a file."""
    if isinstance(prices, (str, PathLike)) and not (isinstance(prices, str) and "\n" in prices):
        with printable_path(), open(path_text("prices", prices), "rb") as file:
            return decode_text(file.read(), encoding, "prices")
    return None if prices is None else price_csv(prices)


def is_json(reports: Path | Iterable[Any]) -> TypeGuard[Path]:
    """Whether reports are a file of JSON values."""
    if not isinstance(reports, (str, PathLike)):
        return False
    with printable_path(), open(path_text("reports", reports), "rb") as file:
        return file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


def read_reports(reports: Path | Iterable[Any], encoding: str | None = None) -> list[tuple[str, str | None]]:
    """The references and states of reports, or of a CSV file of reports. The encoding is that of the file."""
    if not isinstance(reports, (str, PathLike)):
        expected = "the path of a file or an iterable of reports"
        return [_reported(report) for report in items("reports", expected, reports)]
    with printable_path(), open(path_text("reports", reports), "rb") as file:
        return _read_report_table(decode_text(file.read(), encoding, "reports"))


def _read_report_table(content: str) -> list[tuple[str, str | None]]:
    """The references and states of reports as CSV, with a header, or one column of references."""
    if content.lstrip()[:1] in ("{", "["):
        raise campaign_error("source", "reports: JSON must be UTF-8, got another encoding")
    # Lines may end with LF, CRLF or CR.
    numbered = [
        (number, line) for number, line in enumerate(io.StringIO(content, newline=None), 1) if line.strip()
    ]
    declared = re.fullmatch(r'"?sep=([^0-9A-Za-z])"?\s*', numbered[0][1], re.IGNORECASE) if numbered else None
    if declared:
        del numbered[0]
    lines = [line for _, line in numbered]
    found = (one for one in _DELIMITERS if lines and one in lines[0])
    delimiter = declared[1] if declared else next(found, ",")
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    table: list[list[str]] = []
    try:
        for record in reader:
            table.append([_report_cell(cell) for cell in record])
            _check_width(table, numbered[reader.line_num - 1][0])
    except csv.Error:
        number = numbered[min(reader.line_num, len(numbered)) - 1][0]
        message = f"reports: a cell that begins with a quotation mark must end with one, got another one until line {number}"
        raise campaign_error("source", message) from None
    names = [_words(cell) for cell in table[0]] if table else []
    column = _column(names, ("reference",))
    if len(names) == 1 and any(one in table[0][0] for one in _DELIMITERS):
        raise campaign_error(
            "source", f"reports: the first line must have the separator {delimiter!r}, got another one"
        )
    if column is None:
        if len(names) > 1:
            raise campaign_error(
                "source",
                "reports: a table must have a header with the column `reference`, got another first line",
            )
        return [(record[0], None) for record in table if record]
    state = _column(names, ("status", "state", "delivery"), _OF_STATES)
    if state is None and len(names) > 1:
        raise campaign_error(
            "source",
            "reports: a table must have one column `status` with the delivery states, or only the column `reference`; "
            "got none",
        )
    return [(record[column], None if state is None else record[state]) for record in table[1:]]


# Of tables of reports, the most usual ones first.
_DELIMITERS = ",;\t|"


def _check_width(table: list[list[str]], number: int) -> None:
    """Refuses a line with another number of cells than the first one; further empty cells are ignored."""
    expected, record = len(table[0]), table[-1]
    if len(record) < expected or any(record[expected:]):
        raise campaign_error(
            "source",
            f"reports: line {number} must have as many cells as the first line, {expected}, got {len(record)}; "
            "the first line must be the header",
        )


# Words before the name of a column of delivery states: "Payment status" is another one.
_OF_STATES = frozenset(("current", "delivery", "dlr", "final", "last", "message", "msg", "report", "sms"))


def _words(name: str) -> list[str]:
    """The words of a name such as "Delivery status" or "deliveryStatus", in lower case."""
    return re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())


def _column(
    names: list[list[str]], known: tuple[str, ...], before: frozenset[str] | None = None
) -> int | None:
    """The only column with one of these names, or else the only one whose last word is one, such as "Delivery status".

    `before` has the words that may precede it, and lets no two columns match; any words when absent.
    """
    exact = [index for index, words in enumerate(names) if "".join(words) in known]
    alike = [
        index
        for index, words in enumerate(names)
        if words and words[-1] in known and (before is None or before.issuperset(words[:-1]))
    ]
    found = exact if before is None else sorted({*exact, *alike})
    if len(found) > 1:
        shown = " and ".join(f"`{' '.join(names[index])}`" for index in found)
        raise campaign_error("source", f"reports: the header must have one column `{known[0]}`, got {shown}")
    return exact[0] if exact else alike[0] if len(alike) == 1 else None


def _report_cell(cell: str) -> str:
    """A cell without what spreadsheets add to keep text: white space, `="…"`, and the apostrophe of an export."""
    cell = cell.strip()
    formula = re.fullmatch(r'="(.*)"', cell)
    return formula[1] if formula else cell.removeprefix("'")


def _reported(report: Any) -> tuple[str, str | None]:
    """The reference of a report, at any depth, and the status beside it; an empty string if the report has none."""
    if isinstance(report, str):
        return report, None
    if isinstance(report, dict):
        own = report.get("reference")
        if isinstance(own, str):
            return own, _state(report.get("status"))
        inner = (_reported(value) for value in report.values() if isinstance(value, dict))
        return next((found for found in inner if found[0]), ("", None))
    own = getattr(report, "reference", None)
    return (own, _state(getattr(report, "status", None))) if isinstance(own, str) else ("", None)


def _state(status: Any) -> str | None:
    return str(status) if isinstance(status, str) else None


# The formats of an export by the extension of the file.
_FORMATS: dict[str, Literal["csv", "jsonl", "arrow"]] = {
    "": "csv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".arrow": "arrow",
    ".feather": "arrow",
}


def format_of(path: str) -> Literal["csv", "jsonl", "arrow"]:
    """The format of an export, which the extension of the file selects."""
    extension = os.path.splitext(path)[1].lower()
    if extension not in _FORMATS:
        known = ", ".join(filter(None, _FORMATS))
        raise bad_value(f"the extension of an export must be one of {known}, got {extension}")
    return _FORMATS[extension]


def refuse_inputs(path: str, url: str, source: str | None) -> None:
    """Refuses an export to a file that the campaign needs: its journal, or the file from which it was created."""
    journal = None if url.startswith(("postgres://", "postgresql://")) else url.removeprefix("sqlite://")
    inputs = [] if journal is None else [f"{journal}{suffix}" for suffix in ("", "-wal", "-shm", "-lock")]
    for known in inputs:
        if _is_same(path, known):
            raise bad_value("the export must not replace a file of its journal; choose another file")
    if source is not None and _is_same(path, source):
        raise bad_value("the export must not replace the file from which the campaign was created")


def refuse_existing(path: str, overwrite: bool) -> None:
    """Refuses an export to a file with contents, unless it may be replaced. Pipes and devices are written to."""
    if not overwrite and os.path.isfile(path) and os.path.getsize(path) > 0:
        message = "the file exists; use another name, or overwrite it (overwrite=True, --overwrite)"
        raise FileExistsError(errno.EEXIST, message, printable(path, 200))


def _is_same(one: str, other: str) -> bool:
    """Whether two paths name one file; it may be missing."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


@contextmanager
def replacing(path: str) -> Iterator[int]:
    """A descriptor of a new file, which replaces `path` when the block ends without an exception.

    Only its owner can read it, but a file that is replaced keeps its mode. Anything but a regular file, such as a pipe, is written directly.
    """
    with printable_path():
        # A file that /dev or /proc names, such as /dev/stdout, cannot be replaced.
        is_special = path.startswith(("/dev/", "/proc/")) or (
            os.path.exists(path) and not os.path.isfile(path)
        )
        if is_special:
            direct = os.open(path, os.O_WRONLY)
            yield direct
            return
        folder = os.path.dirname(path) or "."
        if not os.path.isdir(folder):
            raise FileNotFoundError(errno.ENOENT, "the folder of the export does not exist", folder)
        file, temporary = tempfile.mkstemp(prefix=".cpaas-export-", suffix=".tmp", dir=folder)
        if os.path.isfile(path) and not os.path.islink(path):
            os.fchmod(file, stat.S_IMODE(os.stat(path).st_mode))
    try:
        yield file
        with printable_path():
            os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def write_arrow(stream: Any, path: str) -> int:
    """Writes an Arrow stream to an Arrow file and returns the number of its rows."""
    try:
        import pyarrow  # an optional package
    except ImportError as error:
        raise ImportError("the export as Arrow needs pyarrow: pip install pyarrow") from error
    reader = pyarrow.RecordBatchReader.from_stream(stream)
    count = 0
    with replacing(path) as file, os.fdopen(file, "wb") as out:
        with pyarrow.ipc.new_file(out, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)
                count += batch.num_rows
        synchronize(out)
    return count


def synchronize(out: Any) -> None:
    """Makes a file durable before it replaces another one; a pipe needs and has no such operation."""
    out.flush()
    with suppress(OSError):
        os.fsync(out.fileno())


# What may be between the cells of CSV.
SEPARATORS = (",", ";", "\t")

# Characters with which a spreadsheet begins a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _plain_cell(name: str, value: Any) -> Any:
    """Text as it is, recipients separated by spaces, other values as JSON."""
    if value is None or isinstance(value, str):
        return value
    if name == "recipients":
        return " ".join(value)
    return json.dumps(value, ensure_ascii=False)


def _cell(value: Any) -> Any:
    """A cell that a spreadsheet shows as text. The readers of campaigns remove the apostrophe again."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def write_rows(
    rows: Iterator[dict[str, Any]],
    out: Any,
    format: str,
    *,
    raw: bool = False,
    columns: Iterable[str] = (),
    separator: str = ",",
) -> int:
    """Writes rows as CSV or JSON Lines and returns their number.

    Args:
        rows: The rows.
        out: A text file.
        format: "csv" or "jsonl".
        raw: Whether cells of CSV are written unchanged.
        columns: The header of CSV; the names of the first row when absent.
        separator: What is between the cells of CSV.
    """
    if format not in ("csv", "jsonl"):
        raise bad_value('format must be "csv", "jsonl" or "arrow"')
    first = next(rows, None)  # before the header is written, so that after an error the file is empty
    table = csv.writer(out, delimiter=separator)
    if format == "csv":
        header = [*columns] or [*(first or ())]
        table.writerow(header if raw else map(_cell, header))
    count = 0
    for row in () if first is None else chain((first,), rows):
        count += 1
        if format == "csv":
            cells = [_plain_cell(name, value) for name, value in row.items()]
            table.writerow(cells if raw else map(_cell, cells))
        else:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    return count


def default_name(url: str) -> str:
    """The default name of a campaign: the name of its journal's file without the extension."""
    if url.startswith(("postgres://", "postgresql://")):
        raise bad_type("name is required for a journal in Postgres")
    return os.path.splitext(os.path.basename(url))[0]
