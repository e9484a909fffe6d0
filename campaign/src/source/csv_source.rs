//! CSV: delimiter and header are detected.

use std::io::{self, Cursor, Read};

use csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder};
use serde_json::Value;

use super::encoding::{self, ADVICE, Decoded, Encoding};
use super::hashing_reader::{FileDigest, HashingReader};
use super::quote_checker::QuoteChecker;
use super::{Source, header};
use crate::error::{Error, Result};
use crate::template::Columns;

/// The number of bytes at the beginning of a file in which delimiter and header are detected.
const HEAD: usize = 1 << 16;
const DELIMITERS: [u8; 4] = *b",;\t|";

/// Settings that replace detection.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct CsvOptions {
    /// The delimiter; detected when absent, or read from a first line such as `sep=;`.
    pub delimiter: Option<u8>,
    /// Whether the first record is a header; when absent, it must be one. Without a header the columns are `column_1`, `column_2`, ….
    pub has_header: Option<bool>,
    /// The encoding; a byte order mark has priority. UTF-8 when absent.
    pub encoding: Option<Encoding>,
}

/// The beginning of a file that detection has read, and the rest.
type WholeFile<R> = io::Chain<Cursor<Vec<u8>>, Decoded<R>>;

/// The records of a CSV file, and what detection found at its beginning.
pub(super) struct Records<R: Read> {
    reader: Reader<QuoteChecker<WholeFile<R>>>,
    /// The lines before the first record.
    skipped: u64,
    /// Whether a cell of the first record contains a line break, as one with an open quote does.
    has_break: bool,
    /// Whether the file begins as JSON.
    is_json: bool,
    record: ByteRecord,
}

impl<R: Read> Records<R> {
    /// Reads from `reader`. Lines that begin with `comment` do not show the delimiter, but are records, and a comment may follow a quoted
    /// field.
    pub(super) fn new(
        reader: R,
        encoding: Option<Encoding>,
        delimiter: Option<u8>,
        comment: Option<u8>,
    ) -> Result<Self> {
        let mut reader = encoding::decode(reader, encoding);
        let mut head = Vec::new();
        let taken = Read::by_ref(&mut reader).take(HEAD as u64).read_to_end(&mut head);
        taken.map_err(|error| unreadable(&error))?;
        encoding::check_text(&head)?;
        let declared = take_separator_line(&mut head);
        let delimiter = delimiter.or(declared).unwrap_or_else(|| detect_delimiter(&head, comment));
        let skipped = u64::from(declared.is_some());
        let first = first_records(&head, delimiter, comment).next();
        let has_break = first.is_some_and(|record| record.as_slice().contains(&b'\n'));
        let (has_comments, is_json) = (comment.is_some(), header::is_json(&head));
        let checker =
            QuoteChecker::new(Cursor::new(head).chain(reader), delimiter, has_comments, skipped + 1);
        let reader = builder(delimiter, None).from_reader(checker);
        Ok(Self { reader, skipped, has_break, is_json, record: ByteRecord::new() })
    }

    /// The cells of the next record, and its line.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Vec<String>)>> {
        if !self.reader.read_byte_record(&mut self.record).map_err(|error| explain(&error))? {
            return Ok(None);
        }
        let line = self.reader.get_mut().take_line();
        Ok(Some((line, strings(&self.record, line)?)))
    }
}

/// Rows of a CSV file in UTF-8, UTF-16 with a byte order mark, or a given encoding. Every value is a string.
pub struct CsvSource<R: Read> {
    records: Records<HashingReader<R>>,
    columns: Vec<String>,
    /// The first record, if it is a row.
    first: Option<(u64, Vec<String>)>,
    /// The line in which the last row begins.
    line: Option<u64>,
    digest: FileDigest,
}

impl<R: Read> CsvSource<R> {
    /// Reads from `reader`. Delimiter and header are detected at its beginning.
    ///
    /// # Errors
    /// When the file cannot be read, is empty, is not in its encoding, or has no header or one with a repeated name.
    pub fn new(reader: R, options: CsvOptions) -> Result<Self> {
        let reader = HashingReader::new(reader);
        let digest = reader.digest();
        let mut records = Records::new(reader, options.encoding, options.delimiter, None)?;
        if records.is_json && options.has_header.is_none() {
            return Err(json());
        }
        if records.has_break && options.has_header != Some(false) {
            return Err(header::line_break(records.skipped + 1));
        }
        let (line, cells) = records.next()?.ok_or_else(|| Error::Source("the file is empty".to_owned()))?;
        if options.has_header == Some(false) {
            let columns = (1..=cells.len()).map(header::numbered).collect();
            return Ok(Self { records, columns, first: Some((line, cells)), line: None, digest });
        }
        if options.has_header.is_none() && !header::is_header(&cells) {
            return Err(Error::Source(format!(
                "line {line}: the first line must be a header with the names of the columns, such as phone,name; got values"
            )));
        }
        let cells = cells.into_iter().map(super::cell_text).collect();
        Ok(Self { columns: header::names(cells, line)?, records, first: None, line: None, digest })
    }

    fn row(&self, line: u64, cells: Vec<String>) -> Result<Columns> {
        let (expected, found) = (self.columns.len(), cells.len());
        let is_complete = found == expected
            || cells.iter().skip(expected).all(|cell| cell.trim().is_empty())
                && self
                    .columns
                    .iter()
                    .enumerate()
                    .skip(found)
                    .all(|(index, name)| *name == header::numbered(index + 1));
        if !is_complete {
            return Err(Error::Source(format!(
                "line {line}: expected {expected} fields, got {found}; check delimiters and quotes"
            )));
        }
        let values = cells.into_iter().map(|cell| Value::String(super::cell_text(cell)));
        let missing = std::iter::repeat_with(|| Value::String(String::new()));
        Ok(self.columns.iter().cloned().zip(values.chain(missing)).collect())
    }
}

impl<R: Read> Source for CsvSource<R> {
    fn columns(&self) -> Option<&[String]> {
        Some(&self.columns)
    }

    fn next_row(&mut self) -> Result<Option<Columns>> {
        let next = match self.first.take() {
            Some(first) => Some(first),
            None => self.records.next()?,
        };
        self.line = next.as_ref().map(|(line, _)| *line);
        next.map(|(line, cells)| self.row(line, cells)).transpose()
    }

    fn line(&self) -> Option<u64> {
        self.line
    }

    fn digest(&self) -> Option<String> {
        self.digest.get().cloned()
    }
}

/// The error of rows in a JSON value.
pub(super) fn json() -> Error {
    let message = "the rows must be CSV, or JSON Lines in a file with the extension .jsonl or .ndjson: one object in each line; got JSON";
    Error::Source(message.to_owned())
}

fn builder(delimiter: u8, comment: Option<u8>) -> ReaderBuilder {
    let mut builder = ReaderBuilder::new();
    builder.delimiter(delimiter).comment(comment).has_headers(false).flexible(true);
    builder
}

/// Removes a first line such as `sep=;`, which Excel writes and reads, and returns its delimiter.
fn take_separator_line(head: &mut Vec<u8>) -> Option<u8> {
    let end = match head.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        None => head.len(),
        Some(at) if head.get(at..at + 2) == Some(b"\r\n") => at + 2,
        Some(at) => at + 1,
    };
    let line = head.get(..end)?.trim_ascii_end();
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    let (name, value) = line.split_at_checked(4)?;
    // A tab is white space at the end of the line.
    let delimiter = match value {
        [one] => *one,
        [] if head.get(4) == Some(&b'\t') => b'\t',
        _ => return None,
    };
    if !name.eq_ignore_ascii_case(b"sep=") || delimiter.is_ascii_alphanumeric() {
        return None;
    }
    head.drain(..end);
    Some(delimiter)
}

fn first_records(head: &[u8], delimiter: u8, comment: Option<u8>) -> impl Iterator<Item = ByteRecord> {
    let records = builder(delimiter, comment).from_reader(head).into_byte_records();
    records.map_while(|record| record.ok()).take(50)
}

/// The delimiter with which the most records have as many fields as the first record. The first record must have at least two.
fn detect_delimiter(head: &[u8], comment: Option<u8>) -> u8 {
    let score = |delimiter: u8| {
        let mut records = first_records(head, delimiter, comment);
        let width = records.next().map_or(0, |record| record.len());
        let alike = records.filter(|record| record.len() == width).count();
        if width < 2 { (0, 0) } else { (alike + 1, width) }
    };
    // In reverse order, because `max_by_key` returns the last of equal elements.
    DELIMITERS.into_iter().rev().max_by_key(|delimiter| score(*delimiter)).unwrap_or(b',')
}

fn strings(record: &ByteRecord, line: u64) -> Result<Vec<String>> {
    let text = |(index, bytes): (usize, &[u8])| {
        let column = index + 1;
        let text = std::str::from_utf8(bytes);
        text.map(str::to_owned).map_err(|_| Error::Source(format!("line {line}, column {column}: {ADVICE}")))
    };
    record.iter().enumerate().map(text).collect()
}

fn explain(error: &csv::Error) -> Error {
    match error.kind() {
        ErrorKind::Io(error) => unreadable(error),
        _ => Error::Source("the file must be CSV".to_owned()),
    }
}

/// An error of the file, or of its quotes.
fn unreadable(error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::InvalidData => Error::Source(error.to_string()),
        _ => Error::Source(format!("the file cannot be read: {error}")),
    }
}

/// `Debug` shows the number of columns, and no value.
impl<R: Read> std::fmt::Debug for CsvSource<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CsvSource").field("columns", &self.columns.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rows(text: &[u8]) -> Vec<Value> {
        let mut source = CsvSource::new(text, CsvOptions::default()).unwrap();
        std::iter::from_fn(|| source.next_row().unwrap()).map(Value::Object).collect()
    }

    fn error_of(text: &[u8]) -> String {
        let mut source = match CsvSource::new(text, CsvOptions::default()) {
            Ok(source) => source,
            Err(error) => return error.to_string(),
        };
        loop {
            match source.next_row() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("no error"),
                Err(error) => return error.to_string(),
            }
        }
    }

    #[test]
    fn the_delimiter_is_detected() {
        for delimiter in [",", ";", "\t", "|"] {
            let text = ["phone", "name\n306900000001", "Ann\n306900000002", "\"B, C; D|E\""].join(delimiter);
            let found = rows(text.as_bytes());
            assert_eq!(found[0], json!({"phone": "306900000001", "name": "Ann"}), "{delimiter:?}");
            assert_eq!(found[1]["name"], "B, C; D|E", "{delimiter:?}");
        }
        assert_eq!(rows(b"phone\n306900000001"), [json!({"phone": "306900000001"})]);
    }

    #[test]
    fn a_header_is_required() {
        let expected = "line 1: the first line must be a header with the names of the columns, such as phone,name; got values";
        assert_eq!(error_of(b"306900000001,Ann\n306900000002,Ben"), expected);
        let bare = CsvOptions { has_header: Some(false), ..CsvOptions::default() };
        let mut source = CsvSource::new(&b"306900000001,Ann\n306900000002,Ben"[..], bare).unwrap();
        let found: Vec<_> = std::iter::from_fn(|| source.next_row().unwrap()).map(Value::Object).collect();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], json!({"column_1": "306900000001", "column_2": "Ann"}));
        let named = CsvOptions { has_header: Some(true), ..CsvOptions::default() };
        let mut source = CsvSource::new(&b"2024,x\n1,2"[..], named).unwrap();
        assert_eq!(source.columns().unwrap(), ["2024", "x"]);
        assert_eq!(source.next_row().unwrap().unwrap()["2024"], "1");
    }

    #[test]
    fn a_byte_order_mark_and_quotes_are_removed() {
        let found = rows("\u{FEFF}\"phone\",name\r\n\"306900000001\",\"Ann \"\"A\"\"\nB\"\r\n".as_bytes());
        assert_eq!(found, [json!({"phone": "306900000001", "name": "Ann \"A\"\nB"})]);
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(error_of(b"a,b\n1,2\n3,\xE9"), format!("line 3, column 2: {ADVICE}"));
        assert_eq!(error_of(b"a,b\n1,2\n3"), "line 3: expected 2 fields, got 1; check delimiters and quotes");
        assert_eq!(
            error_of(b"a,b,a\n1,2,3"),
            "line 1: the names of columns must differ, got `a` twice, in the columns 1 and 3"
        );
        assert_eq!(error_of(b""), "the file is empty");
    }

    #[test]
    fn empty_lines_are_counted() {
        assert!(error_of(b"\r\na,b\r\n\r\n1,\"2\n\"\r\n\n\n3").starts_with("line 8: expected 2 fields"));
    }

    #[test]
    fn a_quote_that_is_not_closed_is_an_error_that_names_its_line() {
        let end = ": the quote that opens a field in this line must be closed, got the end of the file";
        assert_eq!(error_of(b"phone,name\n1,\"Ann\n2,Ben\n3,Cat\n"), format!("line 2{end}"));
        assert_eq!(error_of(b"phone,name\n1,\"A\nB\"\n2,\"Ben"), format!("line 4{end}"));
        // The opening quote of the next field closes it.
        let expected =
            "line 2: expected a delimiter or line break after the quoted field that begins in this line";
        assert_eq!(error_of(b"phone,name\n1,\"Ann\n2,\"Ben\"\n"), expected);
        let text = format!("phone,name\n1,\"Ann\n{}", "2,Ben\n".repeat(400_000));
        let expected = "line 2: a quoted field must have at most 1 MiB (1,048,576 bytes); check that its quote is closed";
        assert_eq!(error_of(text.as_bytes()), expected);
    }

    #[test]
    fn a_header_with_an_open_quote_is_an_error_that_quotes_no_value() {
        let expected =
            "line 1: the name of a column must not contain a line break; check that its quote is closed";
        for text in ["phone,\"name\n1,Ann\n", "phone,\"name\n1,\"Ann\"\n", "phone,\"name\nx\"\n1,Ann\n"] {
            assert_eq!(error_of(text.as_bytes()), expected, "{text}");
        }
        let end = "the quote that opens a field in this line must be closed, got the end of the file";
        assert_eq!(error_of(b"phone,name\n306900000001,\"Ann\n306900000002,Ben\n"), format!("line 2: {end}"));
    }

    #[test]
    fn quotes_within_a_field_are_part_of_its_value() {
        let found = rows(b"phone,name\n1,5\" disk\n2,\"\"\r\n3,\"a\"\"\"");
        assert_eq!(found[0]["name"], "5\" disk");
        assert_eq!(found[1]["name"], "");
        assert_eq!(found[2]["name"], "a\"");
    }

    #[test]
    fn the_digest_covers_the_whole_file() {
        let text = format!("phone\n{}", "306900000001\n".repeat(20_000));
        let mut source = CsvSource::new(text.as_bytes(), CsvOptions::default()).unwrap();
        assert_eq!(source.digest(), None);
        let count = std::iter::from_fn(|| source.next_row().unwrap()).count();
        assert_eq!(count, 20_000);
        use sha2::Digest;
        assert_eq!(source.digest().unwrap(), crate::hexadecimal::hex(&sha2::Sha256::digest(text.as_bytes())));
    }
}
