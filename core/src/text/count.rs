//! Counts the parts and units of texts: with vector instructions where they are faster, else character by character.

use serde::{Deserialize, Serialize};

use super::{Languages, SegmentError, SegmentOptions};

/// The alphabet of a message, TS 23.038 section 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// GSM 7-bit default alphabet with the extension table; units are septets. In JSON `gsm7`.
    Gsm7,
    /// UCS-2, in practice UTF-16; units are 16-bit code units. In JSON `ucs2`.
    Ucs2,
}

impl Encoding {
    /// The name in JSON: `gsm7` or `ucs2`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gsm7 => "gsm7",
            Self::Ucs2 => "ucs2",
        }
    }

    pub(super) fn from_wire(name: &str) -> Option<Self> {
        [Self::Gsm7, Self::Ucs2].into_iter().find(|known| known.as_str() == name)
    }
}

/// The parts and units of a text (specification: Limits, "SMS length").
///
/// An empty text is one part of 0 units. More than 255 parts are counted, although they cannot be sent:
/// [`segments`](super::segments) returns an error for them. A number above `u32::MAX` is reported as `u32::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// The alphabet.
    pub encoding: Encoding,
    /// The number of parts.
    pub count: u32,
    /// Septets (`gsm7`) or UTF-16 code units (`ucs2`) of the whole text.
    pub units: u32,
    /// Units that still fit into the last part.
    pub remaining: u32,
}

/// Counts the parts of a text with an 8-bit reference, divided between code points. Does not allocate; O(n).
///
/// ```
/// use cpaas::text::{count, Encoding};
/// let count = count("it’s here");
/// assert_eq!((count.encoding, count.count, count.units, count.remaining), (Encoding::Ucs2, 1, 9, 61));
/// ```
#[must_use]
pub fn count(text: &str) -> Count {
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(count) = super::simd::count(text) {
        return count;
    }
    super::scalar_counter::count(text)
}

/// Counts many texts as [`count`] does. Replaces the content of `counts` and reuses its allocation; `counts[i]` belongs
/// to `texts[i]`.
pub fn count_batch<T: AsRef<str>>(texts: &[T], counts: &mut Vec<Count>) {
    counts.clear();
    counts.reserve(texts.len());
    #[cfg(not(target_arch = "wasm32"))]
    if super::simd::count_batch(texts, counts) {
        return;
    }
    counts.extend(texts.iter().map(|text| super::scalar_counter::count(text.as_ref())));
}

/// Counts a text as [`count`] does, with the cheapest national tables of these languages. More than 255 parts are counted.
///
/// # Errors
/// [`SegmentError::NoNational`]: the build does not support national tables.
pub fn count_with(text: &str, languages: Languages) -> Result<Count, SegmentError> {
    let options = SegmentOptions::new().languages(languages);
    super::segments::measure_all(text, &options)
}
