//! The table of `core/src/text/transliteration_table.rs`: replacements in the GSM 7-bit default alphabet, from four sources. A
//! replacement comes from the first source that contains the character:
//!
//! 1. `text::replacement`: typographic marks, spaces and signs;
//! 2. Unicode CLDR, transform Latin-ASCII, from the crate `icu_experimental`: Latin letters with diacritics, ligatures, signs;
//! 3. Unicode UTS 39 confusables, from the crate `unicode-security`: Greek capitals that look like a Latin capital; a small
//!    Greek letter becomes the replacement of its capital;
//! 4. Unicode decomposition NFKD without its marks, from the crate `unicode-normalization`.
//!
//! `codegen/unicode/run` writes the table; `codegen/unicode/run --check` only fails if the committed one differs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cpaas::text::{replacement, septets};
use icu_experimental::transliterate::Transliterator;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../core/src/text/transliteration_table.rs");

/// Combining diacritical marks, which the library removes without the table.
const MARKS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36F}';

fn main() -> Result<(), String> {
    let table = table()?;
    if std::fs::read_to_string(PATH).is_ok_and(|committed| committed == table) {
        return Ok(());
    }
    if std::env::args().any(|argument| argument == "--check") {
        return Err("core/src/text/transliteration_table.rs is stale; run codegen/unicode/run".to_owned());
    }
    println!("core/src/text/transliteration_table.rs");
    std::fs::write(PATH, table).map_err(|error| error.to_string())
}

/// # Errors
/// The crate `icu_experimental` has no transform Latin-ASCII.
fn table() -> Result<String, String> {
    let latin = Latin::new()?;
    let mut rows: BTreeMap<String, String> = BTreeMap::new();
    for character in ('\u{1}'..=char::MAX).filter(|one| septets(*one).is_none() && !MARKS.contains(one)) {
        if let Some(instead) = instead(&latin, character) {
            rows.entry(instead).or_default().push(character);
        }
    }
    let mut text = String::from(
        "//! Generated from Unicode CLDR, UTS 39 and NFKD (`codegen/unicode`): `codegen/unicode/run` rewrites it.\n\n\
         /// A replacement in the default alphabet, and the characters that it replaces.\n\
         #[rustfmt::skip]\npub(super) static TABLE: &[(&str, &str)] = &[\n",
    );
    let mut line = String::new();
    for (instead, characters) in &rows {
        let entry = format!("({}, {}),", literal(instead), literal(characters));
        if !line.is_empty() && line.chars().count() + entry.chars().count() > 118 {
            let _ = writeln!(text, "    {line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&entry);
    }
    let _ = writeln!(text, "    {line}\n];\n");
    text.push_str(&composed());
    Ok(text)
}

/// The letters of the default alphabet that a text can also contain as a letter and a mark.
fn composed() -> String {
    let mut text = String::from(
        "/// A letter, a combining mark, and the letter of the default alphabet that they form (NFC).\n\
         #[rustfmt::skip]\npub(super) static COMPOSED: &[(char, char, &str)] = &[\n",
    );
    for character in ('\u{80}'..=char::MAX).filter(|one| septets(*one).is_some()) {
        let parts: Vec<char> = character.nfd().collect();
        if let [letter, mark] = parts.as_slice() {
            let _ = writeln!(text, "    ('{letter}', '\\u{{{:x}}}', \"{character}\"),", u32::from(*mark));
        }
    }
    text.push_str("];\n");
    text
}

fn instead(latin: &Latin, character: char) -> Option<String> {
    let found = replacement(character)
        .map(str::to_owned)
        .or_else(|| latin.ascii(character))
        .or_else(|| greek(character))
        .or_else(|| decomposed(latin, character))?;
    found.chars().all(|one| septets(one).is_some()).then_some(found)
}

/// The transform Latin-ASCII of CLDR.
struct Latin(Transliterator);

impl Latin {
    fn new() -> Result<Self, String> {
        let id =
            "und-t-und-latn-d0-ascii".parse().map_err(|_| "the id of Latin-ASCII is invalid".to_owned())?;
        Transliterator::try_new(&id).map(Self).map_err(|error| error.to_string())
    }

    fn ascii(&self, character: char) -> Option<String> {
        let found = self.0.transliterate(character.to_string());
        let is_replaced = found.chars().all(|one| septets(one).is_some());
        is_replaced.then(|| if character.is_alphanumeric() { found.trim().to_owned() } else { found })
    }
}

/// The Latin capital that looks like a Greek letter, or the Greek capital of the default alphabet.
fn greek(character: char) -> Option<String> {
    let letter = character.nfd().next().filter(|one| ('\u{391}'..='\u{3C9}').contains(one))?;
    let capital = letter.to_uppercase().next()?;
    if septets(capital).is_some() {
        return Some(capital.to_string());
    }
    let look: String = skeleton(&capital.to_string()).collect();
    ('A'..='Z').find(|latin| skeleton(&latin.to_string()).collect::<String>() == look).map(String::from)
}

/// The compatibility decomposition without its marks.
fn decomposed(latin: &Latin, character: char) -> Option<String> {
    // The micro sign decomposes to a Greek letter, whose capital has another meaning.
    if character == '\u{B5}' {
        return Some("u".to_owned());
    }
    let parts: String = character.nfkd().filter(|one| !is_combining_mark(*one)).collect();
    if parts.is_empty() || parts.trim() != parts || parts == character.to_string() {
        return None;
    }
    parts
        .chars()
        .map(|one| {
            if septets(one).is_some() {
                Some(one.to_string())
            } else {
                replacement(one).map(str::to_owned).or_else(|| latin.ascii(one)).or_else(|| greek(one))
            }
        })
        .collect()
}

/// A string literal; characters that an editor may not show are escaped.
fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        let is_hidden = character.is_control()
            || character.is_whitespace() && character != ' '
            || is_combining_mark(character);
        let is_format = matches!(u32::from(character), 0xAD | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0xFEFF | 0xFE00..=0xFE0F | 0x600..=0x8FF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFE | 0x10000..);
        if character == '"' || character == '\\' {
            literal.push('\\');
        }
        if is_hidden || is_format {
            let _ = write!(literal, "\\u{{{:x}}}", u32::from(character));
        } else {
            literal.push(character);
        }
    }
    literal.push('"');
    literal
}
