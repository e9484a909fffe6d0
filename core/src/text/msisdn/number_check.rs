//! Checks numbers against the numbering plans of the world (libphonenumber's metadata), feature `phone`.

use std::borrow::Cow;

use rlibphonenumber::{NumberLengthType, PhoneNumber, PhoneNumberFormat, PhoneNumberType, Region};
use serde::Serialize;

use super::notation::{Notation, Prefix};
use super::numbering_plans::with_plans;
use super::{Assignment, NotANumber};

/// The result of a check against the numbering plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NumberCheck {
    /// Whether the number is in an assigned range. Only a lookup reports whether it has a subscriber.
    pub valid: bool,
    /// Whether the number has a length that its country uses.
    pub possible: bool,
    /// ISO 3166-1 alpha-2 code of the country, if there is one.
    pub region: Option<String>,
    /// The type of the range.
    #[serde(rename = "type")]
    pub kind: NumberType,
}

/// The type of a range of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NumberType {
    /// Fixed line: usually receives no SMS.
    FixedLine,
    /// Mobile.
    Mobile,
    /// The plan does not distinguish mobile and fixed line, as in North America.
    FixedLineOrMobile,
    /// Free for the caller.
    TollFree,
    /// Premium rate.
    PremiumRate,
    /// Cost shared with the person called.
    SharedCost,
    /// Internet telephony.
    Voip,
    /// A personal number, routed at will.
    Personal,
    /// Pager.
    Pager,
    /// Universal access number of a company.
    UniversalAccess,
    /// Voicemail access.
    Voicemail,
    /// Not in any known range.
    Unknown,
}

/// Checks a number in any notation that [`normalize_number`](super::normalize_number) accepts with this region. Any other text is
/// neither possible nor valid. The first call loads the numbering plans. Thread-safe.
///
/// A number that can be dialed only locally, without its area code, is not possible, because no message from abroad reaches
/// it. Other ports of libphonenumber report it as possible (Python's `phonenumbers.is_possible_number`).
///
/// ```
/// use cpaas::text::msisdn::{NumberType, check_number};
/// assert_eq!(check_number("+30 691 234 5678", None)?.kind, NumberType::Mobile);
/// assert!(check_number("691 234 5678", Some("GR"))?.valid);
/// assert!(!check_number("691 234 5678", None)?.possible);
/// # Ok::<(), cpaas::text::msisdn::NotANumber>(())
/// ```
///
/// # Errors
/// [`NotANumber::Region`]: the region is unknown.
pub fn check_number(number: &str, region: Option<&str>) -> Result<NumberCheck, NotANumber> {
    let digits = match super::normalize_number(number, region) {
        Err(NotANumber::Region) => return Err(NotANumber::Region),
        digits => digits.ok(),
    };
    let parsed = digits.and_then(|digits| parse_international(&digits));
    // A text that is not a number does not show whether the region is known.
    if parsed.is_none() && region.is_some_and(|region| !is_region(region)) {
        return Err(NotANumber::Region);
    }
    Ok(parsed.as_ref().map_or_else(NumberCheck::not_a_number, checked))
}

/// The canonical form of a number as it is dialed in a region.
///
/// # Errors
/// When it is not a number there, or the region is unknown.
pub(super) fn in_region(notation: &Notation, region: &str) -> Result<String, NotANumber> {
    let region = known_region(region).ok_or(NotANumber::Region)?;
    if notation.prefix == Prefix::Plus {
        return super::international(notation).map(Cow::into_owned);
    }
    let dialed = with_plans(|plans| plans.parse(notation.all_digits(), Some(region))).ok();
    let dialed = dialed.filter(may_be_dialed);
    // With separators and without a prefix, digits have their country code only instead of a number of the region.
    let international =
        if dialed.is_some() { super::joined(notation) } else { super::international(notation) };
    // `00` is the beginning of a longer prefix in some regions, such as 0011 in Australia, and bare digits may be a number of the
    // region or one with its country code.
    if let Ok(digits) = international {
        let is_assigned = dialed.as_ref().is_some_and(is_valid);
        let number = || parse_international(&digits);
        let is_preferred = if notation.prefix == Prefix::Zeros {
            dialed.is_none() || !is_assigned && number().is_some_and(|number| is_valid(&number))
        } else {
            number().is_some_and(|number| {
                is_preferred(&number, dialed.as_ref().map(|dialed| (dialed, is_assigned)))
            })
        };
        if is_preferred {
            return Ok(digits.into_owned());
        }
    }
    let format = PhoneNumberFormat::E164;
    let written = dialed.map(|number| with_plans(|plans| plans.format(&number, format).into_owned()));
    let digits = written.as_deref().and_then(|written| written.strip_prefix('+'));
    digits.filter(|digits| super::is_shape(digits)).map(str::to_owned).ok_or(NotANumber::NotInRegion)
}

/// Whether digits are read as a number with its country code, not as the number that is dialed in a region with the same digits and
/// that is assigned or not.
fn is_preferred(international: &PhoneNumber, dialed: Option<(&PhoneNumber, bool)>) -> bool {
    match dialed {
        None => is_possible(international),
        Some((_, false)) => is_valid(international),
        // In a region whose plan does not distinguish mobile and fixed line, each number may be mobile.
        Some((dialed, true)) => {
            kind(international) == NumberType::Mobile && !NumberType::Mobile.includes(kind(dialed))
        }
    }
}

pub(super) fn kind(number: &PhoneNumber) -> NumberType {
    with_plans(|plans| plans.get_number_type(number)).into()
}

/// Whether a number of a region is assigned, or has the length of its fixed-line or mobile numbers. In the latter case it has no
/// leading 0, which belongs to the numbers of few countries.
fn may_be_dialed(number: &PhoneNumber) -> bool {
    let has_length = |kind| {
        let length = with_plans(|plans| plans.is_possible_number_for_type_with_reason(number, kind));
        matches!(length, Ok(NumberLengthType::IsPossible))
    };
    is_possible(number)
        && (is_valid(number)
            || !number.italian_leading_zero()
                && (has_length(PhoneNumberType::Mobile) || has_length(PhoneNumberType::FixedLine)))
}

/// What the plans contain about a number in its canonical form.
pub(super) fn assignment(digits: &str) -> Assignment {
    match parse_international(digits) {
        Some(number) if !is_possible(&number) => Assignment::Impossible,
        Some(number) if is_valid(&number) => Assignment::Assigned,
        // The length may be that of toll-free numbers only, which have up to 12 digits in Greece.
        Some(number) if may_be_dialed(&number) => Assignment::Possible,
        _ => Assignment::Impossible,
    }
}

/// The regions with a numbering plan, in alphabetical order.
#[must_use]
pub fn regions() -> Vec<String> {
    let mut regions: Vec<String> =
        with_plans(|plans| plans.get_supported_regions().map(|region| region.to_string()).collect());
    regions.sort();
    regions
}

/// Whether a text is the name of a region with a numbering plan, such as `GR`.
#[must_use]
pub fn is_region(name: &str) -> bool {
    known_region(name).is_some()
}

fn known_region(name: &str) -> Option<Region> {
    let region = (name.len() == 2).then(|| name.to_ascii_uppercase().parse().ok())??;
    with_plans(|plans| plans.get_country_code_for_region(region)).map(|_| region)
}

pub(super) fn parse_international(digits: &str) -> Option<PhoneNumber> {
    with_plans(|plans| plans.parse(format!("+{digits}"), None)).ok()
}

/// ISO 3166-1 alpha-2 code of the country of a number. Other networks have the code `001`.
pub(super) fn region(number: &PhoneNumber) -> Option<String> {
    let region = with_plans(|plans| plans.get_region_for_number(number));
    region.map(|region| region.to_string()).filter(|code| code.len() == 2)
}

fn is_valid(number: &PhoneNumber) -> bool {
    with_plans(|plans| plans.is_valid_number(number))
}

fn is_possible(number: &PhoneNumber) -> bool {
    let length = with_plans(|plans| plans.is_possible_number_with_reason(number));
    matches!(length, Ok(NumberLengthType::IsPossible))
}

impl NumberCheck {
    /// The check of a text that is not a number: neither possible nor valid.
    #[must_use]
    pub const fn not_a_number() -> Self {
        Self { valid: false, possible: false, region: None, kind: NumberType::Unknown }
    }
}

fn checked(number: &PhoneNumber) -> NumberCheck {
    let (possible, kind) = (is_possible(number), kind(number));
    NumberCheck {
        // A number in an assigned range has a type. `is_valid` would match all patterns of its region again. The patterns also match
        // numbers that can be dialed only locally, such as +1 310 1234.
        valid: possible && kind != NumberType::Unknown,
        possible,
        region: region(number),
        kind,
    }
}

impl NumberType {
    /// All types.
    pub const ALL: &'static [Self] = &[
        Self::FixedLine,
        Self::Mobile,
        Self::FixedLineOrMobile,
        Self::TollFree,
        Self::PremiumRate,
        Self::SharedCost,
        Self::Voip,
        Self::Personal,
        Self::Pager,
        Self::UniversalAccess,
        Self::Voicemail,
        Self::Unknown,
    ];

    /// The name, the same in every language.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FixedLine => "fixed_line",
            Self::Mobile => "mobile",
            Self::FixedLineOrMobile => "fixed_line_or_mobile",
            Self::TollFree => "toll_free",
            Self::PremiumRate => "premium_rate",
            Self::SharedCost => "shared_cost",
            Self::Voip => "voip",
            Self::Personal => "personal",
            Self::Pager => "pager",
            Self::UniversalAccess => "universal_access",
            Self::Voicemail => "voicemail",
            Self::Unknown => "unknown",
        }
    }

    /// Whether a number of another type may be of this type: `FixedLineOrMobile` may be both.
    #[must_use]
    pub fn includes(self, other: Self) -> bool {
        self == other || (other == Self::FixedLineOrMobile && matches!(self, Self::FixedLine | Self::Mobile))
    }
}

impl From<PhoneNumberType> for NumberType {
    fn from(kind: PhoneNumberType) -> Self {
        match kind {
            PhoneNumberType::FixedLine => Self::FixedLine,
            PhoneNumberType::Mobile => Self::Mobile,
            PhoneNumberType::FixedLineOrMobile => Self::FixedLineOrMobile,
            PhoneNumberType::TollFree => Self::TollFree,
            PhoneNumberType::PremiumRate => Self::PremiumRate,
            PhoneNumberType::SharedCost => Self::SharedCost,
            PhoneNumberType::VoIP => Self::Voip,
            PhoneNumberType::PersonalNumber => Self::Personal,
            PhoneNumberType::Pager => Self::Pager,
            PhoneNumberType::UAN => Self::UniversalAccess,
            PhoneNumberType::VoiceMail => Self::Voicemail,
            PhoneNumberType::Unknown => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use rlibphonenumber::PHONE_NUMBER_UTIL;

    use super::*;

    #[test]
    fn a_number_has_a_type_if_it_is_in_an_assigned_range() {
        let kinds = [PhoneNumberType::FixedLine, PhoneNumberType::Mobile, PhoneNumberType::TollFree];
        let (mut assigned, mut unassigned) = (0, 0);
        for region in PHONE_NUMBER_UTIL.get_supported_regions() {
            for kind in kinds {
                let Ok(example) = PHONE_NUMBER_UTIL.get_example_number_for_type_and_region(region, kind)
                else {
                    continue;
                };
                for ending in 0..200 {
                    let mut number = example.clone();
                    number.national_number = number.national_number / 1000 * 1000 + ending * 7 % 1000;
                    number.national_number += ending % 7 * 1_000_000;
                    assert_eq!(
                        number.is_valid(),
                        number.get_type() != PhoneNumberType::Unknown,
                        "{number:?}"
                    );
                    if number.is_valid() { assigned += 1 } else { unassigned += 1 }
                }
            }
        }
        assert!(assigned > 10_000 && unassigned > 10_000, "{assigned} and {unassigned}");
    }

    #[test]
    fn the_name_of_a_type_is_that_in_json() {
        for kind in NumberType::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
    }
}
