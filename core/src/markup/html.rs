//! `Html`: seventeen tags, four named references, numeric ones, and nothing else.

use super::entity::EntityKind;
use super::error::{ErrorKind, Fail};
use super::finding::FindingKind;
use super::html_tag::{Attributes, TAGS, Tag};
use super::output::{Input, Mark, Output, is_space};
use crate::digits::Digits as _;

struct Open {
    name: &'static str,
    tag: Tag,
    attributes: Attributes,
    start: Mark,
    begin: usize,
}

pub(super) fn parse(input: Input<'_>, out: &mut Output) -> Result<(), Fail> {
    let mut open = Vec::new();
    let mut language = None;
    let mut invalid = None;
    let mut i = 0;
    while i < input.len() {
        let byte = input.at(i);
        if byte == b'&' {
            if let Some((code, next)) = reference(input, i) {
                invalid = invalid.or(is_surrogate(code).then_some(i));
                out.push_code(code);
                i = next;
                continue;
            }
            literal(input, out, i);
        }
        if byte != b'<' {
            out.push(byte);
            i += 1;
        } else if input.at(i + 1) == b'/' {
            i = end_tag(input, out, &mut open, &mut language, i)?;
        } else {
            let (tag, next) = start_tag(input, out.mark(), i)?;
            invalid = invalid.or(tag.attributes.invalid);
            open.push(tag);
            i = next;
        }
    }
    if let Some(last) = open.last() {
        let message = ["Can't find end tag corresponding to start tag \"", last.name, "\""];
        return Err(Fail::new(ErrorKind::UnclosedTag, last.begin, &message));
    }
    invalid.map_or(Ok(()), |at| Err(Fail::new(ErrorKind::InvalidUnicode, at, &[INVALID])))
}

const INVALID: &str = "Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units";

pub(super) fn is_surrogate(code: u32) -> bool {
    (0xD800..0xE000).contains(&code)
}

/// The code point of a reference at `from` and where the text goes on.
pub(super) fn reference(input: Input<'_>, from: usize) -> Option<(u32, usize)> {
    let (code, end) = if input.at(from + 1) == b'#' { numeric(input, from)? } else { named(input, from)? };
    Some((code, end + usize::from(input.at(end) == b';')))
}

fn numeric(input: Input<'_>, from: usize) -> Option<(u32, usize)> {
    let (digits, radix) =
        if matches!(input.at(from + 2), b'x' | b'X') { (from + 3, 16) } else { (from + 2, 10) };
    let is_digit = |byte: u8| char::from(byte).is_digit(radix);
    let end = input.find(digits, |byte| !is_digit(byte));
    if end - from >= 10 {
        return None;
    }
    let values = input.slice(digits, end).chars().filter_map(|digit| digit.to_digit(radix));
    let code = values.fold(0, |code, digit| code * radix + digit);
    (1..0x10_FFFF).contains(&code).then_some((code, end))
}

fn named(input: Input<'_>, from: usize) -> Option<(u32, usize)> {
    let end = input.find(from + 1, |byte| !byte.is_ascii_alphabetic());
    let name = input.slice(from + 1, end);
    let known = [("lt", '<'), ("gt", '>'), ("amp", '&'), ("quot", '"')];
    known.into_iter().find(|(known, _)| *known == name).map(|(_, character)| (character.into(), end))
}

/// Notes a named reference that is left as it stands.
fn literal(input: Input<'_>, out: &mut Output, from: usize) {
    let end = input.find(from + 1, |byte| !byte.is_ascii_alphanumeric());
    if input.at(end) == b';' && input.at(from + 1).is_ascii_alphabetic() {
        out.findings.push((FindingKind::LiteralEntity, from, end + 1));
    }
}

fn start_tag(input: Input<'_>, start: Mark, begin: usize) -> Result<(Open, usize), Fail> {
    let end = input.find(begin + 1, |byte| is_space(byte) || byte == b'>');
    if input.at(end) == 0 {
        return Err(Fail::at(ErrorKind::UnclosedTag, begin, &["Unclosed start tag"]));
    }
    let name = input.slice(begin + 1, end).to_ascii_lowercase();
    let Some(&(name, tag)) = TAGS.iter().find(|(known, _)| *known == name) else {
        return Err(Fail::at(ErrorKind::UnsupportedTag, begin, &["Unsupported start tag \"", &name, "\""]));
    };
    let (attributes, next) = Attributes::read(input, name, tag, begin, end)?;
    if tag == Tag::Span && attributes.value.as_deref() != Some("spoiler") {
        return Err(Fail::at(ErrorKind::SpanClass, begin, &["Tag \"span\" must have class \"tg-spoiler\""]));
    }
    Ok((Open { name, tag, attributes, start, begin }, next + 1))
}

fn end_tag(
    input: Input<'_>,
    out: &mut Output,
    open: &mut Vec<Open>,
    language: &mut Option<String>,
    begin: usize,
) -> Result<usize, Fail> {
    let Some(last) = open.pop() else {
        return Err(Fail::at(ErrorKind::UnexpectedEndTag, begin, &["Unexpected end tag"]));
    };
    let end = input.find(begin + 2, |byte| is_space(byte) || byte == b'>');
    let close = input.find(end, |byte| !is_space(byte) || byte == 0);
    if input.at(close) != b'>' {
        return Err(Fail::at(ErrorKind::UnclosedTag, begin, &["Unclosed end tag"]));
    }
    let name = input.slice(begin + 2, end).to_ascii_lowercase();
    if !name.is_empty() && name != last.name {
        let offset = begin.digits();
        let found = [&offset, ", expected \"</", last.name, ">\", found \"</", &name, ">\""].concat();
        let message = ["Unmatched end tag at byte offset ", &found];
        return Err(Fail::new(ErrorKind::UnmatchedEndTag, begin, &message));
    }
    if !out.is_empty_since(last.start) {
        element(out, last, language, close + 1)?;
    }
    Ok(close + 1)
}

/// Adds the entity of an element that is not empty. `language` belongs to the code entity added last.
fn element(out: &mut Output, open: Open, language: &mut Option<String>, end: usize) -> Result<(), Fail> {
    let source = (open.begin, end);
    let value = open.attributes.value;
    let kind = match open.tag {
        Tag::Bold => EntityKind::Bold,
        Tag::Italic => EntityKind::Italic,
        Tag::Underline => EntityKind::Underline,
        Tag::Strike => EntityKind::Strikethrough,
        Tag::Span | Tag::Spoiler => EntityKind::Spoiler,
        Tag::Link => {
            out.add_link(value.as_deref().filter(|url| !url.is_empty()), open.start, source);
            return Ok(());
        }
        Tag::Emoji => {
            let emoji_id = value.as_deref().and_then(super::link::integer).filter(|&id| id != 0);
            let message = "Invalid custom emoji identifier specified";
            let emoji_id =
                emoji_id.ok_or_else(|| Fail::new(ErrorKind::CustomEmoji, open.begin, &[message]))?;
            EntityKind::CustomEmoji { emoji_id }
        }
        Tag::Time => {
            let flags = super::link::date_flags(open.attributes.format.as_deref().unwrap_or_default());
            let date_flags = flags
                .ok_or_else(|| Fail::new(ErrorKind::DateFormat, open.begin, &["Invalid date format used"]))?;
            match value.as_deref().map(leading_integer).filter(|&unix| unix > 0) {
                Some(unix) => EntityKind::FormattedDate { unix, date_flags },
                None => return Ok(()),
            }
        }
        Tag::Quote if value.is_some() => EntityKind::ExpandableBlockQuote,
        Tag::Quote => EntityKind::BlockQuote,
        Tag::Pre | Tag::Code => {
            code(out, open.tag == Tag::Pre, value, language, open.start, source);
            return Ok(());
        }
    };
    out.add(kind, open.start, source);
    Ok(())
}

/// The integer that a value begins with, wrapping in 32 bits as the reference does; zero if there is none.
fn leading_integer(text: &str) -> i32 {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let number = digits
        .bytes()
        .take_while(u8::is_ascii_digit)
        .fold(0_i32, |number, digit| number.wrapping_mul(10).wrapping_add(i32::from(digit - b'0')));
    if digits.len() < text.len() { number.wrapping_neg() } else { number }
}

/// `pre` and `code` of one range, the code with a language, are one entity.
fn code(
    out: &mut Output,
    is_pre: bool,
    value: Option<String>,
    language: &mut Option<String>,
    start: Mark,
    source: (usize, usize),
) {
    let value = value.filter(|value| !value.is_empty());
    let length = out.utf16 - start.utf16;
    if let Some(last) =
        out.entities.last_mut().filter(|last| last.offset == start.utf16 && last.length == length)
    {
        let merged = match last.kind {
            EntityKind::Code if is_pre => language.take(),
            EntityKind::Pre if !is_pre => value.clone(),
            _ => None,
        };
        if let Some(language) = merged {
            last.kind = EntityKind::PreCode { language };
            last.source = source;
            return;
        }
    }
    *language = value;
    out.add(if is_pre { EntityKind::Pre } else { EntityKind::Code }, start, source);
}
