//! Writing text so that it parses to itself, and repairing text that does not parse.

use serde::Serialize;

use super::class::{ALPHA, DASH, GREATER, MARK, NEWLINE, TICK, V2, is};
use super::html_tag::TAGS;
use super::output::Input;
use super::{ErrorKind, MarkupError, Mode};

/// Escapes whatever `mode` would take for markup: `parse(&escape(text, mode), mode)` gives `text` and no entities.
pub fn escape(text: &str, mode: Mode) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    let marks = match mode {
        Mode::Markdown => MARK | TICK,
        Mode::MarkdownV2 => V2 & !NEWLINE,
        Mode::Html | Mode::Default => 0,
    };
    for c in text.chars() {
        let before = match (mode, c) {
            (Mode::Html, '<') => "&lt;",
            (Mode::Html, '>') => "&gt;",
            (Mode::Html, '&') => "&amp;",
            (Mode::Html, '"') => "&quot;",
            _ if c.is_ascii() && is(c as u8, marks) => "\\",
            _ => "",
        };
        escaped.push_str(before);
        if !before.starts_with('&') {
            escaped.push(c);
        }
    }
    escaped
}

/// A repair: the bytes from `start` to `end` of the input are replaced by `insert`, which holds escapes, a newline or an end
/// tag of the seventeen, never a part of the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Edit {
    /// The first byte that is replaced.
    pub start: usize,
    /// The byte behind the last that is replaced.
    pub end: usize,
    /// What stands there afterwards.
    pub insert: String,
}

/// The repair of the place that `error` names, where one keeps what was written: the reserved or unclosed mark is
/// escaped, a stray `<` becomes `&lt;`, `<br>` a newline, a missing end tag is added. Another error may come to light behind
/// it: parse and repair again.
pub fn fix(text: &str, mode: Mode, error: &MarkupError) -> Option<Edit> {
    let input = Input(text);
    let start = error.byte_offset;
    let edit = |end: usize, insert: String| Some(Edit { start, end, insert });
    match (mode, error.kind) {
        (Mode::MarkdownV2, ErrorKind::ReservedCharacter) => edit(start, "\\".to_owned()),
        (Mode::MarkdownV2 | Mode::Markdown, ErrorKind::UnclosedEntity) => {
            let end = start + mark(input, start, mode);
            edit(end, input.slice(start, end).chars().flat_map(|c| ['\\', c]).collect())
        }
        (Mode::Html, ErrorKind::UnsupportedTag) if is_break(input, start) => {
            edit(input.find(start, GREATER) + 1, "\n".to_owned())
        }
        (Mode::Html, ErrorKind::UnclosedTag) if !error.message.starts_with("Unclosed") => {
            let end = input.find(start + 1, !(ALPHA | DASH));
            let name = input.slice(start + 1, end);
            let (tag, _) = TAGS.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name))?;
            Some(Edit { start: text.len(), end: text.len(), insert: ["</", tag, ">"].concat() })
        }
        (Mode::Html, ErrorKind::UnclosedTag) if input.at(start + 1) == b'/' => None,
        (Mode::Html, ErrorKind::UnsupportedTag | ErrorKind::UnclosedTag | ErrorKind::UnexpectedEndTag) => {
            edit(start + 1, "&lt;".to_owned())
        }
        _ => None,
    }
}

/// The length of the opening mark at `at`.
fn mark(input: Input<'_>, at: usize, mode: Mode) -> usize {
    let pairs = ["__", "||", "!["];
    if input.starts(at, "```") {
        3
    } else if mode == Mode::MarkdownV2 && pairs.iter().any(|pair| input.starts(at, pair)) {
        2
    } else {
        1
    }
}

/// `<br>` or `<br/>`, in any case.
fn is_break(input: Input<'_>, at: usize) -> bool {
    let end = input.find(at, GREATER);
    let name = input.slice(at + 1, end).as_bytes();
    let length = name.iter().rposition(|byte| !b"/ ".contains(byte)).map_or(0, |last| last + 1);
    input.at(end) == b'>' && name.get(..length).is_some_and(|name| name.eq_ignore_ascii_case(b"br"))
}
