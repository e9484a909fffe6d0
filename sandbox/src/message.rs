//! Messages as the inbox shows them.

use cpaas::text::{Encoding, SegmentOptions, segments};
use serde_json::{Map, Value, json};

use crate::assumptions::AssumptionSet;
use crate::bounded_log::{MemorySize, member_size};
use crate::random::Id;
use crate::time_text::iso;
use crate::traceparent::Traceparent;

/// The status of a message, spelled as in delivery reports.
pub(crate) type Status = &'static str;

/// The statuses of messages; upper and lower case are not distinguished. Each message of an SMS, a passcode, a chat channel or a handset has
/// one of them.
pub(crate) const STATUSES: [&str; 10] = [
    "accepted",
    "delivered",
    "undelivered",
    "expired",
    "failed",
    "rejected",
    "Created",
    "Ready",
    "Sent",
    "received",
];

/// A message of any channel, to or from a handset.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) id: Id,
    pub(crate) at: u64,
    pub(crate) updated: u64,
    pub(crate) operation: &'static str,
    /// `sms`, `call` or a chat channel.
    pub(crate) channel: &'static str,
    pub(crate) inbound: bool,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) text: String,
    pub(crate) status: Status,
    /// The time of the next status, and that status.
    pub(crate) settles: Option<(u64, Status)>,
    pub(crate) otp: Option<String>,
    pub(crate) reference: Option<Box<str>>,
    pub(crate) traceparent: Option<Traceparent>,
    /// Further members to show: the channel object, voice, language, bulk id, session.
    pub(crate) more: Option<Box<Map<String, Value>>>,
    pub(crate) assumed: AssumptionSet,
    /// Deleted from the inbox; the provider's records still have it.
    pub(crate) hidden: bool,
}

impl MemorySize for Message {
    fn memory_size(&self) -> usize {
        let texts = [&self.from, &self.to, &self.text].map(|text| text.capacity()).iter().sum::<usize>();
        let otp = self.otp.as_ref().map_or(0, String::capacity);
        let reference = self.reference.as_ref().map_or(0, |reference| reference.len());
        let more =
            self.more.iter().flat_map(|more| more.iter()).map(|(name, value)| member_size(name, value));
        size_of::<Self>() + texts + otp + reference + more.sum::<usize>()
    }
}

impl Message {
    pub(crate) fn status_at(&self, now: u64) -> (Status, u64) {
        match self.settles {
            Some((at, status)) if now >= at => (status, at),
            _ => (self.status, self.updated),
        }
    }

    /// Whether the inbox shows this message.
    pub(crate) fn is_shown(&self) -> bool {
        !self.hidden && self.status != "deleted"
    }

    /// Whether `id` is the id of this message, with or without the prefix of its family.
    pub(crate) fn is(&self, id: &str) -> bool {
        let sid = crate::account_state::passcodes::parse_sid;
        Id::parse(id).or_else(|| sid("SM", id)).or_else(|| sid("OTP", id)) == Some(self.id)
    }

    /// Adds a member to show.
    pub(crate) fn add_member(&mut self, name: &str, value: impl Into<Value>) {
        self.more.get_or_insert_default().insert(name.to_owned(), value.into());
    }

    pub(crate) fn show(&self, number: u64, now: u64) -> Value {
        let (status, updated) = self.status_at(now);
        let mut shown = json!({
            "n": number,
            "id": self.id.to_string(),
            "at": iso(self.at),
            "updated": iso(updated),
            "operation": self.operation,
            "channel": self.channel,
            "direction": if self.inbound { "in" } else { "out" },
            "from": self.from,
            "to": self.to,
            "text": self.text,
            "status": status,
            "otp": self.otp,
        });
        if let Value::Object(map) = &mut shown {
            if let Some(reference) = &self.reference {
                map.insert("reference".to_owned(), Value::from(reference.as_ref()));
            }
            if let Some(traceparent) = self.traceparent {
                map.insert("traceparent".to_owned(), Value::from(traceparent.to_string()));
            }
            if matches!(self.channel, "sms") {
                map.extend(segments_of(&self.text));
            }
            map.extend(self.more.iter().flat_map(|more| more.iter()).map(|(k, v)| (k.clone(), v.clone())));
            if !self.assumed.is_empty() {
                map.insert("assumed".to_owned(), self.assumed.ids().map(Value::from).collect());
            }
        }
        shown
    }
}

/// How an SMS is split: `encoding`, `parts` (their number), `units` and `part_texts`.
fn segments_of(text: &str) -> Map<String, Value> {
    let mut shown = Map::new();
    if let Ok(split) = segments(text, &SegmentOptions::default()) {
        let name = if split.encoding == Encoding::Gsm7 { "gsm7" } else { "ucs2" };
        let parts: Vec<&str> = split.parts.iter().filter_map(|part| text.get(part.start..part.end)).collect();
        shown.insert("encoding".to_owned(), Value::from(name));
        shown.insert("parts".to_owned(), Value::from(split.count));
        shown.insert("units".to_owned(), Value::from(split.units));
        shown.insert("part_texts".to_owned(), json!(parts));
    }
    shown
}
