//! The legacy mode `Markdown`: no nesting, no reserved characters.

use super::byte_class::{MARK, PAREN, TICK, is};
use super::finding::{FindingKind, raw};
use super::markup_error::{ErrorKind, Fail};
use super::parser::{Parser, Tag};

/// Parses an escape or an entity at the current offset.
pub(super) fn step(parser: &mut Parser<'_>, opener: u8) -> Result<(), Fail> {
    let begin = parser.i;
    let (tag, closer) = match opener {
        b'\\' => {
            let escaped = is(parser.at(1), MARK | TICK);
            parser.i += usize::from(escaped);
            parser.copy(parser.i + 1);
            return Ok(());
        }
        b'_' => (Tag::Italic, "_"),
        b'*' => (Tag::Bold, "*"),
        b'[' => (Tag::Link, "]"),
        _ if parser.starts("```") => (Tag::Pre, "```"),
        _ => (Tag::Code, "`"),
    };
    if opener == b'_' && is_inside_word(parser.input.0, begin) {
        parser.findings.push(raw(FindingKind::WordUnderscore, (begin, begin + 1)));
    }
    let open = parser.open(tag);
    parser.i += closer.len();
    let language = if tag == Tag::Pre { parser.language() } else { None };
    let mut end = parser.i;
    while !parser.input.starts(end, closer) {
        if end >= parser.input.len() {
            let message = "Can't find end of the entity starting@";
            return Err(Fail::new(ErrorKind::UnclosedEntity, begin, message, ""));
        }
        end += 1;
    }
    parser.copy(end);
    parser.i += closer.len();
    if tag == Tag::Link {
        let is_empty = parser.is_empty_since(open.start);
        let url = if is_empty || parser.at(0) != b'(' { None } else { Some(url(parser)) };
        parser.add_link(url, open.start, begin);
    } else {
        parser.add(tag.kind(language), open.start, begin);
    }
    Ok(())
}

/// Parses the URL after a label, up to the next `)` or the end of the text.
fn url<'a>(parser: &mut Parser<'a>) -> &'a str {
    let from = parser.i + 1;
    let end = parser.input.find(from, PAREN);
    parser.i = (end + 1).min(parser.input.len());
    parser.input.slice(from, end)
}

/// Whether the character before `at` is a letter or digit, and the character after it is a letter, a digit or an underscore.
fn is_inside_word(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|head| head.chars().next_back());
    let after = text.get(at + 1..).and_then(|tail| tail.chars().next());
    before.is_some_and(is_letter) && after.is_some_and(|c| is_letter(c) || c == '_')
}

/// Whether a character is a letter or digit. Outside ASCII, this is an approximation without Unicode tables: every
/// character is a letter, except in blocks of symbols.
const fn is_letter(c: char) -> bool {
    match c {
        '\0'..='\u{BF}' => c.is_ascii_alphanumeric(),
        '\u{2000}'..='\u{2BFF}' | '\u{3000}'..='\u{303F}' | '\u{FE00}'..='\u{FE6F}' | '\u{1F000}'.. => false,
        _ => true,
    }
}
