//! Parts that keep grapheme clusters whole (UAX 29), behind the feature `graphemes`.

use super::cut::{Cuts, Measured};
use super::limits::Limits;
use super::{Encoding, SegmentError};

/// Without the feature there are no clusters to keep.
#[cfg(not(feature = "graphemes"))]
pub(super) fn measure(_: &str, _: Encoding, _: Limits, _: &mut impl Cuts) -> Result<Measured, SegmentError> {
    Err(SegmentError::NoGraphemes)
}

/// Fills parts with clusters. The text must be in the encoding.
#[cfg(feature = "graphemes")]
pub(super) fn measure(
    text: &str,
    encoding: Encoding,
    limits: Limits,
    cuts: &mut impl Cuts,
) -> Result<Measured, SegmentError> {
    let mut walk = super::scalar::Walk::new(limits);
    for (byte, cluster) in super::clusters::clusters(text) {
        let size = Size::of(cluster, encoding);
        if size.units > limits.part {
            oversized(byte, cluster, encoding, &mut walk, cuts);
        } else {
            walk.character(byte, size.units, size.utf16, cuts);
        }
    }
    Ok(walk.measured())
}

/// A cluster larger than a part: cut between code points, from where the text stands.
#[cfg(feature = "graphemes")]
fn oversized(
    byte: usize,
    cluster: &str,
    encoding: Encoding,
    walk: &mut super::scalar::Walk,
    cuts: &mut impl Cuts,
) {
    for (at, character) in cluster.char_indices() {
        let units = units(character, encoding);
        walk.character(byte + at, units, character.len_utf16(), cuts);
    }
}

#[cfg(feature = "graphemes")]
struct Size {
    units: usize,
    utf16: usize,
}

#[cfg(feature = "graphemes")]
impl Size {
    fn of(cluster: &str, encoding: Encoding) -> Self {
        cluster.chars().fold(Self { units: 0, utf16: 0 }, |size, character| Self {
            units: size.units + units(character, encoding),
            utf16: size.utf16 + character.len_utf16(),
        })
    }
}

#[cfg(feature = "graphemes")]
fn units(character: char, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Gsm7 => usize::from(super::alphabet::septets(character)),
        Encoding::Ucs2 => character.len_utf16(),
    }
}
