//! The store in the memory of a process.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Claimed;

/// A claim beyond the capacity is busy for this time.
const FULL: Duration = Duration::from_secs(1);

/// The events of one process that are being processed or are done. Thread-safe, with one lock.
///
/// The capacity limits the events that are done, of which the oldest is removed, and separately the events in progress, of
/// which none is removed: a claim beyond the capacity is busy for 1 second. Time is that of [`Instant`].
pub struct LeaseMemory {
    start: Instant,
    table: Mutex<Table>,
}

impl LeaseMemory {
    /// A store of at most `capacity` events that are done and `capacity` events in progress; 0 counts as 1.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { start: Instant::now(), table: Mutex::new(Table::new(capacity)) }
    }

    /// Claims an event for the time of `lease`. The token that has the lease already gets it anew.
    pub fn claim(&self, key: &str, token: &str, lease: Duration) -> Claimed {
        self.table().claim(self.start.elapsed(), key, token, lease)
    }

    /// Records for the time of `keep` that an event is done, whoever has the lease.
    pub fn done(&self, key: &str, keep: Duration) {
        self.table().done(self.start.elapsed(), key, keep);
    }

    /// Ends the lease of this token. Does nothing if the event is done or another token has the lease.
    pub fn free(&self, key: &str, token: &str) {
        self.table().free(key, token);
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for LeaseMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = self.table();
        let mut out = f.debug_struct("LeaseMemory");
        out.field("in_progress", &table.leases.entries.len()).field("done", &table.done.entries.len());
        out.finish_non_exhaustive()
    }
}

/// The table. `now` is the time since the store was created.
#[cfg_attr(test, derive(Clone))]
struct Table {
    capacity: usize,
    /// The events in progress, with the token that has the lease.
    leases: Ends<Box<str>>,
    done: Ends<()>,
}

impl Table {
    fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), leases: Ends::default(), done: Ends::default() }
    }

    fn claim(&mut self, now: Duration, key: &str, token: &str, lease: Duration) -> Claimed {
        self.leases.sweep(now);
        self.done.sweep(now);
        if self.done.get(key).is_some() {
            return Claimed::Done;
        }
        match self.leases.get(key) {
            Some(held) if *held.value != *token => return Claimed::Busy(held.end.saturating_sub(now)),
            None if self.leases.entries.len() >= self.capacity => return Claimed::Busy(FULL),
            _ => {}
        }
        self.leases.insert(key, token.into(), now.saturating_add(lease));
        Claimed::New
    }

    fn done(&mut self, now: Duration, key: &str, keep: Duration) {
        self.leases.remove(key);
        self.done.insert(key, (), now.saturating_add(keep));
        if self.done.entries.len() > self.capacity {
            self.done.remove_first();
        }
    }

    fn free(&mut self, key: &str, token: &str) {
        if self.leases.get(key).is_some_and(|held| *held.value == *token) {
            self.leases.remove(key);
        }
    }
}

/// Entries that end, in the order of their ends; of equal ends, in the order in which they were inserted.
#[cfg_attr(test, derive(Clone))]
struct Ends<V> {
    entries: HashMap<Arc<str>, Entry<V>>,
    order: BTreeMap<(Duration, u64), Arc<str>>,
    inserted: u64,
}

#[cfg_attr(test, derive(Clone))]
struct Entry<V> {
    value: V,
    end: Duration,
    number: u64,
}

impl<V> Default for Ends<V> {
    fn default() -> Self {
        Self { entries: HashMap::new(), order: BTreeMap::new(), inserted: 0 }
    }
}

impl<V> Ends<V> {
    fn get(&self, key: &str) -> Option<&Entry<V>> {
        self.entries.get(key)
    }

    fn insert(&mut self, key: &str, value: V, end: Duration) {
        self.remove(key);
        self.inserted = self.inserted.wrapping_add(1);
        let (key, number): (Arc<str>, _) = (key.into(), self.inserted);
        self.order.insert((end, number), key.clone());
        self.entries.insert(key, Entry { value, end, number });
    }

    fn remove(&mut self, key: &str) {
        if let Some(entry) = self.entries.remove(key) {
            self.order.remove(&(entry.end, entry.number));
        }
    }

    fn remove_first(&mut self) {
        if let Some((_, key)) = self.order.pop_first() {
            self.entries.remove(&key);
        }
    }

    fn sweep(&mut self, now: Duration) {
        while self.order.first_key_value().is_some_and(|((end, _), _)| *end <= now) {
            self.remove_first();
        }
    }
}

#[cfg(test)]
mod tests;
