//! Grapheme clusters (UAX 29, extended).

#[cfg(feature = "wire")]
use unicode_segmentation::UnicodeSegmentation as _;

#[cfg(not(feature = "wire"))]
mod table;
#[cfg(not(feature = "wire"))]
mod walk;

/// The clusters of a text, with the byte where each starts.
#[cfg(feature = "wire")]
pub(crate) fn clusters(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.grapheme_indices(true)
}

/// The clusters of a text, with the byte where each starts.
#[cfg(not(feature = "wire"))]
pub(crate) fn clusters(text: &str) -> impl Iterator<Item = (usize, &str)> {
    walk::Clusters::new(text)
}
