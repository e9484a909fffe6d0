//! The mode `Html`: seventeen tags with their attributes, four named references, and numeric references.

use super::byte_class::{ALPHA, DASH, DIGIT, DOT, EQUALS, GREATER, QUOTE, SPACE, is};
use super::entity::EntityKind;
use super::finding::{FindingKind, raw};
use super::markup_error::{ErrorKind, Fail};
use super::parser::{Open, Parser, Tag, push_code};

pub(super) static TAGS: [(&str, Tag); 17] = [
    ("a", Tag::Link),
    ("b", Tag::Bold),
    ("strong", Tag::Bold),
    ("i", Tag::Italic),
    ("em", Tag::Italic),
    ("s", Tag::Strike),
    ("strike", Tag::Strike),
    ("del", Tag::Strike),
    ("u", Tag::Underline),
    ("ins", Tag::Underline),
    ("tg-spoiler", Tag::Spoiler),
    ("tg-emoji", Tag::Emoji),
    ("tg-time", Tag::Date),
    ("span", Tag::Spoiler),
    ("pre", Tag::Pre),
    ("code", Tag::Code),
    ("blockquote", Tag::Quote),
];

/// Parses the reference or the tag at the current offset.
pub(super) fn step(parser: &mut Parser<'_>, byte: u8) -> Result<(), Fail> {
    if byte == b'&' {
        if let Some(code) = reference(parser) {
            parser.push_code(code);
        } else {
            literal(parser);
            parser.copy(parser.i + 1);
        }
        return Ok(());
    }
    if parser.at(1) == b'/' { end_tag(parser) } else { start_tag(parser) }
}

/// Checks the state at the end of the text.
pub(super) fn end(parser: &mut Parser<'_>) -> Result<(), Fail> {
    if let Some(last) = parser.open.last() {
        let message = "Can't find end tag corresponding to start tag \"%\"";
        return Err(Fail::new(ErrorKind::UnclosedTag, last.begin, message, last.name));
    }
    parser.invalid.map_or(Ok(()), |at| Err(Fail::new(ErrorKind::InvalidUnicode, at, INVALID, "")))
}

const INVALID: &str = "Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units";

/// Parses a reference, if there is one, and returns its code point.
fn reference(parser: &mut Parser<'_>) -> Option<u32> {
    let from = parser.i;
    let (code, end) = if parser.at(1) == b'#' { numeric(parser)? } else { named(parser)? };
    parser.i = end + usize::from(parser.input.at(end) == b';');
    if (0xD800..0xE000).contains(&code) {
        parser.invalid.get_or_insert(from);
    }
    Some(code)
}

fn numeric(parser: &Parser<'_>) -> Option<(u32, usize)> {
    let (skip, radix) = if matches!(parser.at(2), b'x' | b'X') { (3, 16) } else { (2, 10) };
    let (mut end, mut code) = (parser.i + skip, 0);
    while let Some(digit) = char::from(parser.input.at(end)).to_digit(radix) {
        code = code * radix + digit;
        end += 1;
        if end - parser.i >= 10 {
            return None;
        }
    }
    (1..0x10_FFFF).contains(&code).then_some((code, end))
}

fn named(parser: &Parser<'_>) -> Option<(u32, usize)> {
    let end = parser.input.find(parser.i + 1, !ALPHA);
    let code = match parser.input.slice(parser.i + 1, end) {
        "lt" => b'<',
        "gt" => b'>',
        "amp" => b'&',
        "quot" => b'"',
        _ => return None,
    };
    Some((code.into(), end))
}

/// Adds the finding of a named reference that is sent literally.
fn literal(parser: &mut Parser<'_>) {
    let end = parser.input.find(parser.i + 1, !(ALPHA | DIGIT));
    if parser.input.at(end) == b';' && is(parser.at(1), ALPHA) {
        parser.findings.push(raw(FindingKind::LiteralEntity, (parser.i, end + 1)));
    }
}

fn start_tag(parser: &mut Parser<'_>) -> Result<(), Fail> {
    let begin = parser.i;
    let end = parser.input.find(begin + 1, SPACE | GREATER);
    if parser.input.at(end) == 0 {
        return Err(Fail::new(ErrorKind::UnclosedTag, begin, "Unclosed start tag@", ""));
    }
    let name = parser.input.slice(begin + 1, end).to_ascii_lowercase();
    let Some(&(name, tag)) = TAGS.iter().find(|(known, _)| *known == name) else {
        return Err(Fail::new(ErrorKind::UnsupportedTag, begin, "Unsupported start tag \"%\"@", &name));
    };
    let mut open = parser.open(tag);
    open.name = name;
    parser.i = end;
    attributes(parser, &mut open)?;
    if name == "span" && open.value.as_deref() != Some("spoiler") {
        let message = "Tag \"span\" must have class \"tg-spoiler\"@";
        return Err(Fail::new(ErrorKind::SpanClass, begin, message, ""));
    }
    parser.open.push(open);
    Ok(())
}

fn end_tag(parser: &mut Parser<'_>) -> Result<(), Fail> {
    let begin = parser.i;
    let Some(open) = parser.open.pop() else {
        return Err(Fail::new(ErrorKind::UnexpectedEndTag, begin, "Unexpected end tag@", ""));
    };
    let end = parser.input.find(begin + 2, SPACE | GREATER);
    let close = parser.input.skip_space(end);
    if parser.input.at(close) != b'>' {
        return Err(Fail::new(ErrorKind::UnclosedTag, begin, "Unclosed end tag@", ""));
    }
    let name = parser.input.slice(begin + 2, end).to_ascii_lowercase();
    if !name.is_empty() && name != open.name {
        let both = format!("{}>\", found \"</{name}", open.name);
        let message = "Unmatched end tag@, expected \"</%>\"";
        return Err(Fail::new(ErrorKind::UnmatchedEndTag, begin, message, &both));
    }
    parser.i = close + 1;
    if parser.is_empty_since(open.start) { Ok(()) } else { element(parser, open) }
}

/// Adds the entity of an element that is not empty.
fn element(parser: &mut Parser<'_>, open: Open) -> Result<(), Fail> {
    let value = open.value.as_deref().unwrap_or_default();
    let kind = match open.tag {
        Tag::Link => {
            parser.add_link(Some(value).filter(|url| !url.is_empty()), open.start, open.begin);
            return Ok(());
        }
        Tag::Emoji => {
            let emoji_id = super::link::integer(value).filter(|&id| id != 0);
            let message = "Invalid custom emoji identifier specified";
            let fail = || Fail::new(ErrorKind::CustomEmoji, open.begin, message, "");
            EntityKind::CustomEmoji { emoji_id: emoji_id.ok_or_else(fail)? }
        }
        Tag::Date => {
            let fail = || Fail::new(ErrorKind::DateFormat, open.begin, "Invalid date format used", "");
            let date_flags = open.date_flags.ok_or_else(fail)?;
            let unix = leading_integer(value);
            if unix <= 0 {
                return Ok(());
            }
            EntityKind::FormattedDate { unix, date_flags }
        }
        Tag::Pre | Tag::Code => {
            code(parser, open);
            return Ok(());
        }
        tag => tag.kind(open.value),
    };
    parser.add(kind, open.start, open.begin);
    Ok(())
}

/// The integer at the start of a value, wrapping in 32 bits as in the reference implementation; 0 if there is none.
fn leading_integer(text: &str) -> i32 {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let number = digits
        .bytes()
        .take_while(u8::is_ascii_digit)
        .fold(0_i32, |number, digit| number.wrapping_mul(10).wrapping_add(i32::from(digit - b'0')));
    if digits.len() < text.len() { number.wrapping_neg() } else { number }
}

/// Adds `pre` or `code`. Both on one range, with a language for the code, become one entity.
fn code(parser: &mut Parser<'_>, open: Open) {
    let is_pre = open.tag == Tag::Pre;
    let language = if is_pre { parser.language.take() } else { open.value.filter(|value| !value.is_empty()) };
    let length = parser.utf16 - open.start.utf16;
    let twin = parser.entities.last_mut().filter(|last| {
        last.offset == open.start.utf16
            && last.length == length
            && matches!((&last.kind, is_pre), (EntityKind::Code, true) | (EntityKind::Pre, false))
    });
    if let (Some(twin), true) = (twin, language.is_some()) {
        twin.kind = Tag::Pre.kind(language);
        twin.source = (open.begin, parser.i);
        return;
    }
    if !is_pre {
        parser.language = language;
    }
    parser.add(open.tag.kind(None), open.start, open.begin);
}

/// Parses the attributes and the end of a start tag.
fn attributes(parser: &mut Parser<'_>, open: &mut Open) -> Result<(), Fail> {
    let (begin, element) = (open.begin, open.name);
    let unclosed = || Fail::new(ErrorKind::UnclosedTag, begin, "Unclosed start tag \"%\"@", element);
    loop {
        let from = parser.input.skip_space(parser.i);
        if parser.input.at(from) == b'>' {
            parser.i = from + 1;
            return Ok(());
        }
        let end = parser.input.find(from, SPACE | EQUALS | GREATER | QUOTE);
        let name = parser.input.slice(from, end);
        if name.is_empty() {
            let message = "Empty attribute name in the tag \"%\"@";
            return Err(Fail::new(ErrorKind::Attribute, begin, message, element));
        }
        parser.i = parser.input.skip_space(end);
        if parser.at(0) == b'=' {
            parser.i = parser.input.skip_space(parser.i + 1);
            if parser.at(0) == 0 {
                return Err(unclosed());
            }
            let value = value(parser)?;
            if parser.at(0) == 0 {
                return Err(Fail::new(ErrorKind::UnclosedTag, begin, "Unclosed start tag@", ""));
            }
            set(open, name, value);
        } else if parser.at(0) == 0 {
            return Err(unclosed());
        } else if open.tag == Tag::Quote {
            set(open, name, String::new());
        }
    }
}

fn value(parser: &mut Parser<'_>) -> Result<String, Fail> {
    let quote = parser.at(0);
    if quote != b'"' && quote != b'\'' {
        let from = parser.i;
        parser.i = parser.input.find(from, !(ALPHA | DIGIT | DOT | DASH));
        if !is(parser.at(0), SPACE | GREATER) {
            return Err(Fail::new(ErrorKind::Attribute, from, "Unexpected end of name token@", ""));
        }
        return Ok(parser.input.slice(from, parser.i).to_ascii_lowercase());
    }
    let mut value = Vec::new();
    parser.i += 1;
    loop {
        let byte = parser.at(0);
        if byte == quote {
            parser.i += 1;
            break;
        }
        if byte == 0 {
            break;
        }
        if let Some(code) = (byte == b'&').then(|| reference(parser)).flatten() {
            push_code(&mut value, code);
        } else {
            value.push(byte);
            parser.i += 1;
        }
    }
    Ok(String::from_utf8(value).unwrap_or_default())
}

fn set(open: &mut Open, name: &str, value: String) {
    let (known, prefix) = match open.tag {
        Tag::Link => ("href", ""),
        Tag::Emoji => ("emoji-id", ""),
        Tag::Date if name == "format" => {
            open.date_flags = super::link::date_flags(&value);
            return;
        }
        Tag::Date => ("unix", ""),
        Tag::Code => ("class", "language-"),
        Tag::Spoiler => ("class", "tg-"),
        Tag::Quote => ("expandable", ""),
        _ => return,
    };
    if let Some(tail) = value.strip_prefix(prefix).filter(|_| name == known) {
        open.value = Some(tail.to_owned());
    }
}
