//! Reads requests that are given as JSON, in three steps:
//! 1. The parser makes a [`Tape`]: a flat list of nodes.
//! 2. [`schema_walk`] compares the types of the nodes with the schema of a model.
//! 3. [`fill_model`] copies the values into the model.
//!
//! Every node refers to its name and text instead of copying them. The parser accepts the same texts as `serde_json` and reports
//! errors at the same line and column; a differential test compares the two parsers.

pub(crate) mod fill_model;
pub(crate) mod json_parser;
pub(crate) mod json_size;
mod number_parser;
pub(crate) mod schema_walk;
#[cfg(test)]
mod serde_comparison_tests;
mod string_parser;
mod tape;
pub(crate) mod tape_value;
pub(crate) mod type_names;

pub(crate) use tape::{Entry, Node};

/// Why a text cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// It is not JSON.
    Syntax,
    /// Its arrays and objects are nested in more than [`json_parser::DEPTH`] levels.
    TooDeep,
}

/// An error of the parser and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ParseError {
    pub(crate) kind: ErrorKind,
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column in bytes, from 1; 0 at a line break.
    pub(crate) column: usize,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// `null`
    Null,
    /// `false`
    False,
    /// `true`
    True,
    /// A number; its text is the number as written.
    Number,
    /// A string; its text is decoded.
    Text,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// Whether a member's name occurs several times in its object; set by the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occurs {
    /// Once, or not compared yet.
    Once,
    /// The first of several members with this name. It has the value of the last one.
    First,
    /// A member that is ignored: a duplicate, or `null`.
    Ignored,
}

/// The schema index of a member that was not looked up.
pub(crate) const NOT_LOOKED_UP: u16 = u16::MAX;

/// A range of bytes of the JSON text. Offsets at or after the end of the text continue in [`Tape::decoded_text`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// The range, moved by `other` bytes.
    const fn moved_by(self, other: usize) -> Self {
        Self { start: self.start + other, end: self.end + other }
    }
}

/// A parsed JSON text: a flat list of values. Each value is identified by its index; the root has index 0.
#[derive(Clone)]
pub(crate) struct Tape<'a> {
    text: &'a str,
    /// Decoded strings that contained escapes, and the text of replaced values.
    decoded_text: String,
    nodes: Vec<Node>,
}

/// `Debug` shows the number of values, but no value.
impl std::fmt::Debug for Tape<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tape").field("values", &self.nodes.len()).finish_non_exhaustive()
    }
}

impl<'a> Tape<'a> {
    /// Parses a text that is one JSON value.
    ///
    /// # Errors
    /// [`ParseError`] if the text is not valid JSON, or too deep.
    pub(crate) fn read(text: &'a str) -> Result<Self, ParseError> {
        json_parser::read(text)
    }
}
