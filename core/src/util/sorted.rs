//! Sorting.

use std::collections::BinaryHeap;

/// Sorts values, which are often sorted already. It is a heap sort because the sort of slices contains four algorithms, which make the
/// browser module 3 KB larger.
pub(crate) fn sorted<T: Ord>(values: Vec<T>) -> Vec<T> {
    if values.is_sorted() { values } else { BinaryHeap::from(values).into_sorted_vec() }
}

#[cfg(test)]
mod tests {
    use super::sorted;

    #[test]
    fn values_are_in_ascending_order() {
        assert_eq!(sorted(vec![3, 1, 2, 3, 0]), [0, 1, 2, 3, 3]);
        assert_eq!(sorted(vec![1, 2, 2]), [1, 2, 2]);
        assert!(sorted(Vec::<u8>::new()).is_empty());
    }
}
