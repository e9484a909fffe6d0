//! What a caller can choose about the parts.

use std::fmt;

use crate::value::Value;
use serde::Serialize;

use super::Encoding;

/// Width of the concatenation reference in the user-data header, TS 23.040 sections 9.2.3.24.1 (8 bits) and 9.2.3.24.8
/// (16 bits). The wider one leaves a part one septet or one UTF-16 unit less. RequestContext form: the number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReferenceBits {
    /// 153 septets or 67 units a part: what service.md, "Limits", states.
    #[default]
    Eight,
    /// 152 septets or 66 units a part.
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
    /// Between any two code points, which is what is billed. RequestContext name `codePoint`.
    #[default]
    CodePoint,
    /// Between grapheme clusters (what a person sees as one character), unless one alone is larger than a part: that one
    /// is cut between code points. Can need more parts. RequestContext name `grapheme`.
    Grapheme,
}

/// Options of [`segments`](super::segments), with the defaults of service.md, "Limits".
///
/// As JSON: `{"referenceBits": 8 | 16, "split": "codePoint" | "grapheme", "encoding": "gsm7" | "ucs2"}`, each member
/// optional and `null` the same as absent; an unknown member is an error, so that a misspelt option is not ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(try_from = "Value")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SegmentOptions {
    /// Width of the concatenation reference.
    pub reference_bits: ReferenceBits,
    /// Where a part may end.
    pub split: Split,
    /// Forces an alphabet; `None` chooses GSM 7-bit where it holds the whole text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
}

impl SegmentOptions {
    /// The defaults: 8-bit reference, split between code points, encoding by content.
    #[must_use]
    pub const fn new() -> Self {
        Self { reference_bits: ReferenceBits::Eight, split: Split::CodePoint, encoding: None }
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

    /// Reads the JSON form.
    ///
    /// # Errors
    /// When the text is no JSON object, a member is unknown or a value is not one of those listed.
    pub fn from_json(json: &str) -> Result<Self, OptionsError> {
        Self::try_from(crate::value::parse(json).ok_or(OptionsError::NotAnObject)?)
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
    fn set(&mut self, name: &str, value: &Value) -> Result<(), OptionsError> {
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
            _ => return Err(OptionsError::Unknown),
        }
        Ok(())
    }
}

/// Why options were refused. The message names what is allowed and never quotes what was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionsError {
    /// Not a JSON object.
    NotAnObject,
    /// A member that is no option.
    Unknown,
    /// `referenceBits` is neither 8 nor 16.
    ReferenceBits,
    /// `split` is neither `codePoint` nor `grapheme`.
    Split,
    /// `encoding` is neither `gsm7` nor `ucs2`.
    Encoding,
}

impl OptionsError {
    pub(super) const fn message(self) -> &'static str {
        match self {
            Self::NotAnObject => "the options are no JSON object",
            Self::Unknown => "unknown option; the options are referenceBits, split and encoding",
            Self::ReferenceBits => "referenceBits is 8 or 16",
            Self::Split => "split is \"codePoint\" or \"grapheme\"",
            Self::Encoding => "encoding is \"gsm7\" or \"ucs2\"",
        }
    }
}

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for OptionsError {}
