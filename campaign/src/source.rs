//! Sources of rows: CSV, JSON Lines, or any iterator of JSON objects.

mod csv_source;
mod encoding;
mod hashing_reader;
pub(crate) mod header;
mod json_lines_source;
mod quote_checker;
mod recipient_list;

use std::fs::File;
use std::path::{Path, PathBuf};

use cpaas::printable::{MAX_NAME, printable};
pub use csv_source::{CsvOptions, CsvSource};
pub use encoding::Encoding;
pub use header::listed_columns;
pub use json_lines_source::JsonLinesSource;

pub(crate) use recipient_list::{
    ListOptions, RecipientList, has_several_numbers, is_lost_cell, is_scientific,
};

use crate::error::{Error, Result};
use crate::template::Columns;

/// A sequence of rows that is read once.
pub trait Source {
    /// The columns, when they are the same for every row.
    fn columns(&self) -> Option<&[String]> {
        None
    }

    /// The next row.
    ///
    /// # Errors
    /// When the source cannot be read; the message names the line.
    fn next_row(&mut self) -> Result<Option<Columns>>;

    /// The line of the file in which the last row begins, from 1; `None` for other sources.
    fn line(&self) -> Option<u64> {
        None
    }

    /// SHA-256 of the file in hexadecimal, after it was read to its end; `None` for other sources.
    fn digest(&self) -> Option<String> {
        None
    }

    /// The path of the file; `None` for other sources.
    fn path(&self) -> Option<&Path> {
        None
    }
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn columns(&self) -> Option<&[String]> {
        (**self).columns()
    }

    fn next_row(&mut self) -> Result<Option<Columns>> {
        (**self).next_row()
    }

    fn line(&self) -> Option<u64> {
        (**self).line()
    }

    fn digest(&self) -> Option<String> {
        (**self).digest()
    }

    fn path(&self) -> Option<&Path> {
        (**self).path()
    }
}

/// A file with rows, and its path.
struct FileSource<S> {
    rows: S,
    path: PathBuf,
}

impl<S: Source> Source for FileSource<S> {
    fn columns(&self) -> Option<&[String]> {
        self.rows.columns()
    }

    fn next_row(&mut self) -> Result<Option<Columns>> {
        self.rows.next_row()
    }

    fn line(&self) -> Option<u64> {
        self.rows.line()
    }

    fn digest(&self) -> Option<String> {
        self.rows.digest()
    }

    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }
}

/// The rows of an iterator of JSON objects.
///
/// ```
/// use cpaas_campaign::source::{IteratorSource, Source as _};
/// use serde_json::json;
///
/// # fn main() -> Result<(), cpaas_campaign::Error> {
/// let people = [("306912345678", "Ann"), ("306912345679", "Eva")];
/// let rows = people.into_iter().map(|(phone, name)| {
///     // A row is a `serde_json::Map`.
///     [("phone".to_owned(), json!(phone)), ("name".to_owned(), json!(name))].into_iter().collect()
/// });
/// let mut source = IteratorSource(rows); // for `plan` and `campaign::create`
/// assert_eq!(source.next_row()?.unwrap_or_default()["name"], "Ann");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct IteratorSource<I>(pub I);

impl<I: Iterator<Item = Columns>> Source for IteratorSource<I> {
    fn next_row(&mut self) -> Result<Option<Columns>> {
        Ok(self.0.next())
    }
}

/// Opens a file: JSON Lines for the extensions `jsonl` and `ndjson`, otherwise CSV, in the given encoding.
///
/// # Errors
/// When it cannot be read, or has the extension `json`: a JSON value is not read row by row.
pub fn open(path: &Path, encoding: Option<Encoding>) -> Result<Box<dyn Source + Send>> {
    let file = File::open(path).map_err(|error| not_opened(path, &error))?;
    let extension = path.extension().and_then(|name| name.to_str()).unwrap_or_default();
    let path = path.to_owned();
    match extension.to_ascii_lowercase().as_str() {
        "jsonl" | "ndjson" => return Ok(Box::new(FileSource { rows: JsonLinesSource::new(file), path })),
        "json" => return Err(csv_source::json()),
        _ => {}
    }
    let rows = CsvSource::new(file, CsvOptions { encoding, ..CsvOptions::default() })?;
    Ok(Box::new(FileSource { rows, path }))
}

/// The error of rows that cannot be opened. It names the file, unless the name is the contents of one or may be a number.
fn not_opened(path: &Path, error: &std::io::Error) -> Error {
    let name = path.to_string_lossy();
    if name.contains('\n') {
        let expected =
            "the rows must be the path of a file or an iterable of mappings, got the text of a CSV file";
        return Error::Source(expected.to_owned());
    }
    let shown = if name.contains(char::is_alphabetic) {
        printable(&name, MAX_NAME).into_owned()
    } else {
        "…".to_owned()
    };
    Error::Source(format!("the file {shown} cannot be read: {error}"))
}

/// Reads a text file that is UTF-8, UTF-16 with a byte order mark, or in the given encoding. `name` is the file's name in errors.
///
/// # Errors
/// When it cannot be read or is not text in its encoding.
pub fn read_text(reader: impl std::io::Read, encoding: Option<Encoding>, name: &str) -> Result<String> {
    let mut bytes = Vec::new();
    let read = std::io::Read::read_to_end(&mut encoding::decode(reader, encoding), &mut bytes);
    read.map_err(|error| Error::Source(format!("{name}: the file cannot be read: {error}")))?;
    let named = |error: Error| Error::Source(format!("{name}, {error}"));
    encoding::check_text(&bytes).map_err(named)?;
    String::from_utf8(bytes).map_err(|error| {
        let before = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        named(Error::Source(format!("line {line}: {}", encoding::ADVICE)))
    })
}

/// The text of a cell: that of a text formula such as `="007"`, with which spreadsheets keep digits, and otherwise the cell without the
/// apostrophe with which our exports protect it from being a formula.
fn cell_text(cell: String) -> String {
    match cell.strip_prefix('\'') {
        Some(rest) if rest.starts_with(['=', '+', '-', '@', '\t', '\r']) => rest.to_owned(),
        _ => formula_text(&cell).unwrap_or(cell),
    }
}

/// The text of a text formula. A quote in the text is doubled; a formula that computes something has other quotes.
fn formula_text(cell: &str) -> Option<String> {
    let quoted = cell.trim().strip_prefix("=\"")?.strip_suffix('"')?;
    let is_one_text = !quoted.replace("\"\"", "").contains('"');
    is_one_text.then(|| quoted.replace("\"\"", "\""))
}

fn unreadable(line: u64, error: &std::io::Error) -> Error {
    Error::Source(format!("line {line}: the file cannot be read: {error}"))
}
