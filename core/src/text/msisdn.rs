//! Phone numbers: their format, and with the feature `phone` their validity.

use std::borrow::Cow;

#[cfg(feature = "phone")]
mod number_check;
#[cfg(feature = "phone")]
pub use number_check::{NumberCheck, NumberType, check_number};

/// Minimum number of digits of a number with its country code.
pub const MIN_DIGITS: usize = 7;
/// Maximum number of digits, ITU-T E.164 section 6.
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
/// assert_eq!(cpaas::text::msisdn::normalize("+30 691 234-5678"), "306912345678");
/// ```
#[must_use]
pub fn normalize(number: &str) -> Cow<'_, str> {
    let trimmed = number.trim();
    let bare = trimmed.strip_prefix('+').unwrap_or(trimmed);
    if bare.chars().any(is_separator) {
        return Cow::Owned(bare.chars().filter(|&character| !is_separator(character)).collect());
    }
    Cow::Borrowed(bare)
}

/// Returns a number in the form that is sent: the country code and the number, 7 to 15 digits. `None` if the text is not such a
/// number.
///
/// Without a region the number must have its country code; `+`, a leading `00` and separators are removed. With a region
/// (ISO 3166-1 alpha-2, such as `GR`; feature `phone`) the number may also be written as it is dialed there, with the region's
/// own prefixes. Whether the number is assigned is not checked; see `check_number`.
///
/// ```
/// use cpaas::text::msisdn::normalize_number;
/// assert_eq!(normalize_number("+30 691 234 5678", None).as_deref(), Some("306912345678"));
/// assert_eq!(normalize_number("0030 691 234 5678", None).as_deref(), Some("306912345678"));
/// assert_eq!(normalize_number("0691", None), None);
/// ```
#[must_use]
pub fn normalize_number(number: &str, region: Option<&str>) -> Option<String> {
    match region {
        None => international(number),
        #[cfg(feature = "phone")]
        Some(region) => number_check::in_region(number, region),
        #[cfg(not(feature = "phone"))]
        Some(_) => None,
    }
}

/// Returns a number with its country code; no country code begins with 0.
pub(crate) fn international(number: &str) -> Option<String> {
    let bare = normalize(number);
    let digits = without_prefix(number, &bare);
    (is_shape(digits) && !digits.starts_with('0')).then(|| digits.to_owned())
}

/// The normalized number without a leading `00`, which replaces the plus.
fn without_prefix<'a>(number: &str, bare: &'a str) -> &'a str {
    let has_plus = number.trim_start().starts_with('+');
    if has_plus { bare } else { bare.strip_prefix("00").unwrap_or(bare) }
}

const fn is_separator(character: char) -> bool {
    matches!(character, ' ' | '\u{A0}' | '\u{202F}' | '-' | '\u{2010}' | '\u{2011}' | '.' | '(' | ')' | '/')
}
