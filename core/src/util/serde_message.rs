//! Reads the messages of `serde_json` errors, which quote values: only the names of types and members are safe to show.

use crate::json::type_names;

/// The expected type with its article, such as `a string`; `None` if the message contains no type.
pub(crate) fn expected_type(message: &str) -> Option<&str> {
    let (_, rest) = message.rsplit_once(", expected ")?;
    Some(match rest.split(" at line").next().unwrap_or(rest) {
        "f64" => type_names::NUMBER,
        "i64" => type_names::INTEGER,
        "u32" | "u64" => "an integer of 0 or more",
        "a map" => type_names::OBJECT,
        "a sequence" => type_names::ARRAY,
        "" => return None,
        // The names of other types are those of this library.
        other => other,
    })
}

/// The type of an invalid value, without the value; `None` if the message is not about a type.
pub(crate) fn found_type(message: &str) -> Option<&'static str> {
    let found = message.strip_prefix("invalid type: ")?;
    Some(match found.split([' ', '`', ',']).next().unwrap_or_default() {
        "integer" | "floating" => type_names::NUMBER,
        "string" => type_names::STRING,
        "boolean" => type_names::BOOLEAN,
        "map" => type_names::OBJECT,
        "sequence" => type_names::ARRAY,
        _ => type_names::NULL,
    })
}
