//! What parses but may not be what was meant.

use serde::{Serialize, Serializer};

use super::Mode;
use super::entity::{Entity, index, sorted};

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

pub(super) type Raw = (FindingKind, usize, usize);

/// All findings of a text, in the order of their places.
pub(super) fn collect(
    input: &str,
    mode: Mode,
    mut raw: Vec<Raw>,
    parsed: &[Entity],
    sent: &[Entity],
) -> Vec<Finding> {
    if mode == Mode::Default {
        raw.extend(super::hint::find(input).map(|(start, end)| (FindingKind::NotParsed, start, end)));
    }
    code_nested(parsed, &mut raw);
    if let Some(entity) = sent.get(MAX_ENTITIES) {
        raw.push((FindingKind::ManyEntities, entity.source.0, entity.source.1));
    }
    if raw.is_empty() { Vec::new() } else { locate(input, &raw) }
}

fn locate(input: &str, raw: &[Raw]) -> Vec<Finding> {
    let mut before = Vec::with_capacity(input.len() + 1);
    let mut units = 0;
    before.extend(input.bytes().map(|byte| {
        let here = units;
        units += super::output::units(byte) as usize;
        here
    }));
    let utf16 = |at: usize| before.get(at).copied().unwrap_or(units);
    let place = |at: usize| at as u64 & 0x7_FFFF;
    let keys = raw.iter().enumerate().map(|(index, &(kind, start, end))| {
        ((place(start) << 19 | place(end)) << 4 | kind as u64) << 21 | index as u64
    });
    let mut found = Vec::with_capacity(raw.len());
    for key in sorted(keys.collect()) {
        if let Some(&(kind, start, end)) = raw.get(index(key)) {
            found.push(Finding { kind, start, end, utf16_start: utf16(start), utf16_end: utf16(end) });
        }
    }
    found
}

/// Code and whatever overlaps it, quotes aside; entities are nested, never crossing.
fn code_nested(parsed: &[Entity], raw: &mut Vec<Raw>) {
    let mut open: Vec<(&Entity, bool)> = Vec::new();
    for entity in parsed.iter().filter(|entity| !entity.kind.is_quote()) {
        while open.pop_if(|(outer, _)| outer.end() <= entity.offset).is_some() {}
        let is_code = entity.kind.is_code();
        let nested = match open.last_mut() {
            Some((outer, told)) if outer.kind.is_code() => {
                if !*told {
                    raw.push((FindingKind::CodeNested, outer.source.0, outer.source.1));
                }
                *told = true;
                false
            }
            outer => outer.is_some() && is_code,
        };
        if nested {
            raw.push((FindingKind::CodeNested, entity.source.0, entity.source.1));
        }
        open.push((entity, nested));
    }
}
