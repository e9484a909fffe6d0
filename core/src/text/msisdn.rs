//! Phone numbers: their shape always, their validity with the feature `phone`.

use std::borrow::Cow;

#[cfg(feature = "phone")]
mod check;
#[cfg(feature = "phone")]
pub use check::{NumberCheck, NumberType, check_number};

/// Fewest digits of a number with its country code.
pub const MIN_DIGITS: usize = 7;
/// Most digits, ITU-T E.164 section 6.
pub const MAX_DIGITS: usize = 15;

/// True for 7 to 15 ASCII digits and nothing else: the form that goes on the wire.
#[must_use]
pub fn is_shape(number: &str) -> bool {
    (MIN_DIGITS..=MAX_DIGITS).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number as it goes on the wire: without white space at its ends, one leading plus, and the separators people
/// write between digits (spaces, hyphens, full stops, parentheses, slashes). Anything else stays, so that
/// [`is_shape`] still refuses what is no number; a leading `00` stays too, since it is a prefix only in some countries.
///
/// ```
/// assert_eq!(cpaas::text::msisdn::normalise("+30 691 234-5678"), "306912345678");
/// ```
#[must_use]
pub fn normalise(number: &str) -> Cow<'_, str> {
    let trimmed = number.trim();
    let bare = trimmed.strip_prefix('+').unwrap_or(trimmed);
    if bare.chars().any(is_separator) {
        return Cow::Owned(bare.chars().filter(|&character| !is_separator(character)).collect());
    }
    Cow::Borrowed(bare)
}

const fn is_separator(character: char) -> bool {
    matches!(character, ' ' | '\u{A0}' | '\u{202F}' | '-' | '\u{2010}' | '\u{2011}' | '.' | '(' | ')' | '/')
}
