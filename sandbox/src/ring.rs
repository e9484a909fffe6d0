//! A bounded record whose evictions are counted.

use std::collections::VecDeque;

#[derive(Debug)]
pub(crate) struct Ring<T> {
    items: VecDeque<T>,
    limit: usize,
    /// How many entries came before the oldest one kept.
    evicted: u64,
}

impl<T> Ring<T> {
    pub(crate) fn new(limit: usize) -> Self {
        Self { items: VecDeque::new(), limit: limit.max(1), evicted: 0 }
    }

    /// Adds an entry and returns its running number, from 0.
    pub(crate) fn push(&mut self, item: T) -> u64 {
        if self.items.len() >= self.limit {
            self.items.pop_front();
            self.evicted += 1;
        }
        self.items.push_back(item);
        self.next() - 1
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

    pub(crate) fn get(&self, number: u64) -> Option<&T> {
        self.items.get(usize::try_from(number.checked_sub(self.evicted)?).ok()?)
    }

    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        self.items.get_mut(usize::try_from(number.checked_sub(self.evicted)?).ok()?)
    }

    /// The entries from a running number on, with their numbers.
    pub(crate) fn since(&self, number: u64) -> impl DoubleEndedIterator<Item = (u64, &T)> {
        let skip = usize::try_from(number.saturating_sub(self.evicted)).unwrap_or(usize::MAX);
        let first = self.evicted + skip as u64;
        self.items
            .range(skip.min(self.items.len())..)
            .enumerate()
            .map(move |(n, item)| (first + n as u64, item))
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, &T)> {
        self.since(0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_goes_and_is_counted() {
        let mut ring = Ring::new(2);
        let numbers: Vec<u64> = ["a", "b", "c"].into_iter().map(|item| ring.push(item)).collect();
        assert_eq!((numbers, ring.evicted(), ring.len()), (vec![0, 1, 2], 1, 2));
        assert_eq!(ring.since(2).collect::<Vec<_>>(), [(2, &"c")]);
        assert_eq!((ring.get(0), ring.get(1)), (None, Some(&"b")));
    }
}
