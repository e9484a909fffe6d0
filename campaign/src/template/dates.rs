//! The filter `date`: dates and times in the form of `strftime`.

use jiff::civil::Time;
use jiff::fmt::strtime::{self, BrokenDownTime};
use jiff::fmt::temporal::Pieces;
use jiff::tz::TimeZone;
use minijinja::{Error, ErrorKind, Value};

/// Why the filter failed. The messages quote no value.
#[derive(Debug, thiserror::Error)]
pub(super) enum DateError {
    /// The value is not a date or a time.
    #[error("must be a date or a time as in RFC 3339, such as 2026-03-01 or 2026-03-01T09:30:00+02:00")]
    Value,
    /// The format is not valid, or needs what the value does not have.
    #[error("the format must have conversions of strftime that the value has, such as %d %B %Y")]
    Format,
}

/// Writes a date, a time, or both with a format of `strftime`, with English names. A time with an offset is written in the local time of
/// this offset.
pub(super) fn date(value: &Value, format: &str) -> Result<String, Error> {
    if value.is_undefined() {
        return Err(ErrorKind::UndefinedError.into());
    }
    let time = value.as_str().and_then(|text| parsed(text.trim())).ok_or_else(|| failed(DateError::Value))?;
    strtime::format(format, time).map_err(|_| failed(DateError::Format))
}

fn parsed(text: &str) -> Option<BrokenDownTime> {
    let Ok(pieces) = Pieces::parse(text) else {
        return text.parse::<Time>().ok().map(BrokenDownTime::from);
    };
    let Some(time) = pieces.time() else { return Some(pieces.date().into()) };
    let time = pieces.date().to_datetime(time);
    match pieces.to_numeric_offset() {
        Some(offset) => Some((&time.to_zoned(TimeZone::fixed(offset)).ok()?).into()),
        None => Some(time.into()),
    }
}

fn failed(reason: DateError) -> Error {
    Error::new(ErrorKind::InvalidOperation, "date").with_source(reason)
}
