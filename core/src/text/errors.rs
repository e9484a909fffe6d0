//! Why options are invalid, why a text cannot be divided into parts, and why user data cannot be decoded.

use crate::util::error_codes;

/// The maximum number of parts of a message: the header counts them in one byte, TS 23.040 section 9.2.3.24.1.
pub const MAX_PARTS: u32 = 255;

/// Why a text cannot be divided into parts. The message contains positions and counts only; it never quotes the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SegmentError {
    /// The text needs more parts than [`MAX_PARTS`].
    #[error("a message must have at most {MAX_PARTS} parts, got {parts}")]
    TooManyParts {
        /// The number of parts that the text needs.
        parts: u32,
    },
    /// GSM 7-bit was forced and the text has a character outside the default alphabet and its extension.
    #[error("the character at position {position} is not in the GSM 7-bit default alphabet")]
    NotGsm7 {
        /// Byte offset of the first such character.
        byte: usize,
        /// Its offset in UTF-16 code units.
        utf16: usize,
        /// Its offset in code points.
        position: usize,
    },
    /// The library was built without the feature `graphemes`.
    #[error("this build does not support grapheme clusters (feature `graphemes`)")]
    NoGraphemes,
    /// The library was built without the feature `national`.
    #[error("this build does not support national language tables (feature `national`)")]
    NoNational,
    /// The options are invalid.
    #[error(transparent)]
    Options(#[from] OptionsError),
}

error_codes!(pub(crate) SegmentError, code, self: &Self, "The stable code of the error, the same in every language.", {
    Self::TooManyParts { .. } => "text.parts_over_255",
    Self::NotGsm7 { .. } => "text.not_gsm7",
    Self::NoGraphemes => "text.no_graphemes",
    Self::NoNational => "text.no_national",
    Self::Options(_) => "text.options",
});

/// Why options were rejected. The message lists the valid values and never quotes input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// The JSON is not an object.
    #[error("the options must be a JSON object")]
    NotAnObject,
    /// An option has an unknown name.
    #[error(
        "unknown option; documented options: referenceBits, split, encoding, languages, transliterate; encode: reference, ports"
    )]
    Unknown,
    /// `referenceBits` is neither 8 nor 16.
    #[error("referenceBits must be 8 or 16")]
    ReferenceBits,
    /// `split` is neither `codePoint` nor `grapheme`.
    #[error("split must be \"codePoint\" or \"grapheme\"")]
    Split,
    /// `encoding` is neither `gsm7` nor `ucs2`.
    #[error("encoding must be \"gsm7\" or \"ucs2\"")]
    Encoding,
    /// `languages` is neither `auto` nor a list of known codes.
    #[error(
        "languages must be \"auto\" or a list of these codes: tr, es, pt, bn, gu, hi, kn, ml, or, pa, ta, te, ur"
    )]
    Languages,
    /// `transliterate` is neither a boolean nor `auto`.
    #[cfg(feature = "national")]
    #[error("transliterate must be true, false or \"auto\"")]
    Transliterate,
    /// `reference` does not fit into 16 bits.
    #[cfg(feature = "national")]
    #[error("reference must be an integer from 0 to 65535")]
    Reference,
    /// `ports` is not an object with two ports.
    #[cfg(feature = "national")]
    #[error("ports must be an object with destination and source, integers from 0 to 65535")]
    Ports,
}

/// Why parts cannot be decoded, and where. The message never quotes the text.
#[cfg(feature = "national")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", position(*part, *octet))]
#[non_exhaustive]
pub struct DecodeError {
    /// The index of the part in the input; `None` if a part is missing.
    pub part: Option<usize>,
    /// The octet in the part, from the start of the header on; `None` if the error is in its length or its data coding scheme.
    pub octet: Option<usize>,
    /// What was expected, then what was found.
    pub message: String,
}

#[cfg(feature = "national")]
fn position(part: Option<usize>, octet: Option<usize>) -> String {
    match (part, octet) {
        (Some(part), Some(octet)) => format!("parts[{part}], octet {octet}: "),
        (Some(part), None) => format!("parts[{part}]: "),
        (None, _) => String::new(),
    }
}

#[cfg(feature = "national")]
error_codes!(pub(crate) DecodeError, code, self: &Self, "The stable code of the error, the same in every language.", {
    Self { .. } => "text.user_data",
});

#[cfg(feature = "national")]
impl DecodeError {
    pub(super) fn at(part: usize, octet: usize, message: impl Into<String>) -> Self {
        Self { part: Some(part), octet: Some(octet), message: message.into() }
    }

    pub(super) fn in_part(part: usize, message: impl Into<String>) -> Self {
        Self { part: Some(part), octet: None, message: message.into() }
    }

    pub(super) fn whole(message: impl Into<String>) -> Self {
        Self { part: None, octet: None, message: message.into() }
    }
}
