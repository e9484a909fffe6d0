//! The JSON entries that the bindings pass through, so that every language gives the same bytes.

use std::fmt;

use serde::Serialize;

use super::{Annotated, Cause, OptionsError, PriceError, SegmentError, SegmentOptions, sender};

/// Why a JSON entry gave no answer: a stable code and a message that quotes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextError {
    /// The text has no parts to send, or the options are wrong.
    Segments(SegmentError),
    /// The price is no decimal number.
    Price(PriceError),
}

impl TextError {
    /// A stable name of the reason, the same in every language.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Segments(error) => error.code(),
            Self::Price(_) => "text.price",
        }
    }

    /// What is wrong, without a formatter.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Segments(error) => error.message(),
            Self::Price(_) => PriceError::MESSAGE.to_owned(),
        }
    }

    /// The error as JSON: `{"code", "message"}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        written(&Failure { code: self.code(), message: self.message() })
    }
}

#[derive(Serialize)]
struct Failure {
    code: &'static str,
    message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for TextError {}

impl From<SegmentError> for TextError {
    fn from(error: SegmentError) -> Self {
        Self::Segments(error)
    }
}

impl From<OptionsError> for TextError {
    fn from(error: OptionsError) -> Self {
        Self::Segments(error.into())
    }
}

impl From<PriceError> for TextError {
    fn from(error: PriceError) -> Self {
        Self::Price(error)
    }
}

/// [`segments`](super::segments) as JSON: the members of [`Segments`](super::Segments) in camel case.
///
/// # Errors
/// Those of [`segments`](super::segments), and options that are not understood.
pub fn segments_json(text: &str, options_json: Option<&str>) -> Result<String, TextError> {
    let options = options_json.map_or(Ok(SegmentOptions::new()), SegmentOptions::from_json)?;
    Ok(written(&super::segments(text, &options)?))
}

/// [`annotate`](super::annotate), [`causes`](super::causes) and [`replaced`](super::replaced) as one JSON object:
/// `{"characters": [...], "causes": [...], "replaced": {"text", "saved"} | null}`; `replaced` is `null` where replacing
/// changes nothing.
#[must_use]
pub fn annotate_json(text: &str) -> String {
    let (plain, saved) = super::replaced(text);
    let replaced = (plain != text).then_some(Replaced { text: &plain, saved });
    written(&Report { characters: super::annotate(text), causes: super::causes(text), replaced })
}

#[derive(Serialize)]
struct Report<'a> {
    characters: Vec<Annotated>,
    causes: Vec<Cause>,
    replaced: Option<Replaced<'a>>,
}

#[derive(Serialize)]
struct Replaced<'a> {
    text: &'a str,
    saved: u32,
}

/// What a sender is and how long, as JSON: `{"kind", "length", "septets", "hasPlus", "charset"}`; see [`sender`].
#[must_use]
pub fn sender_json(text: &str) -> String {
    written(&Sender {
        kind: sender::classify(text),
        length: sender::length(text),
        septets: sender::septets(text),
        has_plus: sender::has_plus(text),
        charset: sender::charset(text),
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sender {
    kind: sender::SenderClass,
    length: usize,
    septets: Option<u32>,
    has_plus: bool,
    charset: sender::Charset,
}

/// [`estimate`](super::estimate) as JSON: the members of [`Estimate`](super::Estimate) in camel case, prices as strings.
///
/// # Errors
/// A price that is no decimal number, and more parts than a message can have.
pub fn estimate_json(text: &str, price_per_part: &str) -> Result<String, TextError> {
    Ok(written(&super::estimate(text, price_per_part.parse()?)?))
}

/// Plain structs with string keys cannot fail to serialize.
fn written(value: &impl Serialize) -> String {
    crate::value::to_json(value)
}
