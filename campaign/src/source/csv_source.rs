//! CSV: delimiter and header are detected.

use std::io::{self, Cursor, Read};

use cpaas::printable::{MAX_NAME, printable};
use csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder};
use serde_json::Value;

use super::Source;
use super::hashing_reader::HashingReader;
use super::quote_checker::QuoteChecker;
use crate::error::{Error, Result};
use crate::template::Columns;

/// The number of bytes at the beginning of a file in which delimiter and header are detected.
const HEAD: usize = 1 << 16;
const DELIMITERS: [u8; 4] = *b",;\t|";

/// Settings that replace detection.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct CsvOptions {
    /// The delimiter; detected when absent.
    pub delimiter: Option<u8>,
    /// Whether the first record is a header; detected when absent. Without one the columns are `column_1`, `column_2`, ….
    pub has_header: Option<bool>,
}

/// The beginning of a file that detection has read, and the rest.
type WholeFile<R> = io::Chain<Cursor<Vec<u8>>, HashingReader<R>>;

/// Rows of a CSV file in UTF-8, with or without a byte order mark. Every value is a string.
pub struct CsvSource<R: Read> {
    reader: Reader<QuoteChecker<WholeFile<R>>>,
    columns: Vec<String>,
    record: ByteRecord,
}

impl<R: Read> CsvSource<R> {
    /// Reads from `reader`. Delimiter and header are detected at its beginning.
    ///
    /// # Errors
    /// When the file cannot be read, is empty, is not UTF-8, or has a header with a repeated name.
    pub fn new(reader: R, options: CsvOptions) -> Result<Self> {
        let mut reader = HashingReader::new(reader);
        let mut head = Vec::new();
        let taken = Read::take(&mut reader, HEAD as u64).read_to_end(&mut head);
        taken.map_err(|error| unreadable(&error))?;
        if head.starts_with(b"\xEF\xBB\xBF") {
            head.drain(..3);
        }
        let delimiter = options.delimiter.unwrap_or_else(|| detect_delimiter(&head));
        let first =
            records(&head, delimiter).next().ok_or_else(|| Error::Source("the file is empty".to_owned()))?;
        let names = strings(&first, 1)?;
        let has_header = options.has_header.unwrap_or_else(|| looks_like_header(&names));
        let columns = if has_header { header(names)? } else { numbered(names.len()) };
        let reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(has_header)
            .from_reader(QuoteChecker::new(Cursor::new(head).chain(reader), delimiter));
        Ok(Self { reader, columns, record: ByteRecord::new() })
    }
}

impl<R: Read> Source for CsvSource<R> {
    fn columns(&self) -> Option<&[String]> {
        Some(&self.columns)
    }

    fn next_row(&mut self) -> Result<Option<Columns>> {
        if !self.reader.read_byte_record(&mut self.record).map_err(|error| explain(&error))? {
            return Ok(None);
        }
        let line = self.record.position().map_or(0, csv::Position::line);
        let values = strings(&self.record, line)?.into_iter().map(Value::String);
        Ok(Some(self.columns.iter().cloned().zip(values).collect()))
    }

    fn digest(&self) -> Option<String> {
        self.reader.get_ref().get_ref().get_ref().1.digest()
    }
}

fn records(head: &[u8], delimiter: u8) -> impl Iterator<Item = ByteRecord> {
    let reader =
        ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(head);
    reader.into_byte_records().map_while(|record| record.ok()).take(50)
}

/// The delimiter with which the most records have as many fields as the first record. The first record must have at least two.
fn detect_delimiter(head: &[u8]) -> u8 {
    let score = |delimiter: u8| {
        let mut records = records(head, delimiter);
        let width = records.next().map_or(0, |record| record.len());
        let alike = records.filter(|record| record.len() == width).count();
        if width < 2 { (0, 0) } else { (alike + 1, width) }
    };
    // In reverse order, because `max_by_key` returns the last of equal elements.
    DELIMITERS.into_iter().rev().max_by_key(|delimiter| score(*delimiter)).unwrap_or(b',')
}

/// Whether every field can be the name of a column: it is not empty, and has more than the digits and separators of a phone number.
fn looks_like_header(names: &[String]) -> bool {
    let is_value = |name: &String| {
        let bare: String = name.chars().filter(|one| !" +-().".contains(*one)).collect();
        bare.is_empty() || bare.chars().all(|one| one.is_ascii_digit())
    };
    !names.iter().any(is_value)
}

fn header(names: Vec<String>) -> Result<Vec<String>> {
    if names.iter().any(|name| name.contains('\n')) {
        let message =
            "line 1: the name of a column must not contain a line break; check that its quote is closed";
        return Err(Error::Source(message.to_owned()));
    }
    let mut seen = std::collections::BTreeSet::new();
    let names: Vec<String> = names.into_iter().map(|name| name.trim().to_owned()).collect();
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        Some(twice) => Err(Error::Source(format!(
            "line 1: the names of columns must differ, got `{}` twice",
            printable(twice, MAX_NAME)
        ))),
        None => Ok(names),
    }
}

fn numbered(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("column_{number}")).collect()
}

fn strings(record: &ByteRecord, line: u64) -> Result<Vec<String>> {
    let text = |(index, bytes): (usize, &[u8])| {
        let column = index + 1;
        let text = std::str::from_utf8(bytes);
        text.map(str::to_owned)
            .map_err(|_| Error::Source(format!("line {line}, column {column}: the file must be UTF-8")))
    };
    record.iter().enumerate().map(text).collect()
}

fn explain(error: &csv::Error) -> Error {
    match error.kind() {
        ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            Error::Source(format!(
                "line {line}: expected {expected_len} fields, got {len}; check delimiters and quotes"
            ))
        }
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
    fn a_header_is_detected() {
        let found = rows(b"306900000001,Ann\n306900000002,Ben");
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
        assert_eq!(error_of(b"a,b\n1,2\n3,\xE9"), "line 3, column 2: the file must be UTF-8");
        assert_eq!(error_of(b"a,b\n1,2\n3"), "line 3: expected 2 fields, got 1; check delimiters and quotes");
        assert_eq!(error_of(b"a,a\n1,2"), "line 1: the names of columns must differ, got `a` twice");
        assert_eq!(error_of(b""), "the file is empty");
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
        assert_eq!(error_of(b"306900000001,\"Ann\n306900000002,Ben\n"), format!("line 1: {end}"));
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
        assert_eq!(source.digest().unwrap(), crate::chunk::hex(&sha2::Sha256::digest(text.as_bytes())));
    }
}
