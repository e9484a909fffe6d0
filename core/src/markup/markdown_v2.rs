//! The mode `MarkdownV2`: a stack of open entities; the innermost one determines the meaning of a character.

use super::entity::EntityKind;
use super::finding::{FindingKind, raw};
use super::markup_error::{ErrorKind, Fail};
use super::parser::{Open, Parser, Tag};

/// The opening and the closing mark of each entity; a longer mark comes before its prefix.
static MARKS: [(&str, &str, Tag); 10] = [
    ("__", "__", Tag::Underline),
    ("_", "_", Tag::Italic),
    ("*", "*", Tag::Bold),
    ("~", "~", Tag::Strike),
    ("||", "||", Tag::Spoiler),
    ("[", "]", Tag::Link),
    ("![", "]", Tag::Emoji),
    ("```", "```", Tag::Pre),
    ("`", "`", Tag::Code),
    (">", "\n", Tag::Quote),
];

/// Parses the special byte at the current offset.
pub(super) fn step(parser: &mut Parser<'_>, byte: u8) -> Result<(), Fail> {
    let next = parser.at(1);
    if byte == b'\\' && (1..=126).contains(&next) {
        parser.i += 1;
        parser.copy(parser.i + 1);
        if next == b'\n' {
            parser.line = parser.text.len();
        }
        return Ok(());
    }
    let tag = parser.open.last().map(|open| open.tag);
    if byte == b'\\' || (byte != b'`' && matches!(tag, Some(Tag::Code | Tag::Pre))) {
        parser.copy(parser.i + 1);
        return Ok(());
    }
    if byte == b'\n' {
        return newline(parser, next);
    }
    let closer = MARKS.iter().find(|(_, _, known)| tag == Some(*known)).map(|(_, closer, _)| *closer);
    let is_underline = byte == b'_' && next == b'_' && tag == Some(Tag::Italic);
    match closer.filter(|closer| !is_underline && parser.starts(closer)) {
        Some(closer) => close(parser, closer),
        None => start(parser, byte),
    }
}

/// Checks the state at the end of the text, which also ends a quotation.
pub(super) fn end(parser: &mut Parser<'_>) -> Result<(), Fail> {
    if parser.in_quote {
        let is_mark = has_mark(parser, 2);
        end_quote(parser, is_mark)?;
    }
    parser.open.pop().map_or(Ok(()), |open| Err(unclosed(open)))
}

fn unclosed(open: Open) -> Fail {
    let kind = open.tag.kind(open.value);
    Fail::new(ErrorKind::UnclosedEntity, open.begin, "Can't find end of % entity@", kind.name())
}

fn newline(parser: &mut Parser<'_>, next: u8) -> Result<(), Fail> {
    if parser.in_quote && next != b'>' {
        let has_return = parser.text.last() == Some(&b'\r');
        let is_mark = has_mark(parser, 2) || (has_return && has_mark(parser, 3));
        end_quote(parser, is_mark)?;
    } else {
        parser.copy(parser.i + 1);
    }
    parser.line = parser.text.len();
    Ok(())
}

/// Whether the innermost entity is a spoiler that begins `back` bytes before the current offset.
fn has_mark(parser: &Parser<'_>, back: usize) -> bool {
    parser.open.last().is_some_and(|open| open.tag == Tag::Spoiler && open.begin + back == parser.i)
}

/// Ends the quotation, including a newline. The spoiler mark of an expandable quotation is removed.
fn end_quote(parser: &mut Parser<'_>, is_mark: bool) -> Result<(), Fail> {
    if is_mark {
        parser.open.pop();
    }
    let Some(quote) = parser.open.pop() else { return Ok(()) };
    if quote.tag != Tag::Quote {
        return Err(unclosed(quote));
    }
    parser.copy(parser.input.len().min(parser.i + 1));
    parser.in_quote = false;
    parser.add(Tag::Quote.kind(is_mark.then(String::new)), quote.start, quote.begin);
    Ok(())
}

/// Whether the line contains only carriage returns and marks up to the current offset.
fn is_line_start(parser: &mut Parser<'_>) -> bool {
    while parser.text.get(parser.line) == Some(&b'\r') {
        parser.line += 1;
    }
    parser.line == parser.text.len()
}

fn start(parser: &mut Parser<'_>, byte: u8) -> Result<(), Fail> {
    let begin = parser.i;
    let is_line_start = byte == b'>' && is_line_start(parser);
    let mark = MARKS.iter().find(|(mark, ..)| parser.starts(mark));
    let Some(&(mark, _, tag)) = mark.filter(|_| byte != b'>' || is_line_start) else {
        let message = "Character '%' is reserved and must be escaped with the preceding '\\'";
        let character = parser.input.slice(begin, begin + 1);
        return Err(Fail::new(ErrorKind::ReservedCharacter, begin, message, character));
    };
    let mut open = parser.open(tag);
    parser.i += mark.len();
    match tag {
        Tag::Quote if parser.in_quote => return Ok(()),
        Tag::Quote => parser.in_quote = true,
        Tag::Pre => open.value = parser.language(),
        Tag::Bold if parser.at(0) == b'*' && parser.at(1) != b'>' => {
            parser.findings.push(raw(FindingKind::DoubleStar, (begin, begin + 2)));
        }
        _ => {}
    }
    parser.open.push(open);
    Ok(())
}

fn close(parser: &mut Parser<'_>, mark: &str) -> Result<(), Fail> {
    let Some(open) = parser.open.pop() else {
        return Ok(());
    };
    parser.i += mark.len();
    let kind = match open.tag {
        Tag::Link => {
            let url = url(parser)?;
            parser.add_link(url.as_deref(), open.start, open.begin);
            return Ok(());
        }
        Tag::Emoji => emoji(parser, open.begin)?,
        tag => tag.kind(open.value),
    };
    parser.add(kind, open.start, open.begin);
    Ok(())
}

fn emoji(parser: &mut Parser<'_>, begin: usize) -> Result<EntityKind, Fail> {
    let (kind, message) = match url(parser)? {
        Some(url) => (super::link::emoji_or_date(&url), "Invalid tg://emoji or tg://time URL specified"),
        None => (None, "The entity must contain a tg://emoji or tg://time URL"),
    };
    kind.ok_or_else(|| Fail::new(ErrorKind::CustomEmoji, begin, message, ""))
}

/// Parses the URL in parentheses, if there is one.
fn url(parser: &mut Parser<'_>) -> Result<Option<String>, Fail> {
    if parser.at(0) != b'(' {
        return Ok(None);
    }
    parser.i += 1;
    let begin = parser.i;
    let mut url = Vec::new();
    loop {
        let mut byte = parser.at(0);
        if parser.i >= parser.input.len() {
            return Err(Fail::new(ErrorKind::UnclosedUrl, begin, "Can't find end of a URL@", ""));
        }
        parser.i += 1;
        if byte == b')' {
            break;
        }
        if byte == b'\\' && (1..=126).contains(&parser.at(0)) {
            byte = parser.at(0);
            parser.i += 1;
        }
        url.push(byte);
    }
    Ok(String::from_utf8(url).ok())
}
