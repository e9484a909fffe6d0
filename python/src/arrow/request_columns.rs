//! Compares the columns of a batch with the members of a request.

use arrow_schema::{DataType, FieldRef};
use cpaas::operation::Meta;
use cpaas::schema::{Field, Format, Kind, Schema};
use pyo3::prelude::*;

use super::fields::{STRINGS, cast_advice, is_text, type_label};
use super::suggestions;
use crate::argument_errors::{bad_type, bad_value};

/// Checks that every column is a member of the request, with a type that fits, and that no required member is missing.
pub(super) fn check(meta: &Meta, columns: &[FieldRef]) -> PyResult<()> {
    let unknown = unknown(&meta.input, columns, "");
    if !unknown.is_empty() {
        let known: Vec<&str> = meta.input.fields.iter().map(|field| field.wire).collect();
        let near: Vec<String> = unknown
            .iter()
            .filter_map(|name| Some(format!("`{}` for `{name}`", suggestions::meant(name, &known)?)))
            .collect();
        let near =
            if near.is_empty() { String::new() } else { format!(" (did you mean {}?)", near.join(", ")) };
        return Err(bad_value(format!(
            "batch: the columns must be members of {}, got {}{near}; the members are {}",
            meta.id,
            quoted(unknown),
            quoted(meta.input.fields.iter().map(|field| field.wire.to_owned())),
        )));
    }
    let is_absent = |field: &&Field| !columns.iter().any(|column| field.is_named(column.name()));
    let required = meta.input.fields.iter().filter(|field| field.required && field.config.is_none());
    let missing: Vec<_> = required.filter(is_absent).map(|field| field.wire.to_owned()).collect();
    if !missing.is_empty() {
        return Err(bad_value(format!(
            "batch: {} needs the columns {}, which are missing",
            meta.id,
            quoted(missing)
        )));
    }
    check_types(&meta.input, columns, "")
}

fn quoted(names: impl IntoIterator<Item = String>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The columns that are not members of the request, including those inside structs.
fn unknown(schema: &Schema, columns: &[FieldRef], parent: &str) -> Vec<String> {
    let mut names = Vec::new();
    for column in columns {
        let path = format!("{parent}{}", column.name());
        match field(schema, column.name()) {
            None => names.push(path),
            Some(field) => {
                if let (Kind::Object(schema), DataType::Struct(members)) =
                    (item_kind(&field.kind), item_type(column.data_type()))
                {
                    names.extend(unknown(schema, members, &format!("{path}.")));
                }
            }
        }
    }
    names
}

fn field(schema: &Schema, name: &str) -> Option<&'static Field> {
    schema.field(name).or_else(|| schema.related.iter().find(|field| field.is_named(name)))
}

/// The kind of the items of an array, or the kind itself.
fn item_kind(kind: &Kind) -> &Kind {
    match kind {
        Kind::Array(item) | Kind::OneOrMany(item) => item_kind(item),
        other => other,
    }
}

fn item_type(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            item_type(item.data_type())
        }
        other => other,
    }
}

fn check_types(schema: &Schema, columns: &[FieldRef], parent: &str) -> PyResult<()> {
    for column in columns {
        let Some(field) = field(schema, column.name()) else { continue };
        let path = format!("{parent}{}", column.name());
        let found = column.data_type();
        let is_text_form = field.format != Format::Plain && is_text(found);
        if !is_text_form && !fits(&field.kind, found) {
            let advice =
                if is_text_kind(item_kind(&field.kind)) { cast_advice(item_type(found)) } else { "" };
            let (expected, found) = (expected(&field.kind), type_label(found));
            return Err(bad_type(format!("batch: column `{path}` must be {expected}, got {found}{advice}")));
        }
        if let (Kind::Object(schema), DataType::Struct(members)) = (item_kind(&field.kind), item_type(found))
        {
            check_types(schema, members, &format!("{path}."))?;
        }
    }
    Ok(())
}

/// Whether a column of a type can have values of a kind. `check_types` checks the members of structs.
fn fits(kind: &Kind, found: &DataType) -> bool {
    if found.is_null() {
        return true;
    }
    match kind {
        kind if is_text_kind(kind) => is_text(found),
        Kind::Boolean => matches!(found, DataType::Boolean),
        Kind::Integer | Kind::Number => is_number(found),
        Kind::Scalar => is_text(found) || is_number(found),
        Kind::Object(_) => matches!(found, DataType::Struct(_)),
        Kind::Map(kind) => match found {
            DataType::Struct(fields) => fields.iter().all(|field| fits(kind, field.data_type())),
            DataType::Map(entries, _) => match entries.data_type() {
                DataType::Struct(fields) => fields.get(1).is_some_and(|field| fits(kind, field.data_type())),
                _ => false,
            },
            _ => false,
        },
        Kind::Array(item) => has_items(found, item),
        Kind::OneOrMany(item) => fits(item, found) || has_items(found, item),
        _ => super::json_cell::is_supported(found),
    }
}

const fn is_text_kind(kind: &Kind) -> bool {
    matches!(kind, Kind::String | Kind::Enum(_))
}

fn is_number(found: &DataType) -> bool {
    found.is_integer() || matches!(found, DataType::Float32 | DataType::Float64)
}

fn has_items(found: &DataType, kind: &Kind) -> bool {
    match found {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            fits(kind, item.data_type())
        }
        _ => false,
    }
}

fn expected(kind: &Kind) -> String {
    match kind {
        Kind::String | Kind::Enum(_) => STRINGS.to_owned(),
        Kind::Boolean => "bool".to_owned(),
        Kind::Integer => "an integer or float type".to_owned(),
        Kind::Number => "a float or integer type".to_owned(),
        Kind::Scalar => format!("a number or {STRINGS}"),
        Kind::Object(schema) => {
            let names = schema.fields.iter().map(|field| field.wire).collect::<Vec<_>>().join(", ");
            format!("a struct with members of {names}")
        }
        Kind::Map(item) => format!("a map or struct of {}", expected(item)),
        Kind::Array(item) => format!("a list of {}", expected(item)),
        Kind::OneOrMany(item) => format!("{0}, or a list of {0}", expected(item)),
        _ => "a type that JSON has".to_owned(),
    }
}
