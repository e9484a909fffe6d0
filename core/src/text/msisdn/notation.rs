//! Reads a number in any notation: its digits, its international prefix, and whether it has separators.

use std::borrow::Cow;

use super::{NotANumber, trunk_prefix};

/// Maximum number of digits: an international prefix such as 00700, and a number.
const MAX_WRITTEN: usize = 24;

/// What precedes a country code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    /// Nothing.
    None,
    /// A plus sign.
    Plus,
    /// `00`.
    Zeros,
}

/// A number as it was written.
#[derive(Debug)]
pub(super) struct Notation {
    written: [u8; MAX_WRITTEN],
    length: usize,
    /// What precedes the country code.
    pub(super) prefix: Prefix,
    /// Whether there are separators.
    pub(super) is_separated: bool,
    /// Whether a separator follows the first digit: the zeros in `0 030` are not the prefix `00`.
    is_first_alone: bool,
}

impl Notation {
    /// Reads a text.
    ///
    /// # Errors
    /// When it is empty, has a character that is neither a digit nor a separator, has more digits than any number, or is a decimal
    /// number.
    pub(super) fn read(text: &str) -> Result<Self, NotANumber> {
        let text = without_scheme(text.trim_matches(is_ignored)).trim_matches(is_ignored);
        let mut notation = Self {
            written: [0; MAX_WRITTEN],
            length: 0,
            prefix: Prefix::None,
            is_separated: false,
            is_first_alone: false,
        };
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            if let Some(digit) = digit(character) {
                notation.push(digit)?;
            } else if is_plus(character) && notation.length == 0 && notation.prefix == Prefix::None {
                notation.prefix = Prefix::Plus;
            } else if is_separator(character) {
                notation.is_separated = true;
                notation.is_first_alone |= notation.length == 1;
                if is_opening(character) && notation.ends_with_country_code() {
                    let rest = after_trunk_zero(characters.as_str());
                    if drops_zero(notation.digits(), rest) {
                        characters = rest.chars();
                    }
                }
            } else if !is_invisible(character) {
                return Err(NotANumber::Character);
            }
        }
        if notation.length == 0 {
            return Err(if text.is_empty() { NotANumber::Empty } else { NotANumber::Character });
        }
        if notation.is_separated && is_decimal(text) {
            return Err(NotANumber::Decimal);
        }
        Ok(notation)
    }

    /// The digits after the prefix.
    pub(super) fn digits(&self) -> &str {
        let digits = self.all_digits();
        if self.prefix == Prefix::Zeros { digits.get(2..).unwrap_or_default() } else { digits }
    }

    /// The digits after the prefix, without a trunk prefix after the country code.
    pub(super) fn canonical_digits(&self) -> Cow<'_, str> {
        without_trunk_prefix(self.digits())
    }

    /// All digits, with a leading `00`.
    pub(super) fn all_digits(&self) -> &str {
        let written = self.written.get(..self.length).unwrap_or_default();
        std::str::from_utf8(written).unwrap_or_default()
    }

    fn push(&mut self, digit: u8) -> Result<(), NotANumber> {
        *self.written.get_mut(self.length).ok_or(NotANumber::Length)? = digit;
        self.length += 1;
        let is_first_pair = self.length == 2 && self.prefix == Prefix::None && !self.is_first_alone;
        if is_first_pair && self.written.starts_with(b"00") {
            self.prefix = Prefix::Zeros;
        }
        Ok(())
    }

    /// Whether the digits so far are a prefix and the 1 to 3 digits of a country code.
    fn ends_with_country_code(&self) -> bool {
        self.prefix != Prefix::None && (1..=3).contains(&self.digits().len())
    }
}

/// Digits with their country code, without a trunk prefix after it. What is left may look like a number with another one, and the
/// canonical form of a canonical form must be itself.
fn without_trunk_prefix(digits: &str) -> Cow<'_, str> {
    let mut digits = Cow::Borrowed(digits);
    while let Some((code, number)) = trunk_prefix::find(&digits) {
        digits = Cow::Owned(format!("{code}{number}"));
    }
    digits
}

/// Whether the only full stop of a text is followed by zeros and nothing else, as in `306912345678.0`. Three zeros or more after other
/// separators are the last group of a number, as in `(201) 555.0000`.
fn is_decimal(text: &str) -> bool {
    let Some((whole, fraction)) = text.split_once(['.', '\u{FF0E}']) else { return false };
    let is_zero = |character| digit(character) == Some(b'0');
    let is_group = whole.contains(is_separator) && fraction.chars().count() >= 3;
    whole.contains(|character| digit(character).is_some())
        && !fraction.is_empty()
        && fraction.chars().all(is_zero)
        && !is_group
}

/// The text after `tel:`.
fn without_scheme(text: &str) -> &str {
    match text.split_at_checked(4) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("tel:") => rest,
        _ => text,
    }
}

/// The text after `0)`, the rest of `(0)`; any other text unchanged.
fn after_trunk_zero(rest: &str) -> &str {
    let inner = rest.trim_start_matches(is_ignored);
    let mut characters = inner.chars();
    if characters.next().and_then(digit) != Some(b'0') {
        return rest;
    }
    let closing = characters.as_str().trim_start_matches(is_ignored);
    closing.strip_prefix([')', '\u{FF09}']).unwrap_or(rest)
}

/// Whether `(0)` after a country code is not a part of the number. Numbers of Italy begin with the 0, except those of mobile telephones, which
/// have ten digits and begin with 3.
fn drops_zero(country_code: &str, rest: &str) -> bool {
    if country_code != "39" {
        return true;
    }
    let mut digits = rest.chars().filter_map(digit);
    digits.next() == Some(b'3') && digits.count() == 9
}

/// The ASCII digit of an ASCII, Arabic-Indic, Persian or full-width digit.
fn digit(character: char) -> Option<u8> {
    let zero = match character {
        '0'..='9' => '0',
        '\u{660}'..='\u{669}' => '\u{660}',
        '\u{6F0}'..='\u{6F9}' => '\u{6F0}',
        '\u{FF10}'..='\u{FF19}' => '\u{FF10}',
        _ => return None,
    };
    u8::try_from(u32::from(character) - u32::from(zero)).ok().map(|value| b'0' + value)
}

const fn is_plus(character: char) -> bool {
    matches!(character, '+' | '\u{FF0B}')
}

const fn is_opening(character: char) -> bool {
    matches!(character, '(' | '\u{FF08}')
}

/// White space, and the punctuation that separates groups of digits: hyphens, dashes, full stops, slashes, brackets, middle dot.
const fn is_separator(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '-' | '.' | '/' | '(' | ')' | '[' | ']' | '\u{B7}' | '\u{2010}'..='\u{2015}' | '\u{2212}'
                | '\u{FF08}' | '\u{FF09}' | '\u{FF0D}'..='\u{FF0F}'
        )
}

/// Marks of direction and other characters without width, which copied text contains.
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{AD}' | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'
            | '\u{2066}'..='\u{2069}' | '\u{FEFF}'
    )
}

const fn is_ignored(character: char) -> bool {
    character.is_whitespace() || is_invisible(character)
}
