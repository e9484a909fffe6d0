//! JSON values, as `serde_json` has them.

pub use serde_json::{Map, Number, Value};

/// A number as it is written in JSON, equal to what `serde_json` reads.
pub(crate) fn number(text: &str) -> Option<Number> {
    crate::json::Decimal::read(text)?.number()
}

/// JSON as a value; `None` where it is not JSON.
pub(crate) fn parse(json: &str) -> Option<Value> {
    Some(crate::json::fill::value(crate::json::Tape::read(json).ok()?.entry(0)))
}

/// The JSON of a value whose serialization cannot fail.
pub(crate) fn to_json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
