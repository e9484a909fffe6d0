//! Clusters in builds that must be small: one pass forwards, and a table that is unpacked when a text needs it.

use super::table::PACKED;

const OTHER: u8 = 16;
const CONTROL: u8 = 0;
const EXTEND: u8 = 1;
const PICTURE: u8 = 2;
const CONSONANT: u8 = 3;
const LEADING: u8 = 4;
const VOWEL: u8 = 5;
const TRAILING: u8 = 6;
const PREPEND: u8 = 7;
const REGION: u8 = 8;
const SPACING: u8 = 9;
const JOINER: u8 = 10;
const LINKER: u8 = 11;
const NON_JOINER: u8 = 12;
// Not in the table: line ends, and Korean syllables of two and three letters.
const RETURN: u8 = 13;
const OPEN: u8 = 14;
const CLOSED: u8 = 15;

/// The Korean syllables, and how many begin with the same two letters.
const SYLLABLES: std::ops::RangeInclusive<u32> = 0xAC00..=0xD7A3;
const TRAILINGS: u32 = 28;

pub(super) struct Clusters<'a> {
    text: &'a str,
    /// Where the rest of the text starts.
    start: usize,
    /// First and last character of each range, and its property; empty until it is needed.
    ranges: Vec<(u32, u32, u8)>,
}

impl<'a> Clusters<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, start: 0, ranges: Vec::new() }
    }

    fn property(&mut self, character: char) -> u8 {
        match character {
            '\r' => return RETURN,
            ' '..='~' => return OTHER,
            _ => {}
        }
        let code = u32::from(character);
        if SYLLABLES.contains(&code) {
            let is_open = (code - SYLLABLES.start()).is_multiple_of(TRAILINGS);
            return if is_open { OPEN } else { CLOSED };
        }
        if code < 0x20 {
            return CONTROL;
        }
        if self.ranges.is_empty() {
            self.ranges = unpacked();
        }
        let at = self.ranges.partition_point(|range| range.1 < code);
        self.ranges.get(at).filter(|range| range.0 <= code).map_or(OTHER, |range| range.2)
    }
}

impl<'a> Iterator for Clusters<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.text.get(self.start..)?;
        let mut characters = rest.char_indices();
        let mut seen = Seen::first(self.property(characters.next()?.1));
        let mut end = rest.len();
        for (at, character) in characters {
            let property = self.property(character);
            if seen.breaks_before(property, character) {
                end = at;
                break;
            }
            seen.add(property);
        }
        let start = self.start;
        self.start += end;
        Some((start, rest.get(..end)?))
    }
}

/// What of a cluster decides where it ends.
struct Seen {
    last: u8,
    /// Flags are pairs.
    regions: u8,
    /// 1 behind a picture and its marks, 2 behind a joiner that follows them.
    picture: u8,
    /// 1 behind a consonant, 2 where a linker stands behind it.
    consonant: u8,
}

impl Seen {
    fn first(property: u8) -> Self {
        let mut seen = Self { last: OTHER, regions: 0, picture: 0, consonant: 0 };
        seen.add(property);
        seen
    }

    fn add(&mut self, property: u8) {
        self.last = property;
        self.regions = if property == REGION { self.regions + 1 } else { 0 };
        self.picture = match (property, self.picture) {
            (PICTURE, _) | (EXTEND | LINKER | NON_JOINER, 1) => 1,
            (JOINER, 1) => 2,
            _ => 0,
        };
        self.consonant = match (property, self.consonant) {
            (CONSONANT, _) => 1,
            (LINKER, 1..) => 2,
            (EXTEND | JOINER, state) => state,
            _ => 0,
        };
    }

    /// The rules GB3 to GB999, in their order.
    fn breaks_before(&self, next: u8, character: char) -> bool {
        match (self.last, next) {
            (RETURN, CONTROL) => character != '\n',
            (CONTROL | RETURN, _) | (_, CONTROL | RETURN) => true,
            (LEADING, LEADING | VOWEL | OPEN | CLOSED)
            | (OPEN | VOWEL, VOWEL | TRAILING)
            | (CLOSED | TRAILING, TRAILING)
            | (_, EXTEND | LINKER | NON_JOINER | JOINER | SPACING)
            | (PREPEND, _) => false,
            (_, CONSONANT) => self.consonant != 2,
            (JOINER, PICTURE) => self.picture != 2,
            (REGION, REGION) => self.regions != 1,
            _ => true,
        }
    }
}

fn unpacked() -> Vec<(u32, u32, u8)> {
    let mut ranges = Vec::new();
    let mut bytes = PACKED.iter().copied();
    let mut next = 0;
    while let Some(head) = bytes.next() {
        let mut length = u32::from(head >> 4);
        if length == 15 {
            length += number(&mut bytes);
        }
        let first = next + number(&mut bytes);
        ranges.push((first, first + length, head & 15));
        next = first + length + 1;
    }
    ranges
}

/// Seven bits a byte, the low ones first.
fn number(bytes: &mut impl Iterator<Item = u8>) -> u32 {
    let mut number = 0;
    let mut shift = 0;
    for byte in bytes {
        number |= u32::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation as _;

    use super::*;

    fn same(text: &str) {
        let ours: Vec<(usize, &str)> = Clusters::new(text).collect();
        let theirs: Vec<(usize, &str)> = text.grapheme_indices(true).collect();
        assert_eq!(ours, theirs, "{text:?}");
    }

    /// Each character between others of every property tells them all apart; the planes left out are empty.
    #[test]
    fn every_character_has_its_property() {
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
            same(&text);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn any_order(text in prop::collection::vec(prop::sample::select(vec![
            'a', ' ', '\r', '\n', '\u{1}', '\u{300}', '\u{1F600}', '\u{2764}', '\u{FE0F}', '\u{1F3FB}', '\u{200D}', '\u{200C}',
            '\u{915}', '\u{94D}', '\u{93C}', '\u{903}', '\u{1100}', '\u{1160}', '\u{11A8}', '\u{AC00}', '\u{AC01}', '\u{600}',
            '\u{1F1E6}', '\u{E000}',
        ]), 0..12)) {
            same(&text.into_iter().collect::<String>());
        }
    }
}
