//! The tags of `Html` and their attributes.

use super::class::{ALPHA, DASH, DIGIT, DOT, EQUALS, GREATER, QUOTE, SPACE, is};
use super::error::{ErrorKind, Fail};
use super::html::reference;
use super::output::{Open, Parser, Tag, push_code};

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

/// Reads the attributes of a start tag, and its end.
pub(super) fn attributes(parser: &mut Parser<'_>, open: &mut Open) -> Result<(), Fail> {
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
