//! Replacements in the GSM 7-bit default alphabet: typographic marks, letters with diacritics, Greek letters.

use std::fmt;
use std::sync::LazyLock;

use serde::Serialize;

use super::segments::divide;
use super::transliteration_table::{COMPOSED, TABLE};
use super::{SegmentError, SegmentOptions, alphabet};

/// One replaced character, or a letter with its combining marks. `Debug` omits both texts.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Replacement {
    /// First byte in the original UTF-8 text.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
    /// First UTF-16 code unit in the original text.
    pub start16: usize,
    /// The UTF-16 code unit after it.
    pub end16: usize,
    /// The replaced characters.
    pub from: String,
    /// The replacement; empty for an invisible character.
    pub to: String,
}

impl fmt::Debug for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replacement")
            .field("start", &self.start)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

/// A text with replacements. `Debug` omits the text.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Transliteration {
    /// The text with every replacement.
    pub text: String,
    /// Each replacement, in order.
    pub replacements: Vec<Replacement>,
    /// The distinct characters outside the default alphabet that have no replacement and stay, in order of appearance. With
    /// one of them, the text still needs UCS-2.
    pub kept: Vec<char>,
}

impl fmt::Debug for Transliteration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transliteration").field("replacements", &self.replacements).finish_non_exhaustive()
    }
}

/// Whether a text is transliterated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Transliterate {
    /// The text is not changed. In JSON `false`.
    #[default]
    Never,
    /// Only if this saves at least one part. In JSON `"auto"`.
    Auto,
    /// Every character that has a replacement. In JSON `true`.
    Always,
}

impl Transliterate {
    /// The transliteration that applies to a text with these options; `None` if the text is not changed.
    #[must_use]
    pub fn apply(self, text: &str, options: &SegmentOptions) -> Option<Transliteration> {
        if self == Self::Never {
            return None;
        }
        let changed = transliterate(text);
        if changed.replacements.is_empty() {
            return None;
        }
        let saves = || parts(&changed.text, options) < parts(text, options);
        (self == Self::Always || saves()).then_some(changed)
    }
}

fn parts(text: &str, options: &SegmentOptions) -> u32 {
    match divide(text, options, 0, &mut |_, _| {}) {
        Ok(division) => division.count.count,
        Err(SegmentError::TooManyParts { parts }) => parts,
        Err(_) => u32::MAX,
    }
}

/// The replacements, sorted by character.
static REPLACEMENTS: LazyLock<Vec<(char, &'static str)>> = LazyLock::new(|| {
    let rows = TABLE.iter();
    let mut all: Vec<_> =
        rows.flat_map(|(instead, characters)| characters.chars().map(|one| (one, *instead))).collect();
    all.sort_unstable_by_key(|(character, _)| *character);
    all
});

/// Combining diacritical marks. After a letter of the alphabet or a replacement, a mark is removed unless both form a
/// letter of the alphabet.
const MARKS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36F}';

/// Replaces each character outside the GSM 7-bit default alphabet that has a replacement in it, and reports each replacement.
/// Characters without a replacement, such as Cyrillic letters and emoji, stay.
///
/// The table combines, in this order: [`replacement`](super::replacement()), Unicode CLDR (Latin-ASCII), the confusables of
/// Unicode UTS 39 for Greek letters, and NFKD without marks. A letter and its combining marks are replaced together.
///
/// ```
/// use cpaas::text::transliterate;
/// let changed = transliterate("“Zażółć” — Ελλάδα");
/// assert_eq!(changed.text, "\"Zazolc\" - EΛΛAΔA");
/// assert!(changed.kept.is_empty());
/// ```
#[must_use]
pub fn transliterate(text: &str) -> Transliteration {
    let mut result = Transliteration {
        text: String::with_capacity(text.len()),
        replacements: Vec::new(),
        kept: Vec::new(),
    };
    let mut start16 = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((start, character)) = characters.next() {
        let mut end = start + character.len_utf8();
        let mut end16 = start16 + character.len_utf16();
        let is_in_alphabet = alphabet::septets(character) != 0;
        let mut to = if is_in_alphabet { Some(character.to_string()) } else { instead(character) };
        while let Some((_, mark)) = characters.next_if(|(_, next)| to.is_some() && MARKS.contains(next)) {
            to = to.map(|letter| composed(letter, mark));
            end += mark.len_utf8();
            end16 += mark.len_utf16();
        }
        match to {
            None => result.keep(character),
            Some(to) => {
                result.text.push_str(&to);
                let from = text.get(start..end).unwrap_or_default();
                if from != to {
                    let from = from.to_owned();
                    result.replacements.push(Replacement { start, end, start16, end16, from, to });
                }
            }
        }
        start16 = end16;
    }
    result
}

impl Transliteration {
    fn keep(&mut self, character: char) {
        self.text.push(character);
        if !self.kept.contains(&character) {
            self.kept.push(character);
        }
    }
}

fn instead(character: char) -> Option<String> {
    let at = REPLACEMENTS.binary_search_by_key(&character, |(one, _)| *one).ok()?;
    REPLACEMENTS.get(at).map(|(_, to)| (*to).to_owned())
}

/// The letter of the alphabet that a letter and a mark form; if they form none, the letter without the mark.
fn composed(letter: String, mark: char) -> String {
    let is_pair = |(base, other, _): &&(char, char, &str)| *other == mark && letter.chars().eq([*base]);
    COMPOSED.iter().find(is_pair).map_or(letter.clone(), |(.., both)| (*both).to_owned())
}
