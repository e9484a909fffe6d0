//! The items of `national_options.rs` for builds without the feature `national`: no option changes the text.

use super::{Annotated, Cause, OptionsError, SegmentOptions};
use crate::value::Value;

/// Returns what [`annotate`](super::annotate()) and [`causes`](super::causes) return: this build has no national tables.
#[must_use]
pub fn annotate_with(text: &str, _: &SegmentOptions) -> (Vec<Annotated>, Vec<Cause>) {
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
