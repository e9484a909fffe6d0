//! Checks numbers against the numbering plans of the world (libphonenumber's metadata), feature `phone`.

use rlibphonenumber::{NumberLengthType, PhoneNumber, PhoneNumberFormat, PhoneNumberType};
use serde::Serialize;

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
#[serde(rename_all = "camelCase")]
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

/// Checks a number with its country code, with or without a plus or a leading `00`, in any form that
/// [`normalize_number`](super::normalize_number) understands without a region. A number that cannot be parsed is neither possible nor valid. The first call
/// loads the numbering plans. Thread-safe.
///
/// A number that can be dialed only locally, without its area code, is not possible, because no message from abroad reaches
/// it. Other ports of libphonenumber report it as possible (Python's `phonenumbers.is_possible_number`).
#[must_use]
pub fn check_number(number: &str) -> NumberCheck {
    let bare = super::normalize(number);
    let digits = super::without_prefix(number, &bare);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let parsed = is_number.then(|| PhoneNumber::parse(format!("+{digits}"), None).ok()).flatten();
    parsed.as_ref().map_or(NumberCheck::UNREADABLE, checked)
}

/// A number as it is dialed in a region, with its country code. `None` if it cannot be parsed or the region is unknown.
pub(super) fn in_region(number: &str, region: &str) -> Option<String> {
    if region.len() != 2 || !region.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    // A text with letters is a vanity number or a mistake; libphonenumber would convert the letters to digits.
    let bare = super::normalize(number);
    if !bare.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let written = if number.trim_start().starts_with('+') { format!("+{bare}") } else { bare.into_owned() };
    let parsed = PhoneNumber::parse(written, region.to_ascii_uppercase().parse().ok()).ok()?;
    super::international(&parsed.format_as(PhoneNumberFormat::E164))
}

impl NumberCheck {
    const UNREADABLE: Self = Self { valid: false, possible: false, region: None, kind: NumberType::Unknown };
}

fn checked(number: &PhoneNumber) -> NumberCheck {
    let possible = matches!(number.is_possible_with_reason(), Ok(NumberLengthType::IsPossible));
    NumberCheck {
        // The patterns also match numbers that can be dialed only locally, such as +1 310 1234.
        valid: possible && number.is_valid(),
        possible,
        region: number.get_region_code().map(|region| region.to_string()).filter(|code| code.len() == 2),
        kind: number.get_type().into(),
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
    use super::super::normalize_number;
    use super::check_number;

    #[test]
    fn a_number_is_valid_in_each_form_that_is_normalized() {
        for number in ["306912345678", "+30 691 234 5678", "0030 691 234 5678", " 00306912345678"] {
            assert_eq!(normalize_number(number, None).as_deref(), Some("306912345678"), "{number}");
            assert!(check_number(number).valid, "{number}");
        }
        for number in ["+00306912345678", "0000306912345678", "00", "", "0691 234 5678"] {
            assert_eq!(normalize_number(number, None), None, "{number}");
            assert!(!check_number(number).valid, "{number}");
        }
    }
}
