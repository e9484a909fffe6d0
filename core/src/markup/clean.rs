//! What becomes of a parsed text before it is sent and counted.

use serde::Serialize;

use super::entity::{Entity, EntityKind, sort};

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

pub(super) fn clean(text: &str, entities: Vec<Entity>) -> Sent {
    let mut entities = super::nest::fix(entities);
    let (mut text, removed) = characters(text);
    let moved = |at: u32| at - removed.partition_point(|&gone| gone < at) as u32;
    entities.retain_mut(|entity| {
        let end = moved(entity.end());
        match &mut entity.kind {
            EntityKind::PreCode { language } => *language = characters(language).0,
            EntityKind::TextUrl { url } => match super::link::resolve(&characters(url).0) {
                Some(kind) => entity.kind = kind,
                None => return false,
            },
            _ => {}
        }
        entity.offset = moved(entity.offset);
        entity.length = end - entity.offset;
        entity.length > 0
    });
    trim(&mut text, &mut entities);
    sort(&mut entities);
    let code_points = text.chars().count();
    let utf16_units = text.bytes().map(|byte| super::output::units(byte) as usize).sum();
    let graphemes = graphemes(&text);
    Sent { text, entities, code_points, utf16_units, graphemes }
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
fn trim(text: &mut String, entities: &mut Vec<Entity>) {
    const SPACE: [char; 2] = [' ', '\n'];
    let kept = text.trim_end_matches(SPACE).len();
    let gone = (text.len() - kept) as u32;
    text.truncate(kept);
    let end = text.bytes().map(super::output::units).sum::<u32>();
    if gone > 0 {
        entities.retain_mut(|entity| {
            entity.length = entity.end().min(end).saturating_sub(entity.offset);
            entity.length > 0
        });
    }
    let free = entities.iter().map(|entity| entity.offset).min().unwrap_or(end);
    let space = text.len() - text.trim_start_matches(SPACE).len();
    let cut = space.min(free as usize);
    text.drain(..cut);
    for entity in entities {
        entity.offset -= cut as u32;
    }
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
