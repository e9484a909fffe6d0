//! The annotations and options that the feature `national` adds. `national_options_disabled.rs` has the same items for builds
//! without the feature.

use super::Transliterate::{self, Always, Auto, Never};
use super::annotate::{annotate_by, causes_by};
use super::national::{cheapest, closest};
use super::{Annotated, Cause, OptionsError, Ports, SegmentOptions, Transliteration};
use crate::value::Value;

/// Returns what [`annotate`](super::annotate()) and [`causes`](super::causes) return, with the national tables that the options
/// allow: the cheapest ones that contain the text, or else those that contain most of it.
#[must_use]
pub fn annotate_with(text: &str, options: &SegmentOptions) -> (Vec<Annotated>, Vec<Cause>) {
    if options.languages.is_empty() {
        return (super::annotate(text), super::causes(text));
    }
    let tables = cheapest(text, options.languages, options.reference_bits, 0)
        .unwrap_or_else(|| closest(text, options.languages));
    let septets = |character| tables.septets(character);
    (annotate_by(text, septets), causes_by(text, septets))
}

/// The options `transliterate`, `reference` and `ports`.
#[derive(Default)]
pub(super) struct MoreOptions {
    transliterate: Transliterate,
    pub(super) reference: u16,
    pub(super) ports: Option<Ports>,
}

impl MoreOptions {
    /// Sets `transliterate`, or an option that `more` lists. Returns false for any other name, which may be an option
    /// of [`SegmentOptions`].
    pub(super) fn set(&mut self, name: &str, value: &Value, more: &[&str]) -> Result<bool, OptionsError> {
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

    /// Transliterates a text if the options request it.
    pub(super) fn changed(&self, text: &str, segments: &SegmentOptions) -> ChangedText {
        ChangedText { transliteration: self.transliterate.apply(text, segments) }
    }
}

fn ports(value: &Value) -> Option<Ports> {
    let Value::Object(members) = value else { return None };
    let port = |name: &str| u16::try_from(members.get(name)?.as_u64()?).ok();
    (members.len() == 2).then_some(Ports { destination: port("destination")?, source: port("source")? })
}

/// The transliteration of a text, if the options request one.
#[derive(serde::Serialize)]
pub(super) struct ChangedText {
    #[serde(flatten)]
    transliteration: Option<Transliteration>,
}

impl ChangedText {
    /// The text to divide: transliterated, or the original.
    pub(super) fn text<'a>(&'a self, original: &'a str) -> &'a str {
        self.transliteration.as_ref().map_or(original, |changed| &changed.text)
    }
}
