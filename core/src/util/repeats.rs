//! Repeated values in a list.

use super::sorted;

/// The indices of repeated values, each with the index of the first occurrence, in O(n log n).
pub(crate) fn repeats(values: &[(impl AsRef<str>, usize)]) -> Vec<(usize, usize)> {
    neighbors(sorted(values.iter().map(|(value, index)| (value.as_ref(), *index)).collect()))
}

fn neighbors(sorted: Vec<(&str, usize)>) -> Vec<(usize, usize)> {
    let mut repeats = Vec::new();
    let mut first: Option<(&str, usize)> = None;
    for (value, index) in sorted {
        match first {
            Some((same, first)) if same == value => repeats.push((index, first)),
            _ => first = Some((value, index)),
        }
    }
    repeats
}

#[cfg(test)]
mod tests {
    use super::repeats;

    #[test]
    fn each_repetition_has_the_index_of_the_first_occurrence() {
        assert_eq!(
            repeats(&[("b", 0), ("a", 1), ("b", 2), ("c", 3), ("a", 4), ("b", 7)]),
            [(4, 1), (2, 0), (7, 0)]
        );
        assert!(repeats(&[("", 5), ("a", 6)]).is_empty());
        assert_eq!(repeats(&[("b", 2), ("b", 1)]), [(2, 1)]);
    }
}
