//! The markup of a `messenger_c` text or caption (D3, "after parsing").

use crate::channel::ParseMode;
use crate::markup::{self, ErrorKind, Finding, FindingKind, MarkupError, Mode, Parsed};
use crate::problem::{Code, Fix, Pointer, Problems, codes};
use crate::rules::allowed_values;

/// The mode of a text; `None` if it is unknown, so that the text cannot be parsed.
pub(crate) fn mode(mode: Option<&ParseMode>, at: &Pointer<'_>, problems: &mut Problems) -> Option<Mode> {
    let mode = match mode {
        None | Some(ParseMode::Default) => Mode::Default,
        Some(ParseMode::Html) => Mode::Html,
        Some(ParseMode::MarkdownV2) => Mode::MarkdownV2,
        Some(ParseMode::Markdown) => Mode::Markdown,
        Some(ParseMode::Other(name)) => {
            let meant = Mode::suggest(name);
            let code = match meant {
                Some(_) => &codes::MESSENGER_C_PARSE_MODE_CASE,
                None => &codes::MESSENGER_C_PARSE_MODE_UNKNOWN,
            };
            allowed_values::unknown(code, name, ParseMode::VALUES, at, "parseMode", problems);
            meant?
        }
    };
    if mode == Mode::Markdown {
        problems.add_key(&codes::MARKUP_LEGACY, at, "parseMode");
    }
    Some(mode)
}

/// Parses a text and reports its problems; `None` if the markup is invalid.
pub(crate) fn parse(
    text: &str,
    mode: Mode,
    too_long: &'static Code,
    at: &Pointer<'_>,
    problems: &mut Problems,
) -> Option<Parsed> {
    match markup::parse(text, mode) {
        Ok(parsed) => {
            findings(&parsed.findings, at, problems);
            Some(parsed)
        }
        Err(error) if error.kind == ErrorKind::TooLong => {
            let count = text.chars().count();
            problems.report(too_long, at).limit(markup::MAX_INPUT, count, "code points before parsing");
            None
        }
        Err(error) => {
            failure(text, mode, &error, at, problems);
            None
        }
    }
}

/// Reports one problem for each kind of finding, with their number and the span of the first.
fn findings(findings: &[Finding], at: &Pointer<'_>, problems: &mut Problems) {
    let mut reported: Vec<FindingKind> = Vec::new();
    for first in findings {
        if reported.contains(&first.kind) {
            continue;
        }
        reported.push(first.kind);
        let count = findings.iter().filter(|finding| finding.kind == first.kind).count();
        problems.report(finding_code(first.kind), at).param("actual", count).span(
            first.start,
            first.end,
            first.start16,
            first.end16,
        );
    }
}

fn failure(text: &str, mode: Mode, error: &MarkupError, at: &Pointer<'_>, problems: &mut Problems) {
    let fix =
        || markup::fix(text, mode, error).map(|edit| Fix::replace(text, edit.start, edit.end, edit.insert));
    let (start, start16) = (error.byte_offset, error.utf16_offset);
    let (bytes, units) = text
        .get(start..)
        .and_then(|tail| tail.chars().next())
        .map_or((0, 0), |character| (character.len_utf8(), character.len_utf16()));
    problems
        .report(error_code(error.kind), at)
        .append(&format!(", at position {}", error.position))
        .span(start, start + bytes, start16, start16 + units)
        .fix_with(fix);
}

fn error_code(kind: ErrorKind) -> &'static Code {
    match kind {
        ErrorKind::UnclosedEntity => &codes::MARKUP_UNCLOSED_ENTITY,
        ErrorKind::ReservedCharacter => &codes::MARKUP_RESERVED_CHARACTER,
        ErrorKind::UnclosedUrl => &codes::MARKUP_UNCLOSED_URL,
        ErrorKind::CustomEmoji => &codes::MARKUP_CUSTOM_EMOJI,
        ErrorKind::UnsupportedTag => &codes::MARKUP_UNSUPPORTED_TAG,
        ErrorKind::UnclosedTag => &codes::MARKUP_UNCLOSED_TAG,
        ErrorKind::UnmatchedEndTag => &codes::MARKUP_UNMATCHED_END_TAG,
        ErrorKind::UnexpectedEndTag => &codes::MARKUP_UNEXPECTED_END_TAG,
        ErrorKind::Attribute => &codes::MARKUP_ATTRIBUTE,
        ErrorKind::SpanClass => &codes::MARKUP_SPAN_CLASS,
        ErrorKind::InvalidUnicode => &codes::MARKUP_INVALID_UNICODE,
        ErrorKind::DateFormat => &codes::MARKUP_DATE_FORMAT,
        ErrorKind::TooLong => &codes::MESSENGER_C_TEXT_TOO_LONG,
        ErrorKind::Empty => &codes::MESSENGER_C_TEXT_EMPTY,
    }
}

fn finding_code(kind: FindingKind) -> &'static Code {
    match kind {
        FindingKind::LinkDropped => &codes::MARKUP_LINK_DROPPED,
        FindingKind::LiteralEntity => &codes::MARKUP_LITERAL_ENTITY,
        FindingKind::WordUnderscore => &codes::MARKUP_WORD_UNDERSCORE,
        FindingKind::CodeNested => &codes::MARKUP_CODE_NESTED,
        FindingKind::ManyEntities => &codes::MARKUP_MANY_ENTITIES,
        FindingKind::DoubleStar => &codes::MARKUP_DOUBLE_STAR,
        FindingKind::NotParsed => &codes::MARKUP_NOT_PARSED,
    }
}
