//! The items of `national_support.rs` for builds without the feature `national`: languages are an error, and no option
//! changes the text.

use super::part_limits::Limits;
use super::segments::{Division, Parts};
use super::{Annotated, Cause, Encoding, OptionsError, SegmentError, SegmentOptions};
use crate::value::Value;

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

pub(super) fn annotate(text: &str, _: &SegmentOptions) -> (Vec<Annotated>, Vec<Cause>) {
    (super::annotate(text), super::causes(text))
}

#[derive(Default)]
pub(super) struct MoreOptions {}

impl MoreOptions {
    pub(super) fn set(&mut self, _: &str, _: &Value, _: &[&str]) -> Result<bool, OptionsError> {
        Ok(false)
    }

    pub(super) fn changed(&self, _: &str, _: &SegmentOptions) -> ChangedText {
        ChangedText {}
    }
}

#[derive(serde::Serialize)]
pub(super) struct ChangedText {}

impl ChangedText {
    pub(super) fn text<'a>(&self, original: &'a str) -> &'a str {
        original
    }
}
