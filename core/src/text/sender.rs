//! The sender of an SMS: section D1 and "Limits" ("SMS sender") of the specification.

use serde::Serialize;

use super::letters;

/// Maximum number of digits of a numeric sender (specification, "Limits").
pub const MAX_NUMERIC: usize = 16;
/// Maximum number of characters of an alphanumeric sender (specification, "Limits").
pub const MAX_ALPHANUMERIC: usize = 11;
/// Maximum number of septets of an alphanumeric sender: the ten octets of an address (TS 23.040 section 9.1.2.5) hold
/// eleven.
pub const MAX_SEPTETS: u32 = 11;

/// Maximum number of digits of a short code; national numbers are longer.
const MAX_SHORT_CODE: usize = 6;
/// Minimum number of digits of a short code.
const MIN_SHORT_CODE: usize = 3;

/// The kind of a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SenderClass {
    /// The empty string.
    Empty,
    /// Three to six digits; the limits of numeric senders apply.
    ShortCode,
    /// Digits only, optionally after one plus sign.
    Numeric,
    /// Anything else.
    Alphanumeric,
}

impl SenderClass {
    /// True for a short code and for a numeric sender.
    #[must_use]
    pub const fn is_numeric(self) -> bool {
        matches!(self, Self::ShortCode | Self::Numeric)
    }
}

/// Returns the class of a sender. Digits after one plus sign are [`SenderClass::Numeric`].
#[must_use]
pub fn classify(sender: &str) -> SenderClass {
    let digits = digits(sender);
    if sender.is_empty() {
        SenderClass::Empty
    } else if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        SenderClass::Alphanumeric
    } else if digits.len() == sender.len() && (MIN_SHORT_CODE..=MAX_SHORT_CODE).contains(&digits.len()) {
        SenderClass::ShortCode
    } else {
        SenderClass::Numeric
    }
}

/// Whether a sender is numeric and starts with a plus sign.
#[must_use]
pub fn has_plus(sender: &str) -> bool {
    sender.starts_with('+') && classify(sender).is_numeric()
}

/// The length as the limits count it: digits without the plus for a numeric sender, else characters (code points).
#[must_use]
pub fn length(sender: &str) -> usize {
    if classify(sender).is_numeric() { digits(sender).len() } else { sender.chars().count() }
}

/// Septets in the default alphabet, where an extension character takes two; `None` if a character is not in the
/// alphabet.
#[must_use]
pub fn septets(sender: &str) -> Option<u32> {
    sender.chars().map(|character| super::septets(character).map(u32::from)).sum()
}

/// The characters of an alphanumeric sender that are not ASCII letters or digits, as counts and positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Charset {
    /// Control characters, and characters that are not letters, digits or accepted punctuation.
    pub forbidden: Found,
    /// Letters, digits and accents outside ASCII.
    pub non_ascii: Found,
    /// Accepted punctuation: space, full stop, hyphen, underscore, ampersand.
    pub punctuation: Found,
}

/// Characters of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Found {
    /// The number of these characters.
    pub count: u32,
    /// The position of the first one.
    pub first: Option<Position>,
}

/// The position of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Position {
    /// Byte offset.
    pub byte: usize,
    /// Offset in UTF-16 code units.
    pub utf16: usize,
}

impl Found {
    /// Whether there is at least one.
    #[must_use]
    pub const fn any(&self) -> bool {
        self.count > 0
    }

    fn add(&mut self, at: Position) {
        self.count = self.count.saturating_add(1);
        self.first.get_or_insert(at);
    }
}

/// Classifies the characters of a sender. A numeric sender has no characters of these kinds.
#[must_use]
pub fn charset(sender: &str) -> Charset {
    let mut charset = Charset::default();
    if classify(sender).is_numeric() {
        return charset;
    }
    let mut utf16 = 0;
    for (byte, character) in sender.char_indices() {
        let at = Position { byte, utf16 };
        utf16 += character.len_utf16();
        match character {
            _ if character.is_ascii_alphanumeric() => {}
            ' ' | '.' | '-' | '_' | '&' => charset.punctuation.add(at),
            _ if letters::is_letter(character) => charset.non_ascii.add(at),
            _ => charset.forbidden.add(at),
        }
    }
    charset
}

fn digits(sender: &str) -> &str {
    sender.strip_prefix('+').unwrap_or(sender)
}
