//! Members of family A's bodies.

use serde_json::Value;

use crate::assumptions::D;
use crate::object::{Item, Object};
use crate::provider_error::{Outcome, ProviderError};

/// A 400 that names a member (D15).
pub(super) fn refuse(name: &str, text: &str) -> ProviderError {
    ProviderError::plain(400, format!("`{name}` {text} [sandbox]")).leaning(D(15))
}

/// A string with at least one character.
pub(super) fn required<'a>(object: &'a Object<'_>, name: &str) -> Outcome<&'a str> {
    optional(object, name)?.ok_or_else(|| refuse(name, "is required"))
}

/// The same under another spelling, as the voice sample writes it.
pub(super) fn either<'a>(object: &'a Object<'_>, name: &str, other: &str) -> Outcome<&'a str> {
    match optional(object, name)? {
        Some(text) => Ok(text),
        None => optional(object, other)?.ok_or_else(|| refuse(name, "is required")),
    }
}

pub(super) fn optional<'a>(object: &'a Object<'_>, name: &str) -> Outcome<Option<&'a str>> {
    match object.get(name) {
        None => Ok(None),
        Some(Item::Text(text)) if !text.trim().is_empty() => Ok(Some(text)),
        Some(Item::Text(_)) => Err(refuse(name, "is empty")),
        Some(_) => Err(refuse(name, "is not a string")),
    }
}

/// A string that may be empty.
pub(super) fn text<'a>(object: &'a Object<'_>, name: &str) -> Outcome<Option<&'a str>> {
    match object.get(name) {
        None => Ok(None),
        Some(Item::Text(text)) => Ok(Some(text)),
        Some(_) => Err(refuse(name, "is not a string")),
    }
}

/// A whole number of seconds, as a number or as text (D09); what no clock reaches is as good as the largest.
pub(super) fn seconds(object: &Object<'_>, name: &str) -> Outcome<Option<u64>> {
    let seconds = match object.get(name) {
        None => return Ok(None),
        Some(Item::Number(number)) => whole(&number.to_string()),
        Some(Item::Text(text)) => whole(text),
        Some(Item::Bool(_)) => Err("a boolean"),
        Some(Item::Deep(Value::Array(_))) => Err("an array"),
        Some(Item::Null | Item::Deep(_)) => Err("an object"),
    };
    let refused =
        |found| refuse(name, &format!("must be 0 or more whole seconds, got {found}")).leaning(D(9));
    seconds.map(Some).map_err(refused)
}

/// The number in a text, or what it holds instead.
fn whole(text: &str) -> Result<u64, &'static str> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(digits.parse().unwrap_or(u64::MAX));
    }
    match text.parse::<f64>() {
        Ok(number) if number < 0.0 => Err("a negative number"),
        Ok(number) if number.is_finite() => Err("a fraction"),
        _ => Err("a string that is not a number"),
    }
}
