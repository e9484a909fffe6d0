//! JSON values: the types of `serde_json`.

pub use serde_json::{Map, Number, Value};

/// The JSON of a value whose serialization cannot fail.
pub(crate) fn to_json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
