//! The input of the parsers, with access by byte and search by class of bytes.

use super::byte_class::{self, NUL, SPACE};

/// The number of UTF-16 units of the character that starts with this byte of UTF-8; 0 for a continuation byte.
pub(super) const fn units(byte: u8) -> u32 {
    match byte {
        0x80..=0xBF => 0,
        0xF0.. => 2,
        _ => 1,
    }
}

/// The input; reading after its end returns 0.
#[derive(Clone, Copy)]
pub(super) struct Input<'a>(pub(super) &'a str);

impl<'a> Input<'a> {
    pub(super) const fn len(self) -> usize {
        self.0.len()
    }

    pub(super) fn at(self, index: usize) -> u8 {
        self.0.as_bytes().get(index).copied().unwrap_or(0)
    }

    pub(super) fn slice(self, from: usize, to: usize) -> &'a str {
        self.0.get(from..to).unwrap_or_default()
    }

    pub(super) fn starts(self, index: usize, what: &str) -> bool {
        self.0.as_bytes().get(index..).is_some_and(|rest| rest.starts_with(what.as_bytes()))
    }

    /// The first index from `from` whose byte is in these classes, or the end.
    pub(super) fn find(self, from: usize, classes: u32) -> usize {
        let rest = self.0.as_bytes().get(from..).unwrap_or_default();
        from + rest.iter().position(|&byte| byte_class::is(byte, classes)).unwrap_or(rest.len())
    }

    /// The first index from `from` whose byte is not white space; a NUL ends the search.
    pub(super) fn skip_space(self, from: usize) -> usize {
        self.find(from, !SPACE | NUL)
    }
}
