//! The parts of a template with merge fields: `Hi {{name}}`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::errors::SegmentError;
use super::segments::measure_all;
use super::{Count, SegmentOptions};

/// Values of one merge field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValues {
    /// The lengths of the shortest and the longest value, in characters that need one septet.
    Lengths(usize, usize),
    /// Sample values. The range covers each combination of samples of different fields.
    Samples(Vec<String>),
}

/// The maximum length of a field: a message of 255 parts has fewer characters.
const MAX_LENGTH: usize = 40_000;

/// Why a template cannot be measured. The message never quotes the template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// A field has no name, or is not closed.
    #[error("byte {byte}: a merge field must have the form {{{{name}}}}")]
    Syntax {
        /// Byte offset of the opening braces.
        byte: usize,
    },
    /// A field of the template has no values.
    #[error("byte {byte}: each merge field must have a range, samples or a value in each row")]
    NoValues {
        /// Byte offset of the opening braces.
        byte: usize,
    },
    /// There are no rows.
    #[error("values must have at least one row")]
    NoRows,
    /// A range is empty or too long.
    #[error("a range must have a shortest length, then a longest length of at most {MAX_LENGTH}")]
    Lengths,
    /// The values are not of the documented form.
    #[error(
        "values must have either `fields`, each with two lengths or a list of samples, or `rows`, \
         each with a string for every field"
    )]
    Values,
    /// A text cannot be encoded as the options require, or the options are invalid.
    #[error(transparent)]
    Segments(#[from] SegmentError),
}

impl TemplateError {
    /// The code of an error of the template itself.
    pub(crate) const CODE: &'static str = "text.template";

    /// The stable code of the error, the same in every language.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Segments(error) => error.code(),
            _ => Self::CODE,
        }
    }
}

/// Why a template has a range of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RangeReason {
    /// No range: every text has the same number of parts.
    Same,
    /// The values have different lengths.
    Length,
    /// Some values force UCS-2, others do not.
    Encoding,
}

impl RangeReason {
    const fn message(self) -> &'static str {
        match self {
            Self::Same => "every value gives the same number of parts",
            Self::Length => "the lengths of the values give different numbers of parts",
            Self::Encoding => "some values force UCS-2, which needs more parts",
        }
    }
}

/// The parts of the texts that a template gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TemplateSegments {
    /// The text with the fewest parts.
    pub shortest: Count,
    /// The text with the most parts. More than 255 parts are counted, although they cannot be sent.
    pub longest: Count,
    /// The indices of the rows that give `shortest` and `longest`, for a template with sample rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<[usize; 2]>,
    /// Why the two numbers of parts differ.
    pub reason: RangeReason,
    /// The reason as a sentence.
    pub message: &'static str,
    /// The names of the merge fields, in order of appearance.
    pub fields: Vec<String>,
}

/// A piece of a template.
#[derive(Clone, Copy)]
enum Piece<'a> {
    Text(&'a str),
    Field { name: &'a str, byte: usize },
}

/// Reads a template. White space around a name is ignored.
fn pieces(template: &str) -> Result<Vec<Piece<'_>>, TemplateError> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let byte = template.len() - after.len() - 2;
        let (name, tail) = after.split_once("}}").ok_or(TemplateError::Syntax { byte })?;
        let name = name.trim();
        if name.is_empty() || name.contains(['{', '}']) {
            return Err(TemplateError::Syntax { byte });
        }
        pieces.extend([Piece::Text(before), Piece::Field { name, byte }]);
        rest = tail;
    }
    pieces.push(Piece::Text(rest));
    Ok(pieces)
}

/// The template with a value for each field.
fn filled<'a>(
    pieces: &[Piece<'a>],
    value: impl Fn(&str) -> Option<&'a str>,
) -> Result<String, TemplateError> {
    let mut text = String::new();
    for piece in pieces {
        text.push_str(match *piece {
            Piece::Text(text) => text,
            Piece::Field { name, byte } => value(name).ok_or(TemplateError::NoValues { byte })?,
        });
    }
    Ok(text)
}

/// The parts of a template whose merge fields have these values, as a range.
///
/// ```
/// use cpaas::text::{FieldValues, RangeReason, SegmentOptions, template_segments};
/// let template = format!("{}{{{{name}}}}", "a".repeat(150));
/// let fields = [("name".to_owned(), FieldValues::Lengths(3, 20))].into();
/// let range = template_segments(&template, &fields, &SegmentOptions::new())?;
/// assert_eq!((range.shortest.count, range.longest.count, range.reason), (1, 2, RangeReason::Length));
/// # Ok::<(), cpaas::text::TemplateError>(())
/// ```
///
/// # Errors
/// [`TemplateError`]: the template is invalid, a field has no values, or the options are invalid.
pub fn template_segments(
    template: &str,
    fields: &BTreeMap<String, FieldValues>,
    options: &SegmentOptions,
) -> Result<TemplateSegments, TemplateError> {
    let pieces = pieces(template)?;
    let mut samples = BTreeMap::new();
    for (name, values) in fields {
        samples.insert(name.as_str(), samples_of(values)?);
    }
    let mut range = Range::new(options);
    // Measures the shortest (longest) values of all fields, then their shortest (longest) GSM 7-bit values, then for
    // each field its shortest (longest) value that forces UCS-2.
    for extreme in [Extreme::Shortest, Extreme::Longest] {
        range.add(&filled(&pieces, |name| extreme.of(samples.get(name)?, |_| true))?, None)?;
        let is_plain =
            |name: &str| samples.get(name).is_some_and(|values| values.iter().any(|one| is_gsm7(one)));
        let plain = |name: &str| {
            let values = samples.get(name)?;
            extreme.of(values, |one| is_gsm7(one) || !is_plain(name))
        };
        range.add(&filled(&pieces, plain)?, None)?;
        for (other, values) in &samples {
            let Some(forced) = extreme.of(values, |one| !is_gsm7(one)) else { continue };
            let text = filled(&pieces, |name| {
                if name == *other { Some(forced) } else { extreme.of(samples.get(name)?, |_| true) }
            })?;
            range.add(&text, None)?;
        }
    }
    range.finish(&pieces)
}

/// The parts of a template with these rows, each with a value for every field.
///
/// # Errors
/// [`TemplateError`]: the template is invalid, there is no row, a row has no value for a field, or the options are invalid.
pub fn template_segments_of_rows(
    template: &str,
    rows: &[BTreeMap<String, String>],
    options: &SegmentOptions,
) -> Result<TemplateSegments, TemplateError> {
    let pieces = pieces(template)?;
    let mut range = Range::new(options);
    for (index, row) in rows.iter().enumerate() {
        range.add(&filled(&pieces, |name| row.get(name).map(String::as_str))?, Some(index))?;
    }
    range.finish(&pieces)
}

fn samples_of(values: &FieldValues) -> Result<Vec<String>, TemplateError> {
    match values {
        FieldValues::Samples(samples) => Ok(samples.clone()),
        FieldValues::Lengths(shortest, longest) if shortest <= longest && *longest <= MAX_LENGTH => {
            Ok(vec!["x".repeat(*shortest), "x".repeat(*longest)])
        }
        FieldValues::Lengths(..) => Err(TemplateError::Lengths),
    }
}

fn is_gsm7(text: &str) -> bool {
    text.chars().all(|character| super::septets(character).is_some())
}

#[derive(Clone, Copy)]
enum Extreme {
    Shortest,
    Longest,
}

impl Extreme {
    /// The shortest or the longest of the allowed values, in UTF-16 units, then in septets.
    fn of(self, values: &[String], is_allowed: impl Fn(&str) -> bool) -> Option<&str> {
        let allowed = values.iter().map(String::as_str).filter(|value| is_allowed(value));
        let size = |value: &&str| {
            let utf16: usize = value.chars().map(char::len_utf16).sum();
            let septets: usize = value.chars().map(|one| usize::from(super::septets(one).unwrap_or(1))).sum();
            (utf16, septets)
        };
        match self {
            Self::Shortest => allowed.min_by_key(size),
            Self::Longest => allowed.max_by_key(size),
        }
    }
}

/// The texts with the fewest and with the most parts so far.
struct Range<'a> {
    options: &'a SegmentOptions,
    found: Option<[(Count, Option<usize>); 2]>,
}

impl<'a> Range<'a> {
    const fn new(options: &'a SegmentOptions) -> Self {
        Self { options, found: None }
    }

    fn add(&mut self, text: &str, row: Option<usize>) -> Result<(), TemplateError> {
        let count = measure_all(text, self.options)?;
        let size = |count: &Count| (count.count, std::cmp::Reverse(count.remaining));
        let [shortest, longest] = self.found.get_or_insert([(count, row); 2]);
        if size(&count) < size(&shortest.0) {
            *shortest = (count, row);
        }
        if size(&count) > size(&longest.0) {
            *longest = (count, row);
        }
        Ok(())
    }

    fn finish(self, pieces: &[Piece<'_>]) -> Result<TemplateSegments, TemplateError> {
        let [(shortest, first), (longest, last)] = self.found.ok_or(TemplateError::NoRows)?;
        let reason = if shortest.count == longest.count {
            RangeReason::Same
        } else if shortest.encoding == longest.encoding {
            RangeReason::Length
        } else {
            RangeReason::Encoding
        };
        let mut fields: Vec<String> = Vec::new();
        for piece in pieces {
            if let Piece::Field { name, .. } = piece
                && !fields.iter().any(|known| known == name)
            {
                fields.push((*name).to_owned());
            }
        }
        let rows = first.zip(last).map(|(first, last)| [first, last]);
        Ok(TemplateSegments { shortest, longest, rows, reason, message: reason.message(), fields })
    }
}
