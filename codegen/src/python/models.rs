//! `models.py`: the classes of results, and their stub.

use cpaas::redact;
use cpaas::schema::{Field, Kind, Schema};

use super::class_names::ClassNames;
use super::literals::{doc, quoted, snake, tuple, wrap};
use crate::object_names::metas;

pub(super) fn module(names: &ClassNames) -> String {
    let mut out = concat!(
        "\"\"\"Response models: read-only classes with attributes in snake_case.\"\"\"\n\n",
        "from ._model import Model, Page, Records, Result, _records, code_ok, datetime_of, decimal_of\n\n",
        "__all__ = (\"Model\", \"Page\", \"Records\", \"Result\"",
    )
    .to_owned();
    for (name, _) in &names.outputs {
        out += &format!(", {name:?}");
    }
    out += ")\n";
    for (name, schema) in &names.outputs {
        out += &class(names, name, schema);
    }
    out
}

fn class(names: &ClassNames, name: &str, schema: &'static Schema) -> String {
    let slots = tuple(schema.fields.iter().map(|field| quoted(&snake(field.wire))));
    let mut out = format!(
        "\n\nclass {name}({}):\n    \"\"\"{}\"\"\"\n\n    __slots__ = {slots}\n    __match_args__ = __slots__\n    _fields = {{\n",
        base(schema),
        doc(schema.doc),
    );
    for field in schema.fields {
        let nested = object(&field.kind).map_or("None", |schema| names.of(schema, true));
        out += &format!("        {:?}: ({:?}, {nested}),\n", snake(field.wire), field.wire);
    }
    out += "    }\n";
    let shown = schema.fields.iter().filter(|field| shows(field)).map(|field| quoted(&snake(field.wire)));
    out += &format!("    _shown = frozenset({})\n", tuple(shown));
    if has_success_code(schema) {
        out += "    ok = property(code_ok)\n";
        if is_verification(schema) {
            out += "    __bool__ = code_ok\n";
        }
    }
    for field in schema.fields {
        if let Some(value) = PythonValue::of(field) {
            let name = snake(field.wire);
            out += &format!("    {name}_{} = {}_of({name:?})\n", value.suffix(), value.suffix());
        }
    }
    if let Some(items) = items(schema) {
        out += &format!("    _items = {}\n", tuple(items.iter().map(|field| quoted(&snake(field.wire)))));
    }
    out
}

/// A Python type that a result offers in addition to the raw value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PythonValue {
    Datetime,
    Decimal,
}

impl PythonValue {
    /// The type for a field, by the names of timestamps and amounts of money in the specification.
    fn of(field: &Field) -> Option<Self> {
        match (field.wire, &field.kind) {
            (
                "dateCreated" | "dateUpdated" | "dateReceived" | "timestamp" | "date" | "createdAt"
                | "updatedAt",
                Kind::String,
            ) => Some(Self::Datetime),
            ("cost", Kind::String | Kind::Number) => Some(Self::Decimal),
            _ => None,
        }
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

/// Whether a result has a code that reports success.
fn has_success_code(schema: &'static Schema) -> bool {
    base(schema) != "Model" && schema.field("code").is_some() && schema.field("ok").is_none()
}

/// Whether it is the result of a verification, which is true in Python if the passcode was valid.
fn is_verification(schema: &'static Schema) -> bool {
    schema.name == "OtpResponse"
}

/// Whether `repr` shows a field, as the redacted `Debug` of the core does: statuses and ids, but no personal data.
fn shows(field: &Field) -> bool {
    field.shown || redact::shows_kind(field.kind)
}

fn object(kind: &Kind) -> Option<&'static Schema> {
    match kind {
        Kind::Object(schema) => Some(schema),
        Kind::Array(inner) | Kind::Map(inner) => object(inner),
        _ => None,
    }
}

/// The base class: `Page` or `Result` if an operation returns the schema, `Model` if it is only nested.
fn base(schema: &'static Schema) -> &'static str {
    let same = |other: &Schema| other.name == schema.name && std::ptr::eq(other.fields, schema.fields);
    let is_output = metas().any(|meta| matches!(meta.output, Kind::Object(output) if same(output)));
    match (is_output, items(schema)) {
        (true, Some(_)) => "Page",
        (true, None) => "Result",
        (false, _) => "Model",
    }
}

/// The path from a page to its records, if the schema is a page.
pub(super) fn items(schema: &'static Schema) -> Option<Vec<&'static Field>> {
    let total = |schema: &Schema| schema.field("total").is_some() && schema.field("page").is_some();
    let list = |schema: &'static Schema| {
        schema.fields.iter().find(|field| matches!(field.kind, Kind::Array(Kind::Object(_))))
    };
    if total(schema) {
        return Some(vec![list(schema)?]);
    }
    let data = schema.field("data")?;
    match data.kind {
        Kind::Object(inner) if total(inner) => Some(vec![data, list(inner)?]),
        _ => None,
    }
}

pub(super) fn stub(names: &ClassNames) -> String {
    let mut out = concat!(
        "from datetime import datetime\nfrom decimal import Decimal\nfrom typing import Any, ClassVar\n\n",
        "from ._model import Model as Model, Page as Page, Records as Records, Result as Result\n",
    )
    .to_owned();
    for (name, schema) in &names.outputs {
        let generic = items(schema).and_then(|path| path.last().and_then(|field| object(&field.kind)));
        let base = match generic {
            Some(item) if base(schema) == "Page" => format!("Page[{}]", names.of(item, true)),
            _ => base(schema).to_owned(),
        };
        out += &format!("\nclass {name}({base}):\n");
        out += &format!("    \"\"\"{}\"\"\"\n", doc(schema.doc));
        out += "    __match_args__: ClassVar[tuple[str, ...]] = ...\n";
        out += &init(names, schema);
        if has_success_code(schema) {
            out += "    @property\n    def ok(self) -> bool:\n        \"\"\"Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no\n        passcode has this request id and service; `code` and `message` say which.\"\"\"\n        ...\n";
            if is_verification(schema) {
                out +=
                    "    def __bool__(self) -> bool:\n        \"\"\"The same as `ok`.\"\"\"\n        ...\n";
            }
        }
        for field in schema.fields {
            out += &format!(
                "    @property\n    def {}(self) -> {}:\n{}        ...\n",
                snake(field.wire),
                hint(names, field),
                if field.doc.is_empty() { String::new() } else { docstring(field) },
            );
            if let Some(value) = PythonValue::of(field) {
                let (name, suffix, hint) = (snake(field.wire), value.suffix(), value.hint());
                let text = if value == PythonValue::Datetime { "a datetime in UTC" } else { "a Decimal" };
                out += &format!(
                    "    @property\n    def {name}_{suffix}(self) -> {hint} | None:\n        \"\"\"`{name}` as {text}; None if it is absent or unreadable.\"\"\"\n        ...\n"
                );
            }
        }
    }
    out
}

fn docstring(field: &Field) -> String {
    let text = wrap(&doc(field.doc), "        ");
    format!("        \"\"\"{}\"\"\"\n", text.trim())
}

fn init(names: &ClassNames, schema: &Schema) -> String {
    let mut out = "    def __init__(\n        self,\n        *,\n".to_owned();
    for field in schema.fields {
        let default = if field.present { "" } else { " = None" };
        out += &format!("        {}: {}{default},\n", snake(field.wire), hint(names, field));
    }
    out + "        extra: dict[str, Any] | None = None,\n    ) -> None: ...\n"
}

fn hint(names: &ClassNames, field: &Field) -> String {
    let kind = names.output_type(&field.kind, "");
    if field.present || kind == "Any" { kind } else { format!("{kind} | None") }
}
