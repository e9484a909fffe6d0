"""The command `cpaas campaign`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import warnings
from argparse import SUPPRESS, Action, ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from threading import Thread
from time import monotonic
from typing import Any
from urllib.parse import unquote

import cpaas

from .._campaign.campaign import OUTCOMES, Campaign
from .._campaign.files import plan_described, write_rows
from .._campaign.records import CampaignStatus
from .._errors import campaign_error
from .._generated.campaign_settings import describe
from .._generated.campaign_switches import CHANGING, SWITCHES
from .._journal import CampaignJournal
from .._suppression import opened as opened_store
from .output import EXIT_CODES, FAILED_ROWS, LIMIT_REACHED, UNKNOWN_ROWS, USAGE
from .progress import Progress, line
from .terminal import json_text, length, positive, show_warning, tell, value_text

# The verbs that also read a journal that is not the one that was written last.
READS = ("status", "export")


# The rows of `resolve --row` whose outcomes are printed where none was resolved.
MOST_ROWS = 5

# The rejected rows whose reasons a run counts.
MOST_REASONS = 10_000

# The variables that workers get through a pipe instead.
SECRETS = ("CPAAS_JOURNAL", "PGPASSWORD")


class Terminated(KeyboardInterrupt):
    """Raised by SIGTERM."""


def add_verbs(commands: Any) -> None:
    """Adds the verbs to the parser of `cpaas campaign`."""
    add = _verb(commands, "plan", "a dry run: rows, problems, parts, price and duration", _plan)
    _add_rows(add)
    add(
        "--journal",
        metavar="URL",
        help="the journal of the campaign (the variable CPAAS_JOURNAL): also count recipients of its earlier campaigns; required for "
        "--frequency-cap",
    )
    add(
        "--id",
        metavar="COLUMN",
        help="the column with your key of each row, which is printed with the problems; `create --id` keeps it",
    )
    add = _verb(commands, "create", "store the rows of a campaign in a journal", _create)
    add("name")
    _add_rows(add)
    add("--id", dest="keep", action="append", metavar="COLUMN", help="the same as --keep with one column")
    _add_journal(add)
    add("--digest", help="the digest that `plan` printed: create nothing if the file has changed since then")
    for name, text, run, add_options in (
        ("test", "send rows to your own number; the messages are real, and no row changes", _test, _add_test),
        ("run", "send the rows; after a crash, run the same command again", _run, _add_run),
        ("set", "change settings, also while the campaign runs", _set, _add_set),
        ("status", "print the state of a campaign", _status, None),
        ("pause", "send no further row until the campaign is resumed", _change, None),
        ("resume", "permit a campaign that was paused or halted to run", _resume, _add_resume),
        ("cancel", "end the campaign: rows that were not sent are never sent", _change, None),
        (
            "export",
            "print the outcome of every row as CSV, or as JSON Lines with --json",
            _export,
            _add_export,
        ),
        (
            "suppress",
            "send nothing more to these recipients, also in runs that have started",
            _suppress,
            _add_suppress,
        ),
        ("purge", "remove texts, recipients and responses; counts stay", _purge, _add_yes),
        ("resolve", "settle rows whose outcome is unknown", _resolve, _add_resolve),
        ("retry", "send rows again whose rejection may pass", _retry, _add_retry),
    ):
        add = _verb(commands, name, text, run)
        add("name")
        _add_journal(add)
        if add_options is not None:
            add_options(add)
    add = _verb(commands, "list", "print all campaigns of a journal", _list)
    _add_journal(add)
    text = (
        "copy a journal in a file to a new file, while workers use it. A plain copy would also need the file with -wal, if it is "
        "not empty; never copy the file with -lock"
    )
    add = _verb(commands, "backup", text, _backup)
    add("file", metavar="FILE", help="the new file; an existing file is never replaced")
    _add_journal(add)
    text = "check a journal: the database, the counts of each campaign, and whether it is the one that was written last"
    add = _verb(commands, "verify", text, _verify)
    _add_journal(add)
    add(
        "--copy",
        action="store_true",
        help="it is a copy or a backup, and need not be the one that was written last",
    )
    add = _verb(
        commands,
        "moved",
        "declare that a journal was moved with nothing lost, with all workers stopped",
        _moved,
    )
    _add_journal(add)
    text = "declare that a journal is a copy or a restored backup: rows without an outcome become unknown"
    add = _verb(commands, "restored", text, _restored)
    _add_journal(add)
    add(
        "--forget-keys",
        action="store_true",
        help="accept new keys of send_once, although the original may have used them",
    )
    _add_yes(add)
    text = (
        "accept a suppression store that lacks changes which earlier runs have read, such as a restored backup; first add everyone again "
        "who opted out since the backup"
    )
    add = _verb(commands, "accept-suppression", text, _accept_suppression)
    add("name", nargs="?", metavar="NAME", help="a campaign whose next run may consult another store")
    _add_journal(add)
    add(
        "--suppression",
        metavar="STORE",
        help="the store that was restored: the file of a cpaas.SuppressionList, or postgres://… without a password",
    )
    _add_yes(add)


def _add_yes(add: Callable[..., Any]) -> None:
    add("--yes", action="store_true", help="do not ask")


def _add_run(add: Callable[..., Any]) -> None:
    add(
        "--concurrency",
        type=positive,
        default=64,
        metavar="N",
        help="rows in progress in a process (64)",
    )
    add("--workers", type=positive, default=1, metavar="N", help="processes (1)")
    add(
        "--limit",
        type=positive,
        metavar="N",
        help="stop after N rows were claimed; the rest stays pending, and the exit code is 11",
    )
    add(
        "--any-provider",
        action="store_true",
        help="continue a campaign that began with another provider, such as the sandbox",
    )
    add(
        "--on-halt",
        metavar="COMMAND",
        help="a command of the shell that runs when the campaign halts; it gets the status as JSON",
    )
    add(
        "--suppression",
        metavar="STORE",
        help="a store of numbers that get no SMS, consulted before each row: the file of a cpaas.SuppressionList, or postgres://… "
        "without a password",
    )
    add("--worker", action="store_true", help=SUPPRESS)
    for switch in CHANGING:
        if switch != "--concurrency":
            add(switch, action=_SettingOption, help=SUPPRESS)


def _add_test(add: Callable[..., Any]) -> None:
    add("--to", required=True, action="append", metavar="NUMBER", help="your own number; repeatable")
    add(
        "--row",
        type=positive,
        action="append",
        metavar="N",
        help="the row with this number, from 1; repeatable",
    )
    add(
        "--count",
        type=positive,
        default=1,
        metavar="N",
        help="without --row: the first N rows that can be sent (1)",
    )


def _add_set(add: Callable[..., Any]) -> None:
    for switch, arguments in SWITCHES:
        if switch in CHANGING:
            # 0 is refused with a reason.
            kind = {"type": int} if arguments.get("type") is positive else {}
            add(switch, **{**arguments, **kind})


def _add_resume(add: Callable[..., Any]) -> None:
    add(
        "--acknowledge-lost-commits",
        action="store_true",
        help="resume although a report names a row that was never claimed: pending rows may be sent a second time",
    )


def _add_suppress(add: Callable[..., Any]) -> None:
    add(
        "file",
        metavar="FILE",
        help="one recipient in each line, or a table with a column of recipients; - for standard input",
    )
    for switch, arguments in SWITCHES:
        if switch in ("--column", "--lenient"):
            add(switch, **arguments)
    add("--encoding", metavar="NAME", help="the encoding of the file, such as windows-1252")
    add(
        "--normalize",
        metavar="REGION",
        help="the region whose national form the numbers of the file may have, such as GR; the setting of the campaign when absent",
    )


def _add_export(add: Callable[..., Any]) -> None:
    add(
        "--output",
        metavar="FILE",
        help="write to a file that only its owner can read; .csv, .jsonl and .arrow select the format",
    )
    add(
        "--outcome",
        action="append",
        choices=OUTCOMES,
        metavar="OUTCOME",
        help=f"only rows with this outcome; repeatable: {', '.join(OUTCOMES)}",
    )
    add(
        "--raw",
        action="store_true",
        help="write cells of CSV that begin with =, +, -, @, a tab or a carriage return without a leading apostrophe",
    )
    add("--overwrite", action="store_true", help="replace the file of --output if it exists")
    add(
        "--bom", action="store_true", help="begin CSV with a byte order mark, so that Excel reads it as UTF-8"
    )
    add(
        "--separator",
        choices=[",", ";", "tab"],
        default=",",
        help="what is between the cells of CSV (,); Excel expects ; in countries with a decimal comma",
    )


def _add_resolve(add: Callable[..., Any]) -> None:
    add("--reports", metavar="FILE", help="delivery reports: CSV or JSON Lines with `reference`")
    add("--encoding", metavar="NAME", help="the encoding of a CSV file of reports, such as windows-1252")
    add("--as", dest="as_", choices=["accepted", "not-sent"], help="the outcome that the rows get")
    add(
        "--row",
        type=positive,
        action="append",
        metavar="N",
        help="only the row with this number, from 1; repeatable",
    )
    add(
        "--owners-stopped",
        action="store_true",
        help="declare that all workers on other machines, and of the original of a restored copy, have been stopped",
    )
    _add_yes(add)


def _add_retry(add: Callable[..., Any]) -> None:
    add(
        "--reason",
        required=True,
        metavar="REASON",
        help="setup (a wrong key or address), a code of the provider, or provider_5xx, which may send twice",
    )
    add(
        "--older-than",
        type=length,
        default=0.0,
        metavar="TIME",
        help="only rows that were claimed longer ago, such as 6m",
    )
    _add_yes(add)


def _verb(commands: Any, name: str, text: str, run: Callable[[Any], int]) -> Callable[..., Any]:
    verb = commands.add_parser(name, help=text, description=text)
    verb.add_argument("--json", action="store_true", help="print JSON")
    verb.set_defaults(run=_with_journal(run), verb=name)
    return verb.add_argument  # type: ignore[no-any-return]


def _add_rows(add: Callable[..., Any]) -> None:
    add("file", help="CSV, or JSON Lines with the extension .jsonl; - for CSV on standard input")
    add("--op", required=True, metavar="ID", help="the operation, such as sms.send")
    add(
        "--set",
        action="append",
        default=[],
        metavar="NAME=TEMPLATE",
        help="a member of the request, by name, dots or JSON pointer: --set sms.text='Hi {{name}}'",
    )
    add("--template", metavar="FILE", help="a JSON file with the request; --set adds to it")
    for switch, arguments in SWITCHES:
        add(switch, **arguments)


def _add_journal(add: Callable[..., Any]) -> None:
    add(
        "--journal",
        metavar="URL",
        help="a path, sqlite:///… or postgres://… without a password (the variable CPAAS_JOURNAL)",
    )
    add("--restored", action=_RestoredOption, nargs=0, help=SUPPRESS)


class _RestoredOption(Action):
    """An option of earlier versions. In a manifest it would act at every start."""

    def __call__(self, parser: ArgumentParser, *_: object) -> None:
        parser.error("--restored is a command now: cpaas campaign restored --journal URL")


class _SettingOption(Action):
    """A setting of the campaign, which a run does not change."""

    def __call__(
        self, parser: ArgumentParser, namespace: object, value: object, option: str | None = None
    ) -> None:
        parser.error(f"{option} is a setting of the campaign: cpaas campaign set NAME {option} …")


def _with_journal(run: Callable[[Any], int]) -> Callable[[Any], int]:
    """Sets `options.journal` before the verb runs. `plan` needs none."""

    def located(options: Any) -> int:
        is_absent = run is _plan and options.journal is None and not os.environ.get("CPAAS_JOURNAL")
        if "journal" in options and not is_absent:
            options.journal = journal_address(options)
        return run(options)

    return located


def journal_address(options: Any) -> str:
    """The address of the journal: the option or the variable, or what the parent process wrote to a worker."""
    if getattr(options, "worker", False):
        return _read_journal()
    url: str | None = options.journal
    if url is None:
        url = os.environ.get("CPAAS_JOURNAL")
        if not url:
            raise _usage("the journal must be given: --journal URL, or the variable CPAAS_JOURNAL")
    elif _has_password(url):
        raise _usage(
            "--journal must not contain a password, because other users of this machine see it; set the variable CPAAS_JOURNAL "
            "to the URL, or the variable PGPASSWORD, or use a password file (~/.pgpass)"
        )
    return url


def _has_password(url: str) -> bool:
    scheme, found, rest = url.partition("://")
    if not found or not scheme.lower().startswith("postgres"):
        return False
    front, _, query = rest.partition("?")
    names = [unquote(pair.partition("=")[0]) for pair in query.split("&")]
    # Characters of a password that should be encoded may be `/` and `?`, so everything before the last `@` counts, except in
    # parameters that follow a user.
    has_parameters = "@" in front and all(name.isidentifier() for name in names)
    user = (front if has_parameters else rest).rpartition("@")[0]
    return ":" in user or "password" in names


def _write_journal(url: str, worker: subprocess.Popen[bytes]) -> None:
    """Gives a worker the address and the password. Its arguments and its environment contain neither."""
    given = {"journal": url, "password": os.environ.get("PGPASSWORD")}
    if worker.stdin is not None:
        with suppress(BrokenPipeError):  # the worker has ended
            worker.stdin.write(json.dumps(given).encode() + b"\n")
            worker.stdin.flush()


def _read_journal() -> str:
    line = bytearray()
    while (byte := os.read(0, 1)) not in (b"", b"\n"):
        line += byte
    if not line:  # the parent has ended
        raise SystemExit(1)
    given = json.loads(line)
    if given["password"] is not None:
        os.environ["PGPASSWORD"] = given["password"]
    return str(given["journal"])


def _open(options: Any) -> Campaign:
    with warnings.catch_warnings():
        if options.verb in READS:
            warnings.showwarning = show_warning
        else:
            # What follows is refused, with the same words.
            warnings.simplefilter("ignore", RuntimeWarning)
        return Campaign.open(options.journal, options.name)


@contextmanager
def _reading() -> Iterator[None]:
    """Converts the `OSError` of a file to a `CampaignError`."""
    try:
        yield
    except OSError as error:
        raise campaign_error("source", f"{error.filename}: {error.strerror}") from None


def _read_template(path: str) -> Any:
    with open(path, encoding="utf-8-sig") as file:
        try:
            return json.load(file)
        except json.JSONDecodeError as error:
            place = f"line {error.lineno}, column {error.colno}"
            message = f"must be JSON, the syntax error is at {place}"
        except UnicodeDecodeError:
            message = "must be UTF-8"
    raise campaign_error("source", f"the template {path} {message}")


@_reading()
def _source(options: Any) -> tuple[str, dict[str, Any]]:
    template: Any = {}
    if options.template:
        template = _read_template(options.template)
    pairs = []
    for text in options.set:
        name, found, source = text.partition("=")
        if not found:
            raise _usage("--set must have the form name=template, got no =")
        pairs.append((name, source))
    given = vars(options)
    names = (switch.removeprefix("--").replace("-", "_") for switch, _ in SWITCHES)
    settings = {name: given[name] for name in names if given.get(name) is not None}
    description = describe(options.op, template, **settings, set=pairs)
    return ("/dev/stdin" if options.file == "-" else options.file), description


def _usage(message: str) -> SystemExit:
    tell(f"cpaas: {message}")
    return SystemExit(2)


def _plan(options: Any) -> int:
    rows, description = _source(options)
    plan = plan_described(rows, {**description, "id": options.id}, options.journal)
    _print(options, plan)
    # As `create`, whose campaign would have no row that can be sent.
    return 0 if plan.valid else FAILED_ROWS


def _create(options: Any) -> int:
    _warn_about_state_folder()
    rows, description = _source(options)
    _, notes, _, status = Campaign._create_noting(
        options.journal, rows, description, options.name, options.digest
    )
    if options.json:
        print(json_text({**status.to_dict(), "notes": notes}))
    else:
        print(status)
        for note in notes:
            tell(f"cpaas: warning: {note}")
    # A campaign without a row that can be sent is as done as a run that ends with invalid rows.
    return 0 if status.pending else FAILED_ROWS


def _status(options: Any) -> int:
    status = _open(options).status()
    _print(options, status)
    return _code(status)


def _change(options: Any) -> int:
    campaign = _open(options)
    getattr(campaign, options.verb)()
    _print(options, campaign.status())
    return 0


def _purge(options: Any) -> int:
    campaign = _open(options)
    unknown = campaign.status().unknown
    if unknown:
        question = f"purge {_rows(unknown)} with an unknown outcome, so that nobody can send them again?"
        if (code := _refused(options, question)) is not None:
            return code
    campaign.purge()
    _print(options, campaign.status())
    return 0


def _resume(options: Any) -> int:
    campaign = _open(options)
    campaign.resume(acknowledge_lost_commits=options.acknowledge_lost_commits)
    _print(options, campaign.status())
    return 0


def _set(options: Any) -> int:
    given = vars(options)
    names = [switch.removeprefix("--").replace("-", "_") for switch in CHANGING]
    changes = {name: given[name] for name in names if given[name] is not None}
    if not changes:
        raise _usage(f"set requires one of {', '.join(CHANGING)}")
    campaign = _open(options)
    campaign.set(**changes)
    status = campaign.status()
    _print(options, status)
    if status.state in ("halted", "paused") and not options.json:
        print(f"the campaign is {status.state}: resume it, then run it again")
    return 0


def _suppress(options: Any) -> int:
    campaign = _open(options)
    file = "/dev/stdin" if options.file == "-" else options.file
    with _reading():
        found = campaign.suppress(
            file,
            column=options.column,
            lenient=options.lenient,
            encoding=options.encoding,
            normalize=options.normalize,
        )
    _print(options, found)
    return 0


def _test(options: Any) -> int:
    campaign = _open(options)
    chosen = {"to": options.to, "rows": options.row, "count": options.count}
    messages = campaign.test_messages(**chosen)
    if not options.json:
        count = f"{len(messages)} real {'message' if len(messages) == 1 else 'messages'}"
        print(f"test of {value_text(campaign.name)}: sends {count}; no row changes")
        for message in messages:
            print(f"{message}: {json_text(message.request)}", flush=True)
    with cpaas.Client() as client:
        messages = campaign.test(client, **chosen)
    if options.json:
        print(json_text([message.to_dict() for message in messages]))
    else:
        for message in messages:
            print(message)
    failed = next((one.outcome for one in messages if one.outcome != "accepted"), None)
    return 0 if failed is None else EXIT_CODES.get(failed, 1)


def _list(options: Any) -> int:
    with warnings.catch_warnings():
        warnings.showwarning = show_warning
        found = Campaign.list(options.journal)
    if options.json:
        print(json_text([status.to_dict() for status in found]))
    else:
        for status in found:
            is_shown = status.taken_over_by is not None or status.state == "running"
            print(line(status) + (f", {status.obstacle}" if is_shown and status.obstacle else ""))
    return 0


def _backup(options: Any) -> int:
    made = Campaign.backup(options.file, journal=options.journal)
    if made.warning is not None:
        tell(f"cpaas: warning: {made.warning}")
    _print(options, made)
    return 0


def _verify(options: Any) -> int:
    found = Campaign.verify(options.journal)
    if options.copy and found.identity is not None:
        found = found.replace(identity=None)
    _print(options, found)
    if found.identity is not None and not options.json:
        print("if it is a copy or a backup that nobody is to run, use --copy")
    return 1 if found.problems or found.identity is not None else 0


def _moved(options: Any) -> int:
    _warn_about_state_folder()
    Campaign.mark_moved(options.journal)
    if options.json:
        print(json_text({"journal": None if _has_password(options.journal) else options.journal}))
    else:
        print("the journal has a new identity; no row changed")
    return 0


def _restored(options: Any) -> int:
    _warn_about_state_folder()
    if options.forget_keys:
        known = ""
        with suppress(cpaas.CampaignError), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            known = f" It knows {CampaignJournal(options.journal, True).keys():,} keys."
        question = f"accept new keys of send_once in this journal?{known} A key that was used since the backup is sent again."
        if (code := _refused(options, question)) is not None:
            return code
    _print(options, Campaign.mark_restored(options.journal, forget_keys=options.forget_keys))
    return 0


def _accept_suppression(options: Any) -> int:
    if (options.name is None) == (options.suppression is None):
        tell(
            "cpaas: accept-suppression must have --suppression STORE, or the NAME of a campaign, and not both"
        )
        return USAGE
    journal = CampaignJournal(options.journal, True)
    if options.suppression is None:
        question = (
            f"may the next run of {options.name!r} consult another suppression store? "
            "People who are only in the other one get messages."
        )
        if (code := _refused(options, question)) is None:
            Campaign.forget_suppression_store(options.name, journal=options.journal)
            print(json.dumps({}) if options.json else "the next run accepts another suppression store")
        return code or 0
    _check_suppression(options.suppression)
    changes = journal.suppression_changes(opened_store(options.suppression)._native.identity())
    name = "1 change" if changes == 1 else f"{changes:,} changes"
    question = (
        f"accept a suppression store that may lack some of {name} which runs have read, and changes since the last run? "
        "People who opted out may get messages."
    )
    if (code := _refused(options, question)) is not None:
        return code
    Campaign.accept_suppression_store(options.suppression, journal=options.journal)
    if options.json:
        print(json.dumps({"changes": changes}))
    else:
        print("the next run accepts the suppression store")
    return 0


def _refused(options: Any, question: str) -> int | None:
    """Asks a question on a terminal. Returns the exit code if nothing is to be changed."""
    if options.yes:
        return None
    if not sys.stdin.isatty():
        tell(f"cpaas: {question} Nothing is changed without --yes")
        return USAGE
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        tell("cpaas: nothing is changed")
        return 1
    return None


def _export(options: Any) -> int:
    if options.bom and options.json:
        raise _usage("--bom is only for CSV; other formats have no byte order mark")
    if options.separator != "," and options.json:
        raise _usage("--separator is only for CSV")
    separator: Any = "\t" if options.separator == "tab" else options.separator
    campaign = _open(options)
    form = "jsonl" if options.json else "csv"
    if options.output:
        campaign.export(
            options.output,
            format="jsonl" if options.json else None,
            raw=options.raw,
            outcome=options.outcome,
            overwrite=options.overwrite,
            bom=options.bom,
            separator=separator,
        )
    else:
        rows = campaign.rows(outcome=options.outcome)
        if options.bom:
            sys.stdout.write("\ufeff")
        columns = campaign._columns()
        write_rows(rows, sys.stdout, form, raw=options.raw, columns=columns, separator=separator)
    return 0


def _resolve(options: Any) -> int:
    if (options.as_ is None) == (options.reports is None):
        raise _usage("resolve requires either --reports FILE or --as accepted|not-sent")
    if options.encoding is not None and options.reports is None:
        raise _usage("--encoding requires --reports FILE")
    campaign = _open(options)
    if options.as_ == "not-sent":
        count = min(campaign.status().unknown, len({*options.row}) if options.row else sys.maxsize)
        most = "" if count == 1 else "at most "
        question = f"resolve {most}{_rows(count)} as not sent, so that the next run sends them, perhaps a second time?"
        if options.owners_stopped:
            question += " If the journal is a restored copy, this machine refuses the campaign in the original and in other copies."
        if count and (code := _refused(options, question)) is not None:
            return code
    with _reading():
        found = campaign.resolve(
            options.as_,
            rows=options.row,
            reports=options.reports,
            encoding=options.encoding,
            owners_stopped=options.owners_stopped,
        )
    status = campaign.status()
    notes = [*found.notes]
    if not found.resolved and not notes:
        notes.extend(_unresolved(campaign, options, found, status))
    if found.taken_over:
        _warn_about_state_folder()
        notes.append(
            "opt-outs that the original stored after this copy was made are not in it: suppress them again before the next run"
        )
    if options.as_ == "not-sent" and found.resolved:
        notes.append("run the campaign again: these rows are sent again, perhaps a second time")
    if found.impossible:
        name = "a report names a row" if found.impossible == 1 else f"{found.impossible:,} reports name rows"
        notes.append(
            f"{name} that no worker has claimed: the journal has lost commits, for example because it is a restored backup, or the "
            f"report is not genuine. The campaign is {status.state}. Do not resume it; export what is known and settle the rest "
            "with the provider"
        )
    if found.foreign:
        name = "1 report is" if found.foreign == 1 else f"{found.foreign:,} reports are"
        notes.append(
            f"{name} of messages that this campaign has not sent, and changed nothing: use the reports of its own messages, "
            "or resolve the campaign that sent them"
        )
    if options.json:
        print(json.dumps({**found.to_dict(), "unknown": status.unknown, "notes": notes}))
    else:
        print("\n".join((f"{found}; {status.unknown:,} rows are unknown", *notes)))
    return 1 if found.impossible else _code(status)


def _unresolved(
    campaign: Campaign, options: Any, found: cpaas.CampaignResolution, status: CampaignStatus
) -> Iterator[str]:
    """Why no row was resolved, and what settles rows with another outcome."""
    if options.as_ is None:
        if not any(found.to_dict().values()):
            yield "the file has no report"
        return
    if options.row is not None:
        with suppress(cpaas.CampaignError):  # of a purged campaign
            rows = ", ".join(_described(campaign, number) for number in options.row[:MOST_ROWS])
            yield f"only rows whose outcome is unknown are resolved: {rows}"
        return
    yield "no row is unknown, and only unknown rows are resolved"
    if status.in_flight:
        yield f"in flight: {_rows(status.in_flight)}; the worker settles them, or stop it first"
    if status.rejected:
        yield f"rejected: {_rows(status.rejected)}; see `cpaas campaign retry`"


def _described(campaign: Campaign, number: int) -> str:
    """A row of the campaign, whose number was checked, and its outcome."""
    return f"row {number:,} is {next(campaign.rows(first=number))['outcome']}"


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _not_retried(campaign: Campaign, options: Any, status: CampaignStatus) -> Iterator[str]:
    """Why a retry found no row, and what would find one."""
    found = campaign._retry_reasons()
    own = found.pop(options.reason, 0)
    if own:
        is_failure = options.reason == "provider_5xx"
        age = "more than six minutes ago" if is_failure else "longer ago than --older-than"
        yield f"{_rows(own)} with this reason: a row must have been claimed {age}"
        return
    if found:
        others = ", ".join(f"--reason {reason} ({_rows(count)})" for reason, count in found.items())
        yield f"no row has the reason {options.reason}; others would match: {others}"
    else:
        yield "no row was rejected for a reason that may pass, and none is unknown because the provider failed"
    if status.unknown:
        yield f"unknown: {_rows(status.unknown)}; see `cpaas campaign resolve`"


def _retry(options: Any) -> int:
    campaign = _open(options)
    count = campaign.retry(options.reason, older_than=options.older_than, dry_run=True)
    twice = ", perhaps a second time" if options.reason == "provider_5xx" else ""
    question = f"send {_rows(count)} again{twice}?"
    if count and (code := _refused(options, question)) is not None:
        return code
    if count:
        count = campaign.retry(options.reason, older_than=options.older_than)
    status = campaign.status()
    if options.json:
        print(json.dumps({"retried": count, "pending": status.pending}))
        return _code(status)
    print(f"{count:,} rows may be sent again{twice}; {status.pending:,} rows are pending")
    if not count:
        print("\n".join(_not_retried(campaign, options, status)))
    else:
        print(f"{'resume and ' if status.state in ('halted', 'paused') else ''}run the campaign again")
    return _code(status)


def _warn_about_state_folder() -> None:
    problem = CampaignJournal.state_folder_problem()
    if problem is not None:
        tell(f"cpaas: warning: {problem}")


def _run(options: Any) -> int:
    if not options.worker:
        _warn_about_state_folder()
    if options.suppression is not None:
        _check_suppression(options.suppression)
    campaign = _open(options)
    on_halt = _halt_command(options)
    was_halted = on_halt is not None and campaign.status().state == "halted"
    if options.worker:
        Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGTERM, _terminated)
    progress = None if options.worker else Progress(sys.stderr, campaign.status(), quiet=options.json)
    try:
        if options.workers > 1:
            status, code = _run_workers(options, campaign, progress)
            if on_halt is not None and status.state == "halted" and not was_halted:
                on_halt(status)
        else:
            with cpaas.Client(suppression=options.suppression) as client:
                status = campaign.run(
                    client,
                    concurrency=options.concurrency,
                    limit=options.limit,
                    any_provider=options.any_provider,
                    on_progress=progress,
                    on_halt=on_halt,
                )
            code = 0 if status.state == "done" else _pending_code(options, status)
    except KeyboardInterrupt as stopped:
        code = 143 if isinstance(stopped, Terminated) else 130
        if progress is not None:
            progress.end()
            status = campaign.status()
            _print(options, status)
            tell("cpaas: stopped; run the campaign again to continue")
        return code
    except cpaas.CampaignError as error:
        if error.reason != "halted":
            raise
        if progress is not None:
            progress.end()
        tell(f"cpaas: {error}")
        status = campaign.status()
        if status.reason == "setup":
            tell(
                "cpaas: `cpaas campaign test` with your own number shows the cause: a missing setting, a key or an address"
            )
        code = 1
    finally:
        if progress is not None:
            progress.end()
    if options.worker:
        return code
    _print(options, status)
    if status.rejected and not options.json:
        with suppress(cpaas.CampaignError):  # of a purged campaign
            _tell_rejections(campaign)
    if status.state in ("paused", "cancelled"):
        tell(f"cpaas: the campaign is {status.state}")
    return _exit_code(status, code)


def _tell_rejections(campaign: Campaign) -> None:
    """Prints why rows were rejected, and how those are sent whose setup was wrong."""
    rejected = islice(campaign.rows(outcome="rejected"), MOST_REASONS)
    reasons = Counter(row["reason"] or "without a reason" for row in rejected)
    for reason, count in reasons.most_common(3):
        tell(f"cpaas: rejected: {reason} ({count:,} rows)")
    if any(reason.split()[0] == "setup" for reason in reasons):
        tell(
            "cpaas: check the keys and addresses of the client (CPAAS_SMS_KEY, …), then run `cpaas campaign retry --reason setup` "
            "and the campaign again"
        )


def _check_suppression(store: str) -> None:
    """Refuses a password, and a file that does not exist: the client would create a store that protects nobody."""
    if _has_password(store):
        raise _usage(
            "--suppression must not contain a password, because other users of this machine see it; set the variable PGPASSWORD, "
            "or use a password file (~/.pgpass)"
        )
    file = store.removeprefix("sqlite://")
    if "://" not in file and not os.path.exists(file):
        raise campaign_error("source", f"--suppression must be a store that exists, got {file}")


def _pending_code(options: Any, status: CampaignStatus) -> int:
    """The code of a run that ended with pending rows: it reached its limit, if nothing else stopped the campaign."""
    is_limited = options.limit is not None and status.state in ("created", "stopped", "running")
    return LIMIT_REACHED if is_limited else 1


def _exit_code(status: CampaignStatus, code: int) -> int:
    """The exit code of a run. Rows without success decide only if no row is pending, because another run sends pending rows."""
    failed = FAILED_ROWS if status.rejected or status.invalid else 0
    unknown = UNKNOWN_ROWS if status.unknown else 0
    return unknown or code or failed if status.state == "done" else code or unknown


def _halt_command(options: Any) -> Callable[[CampaignStatus], None] | None:
    """Runs the command of `--on-halt`. It gets the status as JSON on standard input, and name and reason as variables."""
    if not options.on_halt:
        return None

    def run(status: CampaignStatus) -> None:
        variables = {"CPAAS_CAMPAIGN": status.name, "CPAAS_HALT_REASON": status.reason or ""}
        ended = subprocess.run(
            options.on_halt,
            shell=True,
            env={**os.environ, **variables},
            input=json_text(status.to_dict()),
            text=True,
            stdout=sys.stderr.fileno(),
            check=False,
        )
        if ended.returncode:
            tell(f"cpaas: the command of --on-halt ended with the code {ended.returncode}")

    return run


def _terminated(number: int, frame: Any) -> None:
    raise Terminated


def _run_workers(options: Any, campaign: Campaign, progress: Progress | None) -> tuple[CampaignStatus, int]:
    """Runs each worker in its own process, which ends when this process does."""
    command = [sys.executable, "-m", "cpaas", "campaign", "run", options.name]
    command += ["--concurrency", str(options.concurrency), "--worker"]
    if options.suppression is not None:
        command += ["--suppression", options.suppression]
    if options.any_provider:
        command.append("--any-provider")
    variables = {name: value for name, value in os.environ.items() if name not in SECRETS}
    commands = [[*command, *share] for share in _shares(options.limit, options.workers)]
    workers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, env=variables)
        for command in commands
    ]
    for worker in workers:
        _write_journal(options.journal, worker)
    try:
        while not _all_end(workers, 1.0):
            if progress is not None:
                progress(campaign.status())
    except KeyboardInterrupt:
        _stop(workers)
        raise
    status = campaign.status()
    if progress is not None:
        progress(status)
    if any(worker.returncode not in (0, LIMIT_REACHED) for worker in workers):
        return status, 0 if status.state == "done" else 1
    return status, 0 if status.state == "done" else _pending_code(options, status)


def _shares(limit: int | None, workers: int) -> list[list[str]]:
    """The switches that divide the limit among workers; a worker without a share does not start."""
    if limit is None:
        return [[]] * workers
    shares = [limit // workers + (number < limit % workers) for number in range(workers)]
    return [["--limit", str(share)] for share in shares if share]


def _all_end(workers: list[subprocess.Popen[bytes]], seconds: float) -> bool:
    until = monotonic() + seconds
    for worker in workers:
        try:
            worker.wait(max(until - monotonic(), 0.0))
        except subprocess.TimeoutExpired:
            return False
    return True


def _stop(workers: list[subprocess.Popen[bytes]]) -> None:
    """Ends workers after their rows in progress; a second signal to this process ends them at once."""
    for worker in workers:
        worker.terminate()
    try:
        for worker in workers:
            worker.wait()
    except KeyboardInterrupt:
        for worker in workers:
            worker.terminate()
        raise


def _end_with_parent() -> None:
    """Waits until the parent process has ended, then ends this worker after its rows in progress."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _code(status: CampaignStatus) -> int:
    return UNKNOWN_ROWS if status.unknown else 0


def _print(options: Any, record: Any) -> None:
    print(json_text(record.to_dict()) if options.json else record)
