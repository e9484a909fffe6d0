//! JSON values: the types of `serde_json`.

pub use serde_json::{Map, Number, Value};

/// The JSON of a value whose serialization cannot fail.
pub(crate) fn to_json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The error for text that is not the name of a value. It does not quote the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownName {
    /// The names of all values.
    pub names: &'static [&'static str],
}

impl std::fmt::Display for UnknownName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unknown name; the names are {}", self.names.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// Reads a string as the name of a value.
pub(crate) struct Named<T>(pub(crate) fn(&str) -> Result<T, UnknownName>);

impl<T> serde::de::Visitor<'_> for Named<T> {
    type Value = T;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<T, E> {
        (self.0)(name).map_err(E::custom)
    }
}
