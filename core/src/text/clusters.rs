//! Grapheme clusters (UAX 29, extended).

use unicode_segmentation::UnicodeSegmentation as _;

/// The clusters of a text, with the byte where each starts.
pub(crate) fn clusters(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.grapheme_indices(true)
}
