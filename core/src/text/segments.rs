//! The parts of a text, as ranges of the text.

use serde::Serialize;

use super::division::{Division, Part, Parts};
use super::errors::{MAX_PARTS, SegmentError};
use super::part_limits::{Limits, Measured};
use super::{
    Count, Encoding, Language, Languages, SegmentOptions, alphabet, national_division, scalar_counter,
};

/// A text, divided into the parts that are sent. The parts are in order and cover the text; only an empty text has an empty
/// part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Segments {
    /// The alphabet of all parts.
    pub encoding: Encoding,
    /// Number of parts: 1 to [`MAX_PARTS`].
    pub count: u32,
    /// Septets or UTF-16 code units of the whole text.
    pub units: u32,
    /// Units that still fit into the last part.
    pub remaining: u32,
    /// The parts.
    pub parts: Vec<Part>,
    /// With [`Split::Grapheme`](super::Split::Grapheme): the number of parts that a split between code points needs, which is what is billed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count_by_code_point: Option<u32>,
    /// With [`Split::Grapheme`](super::Split::Grapheme): the number of parts that whole grapheme clusters need, the same as `count`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count_by_grapheme: Option<u32>,
    /// The language of the locking shift table of all parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locking_shift: Option<Language>,
    /// The language of the single shift table of all parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_shift: Option<Language>,
    /// With [`SegmentOptions::languages`]: the number of parts that the national tables save.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<u32>,
}

/// Divides a text into the parts that are sent (specification: Limits, "SMS length"). O(n).
///
/// ```
/// use cpaas::text::{segments, SegmentOptions};
/// let text = "a".repeat(152) + "€uro";
/// let segments = segments(&(text + &"b".repeat(20)), &SegmentOptions::new())?;
/// assert_eq!(segments.parts[0].units, 152); // the euro sign takes two septets, which are not divided
/// # Ok::<(), cpaas::text::SegmentError>(())
/// ```
///
/// # Errors
/// [`SegmentError::TooManyParts`] over [`MAX_PARTS`]; [`SegmentError::NotGsm7`] if GSM 7-bit is forced for a text that
/// needs UCS-2; [`SegmentError::NoGraphemes`] if the build does not support grapheme clusters.
pub fn segments(text: &str, options: &SegmentOptions) -> Result<Segments, SegmentError> {
    // The maximum number of parts for this number of bytes, so that one allocation is enough.
    let most = (text.len() / Limits::UCS2.part).min(MAX_PARTS as usize);
    let mut parts = Vec::with_capacity(most + 1);
    let put = &mut |index, part| {
        parts.truncate(index);
        parts.push(part);
    };
    let division = divide_into(text, options, 0, Parts::new(put, MAX_PARTS))?;
    let Count { encoding, count, units, remaining } = division.count;
    let (locking_shift, single_shift) = division.languages;
    Ok(Segments {
        encoding,
        count,
        units,
        remaining,
        parts,
        count_by_code_point: division.by_code_point,
        count_by_grapheme: division.by_code_point.map(|_| count),
        locking_shift,
        single_shift,
        saved: saved(text, options, count),
    })
}

/// The number of parts that the languages of the options save.
fn saved(text: &str, options: &SegmentOptions, count: u32) -> Option<u32> {
    if options.languages.is_empty() {
        return None;
    }
    let mut without = options.languages(Languages::NONE);
    without.encoding = options.encoding.filter(|encoding| *encoding == Encoding::Ucs2);
    let before = match divide(text, &without, 0, &mut |_, _| {}) {
        Ok(division) => division.count.count,
        Err(SegmentError::TooManyParts { parts }) => parts,
        Err(_) => count,
    };
    Some(before.saturating_sub(count))
}

/// Divides a text as [`segments`] does, without allocation: each part is passed to `put` with its index. `put` may be called
/// again for the same index; the last call for each index below the number of parts is valid. After an error, no call
/// is valid.
///
/// ```
/// use cpaas::text::{segments_into, SegmentOptions};
/// let mut ends = [0; 4];
/// let count = segments_into(&"a".repeat(400), &SegmentOptions::new(), &mut |index, part| {
///     if let Some(end) = ends.get_mut(index) {
///         *end = part.end;
///     }
/// })?;
/// assert_eq!((count.count, ends), (3, [153, 306, 400, 0]));
/// # Ok::<(), cpaas::text::SegmentError>(())
/// ```
///
/// # Errors
/// As [`segments`].
pub fn segments_into(
    text: &str,
    options: &SegmentOptions,
    put: &mut dyn FnMut(usize, Part),
) -> Result<Count, SegmentError> {
    divide(text, options, 0, put).map(|division| division.count)
}

/// Divides a text. `octets` is the size of the header elements other than the concatenation and the national tables.
pub(super) fn divide(
    text: &str,
    options: &SegmentOptions,
    octets: usize,
    put: &mut dyn FnMut(usize, Part),
) -> Result<Division, SegmentError> {
    divide_into(text, options, octets, Parts::new(put, MAX_PARTS))
}

/// Counts a text as [`divide`] does; more parts than [`MAX_PARTS`] are counted too.
pub(super) fn measure_all(text: &str, options: &SegmentOptions) -> Result<Count, SegmentError> {
    divide_into(text, options, 0, Parts::new(&mut |_, _| {}, u32::MAX)).map(|division| division.count)
}

fn divide_into(
    text: &str,
    options: &SegmentOptions,
    octets: usize,
    mut parts: Parts<'_>,
) -> Result<Division, SegmentError> {
    if !options.languages.is_empty()
        && options.encoding != Some(Encoding::Ucs2)
        && let Some(division) = national_division::divide(text, options, octets, &mut parts)?
    {
        return Ok(division);
    }
    let limits = |encoding| national_division::limits(encoding, options, octets);
    let (encoding, measured) = measure(text, options.encoding, limits, &mut parts)?;
    let units = |character: char| match encoding {
        Encoding::Gsm7 => usize::from(alphabet::septets(character)),
        Encoding::Ucs2 => character.len_utf16(),
    };
    parts.division(text, options.split, (encoding, limits(encoding)), measured, units)
}

/// Measures a text in GSM 7-bit, or in UCS-2 if it is forced or needed.
fn measure(
    text: &str,
    encoding: Option<Encoding>,
    limits: impl Fn(Encoding) -> Limits,
    cuts: &mut Parts<'_>,
) -> Result<(Encoding, Measured), SegmentError> {
    if encoding != Some(Encoding::Ucs2) {
        if let Some(measured) = measure_gsm7(text, limits(Encoding::Gsm7), cuts) {
            return Ok((Encoding::Gsm7, measured));
        }
        if encoding == Some(Encoding::Gsm7) {
            return Err(first_outside(text));
        }
        cuts.clear();
    }
    Ok((Encoding::Ucs2, measure_ucs2(text, limits(Encoding::Ucs2), cuts)))
}

fn measure_gsm7(text: &str, limits: Limits, cuts: &mut Parts<'_>) -> Option<Measured> {
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(measured) = super::simd::measure_gsm7(text, limits, cuts) {
        return measured;
    }
    scalar_counter::measure_gsm7(text, limits, cuts)
}

fn measure_ucs2(text: &str, limits: Limits, cuts: &mut Parts<'_>) -> Measured {
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(measured) = super::simd::measure_ucs2(text, limits, cuts) {
        return measured;
    }
    scalar_counter::measure_ucs2(text, limits, cuts)
}

/// The error for the first character outside the default alphabet.
fn first_outside(text: &str) -> SegmentError {
    let mut utf16 = 0;
    for (position, (byte, character)) in text.char_indices().enumerate() {
        if alphabet::septets(character) == 0 {
            return SegmentError::NotGsm7 { byte, utf16, position };
        }
        utf16 += character.len_utf16();
    }
    SegmentError::NotGsm7 { byte: text.len(), utf16, position: text.chars().count() }
}
