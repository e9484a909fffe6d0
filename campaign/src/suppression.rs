//! Recipients that get no message: a list or a file, read for one campaign.

use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::recipients::Recipients;
use crate::source::{Encoding, ListOptions, RecipientList};

/// The number of unreadable lines that a summary names.
const NAMED_LINES: usize = 20;

/// Recipients that get no message, in any notation. In JSON an array of them, or the path of their file in `file`.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Suppression {
    /// The recipients.
    Listed(Vec<String>),
    /// A file: one recipient in each line, or a table with a column of recipients.
    File {
        /// Its path.
        file: PathBuf,
    },
}

impl Default for Suppression {
    fn default() -> Self {
        Self::Listed(Vec::new())
    }
}

impl<T: AsRef<str>> FromIterator<T> for Suppression {
    fn from_iter<I: IntoIterator<Item = T>>(recipients: I) -> Self {
        Self::Listed(recipients.into_iter().map(|text| text.as_ref().to_owned()).collect())
    }
}

/// What was read of a suppression list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SuppressionSummary {
    /// Recipients that were read.
    pub read: u64,
    /// Lines without a recipient that can be read.
    pub unreadable: u64,
    /// The first 20 of these lines, from 1.
    pub lines: Vec<u64>,
}

impl fmt::Display for SuppressionSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "suppression: {} read, {} unreadable", grouped(self.read), grouped(self.unreadable))?;
        if self.lines.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = self.lines.iter().map(u64::to_string).collect();
        let word = if self.unreadable == 1 { "line" } else { "lines" };
        write!(f, " ({word} {}", lines.join(", "))?;
        let more = self.unreadable.saturating_sub(self.lines.len() as u64);
        if more > 0 {
            write!(f, " and {} more", grouped(more))?;
        }
        f.write_str(")")
    }
}

/// A number with commas between its thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// How a suppression list is read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SuppressionOptions<'a> {
    pub(crate) encoding: Option<Encoding>,
    pub(crate) column: Option<&'a str>,
    /// Whether unreadable lines are skipped.
    pub(crate) is_lenient: bool,
}

/// The recipients of a suppression list in the form in which they are compared.
#[derive(Default)]
pub(crate) struct Suppressed {
    numbers: HashSet<u64>,
    others: HashSet<String>,
    /// What was read; `None` without a list.
    pub(crate) summary: Option<SuppressionSummary>,
}

impl Suppressed {
    /// Reads a list.
    ///
    /// # Errors
    /// When the file cannot be read, a number is in scientific notation, or a line is not a recipient and the options are not lenient.
    pub(crate) fn read(
        list: &Suppression,
        recipients: &Recipients,
        options: SuppressionOptions<'_>,
    ) -> Result<Self> {
        let mut suppressed = Self::default();
        let mut summary = SuppressionSummary::default();
        match list {
            Suppression::Listed(given) if given.is_empty() => return Ok(suppressed),
            Suppression::Listed(given) => {
                for (item, text) in (1..).zip(given) {
                    suppressed.add(item, text.trim(), recipients, &mut summary)?;
                }
            }
            Suppression::File { file } => {
                let file = File::open(file).map_err(|error| {
                    Error::Source(format!("the suppression list cannot be read: {error}"))
                })?;
                let has_numbers = recipients.has_numbers;
                let options = ListOptions { encoding: options.encoding, column: options.column, has_numbers };
                let mut entries = RecipientList::new(file, options)?;
                while let Some((line, text)) = entries.next_entry()? {
                    suppressed.add(line, &text, recipients, &mut summary)?;
                }
            }
        }
        if summary.unreadable > 0 && !options.is_lenient {
            return Err(Error::Source(format!(
                "{summary}; each must be a phone number with its country code. Correct them, give `normalize` a region for national numbers, or skip them with `lenient`"
            )));
        }
        suppressed.summary = Some(summary);
        Ok(suppressed)
    }

    fn add(
        &mut self,
        line: u64,
        text: &str,
        recipients: &Recipients,
        summary: &mut SuppressionSummary,
    ) -> Result<()> {
        if is_scientific(text) {
            return Err(Error::Source(format!("suppression, line {line}: {SCIENTIFIC}")));
        }
        match recipients.form(text) {
            Some(form) => {
                summary.read += 1;
                self.insert(form.into_owned());
            }
            None => {
                summary.unreadable += 1;
                if summary.lines.len() < NAMED_LINES {
                    summary.lines.push(line);
                }
            }
        }
        Ok(())
    }

    fn insert(&mut self, form: String) {
        match number(&form) {
            Some(number) => drop(self.numbers.insert(number)),
            None => drop(self.others.insert(form)),
        }
    }

    /// All recipients in the form in which they are compared.
    pub(crate) fn forms(&self) -> Vec<String> {
        self.numbers.iter().map(u64::to_string).chain(self.others.iter().cloned()).collect()
    }

    /// Whether a recipient, in the form in which recipients are compared, gets no message.
    pub(crate) fn contains(&self, form: &str) -> bool {
        match number(form) {
            Some(number) => self.numbers.contains(&number),
            None => self.others.contains(form),
        }
    }
}

/// A number whose decimal digits are the text.
pub(crate) fn number(text: &str) -> Option<u64> {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    if is_decimal { text.parse().ok() } else { None }
}

/// What is wrong with a number in scientific notation.
pub(crate) const SCIENTIFIC: &str = "the number must have all its digits, got scientific notation: Excel replaced them. Format the column as text in Excel, enter or import the numbers again, and save the file";

/// Whether a text is a number in the scientific notation of a spreadsheet, such as `3.06912E+11`.
pub(crate) fn is_scientific(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.trim().split_once(['E', 'e']) else { return false };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.strip_prefix('+').unwrap_or(exponent);
    let mantissa = mantissa.strip_prefix('+').unwrap_or(mantissa);
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, "0"));
    is_digits(whole) && is_digits(fraction) && is_digits(exponent)
}
