//! Parts of a text in national language tables.

use super::segment_options::SegmentOptions;
use super::segments::{Division, Parts};
use super::{Annotated, Cause, Language, Languages, SegmentError};

/// Without the feature, languages are an error.
#[cfg(not(feature = "national"))]
pub(super) fn divide(
    _: &str,
    _: &SegmentOptions,
    _: usize,
    _: &mut Parts<'_>,
) -> Result<Option<Division>, SegmentError> {
    Err(SegmentError::NoNational)
}

/// Divides a text with the cheapest tables; `None` if the default alphabet or UCS-2 is used.
#[cfg(feature = "national")]
pub(super) fn divide(
    text: &str,
    options: &SegmentOptions,
    octets: usize,
    parts: &mut Parts<'_>,
) -> Result<Option<Division>, SegmentError> {
    use super::national::{Tables, cheapest, limits};
    let Some(tables) = cheapest(text, options.languages, options.reference_bits, octets) else {
        return Ok(None);
    };
    if tables == Tables::DEFAULT {
        return Ok(None);
    }
    let units = |character| usize::from(tables.septets(character).unwrap_or_default());
    let limits = limits(tables, options.reference_bits, octets);
    let mut walk = super::scalar::Walk::new(limits);
    for (byte, character) in text.char_indices() {
        walk.character(byte, units(character), 1, parts);
    }
    let parts = parts.reborrow();
    let mut division =
        parts.division(text, options.split, (super::Encoding::Gsm7, limits), walk.measured(), units)?;
    division.languages = tables.languages();
    Ok(Some(division))
}

/// The national tables of a text, and the parts that they save.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Savings {
    #[serde(skip_serializing_if = "Option::is_none")]
    locking_shift: Option<Language>,
    #[serde(skip_serializing_if = "Option::is_none")]
    single_shift: Option<Language>,
    count: u32,
    saved: u32,
}

/// The tables that the options allow, with their savings; without languages those of all, if they save a part. `None` if no
/// national table is used.
pub(super) fn savings(text: &str, options: &SegmentOptions) -> Option<Savings> {
    let mut allowed = *options;
    if options.languages.is_empty() {
        let count = super::count(text);
        // Nothing is less than one part, and the tables contain no character of another plane.
        if count.count == 1 || cfg!(not(feature = "national")) {
            return None;
        }
        allowed = options.languages(Languages::AUTO);
    }
    let found = super::segments(text, &allowed).ok()?;
    let saved = found.saved.unwrap_or_default();
    let is_used = found.locking_shift.or(found.single_shift).is_some();
    (is_used && (saved > 0 || !options.languages.is_empty())).then_some(Savings {
        locking_shift: found.locking_shift,
        single_shift: found.single_shift,
        count: found.count,
        saved,
    })
}

/// The characters of a text and the causes of UCS-2, with the tables that the options allow.
#[cfg(not(feature = "national"))]
pub(super) fn annotate(text: &str, _: &SegmentOptions) -> (Vec<Annotated>, Vec<Cause>) {
    (super::annotate(text), super::causes(text))
}

/// The characters of a text and the causes of UCS-2, with the tables that the options allow.
#[cfg(feature = "national")]
pub(super) fn annotate(text: &str, options: &SegmentOptions) -> (Vec<Annotated>, Vec<Cause>) {
    use super::annotate::{annotate_by, causes_by};
    use super::national::{cheapest, closest};
    if options.languages.is_empty() {
        return (super::annotate(text), super::causes(text));
    }
    let tables = cheapest(text, options.languages, options.reference_bits, 0)
        .unwrap_or_else(|| closest(text, options.languages));
    let septets = |character| tables.septets(character);
    (annotate_by(text, septets), causes_by(text, septets))
}
