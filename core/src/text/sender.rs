//! The sender of an SMS: service.md, section D1 and "Limits" ("SMS sender").

use serde::Serialize;

use super::letters;

/// Most digits of a numeric sender, service.md "Limits".
pub const MAX_NUMERIC: usize = 16;
/// Most characters of an alphanumeric sender, service.md "Limits".
pub const MAX_ALPHANUMERIC: usize = 11;
/// Most septets of an alphanumeric sender: ten octets of TS 23.040 section 9.1.2.5 hold eleven.
pub const MAX_SEPTETS: u32 = 11;

/// Most digits of a numeric sender that reads as a short code: national numbers are longer.
const MAX_SHORT_CODE: usize = 6;
/// Fewest digits of a short code.
const MIN_SHORT_CODE: usize = 3;

/// What kind of sender a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SenderClass {
    /// No character at all.
    Empty,
    /// Digits only, three to six of them: numeric for every limit.
    ShortCode,
    /// Digits only, after one leading plus at most.
    Numeric,
    /// Anything else.
    Alphanumeric,
}

impl SenderClass {
    /// True for digits only, short codes included.
    #[must_use]
    pub const fn is_numeric(self) -> bool {
        matches!(self, Self::ShortCode | Self::Numeric)
    }
}

/// The class of a sender. A leading plus before digits only is tolerated and makes it [`SenderClass::Numeric`].
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

/// True for a numeric sender that is written with a leading plus.
#[must_use]
pub fn has_plus(sender: &str) -> bool {
    sender.starts_with('+') && classify(sender).is_numeric()
}

/// Length as the limits count it: digits without the plus for a numeric sender, else characters (code points).
#[must_use]
pub fn length(sender: &str) -> usize {
    if classify(sender).is_numeric() { digits(sender).len() } else { sender.chars().count() }
}

/// Septets in the default alphabet, an extension character costing two; `None` where a character is not in it.
#[must_use]
pub fn septets(sender: &str) -> Option<u32> {
    sender.chars().map(|character| super::septets(character).map(u32::from)).sum()
}

/// What is unusual about the characters of an alphanumeric sender. Counts and positions only; nothing is quoted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Charset {
    /// Control characters, and characters that are neither letter, digit nor tolerated punctuation.
    pub forbidden: Found,
    /// Letters, digits and accents outside ASCII.
    pub non_ascii: Found,
    /// Punctuation that is tolerated: space, full stop, hyphen, underscore, ampersand.
    pub punctuation: Found,
}

/// Characters of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Found {
    /// How many.
    pub count: u32,
    /// The first of them and where it stands.
    pub first: Option<Position>,
}

/// Where a character stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Position {
    /// Byte offset.
    pub byte: usize,
    /// Offset in UTF-16 code units.
    pub utf16: usize,
}

impl Found {
    /// True when there is at least one.
    #[must_use]
    pub const fn any(&self) -> bool {
        self.count > 0
    }

    fn add(&mut self, at: Position) {
        self.count = self.count.saturating_add(1);
        self.first.get_or_insert(at);
    }
}

/// Sorts the characters of a sender. A numeric sender, with a plus or without, has no findings.
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
