//! Percent, form and JSON escaping, and the splitting of URLs, on text as it stands: nothing is normalised.

use std::borrow::Cow;

/// Appends `value` with everything but the unreserved characters of RFC 3986 percent-encoded.
pub(super) fn percent_encode(value: &str, out: &mut String) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(hex_digit(byte >> 4));
            out.push(hex_digit(byte & 15));
        }
    }
}

fn hex_digit(nibble: u8) -> char {
    char::from(if nibble < 10 { b'0' + nibble } else { b'A' + nibble - 10 })
}

/// Reads a query or form value: `%XX` and `+` for a space. A stray `%` stays; bytes that are not UTF-8 become U+FFFD.
pub(super) fn percent_decode(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| matches!(byte, b'%' | b'+')) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        match (first, tail) {
            (b'%', [high, low, after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                out.push(hex_value(*high) << 4 | hex_value(*low));
                rest = after;
            }
            (b'+', _) => out.push(b' '),
            _ => out.push(first),
        }
    }
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}

fn hex_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        b'A'..=b'F' => digit - b'A' + 10,
        _ => 0,
    }
}

/// Appends `value` as the inside of a JSON string.
pub(super) fn json_escape(value: &str, out: &mut String) {
    let quoted = serde_json::Value::from(value).to_string();
    out.push_str(quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default());
}

/// Reads the inside of a JSON string; text that is none is kept as it stands.
pub(super) fn json_unescape(text: &str) -> String {
    serde_json::from_str(&format!("\"{text}\"")).unwrap_or_else(|_| text.to_owned())
}

/// The parts of a URL as written, in absolute or origin form: (path, query without `?`). The fragment is left out.
pub(super) fn path_and_query(url: &str) -> (&str, Option<&str>) {
    let url = before_fragment(url);
    let (front, query) = match url.split_once('?') {
        Some((front, query)) => (front, Some(query)),
        None => (url, None),
    };
    let absolute = if front.starts_with('/') { None } else { front.split_once("://") };
    let path = match absolute {
        Some((_, rest)) => rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/"),
        None if front.is_empty() => "/",
        None => front,
    };
    (path, query)
}

/// The URL up to its fragment.
pub(super) fn before_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(front, _)| front)
}

/// The raw (name, value) pairs of a query or a form, in order.
pub(super) fn raw_pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query.split('&').filter(|part| !part.is_empty()).map(|part| part.split_once('=').unwrap_or((part, "")))
}

/// The decoded pairs of a query or a form, in order.
pub(super) fn pairs(query: &str) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
    raw_pairs(query).map(|(name, value)| (percent_decode(name), percent_decode(value)))
}
