//! A store of calls with an unknown outcome, which delivery reports resolve.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::event::Received;

/// A call with an unknown outcome that the provider accepted, as a delivery report shows.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reconciled {
    /// The reference of the call.
    pub reference: String,
    /// The operation, for example `sms.send`.
    pub operation: String,
    /// The message id.
    pub message_id: Option<String>,
    /// Whether this is the first report for the call. The messages of a bulk call have separate reports: `first` is true for
    /// the earliest of them only.
    pub first: bool,
}

/// A store of calls with the outcome *unknown*, by `reference`. A report with the reference shows that the provider accepted
/// the call.
///
/// Bounded: at capacity the oldest call is removed. The store has no lock.
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
/// let reconciled = pending.reconcile(&received).unwrap();
/// assert_eq!(reconciled.operation, "sms.send");
/// assert_eq!(reconciled.message_id.as_deref(), Some("m-1"));
/// ```
pub struct Pending {
    capacity: usize,
    calls: HashMap<Box<str>, Call>,
    order: VecDeque<Box<str>>,
}

struct Call {
    operation: Box<str>,
    is_resolved: bool,
}

impl Pending {
    /// A store of at most `capacity` calls; 0 counts as 1.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), calls: HashMap::new(), order: VecDeque::new() }
    }

    /// Stores a call of `operation` with the outcome *unknown*. A call without a reference is not stored, because no report can
    /// resolve it.
    pub fn unknown(&mut self, reference: &str, operation: &str) {
        if reference.is_empty() {
            return;
        }
        let call = Call { operation: operation.into(), is_resolved: false };
        if self.calls.insert(reference.into(), call).is_none() {
            self.order.push_back(reference.into());
        }
        if self.order.len() > self.capacity
            && let Some(oldest) = self.order.pop_front()
        {
            self.calls.remove(&oldest);
        }
    }

    /// Returns the call of this report, if it is stored. The call stays stored for the other messages of a bulk call.
    pub fn reconcile(&mut self, received: &Received) -> Option<Reconciled> {
        let reference = received.event.reference()?;
        let call = self.calls.get_mut(reference)?;
        let first = !std::mem::replace(&mut call.is_resolved, true);
        Some(Reconciled {
            reference: reference.to_owned(),
            operation: call.operation.to_string(),
            message_id: received.event.message_id().map(str::to_owned),
            first,
        })
    }

    /// The references of the unresolved calls, oldest first.
    pub fn open(&self) -> impl Iterator<Item = &str> {
        self.order
            .iter()
            .map(|reference| &**reference)
            .filter(|reference| self.calls.get(*reference).is_some_and(|call| !call.is_resolved))
    }

    /// Removes a call, for example because it was resolved without a report.
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
