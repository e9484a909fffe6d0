//! The send window: local times of day between which rows are sent.

use std::fmt;

use jiff::civil::{DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// An interval of every day, in local time. It includes the first minute and excludes the last. If the first minute is after
/// the last, it includes midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    from_minute: u16,
    until_minute: u16,
}

impl Window {
    /// Reads `09:00-20:00`.
    ///
    /// # Errors
    /// When it is not two different times of day.
    pub fn parse(text: &str) -> Result<Self> {
        let times = text.split_once('-').and_then(|(from, until)| Some((minute(from)?, minute(until)?)));
        match times {
            Some((from_minute, until_minute)) if from_minute != until_minute => {
                Ok(Self { from_minute, until_minute })
            }
            _ => {
                Err(Error::Setting("the send window must be two different times such as 09:00-20:00".into()))
            }
        }
    }

    /// The time of day when it opens, such as 09:00.
    #[must_use]
    pub fn opens(&self) -> String {
        format!("{:02}:{:02}", self.from_minute / 60, self.from_minute % 60)
    }

    /// How long the window is open in a day of 24 hours, in seconds.
    #[must_use]
    pub(crate) fn seconds(&self) -> f64 {
        let (from, until) = (self.from_minute, self.until_minute);
        let minutes = if from < until { until - from } else { 24 * 60 - from + until };
        f64::from(minutes) * 60.0
    }

    /// Whether the window is open at a moment in a time zone.
    #[must_use]
    pub fn is_open(&self, at: Timestamp, zone: &TimeZone) -> bool {
        let time = Zoned::new(at, zone.clone()).time();
        let now = minute_of(time);
        if self.from_minute < self.until_minute {
            (self.from_minute..self.until_minute).contains(&now)
        } else {
            now >= self.from_minute || now < self.until_minute
        }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}:{:02}", self.opens(), self.until_minute / 60, self.until_minute % 60)
    }
}

/// The time before which no row of a campaign is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
#[non_exhaustive]
pub enum StartTime {
    /// A moment.
    Moment(Timestamp),
    /// A local time in the time zone of the campaign.
    Local(DateTime),
}

impl StartTime {
    /// Reads RFC 3339, such as `2026-12-01T09:00:00+02:00`, or a local time, such as `2026-12-01T09:00` or `2026-12-01 09:00`.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        let has_time = text.contains([':']);
        let moment = text.parse().ok().map(Self::Moment);
        let found = moment.or_else(|| text.parse().ok().map(Self::Local)).filter(|_| has_time);
        let message =
            "the start must be a time such as 2026-12-01T09:00:00Z, or a local time such as 2026-12-01T09:00";
        found.ok_or_else(|| Error::Setting(message.to_owned()))
    }

    /// The moment, in a time zone. A local time that the zone skips is moved forward; of one that it repeats, the first is taken.
    ///
    /// # Errors
    /// When it is out of the range of times.
    pub fn moment(&self, zone: &TimeZone) -> Result<Timestamp> {
        match self {
            Self::Moment(moment) => Ok(*moment),
            Self::Local(local) => zone
                .to_timestamp(*local)
                .map_err(|_| Error::Setting("the start must be within the range of times".to_owned())),
        }
    }
}

impl From<StartTime> for String {
    fn from(start: StartTime) -> Self {
        match start {
            StartTime::Moment(moment) => moment.to_string(),
            StartTime::Local(local) => local.to_string(),
        }
    }
}

impl TryFrom<String> for StartTime {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        Self::parse(&text)
    }
}

fn minute(text: &str) -> Option<u16> {
    let (hours, minutes) = text.trim().split_once(':')?;
    let (hours, minutes): (u16, u16) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours < 24 && minutes < 60 || hours == 24 && minutes == 0).then_some(hours * 60 + minutes)
}

fn minute_of(time: Time) -> u16 {
    let (hour, minute) = (u16::try_from(time.hour()), u16::try_from(time.minute()));
    hour.unwrap_or_default() * 60 + minute.unwrap_or_default()
}

/// The time zone with an IANA name.
///
/// # Errors
/// When no time zone has this name.
pub fn time_zone(name: &str) -> Result<TimeZone> {
    TimeZone::get(name)
        .map_err(|_| Error::Setting("the time zone must be an IANA name such as Europe/Athens".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_open(window: &str, at: &str, zone: &str) -> bool {
        let zone = time_zone(zone).unwrap();
        Window::parse(window).unwrap().is_open(at.parse().unwrap(), &zone)
    }

    #[test]
    fn the_window_is_local_time() {
        assert!(is_open("09:00-20:00", "2026-07-01T06:00:00Z", "Europe/Athens"), "09:00 in summer");
        assert!(!is_open("09:00-20:00", "2026-01-01T06:00:00Z", "Europe/Athens"), "08:00 in winter");
        assert!(!is_open("09:00-20:00", "2026-07-01T17:00:00Z", "Europe/Athens"), "20:00 is closed");
        assert!(is_open("09:00-20:00", "2026-07-01T16:59:59Z", "Europe/Athens"));
        assert_eq!(Window::parse("9:05-20:00").unwrap().opens(), "09:05");
    }

    #[test]
    fn a_window_is_shown_as_it_is_written_and_has_a_length() {
        for (text, shown, hours) in [
            ("9:00-20:00", "09:00-20:00", 11.0),
            ("22:00-02:30", "22:00-02:30", 4.5),
            ("0:00-24:00", "00:00-24:00", 24.0),
        ] {
            let window = Window::parse(text).unwrap();
            assert_eq!((window.to_string().as_str(), window.seconds()), (shown, hours * 3600.0), "{text}");
        }
    }

    #[test]
    fn a_start_is_a_moment_or_a_local_time() {
        let athens = time_zone("Europe/Athens").unwrap();
        let moment = |text: &str| StartTime::parse(text).unwrap().moment(&athens).unwrap().to_string();
        assert_eq!(moment("2026-12-01T09:00:00Z"), "2026-12-01T09:00:00Z");
        assert_eq!(moment("2026-12-01T09:00:00+05:00"), "2026-12-01T04:00:00Z");
        assert_eq!(moment("2026-12-01T09:00"), "2026-12-01T07:00:00Z", "winter");
        assert_eq!(moment("2026-07-01 09:00:30"), "2026-07-01T06:00:30Z", "summer");
        // The clocks of Athens skip 03:00 to 04:00 on 2026-03-29, and repeat 03:00 to 04:00 on 2026-10-25.
        assert_eq!(moment("2026-03-29T03:30"), "2026-03-29T01:30:00Z");
        assert_eq!(moment("2026-10-25T03:30"), "2026-10-25T00:30:00Z");
        for text in
            ["", "tomorrow", "09:00", "2026-12-01", "2026-13-01T09:00", "2026-12-01T25:00", "1764579600"]
        {
            assert!(StartTime::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_window_may_contain_midnight() {
        assert!(is_open("22:00-02:00", "2026-07-01T23:00:00Z", "UTC"));
        assert!(is_open("22:00-02:00", "2026-07-01T01:59:00Z", "UTC"));
        assert!(!is_open("22:00-02:00", "2026-07-01T02:00:00Z", "UTC"));
    }

    #[test]
    fn only_valid_windows_and_time_zones_are_accepted() {
        for text in ["", "9", "09:00", "09:00-09:00", "25:00-26:00", "09:60-10:00"] {
            assert!(Window::parse(text).is_err(), "{text}");
        }
        assert!(time_zone("Mars/Olympus").is_err());
        assert!(is_open("00:00-24:00", "2026-07-01T02:00:00Z", "UTC"));
    }
}
