//! `settings.js` and `settings.d.ts`: the settings of a client in camel case. Lengths of time are in milliseconds, except those that the
//! library accepts in whole seconds only.

use cpaas::Config;
use cpaas::config::{Setting, SettingKind, SettingProperty};

use super::request_types::comment;
use crate::member_names::lower_camel;

pub(super) fn module() -> String {
    let rows: String = Config::SETTINGS.iter().map(|setting| format!("  {},\n", row(setting))).collect();
    MODULE.replace("ROWS\n", &rows)
}

const MODULE: &str = r"/**
 * The settings of a client.
 *
 * - `setting`: its name in a configuration in JSON.
 * - `kind`: the type of its value; `milliseconds` and `seconds` are numbers, `names` is an object of strings, `list` an array of strings.
 * - `values`: the values of a `choice`; `max`: the largest `integer`.
 * - `secret`: whether its value is never shown.
 */
export const SETTINGS = /* @__PURE__ */ Object.freeze([
ROWS
]);
";

/// The largest integer that a number of JavaScript represents without loss, and all below it.
const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

fn row(setting: &Setting) -> String {
    let details = match setting.kind {
        SettingKind::Choice(values) => format!(", values: [{}]", quoted(values, ", ")),
        SettingKind::Integer { max } => format!(", max: {}", max.min(MAX_SAFE_INTEGER)),
        _ => String::new(),
    };
    format!(
        "{{ name: {:?}, setting: {:?}, kind: {:?}{details}, secret: {} }}",
        name(setting),
        setting.name,
        kind(setting),
        setting.kind == SettingKind::Secret,
    )
}

/// The name in JavaScript, with the unit of a length of time.
fn name(setting: &Setting) -> String {
    let name = lower_camel(setting.name);
    match kind(setting) {
        "milliseconds" => name + "Ms",
        "seconds" => name + "Seconds",
        _ => name,
    }
}

fn kind(setting: &Setting) -> &'static str {
    match (setting.kind, setting.property) {
        (_, Some(SettingProperty::Keyring)) => "keyring",
        (SettingKind::Duration, Some(SettingProperty::WholeSeconds { .. })) => "seconds",
        (SettingKind::Duration, _) => "milliseconds",
        (SettingKind::Boolean, _) => "boolean",
        (SettingKind::Integer { .. }, _) => "integer",
        (SettingKind::Choice(_), _) => "choice",
        (SettingKind::Normalize, _) => "normalize",
        (SettingKind::Names, _) => "names",
        (SettingKind::List, _) => "list",
        _ => "string",
    }
}

pub(super) fn types() -> String {
    let mut out = TYPES.to_owned();
    for setting in Config::SETTINGS {
        out += &comment(&documentation(setting), "  ");
        out += &format!("  {}?: {};\n", name(setting), hint(setting));
    }
    out + "}\n"
}

const TYPES: &str = r#"import type { Keyring, KeyringConfig } from "./callbacks.js";

/** The settings of a client. A setting that is absent is read from its environment variable `CPAAS_…`, and else has its default. */
export interface Settings {
"#;

fn hint(setting: &Setting) -> String {
    match kind(setting) {
        "keyring" => "string | Keyring | KeyringConfig | KeyringConfig[\"keys\"]".to_owned(),
        "boolean" => "boolean".to_owned(),
        "integer" | "milliseconds" | "seconds" => "number".to_owned(),
        "names" => "Record<string, string>".to_owned(),
        "list" => "readonly string[]".to_owned(),
        "choice" => match setting.kind {
            SettingKind::Choice(values) => quoted(values, " | "),
            _ => "string".to_owned(),
        },
        _ => "string".to_owned(),
    }
}

/// The documentation with the names and units of JavaScript.
fn documentation(setting: &Setting) -> String {
    let mut text = setting.doc.to_owned();
    for other in Config::SETTINGS {
        text = text.replace(&format!("`{}`", other.name), &format!("`{}`", name(other)));
    }
    text = text.replace("`check_number`", "`checkNumber`");
    if kind(setting) == "milliseconds"
        && let Some((before, after)) = text.split_once(", in seconds (default ")
        && let Some((seconds, after)) = after.split_once(')')
    {
        return format!("{before}, in milliseconds (default {seconds},000){after}");
    }
    text
}

fn quoted(values: &[&str], separator: &str) -> String {
    values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_documented_in_their_unit() {
        let found = |kind_of: &'static str| {
            Config::SETTINGS.iter().filter(move |setting| kind(setting) == kind_of).map(documentation)
        };
        assert_eq!(found("milliseconds").count(), 3);
        for text in found("milliseconds") {
            assert!(text.contains("in milliseconds (default ") && !text.contains(" seconds"), "{text}");
        }
        assert_eq!(found("seconds").count(), 1);
        for text in found("seconds") {
            assert!(text.contains("in seconds"), "{text}");
        }
    }

    #[test]
    fn documentation_names_other_settings_as_in_javascript() {
        let key = Config::SETTINGS.iter().find(|setting| setting.name == "messaging_key").map(documentation);
        assert_eq!(
            key.as_deref().map(str::trim),
            Some("The key of the messaging service (default: `smsKey`, else `apiKey`).")
        );
    }
}
