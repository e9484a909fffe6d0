"""The results of commands: what they print, and their exit codes."""

from __future__ import annotations

import argparse
from dataclasses import fields
from typing import Any

import cpaas

from .terminal import json_text, tell, value_text

# The exit codes by outcome. 0 is accepted or valid, 1 any other error.
EXIT_CODES = {"invalid": 9, "rejected": 3, "not_sent": 4, "unknown": 5, "accepted_id_unknown": 6}
USAGE = 2
INVALID_PASSCODE = 7
UNKNOWN_ROWS = 8
FAILED_ROWS = 10
LIMIT_REACHED = 11


def print_result(options: Any, result: Any) -> int:
    many = isinstance(result, tuple)
    members = [members_of(item) for item in result] if many else members_of(result)
    if not printed(options, members):
        for number, item in enumerate(members if many else [members]):
            if number and isinstance(item, dict):
                print()
            _show(item)
    for problem in result.warnings:
        tell(f"warning: {_problem_text(problem, options)}")
    return 0


def _show(value: Any, indent: str = "") -> None:
    """Prints one member per line, and indents nested objects."""
    if not isinstance(value, dict):
        print(f"{indent}{_as_text(value)}")
        return
    value = {value_text(name): member for name, member in value.items()}
    width = max(map(len, value), default=0)
    for name, member in value.items():
        items = member if isinstance(member, (list, tuple)) else [member]
        if not any(isinstance(item, dict) for item in items):
            print(f"{indent}{name:{width}}  {', '.join(map(_as_text, items))}".rstrip())
            continue
        for number, item in enumerate(items, 1):
            print(f"{indent}{name}" + (f" {number}" if len(items) > 1 else ""))
            _show(item, indent + "  ")


def _as_text(value: Any) -> str:
    return value_text(value) if isinstance(value, str) else json_text(value)


def print_problems(problems: Any, options: Any = None) -> None:
    for problem in problems:
        tell(f"{problem.severity}: {_problem_text(problem, options)}")


def _problem_text(problem: cpaas.Problem, options: Any) -> str:
    """The text of a problem, with the option that the user typed: `--from` instead of `from_`."""
    name = (problem.argument or "").rstrip("_")
    if name not in vars(options or argparse.Namespace()) or name == "operation":
        return str(problem)
    return f"--{name.replace('_', '-')}: {problem.message} [{problem.code}]"


def members_of(record: Any) -> Any:
    if isinstance(record, cpaas.Problem):
        members = {it.name: getattr(record, it.name) for it in fields(record)}
        # The pointer of the whole request is empty.
        return {name: value for name, value in members.items() if value or name == "pointer"}
    return record.to_dict() if hasattr(record, "to_dict") else record


def printed(options: Any, members: Any) -> bool:
    """Prints JSON if `--json` was given. Returns whether it was given."""
    if options.json:
        print(json_text(members))
    return bool(options.json)
