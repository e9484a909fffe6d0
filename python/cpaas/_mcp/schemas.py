"""The JSON schemas of tools, and the check of arguments. The check knows the keywords that the schemas of this package use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, cast

from .._cpaas import printable
from .._errors import Problem

Schema = dict[str, Any]

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}
_NAMES: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    float: "a number",
    type(None): "null",
}


def string(description: str, **more: Any) -> Schema:
    """A string that is not empty."""
    return {"type": "string", "minLength": 1, "description": description, **more}


def closed(properties: Mapping[str, Schema], required: list[str] | None = None) -> Schema:
    """An object with these members only; all are required unless `required` names some."""
    names = list(properties) if required is None else required
    return {
        "type": "object",
        "properties": dict(properties),
        "required": names,
        "additionalProperties": False,
    }


def check(schema: Schema, value: Any, pointer: str = "") -> Iterator[Problem]:
    """The problems of arguments: each has the place and the rule, and no value."""
    kind: str | None = schema.get("type")
    if kind is not None and not _is(kind, value):
        article = "an" if kind[0] in "aeiou" else "a"
        yield _problem(pointer, "type", f"must be {article} {kind}, got {_NAMES[type(value)]}")
        return
    if "enum" in schema and value not in schema["enum"]:
        yield _problem(pointer, "enum", f"must be one of {', '.join(schema['enum'])}")
    if isinstance(value, str):
        yield from _size(schema, len(value), pointer, ("minLength", "maxLength"), "character")
        if any("\ud800" <= character <= "\udfff" for character in value):
            yield _problem(pointer, "unicode", "must be valid Unicode, got a lone surrogate")
    elif isinstance(value, list):
        items = cast("Sequence[Any]", value)
        yield from _size(schema, len(items), pointer, ("minItems", "maxItems"), "item")
        for number, item in enumerate(items):
            yield from check(schema.get("items", {}), item, f"{pointer}/{number}")
    elif isinstance(value, dict):
        yield from _members(schema, cast("dict[str, Any]", value), pointer)
    elif isinstance(value, int):
        yield from _size(schema, value, pointer, ("minimum", "maximum"), "")


def _members(schema: Schema, value: dict[str, Any], pointer: str) -> Iterator[Problem]:
    known: dict[str, Schema] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield _problem(f"{pointer}/{name}", "required", "must not be missing")
    for name, member in value.items():
        if name in known:
            yield from check(known[name], member, f"{pointer}/{name}")
        elif schema.get("additionalProperties") is False:
            near = get_close_matches(name, known, 1)
            meant = f"did you mean {near[0]!r}?" if near else f"the members are {', '.join(known) or 'none'}"
            yield _problem(f"{pointer}/{printable(name, 100)}", "unknown", f"unknown member; {meant}")


def _size(schema: Schema, size: int, pointer: str, names: tuple[str, str], unit: str) -> Iterator[Problem]:
    least, most = (schema.get(name) for name in names)
    if least is not None and size < least:
        yield _problem(
            pointer,
            names[0],
            f"must be at least {_count(least, unit)}, got {size}"
            if size or not unit
            else "must not be empty",
        )
    if most is not None and size > most:
        yield _problem(pointer, names[1], f"must be at most {_count(most, unit)}, got {size}")


def _count(number: int, unit: str) -> str:
    return f"{number} {unit if number == 1 else f'{unit}s'}" if unit else str(number)


def _is(kind: str, value: Any) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _problem(pointer: str, rule: str, message: str) -> Problem:
    return Problem(pointer=pointer, code=f"argument.{rule}", severity="error", message=message)
