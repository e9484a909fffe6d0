//! Outgoing callbacks: their content, their targets and their attempts.

mod attempt;
mod http_client;

pub(crate) use attempt::run_attempt;
pub(crate) use http_client::send;

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::assumptions::{AssumptionId, AssumptionSet};
use crate::bounded_log::{BoundedLog, MemorySize};
use crate::bounded_map::BoundedMap;
use crate::ledger::fnv;
use crate::time_text::iso;

/// The wait after each failed attempt (D37), in milliseconds.
const SCHEDULE: [u64; 7] = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000];

/// The kinds of callbacks.
pub(crate) const KINDS: [&str; 6] = ["report", "chat_report", "inbound", "webhook", "bot", "check"];

/// A callback to deliver.
#[derive(Debug, Clone)]
pub(crate) struct Delivery {
    /// One of [`KINDS`].
    pub(crate) kind: &'static str,
    /// The message or other record that it is about.
    pub(crate) subject: String,
    pub(crate) method: &'static str,
    pub(crate) url: String,
    pub(crate) content_type: &'static str,
    pub(crate) body: Vec<u8>,
    pub(crate) assumed: AssumptionSet,
    /// The number of the delivery that this one repeats.
    pub(crate) replay_of: Option<u64>,
}

/// An attempt that is due.
#[derive(Debug)]
pub(crate) struct DueAttempt {
    pub(crate) number: u64,
    pub(crate) at: u64,
    pub(crate) delivery: Arc<Delivery>,
}

/// The response of the target.
#[derive(Debug, Clone)]
pub(crate) enum TargetResponse {
    /// The status and the beginning of the body.
    Status(u16, String),
    /// No response; the attempt failed.
    Failed(&'static str),
    /// The target is not allowed; no request was sent.
    Refused(&'static str),
}

/// One attempt and the target's response.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    delivery: u64,
    number: usize,
    at: u64,
    callback: Arc<Delivery>,
    response: TargetResponse,
    next: Option<u64>,
}

pub(crate) struct Callbacks {
    pending: BoundedMap<(Arc<Delivery>, usize)>,
    count: u64,
    pub(crate) attempts: BoundedLog<Attempt>,
    /// The targets that responded with 410, by a hash.
    disabled: HashSet<u64>,
}

impl MemorySize for Delivery {
    fn memory_size(&self) -> usize {
        size_of::<Self>() + self.subject.capacity() + self.url.capacity() + self.body.capacity()
    }
}

impl MemorySize for (Arc<Delivery>, usize) {
    fn memory_size(&self) -> usize {
        self.0.memory_size()
    }
}

impl MemorySize for Attempt {
    fn memory_size(&self) -> usize {
        let response = match &self.response {
            TargetResponse::Status(_, head) => head.capacity(),
            _ => 0,
        };
        size_of::<Self>() + self.callback.memory_size() + response
    }
}

impl Callbacks {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            pending: BoundedMap::default(),
            count: 0,
            attempts: BoundedLog::new(limit),
            disabled: HashSet::new(),
        }
    }

    /// Queues a delivery and returns its number.
    ///
    /// # Errors
    /// The kind of event to log, if the target responded with 410 before or the queue is full.
    pub(crate) fn enqueue(&mut self, delivery: Delivery) -> Result<u64, &'static str> {
        if self.disabled.contains(&target(&delivery.url)) {
            return Err("callback.disabled");
        }
        if !self.pending.insert(self.count + 1, (Arc::new(delivery), 0)) {
            return Err("callback.dropped");
        }
        self.count += 1;
        Ok(self.count)
    }

    pub(crate) fn get(&self, number: u64) -> Option<&Arc<Delivery>> {
        self.pending.get(number).map(|(delivery, _)| delivery)
    }

    /// The number of callbacks that wait for an attempt.
    pub(crate) fn waiting(&self) -> usize {
        self.pending.len()
    }

    /// Allows calls to a target again after it responded with 410.
    pub(crate) fn enable(&mut self, url: &str) {
        self.disabled.remove(&target(url));
    }

    /// Records the only attempt of a delivery that is not retried.
    pub(crate) fn record_single(&mut self, callback: Delivery, at: u64, response: TargetResponse) {
        self.count += 1;
        let callback = Arc::new(callback);
        self.attempts.push(Attempt { delivery: self.count, number: 1, at, callback, response, next: None });
    }

    /// Records an attempt. Returns the time of the next one if this one failed.
    pub(crate) fn record_attempt(
        &mut self,
        number: u64,
        at: u64,
        now: u64,
        response: TargetResponse,
    ) -> Option<u64> {
        let (callback, tries) = self.pending.get_mut(number)?;
        *tries += 1;
        let wait = SCHEDULE.get(*tries - 1);
        let next = match &response {
            TargetResponse::Status(status, _) if (200..300).contains(status) => None,
            TargetResponse::Status(410, _) => {
                self.disabled.insert(target(&callback.url));
                None
            }
            TargetResponse::Refused(_) => None,
            _ => wait.map(|wait| now + wait),
        };
        let attempt =
            Attempt { delivery: number, number: *tries, at, callback: Arc::clone(callback), response, next };
        self.attempts.push(attempt);
        if next.is_none() {
            self.pending.remove(number);
        }
        next
    }
}

/// A hash of a URL without its query and fragment, which differ from message to message.
fn target(url: &str) -> u64 {
    fnv(url.split(['?', '#']).next().unwrap_or(url).as_bytes())
}

impl Attempt {
    pub(crate) fn subject(&self) -> &str {
        &self.callback.subject
    }

    /// The kind of the callback.
    pub(crate) fn kind(&self) -> &'static str {
        self.callback.kind
    }

    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// The status of the target's response; `None` if there was no response.
    pub(crate) fn status(&self) -> Option<u16> {
        match &self.response {
            TargetResponse::Status(status, _) => Some(*status),
            TargetResponse::Failed(_) | TargetResponse::Refused(_) => None,
        }
    }

    /// The callback of this attempt, as a new delivery.
    pub(crate) fn replay(&self) -> Delivery {
        Delivery { replay_of: Some(self.delivery), ..Delivery::clone(&self.callback) }
    }

    /// The texts that a filter searches, without secrets. The target's response is one of them only if `with_response` is set.
    pub(crate) fn texts(&self, with_response: bool) -> [String; 4] {
        let (outcome, head) = match &self.response {
            TargetResponse::Status(_, head) => ("", head.as_str()),
            TargetResponse::Failed(reason) | TargetResponse::Refused(reason) => (*reason, ""),
        };
        [
            redact(&self.callback.url),
            crate::snippets::redact_body(&self.callback.body),
            format!("{} {outcome}", self.callback.subject),
            if with_response { head.to_owned() } else { String::new() },
        ]
    }

    /// The attempt as the control API shows it. The target can be another service of this machine, so pages of other
    /// origins must not see its response: it is included only if `with_response` is set.
    pub(crate) fn show(&self, number: u64, with_response: bool) -> Value {
        let (outcome, status, head) = match &self.response {
            TargetResponse::Status(status, head) => ("answered", Some(*status), Some(head.as_str())),
            TargetResponse::Failed(reason) => (*reason, None, None),
            TargetResponse::Refused(reason) => (*reason, None, None),
        };
        json!({
            "n": number,
            "delivery": self.delivery,
            "attempt": self.number,
            "at": iso(self.at),
            "kind": self.callback.kind,
            "subject": self.callback.subject,
            "replay_of": self.callback.replay_of,
            "method": self.callback.method,
            "url": redact(&self.callback.url),
            "content_type": self.callback.content_type,
            "body": crate::snippets::redact_body(&self.callback.body),
            "outcome": outcome,
            "status": status,
            "answer": head.filter(|_| with_response),
            "explanation": crate::explanations::of_attempt(outcome, status),
            "next": self.next.map(iso),
            "assumed": self.callback.assumed.with(AssumptionId(37)).ids().collect::<Vec<_>>(),
        })
    }
}

/// A URL without its user information and without the tokens in its query.
pub(crate) fn redact(url: &str) -> String {
    let url = crate::snippets::redact_users(url);
    match url.split_once('?') {
        Some((head, query)) => format!("{head}?{}", crate::snippets::redact_query(query)),
        None => url,
    }
}
