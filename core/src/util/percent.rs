//! Percent-encoding (RFC 3986).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters to encode: all except the unreserved ones of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The characters to encode: all except those of `pchar` (RFC 3986, section 3.3).
const NOT_PCHAR: &AsciiSet = &RESERVED
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// Percent-encodes all characters except the unreserved ones of RFC 3986.
#[must_use]
pub fn percent_encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Percent-encodes one segment of a path. A `%` becomes `%25`, so that text is never taken for an encoded character.
#[must_use]
pub fn percent_encode_segment(text: &str) -> String {
    utf8_percent_encode(text, NOT_PCHAR).to_string()
}
