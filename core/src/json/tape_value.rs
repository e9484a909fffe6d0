//! Converts a tape to the values of `serde_json`. The browser module thus contains one JSON parser only.

use super::number_parser::Decimal;
use super::{Entry, Tape, ValueKind};
use crate::value::{Map, Number, Value};

/// Parses a JSON number.
pub(crate) fn number(text: &str) -> Option<Number> {
    Decimal::read(text)?.number()
}

/// Parses JSON; `None` if the text is not valid JSON.
pub(crate) fn parse(json: &str) -> Option<Value> {
    Some(value(Tape::read(json).ok()?.entry(0)))
}

/// Converts a value of a tape. If a name occurs several times, the last member counts.
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
