//! The error of the parser.

use core::fmt;

use serde::{Serialize, Serializer};

use crate::util::error_codes;

/// The kind of an error; `code` is the end of the problem code `messenger_c.markup.…`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An entity of Markdown or MarkdownV2 has no end.
    UnclosedEntity,
    /// MarkdownV2: a reserved character is not escaped.
    ReservedCharacter,
    /// MarkdownV2: no `)` after `](`.
    UnclosedUrl,
    /// A custom emoji or date without a valid URL or identifier.
    CustomEmoji,
    /// Html: the tag is not supported.
    UnsupportedTag,
    /// Html: a tag is incomplete or has no end tag.
    UnclosedTag,
    /// Html: the end tag does not match the innermost open tag.
    UnmatchedEndTag,
    /// Html: an end tag without a start tag.
    UnexpectedEndTag,
    /// Html: an attribute without a name, or with an invalid unquoted value.
    Attribute,
    /// Html: `span` without the class `tg-spoiler`.
    SpanClass,
    /// A numeric reference to a surrogate, or bytes that are not UTF-8.
    InvalidUnicode,
    /// Html: an unknown letter in a date format.
    DateFormat,
    /// More code points than the parser accepts, or than the field accepts after cleaning.
    TooLong,
    /// No text is left after cleaning.
    Empty,
}

error_codes!(pub(crate) ErrorKind, code, self: Self, "The name in JSON: `unclosed_entity`, `reserved_character` and so on.", {
    Self::UnclosedEntity => "unclosed_entity",
    Self::ReservedCharacter => "reserved_character",
    Self::UnclosedUrl => "unclosed_url",
    Self::CustomEmoji => "custom_emoji",
    Self::UnsupportedTag => "unsupported_tag",
    Self::UnclosedTag => "unclosed_tag",
    Self::UnmatchedEndTag => "unmatched_end_tag",
    Self::UnexpectedEndTag => "unexpected_end_tag",
    Self::Attribute => "attribute",
    Self::SpanClass => "span_class",
    Self::InvalidUnicode => "invalid_unicode",
    Self::DateFormat => "date_format",
    Self::TooLong => "too_long",
    Self::Empty => "empty",
});

impl Serialize for ErrorKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

/// The kind and the position of the first error in a text. In JSON: `kind`, `message`, `offset`, `utf16Offset`.
///
/// `message` is the text of the reference implementation, which may quote a tag or one character; `Debug` and `Display` omit
/// it.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MarkupError {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The text of the reference implementation, without its prefix "Can't parse entities: ".
    pub message: String,
    /// The byte offset of the error in the input.
    #[serde(rename = "offset")]
    pub byte_offset: usize,
    /// The same position in UTF-16 units.
    #[serde(rename = "utf16Offset")]
    pub utf16_offset: usize,
    /// The same position in code points, which is what messages count.
    #[serde(skip)]
    pub position: usize,
}

impl fmt::Debug for MarkupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MarkupError({self})")
    }
}

impl fmt::Display for MarkupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at position {}", self.kind.code(), self.position)
    }
}

impl std::error::Error for MarkupError {}

/// An error with its byte offset only. Boxed, so that each `?` of the parsers moves one pointer.
pub(super) struct Fail(Box<MarkupError>);

impl Fail {
    /// In `message`, `%` is replaced by `what` and `@` by " at byte offset N".
    pub(super) fn new(kind: ErrorKind, at: usize, message: &str, what: &str) -> Self {
        let mut text = String::new();
        for c in message.chars() {
            match c {
                '%' => text.push_str(what),
                '@' => text.push_str(&format!(" at byte offset {at}")),
                c => text.push(c),
            }
        }
        Self(Box::new(MarkupError { kind, message: text, byte_offset: at, utf16_offset: 0, position: 0 }))
    }

    /// Completes the error with the other offsets.
    pub(super) fn locate(mut self, input: &str) -> MarkupError {
        let before = input.as_bytes().get(..self.0.byte_offset).unwrap_or_default();
        self.0.utf16_offset = before.iter().map(|&byte| super::input::units(byte) as usize).sum();
        // A continuation byte belongs to the code point that starts before it.
        self.0.position = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        *self.0
    }
}
