//! The reader of the fast lane: JSON that is right, into a model. What it refuses is read again by the slow lane, which
//! says why. Numbers and escaped texts are left to `serde_json`, so that both agree on them.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Number;

/// Levels of nesting, as `serde_json` has them.
const DEPTH: u8 = 127;

/// Reads a whole text.
pub(super) fn read<'de, T: Deserialize<'de>>(text: &'de str) -> Option<T> {
    let mut reader = Reader { text, at: 0, depth: DEPTH };
    let value = T::deserialize(&mut reader).ok()?;
    reader.skip_blanks();
    (reader.at == text.len()).then_some(value)
}

struct Reader<'de> {
    text: &'de str,
    at: usize,
    depth: u8,
}

/// Not what was wanted; the slow lane finds the words.
#[derive(Debug)]
struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the JSON that was wanted")
    }
}

impl std::error::Error for Refused {}

impl serde::de::Error for Refused {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl<'de> Reader<'de> {
    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// The next byte that is no blank; it is not passed.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        match self.byte() {
            Some(b' ' | b'\n' | b'\r' | b'\t') => {
                self.skip_blanks();
                self.byte()
            }
            byte => byte,
        }
    }

    /// Passes the next byte that is no blank when it is this one.
    #[inline]
    fn pass(&mut self, byte: u8) -> Result<(), Refused> {
        if self.peek() != Some(byte) {
            return Err(Refused);
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<(), Refused> {
        let rest = self.text.get(self.at..).ok_or(Refused)?;
        if !rest.starts_with(word) {
            return Err(Refused);
        }
        self.at += word.len();
        Ok(())
    }

    /// A text, from its opening quote.
    #[inline]
    fn string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Refused> {
        self.pass(b'"')?;
        let start = self.at;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let end = start + plain(rest);
        self.at = end + 1;
        match self.text.as_bytes().get(end) {
            Some(b'"') => visitor.visit_borrowed_str(self.text.get(start..end).ok_or(Refused)?),
            Some(b'\\') => self.escaped(start - 1, end, visitor),
            _ => Err(Refused),
        }
    }

    #[cold]
    #[inline(never)]
    fn escaped<V: Visitor<'de>>(
        &mut self,
        open: usize,
        slash: usize,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        let mut is_escape = false;
        let rest = self.text.as_bytes().get(slash..).unwrap_or_default();
        let length = rest.iter().position(|&byte| {
            let is_end = byte == b'"' && !is_escape;
            is_escape = byte == b'\\' && !is_escape;
            is_end
        });
        self.at = slash + length.ok_or(Refused)? + 1;
        let token = self.text.get(open..self.at).ok_or(Refused)?;
        visitor.visit_string(serde_json::from_str(token).map_err(|_| Refused)?)
    }

    #[inline(never)]
    fn number(&mut self) -> Result<Number, Refused> {
        let rest = self.text.get(self.at..).ok_or(Refused)?;
        let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
        let length = rest.bytes().position(|byte| !is_part(&byte)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).and_then(|token| serde_json::from_str(token).ok()).ok_or(Refused)
    }

    #[inline]
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Refused>,
        end: u8,
    ) -> Result<T, Refused> {
        self.at += 1;
        self.depth = self.depth.checked_sub(1).ok_or(Refused)?;
        let value = read(self)?;
        self.depth += 1;
        self.pass(end)?;
        Ok(value)
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.peek() {
            Some(b'"') => self.string(visitor),
            Some(b'{') => self.nested(|reader| visitor.visit_map(Items { reader, is_first: true }), b'}'),
            Some(b'[') => self.nested(|reader| visitor.visit_seq(Items { reader, is_first: true }), b']'),
            Some(b't') => self.word("true").and_then(|()| visitor.visit_bool(true)),
            Some(b'f') => self.word("false").and_then(|()| visitor.visit_bool(false)),
            Some(b'n') => self.word("null").and_then(|()| visitor.visit_unit()),
            Some(b'-' | b'0'..=b'9') => self.number()?.deserialize_any(visitor).map_err(|_| Refused),
            _ => Err(Refused),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.string(visitor)
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.string(visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.peek() {
            Some(b'{') => self.nested(|reader| visitor.visit_map(Items { reader, is_first: true }), b'}'),
            _ => Err(Refused),
        }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.peek() {
            Some(b'[') => self.nested(|reader| visitor.visit_seq(Items { reader, is_first: true }), b']'),
            _ => Err(Refused),
        }
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.peek() {
            Some(b'n') => self.word("null").and_then(|()| visitor.visit_none()),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple
        tuple_struct struct enum identifier ignored_any
    }
}

/// The members of an object, or the elements of an array.
struct Items<'a, 'de> {
    reader: &'a mut Reader<'de>,
    is_first: bool,
}

impl Items<'_, '_> {
    /// Whether another one stands before the end; the comma before it is passed.
    #[inline]
    fn has_next(&mut self, end: u8) -> Result<bool, Refused> {
        if self.reader.peek() == Some(end) {
            return Ok(false);
        }
        if !std::mem::replace(&mut self.is_first, false) {
            self.reader.pass(b',')?;
        }
        Ok(true)
    }
}

impl<'de> MapAccess<'de> for Items<'_, 'de> {
    type Error = Refused;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refused> {
        if !self.has_next(b'}')? {
            return Ok(None);
        }
        match self.reader.peek() {
            Some(b'"') => seed.deserialize(&mut *self.reader).map(Some),
            _ => Err(Refused),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refused> {
        self.reader.pass(b':')?;
        seed.deserialize(&mut *self.reader)
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Refused;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refused> {
        match self.has_next(b']')? {
            true => seed.deserialize(&mut *self.reader).map(Some),
            false => Ok(None),
        }
    }
}

/// How many bytes stand before the first that ends a text, begins an escape or must not be there.
#[inline]
fn plain(bytes: &[u8]) -> usize {
    let (words, tail) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let found = special(u64::from_le_bytes(*word));
        if found != 0 {
            return index * 8 + (found.trailing_zeros() / 8) as usize;
        }
    }
    let in_tail = tail.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '));
    bytes.len() - tail.len() + in_tail.unwrap_or(tail.len())
}

/// Eight bytes at once: the highest bit of the lowest byte that is special is set, and none below it.
#[inline]
const fn special(word: u64) -> u64 {
    let quote = below(word ^ (ONES * b'"' as u64), 1);
    let slash = below(word ^ (ONES * b'\\' as u64), 1);
    (quote | slash | below(word, b' ' as u64)) & (ONES << 7)
}

/// Marks bytes below a limit, and maybe some above the first of them.
#[inline]
const fn below(word: u64, limit: u64) -> u64 {
    word.wrapping_sub(ONES * limit) & !word
}

const ONES: u64 = u64::MAX / 255;

#[cfg(test)]
mod tests;
