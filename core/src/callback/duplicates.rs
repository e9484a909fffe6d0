//! Telling repeated reports from new ones.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;

use super::event::{Event, Received, Status};

/// What [`Duplicates::check`] says of a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrival {
    /// Not seen before, or the event has nothing to be known by (no message id).
    First,
    /// The same state of the same message came before.
    Repeat,
}

/// Remembers the last states of messages by (nonce of the token, message id, status, error code), since a provider repeats a
/// report until it is taken and a bulk call shares one callback URL; and the furthest status of each message, since reports
/// may overtake one another.
///
/// Bounded: past its capacity the oldest is forgotten, so a repeat that comes later than that many others counts as first.
/// Without a lock of its own: share it in a `Mutex`, one per process; several processes need a store of their own choosing,
/// keyed alike.
pub struct Duplicates {
    capacity: usize,
    seen: HashSet<Box<str>>,
    order: VecDeque<Box<str>>,
    latest: HashMap<Box<str>, Status>,
    messages: VecDeque<Box<str>>,
}

impl Duplicates {
    /// A store of so many states, and of the status of so many messages; at least one.
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

    /// Whether this state of this message is new, and remembers it.
    pub fn check(&mut self, received: &Received) -> Arrival {
        let Some(key) = key(received) else {
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

    /// Takes back what [`Duplicates::check`] remembered: the handler failed, so that the repeat which the provider now sends
    /// has to count as the first.
    pub fn forget(&mut self, received: &Received) {
        if let Some(key) = key(received)
            && self.seen.remove(&key)
        {
            self.order.retain(|other| *other != key);
        }
    }

    /// The furthest status that came for a message: delivered stands above failed, failed above sent, whatever came last.
    #[must_use]
    pub fn latest(&self, message_id: &str) -> Option<&Status> {
        self.latest.get(message_id)
    }

    /// How many states are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether nothing is remembered.
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

/// The parts one after another, each after its length, so that no two callbacks share a key by accident.
fn key(received: &Received) -> Option<Box<str>> {
    let event = &received.event;
    let id = event.message_id()?;
    let (state, code) = event.state();
    let nonce = received.claims.nonce;
    Some(
        format!("{nonce}{}:{id}{}:{state}{}:{code}{}", id.len(), state.len(), code.len(), event.kind())
            .into(),
    )
}
