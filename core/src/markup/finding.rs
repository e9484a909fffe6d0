//! Findings: valid markup that is probably a mistake.

use serde::{Serialize, Serializer};

use super::entity::Entity;
use crate::util::sorted;

/// The kind of a finding; `code` is the end of the problem code `messenger_c.markup.…`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FindingKind {
    /// The URL of a link is not accepted: the label is sent without the link.
    LinkDropped,
    /// Html: a named reference other than the four supported ones is sent literally.
    LiteralEntity,
    /// Markdown: an underscore inside a word opens an entity.
    WordUnderscore,
    /// Code overlaps a style, a link or other code: one of the two is dropped.
    CodeNested,
    /// More than 100 entities after cleaning: the channel ignores the rest.
    ManyEntities,
    /// MarkdownV2: `**` is an empty pair, not bold.
    DoubleStar,
    /// Default: the text contains markup, which is sent literally.
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

/// A finding and its range in the input. In JSON: `kind`, `start`, `end`, `start16`, `end16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of the finding.
    pub kind: FindingKind,
    /// The offset of the first byte.
    pub start: usize,
    /// The offset of the first byte after it.
    pub end: usize,
    /// `start` in UTF-16 units.
    pub start16: usize,
    /// `end` in UTF-16 units.
    pub end16: usize,
}

/// The maximum number of entities that the channel applies in one message.
const MAX_ENTITIES: usize = 100;

/// A finding as one number that sorts by position: start, end, and index in [`KINDS`].
pub(super) type Raw = u64;

const KINDS: [FindingKind; 6] = [
    FindingKind::LinkDropped,
    FindingKind::LiteralEntity,
    FindingKind::WordUnderscore,
    FindingKind::CodeNested,
    FindingKind::ManyEntities,
    FindingKind::DoubleStar,
];

/// Packs a finding into one number. The offsets fit because the parser accepts fewer than 2^19 bytes.
pub(super) const fn raw(kind: FindingKind, (start, end): (usize, usize)) -> Raw {
    (start as u64) << 32 | (end as u64) << 4 | kind as u64
}

/// The finding of a text that is sent literally, for the range that looks like markup.
pub(super) fn not_parsed(input: &str, range: Option<(usize, usize)>) -> Vec<Finding> {
    let found = |(start, end)| finding(FindingKind::NotParsed, start, end, &units(input));
    range.map(found).into_iter().collect()
}

/// All findings of a parsed text, in the order of their positions.
pub(super) fn collect(input: &str, mut raw: Vec<Raw>, parsed: &[Entity], sent: &[Entity]) -> Vec<Finding> {
    let mut found = Vec::new();
    code_nested(parsed, &mut raw);
    if let Some(entity) = sent.get(MAX_ENTITIES) {
        raw.push(self::raw(FindingKind::ManyEntities, entity.source));
    }
    if raw.is_empty() {
        return found;
    }
    let units = units(input);
    let mut raw = sorted(raw);
    raw.dedup();
    for raw in raw {
        if let Some(&kind) = KINDS.get(raw as usize & 15) {
            found.push(finding(kind, (raw >> 32) as usize, (raw >> 4) as usize & 0xFFF_FFFF, &units));
        }
    }
    found
}

/// The number of UTF-16 units before each byte and before the end.
fn units(input: &str) -> Vec<usize> {
    let mut before = Vec::with_capacity(input.len() + 1);
    let mut units = 0;
    before.extend(input.bytes().map(|byte| {
        let offset = units;
        units += super::input::units(byte) as usize;
        offset
    }));
    before.push(units);
    before
}

fn finding(kind: FindingKind, start: usize, end: usize, units: &[usize]) -> Finding {
    let utf16 = |at: usize| units.get(at).copied().unwrap_or_default();
    Finding { kind, start, end, start16: utf16(start), end16: utf16(end) }
}

/// Adds a finding for each code entity that overlaps another entity, except a quotation. Entities are nested and never
/// cross. A finding may be added several times; `collect` removes duplicates.
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
