//! Parses JSON strings and their escape sequences.

use super::ErrorKind;
use super::Span;
use super::json_parser::{ParseResult, Parser};

impl Parser<'_> {
    /// Parses a string after its opening quotation mark.
    pub(crate) fn string(&mut self) -> ParseResult<Span> {
        let start = self.at;
        let end = start + plain(self.text.as_bytes().get(start..).unwrap_or_default());
        self.at = end;
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(Span { start, end });
        }
        self.escaped(start)
    }

    /// Parses a string with escapes; the decoded text is appended to `decoded_text`.
    fn escaped(&mut self, mut start: usize) -> ParseResult<Span> {
        let first = self.text.len() + self.decoded_text.len();
        loop {
            // The bytes that end a run are ASCII, so a run ends between characters.
            self.decoded_text.push_str(self.text.get(start..self.at).unwrap_or_default());
            // One escape often follows another: some programs write all text outside ASCII as escapes.
            while self.peek() == Some(b'\\') {
                self.at += 1;
                let character = self.escape()?;
                self.decoded_text.push(character);
            }
            start = self.at;
            self.at += plain(self.text.as_bytes().get(start..).unwrap_or_default());
            if self.at == start {
                return match self.next() {
                    Some(b'"') => Ok(Span { start: first, end: self.text.len() + self.decoded_text.len() }),
                    _ => Err(ErrorKind::Syntax),
                };
            }
        }
    }

    fn escape(&mut self) -> ParseResult<char> {
        Ok(match self.next().ok_or(ErrorKind::Syntax)? {
            byte @ (b'"' | b'\\' | b'/') => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{C}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(ErrorKind::Syntax),
        })
    }

    /// Parses the digits after `\u`. A character above U+FFFF is written as a surrogate pair.
    fn unicode(&mut self) -> ParseResult<char> {
        let mut code = self.hex()?;
        if (0xD800..=0xDBFF).contains(&code) {
            for kind in [b'\\', b'u'] {
                if self.next() != Some(kind) {
                    return Err(ErrorKind::Syntax);
                }
            }
            let second = self.hex()?;
            if !(0xDC00..=0xDFFF).contains(&second) {
                return Err(ErrorKind::Syntax);
            }
            code = 0x1_0000 + ((code - 0xD800) << 10 | (second - 0xDC00));
        }
        char::from_u32(code).ok_or(ErrorKind::Syntax)
    }

    fn hex(&mut self) -> ParseResult<u32> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4);
        self.at = self.text.len().min(self.at + 4);
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        let code =
            digits.and_then(|digits| digits.iter().try_fold(0, |code, byte| Some(code << 4 | digit(byte)?)));
        code.ok_or(ErrorKind::Syntax)
    }
}

/// The number of bytes before the first control character, quotation mark or backslash. Compares eight bytes at a time.
pub(super) fn plain(bytes: &[u8]) -> usize {
    let mut at = 0;
    let mut rest = bytes;
    while let Some((block, tail)) = rest.split_first_chunk::<8>() {
        let marks = marks(u64::from_le_bytes(*block));
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += 8;
        rest = tail;
    }
    let is_plain = |byte: &u8| *byte >= b' ' && *byte != b'"' && *byte != b'\\';
    at + rest.iter().position(|byte| !is_plain(byte)).unwrap_or(rest.len())
}

/// The high bit of each byte that is a control character, a quotation mark or a backslash. Bits above the
/// lowest one can be wrong.
const fn marks(word: u64) -> u64 {
    below(word, b' ') | below(word ^ each(b'"'), 1) | below(word ^ each(b'\\'), 1)
}

const EACH: u64 = u64::MAX / 0xFF;
const HIGH: u64 = EACH * 0x80;

/// A word with this byte in each of its eight positions.
const fn each(byte: u8) -> u64 {
    EACH * byte as u64
}

/// The high bit of each byte that is below `limit`, which is at most 128. Bits above the lowest one can be wrong.
const fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(each(limit)) & !word & HIGH
}
