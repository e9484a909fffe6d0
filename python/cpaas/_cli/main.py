"""The command `cpaas`, also `python -m cpaas`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import cpaas

from .. import _cpaas
from .._generated.metadata import OPERATIONS_BY_ID
from .._public import public
from . import campaign, mcp, shortcuts
from .output import EXIT_CODES, USAGE, members_of, print_problems, print_result, printed
from .terminal import Parser, json_text, show_warning, tell

SUGGESTIONS = {"send": "`cpaas sms send` or `cpaas otp send`", "verify": "`cpaas otp verify`"}
DESCRIPTION = """Sends messages and passcodes, and validates requests. To try it without a provider, run `cpaas sandbox` and set the
variables that it prints; then: cpaas sms send --from Acme --to 306912345678 --text 'Hi'"""
EPILOG = """exit codes: 0 success; 1 other error; 2 usage; 3 rejected by the provider; 4 not sent, safe to retry; 5 may have been
sent; 6 accepted, but the id was lost; 7 invalid passcode; 8 rows of a campaign have an unknown outcome; 9 invalid, nothing
was sent; 10 a campaign is done, but some of its rows were rejected or invalid; 11 rows are pending,
because a run has reached its --limit; 130 interrupted; 141 the output was closed; 143 terminated.
Addresses and keys are environment variables: CPAAS_SMS_URL, CPAAS_SMS_KEY, CPAAS_OTP_URL, …"""


@public
def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns the exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        code = _sandbox(arguments[1:]) if arguments[:1] == ["sandbox"] else _run(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        return 130


def _run(arguments: list[str]) -> int:
    parser = _parser(arguments[:1] == ["campaign"])
    if arguments[:1] == ["send"] or arguments[:1] == ["verify"]:
        parser.error(f"{arguments[0]!r} needs a group: {SUGGESTIONS[arguments[0]]}")
    options = parser.parse_args(arguments)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = show_warning
            return options.run(options)  # type: ignore[no-any-return]
    except cpaas.Error as error:
        return _failed(error, options)
    except json.JSONDecodeError as error:
        tell(f"cpaas: nothing was sent: the request must be JSON: {error}")
        return EXIT_CODES["invalid"]
    except BrokenPipeError:
        raise
    except OSError as error:
        file = f"{error.filename}: " if error.filename else ""
        tell(f"cpaas: {file}{error.strerror or error}")
        return 1
    except (ValueError, TypeError, ImportError, NotImplementedError) as error:
        tell(f"cpaas: {error}")
        return 1


def _parser(with_campaigns: bool) -> argparse.ArgumentParser:
    parser = Parser(
        prog="cpaas",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"cpaas {cpaas.__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")
    commands.add_parser("sandbox", help="simulate the provider on this machine", add_help=False)

    add = _add(commands, "segments", "split a text into SMS parts", _segments)
    add("text")
    add("--split", choices=["code_point", "grapheme"], default="code_point")
    add = _add(commands, "validate", "validate a request: validate messages.send payload.json", _validate)
    add("operation")
    add("file", help="a JSON file; - for standard input")
    add = _add(commands, "call", "call an operation: call sms.send --data '{…}'", _call)
    add("operation", nargs="?")
    add("--data", default="{}", help="the request as JSON, @file, or - for standard input")
    add = _add(commands, "lookup", "look up numbers", _lookup)
    add("numbers", nargs="+")
    add = _add(commands, "docs", "explain problem codes", _docs)
    add("topic", choices=["problems"])
    shortcuts.add(commands, _add)
    server = commands.add_parser(
        "mcp", help="serve the tools to an agent (Model Context Protocol)", description=mcp.DESCRIPTION
    )
    server.set_defaults(run=mcp.run, json=False)
    mcp.add_switches(server.add_argument)
    verbs = commands.add_parser("campaign", help="send many messages, each at most once")
    if with_campaigns:
        campaign.add_verbs(verbs.add_subparsers(required=True, metavar="verb"))
    return parser


def _add(commands: Any, name: str, text: str, run: Callable[[Any], int]) -> Callable[..., Any]:
    command = commands.add_parser(name, help=text, description=text)
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=run)
    return command.add_argument  # type: ignore[no-any-return]


def _sandbox(arguments: list[str]) -> int:
    try:
        code, text = _cpaas.run_sandbox(arguments)
    except KeyboardInterrupt:  # stopped by Ctrl-C
        return 0
    if text:
        print(text.rstrip(), file=sys.stderr if code else sys.stdout)
    return code


def _segments(options: Any) -> int:
    found = cpaas.segments(options.text, split=options.split)
    members = {**found.to_dict(), "parts": [part.to_dict() for part in found.parts]}
    if not printed(options, members):
        print(
            f"{found.encoding}: {_count(found.count, 'part')}, {_count(found.units, 'unit')}, "
            f"{found.remaining} remaining"
        )
        for cause in cpaas.annotate(options.text)["causes"] if found.encoding == "ucs2" else ():
            replacement = f", replacement {cause['replacement']!r}" if cause["replacement"] else ""
            times = "once" if cause["count"] == 1 else f"{cause['count']} times"
            print(f"  {cause['character']!r} forces UCS-2 ({times}{replacement})")
    return 0


def _validate(options: Any) -> int:
    if not _is_operation(options):
        return USAGE
    report = cpaas.validate(options.operation, _read(options.file))
    members = {
        "ok": report.ok,
        "errors": [members_of(problem) for problem in report.errors],
        "warnings": [members_of(problem) for problem in report.warnings],
    }
    if not printed(options, members):
        print_problems(report)
        print("valid" if report.ok else f"invalid: {_count(len(report.errors), 'error')}")
    return 0 if report.ok else EXIT_CODES["invalid"]


def _call(options: Any) -> int:
    if not _is_operation(options):
        return USAGE
    data = options.data
    if data == "-" or data.startswith("@"):
        data = _read(data.removeprefix("@"))
    elif not data.lstrip().startswith("{"):
        form = "--data must be a JSON object, @ and the name of a file, or - for standard input"
        tell(f"cpaas: nothing was sent: the request must be JSON: {form}")
        return EXIT_CODES["invalid"]
    operation: Any = options.operation
    with cpaas.Client() as client:
        result = client.call(operation, json.loads(data))
    return print_result(options, result)


def _is_operation(options: Any) -> bool:
    if options.operation in OPERATIONS_BY_ID:
        return True
    tell(f"cpaas: usage: {_unknown_operation(options.operation)}; see `cpaas operations`")
    return False


def _unknown_operation(name: str | None) -> str:
    if name is None:
        return "the operation is missing: cpaas call sms.send --data '{…}'"
    try:
        cpaas.validate(name, {})
    except cpaas.Invalid as error:
        return str(error)
    return name


def _lookup(options: Any) -> int:
    with cpaas.Client() as client:
        return print_result(options, client.lookup(msisdn=options.numbers))


def _docs(options: Any) -> int:
    codes = _cpaas.problem_codes()
    if not printed(options, codes):
        for code in codes:
            print(f"{code['id']} ({code['severity']}, {code['source']})\n    {code['message']}")
    return 0


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _failed(error: cpaas.Error, options: Any) -> int:
    if options.json:
        members = {name: value for name, value in vars(error).items() if value is not None}
        members.update(processed=error.processed, retryable=error.retryable)
        members["problems"] = [members_of(problem) for problem in error.problems]
        print(json_text(members, default=str))
    elif error.outcome == "invalid" and error.problems:
        tell(f"cpaas: {error.operation}: nothing was sent")
        print_problems(error.problems, options)
    else:
        tell(f"cpaas: {error}")
        print_problems(error.problems, options)
        if error.provider_message:
            tell(f"message of the provider: {error.provider_message}")
    return EXIT_CODES.get(error.outcome or "", 1)


def _read(name: str) -> str:
    if name == "-":
        return sys.stdin.read()
    with open(name, encoding="utf-8") as file:
        return file.read()
