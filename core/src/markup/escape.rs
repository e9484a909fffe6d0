//! Escapes text so that it parses to itself, and suggests edits for text with errors.

use serde::Serialize;

use super::byte_class::{ALPHA, DASH, GREATER, HTML, MARK, NEWLINE, QUOTE, TICK, V2, is};
use super::html::TAGS;
use super::input::Input;
use super::{ErrorKind, MarkupError, Mode};

/// Escapes all markup of `mode`: `parse(&escape(text, mode), mode)` gives `text` and no entities.
pub fn escape(text: &str, mode: Mode) -> String {
    let input = Input(text);
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    let marks = match mode {
        Mode::Markdown => MARK | TICK,
        Mode::MarkdownV2 => V2 & !NEWLINE,
        Mode::Html => HTML | GREATER | QUOTE,
        Mode::Default => 0,
    };
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| is(*byte, marks)) {
        let (before, next) = match (mode, byte) {
            (Mode::Html, b'<') => ("&lt;", at + 1),
            (Mode::Html, b'>') => ("&gt;", at + 1),
            (Mode::Html, b'&') => ("&amp;", at + 1),
            (Mode::Html, b'"') => ("&quot;", at + 1),
            (Mode::Html, _) => continue,
            _ => ("\\", at),
        };
        escaped.push_str(input.slice(written, at));
        escaped.push_str(before);
        written = next;
    }
    escaped.push_str(input.slice(written, text.len()));
    escaped
}

/// An edit: `insert` replaces the bytes from `start` to `end` of the input. It contains escaped marks, a newline or an
/// end tag, never other text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Edit {
    /// The offset of the first replaced byte.
    pub start: usize,
    /// The offset of the first byte after the replaced ones.
    pub end: usize,
    /// The replacement.
    pub insert: String,
}

/// Returns the edit that fixes `error`, if one preserves the text: it escapes a reserved or unclosed mark, replaces a stray `<`
/// by `&lt;` and `<br>` by a newline, or adds a missing end tag. The text may have further errors: parse it again.
pub fn fix(text: &str, mode: Mode, error: &MarkupError) -> Option<Edit> {
    let input = Input(text);
    let start = error.byte_offset;
    let mut end = start;
    let mut insert = String::new();
    match (mode, error.kind) {
        (Mode::MarkdownV2, ErrorKind::ReservedCharacter) => insert.push('\\'),
        (Mode::MarkdownV2 | Mode::Markdown, ErrorKind::UnclosedEntity) => {
            let marks: &[&str] = if mode == Mode::Markdown { &["```"] } else { &["```", "__", "||", "!["] };
            end += marks.iter().find(|mark| input.starts(start, mark)).map_or(1, |mark| mark.len());
            insert = escape(input.slice(start, end), mode);
        }
        (Mode::Html, ErrorKind::UnsupportedTag) if is_break(input, start) => {
            end = input.find(start, GREATER) + 1;
            insert.push('\n');
        }
        (Mode::Html, ErrorKind::UnclosedTag) if !error.message.starts_with("Unclosed") => {
            let name = input.slice(start + 1, input.find(start + 1, !(ALPHA | DASH)));
            let (tag, _) = TAGS.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name))?;
            let insert = format!("</{tag}>");
            return Some(Edit { start: text.len(), end: text.len(), insert });
        }
        (Mode::Html, ErrorKind::UnclosedTag) if input.at(start + 1) == b'/' => return None,
        (Mode::Html, ErrorKind::UnsupportedTag | ErrorKind::UnclosedTag | ErrorKind::UnexpectedEndTag) => {
            end += 1;
            insert.push_str("&lt;");
        }
        _ => return None,
    }
    Some(Edit { start, end, insert })
}

/// `<br>` or `<br/>`, in upper or lower case.
fn is_break(input: Input<'_>, at: usize) -> bool {
    let end = input.find(at, GREATER);
    let after = super::link::strip(input.slice(at + 1, end), "br");
    input.at(end) == b'>' && after.is_some_and(|after| after.bytes().all(|byte| b"/ ".contains(&byte)))
}
