//! Why a text cannot be divided into parts.

use super::OptionsError;

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

impl SegmentError {
    /// The stable code of the error, the same in every language.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooManyParts { .. } => "text.parts_over_255",
            Self::NotGsm7 { .. } => "text.not_gsm7",
            Self::NoGraphemes => "text.no_graphemes",
            Self::NoNational => "text.no_national",
            Self::Options(_) => "text.options",
        }
    }
}
