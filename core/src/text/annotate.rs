//! The cost of each character, and the characters that force UCS-2.

use std::fmt;

use serde::Serialize;

use super::replacement::replacement;

/// The position and the cost of one character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotated {
    /// First byte of the character in the UTF-8 text.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
    /// Its first UTF-16 code unit.
    pub start16: usize,
    /// The UTF-16 code unit after it.
    pub end16: usize,
    /// Septets, 1 or 2; `None` (JSON `null`) if the alphabet does not contain the character.
    pub septets: Option<u8>,
    /// Whether this character forces UCS-2 for the whole text.
    pub forces_ucs2: bool,
    /// If it forces UCS-2: a replacement in the default alphabet, empty for an invisible character.
    pub replacement: Option<&'static str>,
}

/// Returns every character of a text with its cost, in order (TS 23.038 section 6.2.1). The cost in UCS-2 is `end16 - start16`.
#[must_use]
pub fn annotate(text: &str) -> Vec<Annotated> {
    annotate_by(text, super::septets)
}

pub(super) fn annotate_by(text: &str, septets: impl Fn(char) -> Option<u8>) -> Vec<Annotated> {
    let mut start16 = 0;
    text.char_indices()
        .map(|(start, character)| {
            let end16 = start16 + character.len_utf16();
            let septets = septets(character);
            let annotated = Annotated {
                start,
                end: start + character.len_utf8(),
                start16,
                end16,
                septets,
                forces_ucs2: septets.is_none(),
                replacement: if septets.is_none() { replacement(character) } else { None },
            };
            start16 = end16;
            annotated
        })
        .collect()
}

/// A character that forces UCS-2. `Debug` omits the character, because it is message text.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Cause {
    /// The character.
    pub character: char,
    /// The number of occurrences.
    pub count: u32,
    /// First byte of its first occurrence.
    pub start: usize,
    /// UTF-16 code unit of its first occurrence.
    pub start16: usize,
    /// A replacement in the default alphabet, empty for an invisible character.
    pub replacement: Option<&'static str>,
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cause")
            .field("count", &self.count)
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}

/// Returns the distinct characters that force UCS-2, in the order of their first occurrence; empty for a GSM 7-bit text.
#[must_use]
pub fn causes(text: &str) -> Vec<Cause> {
    causes_by(text, super::septets)
}

pub(super) fn causes_by(text: &str, septets: impl Fn(char) -> Option<u8>) -> Vec<Cause> {
    let mut causes: Vec<Cause> = Vec::new();
    // The characters found so far, sorted, each with its index in `causes`.
    let mut known: Vec<(char, usize)> = Vec::new();
    let mut start16 = 0;
    for (start, character) in text.char_indices() {
        if septets(character).is_none() {
            let sorted_index = known.partition_point(|(other, _)| *other < character);
            let index =
                known.get(sorted_index).filter(|(other, _)| *other == character).map(|(_, index)| *index);
            if let Some(cause) = index.and_then(|index| causes.get_mut(index)) {
                cause.count = cause.count.saturating_add(1);
            } else {
                known.insert(sorted_index, (character, causes.len()));
                causes.push(Cause {
                    character,
                    count: 1,
                    start,
                    start16,
                    replacement: replacement(character),
                });
            }
        }
        start16 += character.len_utf16();
    }
    causes
}
