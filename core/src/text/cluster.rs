//! Grapheme clusters (UAX 29, extended), found in one forward pass with a table of character classes. The tables of the
//! crate `unicode-segmentation` would make the browser module 10 KB larger; tests compare every character with that
//! crate.

use std::sync::LazyLock;

use super::cluster_table::{CLASSES, DISTANCES};

/// Classes in the table. The generator uses the same numbers.
const CONTROL: u8 = 0;
const EXTEND: u8 = 1;
const PICTOGRAPH: u8 = 2;
const CONSONANT: u8 = 3;
const HANGUL_L: u8 = 4;
const HANGUL_V: u8 = 5;
const HANGUL_T: u8 = 6;
const PREPEND: u8 = 7;
const REGIONAL_INDICATOR: u8 = 8;
const SPACING_MARK: u8 = 9;
const ZWJ: u8 = 10;
const LINKER: u8 = 11;
/// Extends a cluster, but not a conjunct of Indic consonants.
const EXTEND_ONLY: u8 = 12;
const OTHER: u8 = 15;
/// Classes computed from the code point.
const CARRIAGE_RETURN: u8 = 13;
const HANGUL_LV: u8 = 14;
const HANGUL_LVT: u8 = 16;

/// The Hangul syllables.
const SYLLABLES: std::ops::RangeInclusive<u32> = 0xAC00..=0xD7A3;
/// The number of syllables that begin with the same two letters.
const FINAL_LETTERS: u32 = 28;

/// The clusters of a text, each with the byte at which it starts.
pub(super) struct Clusters<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> Clusters<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, start: 0 }
    }
}

impl<'a> Iterator for Clusters<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.text.get(self.start..)?;
        let mut characters = rest.char_indices();
        let mut state = State::after(class(characters.next()?.1));
        let mut end = rest.len();
        for (at, character) in characters {
            let next = class(character);
            if state.breaks_before(next, character) {
                end = at;
                break;
            }
            state.add(next);
        }
        let start = self.start;
        self.start += end;
        Some((start, rest.get(..end)?))
    }
}

/// The first code point of each run of characters of one class. Not on the heap, because `cpaas_segments` of the C
/// library does not allocate.
static STARTS: LazyLock<[u32; CLASSES.len()]> = LazyLock::new(|| {
    let mut starts = [0; CLASSES.len()];
    let mut runs = starts.iter_mut();
    let (mut start, mut distance, mut shift) = (0, 0, 0);
    for byte in DISTANCES {
        distance |= u32::from(byte & 0x7F) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            start += distance;
            if let Some(run) = runs.next() {
                *run = start;
            }
            (distance, shift) = (0, 0);
        }
    }
    starts
});

fn class(character: char) -> u8 {
    let code = u32::from(character);
    match character {
        '\r' => CARRIAGE_RETURN,
        ' '..='~' => OTHER,
        _ if SYLLABLES.contains(&code) => {
            let is_open = (code - SYLLABLES.start()).is_multiple_of(FINAL_LETTERS);
            if is_open { HANGUL_LV } else { HANGUL_LVT }
        }
        _ => {
            let after = STARTS.partition_point(|start| *start <= code);
            after.checked_sub(1).and_then(|run| CLASSES.get(run)).copied().unwrap_or(OTHER)
        }
    }
}

/// The state of the current cluster, which determines where it ends.
struct State {
    last: u8,
    /// The number of regional indicators at the end of the cluster.
    regions: u8,
    /// 1 after a pictograph and its extending characters, 2 after a joiner that follows them.
    pictograph: u8,
    /// 1 after a consonant, 2 after a linker that follows it.
    conjunct: u8,
}

impl State {
    fn after(class: u8) -> Self {
        let mut state = Self { last: OTHER, regions: 0, pictograph: 0, conjunct: 0 };
        state.add(class);
        state
    }

    fn add(&mut self, class: u8) {
        self.last = class;
        self.regions = if class == REGIONAL_INDICATOR { self.regions + 1 } else { 0 };
        self.pictograph = match (class, self.pictograph) {
            (PICTOGRAPH, _) | (EXTEND | LINKER | EXTEND_ONLY, 1) => 1,
            (ZWJ, 1) => 2,
            _ => 0,
        };
        self.conjunct = match (class, self.conjunct) {
            (CONSONANT, _) => 1,
            (LINKER, 1..) => 2,
            (EXTEND | ZWJ, state) => state,
            _ => 0,
        };
    }

    /// The rules GB3 to GB999, in their order.
    fn breaks_before(&self, next: u8, character: char) -> bool {
        match (self.last, next) {
            (CARRIAGE_RETURN, CONTROL) => character != '\n',
            (CONTROL | CARRIAGE_RETURN, _) | (_, CONTROL | CARRIAGE_RETURN) => true,
            (HANGUL_L, HANGUL_L | HANGUL_V | HANGUL_LV | HANGUL_LVT)
            | (HANGUL_LV | HANGUL_V, HANGUL_V | HANGUL_T)
            | (HANGUL_LVT | HANGUL_T, HANGUL_T)
            | (_, EXTEND | LINKER | EXTEND_ONLY | ZWJ | SPACING_MARK)
            | (PREPEND, _) => false,
            (_, CONSONANT) => self.conjunct != 2,
            (ZWJ, PICTOGRAPH) => self.pictograph != 2,
            (REGIONAL_INDICATOR, REGIONAL_INDICATOR) => self.regions.is_multiple_of(2),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation as _;

    use super::*;

    fn assert_same(text: &str) {
        let ours: Vec<(usize, &str)> = Clusters::new(text).collect();
        let theirs: Vec<(usize, &str)> = text.grapheme_indices(true).collect();
        assert_eq!(ours, theirs, "{text:?}");
    }

    /// Tests every character next to characters of every class. The skipped planes are unassigned.
    #[test]
    fn every_character_has_its_class() {
        let all: Vec<char> = ('\0'..='\u{32FFF}').chain('\u{E0000}'..='\u{E1000}').collect();
        for some in all.chunks(4096) {
            let mut text = String::new();
            for character in some {
                let marks = format!(
                    "a{character}\u{300}\u{1F600}\u{200D}{character}\u{915}\u{94D}{character}\u{915}\n"
                );
                let letters =
                    format!("\u{1100}{character}\u{11A8}\u{1F1E6}{character}\u{1F1E6}\r{character}\n");
                text.push_str(&marks);
                text.push_str(&letters);
            }
            assert_same(&text);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn clusters_of_random_texts_equal_those_of_unicode_segmentation(text in prop::collection::vec(prop::sample::select(vec![
            'a', ' ', '\r', '\n', '\u{1}', '\u{300}', '\u{1F600}', '\u{2764}', '\u{FE0F}', '\u{1F3FB}', '\u{200D}', '\u{200C}',
            '\u{915}', '\u{94D}', '\u{93C}', '\u{903}', '\u{1100}', '\u{1160}', '\u{11A8}', '\u{AC00}', '\u{AC01}', '\u{600}',
            '\u{1F1E6}', '\u{E000}',
        ]), 0..12)) {
            assert_same(&text.into_iter().collect::<String>());
        }
    }
}
