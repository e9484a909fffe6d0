//! Parses times: the header `Retry-After`, HTTP dates, and the provider's own format.
//!
//! The provider's format is parsed without a calendar library, because the lookup in the provider's records ([`crate::reconcile`])
//! is part of every build, including those without HTTP.

use std::time::{Duration, UNIX_EPOCH};

/// The wait that a `Retry-After` requests, counted from the Unix time `now`: zero for a past date, `None` for an invalid value.
#[cfg_attr(not(feature = "call"), allow(dead_code, reason = "used by calls"))]
pub(crate) fn retry_after(value: &str, now: Duration) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::from(u32::MAX))));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(UNIX_EPOCH).unwrap_or_default().saturating_sub(now))
}

/// The Unix time of an HTTP date (RFC 9110, 5.6.7), in seconds.
pub(crate) fn http_date(value: &str) -> Option<u64> {
    let date = httpdate::parse_http_date(value.trim()).ok()?;
    date.duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs())
}

/// The Unix time of the provider's `YYYY-MM-DD HH:MM:SS`, read as UTC, in seconds.
pub(crate) fn date_time(value: &str) -> Option<u64> {
    let (date, time) = value.split_once([' ', 'T'])?;
    let [year, month, day] = numbers(date, '-')?;
    let [hour, minute, second] = numbers(time, ':')?;
    let is_date = (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let is_time = hour < 24 && minute < 60 && second <= 60;
    (is_date && is_time).then(|| days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
}

fn numbers(text: &str, separator: char) -> Option<[u64; 3]> {
    let numbers: Option<Vec<u64>> = text.split(separator).map(|number| number.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Days since 1970-01-01. Years begin in March, so that a leap day is the last day of its year.
fn days(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 719_469
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_accepts_seconds_and_the_three_forms_of_an_http_date() {
        // 1994-11-06 08:49:37 UTC is 784111777, the example of RFC 9110.
        let now = Duration::from_secs(784_111_777 - 30);
        for value in [
            "30",
            " 30 ",
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            assert_eq!(retry_after(value, now), Some(Duration::from_secs(30)), "{value}");
        }
    }

    #[test]
    fn http_dates_are_unix_times() {
        assert_eq!(http_date("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(http_date("Thu, 29 Feb 2024 12:00:00 GMT"), Some(1_709_208_000));
        assert_eq!(http_date("Sat, 21 Nov 2026 00:49:09 GMT"), Some(1_795_222_149));
        assert_eq!(http_date("Wed, 01 Mar 2000 00:00:00 GMT"), Some(951_868_800));
    }

    #[test]
    fn the_format_of_the_provider_is_read_as_utc() {
        assert_eq!(date_time("2024-02-29 12:00:00"), Some(1_709_208_000));
        assert_eq!(date_time("2024-02-29T12:00:00"), Some(1_709_208_000));
        assert_eq!(date_time("2026-11-21 00:49:09"), Some(1_795_222_149));
        assert_eq!(date_time("2000-03-01 00:00:00"), Some(951_868_800));
        assert_eq!(date_time("2024-13-29 12:00:00"), None);
        assert_eq!(date_time("2024-02-29 24:00:00"), None);
        assert_eq!(date_time("2024-02-29"), None);
    }

    #[test]
    fn retry_after_is_zero_for_a_past_date_and_none_for_an_invalid_value() {
        let now = Duration::from_secs(784_111_777);
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:49:00 GMT", now), Some(Duration::ZERO));
        for value in
            ["", "-1", "1.5", "soon", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:00:00 GMT"]
        {
            assert_eq!(retry_after(value, now), None, "{value}");
        }
        assert!(retry_after("99999999999999999999999", now) > Some(Duration::from_secs(60)));
    }
}
