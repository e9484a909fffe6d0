//! Sorting.

use std::collections::BinaryHeap;

/// Sorts values. It is a heap sort because the sort of slices contains four algorithms, which make the browser module 3 KB larger.
pub(crate) fn sorted<T: Ord>(values: Vec<T>) -> Vec<T> {
    BinaryHeap::from(values).into_sorted_vec()
}
