//! Lists of recipients: one in each line, or a column of a table.

use std::io::Read;

use cpaas::printable::{MAX_NAME, printable};
use cpaas::text::msisdn;

use super::cell_text;
use super::csv_source::Records;
use super::encoding::Encoding;
use super::header::{self, folded, is_number_name};
use crate::error::{Error, Result};
use crate::recipients::Recipients;

/// How a list is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListOptions<'a> {
    pub(crate) encoding: Option<Encoding>,
    /// The column, by its name or its position from 1.
    pub(crate) column: Option<&'a str>,
    pub(crate) recipients: &'a Recipients,
}

/// The recipients of a list, in the notation of the file.
pub(crate) struct RecipientList<'a, R: Read> {
    records: Records<R>,
    recipients: &'a Recipients,
    column: usize,
    /// Whether the column was neither given nor named by a header.
    is_guessed: bool,
    /// Whether the column was given.
    is_given: bool,
    /// The first record, if it is an entry.
    first: Option<(u64, Vec<String>)>,
    pub(crate) has_header: bool,
    /// The name of each column that a header names.
    names: Vec<String>,
    /// What the cells of each column are, where the column with the recipients was not given.
    contents: Vec<Content>,
    /// The line of the first record if it is an entry without a number, so that it may be a header.
    pub(crate) may_be_header: Option<u64>,
}

impl<'a, R: Read> RecipientList<'a, R> {
    /// Reads from `reader`. Comments and empty lines are ignored.
    ///
    /// # Errors
    /// When the file cannot be read, is not in its encoding, or the column is not known.
    pub(crate) fn new(reader: R, options: ListOptions<'a>) -> Result<Self> {
        let records = Records::new(reader, options.encoding, None, Some(b'#')).map_err(located)?;
        let mut list = Self {
            recipients: options.recipients,
            column: options.column.and_then(position).unwrap_or_default(),
            is_guessed: options.column.and_then(position).is_none(),
            is_given: options.column.is_some(),
            first: None,
            has_header: false,
            names: Vec::new(),
            contents: Vec::new(),
            may_be_header: None,
            records,
        };
        let first = list.next_record(|cells| may_be_header(cells, options))?;
        let Some((line, cells)) = first else { return Ok(list) };
        let (column, is_header) = choose(&cells, options)
            .map_err(|rule| Error::Source(format!("suppression, line {line}: {rule}")))?;
        list.column = column;
        list.is_guessed = options.column.is_none() && !is_header;
        list.has_header = is_header;
        if is_header {
            list.names = cells;
        } else {
            let is_text =
                cells.get(column).is_some_and(|cell| !has_digits(&entry(cell)) && !is_lost_cell(cell));
            list.may_be_header = (is_text && options.recipients.has_numbers).then_some(line);
            list.first = Some((line, cells));
        }
        Ok(list)
    }

    /// The next record with more than white space and comments. One that `is_header` says is a header is none of them.
    fn next_record(&mut self, is_header: impl Fn(&[String]) -> bool) -> Result<Option<(u64, Vec<String>)>> {
        loop {
            let next = self.records.next().map_err(located)?;
            if next.as_ref().is_none_or(|(_, cells)| is_header(cells) || !self.is_ignored(cells)) {
                return Ok(next);
            }
        }
    }

    /// The next entry and its line. The entry of a line without a recipient is empty.
    ///
    /// # Errors
    /// When the file cannot be read, or a line has several numbers and the column is not known.
    pub(crate) fn next_entry(&mut self) -> Result<Option<(u64, String)>> {
        let next = match self.first.take() {
            Some(first) => Some(first),
            None => self.next_record(|_| false)?,
        };
        let Some((line, cells)) = next else { return Ok(None) };
        if self.is_guessed && self.others(&cells).any(|cell| is_number(cell, self.recipients)) {
            return Err(Error::Source(format!(
                "suppression, line {line}: the column with the recipients must be known where a line has several numbers; name it with the setting `column`, such as --column 1, or write each number into its own line"
            )));
        }
        if !self.is_given {
            self.count(&cells);
        }
        Ok(Some((line, cells.get(self.column).map(|cell| entry(cell)).unwrap_or_default())))
    }

    /// The name of the column with the recipients; `None` without a header.
    pub(crate) fn column_name(&self) -> Option<&str> {
        self.names.get(self.column).map(|name| name.trim()).filter(|name| !name.is_empty())
    }

    /// Refuses a list in which another column than that with the recipients has numbers too, after its last entry. A column that was
    /// given is not doubted.
    ///
    /// # Errors
    /// When another column has numbers in most of its cells that are not empty.
    pub(crate) fn check_columns(&self) -> Result<()> {
        let other =
            (0..).zip(&self.contents).find(|(column, found)| *column != self.column && found.is_numbers());
        let Some((other, _)) = other else { return Ok(()) };
        let name = |column: usize| match self.names.get(column).map(|name| name.trim()) {
            Some(name) if !name.is_empty() => format!("`{}`", printable(name, MAX_NAME)),
            _ => (column + 1).to_string(),
        };
        let mut columns = [self.column, other];
        columns.sort_unstable();
        let [first, second] = columns;
        Err(Error::Source(format!(
            "suppression: the columns {} and {} both contain numbers, and only one is read; name it with the setting `column`, such as --column {}, or write all numbers into one column",
            name(first),
            name(second),
            self.column + 1
        )))
    }

    fn count(&mut self, cells: &[String]) {
        if self.contents.len() < cells.len() {
            self.contents.resize(cells.len(), Content::default());
        }
        for (column, (found, cell)) in self.contents.iter_mut().zip(cells).enumerate() {
            if column != self.column && !cell.trim().is_empty() {
                found.filled += 1;
                found.numbers += u64::from(contains_number(cell, self.recipients));
            }
        }
    }

    /// Whether a record has only white space, or only a comment. A record whose first text begins like a comment is none if it has a
    /// recipient: the text may be the name of a company.
    fn is_ignored(&self, cells: &[String]) -> bool {
        let Some(first) = cells.iter().find(|cell| !cell.trim().is_empty()) else { return true };
        if !is_comment(first) {
            return false;
        }
        // The first line may have shown no separator.
        let parts = || cells.iter().flat_map(|cell| cell.split([';', '\t']));
        let has_number = || parts().any(|part| is_number(part, self.recipients));
        if self.is_guessed {
            return !has_number();
        }
        let own = cells.get(self.column).map(|cell| cell.trim()).unwrap_or_default();
        let is_recipient = is_lost_cell(own)
            || !is_comment(own)
                && (!self.recipients.has_numbers || has_digits(&entry(own)) && !is_date(&entry(own)));
        own.is_empty() || !is_recipient && !has_number()
    }

    fn others<'c>(&self, cells: &'c [String]) -> impl Iterator<Item = &'c str> {
        let column = self.column;
        cells.iter().enumerate().filter(move |(index, _)| *index != column).map(|(_, cell)| cell.as_str())
    }
}

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, Default)]
struct Content {
    /// Cells with more than white space.
    filled: u64,
    /// The cells of these that contain phone numbers.
    numbers: u64,
}

impl Content {
    /// Whether most cells that are not empty contain phone numbers.
    const fn is_numbers(self) -> bool {
        self.numbers > self.filled / 2
    }
}

/// Whether a cell of another column looks like a phone number: it has `+` or `00`, or at least nine digits, or is a number of the region.
/// Dates, amounts and postal codes do not.
fn looks_like_number(cell: &str, recipients: &Recipients) -> bool {
    let text = entry(cell);
    let digits = text.chars().filter(|one| one.is_numeric()).count();
    if !recipients.has_numbers || !(7..=17).contains(&digits) && !is_scientific(&text) {
        return false;
    }
    if msisdn::has_international_prefix(&text) {
        return recipients.form(&text).is_ok();
    }
    if is_date(&text) || is_time(&text) || is_amount(&text) || is_postal_code(&text) {
        return false;
    }
    // A spreadsheet or a data frame has changed the digits.
    if is_scientific(&text) || text.strip_suffix(".0").is_some_and(is_long) {
        return true;
    }
    let is_separator = |one: char| one.is_whitespace() || "-.()/".contains(one);
    let has_only_digits = text.chars().all(|one| one.is_numeric() || is_separator(one));
    let is_of_region = || recipients.has_region() && recipients.form(&text).is_ok();
    has_only_digits && ((9..=15).contains(&digits) || is_of_region())
        || recipients.form(&text).is_ok() && digits >= 9
}

/// Whether a cell has several numbers, with a line break, a comma, `/`, `or` or the like between them.
pub(crate) fn has_several_numbers(cell: &str, recipients: &Recipients) -> bool {
    let is_mark = |one: char| ",;/|&\n\r".contains(one);
    let parts = cell.split(is_mark).flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" and "));
    parts.filter(|part| looks_like_number(part, recipients)).nth(1).is_some()
}

/// Whether a cell of another column contains a phone number: it looks like one, also after a label such as `mob:`, has several, or has a
/// number of at least nine digits among its words.
fn contains_number(cell: &str, recipients: &Recipients) -> bool {
    let text = without_label(cell);
    looks_like_number(cell, recipients)
        || looks_like_number(text, recipients)
        || has_several_numbers(text, recipients)
        || has_number_among_words(text, recipients)
}

/// A cell without a label such as `mob:`, which has no digits.
fn without_label(cell: &str) -> &str {
    match cell.split_once(':') {
        Some((label, text)) if !label.contains(char::is_numeric) => text,
        _ => cell,
    }
}

/// Whether a word of a text is a phone number of at least nine digits, or a number with `+` and white space follows a word.
fn has_number_among_words(text: &str, recipients: &Recipients) -> bool {
    let is_mark = |one: char| one.is_whitespace() || ",;:/|&".contains(one);
    let is_number = |word: &str| {
        let word = word.trim_matches(|one: char| !one.is_alphanumeric() && one != '+');
        // A decimal number may have as many digits, such as seconds or degrees.
        !word.contains('.')
            && word.chars().filter(|one| one.is_numeric()).count() >= 9
            && looks_like_number(word, recipients)
    };
    let is_part = |one: char| one.is_numeric() || one.is_whitespace() || "-.()/".contains(one);
    let is_after_plus = |part: &str| {
        let end = part.find(|one: char| !is_part(one)).unwrap_or(part.len());
        let digits = part.get(..end).unwrap_or_default().trim_end();
        digits.starts_with(|one: char| one.is_numeric() || one == '(')
            && looks_like_number(&format!("+{digits}"), recipients)
    };
    // `+` within a word is no prefix, as in `GMT+2`.
    let mut parts = text.split('+');
    let mut before = parts.next().unwrap_or_default();
    let has_prefix = parts.any(|part| {
        let is_prefix = !before.ends_with(char::is_alphanumeric);
        before = part;
        is_prefix && is_after_plus(part)
    });
    has_prefix || text.split(is_mark).any(is_number)
}

/// Whether a text is nine digits or more.
fn is_long(text: &str) -> bool {
    text.len() >= 9 && text.bytes().all(|one| one.is_ascii_digit())
}

/// Whether a text is a date, or a date and a time, without separators: `20260131`, `202601311000` or `20260131100000`.
fn is_time(text: &str) -> bool {
    let part = |from: usize, until: usize| text.get(from..until).and_then(|part| part.parse::<u16>().ok());
    let is_in = |from: usize, until: usize, range: std::ops::RangeInclusive<u16>| {
        part(from, until).is_some_and(|part| range.contains(&part))
    };
    let is_date = is_in(0, 4, 1900..=2099) && is_in(4, 6, 1..=12) && is_in(6, 8, 1..=31);
    let is_clock = || is_in(8, 10, 0..=23) && is_in(10, 12, 0..=59);
    text.bytes().all(|one| one.is_ascii_digit())
        && is_date
        && match text.len() {
            8 => true,
            12 => is_clock(),
            14 => is_clock() && is_in(12, 14, 0..=59),
            _ => false,
        }
}

/// Whether a text is a decimal number with one to four decimals, such as `1234567.89` or `1.234.567,89`, and not one with the decimals of
/// a whole number, such as `306912345678.0`.
fn is_amount(text: &str) -> bool {
    let Some((whole, decimals)) = text.rsplit_once(['.', ',']) else { return false };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let has_groups = whole.split(['.', ',']).skip(1).all(|group| group.len() == 3 && is_digits(group));
    (1..=4).contains(&decimals.len())
        && is_digits(decimals)
        && whole.split(['.', ',']).next().is_some_and(|first| is_digits(first) && first.len() <= 8)
        && has_groups
}

/// Whether a text is a postal code of the United States with nine digits, such as `12345-6789`.
fn is_postal_code(text: &str) -> bool {
    let is_digits =
        |text: &str, length: usize| text.len() == length && text.bytes().all(|one| one.is_ascii_digit());
    text.split_once('-').is_some_and(|(first, second)| is_digits(first, 5) && is_digits(second, 4))
}

/// Whether a cell begins as a comment does.
fn is_comment(cell: &str) -> bool {
    let cell = cell.trim();
    (cell.starts_with('#') || cell.starts_with("//")) && !is_lost_cell(cell)
}

/// Whether a cell is what a spreadsheet shows instead of its value: an error such as `#N/A`, `#REF!` or `#NAME?`, in the language of the
/// spreadsheet, or `####` in a column that is too narrow.
pub(crate) fn is_lost_cell(cell: &str) -> bool {
    // Those without a mark at the end: German, Turkish, and of a spreadsheet that still loads.
    const WITHOUT_MARK: [&str; 3] = ["NV", "YOK", "GETTING_DATA"];
    let Some(word) = cell.trim().strip_prefix('#') else { return false };
    let is_part = |one: char| one.is_alphanumeric() || "/_!?¡¿".contains(one);
    let is_word =
        word.chars().all(|one| is_part(one) && !one.is_lowercase()) && word.chars().any(char::is_alphabetic);
    let is_error =
        is_word && (word.ends_with(['!', '?']) || word.contains('/') || WITHOUT_MARK.contains(&word));
    is_error || !word.is_empty() && word.chars().all(|one| one == '#')
}

/// The index of the column that is given by its position.
fn position(column: &str) -> Option<usize> {
    column.parse::<usize>().ok()?.checked_sub(1)
}

/// Whether a cell is a number, and not a date.
fn is_number(cell: &str, recipients: &Recipients) -> bool {
    let text = entry(cell);
    recipients.has_numbers && !is_date(&text) && recipients.form(&text).is_ok()
}

/// Whether a text is a date such as `2026-01-31` or `31.1.2026`.
fn is_date(text: &str) -> bool {
    let groups: Vec<&str> = text.split(['-', '.', '/']).collect();
    let is_group =
        |group: &&str| (1..=4).contains(&group.len()) && group.bytes().all(|one| one.is_ascii_digit());
    groups.len() == 3 && groups.iter().all(is_group) && text.len() <= 10
}

/// The error of a suppression list, which other files of a campaign do not have.
fn located(error: Error) -> Error {
    Error::Source(format!("suppression, {error}"))
}

/// What it means to read one of several columns, and what to do.
const UNPROTECTED: &str =
    "people whose numbers are only in the others are not protected: write all numbers into one column";

/// The positions of the cells that match, from 0.
fn positions(cells: &[String], matches: impl Fn(&str) -> bool) -> Vec<usize> {
    cells.iter().enumerate().filter(|(_, cell)| matches(cell)).map(|(column, _)| column).collect()
}

/// A column as the argument of `--column`: its name, or its position if a shell may change the name or another column has it too.
fn argument(cells: &[String], column: usize) -> String {
    let name = cells.get(column).map(|cell| cell.trim()).unwrap_or_default();
    let is_only = positions(cells, |cell| cell.trim() == name).len() == 1;
    let is_plain = name.chars().all(|one| one.is_alphanumeric() || " _-.".contains(one));
    if !is_only || !is_plain || name.chars().count() > MAX_NAME || position(name).is_some() {
        return (column + 1).to_string();
    }
    if name.contains(' ') { format!("\"{name}\"") } else { name.to_owned() }
}

/// The column with the recipients, and whether the first record is a header.
fn choose(cells: &[String], options: ListOptions<'_>) -> Result<(usize, bool), String> {
    let is_number = |cell: &String| has_digits(&entry(cell));
    if let Some(column) = options.column {
        if let Some(column) = position(column).filter(|column| *column < cells.len()) {
            return Ok((
                column,
                options.recipients.has_numbers && cells.get(column).is_some_and(|cell| !is_number(cell)),
            ));
        }
        let mut named = positions(cells, |cell| cell.trim() == column);
        if named.is_empty() {
            named = positions(cells, |cell| folded(cell) == folded(column));
        }
        if let [first, second, ..] = *named.as_slice() {
            return Err(format!(
                "the columns {} and {} both have the name `{}`, and only one is read; {UNPROTECTED}, or give its position, such as --column {}",
                first + 1,
                second + 1,
                printable(column, MAX_NAME),
                first + 1
            ));
        }
        return named.first().map(|column| (*column, true)).ok_or_else(|| {
            let column = printable(column, MAX_NAME);
            if !has_only_names(cells) {
                return format!(
                    "expected the column `{column}`, but the first line of the table is not a header; give the position of the column, such as --column 1"
                );
            }
            format!("expected the column `{column}`, got the columns {}", shown(cells))
        });
    }
    let is_candidate = |cell: &str| may_name_numbers(cell, options.recipients);
    let known = positions(cells, is_candidate);
    match *known.as_slice() {
        [column] => return Ok((column, true)),
        [] => {}
        [first, ..] => {
            let known: Vec<String> = known.iter().filter_map(|column| cells.get(*column).cloned()).collect();
            return Err(format!(
                "several columns may contain the recipients: {}; {UNPROTECTED}, or name one with the setting `column`, such as --column {}",
                shown(&known),
                argument(cells, first)
            ));
        }
    }
    let mut filled = cells.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty());
    let (first, second) = (filled.next(), filled.next());
    if let (Some((column, _)), None) = (first, second) {
        return Ok((column, false));
    }
    if cells.first().is_some_and(is_number) {
        return Ok((0, false));
    }
    Err(format!(
        "the column with the recipients must be known; name it with the setting `column`, such as --column phone or --column 2; the columns are {}",
        if has_only_names(cells) { shown(cells) } else { format!("1 to {}", cells.len()) }
    ))
}

/// Whether the cells are those of a header, which an error may show: none has a phone number in any notation, or the address of a person.
fn has_only_names(cells: &[String]) -> bool {
    header::is_header(cells) && !cells.iter().any(|cell| has_long_number(cell) || cell.contains('@'))
}

/// Whether a record that begins as a comment does may be a header such as `#,Name,Phone`: it has several cells, and one after the first
/// names numbers or is the column that was given.
fn may_be_header(cells: &[String], options: ListOptions<'_>) -> bool {
    let mut filled = cells.iter().filter(|cell| !cell.trim().is_empty());
    let first = filled.next();
    let is_name = |cell: &String| {
        may_name_numbers(cell, options.recipients)
            || options.column.is_some_and(|column| folded(cell) == folded(column) && !folded(cell).is_empty())
    };
    let is_given = |cell: &String| options.column.is_some_and(|column| cell.trim() == column);
    let has_others = filled.clone().next().is_some();
    has_others && (first.is_some_and(is_given) || filled.any(is_name))
}

/// Whether a cell is the name of a column with recipients, such as `Phone 2`, and not a recipient, such as `tel:+306911000017`.
fn may_name_numbers(cell: &str, recipients: &Recipients) -> bool {
    if has_long_number(cell) || is_number(cell, recipients) {
        return false;
    }
    let name = cell.trim_end();
    let without_position = name.trim_end_matches(|one: char| one.is_ascii_digit());
    let is_position = name.len() - without_position.len() <= 2;
    is_number_name(if is_position { without_position } else { name })
}

fn has_digits(entry: &str) -> bool {
    msisdn::normalize_number(entry, None) != Err(msisdn::NotANumber::Character) && !entry.is_empty()
        || has_long_number(entry)
}

/// Whether a text has the digits of a phone number.
fn has_long_number(text: &str) -> bool {
    text.chars().filter(|one| one.is_numeric()).count() >= 7
}

fn shown(cells: &[String]) -> String {
    let names = cells.iter().map(|cell| printable(cell.trim(), MAX_NAME)).filter(|name| !name.is_empty());
    names.collect::<Vec<_>>().join(", ")
}

/// An entry without what spreadsheets and people write around it: quotes, `="…"`, and a comment at its end.
fn entry(cell: &str) -> String {
    let cell = cell_text(cell.to_owned());
    let mut text = cell.trim();
    for mark in [" #", "\t#", " //", "\t//"] {
        text = text.split(mark).next().unwrap_or_default().trim_end();
    }
    // One with a comment after it.
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

/// Whether a text is a number in the scientific notation of a spreadsheet, such as `3.06912E+11`.
pub(crate) fn is_scientific(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.trim().split_once(['E', 'e']) else { return false };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.strip_prefix('+').unwrap_or(exponent);
    let mantissa = mantissa.strip_prefix('+').unwrap_or(mantissa);
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, "0"));
    is_digits(whole) && is_digits(fraction) && is_digits(exponent)
}
