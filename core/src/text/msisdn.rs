//! Phone numbers: their format, and with the feature `phone` their validity.

use std::borrow::Cow;

#[cfg(feature = "phone")]
mod number_check;
#[cfg(feature = "phone")]
pub use number_check::{NumberCheck, NumberType, check_number};

/// Fewest digits of a number with its country code.
pub const MIN_DIGITS: usize = 7;
/// Most digits, ITU-T E.164 section 6.
pub const MAX_DIGITS: usize = 15;

/// Whether a string is 7 to 15 ASCII digits and nothing else, the form that is sent to the provider.
#[must_use]
pub fn is_shape(number: &str) -> bool {
    (MIN_DIGITS..=MAX_DIGITS).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the number in the form that is sent: without surrounding white space, one leading plus, and separators between
/// digits (spaces, hyphens, full stops, parentheses, slashes). Other characters are kept, so that [`is_shape`] still returns
/// false for them. A leading `00` is kept too, because it is an international prefix in some countries only.
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
