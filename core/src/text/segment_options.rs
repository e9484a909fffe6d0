//! Options of the division of a text into parts.

use crate::value::Value;
use serde::Serialize;

use super::{Encoding, Languages, OptionsError};

/// Width of the concatenation reference in the user-data header, TS 23.040 sections 9.2.3.24.1 (8 bits) and 9.2.3.24.8
/// (16 bits). The wider one leaves a part one septet or one UTF-16 unit less. In JSON, 8 or 16.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReferenceBits {
    /// 153 septets or 67 units in each part, as in the specification, "Limits".
    #[default]
    Eight,
    /// 152 septets or 66 units in each part.
    Sixteen,
}

impl ReferenceBits {
    /// 8 or 16.
    #[must_use]
    pub const fn bits(self) -> u8 {
        match self {
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }
}

impl Serialize for ReferenceBits {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.bits())
    }
}

/// Where a part may end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Split {
    /// Between any two code points, which is what is billed. In JSON `codePoint`.
    #[default]
    CodePoint,
    /// Between grapheme clusters (what a reader sees as one character). A cluster that is larger than a part is divided
    /// between code points. Can need more parts. In JSON `grapheme`.
    Grapheme,
}

/// Options of [`segments`](super::segments), with the defaults of the specification, "Limits".
///
/// As JSON: `{"referenceBits": 8 | 16, "split": "codePoint" | "grapheme", "encoding": "gsm7" | "ucs2", "languages": "auto" |
/// ["tr", ...]}`, each member optional; `null` is the same as absent. An unknown member is an error, so that a misspelt option
/// is not ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(try_from = "Value")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SegmentOptions {
    /// Width of the concatenation reference.
    pub reference_bits: ReferenceBits,
    /// Where a part may end.
    pub split: Split,
    /// Forces an alphabet; `None` chooses GSM 7-bit if it contains every character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
    /// The languages whose national tables may be used, with the feature `national`. The provider must support them.
    #[serde(skip_serializing_if = "languages_are_none")]
    pub languages: Languages,
}

fn languages_are_none(languages: &Languages) -> bool {
    languages.is_empty()
}

impl SegmentOptions {
    /// The defaults: 8-bit reference, split between code points, encoding by content.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            reference_bits: ReferenceBits::Eight,
            split: Split::CodePoint,
            encoding: None,
            languages: Languages::NONE,
        }
    }

    /// Sets the width of the concatenation reference.
    #[must_use]
    pub const fn reference_bits(mut self, bits: ReferenceBits) -> Self {
        self.reference_bits = bits;
        self
    }

    /// Sets where a part may end.
    #[must_use]
    pub const fn split(mut self, split: Split) -> Self {
        self.split = split;
        self
    }

    /// Forces an alphabet.
    #[must_use]
    pub const fn encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = Some(encoding);
        self
    }

    /// Allows the national tables of languages.
    #[must_use]
    pub const fn languages(mut self, languages: Languages) -> Self {
        self.languages = languages;
        self
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// [`OptionsError`]: the text is not a JSON object, a member is unknown, or a value is invalid.
    pub fn from_json(json: &str) -> Result<Self, OptionsError> {
        Self::try_from(crate::json::tape_value::parse(json).ok_or(OptionsError::NotAnObject)?)
    }
}

impl TryFrom<Value> for SegmentOptions {
    type Error = OptionsError;

    fn try_from(value: Value) -> Result<Self, OptionsError> {
        let Value::Object(members) = value else {
            return Err(OptionsError::NotAnObject);
        };
        let mut options = Self::new();
        for (name, value) in members {
            options.set(&name, &value)?;
        }
        Ok(options)
    }
}

impl SegmentOptions {
    pub(super) fn set(&mut self, name: &str, value: &Value) -> Result<(), OptionsError> {
        match name {
            "referenceBits" | "split" | "encoding" if value.is_null() => {}
            "referenceBits" => {
                self.reference_bits = match value.as_u64() {
                    Some(8) => ReferenceBits::Eight,
                    Some(16) => ReferenceBits::Sixteen,
                    _ => return Err(OptionsError::ReferenceBits),
                }
            }
            "split" => {
                self.split = match value.as_str() {
                    Some("codePoint") => Split::CodePoint,
                    Some("grapheme") => Split::Grapheme,
                    _ => return Err(OptionsError::Split),
                }
            }
            "encoding" => {
                let known = value.as_str().and_then(Encoding::from_wire);
                self.encoding = Some(known.ok_or(OptionsError::Encoding)?);
            }
            "languages" => self.languages = Languages::from_value(value)?,
            _ => return Err(OptionsError::Unknown),
        }
        Ok(())
    }
}
