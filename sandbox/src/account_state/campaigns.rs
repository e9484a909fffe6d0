//! The progress of campaigns, counted from the `reference` of their messages: `ID-ROW-ATTEMPT`, with an id of 16
//! hexadecimal digits.

use std::time::Instant;

use serde_json::{Value, json};

use crate::time_text::iso;

/// The maximum number of campaigns; the least recently active one is removed first.
const KEPT: usize = 50;

#[derive(Debug)]
struct Campaign {
    id: Box<str>,
    accepted: u64,
    retries: u64,
    /// The highest row, from 1.
    rows: u64,
    first: u64,
    last: u64,
    /// Real time, for the rate, because a virtual clock may stand still.
    started: Instant,
    active: Instant,
}

/// The campaigns of an account, the most recently active one last.
#[derive(Debug, Default)]
pub(crate) struct Campaigns(Vec<Campaign>);

/// Parses a reference: the id of the campaign, the row from 0 and the attempt from 1.
pub(crate) fn parse_reference(text: &str) -> Option<(&str, u64, u64)> {
    let (id, rest) = text.split_once('-')?;
    let (row, attempt) = rest.split_once('-')?;
    let is_id = id.len() == 16 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_id.then_some(())?;
    Some((id, row.parse().ok()?, attempt.parse().ok()?))
}

impl Campaigns {
    /// Counts an accepted message.
    pub(crate) fn count(&mut self, reference: Option<&str>, now: u64) {
        let Some((id, row, attempt)) = reference.and_then(parse_reference) else { return };
        let mut campaign = match self.0.iter().position(|one| *one.id == *id) {
            Some(index) => self.0.remove(index),
            None => Campaign::new(id, now),
        };
        campaign.accepted += 1;
        campaign.retries += u64::from(attempt > 1);
        campaign.rows = campaign.rows.max(row.saturating_add(1));
        campaign.last = now;
        campaign.active = Instant::now();
        self.0.push(campaign);
        if self.0.len() > KEPT {
            self.0.remove(0);
        }
    }

    /// The campaigns, the most recently active one first; `statuses` returns a campaign's messages by status.
    pub(crate) fn show(&self, statuses: impl Fn(&str) -> Value) -> Vec<Value> {
        self.0.iter().rev().map(|one| one.show(statuses(&one.id))).collect()
    }
}

impl Campaign {
    fn new(id: &str, now: u64) -> Self {
        let started = Instant::now();
        Self {
            id: id.into(),
            accepted: 0,
            retries: 0,
            rows: 0,
            first: now,
            last: now,
            started,
            active: started,
        }
    }

    fn show(&self, statuses: Value) -> Value {
        let seconds = self.active.duration_since(self.started).as_secs_f64();
        // One message has no rate.
        let rate = (seconds > 0.0).then(|| ((self.accepted - 1) as f64 / seconds * 10.0).round() / 10.0);
        json!({
            "id": self.id,
            "accepted": self.accepted,
            "retries": self.retries,
            "rows": self.rows,
            "first": iso(self.first),
            "last": iso(self.last),
            "rate": rate,
            "idle_ms": u64::try_from(self.active.elapsed().as_millis()).unwrap_or(u64::MAX),
            "statuses": statuses,
        })
    }
}
