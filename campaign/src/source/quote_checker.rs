//! A reader of CSV that finds quotes which are not closed.

use std::io::{self, Read};

/// The largest quoted field, in bytes. No value of a request is that long. The limit keeps a file with an open quote from filling
/// the memory.
const LARGEST_FIELD: u64 = 1 << 20;

/// Returns the bytes of a CSV file unchanged, or an error if a quoted field is not closed. The crate `csv` would read such a field
/// up to the next quote or the end of the file.
pub(super) struct QuoteChecker<R> {
    inner: R,
    delimiter: u8,
    state: FieldState,
    /// The current line, from 1.
    line: u64,
    /// The line in which the current quoted field begins.
    opened: u64,
    /// The length of the current quoted field.
    length: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FieldState {
    Start,
    Unquoted,
    Quoted,
    /// After a quote within a quoted field: its end, or the first of two quotes.
    AfterQuote,
}

impl<R: Read> QuoteChecker<R> {
    pub(super) const fn new(inner: R, delimiter: u8) -> Self {
        Self { inner, delimiter, state: FieldState::Start, line: 1, opened: 0, length: 0 }
    }

    pub(super) const fn get_ref(&self) -> &R {
        &self.inner
    }

    fn pass(&mut self, byte: u8) -> io::Result<()> {
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
            (FieldState::AfterQuote, _) => {
                let expected =
                    "expected a delimiter or line break after the quoted field that begins in this line";
                return Err(self.error(expected));
            }
            (FieldState::Start | FieldState::Unquoted, _) => FieldState::Unquoted,
        };
        self.line += u64::from(byte == b'\n');
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
