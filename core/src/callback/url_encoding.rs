//! Percent, form and JSON escaping.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// Decodes a query or form value: `%XX`, and `+` for a space. An incomplete `%` is kept; invalid UTF-8 becomes U+FFFD.
pub(super) fn percent_decode(text: &str) -> Cow<'_, str> {
    if text.contains('+') {
        let text = text.replace('+', " ");
        return Cow::Owned(percent_decode_str(&text).decode_utf8_lossy().into_owned());
    }
    percent_decode_str(text).decode_utf8_lossy()
}

/// Appends `value` as the content of a JSON string.
pub(super) fn json_escape(value: &str, out: &mut String) {
    let quoted = serde_json::Value::from(value).to_string();
    out.push_str(quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default());
}

/// Decodes the content of a JSON string; invalid content is returned unchanged.
pub(super) fn json_unescape(text: &str) -> String {
    serde_json::from_str(&format!("\"{text}\"")).unwrap_or_else(|_| text.to_owned())
}

/// The raw (name, value) pairs of a query or a form, in order.
pub(super) fn raw_pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query.split('&').filter(|part| !part.is_empty()).map(|part| part.split_once('=').unwrap_or((part, "")))
}

/// The decoded pairs of a query or a form, in order.
pub(super) fn pairs(query: &str) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
    raw_pairs(query).map(|(name, value)| (percent_decode(name), percent_decode(value)))
}
