//! Limits of lengths, in code points, UTF-16 units and elements.

use crate::problem::{Code, Fix, Pointer, Problems};

pub(crate) const CODE_POINTS: &str = "code points";
pub(crate) const UTF16_UNITS: &str = "UTF-16 units";
pub(crate) const ITEMS: &str = "items";
pub(crate) const BYTES: &str = "bytes";

/// The number of code points, if it exceeds `limit`.
pub(crate) fn over(text: &str, limit: usize) -> Option<usize> {
    if text.len() <= limit {
        return None;
    }
    let count = text.chars().count();
    (count > limit).then_some(count)
}

/// Reports a text of more than `limit` code points; the fix truncates it.
pub(crate) fn at_most(
    code: &'static Code,
    text: &str,
    limit: usize,
    at: &Pointer<'_>,
    name: &str,
    problems: &mut Problems,
) {
    if let Some(count) = over(text, limit) {
        let added = problems.report_key(code, at, name).limit(limit, count, CODE_POINTS);
        added.fix_with(|| Some(shorten(text, limit)));
    }
}

/// Reports a name or a URL of more than `limit` code points, without a fix, because it is invalid when truncated.
pub(crate) fn at_most_whole(
    code: &'static Code,
    text: &str,
    limit: usize,
    at: &Pointer<'_>,
    name: &str,
    problems: &mut Problems,
) {
    if let Some(count) = over(text, limit) {
        problems.report_key(code, at, name).limit(limit, count, CODE_POINTS);
    }
}

/// Reports more than `limit` UTF-16 units, for a text that is within the limit in code points.
pub(crate) fn utf16_over(
    code: &'static Code,
    text: &str,
    limit: usize,
    at: &Pointer<'_>,
    name: &str,
    problems: &mut Problems,
) {
    if text.len() > limit {
        let units = text.encode_utf16().count();
        if units > limit {
            problems.report_key(code, at, name).limit(limit, units, UTF16_UNITS);
        }
    }
}

/// Reports a list of more than `limit` elements.
pub(crate) fn items(
    code: &'static Code,
    count: usize,
    limit: usize,
    at: &Pointer<'_>,
    name: &str,
    problems: &mut Problems,
) {
    if count > limit {
        problems.report_key(code, at, name).limit(limit, count, ITEMS);
    }
}

fn shorten(text: &str, limit: usize) -> Fix {
    let start = text.char_indices().nth(limit).map_or(text.len(), |(at, _)| at);
    Fix::replace(text, start, text.len(), "")
}
