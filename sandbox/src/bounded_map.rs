//! A map with a maximum number of items and a maximum size, for items that wait for a timer, such as callbacks.

use std::collections::HashMap;

use crate::bounded_log::MemorySize;

/// The maximum number of items.
pub(crate) const MAX_PENDING: usize = 10_000;
/// The maximum size of all items together, in bytes.
pub(crate) const MAX_BYTES: usize = 16 << 20;

#[derive(Debug)]
pub(crate) struct BoundedMap<T> {
    items: HashMap<u64, (usize, T)>,
    bytes: usize,
}

impl<T> Default for BoundedMap<T> {
    fn default() -> Self {
        Self { items: HashMap::new(), bytes: 0 }
    }
}

impl<T: MemorySize> BoundedMap<T> {
    /// Adds an item; `false` if a maximum is reached.
    #[must_use]
    pub(crate) fn insert(&mut self, number: u64, item: T) -> bool {
        let size = item.memory_size();
        if self.items.len() >= MAX_PENDING || self.bytes.saturating_add(size) > MAX_BYTES {
            return false;
        }
        self.bytes += size;
        if let Some((size, _)) = self.items.insert(number, (size, item)) {
            self.bytes -= size;
        }
        true
    }

    pub(crate) fn get(&self, number: u64) -> Option<&T> {
        self.items.get(&number).map(|(_, item)| item)
    }

    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        self.items.get_mut(&number).map(|(_, item)| item)
    }

    pub(crate) fn remove(&mut self, number: u64) -> Option<T> {
        let (size, item) = self.items.remove(&number)?;
        self.bytes -= size;
        Some(item)
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Heavy(usize);

    impl MemorySize for Heavy {
        fn memory_size(&self) -> usize {
            self.0
        }
    }

    #[test]
    fn number_and_bytes_are_bounded() {
        let mut pending = BoundedMap::default();
        assert!(pending.insert(1, Heavy(MAX_BYTES)) && !pending.insert(2, Heavy(1)));
        assert!(pending.remove(1).is_some() && pending.remove(1).is_none() && pending.bytes == 0);
        for number in 0..MAX_PENDING as u64 {
            assert!(pending.insert(number, Heavy(1)));
        }
        assert!(!pending.insert(u64::MAX, Heavy(1)));
        assert_eq!((pending.len(), pending.get(0).map(Heavy::memory_size)), (MAX_PENDING, Some(1)));
    }
}
