//! Exhaustive tests of counts and parts: every character, every length, every position of a boundary.

use crate::support::reference_counter;
use cpaas::bindings;
use cpaas::text::{self, Encoding};

#[test]
fn every_scalar_value_is_classified_as_in_the_standard() {
    let table = reference_counter::table();
    assert_eq!(table.len(), 137);
    let mut seen = 0;
    let mut text = String::new();
    for character in '\0'..=char::MAX {
        let expected = table.get(&character).copied();
        assert_eq!(text::septets(character).map(usize::from), expected, "U+{:04X}", character as u32);
        seen += 1;
        // A debug build is slow: in the higher planes, it counts only every eighth character.
        if cfg!(debug_assertions) && character > '\u{FFFF}' && seen % 8 != 0 {
            continue;
        }
        text.clear();
        text.push(character);
        let count = text::count(&text);
        let units = expected.unwrap_or(character.len_utf16()) as u32;
        let encoding = if expected.is_some() { Encoding::Gsm7 } else { Encoding::Ucs2 };
        assert_eq!((count.encoding, count.units), (encoding, units), "U+{:04X}", character as u32);
    }
    assert_eq!(seen, 1_112_064);
}

#[test]
fn the_simd_counter_counts_every_character_at_every_byte_of_a_block() {
    // A block has 64 bytes. A character may be divided between two blocks.
    let characters = ('\0'..='\u{2FFF}').chain('\u{FE00}'..='\u{FFFF}').chain(['\u{1F600}', '\u{10FFFF}']);
    for (index, character) in characters.enumerate() {
        let place = index % 67;
        let text = format!("{}{character}{}", "a".repeat(place), "b".repeat(70));
        assert_eq!(
            text::count(&text),
            bindings::scalar_counter::count(&text),
            "U+{:04X} at {place}",
            character as u32
        );
    }
    for character in "éÇçΔΑ€à‚¬ì😀я\u{ff}^[".chars() {
        for place in 0..140 {
            let text = format!("{}{character}{}", "a".repeat(place), "b".repeat(70));
            assert_eq!(
                text::count(&text),
                bindings::scalar_counter::count(&text),
                "U+{:04X} at {place}",
                character as u32
            );
        }
    }
}

/// Counts every length of one character. Without pairs, the number of parts is the length divided by the size of a part.
fn every_length(character: char, single: usize, part: usize, encoding: Encoding) {
    let all = character.to_string().repeat(39_016);
    let wide = character.len_utf8();
    let threads = 2;
    std::thread::scope(|scope| {
        for first in 0..threads {
            let all = &all;
            scope.spawn(move || {
                for length in (first..=39_016).step_by(threads).filter(|&length| is_tested(length, part)) {
                    let parts = if length <= single { 1 } else { length.div_ceil(part) };
                    let available = if length <= single { single } else { parts * part };
                    let count = text::count(&all[..length * wide]);
                    let expected = text::Count {
                        encoding: if length == 0 { Encoding::Gsm7 } else { encoding },
                        count: parts as u32,
                        units: length as u32,
                        remaining: if length == 0 { 160 } else { (available - length) as u32 },
                    };
                    assert_eq!(count, expected, "{length} times U+{:04X}", character as u32);
                }
            });
        }
    });
}

/// Whether a length is tested. An optimized build tests every length. A debug build would take a minute, so it tests
/// the lengths up to 26 parts and those around each later boundary.
fn is_tested(length: usize, part: usize) -> bool {
    !cfg!(debug_assertions) || length <= 4_000 || (length + 2) % part <= 4
}

#[test]
fn every_length_up_to_256_parts_is_counted() {
    every_length('a', 160, 153, Encoding::Gsm7);
}

#[test]
fn a_message_has_at_most_255_parts() {
    let options = text::SegmentOptions::new();
    let longest = text::segments(&"a".repeat(39_015), &options).unwrap();
    assert_eq!((longest.count, longest.remaining, longest.parts.len()), (255, 0, 255));
    assert_eq!(text::count(&"a".repeat(39_016)).count, 256);
    for text in ["a".repeat(39_016), "a".repeat(100_000)] {
        let parts = text.len().div_ceil(153) as u32;
        assert_eq!(text::segments(&text, &options), Err(text::SegmentError::TooManyParts { parts }));
    }
    assert_eq!(text::segments(&"я".repeat(17_085), &options).unwrap().count, 255);
    assert!(text::segments(&"я".repeat(17_086), &options).is_err());
}

/// Pairs, clusters and other characters at every position around each boundary of a part.
#[test]
fn parts_are_those_of_the_reference_at_every_boundary() {
    let items =
        ["€", "[", "\u{c}", "\r\n", "é", "Ω", "😀", "👨‍👩‍👧‍👦", "🇫🇷", "e\u{301}", "я€", "[€", "a😀😀b", "क्षि"];
    for item in items {
        for fill in ["a", "é", "я"] {
            for before in (60..72).chain(145..163) {
                reference_counter::check(&format!("{}{item}{}", fill.repeat(before), "b".repeat(30)));
            }
            for before in (128..136).chain(298..308) {
                reference_counter::check(&format!("{}{item}{}{item}", fill.repeat(before), fill.repeat(60)));
            }
        }
    }
}

/// Repeated pairs: a boundary of a part is inside a pair, or between two pairs.
#[test]
fn parts_of_repeated_pairs_are_those_of_the_reference() {
    for item in ["€", "^", "😀", "a€", "a😀", "é€", "я😀"] {
        for times in 0..170 {
            reference_counter::check(&item.repeat(times));
            reference_counter::check(&format!("x{}", item.repeat(times)));
        }
    }
}
