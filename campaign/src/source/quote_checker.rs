//! A reader of CSV that finds quotes which are not closed, and the lines of records.

use std::collections::VecDeque;
use std::io::{self, Read};

/// The largest quoted field, in bytes. No value of a request is that long. The limit keeps a file with an open quote from filling
/// the memory.
const LARGEST_FIELD: u64 = 1 << 20;

/// Returns the bytes of a CSV file unchanged, or an error if a quoted field is not closed. The crate `csv` would read such a field
/// up to the next quote or the end of the file.
pub(super) struct QuoteChecker<R> {
    inner: R,
    delimiter: u8,
    /// Whether a comment may follow a quoted field.
    has_comments: bool,
    state: FieldState,
    place: LinePlace,
    /// The lines of the records that were not taken. The crate `csv` counts empty lines as part of the record that follows them.
    records: VecDeque<u64>,
    /// The current line, from 1.
    line: u64,
    /// The last byte.
    last: u8,
    /// The line in which the current quoted field begins.
    opened: u64,
    /// The length of the current quoted field.
    length: u64,
}

/// Where a byte is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LinePlace {
    /// Before a record, on an empty line or on a new one.
    Between,
    Record,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FieldState {
    Start,
    Unquoted,
    Quoted,
    /// After a quote within a quoted field: its end, or the first of two quotes.
    AfterQuote,
    /// After a quoted field and white space, in a file with comments.
    BeforeComment,
}

impl<R: Read> QuoteChecker<R> {
    /// Checks what `inner` returns, which begins at this line of the file.
    pub(super) const fn new(inner: R, delimiter: u8, has_comments: bool, line: u64) -> Self {
        Self {
            inner,
            delimiter,
            has_comments,
            state: FieldState::Start,
            place: LinePlace::Between,
            records: VecDeque::new(),
            line,
            last: 0,
            opened: 0,
            length: 0,
        }
    }

    /// The line of the next record. The caller takes one for each record that it reads.
    pub(super) fn take_line(&mut self) -> u64 {
        self.records.pop_front().unwrap_or(self.line)
    }

    fn pass(&mut self, byte: u8) -> io::Result<()> {
        if self.place == LinePlace::Between && byte != b'\n' && byte != b'\r' {
            self.place = LinePlace::Record;
            self.records.push_back(self.line);
        }
        if self.place == LinePlace::Record {
            self.pass_in_record(byte)?;
        }
        // A line ends with LF, CRLF or CR.
        self.line += u64::from(byte == b'\r' || byte == b'\n' && self.last != b'\r');
        self.last = byte;
        Ok(())
    }

    fn pass_in_record(&mut self, byte: u8) -> io::Result<()> {
        let is_end = byte == self.delimiter || byte == b'\n' || byte == b'\r';
        self.length += 1;
        self.state = match (self.state, byte) {
            (FieldState::Start, b'"') => {
                (self.opened, self.length) = (self.line, 0);
                FieldState::Quoted
            }
            (FieldState::Quoted, b'"') => FieldState::AfterQuote,
            (FieldState::AfterQuote, b'"') => FieldState::Quoted,
            (FieldState::Quoted, _) if self.length > LARGEST_FIELD => {
                let expected = "a quoted field must have at most 1 MiB (1,048,576 bytes)";
                return Err(self.error(&format!("{expected}; check that its quote is closed")));
            }
            (FieldState::Quoted, _) => FieldState::Quoted,
            (_, _) if is_end => FieldState::Start,
            (FieldState::AfterQuote | FieldState::BeforeComment, b' ' | b'\t') if self.has_comments => {
                FieldState::BeforeComment
            }
            (FieldState::BeforeComment, b'#' | b'/') => FieldState::Unquoted,
            (FieldState::AfterQuote | FieldState::BeforeComment, _) => {
                let expected =
                    "expected a delimiter or line break after the quoted field that begins in this line";
                return Err(self.error(expected));
            }
            (FieldState::Start | FieldState::Unquoted, _) => FieldState::Unquoted,
        };
        if self.state == FieldState::Start && byte != self.delimiter {
            self.place = LinePlace::Between;
        }
        Ok(())
    }

    fn error(&self, message: &str) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, format!("line {}: {message}", self.opened))
    }
}

impl<R: Read> Read for QuoteChecker<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        if count == 0 && !buffer.is_empty() && self.state == FieldState::Quoted {
            let expected =
                "the quote that opens a field in this line must be closed, got the end of the file";
            return Err(self.error(expected));
        }
        buffer.iter().take(count).try_for_each(|byte| self.pass(*byte))?;
        Ok(count)
    }
}
