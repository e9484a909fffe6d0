//! The statuses of a message after its acceptance (D43).

use serde_json::{Value, json};

use crate::account_state::State;
use crate::account_state::chat_progress::{Chain, Step};
use crate::assumptions::{AssumptionId, AssumptionSet};
use crate::callbacks::Delivery;
use crate::log_entries::Event;
use crate::magic_numbers::Magic;
use crate::message::{Message, Status};
use crate::time_text::DAY;
use crate::timers::Timer;

/// The default time limit of a delivery, in milliseconds.
const DEFAULT_TTL: u64 = 14 * DAY;
/// The time after which a message that is still `Created` is deleted, in milliseconds.
const CREATED_LIFETIME: u64 = 60 * DAY;

/// The codes of D53.
pub(crate) const OK: i64 = 0;
pub(crate) const UNDELIVERED: i64 = 911;
pub(crate) const EXPIRED: i64 = 912;
pub(crate) const NOT_SUBSCRIBED: i64 = 913;
pub(crate) const SESSION_ENDED: i64 = 914;
pub(crate) const FAILED: i64 = 990;

/// The statuses of a message, which depend on its channel and its recipient.
pub(crate) fn steps(channel: &str, content: &Value, magic: Option<Magic>, pause: u64) -> Vec<Step> {
    let sent = (pause, "Sent", OK);
    let ttl = content.get("ttl").and_then(Value::as_u64).filter(|_| channel == "messenger_b");
    let ttl = ttl.map_or(DEFAULT_TTL, |seconds| seconds.saturating_mul(1_000));
    let session = channel == "messenger_b" && content.get("type").and_then(Value::as_str) == Some("session");
    match magic {
        Some(Magic::Stuck) => Vec::new(),
        _ if channel == "messenger_c" => vec![sent],
        Some(Magic::NotSubscribed) if session => vec![(pause, "Failed", NOT_SUBSCRIBED)],
        Some(Magic::Failed) => vec![sent, (2 * pause, "Failed", FAILED)],
        Some(Magic::Undelivered | Magic::Unassigned) => vec![sent, (2 * pause, "Failed", UNDELIVERED)],
        Some(Magic::Absent | Magic::Expired) => vec![sent, (ttl, "expired", EXPIRED)],
        _ => vec![sent, (2 * pause, "Delivered", OK)],
    }
}

impl State {
    /// Stores a message and schedules its statuses.
    pub(super) fn launch(&mut self, message: Message, steps: Vec<Step>, failover: Option<u64>) -> u64 {
        let now = message.at;
        let stuck = message.status == "Created";
        let number = self.store_message(message, 0);
        if stuck {
            self.timers.set(now + CREATED_LIFETIME, Timer::Purge(number));
        }
        for (after, ..) in &steps {
            self.timers.set(now + after, Timer::ChatStep(number));
        }
        if !steps.is_empty() || failover.is_some() {
            self.chains.insert(number, Chain { steps: steps.into(), failover });
        }
        number
    }

    /// Applies the next scheduled status of a message.
    pub(crate) fn chat_step(&mut self, number: u64) {
        let Some(chain) = self.chains.get_mut(&number) else { return };
        let Some((_, status, code)) = chain.steps.pop_front() else { return };
        if chain.steps.is_empty() && chain.failover.is_none() {
            self.chains.remove(&number);
        }
        self.chat_status(number, status, code);
    }

    /// Changes the status of a message and reports it.
    pub(crate) fn chat_status(&mut self, number: u64, status: Status, code: i64) {
        let now = self.clock.now();
        let Some(message) = self.messages.get_mut(number) else { return };
        message.status = status;
        message.updated = now.max(message.updated + 1);
        let (id, channel, to) = (message.id.to_string(), message.channel, message.to.clone());
        let mut assumptions = AssumptionSet::default().with(AssumptionId(43)).with(AssumptionId(53));
        if code == NOT_SUBSCRIBED {
            assumptions.add(AssumptionId(46));
        }
        let event = Event::new(now, "chat.status").about(id.as_str()).assuming(assumptions);
        self.event(event.detail(json!({"status": status, "errorcode": code})));
        if channel != "messenger_c" {
            self.chat_report(&id, status, code);
        }
        if channel == "messenger_b" {
            self.messenger_b_chat_event(&id, &to, status);
        }
        if status == "Delivered" {
            self.failover_delivered(number);
        }
    }

    fn chat_report(&mut self, id: &str, status: Status, code: i64) {
        let Some(url) = self.settings.chat_callback.clone() else { return };
        let body = json!({"messageId": id, "status": status, "errorcode": code}).to_string();
        let delivery = Delivery {
            kind: "chat_report",
            subject: id.to_owned(),
            method: "POST",
            url,
            content_type: "application/json",
            body: body.into_bytes(),
            assumed: AssumptionSet::default().with(AssumptionId(43)).with(AssumptionId(53)),
            replay_of: None,
        };
        self.report(delivery);
    }

    /// Deletes a message that never left `Created`.
    pub(crate) fn purge(&mut self, number: u64) {
        let now = self.clock.now();
        let Some(message) = self.messages.get_mut(number) else { return };
        if message.status == "Created" {
            message.status = "deleted";
            message.updated = now;
            let id = message.id.to_string();
            self.event(Event::new(now, "chat.deleted").about(id));
        }
    }
}
