//! Problems: what validation says, the same in every language.
//!
//! A [`Problem`] names the place (JSON pointer, RFC 6901; the root is the empty string), the rule
//! (a stable code) and the limit. Its message never quotes input; characters and keys stand in
//! `params`, which `Debug` and `Display` leave out.

mod code;
pub mod codes;
mod collect;
mod order;
mod pointer;
mod report;

use std::fmt;

use crate::value::{Map, Value};
use serde::Serialize;

pub(crate) use order::arranged;
pub(crate) use order::sort;

pub use code::{Code, Severity};
pub use collect::{Added, Problems};
pub use pointer::Pointer;
pub use report::Report;

/// One finding of validation.
#[derive(Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Problem {
    /// Where: a JSON pointer into the request; the root is the empty string.
    pub pointer: String,
    /// Which rule: a stable code out of [`codes::all`].
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence with limits and counts; it never quotes input.
    pub message: String,
    /// Facts for programs: `limit`, `actual`, `unit`, `span`, `characters`, `suggestion`, ….
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub params: Map<String, Value>,
    /// An edit of the member's text that mends it, where one is safe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

/// An edit of the text at the problem's pointer.
#[derive(Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Fix {
    /// `replace` (the range by `insert`; an empty range inserts), or `rename` (the member).
    pub op: &'static str,
    /// First byte of the range in the UTF-8 text.
    pub start: usize,
    /// First byte after the range.
    pub end: usize,
    /// The same range in UTF-16 code units.
    pub start16: usize,
    /// The end of the range in UTF-16 code units.
    pub end16: usize,
    /// What stands there afterwards.
    pub insert: String,
}

impl Fix {
    /// Renames the member at the pointer; the range is its whole name.
    #[must_use]
    pub fn rename(name: &str, to: impl Into<String>) -> Self {
        Self { op: "rename", ..Self::replace(name, 0, name.len(), to) }
    }

    /// Replaces the bytes `start..end` of `text` by `insert`.
    #[must_use]
    pub fn replace(text: &str, start: usize, end: usize, insert: impl Into<String>) -> Self {
        let units = |to: usize| text.get(..to).map_or(0, |head| head.encode_utf16().count());
        Self { op: "replace", start, end, start16: units(start), end16: units(end), insert: insert.into() }
    }
}

impl Problem {
    /// A problem with the code's own rule as its message.
    #[must_use]
    pub fn new(code: &'static Code, at: &Pointer<'_>) -> Self {
        Self {
            pointer: at.text(),
            code: code.name(),
            severity: code.severity,
            message: code.sentence().to_owned(),
            params: Map::new(),
            fix: None,
        }
    }

    /// Sets the message; it must not quote input.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Sets the limit, the actual count and their unit.
    #[must_use]
    pub fn limit(self, limit: impl Into<Value>, actual: impl Into<Value>, unit: &str) -> Self {
        self.param("limit", limit).param("actual", actual).param("unit", unit)
    }

    /// Adds a fact for programs.
    #[must_use]
    pub fn param(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }

    /// Sets the edit that mends it.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Whether it refuses the call.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "the request" } else { &self.pointer };
        write!(f, "{place}: {} [{}]", self.message, self.code)
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Problem")
            .field("pointer", &self.pointer)
            .field("code", &self.code)
            .field("severity", &self.severity)
            .field("message", &self.message)
            .finish_non_exhaustive()
    }
}
