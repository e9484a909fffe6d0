//! The functions of this module with JSON results, for the bindings.

use serde::Serialize;

use super::{Edit, Mode, escape, fix, parse};
use crate::value::to_json;

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Failure<'a> {
    error: Detail<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Detail<'a> {
    kind: &'static str,
    message: &'a str,
    offset: usize,
    utf16_offset: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Edit>,
}

/// Parses `text` in the mode with this name. Returns one of
///
/// - `{"text", "entities", "sent": {"text", "entities", "length", "utf16", "graphemes"}, "findings": [{"kind", "start",
///   "end", "start16", "end16"}]}`, each entity `{"type", "offset", "length", …}` as in [`Entity`](super::Entity);
/// - `{"error": {"kind", "message", "offset", "utf16Offset", "fix"?: {"start", "end", "insert"}}}`;
/// - for an unknown mode `{"error": {"kind": "unknown_mode", "message", "offset": 0, "utf16Offset": 0}}`.
///
/// `start`, `end` and `offset` of errors, fixes and findings are byte offsets in the input; `offset` and `length` of
/// entities count UTF-16 units of their text.
pub fn parse_json(text: &str, mode_name: &str) -> String {
    let Some(mode) = Mode::from_name(mode_name) else {
        return unknown_mode(mode_name);
    };
    match parse(text, mode) {
        Ok(parsed) => to_json(&parsed),
        Err(error) => {
            let fix = fix(text, mode, &error);
            failure(error.kind.code(), &error.message, error.byte_offset, error.utf16_offset, fix)
        }
    }
}

/// Returns the result of [`escape`] as `{"text"}`, or for an unknown mode the error of [`parse_json`].
pub fn escape_json(text: &str, mode_name: &str) -> String {
    match Mode::from_name(mode_name) {
        Some(mode) => to_json(&Text { text: escape(text, mode) }),
        None => unknown_mode(mode_name),
    }
}

fn unknown_mode(name: &str) -> String {
    let known = r#"the mode must be "Default", "Markdown", "Html" or "MarkdownV2""#;
    let message = match Mode::suggest(name) {
        Some(mode) => format!("{known}; did you mean `{}`?", mode.name()),
        None => known.to_owned(),
    };
    failure("unknown_mode", &message, 0, 0, None)
}

fn failure(
    kind: &'static str,
    message: &str,
    offset: usize,
    utf16_offset: usize,
    fix: Option<Edit>,
) -> String {
    let error = Detail { kind, message, offset, utf16_offset, fix };
    to_json(&Failure { error })
}
