//! Times on the wire: `Retry-After`, the three forms of an HTTP date, and the provider's own.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// How long to wait from `now`; a date in the past is no wait, anything else that is not
/// understood is `None`.
#[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only the client waits"))]
pub(crate) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::from(u32::MAX))));
    }
    let at = UNIX_EPOCH.checked_add(Duration::from_secs(http_date(value)?))?;
    Some(at.duration_since(now).unwrap_or_default())
}

/// Seconds since 1970 of an HTTP date (RFC 9110, 5.6.7).
pub(crate) fn http_date(value: &str) -> Option<u64> {
    let cleaned = value.replace(',', " ");
    let parts: Vec<&str> = cleaned.split_ascii_whitespace().collect();
    match *parts.as_slice() {
        [_, day, month, year, time, "GMT"] => seconds(year, month, day, time),
        [_, date, time, "GMT"] => {
            let mut date = date.split('-');
            let (day, month, year) = (date.next()?, date.next()?, date.next()?);
            let year: u64 = year.parse().ok().filter(|year| *year < 100)?;
            let century = if year < 70 { 2000 } else { 1900 };
            seconds(&(century + year).to_string(), month, day, time)
        }
        [_, month, day, time, year] => seconds(year, month, day, time),
        _ => None,
    }
}

fn seconds(year: &str, month: &str, day: &str, time: &str) -> Option<u64> {
    let year: u64 = year.parse().ok().filter(|year| (1970..10_000).contains(year))?;
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let day: u64 = day.parse().ok().filter(|day| (1..=31).contains(day))?;
    let mut clock = time.split(':').map(|part| part.parse::<u64>().ok());
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some(days(year, month, day)? * 86_400 + hour * 3600 + minute * 60 + second)
}

/// Seconds since 1970 of the provider's `YYYY-MM-DD HH:MM:SS`, taken as UTC.
pub(crate) fn date_time(value: &str) -> Option<u64> {
    let (date, time) = value.split_once([' ', 'T'])?;
    let mut date = date.split('-');
    let (year, month, day) = (date.next()?, date.next()?.parse::<usize>().ok()?, date.next()?);
    seconds(year, MONTHS.get(month.checked_sub(1)?)?, day, time)
}

/// Days since 1970-01-01 of the proleptic Gregorian calendar.
pub(crate) fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
    let leaps = year / 4 - year / 100 + year / 400;
    (year * 365 + leaps + (month * 153 + 2) / 5 + day).checked_sub(719_469)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn seconds_and_the_three_forms_of_a_date() {
        // 1994-11-06 08:49:37 UTC is 784111777, the example of RFC 9110.
        let now = at(784_111_777 - 30);
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
    fn the_calendar_is_right() {
        assert_eq!(http_date("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(http_date("Thu, 29 Feb 2024 12:00:00 GMT"), Some(1_709_208_000));
        assert_eq!(http_date("Sat, 21 Nov 2026 00:49:09 GMT"), Some(1_795_222_149));
        assert_eq!(http_date("Wed, 01 Mar 2000 00:00:00 GMT"), Some(951_868_800));
    }

    #[test]
    fn the_provider_s_own_form_is_read() {
        assert_eq!(date_time("2024-02-29 12:00:00"), Some(1_709_208_000));
        assert_eq!(date_time("2024-13-29 12:00:00"), None);
        assert_eq!(date_time("2024-02-29"), None);
    }

    #[test]
    fn a_past_date_is_no_wait_and_nonsense_is_none() {
        let now = at(784_111_777);
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:49:00 GMT", now), Some(Duration::ZERO));
        for value in
            ["", "-1", "1.5", "soon", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:00:00 GMT"]
        {
            assert_eq!(retry_after(value, now), None, "{value}");
        }
        assert!(retry_after("99999999999999999999999", now) > Some(Duration::from_secs(60)));
    }
}
