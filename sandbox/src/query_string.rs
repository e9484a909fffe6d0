//! Reads query strings and percent-encodes their values.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// All characters except the unreserved ones (RFC 3986).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The parameters in order, decoded.
pub(crate) fn pairs(query: &str) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
    form_urlencoded::parse(query.as_bytes())
}

/// The value of the first parameter with this name.
pub(crate) fn get(query: &str, name: &str) -> Option<String> {
    pairs(query).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// Percent-encodes all characters except the unreserved ones.
pub(crate) fn encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}
