//! What passes every byte of a request. A crate of its own, so that it is compiled with its loops inlined where what is built on it is
//! compiled for the least size (the browser's module).
//!
//! [`Tape`] is JSON as a flat list of nodes: every value of a text in the order in which it stands there, with the places
//! of its name and its text instead of copies of them. What it refuses, and where, is what `serde_json` refuses; tests
//! hold it to that.

mod bytes;
mod node;
mod number;
mod reader;
mod text;

pub use bytes::{has_either, is_same};
pub use node::{Children, Entry, Node};
pub use number::Decimal;

/// Where a text stops being JSON; both count from one, columns in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `null`
    Null,
    /// `false`
    False,
    /// `true`
    True,
    /// A number; its text is how it is written.
    Number,
    /// A string; its text is without escapes.
    Text,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// How often a member's name occurs in its object; whoever walks a tape finds it out and notes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurs {
    /// As far as is known.
    Once,
    /// The first of several, which has the value of the last.
    First,
    /// One that does not count.
    Never,
}

/// A member's place in a table of names that nobody has looked up.
pub const UNSEEN: u16 = u16::MAX;

/// A part of the text, or behind its end of the side texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// The same part of what was put behind so much else.
    const fn behind(self, other: usize) -> Self {
        Self { start: self.start + other, end: self.end + other }
    }
}

/// A JSON text that was read. Values are named by their places in the list; the whole is at place 0.
#[derive(Clone)]
pub struct Tape<'a> {
    text: &'a str,
    /// Strings that had escapes, and what was put into the tape.
    side: String,
    nodes: Vec<Node>,
}

/// `Debug` shows how many values there are, and none of them.
impl std::fmt::Debug for Tape<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tape").field("values", &self.nodes.len()).finish_non_exhaustive()
    }
}

impl<'a> Tape<'a> {
    /// Reads a text that is one JSON value.
    ///
    /// # Errors
    /// Where the text is no JSON.
    pub fn read(text: &'a str) -> Result<Self, Fault> {
        reader::read(text)
    }
}
