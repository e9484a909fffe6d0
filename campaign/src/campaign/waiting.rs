//! Why a campaign sends no row at a moment, and when it will have sent all.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Unit};

use crate::journal::{CampaignRecord, Settings, State};
use crate::protocol::ProbeTimes;
use crate::window::time_zone;

/// An end further away than a year, in seconds, says nothing.
const LONGEST_S: f64 = 31_536_000.0;

/// The reason, with which a line that begins with "waiting" ends; `None` if rows are sent.
pub(super) fn reason(campaign: &CampaignRecord, now_us: i64) -> Option<String> {
    if campaign.state != State::Active || campaign.counts.pending == 0 {
        return None;
    }
    start(campaign, now_us).or_else(|| closed_window(campaign)).or_else(|| outage(campaign, now_us)).or_else(
        || {
            let left = campaign.backs_off(now_us)?;
            Some(format!("{} s, because the provider limits the rate", seconds(left)))
        },
    )
}

fn start(campaign: &CampaignRecord, now_us: i64) -> Option<String> {
    let left = campaign.begins_in(now_us)?;
    let name = campaign.settings.time_zone.as_deref().unwrap_or("UTC");
    let zone = time_zone(name).unwrap_or(TimeZone::UTC);
    let start = Timestamp::from_microsecond(now_us.saturating_add(left)).ok()?.to_zoned(zone);
    Some(format!("until {} {name}", start.strftime("%Y-%m-%d %H:%M")))
}

/// When this many rows will have an outcome at this rate (rows per second), in UTC. Send windows of rows are not known here, only that
/// of the campaign.
pub(super) fn end(settings: &Settings, left: i64, rate: f64) -> Option<String> {
    #[allow(clippy::cast_precision_loss)] // Fewer rows than a float counts exactly.
    let seconds = (left as f64 / rate).ceil();
    #[allow(clippy::cast_possible_truncation)]
    let seconds = (seconds <= LONGEST_S).then_some(seconds as i64)?;
    let zone = settings.time_zone.as_deref().map_or(Some(TimeZone::UTC), |name| time_zone(name).ok())?;
    let open = SignedDuration::from_secs(seconds);
    let end = match settings.window {
        None => Timestamp::now().checked_add(open).ok()?,
        Some(window) => window.after_open_time(Timestamp::now(), open, &zone)?,
    };
    Some(end.round(Unit::Second).ok()?.to_string())
}

fn closed_window(campaign: &CampaignRecord) -> Option<String> {
    let window = campaign.settings.window?;
    let name = campaign.settings.time_zone.as_deref().unwrap_or("UTC");
    let zone = time_zone(name).unwrap_or(TimeZone::UTC);
    (!window.is_open(Timestamp::now(), &zone)).then(|| format!("until {} {name}", window.opens()))
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
