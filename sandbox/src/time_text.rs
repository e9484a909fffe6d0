//! The text forms of points in time (milliseconds since 1970), of dates, and of lengths such as `14d`.

use jiff::civil::{Date, DateTime, Time, date};
use jiff::{SignedDuration, Span, Timestamp};

/// A day in milliseconds.
pub(crate) const DAY: u64 = 86_400_000;

const EPOCH: Date = date(1970, 1, 1);

/// The date of a day number since 1970-01-01; the last date for numbers that are too large.
fn date_of(day: i64) -> Date {
    EPOCH.checked_add(Span::new().try_days(day).unwrap_or_default()).unwrap_or(Date::MAX)
}

/// `2026-01-31` for a day number.
pub(crate) fn date_text(day: i64) -> String {
    date_of(day).to_string()
}

/// The day number of `2026-01-31`.
pub(crate) fn parse_date(text: &str) -> Option<i64> {
    let date: Date = text.parse().ok()?;
    Some(date.duration_since(EPOCH).as_hours() / 24)
}

/// The day number of a point in time.
pub(crate) fn day_of(at: u64) -> i64 {
    i64::try_from(at / DAY).unwrap_or(i64::MAX)
}

fn moment(at: u64) -> DateTime {
    let since = SignedDuration::from_millis(i64::try_from(at).unwrap_or(i64::MAX));
    EPOCH.to_datetime(Time::midnight()).checked_add(since).unwrap_or(DateTime::MAX)
}

/// `2026-01-31T12:00:00.000Z`, the form of the families `sms`, `lookup` and `messaging`.
pub(crate) fn iso(at: u64) -> String {
    moment(at).strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// Milliseconds since 1970 of `2026-01-31T12:00:00Z`, of a time with another offset, or of one without an offset, which is UTC.
pub(crate) fn parse_time(text: &str) -> Option<u64> {
    let moment = match text.parse::<Timestamp>() {
        Ok(moment) => moment.as_millisecond(),
        Err(_) => {
            let time: DateTime = text.parse().ok()?;
            i64::try_from(time.duration_since(EPOCH.to_datetime(Time::midnight())).as_millis()).ok()?
        }
    };
    u64::try_from(moment).ok()
}

/// `2026-01-31 12:00:00`, the form of the family `otp`.
pub(crate) fn plain(at: u64) -> String {
    moment(at).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// A length in milliseconds from `500ms`, `5s`, `10m`, `2h`, `14d`, or a bare number of seconds.
pub(crate) fn parse_length(text: &str) -> Option<u64> {
    read_length(text).filter(|length| *length < 1e15).map(|length| length.round() as u64)
}

/// Like [`parse_length`], but a length that is too large for a clock becomes `u64::MAX`.
pub(crate) fn saturating_length(text: &str) -> Option<u64> {
    read_length(text).map(saturate)
}

/// Rounds to milliseconds; a length that is too large becomes `u64::MAX`.
pub(crate) fn saturate(length: f64) -> u64 {
    length.round() as u64
}

fn read_length(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(digits)?;
    let factor = match unit {
        "ms" => 1.0,
        "" | "s" => 1_000.0,
        "m" | "min" => 60_000.0,
        "h" => 3_600_000.0,
        "d" => 86_400_000.0,
        _ => return None,
    };
    let length = number.parse::<f64>().ok()? * factor;
    length.is_finite().then_some(length)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_two_forms() {
        assert_eq!(iso(1_767_225_600_123), "2026-01-01T00:00:00.123Z");
        assert_eq!(iso(1_767_225_600_000), "2026-01-01T00:00:00.000Z");
        assert_eq!(iso(crate::clock::END), "9999-12-31T23:59:59.999Z");
        assert_eq!(plain(1_767_225_600_123), "2026-01-01 00:00:00");
        assert_eq!(day_of(1_767_225_600_123), parse_date("2026-01-01").unwrap());
        assert_eq!(date_text(parse_date("2024-02-29").unwrap()), "2024-02-29");
        assert_eq!((parse_date("2023-02-29"), parse_date("text")), (None, None));
        assert_eq!(date_text(parse_date("0001-01-01").unwrap()), "0001-01-01");
    }

    #[test]
    fn a_time_without_an_offset_is_utc() {
        let noon = Some(1_767_268_800_000);
        for text in [
            "2026-01-01T12:00:00Z",
            "2026-01-01T14:00:00+02:00",
            "2026-01-01T12:00",
            "2026-01-01T12:00:00.000",
        ] {
            assert_eq!(parse_time(text), noon, "{text}");
        }
        assert_eq!(parse_time("2026-01-01"), Some(1_767_225_600_000));
        for bad in ["", "noon", "2026-13-01T00:00:00Z", "1969-12-31T23:59:59Z", "12:00"] {
            assert_eq!(parse_time(bad), None, "{bad}");
        }
    }

    #[test]
    fn lengths_have_units() {
        assert_eq!(parse_length("14d"), Some(14 * DAY));
        assert_eq!(parse_length("500ms"), Some(500));
        assert_eq!(parse_length("1.5"), Some(1_500));
        assert_eq!(parse_length("5x"), None);
        assert_eq!(parse_length("-5s"), None);
        assert_eq!(parse_length("999999999999999d"), None);
        assert_eq!(saturating_length("999999999999999999d"), Some(u64::MAX));
    }
}
