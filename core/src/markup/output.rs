//! The input under the parser's eye, and the text it writes.

use super::entity::{Entity, EntityKind};
use super::finding::FindingKind;

/// UTF-16 units that begin with this byte of UTF-8.
pub(super) const fn units(byte: u8) -> u32 {
    match byte {
        0x80..=0xBF => 0,
        0xF0.. => 2,
        _ => 1,
    }
}

/// White space as the reference sees it.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0)
}

/// The input; reading behind its end gives zero.
#[derive(Clone, Copy)]
pub(super) struct Input<'a>(pub(super) &'a str);

impl<'a> Input<'a> {
    pub(super) const fn len(self) -> usize {
        self.0.len()
    }

    pub(super) fn at(self, index: usize) -> u8 {
        self.0.as_bytes().get(index).copied().unwrap_or(0)
    }

    pub(super) fn slice(self, from: usize, to: usize) -> &'a str {
        self.0.get(from..to).unwrap_or_default()
    }

    pub(super) fn starts(self, index: usize, what: &str) -> bool {
        self.0.as_bytes().get(index..).is_some_and(|rest| rest.starts_with(what.as_bytes()))
    }

    /// The first index from `from` whose byte passes; the end counts as a zero byte that passes always.
    pub(super) fn find(self, from: usize, pass: impl Fn(u8) -> bool) -> usize {
        let rest = self.0.as_bytes().get(from..).unwrap_or_default();
        from + rest.iter().position(|&byte| pass(byte)).unwrap_or(rest.len())
    }

    /// Three backticks.
    pub(super) fn is_fence(self, index: usize) -> bool {
        self.starts(index, "```")
    }

    /// The language behind an opening fence, and where the content begins.
    pub(super) fn fence_head(self, from: usize) -> (Option<String>, usize) {
        let end = self.find(from, |byte| is_space(byte) || byte == b'`');
        let known = end > from && end < self.len() && self.at(end) != b'`';
        let (language, start) =
            if known { (Some(self.slice(from, end).to_owned()), end) } else { (None, from) };
        let skip = match (self.at(start), self.at(start + 1)) {
            (b'\n', b'\r') | (b'\r', b'\n') => 2,
            (b'\n' | b'\r', _) => 1,
            _ => 0,
        };
        (language, start + skip)
    }
}

/// The parsed text as it grows.
pub(super) struct Output {
    pub(super) text: Vec<u8>,
    pub(super) utf16: u32,
    pub(super) entities: Vec<Entity>,
    pub(super) findings: Vec<(FindingKind, usize, usize)>,
    label_budget: usize,
}

/// A place in the output.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) byte: usize,
    pub(super) utf16: u32,
}

impl Output {
    pub(super) fn new(input: Input<'_>) -> Self {
        Self {
            text: Vec::with_capacity(input.len()),
            utf16: 0,
            entities: Vec::new(),
            findings: Vec::new(),
            label_budget: 16 * input.len(),
        }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { byte: self.text.len(), utf16: self.utf16 }
    }

    pub(super) fn push(&mut self, byte: u8) {
        self.utf16 += units(byte);
        self.text.push(byte);
    }

    /// A code point from a reference; a surrogate leaves bytes that are not UTF-8, found at the end.
    pub(super) fn push_code(&mut self, code: u32) {
        push_code(&mut self.text, code);
        self.utf16 += if code > 0xFFFF { 2 } else { 1 };
    }

    pub(super) fn is_empty_since(&self, start: Mark) -> bool {
        self.utf16 == start.utf16
    }

    /// Adds an entity from `start` to here, unless it is empty.
    pub(super) fn add(&mut self, kind: EntityKind, start: Mark, source: (usize, usize)) {
        let length = self.utf16 - start.utf16;
        if length > 0 {
            self.entities.push(Entity { kind, offset: start.utf16, length, source });
        }
    }

    /// Adds a link from `start` to here: to `url`, or to its own label.
    pub(super) fn add_link(&mut self, url: Option<&str>, start: Mark, source: (usize, usize)) {
        if self.is_empty_since(start) {
            return;
        }
        let kind = match url {
            Some(url) => super::link::resolve(url),
            None => self.label(start).and_then(|label| super::link::resolve(&label)),
        };
        match kind {
            Some(kind) => self.add(kind, start, source),
            None => self.findings.push((FindingKind::LinkDropped, source.0, source.1)),
        }
    }

    /// The label as an address. Labels of nested links overlap: a budget keeps their sum linear in the input.
    fn label(&mut self, start: Mark) -> Option<String> {
        let bytes = self.text.get(start.byte..)?;
        self.label_budget = self.label_budget.checked_sub(bytes.len())?;
        String::from_utf8(bytes.to_vec()).ok()
    }
}

/// Appends a code point as UTF-8, a surrogate included.
pub(super) fn push_code(bytes: &mut Vec<u8>, code: u32) {
    if let Some(character) = char::from_u32(code) {
        bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    } else {
        bytes.extend_from_slice(&[0xED, (0x80 | ((code >> 6) & 0x3F)) as u8, (0x80 | (code & 0x3F)) as u8]);
    }
}
