//! Destinations.

use std::borrow::Cow;

use crate::text::msisdn;

/// Whether a text has the shape of a phone number: 7 to 15 digits, one plus before them or none.
pub(crate) fn is_phone(text: &str) -> bool {
    msisdn::is_shape(text.strip_prefix('+').unwrap_or(text))
}

/// The form in which two ways to write one number are equal.
pub(crate) fn normal(text: &str) -> Cow<'_, str> {
    msisdn::normalise(text)
}
