//! Parts that do not divide grapheme clusters (UAX 29, extended), with the feature `graphemes`.

use super::errors::SegmentError;
use super::part_limits::Limits;
use super::part_limits::{Cuts, Measured};

/// Without the feature, a division between clusters is an error.
#[cfg(not(feature = "graphemes"))]
pub(super) fn measure(
    _: &str,
    _: impl Fn(char) -> usize,
    _: Limits,
    _: &mut impl Cuts,
) -> Result<Measured, SegmentError> {
    Err(SegmentError::NoGraphemes)
}

/// Fills parts with clusters. `units` returns the size of a character.
#[cfg(feature = "graphemes")]
pub(super) fn measure(
    text: &str,
    units: impl Fn(char) -> usize,
    limits: Limits,
    cuts: &mut impl Cuts,
) -> Result<Measured, SegmentError> {
    let mut walk = super::scalar_counter::Walk::new(limits);
    for (byte, cluster) in clusters(text) {
        let size = cluster.chars().map(&units).sum();
        if size > limits.part {
            oversized(byte, cluster, &units, &mut walk, cuts);
        } else {
            walk.character(byte, size, cluster.chars().map(char::len_utf16).sum(), cuts);
        }
    }
    Ok(walk.measured())
}

/// Divides an oversized cluster, one that is larger than a part, between code points.
#[cfg(feature = "graphemes")]
fn oversized(
    byte: usize,
    cluster: &str,
    units: &impl Fn(char) -> usize,
    walk: &mut super::scalar_counter::Walk,
    cuts: &mut impl Cuts,
) {
    for (at, character) in cluster.char_indices() {
        walk.character(byte + at, units(character), character.len_utf16(), cuts);
    }
}

/// The clusters of a text, each with the byte at which it starts.
#[cfg(feature = "graphemes")]
pub(crate) fn clusters(text: &str) -> impl Iterator<Item = (usize, &str)> {
    super::cluster::Clusters::new(text)
}
