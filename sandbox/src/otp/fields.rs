//! Members of family A's bodies.

use crate::assume::D;
use crate::object::{Item, Object};
use crate::refusal::{Outcome, Refusal};

/// A 400 that names a member (D15).
pub(super) fn refuse(name: &str, text: &str) -> Refusal {
    Refusal::plain(400, format!("`{name}` {text} [sandbox]")).leaning(D(15))
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

/// A whole number of seconds, as a number or as text (D09).
pub(super) fn seconds(object: &Object<'_>, name: &str) -> Outcome<Option<u64>> {
    let seconds = match object.get(name) {
        None => return Ok(None),
        Some(Item::Number(number)) => number.as_u64(),
        Some(Item::Text(text)) => text.parse().ok(),
        Some(_) => None,
    };
    let seconds = seconds.filter(|seconds| *seconds <= 86_400 * 365);
    seconds.map(Some).ok_or_else(|| refuse(name, "is not a whole number of seconds").leaning(D(9)))
}
