//! The division of a text with national tables. `national_division_disabled.rs` has the same items for builds without the
//! feature `national`.

use super::division::{Division, Parts};
use super::national::{self, Tables, cheapest};
use super::part_limits::Limits;
use super::scalar_counter::Walk;
use super::{Encoding, SegmentError, SegmentOptions};

/// The limits of a message; `octets` is the size of its other header elements.
pub(super) const fn limits(encoding: Encoding, options: &SegmentOptions, octets: usize) -> Limits {
    match octets {
        0 => Limits::of(encoding, options.reference_bits),
        _ => Limits::with_elements(encoding, options.reference_bits, octets),
    }
}

/// Divides a text with the cheapest tables; `None` if the default alphabet or UCS-2 is used.
pub(super) fn divide(
    text: &str,
    options: &SegmentOptions,
    octets: usize,
    parts: &mut Parts<'_>,
) -> Result<Option<Division>, SegmentError> {
    let Some(tables) = cheapest(text, options.languages, options.reference_bits, octets) else {
        return Ok(None);
    };
    if tables == Tables::DEFAULT {
        return Ok(None);
    }
    let units = |character| usize::from(tables.septets(character).unwrap_or_default());
    let limits = national::limits(tables, options.reference_bits, octets);
    let mut walk = Walk::new(limits);
    for (byte, character) in text.char_indices() {
        walk.character(byte, units(character), 1, parts);
    }
    let parts = parts.reborrow();
    let mut division =
        parts.division(text, options.split, (Encoding::Gsm7, limits), walk.measured(), units)?;
    division.languages = tables.languages();
    Ok(Some(division))
}
