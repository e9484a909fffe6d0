//! The same value again, and texts in order.

use std::borrow::Cow;

/// A text and its position.
pub(crate) type Placed<'a> = (Cow<'a, [u8]>, usize);

/// Positions of values that stood before, with the position of the first; linear but for a sort. `values` come in the
/// order of their positions.
pub(crate) fn repeats(mut values: Vec<Placed<'_>>) -> Vec<(usize, usize)> {
    let mut firsts = vec![None; values.last().map_or(0, |(_, at)| at + 1)];
    sort(&mut values);
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
    if let Some(slot) = firsts.get_mut(at) {
        *slot = Some(first);
    }
}

/// As what texts are sorted.
pub(crate) fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// By text, then by position. The one sort of the rules: each kind of elements costs four kilobytes of code.
#[inline(never)]
pub(crate) fn sort(texts: &mut [Placed<'_>]) {
    texts.sort_unstable();
}
