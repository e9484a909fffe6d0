//! `_generated/sandbox_switches.py`: the switches of the sandbox as keyword arguments.

use cpaas_sandbox::{SWITCHES, Switch};

use super::literals::wrap;

const MODULE: &str = r#""""The switches of a sandbox as keyword arguments."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, TypedDict


class Switches(TypedDict, total=False):
    """The arguments of `cpaas.Sandbox`: the switches of `cpaas sandbox`, with `_` for `-`."""

MEMBERS
"#;

pub(super) fn module() -> String {
    let members: String = SWITCHES.iter().map(member).collect();
    MODULE.replace("MEMBERS\n", &members)
}

fn member((name, form, help): &Switch) -> String {
    let comment = wrap(help, "    # ");
    format!("{comment}    {}: {}\n", name.replace('-', "_"), hint(form, help))
}

/// The type of a value of this form.
fn hint(form: &str, help: &str) -> String {
    let hint = match form {
        "" => "bool".to_owned(),
        "N" | "PORT" => "int".to_owned(),
        "SIZE" => "int | str".to_owned(),
        "FILE" | "DIR" => "str | os.PathLike[str]".to_owned(),
        // A switch whose value may be absent.
        _ if form.starts_with('[') => "bool | str | Sequence[str]".to_owned(),
        _ if form.contains('|') => {
            let choices: Vec<_> = form.split('|').map(literal).collect();
            format!("Literal[{}]", choices.join(", "))
        }
        _ => "str".to_owned(),
    };
    if help.contains("may be repeated") { format!("{hint} | Sequence[{hint}]") } else { hint }
}

/// A choice: a number, or text.
fn literal(choice: &str) -> String {
    if choice.parse::<u32>().is_ok() { choice.to_owned() } else { format!("{choice:?}") }
}
