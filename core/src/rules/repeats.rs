//! The same value again.

use std::borrow::Cow;

/// Positions of values that stood before, with the position of the first; linear but for a sort.
pub(crate) fn repeats<'a>(values: impl Iterator<Item = (usize, Cow<'a, str>)>) -> Vec<(usize, usize)> {
    let mut sorted: Vec<(Cow<'a, str>, usize)> = values.map(|(at, value)| (value, at)).collect();
    sorted.sort_unstable();
    let mut found = Vec::new();
    let mut first: Option<&(Cow<'a, str>, usize)> = None;
    for entry in &sorted {
        match first {
            Some(first) if first.0 == entry.0 => found.push((entry.1, first.1)),
            _ => first = Some(entry),
        }
    }
    found.sort_unstable();
    found
}
