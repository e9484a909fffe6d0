//! The parts that national language tables save.

use super::{Language, Languages, SegmentOptions};

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

/// The cheapest tables of the languages that the options allow, with their savings. Without languages, the cheapest of all
/// languages, but only if they save a part. `None` if no national table is used.
pub(super) fn savings(text: &str, options: &SegmentOptions) -> Option<Savings> {
    let mut allowed = *options;
    if options.languages.is_empty() {
        let count = super::count(text);
        // No text needs fewer parts than one.
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
