//! The tables of Android's `SmsMessageBodyTest` (frameworks/base, telephony tests, 2010): lengths at the limits of parts, and which
//! tables contain which characters. The expected numbers are Android's; the rules are those of 3GPP TS 23.038 and 23.040.

use cpaas::text::{Encoding, Language, Languages, SegmentOptions, Segments, segments};
use proptest::prelude::*;

/// ASCII characters of the default alphabet.
const ASCII: &str =
    "@$_ !\"#%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz\n\r";
/// Characters of no table: ideographs, kana, full-width digits, Cyrillic, symbols.
const UNICODE: &str = "一丁丂七丄丅丆万丈三上下丌不与丏ぁあぃいぅうぇえァアィイゥウェエ０１２３４５６７８ｰｱｲｳｴｵｶｷｸЀЁЂЃЄЅІЇЈ¢©®™";

/// Septets of a text, number of parts, and septets that remain.
const SEPTETS: [(usize, u32, u32); 12] = [
    (0, 1, 160),
    (1, 1, 159),
    (2, 1, 158),
    (80, 1, 80),
    (159, 1, 1),
    (160, 1, 0),
    (161, 2, 145),
    (240, 2, 66),
    (305, 2, 1),
    (306, 2, 0),
    (307, 3, 152),
    (320, 3, 139),
];

/// UTF-16 units of a text, number of parts, and units that remain. Android's table begins with an empty text, which has 7 bits.
const UNITS: [(usize, u32, u32); 11] = [
    (1, 1, 69),
    (2, 1, 68),
    (35, 1, 35),
    (69, 1, 1),
    (70, 1, 0),
    (71, 2, 63),
    (100, 2, 34),
    (133, 2, 1),
    (134, 2, 0),
    (135, 3, 66),
    (160, 3, 41),
];

/// Classes of characters, and the tables that contain them: locking shift default, Turkish, Portuguese; then single shift default,
/// Turkish, Spanish, Portuguese.
const CLASSES: [(&str, [bool; 3], [bool; 4]); 15] = [
    ("{}[]\u{c}", [false, false, false], [true, true, true, true]),
    ("^\\|~", [false, false, true], [true, true, true, true]),
    ("£¥éÇΔÉÜ§üà", [true, true, true], [false, false, false, false]),
    ("ùòÅåß¤ÄÖÑäöñ", [true, true, false], [false, false, false, false]),
    ("èìØøÆæ¡¿", [true, false, false], [false, false, false, false]),
    ("€", [false, true, true], [true, true, true, true]),
    (UNICODE, [false, false, false], [false, false, false, false]),
    ("ıĞğŞşİ", [false, true, false], [false, true, false, false]),
    ("êÔôÀÂâÊÃÕãõ", [false, false, true], [false, false, false, true]),
    ("ª∞º`", [false, false, true], [false, false, false, false]),
    ("ÁáÍíÓóÚú", [false, false, true], [false, false, true, true]),
    ("ΛΞ", [true, true, false], [false, false, false, false]),
    ("ΦΓΩΠΨΣΘ", [true, true, false], [false, false, false, true]),
    ("ç", [false, true, true], [false, true, true, true]),
    (ASCII, [true, true, true], [false, false, false, false]),
];

/// The languages in Android's order of the tables.
const LOCKING: [Option<Language>; 3] = [None, Some(Language::Turkish), Some(Language::Portuguese)];
const SINGLE: [Option<Language>; 4] =
    [None, Some(Language::Turkish), Some(Language::Spanish), Some(Language::Portuguese)];

fn cycled(alphabet: &str, length: usize) -> String {
    alphabet.chars().cycle().take(length).collect()
}

fn found(text: &str, languages: Languages) -> Segments {
    segments(text, &SegmentOptions::new().languages(languages)).unwrap()
}

#[test]
fn lengths_of_the_default_alphabet() {
    for (length, count, remaining) in SEPTETS {
        let found = found(&cycled(ASCII, length), Languages::NONE);
        assert_eq!(
            (found.encoding, found.count, found.remaining),
            (Encoding::Gsm7, count, remaining),
            "{length}"
        );
    }
}

#[test]
fn lengths_of_ucs2() {
    for (length, count, remaining) in UNITS {
        let found = found(&cycled(UNICODE, length), Languages::NONE);
        assert_eq!(
            (found.encoding, found.count, found.remaining),
            (Encoding::Ucs2, count, remaining),
            "{length}"
        );
    }
}

/// The septets of a text with a locking and a single shift table, if they contain its characters, and the number of its escapes.
fn septets(classes: &[usize], locking: usize, single: usize) -> Option<(u32, u32)> {
    classes.iter().try_fold((0, 0), |(septets, escapes), class| match CLASSES[*class] {
        (_, locked, _) if locked[locking] => Some((septets + 1, escapes)),
        (_, _, shifted) if shifted[single] => Some((septets + 2, escapes + 1)),
        _ => None,
    })
}

/// The parts of a text: a header has a septet for its length, four for one table or seven for two, and six for the concatenation.
fn parts(septets: u32, tables: usize) -> u32 {
    let header = [0, 5, 8][tables];
    if septets <= 160 - header {
        return 1;
    }
    septets.div_ceil(160 - (header.max(1) + 6))
}

/// The pairs of tables that these languages allow.
fn pairs(languages: &[Language]) -> Vec<(usize, usize)> {
    let is_allowed = |table: Option<Language>| table.is_none_or(|language| languages.contains(&language));
    let all = (0..3).flat_map(|locking| (0..4).map(move |single| (locking, single)));
    all.filter(|(locking, single)| is_allowed(LOCKING[*locking]) && is_allowed(SINGLE[*single])).collect()
}

fn tables(locking: usize, single: usize) -> usize {
    usize::from(locking > 0) + usize::from(single > 0)
}

const ALLOWED: [&[Language]; 8] = [
    &[],
    &[Language::Turkish],
    &[Language::Spanish],
    &[Language::Portuguese],
    &[Language::Turkish, Language::Spanish],
    &[Language::Turkish, Language::Portuguese],
    &[Language::Spanish, Language::Portuguese],
    &[Language::Turkish, Language::Spanish, Language::Portuguese],
];

fn text() -> impl Strategy<Value = Vec<(usize, char)>> {
    let class = prop_oneof![1 => 0..CLASSES.len() - 1, 99 => Just(CLASSES.len() - 1)];
    let character = class.prop_flat_map(|class| {
        let characters: Vec<char> = CLASSES[class].0.chars().collect();
        (Just(class), proptest::sample::select(characters))
    });
    proptest::collection::vec(character, 1..320)
}

proptest! {
    /// Android chooses the tables with the fewest septets, headers included, and does not count the septet that a part loses if an
    /// escape would be its last; this library chooses the fewest parts, and counts it.
    #[test]
    fn mixed_texts_have_the_encoding_and_the_parts_of_the_tables(characters in text()) {
        let text: String = characters.iter().map(|(_, character)| character).collect();
        let classes: Vec<usize> = characters.iter().map(|(class, _)| *class).collect();
        for allowed in ALLOWED {
            let languages = allowed.iter().fold(Languages::NONE, |all, language| all.with(*language));
            let found = found(&text, languages);
            let counts = pairs(allowed).into_iter().filter_map(|(locking, single)| {
                let (septets, escapes) = septets(&classes, locking, single)?;
                Some((parts(septets, tables(locking, single)), escapes))
            });
            let Some((fewest, escapes)) = counts.min() else {
                let units = u32::try_from(text.chars().count()).unwrap();
                let expected = if units <= 70 { 1 } else { units.div_ceil(67) };
                prop_assert_eq!((found.encoding, found.units, found.count), (Encoding::Ucs2, units, expected));
                continue;
            };
            prop_assert_eq!(found.encoding, Encoding::Gsm7);
            let position = |tables: &[Option<Language>], language| tables.iter().position(|table| *table == language).unwrap();
            let locking = position(&LOCKING, found.locking_shift);
            let single = position(&SINGLE, found.single_shift);
            prop_assert_eq!(septets(&classes, locking, single).map(|(septets, _)| septets), Some(found.units));
            let most = if escapes > 0 && fewest > 1 { fewest + 1 } else { fewest };
            prop_assert!((fewest..=most).contains(&found.count), "{} parts, Android {fewest}", found.count);
        }
    }
}
