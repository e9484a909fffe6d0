//! The state of the parser in all modes: input, open entities, and the parsed text.

use super::byte_class::{SPACE, TICK};
use super::entity::{Entity, EntityKind};
use super::finding::{FindingKind, Raw, raw};
use super::input::{Input, units};

/// The effect of a mark or a tag.
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
    /// The kind of entity. `value` is the language of a block, or makes a quotation expandable.
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

/// An open entity.
pub(super) struct Open {
    pub(super) tag: Tag,
    /// The name of the element in `Html`.
    pub(super) name: &'static str,
    pub(super) start: Mark,
    pub(super) begin: usize,
    /// The URL, identifier, class, language or time; for a quotation, present if it is expandable.
    pub(super) value: Option<String>,
    /// The flags of a date; `None` if the format is invalid.
    pub(super) date_flags: Option<u8>,
}

/// A position in the output.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    byte: usize,
    pub(super) utf16: u32,
}

/// The parser of all modes.
pub(super) struct Parser<'a> {
    pub(super) input: Input<'a>,
    pub(super) i: usize,
    pub(super) open: Vec<Open>,
    pub(super) text: Vec<u8>,
    pub(super) utf16: u32,
    pub(super) entities: Vec<Entity>,
    pub(super) findings: Vec<Raw>,
    label_budget: usize,
    /// `MarkdownV2`: the offset in the output after the last newline and the carriage returns that follow it.
    pub(super) line: usize,
    pub(super) in_quote: bool,
    /// `Html`: the language of the code entity added last.
    pub(super) language: Option<String>,
    /// `Html`: the offset of the first reference to a surrogate.
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

    /// The byte `ahead` bytes after the current one.
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

    /// Copies the input up to an offset.
    pub(super) fn copy(&mut self, to: usize) {
        let bytes = self.input.0.as_bytes().get(self.i..to).unwrap_or_default();
        self.text.extend_from_slice(bytes);
        self.utf16 += bytes.iter().map(|&byte| units(byte)).sum::<u32>();
        self.i = to;
    }

    /// Appends a code point from a reference. A surrogate produces invalid UTF-8, which is detected at the end.
    pub(super) fn push_code(&mut self, code: u32) {
        push_code(&mut self.text, code);
        self.utf16 += if code > 0xFFFF { 2 } else { 1 };
    }

    pub(super) fn is_empty_since(&self, start: Mark) -> bool {
        self.utf16 == start.utf16
    }

    /// Adds an entity from `start` to the current position, unless it is empty.
    pub(super) fn add(&mut self, kind: EntityKind, start: Mark, begin: usize) {
        let length = self.utf16 - start.utf16;
        if length > 0 {
            self.entities.push(Entity { kind, offset: start.utf16, length, source: (begin, self.i) });
        }
    }

    /// Adds a link from `start` to the current position, to `url` or to its own label.
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

    /// The label as a URL. Labels of nested links overlap, so a budget limits their total length.
    fn label(&mut self, start: Mark) -> Option<String> {
        let bytes = self.text.get(start.byte..)?;
        self.label_budget = self.label_budget.checked_sub(bytes.len())?;
        String::from_utf8(bytes.to_vec()).ok()
    }

    /// Parses the language after an opening fence, and the newline that follows.
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
