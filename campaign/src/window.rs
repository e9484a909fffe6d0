//! The send window: local times of day between which rows are sent.

use jiff::civil::Time;
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
