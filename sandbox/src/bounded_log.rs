//! A log with a maximum length that counts the entries it evicts.

use std::collections::VecDeque;

use serde_json::Value;

/// The approximate size of a value in memory, in bytes, including the data that it owns.
pub(crate) trait MemorySize {
    fn memory_size(&self) -> usize;
}

impl MemorySize for u64 {
    fn memory_size(&self) -> usize {
        size_of::<Self>()
    }
}

impl MemorySize for Value {
    fn memory_size(&self) -> usize {
        let own = size_of::<Self>();
        match self {
            Self::String(text) => own + text.len(),
            Self::Array(list) => own + list.iter().map(Self::memory_size).sum::<usize>(),
            Self::Object(map) => {
                own + map.iter().map(|(name, value)| member_size(name, value)).sum::<usize>()
            }
            _ => own,
        }
    }
}

/// The approximate size of a JSON object's member in memory: its name, its value and its entry in the map.
pub(crate) fn member_size(name: &str, value: &Value) -> usize {
    2 * size_of::<String>() + name.len() + value.memory_size()
}

#[derive(Debug)]
pub(crate) struct BoundedLog<T> {
    items: VecDeque<Held<T>>,
    limit: usize,
    /// The number of evicted entries, which is also the running number of the oldest entry kept.
    evicted: u64,
    bytes: usize,
}

#[derive(Debug)]
struct Held<T> {
    size: usize,
    item: T,
}

impl<T: MemorySize> BoundedLog<T> {
    pub(crate) fn new(limit: usize) -> Self {
        Self { items: VecDeque::new(), limit: limit.max(1), evicted: 0, bytes: 0 }
    }

    /// Adds an entry and returns its running number, from 0.
    pub(crate) fn push(&mut self, item: T) -> u64 {
        self.push_with(item, 0)
    }

    /// Adds an entry for which `more` bytes are kept elsewhere.
    pub(crate) fn push_with(&mut self, item: T, more: usize) -> u64 {
        if self.items.len() >= self.limit {
            self.evict();
        }
        let size = item.memory_size() + more;
        self.bytes += size;
        self.items.push_back(Held { size, item });
        self.next() - 1
    }

    /// Removes the oldest entry.
    pub(crate) fn evict(&mut self) -> Option<T> {
        let held = self.items.pop_front()?;
        self.evicted += 1;
        self.bytes -= held.size;
        Some(held.item)
    }

    /// Updates the size of an entry that has changed.
    pub(crate) fn remeasure(&mut self, number: u64) {
        let index = number.checked_sub(self.evicted).and_then(|index| usize::try_from(index).ok());
        if let Some(held) = index.and_then(|index| self.items.get_mut(index)) {
            self.bytes -= held.size;
            held.size = held.item.memory_size();
            self.bytes += held.size;
        }
    }

    /// The running number of the next entry.
    pub(crate) fn next(&self) -> u64 {
        self.evicted + self.items.len() as u64
    }

    pub(crate) fn evicted(&self) -> u64 {
        self.evicted
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// The size of all entries, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn get(&self, number: u64) -> Option<&T> {
        let held = self.items.get(usize::try_from(number.checked_sub(self.evicted)?).ok()?);
        held.map(|held| &held.item)
    }

    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        let held = self.items.get_mut(usize::try_from(number.checked_sub(self.evicted)?).ok()?);
        held.map(|held| &mut held.item)
    }

    /// The entries from a running number on, with their numbers.
    pub(crate) fn since(&self, number: u64) -> impl DoubleEndedIterator<Item = (u64, &T)> {
        let skip = usize::try_from(number.saturating_sub(self.evicted)).unwrap_or(usize::MAX);
        let first = self.evicted.saturating_add(skip as u64);
        self.items
            .range(skip.min(self.items.len())..)
            .enumerate()
            .map(move |(n, held)| (first.saturating_add(n as u64), &held.item))
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, &T)> {
        self.since(0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    impl MemorySize for &str {
        fn memory_size(&self) -> usize {
            self.len()
        }
    }

    #[test]
    fn a_full_log_evicts_its_oldest_entry_and_counts_it() {
        let mut log = BoundedLog::new(2);
        let numbers: Vec<u64> = ["a", "b", "c"].into_iter().map(|item| log.push(item)).collect();
        assert_eq!((numbers, log.evicted(), log.len()), (vec![0, 1, 2], 1, 2));
        assert_eq!(log.since(2).collect::<Vec<_>>(), [(2, &"c")]);
        assert_eq!((log.get(0), log.get(1)), (None, Some(&"b")));
        assert_eq!(log.since(u64::MAX).count(), 0);
    }

    #[test]
    fn bytes_are_the_sum_of_the_entries() {
        let mut log = BoundedLog::new(2);
        log.push_with("four", 10);
        log.push("a");
        *log.get_mut(1).unwrap() = "longer";
        log.remeasure(1);
        assert_eq!(log.bytes(), 20);
        log.push("b");
        assert_eq!((log.bytes(), log.evict(), log.bytes()), (7, Some("longer"), 1));
        assert_eq!((log.evict(), log.evict(), log.bytes(), log.evicted()), (Some("b"), None, 0, 3));
    }
}
