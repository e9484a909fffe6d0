//! Counting without allocation, one text or many.

use serde::{Deserialize, Serialize};

use super::limits::Limits;

/// The alphabet a text is sent in, TS 23.038 section 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// GSM 7-bit default alphabet with the extension table; units are septets. RequestContext name `gsm7`.
    Gsm7,
    /// UCS-2, in practice UTF-16; units are 16-bit code units. RequestContext name `ucs2`.
    Ucs2,
}

impl Encoding {
    /// The wire name: `gsm7` or `ucs2`.
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

/// How a text is sent: service.md, "Limits", "SMS length".
///
/// An empty text counts as one part of no units. Parts beyond 255 are counted here, though they cannot be sent;
/// [`segments`](super::segments) refuses them. A number above `u32::MAX` is reported as `u32::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// The alphabet that holds every character of the text.
    pub encoding: Encoding,
    /// Parts.
    pub count: u32,
    /// Septets (`gsm7`) or UTF-16 code units (`ucs2`) of the whole text.
    pub units: u32,
    /// Units that still fit the last part.
    pub remaining: u32,
}

/// Counts the parts of a text: 8-bit reference, cut between code points. Allocates nothing; linear in the text.
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
    super::scalar::count(text)
}

/// Counts many texts as [`count`] does each, into `counts`, whose earlier content is dropped and whose allocation is
/// reused. `counts[i]` belongs to `texts[i]`.
pub fn count_batch<T: AsRef<str>>(texts: &[T], counts: &mut Vec<Count>) {
    counts.clear();
    counts.reserve(texts.len());
    #[cfg(not(target_arch = "wasm32"))]
    if super::simd::count_batch(texts, counts) {
        return;
    }
    counts.extend(texts.iter().map(|text| super::scalar::count(text.as_ref())));
}

/// Counts units that were already measured elsewhere against the limits of an alphabet.
pub(super) fn limits_of(encoding: Encoding) -> Limits {
    match encoding {
        Encoding::Gsm7 => Limits::GSM7,
        Encoding::Ucs2 => Limits::UCS2,
    }
}
