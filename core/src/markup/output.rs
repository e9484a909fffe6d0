//! The input under the parser's eye, and the text it writes.

use super::class::{self, NUL, SPACE, TICK};
use super::entity::{Entity, EntityKind};
use super::finding::{FindingKind, Raw, raw};

/// UTF-16 units that begin with this byte of UTF-8.
pub(super) const fn units(byte: u8) -> u32 {
    match byte {
        0x80..=0xBF => 0,
        0xF0.. => 2,
        _ => 1,
    }
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

    /// The first index from `from` whose byte is of these classes, or the end.
    pub(super) fn find(self, from: usize, classes: u32) -> usize {
        let rest = self.0.as_bytes().get(from..).unwrap_or_default();
        from + rest.iter().position(|&byte| class::is(byte, classes)).unwrap_or(rest.len())
    }

    /// The first index from `from` whose byte is no white space, or zero.
    pub(super) fn skip_space(self, from: usize) -> usize {
        self.find(from, !SPACE | NUL)
    }
}

/// What a mark or a tag makes of its text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Bold,
    Italic,
    Underline,
    Strike,
    Spoiler,
    Code,
    Pre,
    Link,
    Emoji,
    Date,
    Quote,
}

impl Tag {
    /// The entity, as far as the tag and its value say it; `value` is the language of a block, or makes a quotation expandable.
    pub(super) fn kind(self, value: Option<String>) -> EntityKind {
        match self {
            Self::Bold => EntityKind::Bold,
            Self::Italic => EntityKind::Italic,
            Self::Underline => EntityKind::Underline,
            Self::Strike => EntityKind::Strikethrough,
            Self::Spoiler => EntityKind::Spoiler,
            Self::Code => EntityKind::Code,
            Self::Pre => value.map_or(EntityKind::Pre, |language| EntityKind::PreCode { language }),
            Self::Link => EntityKind::TextUrl { url: String::new() },
            Self::Emoji | Self::Date => EntityKind::CustomEmoji { emoji_id: 0 },
            Self::Quote if value.is_some() => EntityKind::ExpandableBlockQuote,
            Self::Quote => EntityKind::BlockQuote,
        }
    }
}

/// An entity that has no end yet.
pub(super) struct Open {
    pub(super) tag: Tag,
    /// The element's name in `Html`.
    pub(super) name: &'static str,
    pub(super) start: Mark,
    pub(super) begin: usize,
    /// The address, identifier, class, language or time; of a quotation, that it is expandable.
    pub(super) value: Option<String>,
    /// Those of a date; none where the format is unknown.
    pub(super) date_flags: Option<u8>,
}

/// A place in the output.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    byte: usize,
    pub(super) utf16: u32,
}

/// The parser of all modes: where it stands in the input, what is open, and the parsed text as it grows.
pub(super) struct Parser<'a> {
    pub(super) input: Input<'a>,
    pub(super) i: usize,
    pub(super) open: Vec<Open>,
    pub(super) text: Vec<u8>,
    pub(super) utf16: u32,
    pub(super) entities: Vec<Entity>,
    pub(super) findings: Vec<Raw>,
    label_budget: usize,
    /// `MarkdownV2`: the output's byte behind the last newline and the returns that follow it.
    pub(super) line: usize,
    pub(super) in_quote: bool,
    /// `Html`: the language of the code entity added last.
    pub(super) language: Option<String>,
    /// `Html`: where the first reference to a surrogate stands.
    pub(super) invalid: Option<usize>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            input: Input(text),
            i: 0,
            open: Vec::new(),
            text: Vec::with_capacity(text.len()),
            utf16: 0,
            entities: Vec::new(),
            findings: Vec::new(),
            label_budget: 16 * text.len(),
            line: 0,
            in_quote: false,
            language: None,
            invalid: None,
        }
    }

    /// The byte so far ahead.
    pub(super) fn at(&self, ahead: usize) -> u8 {
        self.input.at(self.i + ahead)
    }

    pub(super) fn starts(&self, what: &str) -> bool {
        self.input.starts(self.i, what)
    }

    pub(super) fn open(&self, tag: Tag) -> Open {
        let start = Mark { byte: self.text.len(), utf16: self.utf16 };
        Open { tag, name: "", start, begin: self.i, value: None, date_flags: Some(0) }
    }

    /// Copies the input up to there.
    pub(super) fn copy(&mut self, to: usize) {
        let bytes = self.input.0.as_bytes().get(self.i..to).unwrap_or_default();
        self.text.extend_from_slice(bytes);
        self.utf16 += bytes.iter().map(|&byte| units(byte)).sum::<u32>();
        self.i = to;
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
    pub(super) fn add(&mut self, kind: EntityKind, start: Mark, begin: usize) {
        let length = self.utf16 - start.utf16;
        if length > 0 {
            self.entities.push(Entity { kind, offset: start.utf16, length, source: (begin, self.i) });
        }
    }

    /// Adds a link from `start` to here: to `url`, or to its own label.
    pub(super) fn add_link(&mut self, url: Option<&str>, start: Mark, begin: usize) {
        if self.is_empty_since(start) {
            return;
        }
        let kind = match url {
            Some(url) => super::link::resolve(url),
            None => self.label(start).and_then(|label| super::link::resolve(&label)),
        };
        match kind {
            Some(kind) => self.add(kind, start, begin),
            None => self.findings.push(raw(FindingKind::LinkDropped, (begin, self.i))),
        }
    }

    /// The label as an address. Labels of nested links overlap: a budget keeps their sum linear in the input.
    fn label(&mut self, start: Mark) -> Option<String> {
        let bytes = self.text.get(start.byte..)?;
        self.label_budget = self.label_budget.checked_sub(bytes.len())?;
        String::from_utf8(bytes.to_vec()).ok()
    }

    /// Reads the language behind an opening fence, and the newline that belongs to neither.
    pub(super) fn language(&mut self) -> Option<String> {
        let end = self.input.find(self.i, SPACE | TICK);
        let name = self.input.slice(self.i, end);
        let is_known = !name.is_empty() && end < self.input.len() && self.input.at(end) != b'`';
        if is_known {
            self.i = end;
        }
        self.i += match (self.at(0), self.at(1)) {
            (b'\n', b'\r') | (b'\r', b'\n') => 2,
            (b'\n' | b'\r', _) => 1,
            _ => 0,
        };
        is_known.then(|| name.to_owned())
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
