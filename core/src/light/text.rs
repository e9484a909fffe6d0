//! Strings of JSON: their escapes.

use super::reader::{Fault, Reader};

impl Reader<'_> {
    /// The rest of a string, behind its first quotation mark.
    #[inline(never)]
    pub(super) fn string(&mut self) -> Result<String, Fault> {
        let mut text = String::new();
        loop {
            let start = self.at;
            let end = start + plain(self.text.as_bytes().get(start..).unwrap_or_default());
            self.at = end;
            // The marks that end a run are ASCII, so that its ends stand between characters.
            let run = self.text.get(start..end).unwrap_or_default();
            let mark = self.next();
            if mark == Some(b'"') && text.is_empty() {
                return Ok(run.to_owned());
            }
            text.push_str(run);
            match mark {
                Some(b'"') => return Ok(text),
                Some(b'\\') => text.push(self.escape()?),
                _ => return Err(self.here()),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        Ok(match self.next().ok_or_else(|| self.here())? {
            byte @ (b'"' | b'\\' | b'/') => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{C}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(self.here()),
        })
    }

    /// A character above the first plane is written as a pair.
    fn unicode(&mut self) -> Result<char, Fault> {
        let first = self.hex()?;
        if !(0xD800..=0xDBFF).contains(&first) {
            return char::from_u32(first).ok_or_else(|| self.here());
        }
        for mark in [b'\\', b'u'] {
            let found = self.peek().ok_or_else(|| self.here())?;
            self.at += 1;
            if found != mark {
                return Err(self.here());
            }
        }
        let second = self.hex()?;
        if !(0xDC00..=0xDFFF).contains(&second) {
            return Err(self.here());
        }
        let code = 0x1_0000 + ((first - 0xD800) << 10 | (second - 0xDC00));
        char::from_u32(code).ok_or_else(|| self.here())
    }

    fn hex(&mut self) -> Result<u32, Fault> {
        let end = self.at + 4;
        if end > self.text.len() {
            self.at = self.text.len();
            return Err(self.here());
        }
        let mut code = 0;
        let mut is_right = true;
        while self.at < end {
            let digit = self.next().and_then(|byte| char::from(byte).to_digit(16));
            is_right &= digit.is_some();
            code = code << 4 | digit.unwrap_or_default();
        }
        if is_right { Ok(code) } else { Err(self.here()) }
    }
}

const EACH: u64 = u64::MAX / 0xFF;

/// How many bytes stand before the first that cannot stand in a string as itself; eight at a time.
fn plain(bytes: &[u8]) -> usize {
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

/// The high bit of each byte that is a control character, a quotation mark or a backslash; what is above the
/// lowest of them may be wrong.
#[inline(always)]
const fn marks(word: u64) -> u64 {
    let quotes = word ^ (EACH * b'"' as u64);
    let slashes = word ^ (EACH * b'\\' as u64);
    (below(word, b' ') | below(quotes, 1) | below(slashes, 1)) & (EACH * 0x80)
}

#[inline(always)]
const fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(EACH * limit as u64) & !word
}
