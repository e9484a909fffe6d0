//! The counter without vector instructions: the reference for tests of the SIMD counter, and the counter of WebAssembly.

use super::alphabet::{COST as LOW, septets};
use super::part_limits::Limits;
use super::part_limits::{Cut, Cuts, Measured};
use super::{Count, Encoding, ReferenceBits};

/// Counts as [`count`](super::count()) does, character by character.
#[must_use]
pub fn count(text: &str) -> Count {
    let (encoding, measured) = match measure_gsm7(text, Limits::GSM7, &mut ()) {
        Some(measured) => (Encoding::Gsm7, measured),
        None => (Encoding::Ucs2, measure_ucs2(text, Limits::UCS2, &mut ())),
    };
    measured.count(encoding, Limits::of(encoding, ReferenceBits::Eight))
}

/// Counts a text in UTF-16 as [`count`](super::count()) does; a lone surrogate counts as U+FFFD.
#[must_use]
pub fn count_utf16(units: &[u16]) -> Count {
    let mut sum = 0;
    for unit in units {
        match septets_of(*unit) {
            0 => return count_ucs2(units),
            cost => sum += usize::from(cost),
        }
    }
    if sum == units.len() || sum <= Limits::GSM7.single {
        return undivided(sum, Limits::GSM7).count(Encoding::Gsm7, Limits::GSM7);
    }
    let mut walk = Walk::new(Limits::GSM7);
    for unit in units {
        walk.character(0, usize::from(septets_of(*unit)), 1, &mut ());
    }
    walk.measured().count(Encoding::Gsm7, Limits::GSM7)
}

/// The septets of a UTF-16 unit; every character of the alphabet is one unit.
#[inline(always)]
fn septets_of(unit: u16) -> u8 {
    match LOW.get(usize::from(unit)) {
        Some(cost) => *cost,
        None => char::from_u32(u32::from(unit)).map_or(0, septets),
    }
}

/// The size of a text without characters of two units, so that all parts but the last are full.
const fn undivided(units: usize, limits: Limits) -> Measured {
    let before = units.saturating_sub(1) / limits.part;
    Measured { parts: before + 1, units, last: units - before * limits.part, utf16: units }
}

fn count_ucs2(units: &[u16]) -> Count {
    if !units.iter().any(|unit| (0xD800..0xDC00).contains(unit)) {
        return undivided(units.len(), Limits::UCS2).count(Encoding::Ucs2, Limits::UCS2);
    }
    let mut walk = Walk::new(Limits::UCS2);
    let mut rest = units;
    while let [unit, tail @ ..] = rest {
        let is_pair =
            (0xD800..0xDC00).contains(unit) && tail.first().is_some_and(|low| (0xDC00..0xE000).contains(low));
        let size = 1 + usize::from(is_pair);
        walk.character(0, size, size, &mut ());
        rest = tail.get(size - 1..).unwrap_or_default();
    }
    walk.measured().count(Encoding::Ucs2, Limits::UCS2)
}

/// `None` if a character is not in the default alphabet.
pub(super) fn measure_gsm7(text: &str, limits: Limits, cuts: &mut impl Cuts) -> Option<Measured> {
    let mut walk = Walk::new(limits);
    for (byte, character) in text.char_indices() {
        match septets(character) {
            0 => return None,
            units => walk.character(byte, usize::from(units), 1, cuts),
        }
    }
    Some(walk.measured())
}

pub(super) fn measure_ucs2(text: &str, limits: Limits, cuts: &mut impl Cuts) -> Measured {
    let mut walk = Walk::new(limits);
    for (byte, character) in text.char_indices() {
        let units = character.len_utf16();
        walk.character(byte, units, units, cuts);
    }
    walk.measured()
}

/// Fills parts with indivisible units of text: characters or clusters.
pub(super) struct Walk {
    limit: usize,
    parts: usize,
    units: usize,
    in_part: usize,
    utf16: usize,
}

impl Walk {
    pub(super) const fn new(limits: Limits) -> Self {
        Self { limit: limits.part, parts: 1, units: 0, in_part: 0, utf16: 0 }
    }

    pub(super) fn character(&mut self, byte: usize, units: usize, utf16: usize, cuts: &mut impl Cuts) {
        if self.in_part + units > self.limit {
            cuts.cut(Cut { byte, utf16: self.utf16, units: self.in_part });
            self.parts += 1;
            self.in_part = 0;
        }
        self.in_part += units;
        self.units += units;
        self.utf16 += utf16;
    }

    pub(super) const fn measured(&self) -> Measured {
        Measured { parts: self.parts, units: self.units, last: self.in_part, utf16: self.utf16 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn count_utf16_returns_the_count_of_the_text() {
        for text in
            ["", "abc", "it’s here", "{€}", &"я".repeat(71), &"a".repeat(161), &"😀".repeat(40), "a\u{FFFD}"]
        {
            let units: Vec<u16> = text.encode_utf16().collect();
            assert_eq!(count_utf16(&units), count(text), "{text}");
        }
        assert_eq!(count_utf16(&[0x61, 0xD83D]), count("a\u{FFFD}"));
    }
}
