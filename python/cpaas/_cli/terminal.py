"""The arguments and the output of the command `cpaas`: nothing that it prints changes the terminal."""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from typing import Any, NoReturn, TextIO

from .._cpaas import printable

# The characters that `json.dumps` leaves and `printable` replaces, except those beyond the BMP.
_UNSAFE = re.compile("[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")
_TAGS = re.compile("[\U000e0000-\U000e007f]")


class Parser(argparse.ArgumentParser):
    """A parser whose error messages are printable: they quote arguments. An option with a value is given once, unless it is repeatable."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.given: set[str] = set()
        for name in (None, "store"):
            self.register("action", name, _Store)

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


class _Store(argparse.Action):
    """Stores a value. `argparse` would store the last one of several."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option: str | None = None,
    ) -> None:
        if option is not None and isinstance(parser, Parser):
            if self.dest in parser.given:
                raise argparse.ArgumentError(self, "must be given once, got it twice")
            parser.given.add(self.dest)
        setattr(namespace, self.dest, values)


def positive(text: str) -> int:
    """An argument that is an integer from 1."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


positive.__name__ = "positive number"  # for the error messages of argparse


def number(text: str) -> float:
    """An argument that is a number."""
    try:
        return float(text)
    except ValueError:
        expected = "must be a number with a decimal point, such as 1.5"
        raise argparse.ArgumentTypeError(f"{expected}, got {printable(text)!r}") from None


def columns(text: str) -> list[str]:
    """An argument with the names of columns, as a line of CSV: a name with a comma has quotes."""
    if "\n" in text or "\r" in text:
        raise argparse.ArgumentTypeError("the names of columns must be one line, got a line break")
    return next(csv.reader([text]), [])


# Seconds of each unit of `length`.
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def length(text: str) -> float:
    """An argument that is a length of time, such as 90s, 6m, 2h or 1d."""
    unit = _UNITS.get(text[-1:])
    if unit is None:
        raise ValueError(text)
    return int(text[:-1]) * float(unit)


length.__name__ = "length of time such as 6m"


def tell(text: object) -> None:
    """Prints one line to standard error."""
    print(printable(str(text)), file=sys.stderr)


def show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Prints a warning as one line; `warnings.showwarning` of the command."""
    tell(f"cpaas: warning: {message}")


def value_text(text: str) -> str:
    """A value of a result for standard output, complete."""
    return printable(text, sys.maxsize)


def json_text(value: Any, default: Any = None) -> str:
    """JSON that equals the value, with escapes for the characters that could change the terminal."""
    text = json.dumps(value, ensure_ascii=False, default=default)
    return _TAGS.sub(
        lambda tag: json.dumps(tag[0])[1:-1], _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    )
