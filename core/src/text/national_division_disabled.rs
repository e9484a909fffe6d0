//! The items of `national_division.rs` for builds without the feature `national`: languages are an error.

use super::division::{Division, Parts};
use super::part_limits::Limits;
use super::{Encoding, SegmentError, SegmentOptions};

pub(super) const fn limits(encoding: Encoding, options: &SegmentOptions, _octets: usize) -> Limits {
    Limits::of(encoding, options.reference_bits)
}

pub(super) fn divide(
    _: &str,
    _: &SegmentOptions,
    _: usize,
    _: &mut Parts<'_>,
) -> Result<Option<Division>, SegmentError> {
    Err(SegmentError::NoNational)
}
