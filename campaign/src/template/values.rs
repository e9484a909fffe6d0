//! The values of a row for MiniJinja.

use std::collections::BTreeMap;

use minijinja::Value;
use minijinja::value::Serde;

use super::Columns;

/// A value. Null members of objects are left out, and null items of lists are undefined, so that a null is never printed.
pub(super) fn of(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::UNDEFINED,
        serde_json::Value::Array(items) => items.iter().map(of).collect::<Vec<_>>().into(),
        serde_json::Value::Object(members) => of_row(members),
        scalar => Value::from(Serde(scalar)),
    }
}

/// All columns of a row that are not null.
pub(super) fn of_row(row: &Columns) -> Value {
    let members = row.iter().filter(|(_, value)| !value.is_null());
    members.map(|(name, value)| (Value::from(name.as_str()), of(value))).collect::<BTreeMap<_, _>>().into()
}
