//! Formats of values: phone numbers, UUIDs, dates.

use std::borrow::Cow;

use crate::problem::{Code, Fix, Pointer, Problems};
use crate::text::msisdn;

/// Whether a string has the format of a phone number: 7 to 15 digits, optionally after a plus sign. A leading `00` is an
/// international prefix and not part of the number.
pub(crate) fn is_phone(text: &str) -> bool {
    msisdn::is_shape(text.strip_prefix('+').unwrap_or(text)) && !text.starts_with("00")
}

/// The edit that leaves only the digits of a number with its country code.
pub(crate) fn number_fix(text: &str) -> Option<Fix> {
    let number = msisdn::normalize_number(text, None).ok().filter(|number| number != text)?;
    Some(match text.strip_suffix(&*number) {
        Some(prefix) => Fix::replace(text, 0, prefix.len(), ""),
        None => Fix::replace(text, 0, text.len(), number),
    })
}

/// The canonical form of a number, which is the same for all its notations; another text without surrounding white space.
pub(crate) fn normal(text: &str) -> Cow<'_, str> {
    msisdn::normalize_number(text, None).unwrap_or(Cow::Borrowed(text.trim()))
}

/// Adds the form in which recipients are compared, of a number that is not blank to a list.
pub(crate) fn listed<'a>(text: &'a str, index: usize, numbers: &mut Vec<(Cow<'a, str>, usize)>) {
    let number = normal(text);
    if !number.is_empty() {
        numbers.push((number, index));
    }
}

/// Whether a string is a UUID: hexadecimal digits in groups of 8-4-4-4-12, of any version and case.
pub(crate) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Whether a string is a calendar date in the form `YYYY-MM-DD`. A date library would add more code to the browser
/// module.
fn is_day(text: &str) -> bool {
    if text.len() != 10 {
        return false;
    }
    let mut digits = 0;
    for (at, byte) in text.bytes().enumerate() {
        match (at, byte) {
            (4 | 7, b'-') => {}
            (4 | 7, _) => return false,
            (_, b'0'..=b'9') => digits = digits * 10 + u32::from(byte - b'0'),
            _ => return false,
        }
    }
    let (year, month, day) = (digits / 10_000, digits / 100 % 100, digits % 100);
    day >= 1 && day <= days(year, month)
}

const fn days(year: u32, month: u32) -> u32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 0,
    }
}

/// The codes for `/startDate` and `/endDate`.
pub(crate) struct DateCodes {
    pub(crate) invalid: &'static Code,
    pub(crate) order: &'static Code,
}

/// Checks both ends of a range of dates.
pub(crate) fn date_range(
    codes: &DateCodes,
    start: Option<&str>,
    end: Option<&str>,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    let mut day = |text: Option<&str>, name| {
        let is_valid = text.is_none_or(is_day);
        if !is_valid {
            problems.add_key(codes.invalid, at, name);
        }
        is_valid
    };
    let (has_start, has_end) = (day(start, "startDate"), day(end, "endDate"));
    if let (Some(start), Some(end), true) = (start, end, has_start && has_end)
        && start > end
    {
        problems.add_key(codes.order, at, "endDate");
    }
}

#[cfg(test)]
mod tests {
    use super::{is_day, is_uuid};

    #[test]
    fn a_uuid_has_one_format() {
        assert!(is_uuid("0f8fad5b-d9cb-469f-a165-70867728950e"));
        assert!(is_uuid("0F8FAD5B-D9CB-469F-A165-70867728950E"));
        for invalid in [
            "",
            "0f8fad5bd9cb469fa16570867728950e",
            "{0f8fad5b-d9cb-469f-a165-70867728950e}",
            "0f8fad5b-d9cb-469f-a165-70867728950g",
            "0f8fad5b-d9cb-469f-a165-70867728950e0",
        ] {
            assert!(!is_uuid(invalid), "{invalid}");
        }
    }

    #[test]
    fn only_calendar_dates_are_valid() {
        for valid in ["2024-02-29", "2000-02-29", "2023-12-31", "0001-01-01", "2024-04-30"] {
            assert!(is_day(valid), "{valid}");
        }
        for invalid in [
            "",
            "2023-02-29",
            "1900-02-29",
            "2024-04-31",
            "2024-00-10",
            "2024-13-01",
            "2024-01-00",
            "2024-1-01",
            "24-01-01",
            "2024-01-01 ",
            "2024-01-01T00:00:00Z",
            "+024-01-01",
            "2024/01/01",
            "01-01-2024",
            "2024-01",
            "2024-01-01-01",
        ] {
            assert!(!is_day(invalid), "{invalid}");
        }
    }
}
