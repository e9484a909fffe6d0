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

/// Whether a value contains a whole number with more digits than its type is exact for, so that other digits may have been read.
pub(super) fn is_rounded(value: &serde_json::Value) -> bool {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        serde_json::Value::Number(number) => {
            number.is_f64() && number.as_f64().is_some_and(|number| number.abs() > EXACT)
        }
        serde_json::Value::Array(items) => items.iter().any(is_rounded),
        serde_json::Value::Object(members) => members.values().any(is_rounded),
        _ => false,
    }
}

/// All columns of a row that are not null.
pub(super) fn of_row(row: &Columns) -> Value {
    let members = row.iter().filter(|(_, value)| !value.is_null());
    members.map(|(name, value)| (Value::from(name.as_str()), of(value))).collect::<BTreeMap<_, _>>().into()
}
