//! The functions of this module with JSON results, for the bindings: every language returns the same bytes.

use serde::Serialize;

use super::autofill::AutofillError;
use super::national_options::{ChangedText, MoreOptions};
use super::{
    Annotated, Cause, EstimateError, OptionsError, PriceError, PriceTable, PriceTableError, SegmentError,
    SegmentOptions, sender,
};
use crate::value::{Value, to_json};

/// Options in JSON: those of [`SegmentOptions`], `transliterate`, and for an encoder `reference` and `ports`.
pub(super) struct TextOptions {
    pub(super) segments: SegmentOptions,
    pub(super) more: MoreOptions,
}

impl TextOptions {
    /// Reads the options; `more` lists the options of an encoder (`reference`, `ports`) that the caller accepts.
    pub(super) fn from_json(json: Option<&str>, more: &[&str]) -> Result<Self, OptionsError> {
        let mut options = Self { segments: SegmentOptions::new(), more: MoreOptions::default() };
        let Some(json) = json else { return Ok(options) };
        let Some(Value::Object(members)) = crate::json::tape_value::parse(json) else {
            return Err(OptionsError::NotAnObject);
        };
        for (name, value) in members {
            if !options.more.set(&name, &value, more)? {
                options.segments.set(&name, &value)?;
            }
        }
        Ok(options)
    }

    /// Transliterates a text if the options request it.
    pub(super) fn changed(&self, text: &str) -> ChangedText {
        self.more.changed(text, &self.segments)
    }
}

/// Why a JSON function failed: a stable code and a message that never quotes input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// The text cannot be divided into parts, or the options are invalid.
    #[error(transparent)]
    Segments(#[from] SegmentError),
    /// The price is not a decimal number.
    #[error(transparent)]
    Price(#[from] PriceError),
    /// Parts cannot be decoded.
    #[cfg(feature = "national")]
    #[error(transparent)]
    Decode(#[from] super::DecodeError),
    /// A template cannot be measured.
    #[cfg(feature = "national")]
    #[error(transparent)]
    Template(#[from] super::TemplateError),
    /// The prices are not a valid price table.
    #[error(transparent)]
    Prices(#[from] PriceTableError),
    /// A recipient has no price.
    #[error(transparent)]
    NoPrice(EstimateError),
    /// A message that fills itself in, or the hash of an app, cannot be made.
    #[error(transparent)]
    Autofill(#[from] AutofillError),
    /// The recipients are not a list of numbers.
    #[error("the recipients must be a number or a JSON list of numbers, each a string")]
    Recipients,
}

impl From<EstimateError> for TextError {
    fn from(error: EstimateError) -> Self {
        match error {
            EstimateError::Segments(error) => error.into(),
            EstimateError::NoPrice { .. } => Self::NoPrice(error),
        }
    }
}

/// The codes of the errors that are not those of [`SegmentError`] and the other inner errors.
const PRICE: &str = "text.price";
const PRICES: &str = "text.prices";
const NO_PRICE: &str = "text.no_price";
const RECIPIENTS: &str = "text.recipients";

impl TextError {
    /// All codes, for the generators.
    #[cfg(feature = "national")]
    #[must_use]
    pub fn codes() -> Vec<&'static str> {
        let own = [PRICE, PRICES, NO_PRICE, RECIPIENTS, super::TemplateError::CODE];
        let inner = [SegmentError::CODES, super::DecodeError::CODES, AutofillError::CODES];
        let mut codes: Vec<_> = inner.into_iter().flatten().copied().chain(own).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// The stable code of the error, the same in every language.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Segments(error) => error.code(),
            Self::Price(_) => PRICE,
            #[cfg(feature = "national")]
            Self::Decode(error) => error.code(),
            #[cfg(feature = "national")]
            Self::Template(error) => error.code(),
            Self::Prices(_) => PRICES,
            Self::NoPrice(_) => NO_PRICE,
            Self::Autofill(error) => error.code(),
            Self::Recipients => RECIPIENTS,
        }
    }

    /// The error as JSON: `{"code", "message"}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        to_json(&Failure { code: self.code(), message: self.to_string() })
    }
}

impl From<OptionsError> for TextError {
    fn from(error: OptionsError) -> Self {
        Self::Segments(error.into())
    }
}

#[derive(Serialize)]
struct Failure {
    code: &'static str,
    message: String,
}

/// [`segments`](super::segments) as JSON: the members of [`Segments`](super::Segments) in camel case.
///
/// # Errors
/// As [`segments`](super::segments), and for invalid options.
pub fn segments_json(text: &str, options_json: Option<&str>) -> Result<String, SegmentError> {
    let options = TextOptions::from_json(options_json, &[])?;
    let changed = options.changed(text);
    let result = super::segments(changed.text(text), &options.segments)?;
    Ok(to_json(&Changed { result, changed }))
}

/// [`annotate`](super::annotate), [`causes`](super::causes) and [`replaced`](super::replaced) as one JSON object:
/// `{"characters": [...], "causes": [...], "replaced": {"text", "saved"} | null}`; `replaced` is `null` if replacing
/// changes nothing.
#[must_use]
pub fn annotate_json(text: &str) -> String {
    report(text, &SegmentOptions::new())
}

/// [`annotate_json`] with options in JSON. With `languages`, the costs are those of the cheapest national tables that
/// contain the text, or else of those that contain most of it; a character that they do not contain is a cause. The
/// member `languages` names the tables and the parts that they save. Without the option, it names those of `"auto"` if
/// they save a part.
///
/// # Errors
/// The options are invalid.
pub fn annotate_json_with(text: &str, options_json: Option<&str>) -> Result<String, TextError> {
    let options = options_json.map_or(Ok(SegmentOptions::new()), SegmentOptions::from_json)?;
    Ok(report(text, &options))
}

fn report(text: &str, options: &SegmentOptions) -> String {
    let (plain, saved) = super::replaced(text);
    let replaced = (plain != text).then_some(Replaced { text: &plain, saved });
    let (characters, causes) = super::annotate_with(text, options);
    to_json(&Report {
        characters,
        causes,
        replaced,
        languages: super::national_savings::savings(text, options),
    })
}

#[derive(Serialize)]
struct Report<'a> {
    characters: Vec<Annotated>,
    causes: Vec<Cause>,
    replaced: Option<Replaced<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    languages: Option<super::national_savings::Savings>,
}

#[derive(Serialize)]
struct Replaced<'a> {
    text: &'a str,
    saved: u32,
}

/// The kind and the length of a sender as JSON: `{"kind", "length", "septets", "hasPlus", "charset"}`; see [`sender`].
#[must_use]
pub fn sender_json(text: &str) -> String {
    to_json(&Sender {
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
/// The price is not a decimal number, or the text needs more parts than a message can have.
pub fn estimate_json(text: &str, price_per_part: &str) -> Result<String, TextError> {
    Ok(to_json(&super::estimate(text, price_per_part.parse()?)?))
}

/// [`estimate_json`] for a text that is divided with options in JSON, which are those of [`segments_json`].
///
/// # Errors
/// As [`estimate_json`], and for invalid options.
pub fn estimate_json_with(
    text: &str,
    price_per_part: &str,
    options_json: Option<&str>,
) -> Result<String, TextError> {
    let options = TextOptions::from_json(options_json, &[])?;
    let changed = options.changed(text);
    let result = super::estimate_with(changed.text(text), price_per_part.parse()?, &options.segments)?;
    Ok(to_json(&Changed { result, changed }))
}

/// A result, with the transliterated text if the options changed it.
#[derive(Serialize)]
pub(super) struct Changed<T> {
    #[serde(flatten)]
    pub(super) result: T,
    #[serde(flatten)]
    pub(super) changed: ChangedText,
}

/// [`estimate_to`](super::estimate_to) as JSON: the members of [`EstimateTo`](super::EstimateTo) in camel case, prices as
/// strings. `prices` is CSV; `to` is one number, or a JSON list of them; the options are those of [`segments_json`].
///
/// # Errors
/// The prices are not a table, a recipient has no price, the options are invalid, or the text needs more parts than a
/// message can have.
pub fn estimate_to_json(
    text: &str,
    prices: &str,
    to: &str,
    options_json: Option<&str>,
) -> Result<String, TextError> {
    let prices = PriceTable::parse(prices)?;
    let options = TextOptions::from_json(options_json, &[])?;
    let changed = options.changed(text);
    let price = |to: &[&str]| {
        super::estimate_to_with(changed.text(text), &prices, to.iter().copied(), &options.segments)
    };
    let result = if to.trim_start().starts_with('[') {
        let Some(Value::Array(numbers)) = crate::json::tape_value::parse(to) else {
            return Err(TextError::Recipients);
        };
        let numbers: Option<Vec<&str>> = numbers.iter().map(Value::as_str).collect();
        price(&numbers.ok_or(TextError::Recipients)?)?
    } else {
        price(&[to])?
    };
    Ok(to_json(&Changed { result, changed }))
}
