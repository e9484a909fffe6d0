//! `models.py`: the classes of results.

use cpaas::bindings;
use cpaas::schema::{Field, Property, Schema};

use super::class_names::ClassNames;
use super::literals::{doc, quoted, snake, tuple, wrap};
use crate::result_models::{has_success_code, is_returned, item, items, object};

pub(super) fn module(names: &ClassNames) -> String {
    let exported: String = names.outputs.iter().map(|(name, _)| format!("    {name:?},\n")).collect();
    let classes: String = names.outputs.iter().map(|(name, schema)| class(names, name, schema)).collect();
    MODULE.replace("EXPORTED\n", &exported) + &classes
}

const MODULE: &str = r#""""The records that calls return: read-only classes with attributes in snake_case."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from ._conversions import as_datetime, as_decimal
from ._cpaas import Response
from ._errors import meaning
from ._generated.names import ElementOutcome
from ._pages import AsyncPaginator, Page
from ._pages import Link as Link
from ._public import public_methods
from ._records import REQUIRED, Model, Records, Result, code_ok

__all__ = [
    "AsyncPaginator",
    "Model",
    "Page",
    "Records",
    "Response",
    "Result",
EXPORTED
]
"#;

/// A class, after the classes of its members.
fn class(names: &ClassNames, name: &str, schema: &'static Schema) -> String {
    let attributes = || schema.fields.iter().map(|field| quoted(&snake(field.wire)));
    let shown = schema.fields.iter().filter(|field| shows(field)).map(|field| quoted(&snake(field.wire)));
    let mut out = format!(
        "\n\n@public_methods\n@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)\nclass {name}({}):\n    \"\"\"{}\"\"\"\n\n    __match_args__: ClassVar[tuple[str, ...]] = {}\n    _fields = {{\n",
        base_with_item(names, schema),
        doc(schema.doc),
        tuple(attributes()),
    );
    for field in schema.fields {
        let nested = object(&field.kind).map_or("None", |schema| names.of(schema, true));
        out += &format!("        {:?}: ({:?}, {nested}),\n", snake(field.wire), field.wire);
    }
    out += &format!("    }}\n    _shown = frozenset({})\n", tuple(shown));
    if let Some(items) = items(schema) {
        out += &format!("    _items = {}\n", tuple(items.iter().map(|field| quoted(&snake(field.wire)))));
    }
    out += "\n";
    for field in schema.fields {
        let default = if field.present { "REQUIRED" } else { "None" };
        out += &format!("    {}: {} = {default}\n", snake(field.wire), hint(names, field));
        if !field.doc.is_empty() {
            out += &docstring(field);
        }
    }
    out + &properties(schema)
}

/// The base class; that of a page names the class of its records.
fn base_with_item(names: &ClassNames, schema: &'static Schema) -> String {
    let item = items(schema).and_then(|path| item(&path));
    match (base(schema), item) {
        ("Page", Some(item)) => format!("Page[{}]", names.of(item, true)),
        (base, _) => base.to_owned(),
    }
}

/// The properties that are not members of the response.
fn properties(schema: &'static Schema) -> String {
    let mut out = String::new();
    if has_success_code(schema) {
        out += OK;
        if is_verification(schema) {
            out += BOOL;
        }
    }
    for field in schema.fields {
        if let Some(value) = PythonValue::of(field) {
            let (name, suffix, hint) = (snake(field.wire), value.suffix(), value.hint());
            let text = if value == PythonValue::Datetime { "a datetime in UTC" } else { "a Decimal" };
            out += &format!(
                "\n    @property\n    def {name}_{suffix}(self) -> {hint} | None:\n        \"\"\"`{name}` as {text}; None if it is absent or unreadable.\"\"\"\n        return as_{suffix}(self.{name})\n"
            );
        }
    }
    out
}

const OK: &str = r#"
    @property
    def ok(self) -> bool:
        """Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no
        passcode has this request id and service; `code` and `message` say which."""
        return code_ok(self.code)
"#;

const BOOL: &str = r#"
    def __bool__(self) -> bool:
        """The same as `ok`."""
        return self.ok

    @property
    def code_meaning(self) -> str | None:
        """The meaning of the code, such as that of a wrong or an expired passcode; None if the code reports success, or if the table
        (`docs/provider-codes.md`) does not have it."""
        return None if self.ok else meaning("otp.verify", self.code)
"#;

/// A Python type that a result offers in addition to the raw value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PythonValue {
    Datetime,
    Decimal,
}

impl PythonValue {
    /// The type for a field, by its properties.
    fn of(field: &Field) -> Option<Self> {
        field.properties.iter().find_map(|property| match property {
            Property::Moment => Some(Self::Datetime),
            Property::Money => Some(Self::Decimal),
            _ => None,
        })
    }

    const fn suffix(self) -> &'static str {
        match self {
            Self::Datetime => "datetime",
            Self::Decimal => "decimal",
        }
    }

    const fn hint(self) -> &'static str {
        match self {
            Self::Datetime => "datetime",
            Self::Decimal => "Decimal",
        }
    }
}

/// Whether it is the result of a verification, which is true in Python if the passcode was valid.
fn is_verification(schema: &'static Schema) -> bool {
    schema.name == "OtpResponse"
}

/// Whether `repr` shows a field, as the redacted `Debug` of the core does: statuses and ids, but no personal data.
fn shows(field: &Field) -> bool {
    field.shown || bindings::shows_kind(field.kind)
}

/// The base class: `Page` or `Result` if an operation returns the schema, `Model` if it is only nested.
fn base(schema: &'static Schema) -> &'static str {
    match (is_returned(schema), items(schema)) {
        (true, Some(_)) => "Page",
        (true, None) => "Result",
        (false, _) => "Model",
    }
}

fn docstring(field: &Field) -> String {
    let text = wrap(&doc(field.doc), "    ");
    format!("    \"\"\"{}\"\"\"\n", text.trim())
}

fn hint(names: &ClassNames, field: &Field) -> String {
    let kind = names.output_type(&field.kind, "");
    if field.present || kind == "Any" { kind } else { format!("{kind} | None") }
}
