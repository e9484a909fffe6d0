//! Writing text so that it parses to itself, and repairing text that does not parse.

use crate::digits::joined;
use serde::Serialize;

use super::class::{ALPHA, DASH, GREATER, HTML, MARK, NEWLINE, QUOTE, TICK, V2, is};
use super::html_tag::TAGS;
use super::output::Input;
use super::{ErrorKind, MarkupError, Mode};

/// Escapes whatever `mode` would take for markup: `parse(&escape(text, mode), mode)` gives `text` and no entities.
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
        let (before, behind) = match (mode, byte) {
            (Mode::Html, b'<') => ("&lt;", at + 1),
            (Mode::Html, b'>') => ("&gt;", at + 1),
            (Mode::Html, b'&') => ("&amp;", at + 1),
            (Mode::Html, b'"') => ("&quot;", at + 1),
            (Mode::Html, _) => continue,
            _ => ("\\", at),
        };
        escaped.push_str(input.slice(written, at));
        escaped.push_str(before);
        written = behind;
    }
    escaped.push_str(input.slice(written, text.len()));
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
            let insert = joined(&["</", tag, ">"]);
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

/// `<br>` or `<br/>`, in any case.
fn is_break(input: Input<'_>, at: usize) -> bool {
    let end = input.find(at, GREATER);
    let behind = super::link::strip(input.slice(at + 1, end), "br");
    input.at(end) == b'>' && behind.is_some_and(|behind| behind.bytes().all(|byte| b"/ ".contains(&byte)))
}
