//! What parses but may not be what was meant.

use serde::{Serialize, Serializer};

use super::Mode;
use super::entity::{Entity, sorted};

/// What was found; `code` is the tail of the problem code `messenger_c.markup.…`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FindingKind {
    /// The address of a link is not accepted: the label stays, the link is lost.
    LinkDropped,
    /// Html: a named reference other than the four known ones stays as written.
    LiteralEntity,
    /// Markdown: an underscore inside a word opens an entity.
    WordUnderscore,
    /// Code that overlaps a style, a link or other code: one of the two is dropped when sent.
    CodeNested,
    /// More than 100 entities once cleaned: the rest lose their effect.
    ManyEntities,
    /// MarkdownV2: `**` is an empty pair, not bold.
    DoubleStar,
    /// Default: the text contains markup, which is sent as it stands.
    NotParsed,
}

impl FindingKind {
    /// The name in JSON: `link_dropped`, `literal_entity` and so on.
    pub const fn code(self) -> &'static str {
        match self {
            Self::LinkDropped => "link_dropped",
            Self::LiteralEntity => "literal_entity",
            Self::WordUnderscore => "word_underscore",
            Self::CodeNested => "code_nested",
            Self::ManyEntities => "many_entities",
            Self::DoubleStar => "double_star",
            Self::NotParsed => "not_parsed",
        }
    }
}

impl Serialize for FindingKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

/// A finding and the part of the input that it is about. In JSON: `kind`, `start`, `end`, `utf16Start`, `utf16End`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Finding {
    /// What was found.
    pub kind: FindingKind,
    /// The first byte.
    pub start: usize,
    /// The byte behind the last.
    pub end: usize,
    /// `start` in UTF-16 units.
    pub utf16_start: usize,
    /// `end` in UTF-16 units.
    pub utf16_end: usize,
}

/// Entities that take effect in one message.
const MAX_ENTITIES: usize = 100;

/// A finding in the order of their places: where it starts and ends, and its index in [`KINDS`].
pub(super) type Raw = u64;

const KINDS: [FindingKind; 6] = [
    FindingKind::LinkDropped,
    FindingKind::LiteralEntity,
    FindingKind::WordUnderscore,
    FindingKind::CodeNested,
    FindingKind::ManyEntities,
    FindingKind::DoubleStar,
];

/// A text that is parsed has less than 2^19 bytes.
pub(super) const fn raw(kind: FindingKind, (start, end): (usize, usize)) -> Raw {
    (start as u64) << 32 | (end as u64) << 4 | kind as u64
}

/// All findings of a text, in the order of their places.
pub(super) fn collect(
    input: &str,
    mode: Mode,
    mut raw: Vec<Raw>,
    parsed: &[Entity],
    sent: &[Entity],
) -> Vec<Finding> {
    let mut found = Vec::new();
    if mode == Mode::Default {
        if let Some((start, end)) = super::hint::find(input) {
            found.push(finding(FindingKind::NotParsed, start, end, &units(input)));
        }
        return found;
    }
    code_nested(parsed, &mut raw);
    if let Some(entity) = sent.get(MAX_ENTITIES) {
        raw.push(self::raw(FindingKind::ManyEntities, entity.source));
    }
    if raw.is_empty() {
        return found;
    }
    let units = units(input);
    let mut last = 0;
    for raw in sorted(raw) {
        if let Some(&kind) = KINDS.get(raw as usize & 15).filter(|_| raw != last) {
            found.push(finding(kind, (raw >> 32) as usize, (raw >> 4) as usize & 0xFFF_FFFF, &units));
        }
        last = raw;
    }
    found
}

/// The UTF-16 units before each byte, and before the end.
fn units(input: &str) -> Vec<usize> {
    let mut before = Vec::with_capacity(input.len() + 1);
    let mut units = 0;
    before.extend(input.bytes().map(|byte| {
        let here = units;
        units += super::output::units(byte) as usize;
        here
    }));
    before.push(units);
    before
}

fn finding(kind: FindingKind, start: usize, end: usize, units: &[usize]) -> Finding {
    let utf16 = |at: usize| units.get(at).copied().unwrap_or_default();
    Finding { kind, start, end, utf16_start: utf16(start), utf16_end: utf16(end) }
}

/// Code and whatever overlaps it, quotes aside; entities are nested, never crossing. What is nested in several ways is
/// told as often, and handed out once.
fn code_nested(parsed: &[Entity], raw: &mut Vec<Raw>) {
    let mut open: Vec<&Entity> = Vec::new();
    for entity in parsed.iter().filter(|entity| !entity.kind.is_quote()) {
        while open.pop_if(|outer| outer.end() <= entity.offset).is_some() {}
        if let Some(&outer) = open.last() {
            let code = if outer.kind.is_code() { outer } else { entity };
            if code.kind.is_code() {
                raw.push(self::raw(FindingKind::CodeNested, code.source));
            }
        }
        open.push(entity);
    }
}
