//! Days and ranges of days: `YYYY-MM-DD`.

use crate::problem::{Code, Pointer, Problems};

/// Whether a text is a day of the calendar.
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

/// What `/startDate` and `/endDate` may be accused of.
pub(crate) struct Codes {
    pub(crate) invalid: &'static Code,
    pub(crate) order: &'static Code,
}

/// The two ends of a range.
pub(crate) fn range(
    codes: &Codes,
    start: Option<&str>,
    end: Option<&str>,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    let mut day = |text: Option<&str>, name| {
        let is_right = text.is_none_or(is_day);
        if !is_right {
            problems.add_key(codes.invalid, at, name);
        }
        is_right
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
    use super::is_day;

    #[test]
    fn days_of_the_calendar() {
        for right in ["2024-02-29", "2000-02-29", "2023-12-31", "0001-01-01", "2024-04-30"] {
            assert!(is_day(right), "{right}");
        }
        for wrong in [
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
            assert!(!is_day(wrong), "{wrong}");
        }
    }
}
