//! JSON values read by the tape: the same values as `serde_json` reads, without a second parser in the browser module.

use super::number_parser::Decimal;
use super::{Entry, Tape, ValueKind};
use crate::value::{Map, Number, Value};

/// A number as it is written in JSON.
pub(crate) fn number(text: &str) -> Option<Number> {
    Decimal::read(text)?.number()
}

/// JSON as a value; `None` where it is not JSON.
pub(crate) fn parse(json: &str) -> Option<Value> {
    Some(value(Tape::read(json).ok()?.entry(0)))
}

/// A value of a tape. The last of several members with one name counts.
pub(crate) fn value(entry: Entry<'_>) -> Value {
    match entry.kind() {
        ValueKind::Null => Value::Null,
        ValueKind::False => Value::Bool(false),
        ValueKind::True => Value::Bool(true),
        ValueKind::Number => number(entry.text()).map_or(Value::Null, Value::Number),
        ValueKind::Text => Value::String(entry.owned()),
        ValueKind::Array => Value::Array(entry.children().map(value).collect()),
        ValueKind::Object => Value::Object(members(entry)),
    }
}

fn members(entry: Entry<'_>) -> Map<String, Value> {
    let mut members = Map::new();
    for member in entry.children() {
        members.insert(member.name().to_owned(), value(member));
    }
    members
}
