//! `Markdown`, the legacy mode: no nesting, no reserved characters.

use super::entity::EntityKind;
use super::error::{ErrorKind, Fail};
use super::finding::FindingKind;
use super::output::{Input, Output};

const SPECIAL: &[u8] = b"_*`[";

pub(super) fn parse(input: Input<'_>, out: &mut Output) -> Result<(), Fail> {
    let mut i = 0;
    while i < input.len() {
        let byte = input.at(i);
        if byte == b'\\' && SPECIAL.contains(&input.at(i + 1)) {
            out.push(input.at(i + 1));
            i += 2;
        } else if SPECIAL.contains(&byte) {
            i = entity(input, out, i)?;
        } else {
            out.push(byte);
            i += 1;
        }
    }
    Ok(())
}

/// Reads the entity that opens at `begin`; returns where the text goes on.
fn entity(input: Input<'_>, out: &mut Output, begin: usize) -> Result<usize, Fail> {
    let opener = input.at(begin);
    if opener == b'_' && is_inside_word(input, begin) {
        out.findings.push((FindingKind::WordUnderscore, begin, begin + 1));
    }
    let is_pre = input.is_fence(begin);
    let (language, mut i) = if is_pre { input.fence_head(begin + 3) } else { (None, begin + 1) };
    let closer = if opener == b'[' { b']' } else { opener };
    let start = out.mark();
    while i < input.len() && (input.at(i) != closer || (is_pre && !input.is_fence(i))) {
        out.push(input.at(i));
        i += 1;
    }
    if i >= input.len() {
        return Err(Fail::at(ErrorKind::UnclosedEntity, begin, &["Can't find end of the entity starting"]));
    }
    i += if is_pre { 3 } else { 1 };
    if opener == b'[' {
        return Ok(link(input, out, begin, start, i));
    }
    let kind = match (opener, language) {
        (b'_', _) => EntityKind::Italic,
        (b'*', _) => EntityKind::Bold,
        (_, Some(language)) => EntityKind::PreCode { language },
        (_, None) if is_pre => EntityKind::Pre,
        _ => EntityKind::Code,
    };
    out.add(kind, start, (begin, i));
    Ok(i)
}

/// The address behind a label that is not empty: to the next `)` or the end of the text.
fn link(input: Input<'_>, out: &mut Output, begin: usize, start: super::output::Mark, i: usize) -> usize {
    if out.is_empty_since(start) {
        return i;
    }
    if input.at(i) != b'(' {
        out.add_link(None, start, (begin, i));
        return i;
    }
    let end = input.find(i + 1, |byte| byte == b')');
    let next = (end + 1).min(input.len());
    out.add_link(Some(input.slice(i + 1, end)), start, (begin, next));
    next
}

/// A letter or digit before, and one (or another underscore) behind.
fn is_inside_word(input: Input<'_>, at: usize) -> bool {
    let before = input.0.get(..at).and_then(|head| head.chars().next_back());
    let behind = input.0.get(at + 1..).and_then(|tail| tail.chars().next());
    before.is_some_and(is_letter) && behind.is_some_and(|c| is_letter(c) || c == '_')
}

/// A letter or digit, near enough without the tables of Unicode: beyond ASCII all but the blocks of signs and pictures.
const fn is_letter(c: char) -> bool {
    match c {
        '\0'..='\u{BF}' => c.is_ascii_alphanumeric(),
        '\u{2000}'..='\u{2BFF}' | '\u{3000}'..='\u{303F}' | '\u{FE00}'..='\u{FE6F}' | '\u{1F000}'.. => false,
        _ => true,
    }
}
