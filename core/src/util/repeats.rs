//! Repeated values in a list.

use std::borrow::Cow;
use std::collections::BinaryHeap;

/// A value and its index in the list.
pub(crate) type Placed<'a> = (Cow<'a, [u8]>, usize);

/// The indices of repeated values, each with the index of the first occurrence, in O(n log n). `values` must be in the order
/// of their indices.
pub(crate) fn repeats(values: Vec<Placed<'_>>) -> Vec<(usize, usize)> {
    let mut firsts = vec![None; values.last().map_or(0, |(_, at)| at + 1)];
    let values = sorted(values);
    let mut first: Option<&Placed<'_>> = None;
    for entry in &values {
        match first {
            Some(first) if first.0 == entry.0 => mark(&mut firsts, entry.1, first.1),
            _ => first = Some(entry),
        }
    }
    let found = firsts.into_iter().enumerate();
    found.filter_map(|(at, first)| Some((at, first?))).collect()
}

fn mark(firsts: &mut [Option<usize>], at: usize, first: usize) {
    if let Some(entry) = firsts.get_mut(at) {
        *entry = Some(first);
    }
}

/// The bytes of a string, without a copy.
pub(crate) fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// Sorts by a heap: a quicksort adds four kilobytes to the browser module for each type of element.
pub(crate) fn sorted<T: Ord>(values: Vec<T>) -> Vec<T> {
    BinaryHeap::from(values).into_sorted_vec()
}
