//! `_settings.py`: the configuration as keyword arguments.

use cpaas::Config;
use cpaas::config::{Setting, SettingKind, SettingProperty};

use super::literals::{doc, wrap};

pub(super) fn module() -> String {
    let mut out = concat!(
        "\"\"\"The configuration of a client as keyword arguments.\"\"\"\n\n",
        "from __future__ import annotations\n\n",
        "TYPE_CHECKING = False\n",
        "if TYPE_CHECKING:\n    import datetime\n    import typing\n    from collections import abc\n\n",
        "    from typing_extensions import TypedDict\n\n    from . import _event as event\n    from . import callbacks\n\n",
        "    class Options(TypedDict, total=False):\n        \"\"\"The arguments of a client, for functions that pass them on.\"\"\"\n\n",
        "OPTIONS\nelse:\n    from ._lazy import abc, callbacks, datetime, event, typing\n\n\n",
        "class SecretSettings:\n    \"\"\"Settings in a closure, so that `vars` and `repr` show no keys.\"\"\"\n\n",
        "    __slots__ = (\"reveal\",)\n\n",
        "    def __init__(self, settings: dict[str, typing.Any]) -> None:\n",
        "        self.reveal: abc.Callable[[], dict[str, typing.Any]] = lambda: dict(settings)\n\n",
        "    def __repr__(self) -> str:\n        return \"<settings>\"\n\n\n",
        "class Settings:\n    \"\"\"Settings that every client accepts. A setting that is not passed is read from the environment variable `CPAAS_…`.\"\"\"\n\n",
        "    def __init__(\n        self,\n        *,\n",
    )
    .to_owned();
    for setting in Config::SETTINGS {
        out += &format!("        {}: {} | None = None,\n", setting.name, kind(setting));
    }
    out += "        on_outcome: abc.Callable[[event.Event], object] | None = None,\n        on_request: abc.Callable[[event.RequestEvent], object] | None = None,\n        on_response: abc.Callable[[event.ResponseEvent], object] | None = None,\n        pickle_secrets: bool = False,\n    ) -> None:\n        \"\"\"Every argument is optional.\n\n";
    for setting in Config::SETTINGS {
        out += &wrap(&format!("{}: {}", setting.name, doc(setting.doc)), "        ");
    }
    out += "        on_outcome: Called with an Event after every call, including an abandoned one.\n        on_request: Called with a RequestEvent before each HTTP request of a call is sent.\n        on_response: Called with a ResponseEvent after each HTTP response.\n        pickle_secrets: Whether pickling the client includes the keys that were given here (default false).\n";
    out += "        \"\"\"\n        self._on_outcome = on_outcome\n        self._on_request = on_request\n        self._on_response = on_response\n        self._pickle_secrets = pickle_secrets\n        settings: dict[str, typing.Any] = {\n";
    for name in Config::NAMES {
        out += &format!("            {name:?}: {name},\n");
    }
    let mut options: String = Config::SETTINGS
        .iter()
        .map(|setting| format!("        {}: {} | None\n", setting.name, kind(setting)))
        .collect();
    options += "        on_outcome: abc.Callable[[event.Event], object] | None\n        on_request: abc.Callable[[event.RequestEvent], object] | None\n        on_response: abc.Callable[[event.ResponseEvent], object] | None\n        pickle_secrets: bool\n";
    let out = out.replacen("OPTIONS\n", &options, 1);
    let secrets = super::literals::tuple(
        Config::SETTINGS
            .iter()
            .filter(|setting| is_secret(setting))
            .map(|setting| format!("{:?}", setting.name)),
    );
    let out = out.replacen(CONSTRUCTOR, &format!("    _secrets = {secrets}\n\n{CONSTRUCTOR}"), 1);
    out + "        }\n        self._settings = SecretSettings({name: value for name, value in settings.items() if value is not None})\n"
}

/// The first line of the constructor of the settings.
const CONSTRUCTOR: &str = "    def __init__(\n";

/// Whether pickling a client omits a setting. `proxy` can contain a password but is not omitted, because the other process would then
/// bypass the proxy.
fn is_secret(setting: &Setting) -> bool {
    setting.kind == SettingKind::Secret && setting.name != "proxy"
}

/// The type of the argument.
fn kind(setting: &Setting) -> &'static str {
    match (setting.kind, setting.property) {
        (SettingKind::Number, Some(SettingProperty::Seconds)) => "float | datetime.timedelta",
        (SettingKind::Integer, Some(SettingProperty::Seconds)) => "int | datetime.timedelta",
        _ if setting.name == "callback_keys" => "str | abc.Sequence[typing.Any] | callbacks.Keyring",
        (SettingKind::Boolean, _) => "bool",
        (SettingKind::Number, _) => "float",
        (SettingKind::Integer, _) => "int",
        (SettingKind::Names, _) => "abc.Mapping[str, str]",
        _ => "str",
    }
}
