//! JSON values: those of `serde_json`, or in builds without the feature `wire` a small likeness.

#[cfg(feature = "wire")]
pub use serde_json::{Map, Number, Value};

#[cfg(not(feature = "wire"))]
pub use crate::light::{Map, Number, Value};

#[cfg(not(feature = "wire"))]
pub(crate) use crate::light::{number, object, value};

/// A number as it is written in JSON.
#[cfg(feature = "wire")]
pub(crate) fn number(text: &str) -> Option<Number> {
    serde_json::from_str(text).ok()
}

/// JSON as a value; none where it is not JSON.
#[cfg(feature = "wire")]
pub(crate) fn parse(json: &str) -> Option<Value> {
    serde_json::from_str(json).ok()
}

/// JSON as a value; none where it is not JSON.
#[cfg(not(feature = "wire"))]
pub(crate) fn parse(json: &str) -> Option<Value> {
    Some(value(cpaas_scan::Tape::read(json).ok()?.entry(0)))
}

/// What serializes without a failure, as JSON.
#[cfg(feature = "wire")]
pub(crate) fn to_json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(not(feature = "wire"))]
pub(crate) use crate::light::to_string as to_json;
