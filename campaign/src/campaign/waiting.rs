//! Why a campaign sends no row at a moment, and when it will have sent all.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Unit};

use crate::cpaas_calls::SUPPRESSION_UNAVAILABLE;
use crate::journal::{CampaignRecord, Settings, State};
use crate::protocol::ProbeTimes;
use crate::suppression::store_name;
use crate::window::time_zone;

/// An end further away than a year, in seconds, says nothing.
const LONGEST_S: f64 = 31_536_000.0;

/// The reason, with which a line that begins with "waiting" ends; `None` if rows are sent.
/// `store_place` is the name of the suppression store.
pub(super) fn reason(campaign: &CampaignRecord, now_us: i64, store_place: Option<&str>) -> Option<String> {
    if campaign.state != State::Active || campaign.counts.pending == 0 {
        return None;
    }
    start(campaign, now_us)
        .or_else(|| closed_window(&campaign.settings, Timestamp::now()))
        .or_else(|| outage(campaign, now_us))
        .or_else(|| {
            let has_failed_store = campaign.refusal() == Some(SUPPRESSION_UNAVAILABLE);
            let left = campaign.backs_off(now_us).or(has_failed_store.then_some(0))?;
            let cause = match campaign.refusal() {
                Some(SUPPRESSION_UNAVAILABLE) => format!("{} failed", store_name(store_place)),
                Some(_) => "the guard of the client refused a row".to_owned(),
                None => "the provider limits the rate".to_owned(),
            };
            Some(format!("{} s, because {cause}", seconds(left)))
        })
}

fn start(campaign: &CampaignRecord, now_us: i64) -> Option<String> {
    let left = campaign.begins_in(now_us)?;
    let name = campaign.settings.time_zone.as_deref().unwrap_or("UTC");
    let zone = time_zone(name).unwrap_or(TimeZone::UTC);
    let start = Timestamp::from_microsecond(now_us.saturating_add(left)).ok()?.to_zoned(zone);
    Some(format!("until {} {name}", start.strftime("%Y-%m-%d %H:%M")))
}

/// When this many rows will have an outcome at this rate (rows per second), in UTC. Of rows in several time zones, each zone counts as
/// having as many.
pub(super) fn end(settings: &Settings, left: i64, rate: f64) -> Option<String> {
    #[allow(clippy::cast_precision_loss)] // Fewer rows than a float counts exactly.
    let seconds = (left as f64 / rate).ceil();
    #[allow(clippy::cast_possible_truncation)]
    let seconds = (seconds <= LONGEST_S).then_some(seconds as i64)?;
    let open = SignedDuration::from_secs(seconds);
    let end = match settings.window {
        None => Timestamp::now().checked_add(open).ok()?,
        Some(window) => {
            let zones: Vec<_> = zones(settings).collect();
            let share = open / i32::try_from(zones.len()).ok()?.max(1);
            window
                .end_of_rows(Timestamp::now(), zones.into_iter().map(|(_, zone)| (zone, share)).collect())?
        }
    };
    Some(end.round(Unit::Second).ok()?.to_string())
}

/// The time zones of the rows, with their names.
fn zones(settings: &Settings) -> impl Iterator<Item = (&str, TimeZone)> {
    let of_campaign = settings.time_zone.as_deref().unwrap_or("UTC");
    let of_rows = settings.row_time_zones.iter().map(String::as_str);
    let names = of_rows.chain(settings.row_time_zones.is_empty().then_some(of_campaign));
    names.map(|name| (name, time_zone(name).unwrap_or(TimeZone::UTC)))
}

/// When the window opens next in one of the time zones of the rows, if it is closed in all of them.
fn closed_window(settings: &Settings, now: Timestamp) -> Option<String> {
    let window = settings.window?;
    let mut next: Option<(Timestamp, &str)> = None;
    for (name, zone) in zones(settings) {
        if window.is_open(now, &zone) {
            return None;
        }
        let opening = window.next_opening(now, &zone)?;
        if next.is_none_or(|(earliest, _)| opening < earliest) {
            next = Some((opening, name));
        }
    }
    next.map(|(_, name)| format!("until {} {name}", window.opens()))
}

fn outage(campaign: &CampaignRecord, now_us: i64) -> Option<String> {
    let outage = campaign.outage.is_open().then_some(&campaign.outage)?;
    let reason = campaign.outage_reason.as_deref().unwrap_or("no answer");
    Some(match outage.wait_us(now_us, &ProbeTimes::default()) {
        _ if outage.probe.is_some() => format!("for the provider ({reason}): one row is being tried"),
        left => format!("for the provider ({reason}): the next try is in {} s", seconds(left)),
    })
}

/// Microseconds as seconds, rounded up.
const fn seconds(us: i64) -> i64 {
    us.saturating_add(999_999) / 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::Window;

    #[test]
    fn a_closed_window_waits_for_the_first_time_zone_of_the_rows() {
        let reason = |zones: &[&str], now: &str| {
            let settings = Settings {
                window: Some(Window::parse("09:00-20:00").unwrap()),
                time_zone: Some("Europe/Athens".to_owned()),
                row_time_zones: zones.iter().map(|zone| (*zone).to_owned()).collect(),
                ..Settings::default()
            };
            closed_window(&settings, now.parse().unwrap())
        };
        let some = |text: &str| Some(text.to_owned());
        // Athens is three hours ahead of UTC in July, New York is four hours behind, Tokyo is nine ahead.
        let zones = ["America/New_York", "Asia/Tokyo"];
        assert_eq!(reason(&zones, "2026-07-01T11:30:00Z"), some("until 09:00 America/New_York"));
        assert_eq!(reason(&zones, "2026-07-01T23:59:00Z"), None, "19:59 in New York");
        assert_eq!(
            reason(&["Asia/Tokyo"], "2026-07-01T11:00:00Z"),
            some("until 09:00 Asia/Tokyo"),
            "20:00 in Tokyo"
        );
        assert_eq!(reason(&zones, "2026-07-01T00:30:00Z"), None, "09:30 in Tokyo");
        assert_eq!(
            reason(&["Europe/Athens", "Asia/Tokyo"], "2026-07-01T18:00:00Z"),
            some("until 09:00 Asia/Tokyo")
        );
        // The zone of the campaign counts only if rows have it.
        assert_eq!(reason(&[], "2026-07-01T11:30:00Z"), None);
        assert_eq!(reason(&[], "2026-07-01T18:00:00Z"), some("until 09:00 Europe/Athens"));
    }
}
