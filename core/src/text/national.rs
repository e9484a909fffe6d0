//! The cheapest combination of national language tables for a text: 3GPP TS 23.038, section 6.2.1.2.

use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use super::national_tables::{LOCKING, SINGLE};
use super::part_limits::Limits;
use super::scalar_counter::Walk;
use super::{Encoding, Language, Languages, ReferenceBits};

/// The code that introduces a character of the single shift table.
pub(super) const ESCAPE: u8 = 0x1B;

/// Marks a code without a character in a table.
const NONE: char = '\0';

/// Octets of the element that selects a table in the user data header (TS 23.040, sections 9.2.3.24.15 and 9.2.3.24.16).
const ELEMENT: usize = 3;

/// A locking and a single shift table; 0 is the default alphabet and its extension table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tables {
    pub(super) locking: u8,
    pub(super) single: u8,
}

impl Tables {
    pub(super) const DEFAULT: Self = Self { locking: 0, single: 0 };

    /// Octets of the header elements that select these tables.
    pub(super) const fn header_octets(self) -> usize {
        (self.locking != 0) as usize * ELEMENT + (self.single != 0) as usize * ELEMENT
    }

    /// The languages of the locking and of the single shift table.
    pub(super) fn languages(self) -> (Option<Language>, Option<Language>) {
        (Language::from_id(self.locking), Language::from_id(self.single))
    }

    /// Septets of a character; `None` if it is in neither table.
    pub(super) fn septets(self, character: char) -> Option<u8> {
        let masks = masks(character);
        if masks.locking >> self.locking & 1 != 0 {
            Some(1)
        } else if masks.single >> self.single & 1 != 0 {
            Some(2)
        } else {
            None
        }
    }
}

/// The tables that contain a character: in the lower [`SINGLE_BITS`] bits, bit N is the table with the identifier N.
#[derive(Clone, Copy)]
struct Masks {
    locking: u32,
    single: u32,
}

const SINGLE_BITS: usize = 16;

/// The highest code point of all tables.
const HIGHEST: usize = '∞' as usize;

/// The tables of each character: the locking tables in the lower half, the single shift tables in the upper half. Not
/// on the heap, because `cpaas_segments` of the C library does not allocate. An array of zeros takes no space in the
/// library file.
static MASKS: [AtomicU32; HIGHEST + 1] = [const { AtomicU32::new(0) }; HIGHEST + 1];

static FILLED: Once = Once::new();

fn fill() {
    let add = |character: char, table: usize| {
        if let Some(masks) = MASKS.get(character as usize) {
            masks.fetch_or(1 << table, Ordering::Relaxed);
        }
    };
    for id in 0..LOCKING.len() {
        locking_table(id).for_each(|(_, character)| add(character, id));
        single_table(id).for_each(|(_, character)| add(character, id + SINGLE_BITS));
    }
}

fn masks(character: char) -> Masks {
    FILLED.call_once(fill);
    let masks = MASKS.get(character as usize).map_or(0, |masks| masks.load(Ordering::Relaxed));
    Masks { locking: masks, single: masks >> SINGLE_BITS }
}

/// The codes of a locking shift table with their characters, without the escape.
pub(super) fn locking_table(id: usize) -> impl Iterator<Item = (u8, char)> {
    rows(LOCKING.get(id).copied().flatten().unwrap_or_default())
}

/// The codes of a single shift table with their characters.
pub(super) fn single_table(id: usize) -> impl Iterator<Item = (u8, char)> {
    rows(SINGLE.get(id).copied().unwrap_or_default())
}

fn rows(table: &'static str) -> impl Iterator<Item = (u8, char)> {
    let is_present = |character: &char| !matches!(*character, NONE | '\x1b');
    (0..=u8::MAX).zip(table.chars()).filter(move |(_, character)| is_present(character))
}

/// A locking shift table with the single shift table that it needs, and its cost.
#[derive(Clone, Copy)]
struct Candidate {
    tables: Tables,
    /// Characters that need an escape.
    escapes: usize,
}

/// The tables with which a text needs the fewest parts; `None` if no combination contains every character.
///
/// Among combinations with the same number of parts, one that needs no header comes first, then the one with the fewest
/// septets, header included.
pub(super) fn cheapest(
    text: &str,
    languages: Languages,
    reference: ReferenceBits,
    octets: usize,
) -> Option<Tables> {
    let (length, candidates) = candidates(text, languages)?;
    let score = |candidate: &Candidate| {
        let tables = candidate.tables;
        let limits = limits(tables, reference, octets);
        let units = length + candidate.escapes;
        let parts = parts(text, candidate, units, limits);
        let header = if parts == 1 { 160 - limits.single } else { 160 - limits.part };
        (parts, tables != Tables::DEFAULT, units + parts * header, tables.locking, tables.single)
    };
    candidates.min_by_key(score).map(|candidate| candidate.tables)
}

/// The limits of a message with these tables and `octets` octets of other header elements.
pub(super) fn limits(tables: Tables, reference: ReferenceBits, octets: usize) -> Limits {
    Limits::with_elements(Encoding::Gsm7, reference, tables.header_octets() + octets)
}

fn parts(text: &str, candidate: &Candidate, units: usize, limits: Limits) -> usize {
    if units <= limits.single {
        return 1;
    }
    if candidate.escapes == 0 {
        return units.div_ceil(limits.part);
    }
    let mut walk = Walk::new(limits);
    for (byte, character) in text.char_indices() {
        walk.character(byte, usize::from(candidate.tables.septets(character).unwrap_or(1)), 1, &mut ());
    }
    walk.measured().parts
}

/// The number of characters, and for each locking shift table the cheapest combination that contains all of them.
fn candidates(text: &str, languages: Languages) -> Option<(usize, impl Iterator<Item = Candidate>)> {
    // Bit 0 is the default table, which is always allowed.
    let allowed = u32::from(languages.bits()) | 1;
    let mut rows = [(0_u8, 0_u32, 0_usize); LOCKING.len()];
    let ids = (0..).zip(LOCKING).filter(|(id, locking)| allowed >> id & 1 != 0 && locking.is_some());
    let count = rows.iter_mut().zip(ids).map(|(row, (id, _))| *row = (id, allowed, 0)).count();
    let mut length = 0;
    for character in text.chars() {
        let masks = masks(character);
        length += 1;
        let mut is_any = false;
        for (id, singles, escapes) in rows.iter_mut().take(count) {
            if masks.locking >> *id & 1 == 0 {
                *singles &= masks.single;
                *escapes += 1;
            }
            is_any |= *singles != 0;
        }
        if !is_any {
            return None;
        }
    }
    let legal = rows.into_iter().take(count).filter(|(_, singles, _)| *singles != 0);
    let candidates = legal.map(|(locking, singles, escapes)| {
        let is_same = singles & 1 == 0 && singles >> locking & 1 != 0;
        let single = if is_same { locking } else { singles.trailing_zeros() as u8 };
        Candidate { tables: Tables { locking, single }, escapes }
    });
    Some((length, candidates))
}

/// The tables that contain most characters of a text, for a report about a text that no combination contains.
pub(super) fn closest(text: &str, languages: Languages) -> Tables {
    let allowed = languages.bits() | 1;
    let ids = || (0..14_u8).filter(move |id| allowed >> id & 1 != 0);
    let pairs = ids().filter(|id| LOCKING.get(usize::from(*id)).is_some_and(Option::is_some));
    let pairs = pairs.flat_map(|locking| ids().map(move |single| Tables { locking, single }));
    let outside = |tables: &Tables| {
        let outside = text.chars().filter(|character| tables.septets(*character).is_none()).count();
        (outside, tables.header_octets())
    };
    pairs.min_by_key(outside).unwrap_or_default()
}

/// The codes of the characters of a combination, for an encoder.
pub(super) struct Codes {
    /// The code of each code point: with [`SHIFTED`] added if it is in the single shift table, [`ABSENT`] if it is in
    /// neither table.
    codes: Vec<u8>,
}

const SHIFTED: u8 = 0x80;
// The code of the escape in the single shift table; no character has this code.
const ABSENT: u8 = SHIFTED | ESCAPE;

impl Codes {
    pub(super) fn of(tables: Tables) -> Self {
        let mut codes = vec![ABSENT; HIGHEST + 1];
        let mut put = |character: char, code: u8| {
            // If a table contains a character twice, its first code is used.
            if let Some(entry) = codes.get_mut(character as usize).filter(|entry| **entry == ABSENT) {
                *entry = code;
            }
        };
        locking_table(usize::from(tables.locking)).for_each(|(code, character)| put(character, code));
        single_table(usize::from(tables.single)).for_each(|(code, character)| put(character, code | SHIFTED));
        Self { codes }
    }

    /// Appends the septets of a character; nothing for one that is in neither table.
    pub(super) fn push(&self, character: char, septets: &mut Vec<u8>) {
        match self.codes.get(character as usize).copied().unwrap_or(ABSENT) {
            ABSENT => {}
            code if code & SHIFTED != 0 => septets.extend([ESCAPE, code & !SHIFTED]),
            code => septets.push(code),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn every_table_has_128_codes_and_an_escape() {
        for (id, locking) in LOCKING.iter().enumerate() {
            if let Some(locking) = locking {
                assert_eq!(locking.chars().count(), 128, "{id}");
                assert_eq!(locking.chars().nth(0x1B), Some('\x1b'), "{id}");
            }
            assert_eq!(SINGLE.get(id).unwrap().chars().count(), 128, "{id}");
        }
    }

    /// Also tests codes that `encode` never uses, because their characters are in a cheaper table too.
    #[test]
    fn every_code_of_every_table_is_encoded() {
        for id in 0..14_u8 {
            let codes = Codes::of(Tables { locking: 2, single: id });
            let mut seen = Vec::new();
            for (code, character) in single_table(usize::from(id)) {
                let mut septets = Vec::new();
                codes.push(character, &mut septets);
                let first = single_table(usize::from(id)).find(|(_, other)| *other == character).unwrap().0;
                assert_eq!(septets, [ESCAPE, first], "{id} {code:x}");
                seen.push(code);
            }
            let codes = Codes::of(Tables { locking: id, single: 0 });
            for (code, character) in locking_table(usize::from(id)) {
                let mut septets = Vec::new();
                codes.push(character, &mut septets);
                assert_eq!(septets, [code], "{id} {code:x}");
                seen.push(code);
            }
            assert!(seen.len() > 10, "{id}");
        }
    }

    #[test]
    fn the_default_tables_agree_with_the_counter() {
        for character in '\0'..=char::MAX {
            let expected = super::super::septets(character);
            assert_eq!(Tables::DEFAULT.septets(character), expected, "{:x}", character as u32);
        }
    }
}
