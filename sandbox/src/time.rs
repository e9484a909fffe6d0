//! Points in time as milliseconds since 1970, their two text forms, and lengths such as `14d`.

/// A day in milliseconds.
pub(crate) const DAY: u64 = 86_400_000;

/// The calendar date of a day number since 1970-01-01.
pub(crate) fn civil(day: i64) -> (i64, u32, u32) {
    let z = day + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let date = u32::try_from(doy - (153 * mp + 2) / 5 + 1).unwrap_or_default();
    (yoe + era * 400 + i64::from(month <= 2), u32::try_from(month).unwrap_or_default(), date)
}

/// The day number of a calendar date.
pub(crate) fn day_number(year: i64, month: u32, date: u32) -> i64 {
    let y = year - i64::from(month <= 2);
    let era = y.div_euclid(400);
    let yoe = y.rem_euclid(400);
    let mp = i64::from(if month > 2 { month - 3 } else { month + 9 });
    let doy = (153 * mp + 2) / 5 + i64::from(date) - 1;
    era * 146_097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719_468
}

/// `2026-01-31` for a day number.
pub(crate) fn date(day: i64) -> String {
    let (year, month, date) = civil(day);
    format!("{year:04}-{month:02}-{date:02}")
}

/// The day number of `2026-01-31`; `None` for anything else.
pub(crate) fn parse_date(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let mut part = |width: usize| {
        parts.next().filter(|part| part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let (year, month, day) = (part(4)?.parse().ok()?, part(2)?.parse().ok()?, part(2)?.parse().ok()?);
    let number = day_number(year, month, day);
    (parts.next().is_none() && civil(number) == (year, month, day)).then_some(number)
}

/// The day number of a point in time.
pub(crate) fn day_of(at: u64) -> i64 {
    i64::try_from(at / DAY).unwrap_or(i64::MAX)
}

/// `2026-01-31T12:00:00.000Z`, the form of families B, C and D.
pub(crate) fn iso(at: u64) -> String {
    let (year, month, date) = civil(day_of(at));
    let rest = at % DAY;
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, milli) = (rest / 1_000 % 60, rest % 1_000);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// `2026-01-31 12:00:00`, the form of family A.
pub(crate) fn plain(at: u64) -> String {
    let (year, month, date) = civil(day_of(at));
    let rest = at % DAY / 1_000;
    format!("{year:04}-{month:02}-{date:02} {:02}:{:02}:{:02}", rest / 3_600, rest / 60 % 60, rest % 60)
}

/// A length in milliseconds from `500ms`, `5s`, `10m`, `2h`, `14d`, or a bare number of seconds.
pub(crate) fn parse_length(text: &str) -> Option<u64> {
    read_length(text).filter(|length| *length < 1e15).map(|length| length.round() as u64)
}

/// The same, where a length may be too large for any clock.
pub(crate) fn saturating_length(text: &str) -> Option<u64> {
    read_length(text).map(saturate)
}

/// Milliseconds; what is too large becomes the largest.
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
    fn dates_survive_the_round_trip() {
        for day in (-800_000..800_000).step_by(13) {
            let (year, month, date) = civil(day);
            assert_eq!(day_number(year, month, date), day);
        }
        assert_eq!(iso(1_767_225_600_123), "2026-01-01T00:00:00.123Z");
        assert_eq!(plain(1_767_225_600_123), "2026-01-01 00:00:00");
        assert_eq!(date(parse_date("2024-02-29").unwrap()), "2024-02-29");
        for bad in ["2023-02-29", "2024-13-01", "2024-1-01", "24-01-01", "2024-01-01-", "", "text"] {
            assert_eq!(parse_date(bad), None, "{bad}");
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
