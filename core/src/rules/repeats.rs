//! The same value again, and texts in order.

use std::borrow::Cow;

/// Positions of values that stood before, with the position of the first; linear but for a sort. `values` come in the
/// order of their positions.
pub(crate) fn repeats<'a>(values: impl Iterator<Item = (usize, Cow<'a, str>)>) -> Vec<(usize, usize)> {
    let mut sorted: Vec<(Cow<'a, [u8]>, usize)> = values.map(|(at, value)| (bytes(value), at)).collect();
    sort(&mut sorted);
    let mut firsts = vec![None; sorted.iter().map(|(_, at)| at + 1).max().unwrap_or_default()];
    let mut first: Option<&(Cow<'a, [u8]>, usize)> = None;
    for entry in &sorted {
        match first {
            Some(first) if first.0 == entry.0 => mark(&mut firsts, entry.1, first.1),
            _ => first = Some(entry),
        }
    }
    let found = firsts.into_iter().enumerate();
    found.filter_map(|(at, first)| Some((at, first?))).collect()
}

fn mark(firsts: &mut [Option<usize>], at: usize, first: usize) {
    if let Some(slot) = firsts.get_mut(at) {
        *slot = Some(first);
    }
}

fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// By text, then by position. The one sort of the rules: each kind of elements costs four kilobytes of code.
#[inline(never)]
pub(crate) fn sort(texts: &mut [(Cow<'_, [u8]>, usize)]) {
    texts.sort_unstable();
}
