//! Calls with an unknown outcome that a report may settle.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::event::Received;

/// A call whose outcome was unknown and is now known: the provider accepted it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reconciled {
    /// The reference of the call.
    pub reference: String,
    /// The operation, for example `sms.send`.
    pub operation: String,
    /// The id that the answer of the call would have brought.
    pub message_id: Option<String>,
    /// Whether this is the first report to settle the call; of a bulk call each message brings its own.
    pub first: bool,
}

/// Remembers by `reference` the calls that ended with the outcome *unknown*, and turns a report that returns the reference
/// into the news that the call was accepted after all.
///
/// Bounded: past its capacity the oldest call is forgotten. Without a lock of its own.
///
/// ```
/// # use cpaas::callback::*;
/// # let keys = Keyring::new([("k1", [7; 32])]).unwrap();
/// # let receiver = Receiver::new("shop", "https://shop.example/hooks").unwrap().delivery_keys(keys);
/// # let callback = receiver.url(Source::SmsReport, "booking-7", 1_000).unwrap();
/// let mut pending = Pending::new(10_000);
/// pending.unknown("booking-7", "sms.send"); // the send call timed out after the request was written
///
/// let url = format!("{callback}&msgid=m-1&status=delivered&reference=booking-7");
/// let received = receiver.receive("GET", &url, &[], b"", 1_060).unwrap();
/// let settled = pending.reconcile(&received).unwrap();
/// assert_eq!(settled.operation, "sms.send");
/// assert_eq!(settled.message_id.as_deref(), Some("m-1"));
/// ```
pub struct Pending {
    capacity: usize,
    calls: HashMap<Box<str>, Call>,
    order: VecDeque<Box<str>>,
}

struct Call {
    operation: Box<str>,
    settled: bool,
}

impl Pending {
    /// A store of so many calls; at least one.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), calls: HashMap::new(), order: VecDeque::new() }
    }

    /// Notes that a call of this operation with this reference ended with the outcome *unknown*. Without a reference nothing can be
    /// settled, and nothing is noted.
    pub fn unknown(&mut self, reference: &str, operation: &str) {
        if reference.is_empty() {
            return;
        }
        let call = Call { operation: operation.into(), settled: false };
        if self.calls.insert(reference.into(), call).is_none() {
            self.order.push_back(reference.into());
        }
        if self.order.len() > self.capacity
            && let Some(oldest) = self.order.pop_front()
        {
            self.calls.remove(&oldest);
        }
    }

    /// The call that this report settles, if any. The call stays noted, for the other messages of a bulk.
    pub fn reconcile(&mut self, received: &Received) -> Option<Reconciled> {
        let reference = received.event.reference()?;
        let call = self.calls.get_mut(reference)?;
        let first = !std::mem::replace(&mut call.settled, true);
        Some(Reconciled {
            reference: reference.to_owned(),
            operation: call.operation.to_string(),
            message_id: received.event.message_id().map(str::to_owned),
            first,
        })
    }

    /// The references of the calls that nothing has settled yet, oldest first.
    pub fn open(&self) -> impl Iterator<Item = &str> {
        self.order
            .iter()
            .map(|reference| &**reference)
            .filter(|reference| self.calls.get(*reference).is_some_and(|call| !call.settled))
    }

    /// Forgets a call, for example because it was settled otherwise.
    pub fn forget(&mut self, reference: &str) {
        if self.calls.remove(reference).is_some() {
            self.order.retain(|other| **other != *reference);
        }
    }
}

impl fmt::Debug for Reconciled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Reconciled");
        out.field("operation", &self.operation)
            .field("message_id", &self.message_id)
            .field("first", &self.first);
        out.finish_non_exhaustive()
    }
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").field("calls", &self.calls.len()).finish_non_exhaustive()
    }
}
