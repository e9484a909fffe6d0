//! The options of the JSON functions: those of [`SegmentOptions`], and those that change the text or its encoding.

use super::national_options::{ChangedText, MoreOptions};
use super::{OptionsError, SegmentOptions};
use crate::value::Value;

/// Options in JSON: those of [`SegmentOptions`], `transliterate`, and for an encoder `reference` and `ports`.
pub(super) struct TextOptions {
    pub(super) segments: SegmentOptions,
    pub(super) more: MoreOptions,
}

impl TextOptions {
    /// Reads the options; `more` lists the options of an encoder (`reference`, `ports`) that the caller accepts.
    pub(super) fn from_json(json: Option<&str>, more: &[&str]) -> Result<Self, OptionsError> {
        let mut options = Self { segments: SegmentOptions::new(), more: MoreOptions::default() };
        let Some(json) = json else { return Ok(options) };
        let Some(Value::Object(members)) = crate::json::tape_value::parse(json) else {
            return Err(OptionsError::NotAnObject);
        };
        for (name, value) in members {
            if !options.more.set(&name, &value, more)? {
                options.segments.set(&name, &value)?;
            }
        }
        Ok(options)
    }

    /// Transliterates a text if the options request it.
    pub(super) fn changed(&self, text: &str) -> ChangedText {
        self.more.changed(text, &self.segments)
    }
}
