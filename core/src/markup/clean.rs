//! What becomes of a parsed text before it is sent and counted.

use serde::Serialize;

use super::entity::{Entity, EntityKind, Piece, sort};

/// The text as it is sent: cleaned of control characters, trimmed, with the entities that survive. `Debug` shows lengths only.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Sent {
    /// The text.
    pub text: String,
    /// Its entities, in order.
    pub entities: Vec<Entity>,
    /// Code points: what the limits of 4096 and 1024 count.
    #[serde(rename = "length")]
    pub code_points: usize,
    /// UTF-16 units.
    #[serde(rename = "utf16")]
    pub utf16_units: usize,
    /// Grapheme clusters: what a reader takes for characters. Beyond ASCII, `None` without the feature `graphemes`.
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

pub(super) fn clean(text: &str, entities: &[Entity]) -> Sent {
    let (mut text, removed) = characters(text);
    let kinds: Vec<Option<EntityKind>> = entities.iter().map(|entity| kind(&entity.kind)).collect();
    let mut pieces = super::nest::fix(entities);
    pieces.retain(|piece| kinds.get(piece.index).is_some_and(Option::is_some));
    move_all(&mut pieces, &|at| at - removed.partition_point(|&gone| gone < at) as u32);
    trim(&mut text, &mut pieces);
    sort(&mut pieces);
    let entity = |piece: &Piece| {
        let kind = kinds.get(piece.index)?.clone()?;
        let source = entities.get(piece.index)?.source;
        Some(Entity { kind, offset: piece.offset, length: piece.length, source })
    };
    let entities = pieces.iter().filter_map(entity).collect();
    let code_points = text.chars().count();
    let utf16_units = text.bytes().map(|byte| super::output::units(byte) as usize).sum();
    let graphemes = graphemes(&text);
    Sent { text, entities, code_points, utf16_units, graphemes }
}

/// What an entity is once its own text is cleaned; none for a link whose address is refused then.
fn kind(kind: &EntityKind) -> Option<EntityKind> {
    match kind {
        EntityKind::PreCode { language } => Some(EntityKind::PreCode { language: characters(language).0 }),
        EntityKind::TextUrl { url } => super::link::resolve(&characters(url).0),
        _ => Some(kind.clone()),
    }
}

/// Moves both ends of each piece; what is empty then goes.
fn move_all(pieces: &mut Vec<Piece>, moved: &dyn Fn(u32) -> u32) {
    pieces.retain_mut(|piece| {
        let end = moved(piece.end());
        piece.offset = moved(piece.offset);
        piece.length = end.saturating_sub(piece.offset);
        piece.length > 0
    });
}

/// Control characters become spaces, others go; returns the UTF-16 places of those that went.
fn characters(text: &str) -> (String, Vec<u32>) {
    let mut clean = String::with_capacity(text.len());
    let mut removed = Vec::new();
    let mut at = 0;
    let mut mark = None;
    for c in text.chars() {
        let kept = match c {
            '\r' | '\u{2028}'..='\u{202E}' | '\u{333}' | '\u{33F}' | '\u{30A}' => None,
            '\n' => Some(c),
            '\0'..='\u{1F}' => Some(' '),
            _ => Some(c),
        };
        let Some(kept) = kept else {
            removed.push(at);
            at += 1;
            continue;
        };
        let is_mark = matches!(kept, '\u{200E}' | '\u{200F}');
        if let Some(last) = mark.filter(|_| is_mark) {
            clean.truncate(last);
            clean.push('\u{200C}');
        }
        mark = is_mark.then_some(clean.len());
        clean.push(kept);
        at += c.len_utf16() as u32;
    }
    (clean, removed)
}

/// Cuts spaces and newlines at the end, and at the start as far as no entity holds them.
fn trim(text: &mut String, pieces: &mut Vec<Piece>) {
    let kept = text.bytes().rposition(|byte| !is_trimmed(byte)).map_or(0, |last| last + 1);
    text.truncate(kept);
    let end = text.bytes().map(super::output::units).sum::<u32>();
    move_all(pieces, &|at| at.min(end));
    let free = pieces.iter().map(|piece| piece.offset).min().unwrap_or(end);
    let space = text.bytes().take_while(|&byte| is_trimmed(byte)).count();
    let cut = space.min(free as usize);
    text.drain(..cut);
    move_all(pieces, &|at| at - cut as u32);
}

const fn is_trimmed(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n')
}

/// After cleaning no carriage return is left, so each ASCII character is a cluster.
fn graphemes(text: &str) -> Option<usize> {
    if text.is_ascii() {
        return Some(text.len());
    }
    #[cfg(feature = "graphemes")]
    {
        Some(crate::text::clusters::clusters(text).count())
    }
    #[cfg(not(feature = "graphemes"))]
    None
}
