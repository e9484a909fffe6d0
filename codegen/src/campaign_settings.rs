//! The settings of campaigns: the arguments of Python, the switches of `cpaas campaign`, and `docs/campaign-settings.md`.

use std::fmt::Write as _;

use cpaas_campaign::{SETTINGS, Setting, SettingKind};

use crate::head;
use crate::python::literals::{doc, entry};

/// The files, by their path in the repository.
#[must_use]
pub fn files() -> Vec<crate::File> {
    vec![
        ("docs/campaign-settings.md".to_owned(), page()),
        ("python/cpaas/_generated/campaign_settings.py".to_owned(), arguments()),
        ("python/cpaas/_generated/campaign_switches.py".to_owned(), switches()),
    ]
}

const INTRODUCTION: &str = "# Settings of campaigns

The settings of [campaigns](campaigns.md): switches of `cpaas campaign plan` and `cpaas campaign create`, and arguments of `cpaas.plan` and
`cpaas.Campaign.create`. Those with *yes* can be changed while the campaign runs, with `cpaas campaign set` and `Campaign.set`. Generated from the table in `campaign/src/settings.rs`: change it, then run `cargo run -p codegen`.

| Switch | Python | Can change | Meaning |
|---|---|---|---|
";

fn page() -> String {
    let mut text = INTRODUCTION.to_owned();
    for setting in SETTINGS {
        let value = placeholder(setting.kind);
        let value = if value.is_empty() { value } else { format!(" {value}") };
        let (switch, name, meaning) = (switch(setting), setting.name, setting.doc);
        let form = form(setting.kind);
        let form = if form.is_empty() { String::new() } else { format!(" The file: {form}.") };
        let change = if setting.can_change { "yes" } else { "" };
        let _ = writeln!(text, "| `{switch}{value}` | `{name}` | {change} | {meaning}{form} |");
    }
    text
}

fn switch(setting: &Setting) -> String {
    format!("--{}", setting.name.replace('_', "-"))
}

/// What the help of the command shows instead of a value.
fn placeholder(kind: SettingKind) -> String {
    match kind {
        SettingKind::Recipients | SettingKind::Prices => "FILE".to_owned(),
        SettingKind::Count | SettingKind::Number => "N".to_owned(),
        SettingKind::Amount => "AMOUNT".to_owned(),
        SettingKind::Text(placeholder) => placeholder.to_owned(),
        SettingKind::Columns => "COLUMNS".to_owned(),
        _ => String::new(),
    }
}

/// What the file of a switch contains; empty for a switch without a file.
const fn form(kind: SettingKind) -> &'static str {
    match kind {
        SettingKind::Recipients => "one recipient in each line, or a table with a column of recipients",
        SettingKind::Prices => "CSV with the columns prefix, price and currency",
        SettingKind::Columns => "",
        _ => "",
    }
}

fn switches() -> String {
    let rows: String = SETTINGS
        .iter()
        .map(|setting| {
            let kind = match setting.kind {
                SettingKind::Count => "\"type\": positive, ".to_owned(),
                SettingKind::Number => "\"type\": number, ".to_owned(),
                SettingKind::Flag => "\"action\": \"store_true\", ".to_owned(),
                SettingKind::Columns => "\"type\": columns, \"action\": \"extend\", ".to_owned(),
                SettingKind::Choice(values) => {
                    format!("\"choices\": {values:?}, \"default\": {:?}, ", default_of(values))
                }
                _ => String::new(),
            };
            let shown = match placeholder(setting.kind) {
                shown if shown.is_empty() => shown,
                shown => format!("\"metavar\": {shown:?}, "),
            };
            format!("    ({:?}, {{{kind}{shown}\"help\": {:?}}}),\n", switch(setting), help(setting))
        })
        .collect();
    let changing: Vec<String> = SETTINGS
        .iter()
        .filter(|setting| setting.can_change)
        .map(|setting| format!("{:?}", switch(setting)))
        .collect();
    SWITCHES.replace("ROWS\n", &rows).replace("NAMES", &changing.join(", "))
}

/// The first sentence of the documentation, in the form of the command's help.
fn help(setting: &Setting) -> String {
    let sentence = setting.doc.split(". ").next().unwrap_or_default().trim_end_matches('.');
    let (first, rest) = sentence.split_at(1);
    let extra = match setting.kind {
        SettingKind::Choice(values) => format!(" ({})", default_of(values)),
        kind if !form(kind).is_empty() => format!("; {}", form(kind)),
        _ => String::new(),
    };
    format!("{}{rest}{extra}", first.to_lowercase()).replace('%', "%%")
}

const SWITCHES: &str = r#"# Generated from `campaign/src/settings.rs`: `cargo run -p codegen` rewrites it.
"""The settings of campaigns as switches of `cpaas campaign`."""

from __future__ import annotations

from typing import Any

from .._cli.terminal import columns, number, positive

# The switch, and the arguments of `add_argument`.
SWITCHES: tuple[tuple[str, dict[str, Any]], ...] = (
ROWS
)

# The switches of settings that can be changed while a campaign runs.
CHANGING = (NAMES)
"#;

fn arguments() -> String {
    let parameters = |indent: &str| -> String {
        let parameter = |setting: &Setting| {
            let (hint, default) = hint(setting.kind);
            format!("{indent}{}: {hint} = {default},\n", setting.name)
        };
        SETTINGS.iter().map(parameter).collect()
    };
    let documents = |indent: &str| -> String {
        SETTINGS.iter().map(|setting| entry(setting.name, &described(setting), indent)).collect()
    };
    let passed = |indent: &str| -> String {
        SETTINGS.iter().map(|setting| format!("{indent}{0}={0},\n", setting.name)).collect()
    };
    let changing = || SETTINGS.iter().filter(|setting| setting.can_change);
    let change_parameters: String = changing()
        .map(|setting| format!("        {}: {} = None,\n", setting.name, hint(setting.kind).0))
        .collect();
    let change_documents: String =
        changing().map(|setting| entry(setting.name, &described(setting), "            ")).collect();
    let change_values: String = changing()
        .map(|setting| format!("            {:?}: {},\n", setting.name, changed_value(setting)))
        .collect();
    let values: String = SETTINGS.iter().map(|setting| format!("        {},\n", value(setting))).collect();
    let module = ARGUMENTS
        .replace("        CHANGE_PARAMETERS\n", &change_parameters)
        .replace("            CHANGE_ARGS\n", &change_documents)
        .replace("            CHANGE_VALUES\n", &change_values)
        .replace("        CREATE_PARAMETERS\n", &parameters("        "))
        .replace("            CREATE_ARGS\n", &documents("            "))
        .replace("            CREATE_PASSED\n", &passed("            "))
        .replace("    PLAN_PARAMETERS\n", &parameters("    "))
        .replace("        PLAN_ARGS\n", &documents("        "))
        .replace("        PLAN_PASSED\n", &passed("        "))
        .replace("    DESCRIBE_PARAMETERS\n", &parameters("    "))
        .replace("        VALUES\n", &values);
    format!(
        "{}{module}",
        head("#", "`campaign/src/settings.rs` and `codegen/templates/campaign_settings.py.in`")
    )
}

/// The default of a choice.
fn default_of(values: &'static [&'static str]) -> &'static str {
    values.first().copied().unwrap_or_default()
}

/// The type of the argument, and its default.
fn hint(kind: SettingKind) -> (String, String) {
    let hint = match kind {
        SettingKind::Flag => return ("bool".to_owned(), "False".to_owned()),
        SettingKind::Columns => return ("Iterable[str]".to_owned(), "()".to_owned()),
        SettingKind::Choice(values) => {
            let quoted: Vec<_> = values.iter().map(|value| format!("{value:?}")).collect();
            return (format!("Literal[{}]", quoted.join(", ")), format!("{:?}", default_of(values)));
        }
        SettingKind::Recipients => "Recipients",
        SettingKind::Prices => "PriceList",
        SettingKind::Count => "int",
        SettingKind::Number => "float",
        SettingKind::Amount => "Decimal | str | float",
        _ => "str",
    };
    (format!("{hint} | None"), "None".to_owned())
}

/// The documentation, and what Python accepts.
fn described(setting: &Setting) -> String {
    let accepted = match setting.kind {
        SettingKind::Recipients => {
            " An iterable, or the path of a file with one in each line or with a column of them."
        }
        SettingKind::Prices => {
            " The path or the text of a CSV file with the columns prefix, price and currency, or an iterable of mappings with these keys."
        }
        _ => "",
    };
    doc(&format!("{}{accepted}", setting.doc))
}

/// The member of the description that the native module reads.
fn value(setting: &Setting) -> String {
    let name = setting.name;
    let value = match setting.kind {
        SettingKind::Recipients => format!("None if {name} is None else read_recipients({name})"),
        SettingKind::Prices => format!("read_prices({name}, encoding)"),
        SettingKind::Columns => format!("texts({name:?}, {name})"),
        SettingKind::Count => format!("None if {name} is None else positive({name:?}, {name})"),
        SettingKind::Number => format!("number({name:?}, {name})"),
        SettingKind::Amount => format!("None if {name} is None else str({name})"),
        SettingKind::Choice(_) => format!("text({name:?}, {name})"),
        SettingKind::Flag => format!("boolean({name:?}, {name})"),
        _ => format!("None if {name} is None else text({name:?}, {name})"),
    };
    format!("{name:?}: {value}")
}

/// The member of the changes that the native module reads. The native module refuses 0 with a reason.
fn changed_value(setting: &Setting) -> String {
    let name = setting.name;
    match setting.kind {
        SettingKind::Count => format!("None if {name} is None else natural({name:?}, {name})"),
        _ => value(setting).split_once(": ").map(|(_, value)| value.to_owned()).unwrap_or_default(),
    }
}

/// The public functions and the base class of campaigns, in Python; lines with a name in upper case are replaced.
const ARGUMENTS: &str = include_str!("../templates/campaign_settings.py.in");
