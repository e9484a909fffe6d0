//! Passcodes with their checks and deliveries.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::assumptions::AssumptionSet;
use crate::bounded_log::{BoundedLog, MemorySize};
use crate::random::Id;
use crate::time_text::plain;
use crate::traceparent::Traceparent;

// The statuses, spelled as in the records (D06).
pub(crate) const PENDING: &str = "pending";
pub(crate) const SUCCESS: &str = "success";
pub(crate) const EXPIRED: &str = "expired";
pub(crate) const CANCELED: &str = "canceled";

/// One passcode.
#[derive(Debug, Clone)]
pub(crate) struct Otp {
    pub(crate) id: Id,
    pub(crate) service: String,
    pub(crate) sender: String,
    pub(crate) to: String,
    pub(crate) code: String,
    pub(crate) created: u64,
    pub(crate) updated: u64,
    pub(crate) expires: u64,
    /// How long after its creation it stays valid if a newer passcode is sent (D09), in milliseconds.
    pub(crate) guard: Option<u64>,
    pub(crate) status: &'static str,
    pub(crate) checks: Vec<Check>,
    pub(crate) events: Vec<Sent>,
}

/// A submitted code.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    pub(crate) sid: String,
    pub(crate) at: u64,
    pub(crate) valid: bool,
    pub(crate) code: String,
}

/// A delivery over a channel.
#[derive(Debug, Clone)]
pub(crate) struct Sent {
    pub(crate) sid: String,
    pub(crate) at: u64,
    pub(crate) channel: &'static str,
    pub(crate) target: String,
    pub(crate) status: &'static str,
    pub(crate) error: Option<(&'static str, &'static str)>,
}

/// Writes an id as its prefix and 32 digits.
pub(crate) fn sid(prefix: &str, id: Id) -> String {
    format!("{prefix}{:016x}{:016x}", id.0, id.1)
}

/// Reads an id that [`sid`] has written.
pub(crate) fn parse_sid(prefix: &str, text: &str) -> Option<Id> {
    let digits = text.strip_prefix(prefix).filter(|digits| digits.len() == 32)?;
    let half = |text: &str| u64::from_str_radix(text, 16).ok();
    let (high, low) = digits.split_at_checked(16)?;
    Some(Id(half(high)?, half(low)?))
}

impl MemorySize for Otp {
    fn memory_size(&self) -> usize {
        let texts = [&self.service, &self.sender, &self.to, &self.code];
        // `Otps::open` contains service and recipient a second time; doubling all texts is an upper bound.
        let texts: usize = texts.iter().map(|text| 2 * text.capacity()).sum();
        let checks =
            self.checks.iter().map(|check| size_of::<Check>() + check.sid.capacity() + check.code.capacity());
        let events =
            self.events.iter().map(|sent| size_of::<Sent>() + sent.sid.capacity() + sent.target.capacity());
        size_of::<Self>() + texts + checks.sum::<usize>() + events.sum::<usize>()
    }
}

impl Otp {
    /// The status at a point in time, and since when.
    pub(crate) fn status_at(&self, now: u64) -> (&'static str, u64) {
        if self.status == PENDING && now >= self.expires {
            (EXPIRED, self.expires)
        } else {
            (self.status, self.updated)
        }
    }

    pub(crate) fn sid(&self) -> String {
        sid("OTP", self.id)
    }

    /// The record (A5).
    pub(crate) fn show(&self, account: &str, now: u64) -> Value {
        let (status, updated) = self.status_at(now);
        let sid = self.sid();
        json!({
            "uri": format!("/2fa/search/{sid}"),
            "sid": sid,
            "service": self.service,
            "accountSid": account,
            "dateCreated": plain(self.created),
            "dateUpdated": plain(updated),
            "status": status,
            "checks": self.checks.iter().map(Check::show).collect::<Vec<_>>(),
            "events": self.events.iter().map(|sent| sent.show(self)).collect::<Vec<_>>(),
        })
    }
}

impl Check {
    fn show(&self) -> Value {
        json!({
            "sid": self.sid,
            "dateReceived": plain(self.at),
            "status": if self.valid { "valid" } else { "invalid" },
            "code": self.code,
        })
    }
}

impl Sent {
    fn show(&self, otp: &Otp) -> Value {
        json!({
            "sid": self.sid,
            "dateCreated": plain(self.at),
            "channel": self.channel,
            "sender": otp.sender,
            "recipient": otp.to,
            "targetSid": self.target,
            "channelStatus": self.status,
            "channelErrorCode": self.error.map(|error| error.0),
            "channelErrorMessage": self.error.map(|error| error.1),
        })
    }
}

/// All passcodes of an account, at most `limit`; the oldest is evicted first.
pub(crate) struct Otps {
    pub(crate) records: BoundedLog<Otp>,
    limit: usize,
    by_id: HashMap<Id, u64>,
    /// The passcodes that may still be pending, by service and recipient.
    pub(crate) open: HashMap<(String, String), Vec<u64>>,
}

impl Otps {
    pub(crate) fn new(limit: usize) -> Self {
        Self { records: BoundedLog::new(limit), limit, by_id: HashMap::new(), open: HashMap::new() }
    }

    pub(crate) fn add(&mut self, otp: Otp) -> u64 {
        if self.records.len() >= self.limit {
            self.evict();
        }
        let (id, key) = (otp.id, (otp.service.clone(), otp.to.clone()));
        let number = self.records.push(otp);
        self.by_id.insert(id, number);
        self.open.entry(key).or_default().push(number);
        number
    }

    /// Removes the oldest passcode.
    pub(crate) fn evict(&mut self) {
        let Some(otp) = self.records.evict() else { return };
        let Some(number) = self.by_id.remove(&otp.id) else { return };
        let key = (otp.service, otp.to);
        if let Some(numbers) = self.open.get_mut(&key) {
            numbers.retain(|one| *one != number);
            if numbers.is_empty() {
                self.open.remove(&key);
            }
        }
    }

    /// Updates the size of a passcode that has a new check or event.
    pub(crate) fn remeasure(&mut self, sid: &str) {
        if let Some(number) = parse_sid("OTP", sid).and_then(|id| self.by_id.get(&id)) {
            self.records.remeasure(*number);
        }
    }

    /// Ends the earlier passcodes of a service and a recipient: after their guard time, or now without one (D10).
    pub(crate) fn supersede(&mut self, service: &str, to: &str, now: u64) {
        let Some(numbers) = self.open.get_mut(&(service.to_owned(), to.to_owned())) else { return };
        let records = &mut self.records;
        numbers.retain(|number| {
            let Some(otp) = records.get_mut(*number) else { return false };
            if otp.status_at(now).0 != PENDING {
                return false;
            }
            match otp.guard {
                Some(guard) => otp.expires = otp.expires.min(otp.created.saturating_add(guard)),
                None => {
                    otp.status = CANCELED;
                    otp.updated = now;
                }
            }
            otp.status_at(now).0 == PENDING
        });
        if numbers.is_empty() {
            self.open.remove(&(service.to_owned(), to.to_owned()));
        }
    }

    pub(crate) fn find(&self, sid: &str) -> Option<&Otp> {
        self.records.get(*self.by_id.get(&parse_sid("OTP", sid)?)?)
    }

    pub(crate) fn find_mut(&mut self, sid: &str) -> Option<&mut Otp> {
        self.records.get_mut(*self.by_id.get(&parse_sid("OTP", sid)?)?)
    }
}

/// The message with a passcode, and how to send it.
#[derive(Debug, Clone)]
pub(crate) struct PasscodeMessage {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) text: String,
    pub(crate) code: String,
    pub(crate) language: Option<String>,
    pub(crate) voice: Option<String>,
    pub(crate) traceparent: Option<Traceparent>,
    pub(crate) assumptions: AssumptionSet,
}
