//! Destinations.

use std::borrow::Cow;

use super::repeats::{Placed, bytes};
use crate::text::msisdn;

/// Whether a text has the shape of a phone number: 7 to 15 digits, one plus before them or none.
pub(crate) fn is_phone(text: &str) -> bool {
    msisdn::is_shape(text.strip_prefix('+').unwrap_or(text))
}

/// The form in which two ways to write one number are equal.
pub(crate) fn normal(text: &str) -> Cow<'_, str> {
    msisdn::normalise(text)
}

/// Adds a number that is not blank to a list, in the form in which two ways to write it are equal.
pub(crate) fn listed<'a>(text: &'a str, place: usize, numbers: &mut Vec<Placed<'a>>) {
    let number = normal(text);
    if !number.is_empty() {
        numbers.push((bytes(number), place));
    }
}
