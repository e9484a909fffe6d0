//! Detection of repeated reports.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;

use super::event::{Event, Received, Status};

/// The result of [`Duplicates::check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrival {
    /// Not seen before, or an event without a message id.
    First,
    /// The same state of the same message was seen before.
    Repeat,
}

/// A store of recent message states, which detects repeated reports: the provider repeats a report until it is accepted. The key
/// of a state is [`Received::key`]. The store also has the furthest status of each message, because reports may arrive out of order.
///
/// Bounded: at capacity the oldest state is removed, and a later repeat of that state counts as first. The store has no lock:
/// share one per process in a `Mutex`. Several processes need an external store with the same key.
pub struct Duplicates {
    capacity: usize,
    seen: HashSet<Box<str>>,
    order: VecDeque<Box<str>>,
    latest: HashMap<Box<str>, Status>,
    messages: VecDeque<Box<str>>,
}

impl Duplicates {
    /// A store of at most `capacity` states and of the statuses of at most `capacity` messages; 0 counts as 1.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            capacity: capacity.max(1),
            seen: HashSet::new(),
            order: VecDeque::new(),
            latest: HashMap::new(),
            messages: VecDeque::new(),
        }
    }

    /// Returns whether this state of this message is new, and stores it.
    pub fn check(&mut self, received: &Received) -> Arrival {
        let Some(key) = received.key().map(String::into_boxed_str) else {
            return Arrival::First;
        };
        self.note_status(&received.event);
        if !self.seen.insert(key.clone()) {
            return Arrival::Repeat;
        }
        self.order.push_back(key);
        if self.order.len() > self.capacity
            && let Some(oldest) = self.order.pop_front()
        {
            self.seen.remove(&oldest);
        }
        Arrival::First
    }

    /// Forgets the arrival of a callback. Call it when the handler failed, so that the repeat from the provider counts as
    /// first. The status that [`Duplicates::latest`] returns stays.
    pub fn forget(&mut self, received: &Received) {
        if let Some(key) = received.key()
            && self.seen.remove(key.as_str())
        {
            self.order.retain(|other| **other != *key);
        }
    }

    /// The furthest status of a message, in any order of arrival: delivered is further than failed, failed further than sent.
    #[must_use]
    pub fn latest(&self, message_id: &str) -> Option<&Status> {
        self.latest.get(message_id)
    }

    /// The number of stored states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether no state is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    fn note_status(&mut self, event: &Event) {
        let (Some(id), Some(status)) = (event.message_id(), event.status()) else {
            return;
        };
        if let Some(known) = self.latest.get_mut(id) {
            if status.rank() > known.rank() {
                *known = status.clone();
            }
            return;
        }
        self.latest.insert(id.into(), status.clone());
        self.messages.push_back(id.into());
        if self.messages.len() > self.capacity
            && let Some(oldest) = self.messages.pop_front()
        {
            self.latest.remove(&oldest);
        }
    }
}

impl fmt::Debug for Duplicates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Duplicates").field("len", &self.len()).finish_non_exhaustive()
    }
}
