//! Repeated values in a list.

use std::collections::BTreeMap;

/// The indices of repeated values, each with the index of the first occurrence, in O(n log n). `values` must be in the order
/// of their indices.
pub(crate) fn repeats<T: Ord>(values: impl IntoIterator<Item = (T, usize)>) -> Vec<(usize, usize)> {
    let mut firsts = BTreeMap::new();
    let repeated = |(value, index)| {
        let first = *firsts.entry(value).or_insert(index);
        (first != index).then_some((index, first))
    };
    values.into_iter().filter_map(repeated).collect()
}
