//! Rows with time zones of their own: the journal knows which there are, so that a status says when the window opens first.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use crate::support::{Scratch, messages, phone};
use cpaas_campaign::campaign::{self, status};
use cpaas_campaign::journal::Settings;
use cpaas_campaign::source::IteratorSource;
use cpaas_campaign::{ChangeDescription, StartTime, Window, blocking};
use serde_json::{Value, json};

/// A window of two hours that begins in this number of hours, in UTC.
fn window(hours: i64) -> String {
    let opens = Timestamp::now().checked_add(SignedDuration::from_hours(hours)).unwrap();
    let hour = opens.to_zoned(TimeZone::UTC).hour();
    format!("{hour:02}:00-{:02}:00", (hour + 2) % 24)
}

fn waiting(zones: &[Value], time_zone: Option<&str>, window: &str) -> Option<String> {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let rows = zones.iter().enumerate().map(|(row, zone)| {
        let row = json!({"phone": phone(row as u64), "name": "N", "zone": zone});
        row.as_object().unwrap().clone()
    });
    let mut messages = messages();
    messages.time_zone_column = Some("zone".to_owned());
    let mut settings = Settings::default().window(Window::parse(window).unwrap());
    settings.time_zone = time_zone.map(str::to_owned);
    let mut source = IteratorSource(rows.collect::<Vec<_>>().into_iter());
    let _ = blocking::create(&mut journal, "c", &mut source, &messages, settings, None).unwrap();
    // A change of settings keeps the time zones.
    let changes: ChangeDescription = serde_json::from_value(json!({"rate": 5.0})).unwrap();
    campaign::set(&mut journal, "c", &changes.compile().unwrap()).unwrap();
    status(&mut journal, "c").unwrap().waiting
}

#[test]
fn a_status_names_the_first_opening_of_all_rows() {
    let window = window(3);
    let opens = window.split_once('-').unwrap().0.to_owned();
    // Zones without clock changes. `Etc/GMT-1` is one hour ahead of UTC, so its window opens one hour earlier.
    let zones = [json!("Etc/GMT+2"), json!("Etc/GMT-1"), json!("UTC")];
    assert_eq!(waiting(&zones, None, &window), Some(format!("until {opens} Etc/GMT-1")));
    // The zone of the campaign counts if a row has none of its own, and only then.
    let first = Some(format!("until {opens} Etc/GMT-2"));
    assert_eq!(waiting(&[zones[0].clone(), json!("")], Some("Etc/GMT-2"), &window), first);
    let only = Some(format!("until {opens} Etc/GMT+2"));
    assert_eq!(waiting(&zones[..1], Some("Etc/GMT-2"), &window), only);
    // In a zone that is three hours ahead, the window is open now.
    assert_eq!(waiting(&[zones[0].clone(), json!("Etc/GMT-3")], None, &window), None);
}

#[test]
fn a_start_in_the_future_is_the_reason_before_the_window() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let mut settings = Settings::default().window(Window::parse(&window(3)).unwrap());
    settings.start_at = Some(StartTime::parse("2999-01-01T09:00:00Z").unwrap());
    let mut source = crate::support::rows(1);
    let _ = blocking::create(&mut journal, "c", &mut source, &messages(), settings, None).unwrap();
    assert_eq!(status(&mut journal, "c").unwrap().waiting.as_deref(), Some("until 2999-01-01 09:00 UTC"));
}
