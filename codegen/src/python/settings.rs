//! `_generated/settings.py`: the configuration as keyword arguments.

use cpaas::Config;
use cpaas::config::{Setting, SettingKind, SettingProperty};

use super::literals::{doc, entry, tuple};

pub(super) fn module() -> String {
    let hints: Vec<_> =
        Config::SETTINGS.iter().map(|setting| (setting.name, format!("{} | None", kind(setting)))).collect();
    let hooks = HOOKS.map(|(name, event, _)| (name, format!("Callable[[{event}], object] | None")));
    let stores = STORES.map(|(name, class, _)| (name, format!("{class} | None")));
    let options: String = hints
        .iter()
        .chain(&hooks)
        .chain(&stores)
        .map(|(name, hint)| format!("    {name}: {hint}\n"))
        .collect();
    let parameters: String = hints
        .iter()
        .chain(&hooks)
        .chain(&stores)
        .map(|(name, hint)| format!("        {name}: {hint} = None,\n"))
        .collect();
    let secrets = tuple(
        Config::SETTINGS
            .iter()
            .filter(|setting| is_secret(setting))
            .map(|setting| format!("{:?}", setting.name)),
    );
    let mut args: String = Config::SETTINGS
        .iter()
        .map(|setting| entry(setting.name, &doc(setting.doc), "            "))
        .collect();
    args += &HOOKS.map(|(name, _, text)| entry(name, text, "            ")).concat();
    args += &STORES.map(|(name, _, text)| entry(name, text, "            ")).concat();
    let values: String =
        Config::NAMES.iter().map(|name| format!("            {name:?}: {name},\n")).collect();
    MODULE
        .replace("OPTIONS\n", &options)
        .replace("SECRETS", &secrets)
        .replace("PARAMETERS\n", &parameters)
        .replace("ARGS\n", &args)
        .replace("VALUES\n", &values)
}

/// The hooks: the setting, the event that they receive, and the documentation.
const HOOKS: [(&str, &str, &str); 3] = [
    ("on_outcome", "Event", "Called with an Event after every call, including an abandoned one."),
    ("on_request", "RequestEvent", "Called with a RequestEvent before each HTTP request of a call is sent."),
    ("on_response", "ResponseEvent", "Called with a ResponseEvent after each HTTP response."),
];

/// The stores that a client consults before it sends: the setting, its type, and the documentation.
const STORES: [(&str, &str, &str); 2] = [
    (
        "suppression",
        "str | os.PathLike[str] | SuppressionStore",
        "The numbers that get no SMS: a `SuppressionList`, its path or address, or an object with the method `is_suppressed`. Calls of `sms.*`, \
         and of `messages.*` with the channel `sms`, to these numbers are `Invalid` with the problem `suppressed`, and nothing is sent.",
    ),
    (
        "guard",
        "Guard",
        "A guard against pumping. A passcode that it refuses is `Invalid` with a problem `guard.…`, and nothing is sent.",
    ),
];

/// The module; the names in upper case are replaced.
const MODULE: &str = r#""""The configuration of a client as keyword arguments."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal, TypedDict

import cpaas

from .._events import Event, RequestEvent, ResponseEvent
from .._guard import Guard
from .._suppression import SuppressionStore


class Options(TypedDict, total=False):
    """The arguments of a client, for functions that pass them on."""

OPTIONS
    pickle_secrets: bool


class SecretSettings:
    """Settings in a closure, so that `vars` and `repr` show no keys."""

    __slots__ = ("reveal",)

    def __init__(self, settings: dict[str, Any]) -> None:
        self.reveal: Callable[[], dict[str, Any]] = lambda: dict(settings)

    def __repr__(self) -> str:
        return "<settings>"


class Settings:
    """Settings that every client accepts."""

    _secrets = SECRETS

    def __init__(
        self,
        *,
PARAMETERS
        pickle_secrets: bool = False,
    ) -> None:
        """Creates a client. A setting that is absent is read from its environment variable `CPAAS_…`, and else has its default.

        Args:
ARGS
            pickle_secrets: Whether a pickle of the client contains the keys, and the passwords of URLs and of
                databases, that were given here (default false). Without it, a client cannot be pickled if the
                address of its `suppression` or of the store of its `guard` contains a password.
        """
        self._on_outcome = on_outcome
        self._on_request = on_request
        self._on_response = on_response
        self._suppression = suppression
        self._guard = guard
        self._pickle_secrets = pickle_secrets
        settings: dict[str, Any] = {
VALUES
        }
        self._settings = SecretSettings({name: value for name, value in settings.items() if value is not None})
"#;

/// Whether pickling a client omits a setting. `proxy` can contain a password but is not omitted, because the other process would then
/// bypass the proxy.
fn is_secret(setting: &Setting) -> bool {
    setting.kind == SettingKind::Secret && setting.name != "proxy"
}

/// The type of the argument.
fn kind(setting: &Setting) -> String {
    let kind = match (setting.kind, setting.property) {
        (SettingKind::Choice(names), _) => {
            let names: Vec<_> = names.iter().map(|name| format!("{name:?}")).collect();
            return format!("Literal[{}]", names.join(", "));
        }
        (SettingKind::Duration, Some(SettingProperty::WholeSeconds { .. })) => "int | timedelta",
        (SettingKind::Duration, _) => "float | timedelta",
        (_, Some(SettingProperty::Keyring)) => {
            "str | Sequence[Any] | Mapping[str, Any] | cpaas.callbacks.Keyring"
        }
        (SettingKind::Boolean, _) => "bool",
        (SettingKind::Integer { .. }, _) => "int",
        (SettingKind::Names, _) => "Mapping[str, str]",
        (SettingKind::List, _) => "Sequence[str]",
        _ => "str",
    };
    kind.to_owned()
}
