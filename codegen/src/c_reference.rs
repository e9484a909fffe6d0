//! `docs/c-reference.md`: the members of requests, results and configurations, the statuses and the log lines. The C header
//! does not contain them.

use std::fmt::Write;

use cpaas::Config;
use cpaas::config::{Setting, SettingKind, SettingProperty};
use cpaas::operation::Meta;
use cpaas::schema::{Field, Kind, Schema};

use super::object_names::{ObjectNames, metas};
use crate::{File, root};

const HEAD: &str = "# Reference for C

Requests, results, configuration, statuses and log lines of `libcpaas`. [cpaas.h](../include/cpaas.h) documents the functions, and
[c.md](c.md) is the introduction. Generated from the list of operations, their models, `core/src/config.rs`
and `ffi/src/status.rs`: `./x generate` rewrites it.

- [Operations](#operations) · [Objects](#objects)
- [Configuration](#configuration)
- [Statuses](#statuses)
- [Log lines](#log-lines)

A request may have members that its table does not list: they are sent unchanged. Results keep unlisted members. *required* marks a
member of a request that validation requires, and a member of a result that the provider documents as always present. If a response lacks
such a member, the result lacks it too and has a warning (`response.member.missing`).
";

/// The lines of the log: level, text and members.
const LOG_LINES: &[(&str, &str, &str)] = &[
    ("ERROR", "internal error", "`location`: the file and the line of an internal error"),
    (
        "WARN",
        "call ended",
        "`call_id`, `operation`, `reference`, `ending` (`unknown` or `accepted_id_unknown`), `sent`, `attempts`, `reason`, `status`, `code`, `elapsed_ms`",
    ),
    ("WARN", "abandoned", "`call_id`, `operation`, `reference`, `sent`: the call was cancelled"),
    (
        "WARN",
        "the text of the passcode has no code",
        "`call_id`, `operation`, `reference`: the body of `otp.send` has no `{code}`; logged once for each client",
    ),
    (
        "WARN",
        "environment variable is not a setting",
        "`name`, `meant`: the variable resembles that of a setting; logged once in a process, when a client is created",
    ),
    (
        "WARN",
        "a store failed",
        "`call_id`, `operation`, `store` (`suppression` or `guard`); the text of its error is not logged",
    ),
    ("WARN", "a store did not answer in time", "`call_id`, `operation`, `store` (`suppression` or `guard`)"),
    (
        "INFO",
        "call ended",
        "`call_id`, `operation`, `reference`, `ending` (`invalid`, `rejected` or `not_sent`), `sent`, `attempts`, `reason`, `status`, `code`, `problem`, `elapsed_ms`",
    ),
    (
        "DEBUG",
        "call ended",
        "`call_id`, `operation`, `reference`, `ending` (`accepted`, `not_verified` or `abandoned`), `sent`, `attempts`, `reason`, `status`, `code`, `elapsed_ms`",
    ),
    ("DEBUG", "trying again", "`call_id`, `operation`, `reference`, `attempt`, `wait_ms`"),
];

/// The generated file.
#[must_use]
pub fn files() -> Vec<File> {
    let names = ObjectNames::of_requests_and_responses();
    let mut text = HEAD.to_owned();
    text += "\n## Operations\n";
    for meta in metas() {
        operation(&mut text, &names, meta);
    }
    text += "\n## Objects\n";
    for (name, schema) in &names.objects {
        let _ = writeln!(text, "\n### {name}\n\n{}", doc(schema.doc));
        members(&mut text, &names, schema);
    }
    configuration(&mut text);
    statuses(&mut text);
    log_lines(&mut text);
    vec![("docs/c-reference.md".to_owned(), text)]
}

fn operation(text: &mut String, names: &ObjectNames, meta: &Meta) {
    let (method, path) = (meta.method.as_str(), meta.path);
    let _ = writeln!(
        text,
        "\n### `{}`\n\n{} `{method} {path}`, family `{}`, section {} of the specification.",
        meta.id,
        doc(meta.input.doc),
        meta.family.as_str(),
        meta.section
    );
    if meta.input.fields.is_empty() {
        let _ = writeln!(text, "\nThe request has no members: `{{}}`.");
    } else {
        members(text, names, &meta.input);
    }
    let _ = writeln!(text, "\nResult: {}.", kind(names, &meta.output));
}

fn members(text: &mut String, names: &ObjectNames, schema: &Schema) {
    let _ = writeln!(text, "\n| Member | Type | | Meaning |\n|---|---|---|---|");
    for field in schema.fields.iter().filter(|field| !field.derived) {
        let presence = if field.required { "required" } else { "" };
        let _ = writeln!(
            text,
            "| `{}` | {} | {presence} | {} |",
            field.wire,
            kind(names, &field.kind),
            meaning(field)
        );
    }
}

fn meaning(field: &Field) -> String {
    let configured =
        field.config.map_or_else(String::new, |name| format!(" Default: `{name}` of the configuration."));
    doc(field.doc).replace('|', "\\|") + &configured
}

fn kind(names: &ObjectNames, kind: &Kind) -> String {
    match kind {
        Kind::String => "string".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::Integer => "integer".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Scalar => "number or string".to_owned(),
        Kind::OneOrMany(inner) => format!("{0}, or array of {0}", self::kind(names, inner)),
        Kind::Enum(values) => {
            values.iter().map(|value| format!("`\"{value}\"`")).collect::<Vec<_>>().join(", ")
        }
        Kind::Object(schema) => {
            let name = names.of(schema);
            format!("[{name}](#{})", name.to_lowercase())
        }
        Kind::Array(inner) => format!("array of {}", self::kind(names, inner)),
        Kind::Map(inner) => format!("object of {}", self::kind(names, inner)),
        _ => "any JSON".to_owned(),
    }
}

fn doc(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn configuration(text: &mut String) {
    *text += "\n## Configuration\n\nThe JSON that `cpaas_client_new` accepts. An absent member is read from an environment variable: `CPAAS_` and \
              its name in upper case. In a variable, numbers, booleans, objects and arrays are written as JSON.\n\n| Member | Type | Meaning |\n|---|---|---|\n";
    for setting in Config::SETTINGS {
        let (kind, meaning) = (json_type(setting), doc(setting.doc).replace('|', "\\|"));
        let _ = writeln!(text, "| `{}` | {kind} | {meaning} |", setting.name);
    }
}

fn json_type(setting: &Setting) -> &'static str {
    match setting.kind {
        _ if setting.property == Some(SettingProperty::Keyring) => "array, object or string",
        SettingKind::Boolean => "boolean",
        SettingKind::Duration if matches!(setting.property, Some(SettingProperty::WholeSeconds { .. })) => {
            "integer"
        }
        SettingKind::Duration => "number",
        SettingKind::Integer { .. } => "integer",
        SettingKind::Names => "object of string",
        SettingKind::List => "array of string",
        _ => "string",
    }
}

/// The statuses, from the documentation comments of their source.
fn statuses(text: &mut String) {
    *text += "\n## Statuses\n\n| Status | Number | Meaning |\n|---|---|---|\n";
    let source = std::fs::read_to_string(root().join("ffi/src/status.rs")).unwrap_or_default();
    let mut meaning = String::new();
    for line in source.lines().map(str::trim) {
        if let Some(more) = line.strip_prefix("///") {
            meaning += more;
        } else {
            if let Some((name, number)) = line.trim_end_matches(',').split_once(" = ")
                && name.starts_with("CPAAS_")
            {
                let _ = writeln!(text, "| `{name}` | {number} | {} |", doc(&meaning));
            }
            meaning.clear();
        }
    }
}

fn log_lines(text: &mut String) {
    *text += "\n## Log lines\n\nThe function of `cpaas_log_callback` receives one line for each event: the text, then `name=value` for each member. \
              A value with white space, `=` or `\"` is in double quotes, with `\\` before each `\"` and `\\`. \
              `call_id` is the id of the call: 32 hexadecimal digits, as in the error record. `reference` is that of the request; it is absent if the request has none, or if a phone number may be in it: seven digits or more without a letter between them. \
              `reason`, `status` and `code` (the provider's) are those of the error record, and `problem` is the code of its first error; they are absent where the record has none. A line never contains a key, a message text, a \
              phone number, a passcode, a URL or a path of the build machine. It has at most 2,000 characters and no control characters. `sent` is `no`, `maybe` or `yes`.\n\n| Level | Text | Members |\n|---|---|---|\n";
    for (level, line, members) in LOG_LINES {
        let _ = writeln!(text, "| `CPAAS_LOG_{level}` | `{line}` | {members} |");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The level and the text of each event in the sources of the client.
    fn events() -> Vec<(String, String)> {
        let mut found = Vec::new();
        for file in ["client/call.rs", "client/call_log.rs", "client/call_state.rs", "config/environment.rs"]
        {
            let path = crate::root().join("core/src").join(file);
            let source = std::fs::read_to_string(path).unwrap_or_default();
            for part in source.split("tracing::").skip(1) {
                let Some((level, rest)) = part.split_once("!(") else { continue };
                let text = rest.split(");").next().unwrap_or_default().rsplit('"').nth(1).unwrap_or_default();
                if ["debug", "warn", "error", "info"].contains(&level) {
                    found.push((level.to_uppercase(), text.to_owned()));
                }
            }
        }
        found
    }

    #[test]
    fn every_event_of_the_client_is_documented() {
        let events = events();
        assert!(events.len() >= 6, "{events:?}");
        for (level, text) in events {
            let is_listed = LOG_LINES.iter().any(|(known, line, _)| *known == level && *line == text);
            assert!(is_listed, "{level} {text}");
        }
    }

    #[test]
    fn the_configuration_table_has_the_json_type_of_each_member() {
        for (name, kind) in [
            ("sms_url", "string"),
            ("callback_keys", "array, object or string"),
            ("timeout", "number"),
            ("deadline", "number"),
            ("callback_lifetime", "integer"),
            ("retry_unknown", "boolean"),
            ("channel_names", "object of string"),
        ] {
            let setting = Config::SETTINGS.iter().find(|setting| setting.name == name);
            assert_eq!(setting.map(json_type), Some(kind), "{name}");
        }
    }

    /// The documentation comments come from Rust; the page must not contain links to Rust items or the Rust field
    /// `extra`.
    #[test]
    fn the_page_contains_no_names_of_rust() {
        let page: String = files().into_iter().map(|(_, text)| text).collect();
        assert!(!page.contains("`extra`") && !page.contains("[`"), "{page}");
    }
}
