//! Requests given as JSON: a [`Tape`] reads the text into a flat list of nodes, [`schema_walk`] compares the types of the nodes
//! with a model's schema, and [`fill`] moves the values into the model.
//!
//! Every node refers to its name and text instead of copying them. The tape accepts and rejects what `serde_json` accepts and
//! rejects, at the same line and column; a differential test compares both.

pub(crate) mod fill;
mod json_parser;
mod number_parser;
pub(crate) mod schema_walk;
#[cfg(test)]
mod serde_comparison;
mod string_parser;
mod tape;
pub(crate) mod tape_value;

pub(crate) use tape::{Entry, Node};

/// The position of a syntax error; both count from one, columns in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    /// The line.
    pub(crate) line: usize,
    /// The column.
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
    /// A number; its text is how it is written.
    Number,
    /// A string; its text is without escapes.
    Text,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// How often a member's name occurs in its object; set by the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occurs {
    /// As far as is known.
    Once,
    /// The first of several, which has the value of the last.
    First,
    /// One that is ignored.
    Ignored,
}

/// The index of a member that was not looked up.
pub(crate) const NOT_LOOKED_UP: u16 = u16::MAX;

/// A part of the text; positions after its end are in the escaped text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// The same part, moved by `other`.
    const fn moved_by(self, other: usize) -> Self {
        Self { start: self.start + other, end: self.end + other }
    }
}

/// A JSON text that was read. Values are named by their indices in the list; the whole is at index 0.
#[derive(Clone)]
pub(crate) struct Tape<'a> {
    text: &'a str,
    /// Strings that had escapes, and replacements.
    escaped_text: String,
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
    /// When the text is not JSON.
    pub(crate) fn read(text: &'a str) -> Result<Self, SyntaxError> {
        json_parser::read(text)
    }
}
