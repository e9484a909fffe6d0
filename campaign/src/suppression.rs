//! Recipients that get no message: a list or a file, read for one campaign.

use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use cpaas::printable::{MAX_MESSAGE, MAX_NAME, printable};
use cpaas::text::msisdn::{self, Assignment, NotANumber};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::recipients::{IMPOSSIBLE, Recipients};
use crate::source::{Encoding, ListOptions, RecipientList, has_several_numbers, is_lost_cell, is_scientific};

/// The number of unreadable lines that a summary names.
const NAMED_LINES: usize = 20;

/// Recipients that get no message, in any notation. In JSON an array of them, the path of their file in `file`, or null.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(untagged)]
pub enum Suppression {
    /// No list: nobody is suppressed.
    #[default]
    Absent,
    /// The recipients. An empty list is an error unless it is read leniently: it may be an iterator that was read before.
    Listed(Vec<String>),
    /// A file: one recipient in each line, or a table with a column of recipients.
    File {
        /// Its path.
        file: PathBuf,
    },
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
    /// Numbers of these that were read, that have neither `+` nor `00`, and that no country has assigned: they are probably national
    /// numbers, and protect nobody. 0 with a region in `normalize`.
    #[serde(default)]
    pub unassigned: u64,
    /// The name of the column that was read; `None` for a list without a header.
    #[serde(default)]
    pub column: Option<String>,
}

impl fmt::Display for SuppressionSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "suppression: {} read", grouped(self.read))?;
        if let Some(column) = &self.column {
            write!(f, " from the column `{}`", printable(column, MAX_NAME))?;
        }
        write!(f, ", {} unreadable", grouped(self.unreadable))?;
        if !self.lines.is_empty() {
            self.write_lines(f)?;
        }
        match self.unassigned {
            0 => Ok(()),
            count => {
                let (is, protect) = if count == 1 { ("is", "it protects") } else { ("are", "they protect") };
                write!(
                    f,
                    "; {} of the numbers that were read {is} not assigned in any country; without a country code {protect} nobody: set `normalize` to a region",
                    grouped(count)
                )
            }
        }
    }
}

impl SuppressionSummary {
    fn write_lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

/// The suppression store of a client in messages. `place` is its own name.
pub(crate) fn store_name(place: Option<&str>) -> String {
    match place {
        Some(place) => format!("the suppression store {}", printable(place, MAX_MESSAGE)),
        None => "the suppression store".to_owned(),
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
#[non_exhaustive]
pub struct SuppressionOptions<'a> {
    /// The encoding of the file; UTF-8, or UTF-16 with a byte order mark, when absent.
    pub encoding: Option<Encoding>,
    /// The column with the recipients, by its name or its number from 1. When absent, it is recognized by its name.
    pub column: Option<&'a str>,
    /// Whether unreadable lines are skipped, and numbers that no country has assigned are accepted.
    pub is_lenient: bool,
    /// For [`suppress_list`](crate::campaign::suppress_list): the setting `normalize` with which numbers are read, instead of that of the
    /// campaign.
    pub normalize: Option<&'a str>,
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
    /// When the file cannot be read, a number is in scientific notation, or the list is empty or a line is not a recipient and the options
    /// are not lenient.
    pub(crate) fn read(
        list: &Suppression,
        recipients: &Recipients,
        options: SuppressionOptions<'_>,
    ) -> Result<Self> {
        let mut reader = ListReader {
            recipients,
            suppressed: Self::default(),
            summary: SuppressionSummary::default(),
            first: None,
            may_be_national: false,
        };
        match list {
            Suppression::Absent => return Ok(reader.suppressed),
            Suppression::Listed(given) => {
                if given.is_empty() && !options.is_lenient {
                    return Err(Error::Source(EMPTY_LIST.to_owned()));
                }
                for (item, text) in (1..).zip(given) {
                    reader.add(item, text.trim())?;
                }
            }
            Suppression::File { file } => reader.read_file(file, options)?,
        }
        reader.finish(options)
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

/// Reads the entries of a list.
struct ListReader<'a> {
    recipients: &'a Recipients,
    suppressed: Suppressed,
    summary: SuppressionSummary,
    /// The first unreadable line, and what is wrong with it.
    first: Option<(u64, String)>,
    /// Whether an unreadable line may be a national number.
    may_be_national: bool,
}

impl ListReader<'_> {
    fn read_file(&mut self, file: &Path, options: SuppressionOptions<'_>) -> Result<()> {
        let file = File::open(file)
            .map_err(|error| Error::Source(format!("the suppression list cannot be read: {error}")))?;
        let list =
            ListOptions { encoding: options.encoding, column: options.column, recipients: self.recipients };
        let mut entries = RecipientList::new(file, list)?;
        while let Some((line, text)) = entries.next_entry()? {
            self.add(line, &text)?;
        }
        entries.check_columns()?;
        self.summary.column = entries.column_name().map(str::to_owned);
        if let Some((line, rule)) = &mut self.first
            && entries.may_be_header == Some(*line)
        {
            rule.push_str("; if the line is a header, use the setting `column`, such as --column 1");
        }
        let is_empty = !entries.has_header && self.summary.read + self.summary.unreadable == 0;
        if is_empty && !options.is_lenient {
            return Err(Error::Source(
                "suppression: the file must have a recipient or a header, got an empty file; if nobody is suppressed, use `lenient` or leave the file out".to_owned(),
            ));
        }
        Ok(())
    }

    fn add(&mut self, line: u64, text: &str) -> Result<()> {
        if is_scientific(text) {
            return Err(Error::Source(format!("suppression, line {line}: {SCIENTIFIC}")));
        }
        match self.recipients.form(text) {
            Ok(form) => {
                let is_possible = !self.recipients.is_number(text) || self.check(text, &form);
                if let Some(other) = self.recipients.other_form(text) {
                    self.suppressed.insert(other);
                }
                // An impossible number is unreadable, and nevertheless gets no message.
                self.suppressed.insert(form.into_owned());
                if is_possible {
                    self.summary.read += 1;
                } else {
                    let may_be_national = !msisdn::has_international_prefix(text);
                    self.skip(line, text, IMPOSSIBLE, may_be_national);
                }
            }
            Err(reason) => {
                // A row with the same text may be sent, because its recipient has no canonical form either.
                self.suppressed.insert(text.to_owned());
                self.skip(line, text, &reason.to_string(), reason == NotANumber::National);
            }
        }
        Ok(())
    }

    /// What is wrong with an unreadable cell, where it is not the notation of a number.
    fn rule(&self, text: &str) -> Option<&'static str> {
        if is_lost_cell(text) {
            return Some(LOST_CELL);
        }
        has_several_numbers(text, self.recipients).then_some(SEVERAL)
    }

    /// Whether some country has numbers like this one. Counts those that none has assigned.
    fn check(&mut self, text: &str, form: &str) -> bool {
        if msisdn::assignment(form) == Assignment::Impossible {
            return false;
        }
        if !self.recipients.has_region() && is_unassigned(text, form) {
            self.summary.unassigned += 1;
        }
        true
    }

    /// Counts an unreadable line. `rule` is what is wrong with it as the notation of a number.
    fn skip(&mut self, line: u64, text: &str, rule: &str, may_be_national: bool) {
        let of_cell = self.rule(text);
        self.may_be_national |= may_be_national && of_cell.is_none();
        self.first.get_or_insert_with(|| (line, of_cell.unwrap_or(rule).to_owned()));
        self.summary.unreadable += 1;
        if self.summary.lines.len() < NAMED_LINES {
            self.summary.lines.push(line);
        }
    }

    fn finish(self, options: SuppressionOptions<'_>) -> Result<Suppressed> {
        let Self { mut suppressed, summary, first, may_be_national, recipients } = self;
        let region = if may_be_national && !recipients.has_region() {
            ", give `normalize` a region for national numbers,"
        } else {
            ""
        };
        if let Some((line, rule)) = first.filter(|_| !options.is_lenient) {
            return Err(Error::Source(format!(
                "{summary}; line {line} {rule}. Correct them{region} or skip them with `lenient`"
            )));
        }
        suppressed.summary = Some(summary);
        Ok(suppressed)
    }
}

/// What is wrong with a list in a program that has no recipient.
const EMPTY_LIST: &str = "suppression: the list must have a recipient, got an empty one; an iterator that was read before is empty; if nobody is suppressed, use `lenient` or leave the list out";

/// What is wrong with a cell that has lost its value.
const LOST_CELL: &str = "must be a phone number, got what a spreadsheet shows instead of a value: an error such as #N/A, or #### in a column that is too narrow";

/// What is wrong with a cell that has several numbers.
const SEVERAL: &str =
    "must be one phone number, got several numbers in one cell; write each into its own line";

/// Whether a text without `+` or `00`, whose canonical form is given, is a number that no country has assigned.
pub(crate) fn is_unassigned(text: &str, form: &str) -> bool {
    let has_none = || matches!(msisdn::assignment(form), Assignment::Possible | Assignment::Impossible);
    !msisdn::has_international_prefix(text) && has_none()
}

/// A number whose decimal digits are the text.
pub(crate) fn number(text: &str) -> Option<u64> {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    if is_decimal { text.parse().ok() } else { None }
}

/// What is wrong with a number in scientific notation.
pub(crate) const SCIENTIFIC: &str = "the number must have all its digits, got scientific notation: Excel replaced them. Format the column as text in Excel, enter or import the numbers again, and save the file";
