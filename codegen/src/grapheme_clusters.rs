//! The table of `core/src/text/cluster_table.rs`: the class of every character in the rules of grapheme clusters. The
//! generator tests how `unicode-segmentation` joins a character with others, because that crate does not export its tables.

use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::File;

/// The class of a character that the table does not list.
const OTHER: u8 = 15;

/// The Hangul syllables, whose class is computed.
const SYLLABLES: std::ops::RangeInclusive<char> = '\u{AC00}'..='\u{D7A3}';

/// The table.
#[must_use]
pub fn files() -> Vec<File> {
    let runs = runs();
    let mut text = String::from(
        "//! Generated from the crate `unicode-segmentation`: `cargo run -p codegen` rewrites it.\n\n\
         /// Where each run of consecutive characters of one class starts, as the distance from the start of the run before it, in\n\
         /// LEB128. This takes a quarter of the space of the code points.\n",
    );
    array(&mut text, "DISTANCES", &distances(&runs));
    text.push_str("\n/// The class of each run (`cluster.rs`).\n");
    array(&mut text, "CLASSES", &runs.iter().map(|(_, class)| *class).collect::<Vec<_>>());
    vec![("core/src/text/cluster_table.rs".to_owned(), text)]
}

fn array(text: &mut String, name: &str, bytes: &[u8]) {
    let _ = writeln!(text, "#[rustfmt::skip]\npub(super) static {name}: &[u8] = &[");
    for line in bytes.chunks(24) {
        let numbers: Vec<String> = line.iter().map(u8::to_string).collect();
        let _ = writeln!(text, "    {},", numbers.join(", "));
    }
    text.push_str("];\n");
}

fn distances(runs: &[(u32, u8)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut last = 0;
    for (start, _) in runs {
        let mut distance = start - last;
        last = *start;
        while distance >= 0x80 {
            bytes.push(distance as u8 | 0x80);
            distance >>= 7;
        }
        bytes.push(distance as u8);
    }
    bytes
}

/// The first code point of each run of characters, and its class.
fn runs() -> Vec<(u32, u8)> {
    let mut runs = Vec::new();
    let mut last = OTHER;
    for character in '\0'..=char::MAX {
        let class = if SYLLABLES.contains(&character) { OTHER } else { class(character) };
        if class != last {
            runs.push((u32::from(character), class));
            last = class;
        }
    }
    runs
}

/// Whether the characters are one cluster.
fn joins(characters: &[char]) -> bool {
    characters.iter().collect::<String>().graphemes(true).count() == 1
}

/// The class of a character, as the number that `core/src/text/cluster.rs` uses.
fn class(one: char) -> u8 {
    const MARK: char = '\u{300}';
    const JOINER: char = '\u{200D}';
    const PICTOGRAPH: char = '\u{1F600}';
    const KA: char = '\u{915}';
    const VIRAMA: char = '\u{94D}';
    if !joins(&[one, MARK]) {
        return 0; // control
    }
    if joins(&['a', one]) {
        return if joins(&[PICTOGRAPH, one, PICTOGRAPH]) {
            10 // zero-width joiner
        } else if joins(&[KA, one, KA]) {
            11 // linker of a conjunct
        } else if !joins(&[PICTOGRAPH, one, JOINER, PICTOGRAPH]) {
            9 // spacing mark
        } else if joins(&[KA, one, VIRAMA, KA]) {
            1 // extends, within a conjunct too
        } else {
            12 // extends, but not within a conjunct
        };
    }
    let classes = [
        (7, "a"),                 // prepended
        (8, "\u{1F1E6}"),         // regional indicator
        (4, "\u{1100}"),          // leading consonant of Hangul
        (5, "\u{1160}"),          // vowel of Hangul
        (6, "\u{11A8}"),          // trailing consonant of Hangul
        (2, "\u{200D}\u{1F600}"), // pictograph
        (3, "\u{94D}\u{915}"),    // consonant of a conjunct
    ];
    let joins_after = |rest: &str| format!("{one}{rest}").graphemes(true).count() == 1;
    classes.into_iter().find(|(_, rest)| joins_after(rest)).map_or(OTHER, |(class, _)| class)
}
