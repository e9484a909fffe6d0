//! Counts the parts and units of texts: with vector instructions where they are faster, else character by character.

use super::{Count, Languages, SegmentError, SegmentOptions};

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
