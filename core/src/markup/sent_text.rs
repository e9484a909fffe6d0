//! The text that is sent: a parsed text, cleaned and trimmed.

use serde::Serialize;

use super::entity::{Entity, EntityKind, arrange};
use super::link::split;

/// The text that is sent: without control characters, trimmed, with the entities that are left. `Debug` shows lengths only.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Sent {
    /// The text.
    pub text: String,
    /// Its entities, in order.
    pub entities: Vec<Entity>,
    /// The number of code points, to which the limits of 4096 and 1024 apply.
    #[serde(rename = "length")]
    pub code_points: usize,
    /// The number of UTF-16 units.
    #[serde(rename = "utf16")]
    pub utf16_units: usize,
    /// The number of grapheme clusters, which a reader sees as characters. `None` for text outside ASCII if the feature
    /// `graphemes` is off.
    pub graphemes: Option<usize>,
}

impl core::fmt::Debug for Sent {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Sent")
            .field("entities", &self.entities)
            .field("code_points", &self.code_points)
            .finish_non_exhaustive()
    }
}

pub(super) fn clean(text: &str, parsed: &[Entity]) -> Sent {
    let (clean, offsets) = characters(text);
    let kept = clean.bytes().rposition(|byte| !is_trimmed(byte)).map_or(0, |last| last + 1);
    let clean = split(&clean, kept).0;
    let units: u32 = clean.bytes().map(super::input::units).sum();
    let offset_of = |at: u32| offsets.get(at as usize).map_or(units, |&offset| units.min(offset));
    let mut entities = Vec::new();
    for piece in super::nesting::fix(parsed) {
        let (offset, end) = (offset_of(piece.offset()), offset_of(piece.end()));
        let entity = parsed.get(piece.index()).filter(|_| end > offset);
        if let Some((kind, entity)) = entity.and_then(|entity| Some((kind(&entity.kind)?, entity))) {
            entities.push(Entity { kind, offset, length: end - offset, source: entity.source });
        }
    }
    arrange(&mut entities);
    // Spaces and newlines at the start are removed up to the first entity.
    let free = entities.first().map_or(units, |first| first.offset);
    let space = clean.bytes().take_while(|&byte| is_trimmed(byte)).count();
    let cut = space.min(free as usize);
    let text = split(clean, cut).1.to_owned();
    for entity in &mut entities {
        entity.offset -= cut as u32;
    }
    let code_points = text.chars().count();
    let graphemes = graphemes(&text);
    Sent { text, entities, code_points, utf16_units: units as usize - cut, graphemes }
}

/// The kind of an entity after its language or URL is cleaned; `None` for a link whose URL is then invalid.
fn kind(kind: &EntityKind) -> Option<EntityKind> {
    let (EntityKind::PreCode { language: text } | EntityKind::TextUrl { url: text }) = kind else {
        return Some(kind.clone());
    };
    let text = characters(text).0;
    match kind {
        EntityKind::PreCode { .. } => Some(EntityKind::PreCode { language: text }),
        _ => super::link::resolve(&text),
    }
}

/// Cleans a text as the channel does: control characters become spaces, and carriage returns, some formatting
/// characters and some combining marks are removed. Also returns the new UTF-16 offset of each unit.
fn characters(text: &str) -> (String, Vec<u32>) {
    let mut clean = String::with_capacity(text.len());
    let mut offsets = Vec::with_capacity(text.len());
    let mut at = 0;
    let mut mark = None;
    for c in text.chars() {
        offsets.push(at);
        let kept = match c {
            '\r' | '\u{2028}'..='\u{202E}' | '\u{333}' | '\u{33F}' | '\u{30A}' => continue,
            '\n' => c,
            '\0'..='\u{1F}' => ' ',
            _ => c,
        };
        let is_mark = matches!(c, '\u{200E}' | '\u{200F}');
        if let Some(last) = mark.filter(|_| is_mark) {
            clean.truncate(last);
            clean.push('\u{200C}');
        }
        mark = is_mark.then_some(clean.len());
        clean.push(kept);
        at += 1;
        if c.len_utf16() > 1 {
            offsets.push(at);
            at += 1;
        }
    }
    (clean, offsets)
}

const fn is_trimmed(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n')
}

/// The number of clusters. A cleaned text has no carriage returns, so each ASCII character is a cluster.
fn graphemes(text: &str) -> Option<usize> {
    if text.is_ascii() {
        return Some(text.len());
    }
    #[cfg(feature = "graphemes")]
    {
        Some(crate::text::graphemes::clusters(text).count())
    }
    #[cfg(not(feature = "graphemes"))]
    None
}
