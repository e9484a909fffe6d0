//! The send window: local times of day between which rows are sent.

use std::fmt;

use jiff::civil::{DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
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

    /// The first moment at or after `from` at which the window opens.
    pub(crate) fn next_opening(&self, from: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        next(from.checked_sub(SignedDuration::from_nanos(1)).ok()?, self.from_minute, zone)
    }

    /// The moment after which the rows of all time zones are sent, each within the window of its zone. `left` is the time that the rows of
    /// a zone take; rows of one zone at a time are sent, first those whose window closes first. `None` if the moment is further away
    /// than two years.
    pub(crate) fn end_of_rows(
        &self,
        from: Timestamp,
        left: Vec<(TimeZone, SignedDuration)>,
    ) -> Option<Timestamp> {
        let last = from.checked_add(SignedDuration::from_hours(2 * 366 * 24)).ok()?;
        let zones = left.into_iter().map(|(zone, left)| self.zone_rows(from, zone, left));
        let mut zones = zones.collect::<Option<Vec<_>>>()?;
        let mut now = from;
        loop {
            zones.retain(|rows| rows.left.is_positive());
            zones.sort_by_key(|rows| rows.changes);
            let Some(first) = zones.first().map(|rows| rows.changes) else { return Some(now) };
            if first > last {
                return None;
            }
            let mut free = first.duration_since(now);
            for rows in zones.iter_mut().filter(|rows| rows.is_open) {
                let sent = free.min(rows.left);
                rows.left -= sent;
                free -= sent;
            }
            let is_end = zones.iter().all(|rows| rows.left.is_zero());
            now = if is_end { first.checked_sub(free).ok()? } else { first };
            for rows in zones.iter_mut().take_while(|rows| rows.changes == now) {
                (rows.is_open, rows.changes) = self.state(now, &rows.zone)?;
            }
        }
    }

    fn zone_rows(&self, now: Timestamp, zone: TimeZone, left: SignedDuration) -> Option<ZoneRows> {
        let (is_open, changes) = self.state(now, &zone)?;
        Some(ZoneRows { zone, left, is_open, changes })
    }

    /// Whether the window is open, and when that changes.
    fn state(&self, now: Timestamp, zone: &TimeZone) -> Option<(bool, Timestamp)> {
        let is_open = self.is_open(now, zone);
        Some((is_open, next(now, if is_open { self.until_minute } else { self.from_minute }, zone)?))
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

/// The rows of one time zone.
struct ZoneRows {
    zone: TimeZone,
    /// How long the rows take that are not sent.
    left: SignedDuration,
    is_open: bool,
    /// When the window opens or closes next.
    changes: Timestamp,
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

/// The next moment with this local time of day.
fn next(after: Timestamp, minute: u16, zone: &TimeZone) -> Option<Timestamp> {
    let (hour, minute) = (i8::try_from(minute / 60 % 24).ok()?, i8::try_from(minute % 60).ok()?);
    let time = Time::new(hour, minute, 0, 0).ok()?;
    let mut date = Zoned::new(after, zone.clone()).date();
    loop {
        let at = date.to_datetime(time).to_zoned(zone.clone()).ok()?.timestamp();
        if at > after {
            return Some(at);
        }
        date = date.tomorrow().ok()?;
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

impl std::str::FromStr for Window {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl std::str::FromStr for StartTime {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
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
    fn a_window_is_shown_as_it_is_written() {
        for (text, shown) in
            [("9:00-20:00", "09:00-20:00"), ("22:00-02:30", "22:00-02:30"), ("0:00-24:00", "00:00-24:00")]
        {
            assert_eq!(Window::parse(text).unwrap().to_string(), shown, "{text}");
        }
    }

    #[test]
    fn the_next_opening_is_a_local_time() {
        let next = |window: &str, from: &str| {
            let zone = time_zone("Europe/Athens").unwrap();
            let window = Window::parse(window).unwrap();
            window.next_opening(from.parse().unwrap(), &zone).unwrap().to_string()
        };
        assert_eq!(next("09:00-20:00", "2026-07-01T06:00:00Z"), "2026-07-01T06:00:00Z", "it opens now");
        assert_eq!(next("09:00-20:00", "2026-07-01T06:00:01Z"), "2026-07-02T06:00:00Z");
        assert_eq!(next("09:00-20:00", "2026-10-24T12:00:00Z"), "2026-10-25T07:00:00Z", "winter");
        assert_eq!(next("00:00-24:00", "2026-07-01T20:00:00Z"), "2026-07-01T21:00:00Z");
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
    fn the_end_of_a_campaign_counts_only_open_time() {
        let end = |window: &str, from: &str, hours: i64, zone: &str| {
            let (zone, open) = (time_zone(zone).unwrap(), SignedDuration::from_hours(hours));
            let end = Window::parse(window).unwrap().end_of_rows(from.parse().unwrap(), vec![(zone, open)]);
            end.map(|end| end.to_string())
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(end("09:00-20:00", "2026-07-01T10:00:00Z", 3, "UTC"), some("2026-07-01T13:00:00Z"));
        assert_eq!(end("09:00-20:00", "2026-07-01T18:30:00Z", 3, "UTC"), some("2026-07-02T10:30:00Z"));
        assert_eq!(end("09:00-20:00", "2026-07-01T03:00:00Z", 1, "UTC"), some("2026-07-01T10:00:00Z"));
        assert_eq!(end("22:00-02:00", "2026-07-01T12:00:00Z", 6, "UTC"), some("2026-07-03T00:00:00Z"));
        assert_eq!(end("00:00-24:00", "2026-07-01T12:00:00Z", 48, "UTC"), some("2026-07-03T12:00:00Z"));
        // Clocks go back by an hour on 2026-10-25, so 09:00 is an hour later in UTC.
        let athens = end("09:00-10:00", "2026-10-24T06:00:00Z", 2, "Europe/Athens");
        assert_eq!(athens, some("2026-10-25T08:00:00Z"));
        assert_eq!(end("09:00-09:01", "2026-07-01T12:00:00Z", 24, "UTC"), None, "years");
    }

    #[test]
    fn rows_of_several_time_zones_are_sent_in_the_windows_of_their_zones() {
        let end = |window: &str, from: &str, zones: &[(&str, i64)]| {
            let left = zones
                .iter()
                .map(|(zone, minutes)| (time_zone(zone).unwrap(), SignedDuration::from_mins(*minutes)));
            let end = Window::parse(window).unwrap().end_of_rows(from.parse().unwrap(), left.collect());
            end.map(|end| end.to_string())
        };
        let some = |text: &str| Some(text.to_owned());
        let (athens, york) = ("Europe/Athens", "America/New_York");
        // In July, 09:00 in Athens is 06:00 in UTC, and 09:00 in New York is 13:00.
        let nine = "2026-07-01T06:00:00Z";
        assert_eq!(end("09:00-12:00", nine, &[(athens, 1), (york, 1)]), some("2026-07-01T13:01:00Z"));
        assert_eq!(end("09:00-12:00", nine, &[(athens, 200), (york, 1)]), some("2026-07-02T06:20:00Z"));
        // Both are open from 13:00 to 17:00. They share the rate, and Athens closes first.
        assert_eq!(end("09:00-20:00", nine, &[(athens, 600), (york, 60)]), some("2026-07-01T17:00:00Z"));
        assert_eq!(end("09:00-20:00", nine, &[(athens, 660), (york, 660)]), some("2026-07-02T17:00:00Z"));
        assert_eq!(end("09:00-20:00", nine, &[(york, 60), (athens, 0)]), some("2026-07-01T14:00:00Z"));
        assert_eq!(end("09:00-20:00", nine, &[]), some(nine));
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
