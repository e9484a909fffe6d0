//! Phone numbers: their canonical form, and with the feature `phone` their validity.

use std::borrow::Cow;

mod notation;
#[cfg(feature = "phone")]
mod number_check;
#[cfg(feature = "phone")]
mod numbering_plans;
mod planned_number;
mod special_number;
mod trunk_prefix;
#[cfg(feature = "phone")]
pub use number_check::{NumberCheck, NumberType, check_number, is_region, regions};
#[cfg(feature = "phone")]
pub use numbering_plans::OwnPlans;
pub(crate) use planned_number::PlannedNumber;
pub use special_number::SpecialNumber;

use notation::{Notation, Prefix};

/// Minimum number of digits of a number with its country code.
pub const MIN_DIGITS: usize = 7;
/// Maximum number of digits, ITU-T E.164 section 6.
pub const MAX_DIGITS: usize = 15;

/// Why a text is not a number. The messages quote no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum NotANumber {
    /// There are no characters, or only white space.
    #[error("must be a phone number, got no characters")]
    Empty,
    /// A character is neither a digit nor a separator.
    #[error("must contain digits and separators only, after a plus sign or 00")]
    Character,
    /// It is a decimal number, as a spreadsheet or a data frame writes a number that it has not stored as text.
    #[error(
        "must be the digits of a phone number, got a decimal number such as 306912345678.0; store phone numbers as text in the spreadsheet or data frame"
    )]
    Decimal,
    /// There is no country code.
    #[error("must have its country code after a plus sign or 00, such as +30 691 234 5678")]
    National,
    /// The country code begins with 0.
    #[error("must have a country code that does not begin with 0")]
    CountryCode,
    /// There are too few or too many digits.
    #[error("must have 7 to 15 digits with its country code")]
    Length,
    /// It is neither a number of the region nor a number with its country code.
    #[error("must be a phone number of the region, or have its country code")]
    NotInRegion,
    /// The region is not known.
    #[error("the region must be two letters of ISO 3166-1, such as GR, or GB for the United Kingdom")]
    Region,
    /// The numbering plans are not in this build.
    #[error("a region and the kind of a number require the numbering plans, which are not in this build")]
    NoPlans,
}

impl NotANumber {
    /// A stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Character => "character",
            Self::Decimal => "decimal",
            Self::National => "national",
            Self::CountryCode => "country_code",
            Self::Length => "length",
            Self::NotInRegion => "not_in_region",
            Self::Region => "region",
            Self::NoPlans => "no_plans",
        }
    }
}

/// Whether a string is 7 to 15 ASCII digits and nothing else, the form that is sent to the provider.
#[must_use]
pub fn is_shape(number: &str) -> bool {
    (MIN_DIGITS..=MAX_DIGITS).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a string is a number in its canonical form, see [`normalize_number`].
#[must_use]
pub fn is_canonical(number: &str) -> bool {
    is_shape(number) && !number.starts_with('0') && trunk_prefix::find(number).is_none()
}

/// Whether a text begins with `+` or `00`, so that it is a number and not the identifier of a person of a chat channel.
#[must_use]
pub fn has_international_prefix(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(['+', '\u{FF0B}']) || text.starts_with("00")
}

/// What the numbering plans of the world contain about a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Assignment {
    /// It is in an assigned range.
    Assigned,
    /// Its country uses its length for mobile or fixed-line numbers.
    Possible,
    /// No country has its country code, or the country does not use its length for mobile or fixed-line numbers.
    Impossible,
    /// The numbering plans are not in this build (feature `phone`).
    Unknown,
}

/// What the numbering plans contain about a number in its canonical form.
#[must_use]
pub fn assignment(number: &str) -> Assignment {
    #[cfg(feature = "phone")]
    return number_check::assignment(number);
    #[cfg(not(feature = "phone"))]
    {
        let _ = number;
        Assignment::Unknown
    }
}

/// Returns the canonical form of a number: the country code and the number, 7 to 15 digits. It is the form that is sent, and the
/// form in which numbers are compared.
///
/// White space, invisible marks of direction, `tel:` and separators are removed; Arabic and full-width digits become ASCII digits;
/// `(0)` after a country code is removed, but not from Italian fixed-line numbers, which begin with the 0. So is a trunk prefix in
/// countries whose numbers do not begin with it, as in `+44 07400 123456`. What is left is a number if
///
/// - it began with `+` or `00`, or
/// - it was 7 to 15 digits without separators and without a leading 0, the provider's own form, or
/// - a region is given (ISO 3166-1 alpha-2, such as `GR`; feature `phone`), and it has the length of a number as it is dialed there.
///   The region has priority over the provider's own form and over the same digits with separators, unless only the latter is assigned,
///   or only the latter may be a mobile number, as in `49 170 1234567` with `DE`. Digits that are possible as neither are not a number.
///
/// Digits with a decimal point and zeros, such as `306912345678.0`, are not a number: a spreadsheet or a data frame has changed it.
/// Whether the number is assigned is not checked; see `check_number`. Allocates nothing if the text is in the canonical form.
///
/// ```
/// use cpaas::text::msisdn::{NotANumber, normalize_number};
/// assert_eq!(normalize_number("+30 691 234-5678", None).as_deref(), Ok("306912345678"));
/// assert_eq!(normalize_number("0030 (0) 691 234 5678", None).as_deref(), Ok("306912345678"));
/// assert_eq!(normalize_number("+44 07400 123456", None).as_deref(), Ok("447400123456"));
/// assert_eq!(normalize_number("691 234 5678", None), Err(NotANumber::National));
/// ```
///
/// # Errors
/// [`NotANumber`]: the text is not a number.
pub fn normalize_number<'a>(number: &'a str, region: Option<&str>) -> Result<Cow<'a, str>, NotANumber> {
    match region {
        None if is_canonical(number) => Ok(Cow::Borrowed(number)),
        None => international(&Notation::read(number)?).map(|digits| Cow::Owned(digits.into_owned())),
        #[cfg(feature = "phone")]
        Some(region) => number_check::in_region(&Notation::read(number)?, region).map(Cow::Owned),
        #[cfg(not(feature = "phone"))]
        Some(_) => Err(NotANumber::NoPlans),
    }
}

/// The number with its country code that the digits of a text are if its separators are ignored. `None` if they begin with 0, or are too
/// few or too many.
///
/// Beside the number of a region that [`normalize_number`] returns, it is the other one that a text such as `49 170 1234567` may mean: a list
/// of people who get no message contains both.
///
/// ```
/// use cpaas::text::msisdn::with_country_code;
/// assert_eq!(with_country_code("49 170 1234567").as_deref(), Some("491701234567"));
/// assert_eq!(with_country_code("0170 1234567"), None);
/// ```
#[must_use]
pub fn with_country_code(number: &str) -> Option<String> {
    joined(&Notation::read(number).ok()?).ok().map(Cow::into_owned)
}

/// A number with its country code, with or without separators.
fn joined(notation: &Notation) -> Result<Cow<'_, str>, NotANumber> {
    let digits = notation.canonical_digits();
    match digits.len() {
        MIN_DIGITS..=MAX_DIGITS if !digits.starts_with('0') => Ok(digits),
        MIN_DIGITS..=MAX_DIGITS => Err(NotANumber::CountryCode),
        _ => Err(NotANumber::Length),
    }
}

/// A number with its country code.
fn international(notation: &Notation) -> Result<Cow<'_, str>, NotANumber> {
    let has_prefix = notation.prefix != Prefix::None;
    if !has_prefix && (notation.is_separated || notation.canonical_digits().starts_with('0')) {
        return Err(NotANumber::National);
    }
    joined(notation)
}
