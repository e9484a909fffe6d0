"""The cases of tests/vectors, and the settings of a client for a case."""

import json

from conftest import VECTORS, vectors

import cpaas

CONFIG = vectors("config.json")
ADDRESSES = [name for name in CONFIG if name.endswith("_url")]


def files(folder):
    return [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted((VECTORS / folder).glob("*.json"))
    ]


def settings(wire, case):
    members = {**CONFIG, **dict.fromkeys(ADDRESSES, wire.url), **case.get("config", {})}
    return {name: value for name, value in members.items() if value is not None}


def plain(value):
    if isinstance(value, cpaas.models.Model):
        return value.to_dict()
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def expand(value):
    """Expands the long strings and lists of a case."""
    if isinstance(value, list):
        return [expand(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$text" in value:
        return "".join(part if isinstance(part, str) else part[0] * part[1] for part in value["$text"])
    if "$list" in value:
        return [expand(value["$list"][0])] * value["$list"][1]
    return {name: expand(item) for name, item in value.items()}
