//! Lists of recipients: one in each line, or a column of a table.

use std::io::Read;

use cpaas::printable::{MAX_NAME, printable};
use cpaas::text::msisdn;

use super::csv_source::Records;
use super::encoding::Encoding;
use super::header::{self, folded, is_number_name};
use super::without_guard;
use crate::error::{Error, Result};

/// How a list is read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ListOptions<'a> {
    pub(crate) encoding: Option<Encoding>,
    /// The column, by its name or its position from 1.
    pub(crate) column: Option<&'a str>,
    /// Whether the recipients are phone numbers.
    pub(crate) has_numbers: bool,
}

/// The recipients of a list, in the notation of the file.
pub(crate) struct RecipientList<R: Read> {
    records: Records<R>,
    column: usize,
    /// The first record, if it is an entry.
    first: Option<(u64, Vec<String>)>,
}

impl<R: Read> RecipientList<R> {
    /// Reads from `reader`. Lines that begin with `#` and empty lines are ignored.
    ///
    /// # Errors
    /// When the file cannot be read, is not in its encoding, or the column is not known.
    pub(crate) fn new(reader: R, options: ListOptions<'_>) -> Result<Self> {
        let mut records = Records::new(reader, options.encoding, None, Some(b'#')).map_err(located)?;
        let Some((line, cells)) = records.next().map_err(located)? else {
            return Ok(Self { records, column: 0, first: None });
        };
        let (column, is_header) = choose(&cells, options)
            .map_err(|rule| Error::Source(format!("suppression, line {line}: {rule}")))?;
        Ok(Self { records, column, first: Some((line, cells)).filter(|_| !is_header) })
    }

    /// The next entry and its line. An entry without a value is skipped.
    pub(crate) fn next_entry(&mut self) -> Result<Option<(u64, String)>> {
        loop {
            let next = match self.first.take() {
                Some(first) => Some(first),
                None => self.records.next().map_err(located)?,
            };
            let Some((line, mut cells)) = next else { return Ok(None) };
            if self.column >= cells.len() && cells.iter().any(|cell| !cell.trim().is_empty()) {
                // A line that lacks the column is an entry that cannot be read.
                return Ok(Some((line, String::new())));
            }
            let entry =
                if self.column < cells.len() { entry(cells.swap_remove(self.column)) } else { String::new() };
            if !entry.is_empty() {
                return Ok(Some((line, entry)));
            }
        }
    }
}

/// The error of a suppression list, which other files of a campaign do not have.
fn located(error: Error) -> Error {
    Error::Source(format!("suppression, {error}"))
}

/// The column with the recipients, and whether the first record is a header.
fn choose(cells: &[String], options: ListOptions<'_>) -> Result<(usize, bool), String> {
    let is_number = |cell: &String| has_digits(&entry(cell.clone()));
    if let Some(column) = options.column {
        let position = column.parse::<usize>().ok().and_then(|position| position.checked_sub(1));
        if let Some(column) = position.filter(|column| *column < cells.len()) {
            return Ok((
                column,
                options.has_numbers && cells.get(column).is_some_and(|cell| !is_number(cell)),
            ));
        }
        let named = cells.iter().position(|cell| cell.trim() == column);
        let named = named.or_else(|| cells.iter().position(|cell| folded(cell) == folded(column)));
        return named.map(|column| (column, true)).ok_or_else(|| {
            format!("expected the column `{}`, got the columns {}", printable(column, MAX_NAME), shown(cells))
        });
    }
    let known: Vec<usize> =
        cells.iter().enumerate().filter(|(_, cell)| is_number_name(cell)).map(|(column, _)| column).collect();
    match *known.as_slice() {
        [column] => return Ok((column, true)),
        [] => {}
        _ => {
            return Err(format!(
                "several columns may contain the recipients: {}; name one with the setting `column`, such as --column phone",
                shown(cells)
            ));
        }
    }
    let filled = cells.iter().filter(|cell| !cell.trim().is_empty()).count();
    if filled < 2 || cells.first().is_some_and(is_number) {
        return Ok((0, false));
    }
    Err(format!(
        "the column with the recipients must be known; name it with the setting `column`, such as --column phone or --column 2; the columns are {}",
        if header::is_header(cells) { shown(cells) } else { format!("1 to {}", cells.len()) }
    ))
}

fn has_digits(entry: &str) -> bool {
    msisdn::normalize_number(entry, None) != Err(msisdn::NotANumber::Character) && !entry.is_empty()
        || entry.chars().filter(|one| one.is_numeric()).count() >= 7
}

fn shown(cells: &[String]) -> String {
    let names = cells.iter().map(|cell| printable(cell.trim(), MAX_NAME)).filter(|name| !name.is_empty());
    names.collect::<Vec<_>>().join(", ")
}

/// An entry without what spreadsheets and people write around it: quotes, `="…"`, and a comment at its end.
fn entry(cell: String) -> String {
    let cell = without_guard(cell);
    let mut text = cell.trim();
    for mark in [" #", "\t#", " //", "\t//"] {
        text = text.split(mark).next().unwrap_or_default().trim_end();
    }
    if let Some(formula) = text.strip_prefix('=') {
        text = formula.trim_start();
    }
    let quotes = [('"', '"'), ('\'', '\''), ('“', '”'), ('«', '»')];
    for (open, close) in quotes {
        if let Some(inner) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            text = inner.trim();
        }
    }
    text.strip_prefix('\'').unwrap_or(text).to_owned()
}
