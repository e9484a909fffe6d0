//! A second implementation of TS 23.038 and TS 23.040 for tests, written from the tables of the standard. It is slow and
//! simple, and shares no code with the library.

use cpaas::bindings;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The basic table of TS 23.038 section 6.2.1. A row has the characters with the same low four bits; 0x1B is the escape.
const BASIC: [&str; 16] = [
    "@Δ 0¡P¿p",
    "£_!1AQaq",
    "$Φ\"2BRbr",
    "¥Γ#3CScs",
    "èΛ¤4DTdt",
    "éΩ%5EUeu",
    "ùΠ&6FVfv",
    "ìΨ'7GWgw",
    "òΣ(8HXhx",
    "ÇΘ)9IYiy",
    "\nΞ*:JZjz",
    "Ø\u{1b}+;KÄkä",
    "øÆ,<LÖlö",
    "\ræ-=MÑmñ",
    "Åß.>NÜnü",
    "åÉ/?O§oà",
];
const EXTENSION: &str = "\u{c}^{}\\[~]|€";

/// Septets of a character; `None` if it is not in the table.
pub(crate) fn septets(character: char) -> Option<usize> {
    table().get(&character).copied()
}

/// All characters of both tables with their septets. The escape is not a character.
pub(crate) fn table() -> &'static HashMap<char, usize> {
    static TABLE: OnceLock<HashMap<char, usize>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let basic = BASIC.iter().copied().flat_map(str::chars).filter(|&c| c != '\u{1b}').map(|c| (c, 1));
        basic.chain(EXTENSION.chars().map(|c| (c, 2))).collect()
    })
}

pub(crate) struct Reference {
    pub gsm7: bool,
    pub(crate) units: usize,
    pub(crate) remaining: usize,
    /// The text of each part.
    pub(crate) parts: Vec<String>,
}

/// Divides a text: fills strings, the parts, character by character.
pub(crate) fn segments(text: &str, sixteen_bits: bool) -> Reference {
    let gsm7 = text.chars().all(|character| septets(character).is_some());
    segments_in(text, sixteen_bits, gsm7)
}

pub(crate) fn segments_in(text: &str, sixteen_bits: bool, gsm7: bool) -> Reference {
    let cost = |character: char| {
        if gsm7 { septets(character).unwrap() } else { character.encode_utf16(&mut [0; 2]).len() }
    };
    let units: usize = text.chars().map(cost).sum();
    let single = if gsm7 { 160 } else { 70 };
    if units <= single {
        return Reference { gsm7, units, remaining: single - units, parts: vec![text.to_owned()] };
    }
    let limit = match (gsm7, sixteen_bits) {
        (true, false) => 153,
        (true, true) => 152,
        (false, false) => 67,
        (false, true) => 66,
    };
    let mut parts = vec![String::new()];
    let mut left = limit;
    for character in text.chars() {
        if cost(character) > left {
            parts.push(String::new());
            left = limit;
        }
        left -= cost(character);
        parts.last_mut().unwrap().push(character);
    }
    Reference { gsm7, units, remaining: left, parts }
}

/// Compares all results of the library for a text with the reference.
pub(crate) fn check(text: &str) {
    use cpaas::text::{self, ReferenceBits, SegmentOptions};
    let expected = segments(text, false);
    for count in [text::count(text), bindings::scalar_counter::count(text)] {
        assert_eq!(count.encoding == text::Encoding::Gsm7, expected.gsm7, "encoding of {text:?}");
        assert_eq!(count.count as usize, expected.parts.len(), "parts of {text:?}");
        assert_eq!(count.units as usize, expected.units, "units of {text:?}");
        assert_eq!(count.remaining as usize, expected.remaining, "remaining of {text:?}");
    }
    compare(text, &expected, &SegmentOptions::new());
    compare(text, &segments(text, true), &SegmentOptions::new().reference_bits(ReferenceBits::Sixteen));
    let ucs2 = SegmentOptions::new().encoding(text::Encoding::Ucs2);
    compare(text, &segments_in(text, false, false), &ucs2);
}

pub(crate) fn compare(text: &str, expected: &Reference, options: &cpaas::text::SegmentOptions) {
    if expected.parts.len() > 255 {
        let parts = expected.parts.len() as u32;
        let error = cpaas::text::SegmentError::TooManyParts { parts };
        assert_eq!(cpaas::text::segments(text, options), Err(error));
        return;
    }
    let segments = cpaas::text::segments(text, options).unwrap();
    assert_eq!(segments.units as usize, expected.units);
    assert_eq!(segments.remaining as usize, expected.remaining, "{text:?}");
    assert_eq!(segments.count as usize, segments.parts.len());
    let parts: Vec<&str> = segments.parts.iter().map(|part| &text[part.start..part.end]).collect();
    assert_eq!(parts, expected.parts, "parts of {text:?}");
    let mut start16 = 0;
    for (part, content) in segments.parts.iter().zip(parts) {
        let units16 = content.encode_utf16().count();
        assert_eq!((part.start16, part.end16), (start16, start16 + units16), "UTF-16 offsets in {text:?}");
        let units = if expected.gsm7 { content.chars().map(|c| septets(c).unwrap()).sum() } else { units16 };
        assert_eq!(part.units as usize, units, "units in {text:?}");
        start16 += units16;
    }
}
