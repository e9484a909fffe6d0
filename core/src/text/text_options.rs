//! The options of the JSON functions: those of a division, and what happens to the text before and after it.

use super::{OptionsError, SegmentOptions};
use crate::value::Value;

/// Options in JSON: those of [`SegmentOptions`], `transliterate`, and for an encoder `reference` and `ports`.
pub(super) struct TextOptions {
    pub(super) segments: SegmentOptions,
    #[cfg(feature = "national")]
    transliterate: super::Transliterate,
    #[cfg(feature = "national")]
    pub(super) reference: u16,
    #[cfg(feature = "national")]
    pub(super) ports: Option<super::Ports>,
}

impl TextOptions {
    /// Reads the options; `more` are the names of options beside those of a division that the function accepts.
    pub(super) fn from_json(json: Option<&str>, more: &[&str]) -> Result<Self, OptionsError> {
        let mut options = Self {
            segments: SegmentOptions::new(),
            #[cfg(feature = "national")]
            transliterate: super::Transliterate::Never,
            #[cfg(feature = "national")]
            reference: 0,
            #[cfg(feature = "national")]
            ports: None,
        };
        let Some(json) = json else { return Ok(options) };
        let Some(Value::Object(members)) = crate::json::tape_value::parse(json) else {
            return Err(OptionsError::NotAnObject);
        };
        for (name, value) in members {
            if !options.set(&name, &value, more)? {
                options.segments.set(&name, &value)?;
            }
        }
        Ok(options)
    }

    /// Sets an option that is not one of a division; false for another name.
    #[cfg(feature = "national")]
    fn set(&mut self, name: &str, value: &Value, more: &[&str]) -> Result<bool, OptionsError> {
        use super::Transliterate::{Always, Auto, Never};
        if name != "transliterate" && !more.contains(&name) {
            return Ok(false);
        }
        match (name, value) {
            (_, Value::Null) => {}
            ("transliterate", Value::Bool(is_always)) => {
                self.transliterate = if *is_always { Always } else { Never };
            }
            ("transliterate", Value::String(auto)) if auto == "auto" => self.transliterate = Auto,
            ("transliterate", _) => return Err(OptionsError::Transliterate),
            ("reference", value) => {
                let reference = value.as_u64().and_then(|reference| u16::try_from(reference).ok());
                self.reference = reference.ok_or(OptionsError::Reference)?;
            }
            ("ports", value) => self.ports = Some(ports(value).ok_or(OptionsError::Ports)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    #[cfg(not(feature = "national"))]
    fn set(&mut self, _: &str, _: &Value, _: &[&str]) -> Result<bool, OptionsError> {
        Ok(false)
    }

    /// The text as it is divided.
    #[cfg(feature = "national")]
    pub(super) fn changed(&self, text: &str) -> ChangedText {
        ChangedText { transliteration: self.transliterate.apply(text, &self.segments) }
    }

    #[cfg(not(feature = "national"))]
    pub(super) fn changed(&self, _: &str) -> ChangedText {
        ChangedText {}
    }
}

#[cfg(feature = "national")]
fn ports(value: &Value) -> Option<super::Ports> {
    let Value::Object(members) = value else { return None };
    let port = |name: &str| u16::try_from(members.get(name)?.as_u64()?).ok();
    (members.len() == 2)
        .then_some(super::Ports { destination: port("destination")?, source: port("source")? })
}

/// A transliterated text, where the options ask for one.
#[derive(serde::Serialize)]
pub(super) struct ChangedText {
    #[cfg(feature = "national")]
    #[serde(flatten)]
    transliteration: Option<super::Transliteration>,
}

impl ChangedText {
    /// The text that is divided.
    #[cfg(feature = "national")]
    pub(super) fn text<'a>(&'a self, original: &'a str) -> &'a str {
        self.transliteration.as_ref().map_or(original, |changed| &changed.text)
    }

    #[cfg(not(feature = "national"))]
    pub(super) fn text<'a>(&self, original: &'a str) -> &'a str {
        original
    }
}
