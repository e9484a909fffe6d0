//! Problems: the results of validation, the same in every language.
//!
//! A [`Problem`] has a position (JSON pointer, RFC 6901; the root is the empty string), a rule (a stable code) and a message,
//! which never quotes input. Characters and names are in `params`, which `Debug` and `Display` omit.

pub mod codes;
mod field_order;
mod pointer;
mod problem_details;
mod problems;
pub(crate) mod report;

use std::borrow::Cow;
use std::fmt;

use crate::printable::{MAX_MESSAGE, MAX_NAME, printable};
use crate::util::named_enum;
use crate::value::{Map, Value};
use serde::{Deserialize, Serialize};

pub(crate) use field_order::arranged;
pub(crate) use field_order::sort;

pub use pointer::Pointer;
pub use problem_details::problem_details_json;
pub(crate) use problems::grouped;
pub use problems::{ProblemBuilder, Problems};
pub use report::Report;

/// One result of validation. A stored problem is read by serde, also if its code is not one of this version of the library.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// The position: a JSON pointer into the request; the root is the empty string.
    pub pointer: String,
    /// The rule: a stable code of [`codes::all`]. A `match` compares `&*problem.code`.
    pub code: Cow<'static, str>,
    /// The severity.
    pub severity: Severity,
    /// The message: the requirement, then what was found, as types, limits and counts. It never quotes input. Its positions
    /// count code points from 0.
    pub message: String,
    /// Facts for programs: `limit`, `actual`, `unit`, `span`, `characters`, `suggestion`, ….
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub params: Map<String, Value>,
    /// An edit of the text at the pointer that fixes the problem, if there is a safe one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

/// An edit of the text at the pointer of a problem. For an element of a text with commas (`/to/1` of `sms.send_bulk`), the text is the
/// element: what is between two commas, with its white space.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fix {
    /// `replace` (the range by `insert`; an empty range inserts), or `rename` (the member).
    pub op: Cow<'static, str>,
    /// The first byte of the range in UTF-8.
    pub start: usize,
    /// The first byte after the range.
    pub end: usize,
    /// The start of the range in UTF-16 code units.
    pub start16: usize,
    /// The end of the range in UTF-16 code units.
    pub end16: usize,
    /// The replacement.
    pub insert: String,
}

/// `Debug` omits the replacement, which may be a part of the text.
impl fmt::Debug for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fix")
            .field("op", &printable(&self.op, MAX_NAME))
            .field("start", &self.start)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

impl Fix {
    /// Renames the member at the pointer; the range is its name.
    #[must_use]
    pub fn rename(name: &str, to: impl Into<String>) -> Self {
        Self { op: Cow::Borrowed("rename"), ..Self::replace(name, 0, name.len(), to) }
    }

    /// Replaces the bytes `start..end` of `text` by `insert`.
    #[must_use]
    pub fn replace(text: &str, start: usize, end: usize, insert: impl Into<String>) -> Self {
        let units = |to: usize| text.get(..to).map_or(0, |head| head.encode_utf16().count());
        Self {
            op: Cow::Borrowed("replace"),
            start,
            end,
            start16: units(start),
            end16: units(end),
            insert: insert.into(),
        }
    }
}

named_enum! {
    /// The severity of a problem.
    pub enum Severity {
        /// The specification forbids it: the client does not send the request, unless validation is `warn` or `off`.
        Error = "error",
        /// Allowed, but probably a mistake.
        Warning = "warning",
        /// Information.
        Info = "info",
    }
}

/// One row of the table of codes.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Code {
    /// The stable name, `family.member.problem`.
    pub id: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// The source of the rule: `spec` and a section of the specification, `inferred` (from its samples), `field` (common practice),
    /// `protocol` (the standards of SMS and of the markup), `conventions` (of this library), `response` (of the provider), or an
    /// RFC.
    pub source: &'static str,
    /// The default message.
    pub message: &'static str,
}

impl Problem {
    /// A problem with the default message of the code.
    #[must_use]
    pub fn new(code: &'static Code, at: &Pointer<'_>) -> Self {
        Self {
            pointer: at.text(),
            code: Cow::Borrowed(code.id),
            severity: code.severity,
            message: code.message.to_owned(),
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

    /// Adds a fact for programs.
    #[must_use]
    pub fn param(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }

    /// Sets the edit that fixes the problem.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Whether the policy of the configuration refuses the request, whatever its validation is.
    pub(crate) fn is_of_policy(&self) -> bool {
        self.code.starts_with("policy.")
    }

    /// The first of the most severe problems and the number of the others, for a message. A member with another name than a missing one
    /// comes first, because its problem says what to write.
    pub(crate) fn causes(problems: &[Self]) -> Option<String> {
        let most_severe = problems.iter().map(|problem| problem.severity).min()?;
        let causes = || problems.iter().filter(|problem| problem.severity == most_severe);
        let first = causes()
            .find(|problem| problem.code == codes::MSG_FIELD_MISSPELLED.id)
            .or_else(|| causes().next())?;
        Some(match causes().count() {
            1 => first.to_string(),
            count => format!("{first}, and {} more", count - 1),
        })
    }

    /// Whether the severity is [`Severity::Error`].
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The pointer and the message are those for a person: see [`printable`].
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = if self.pointer.is_empty() { "the request" } else { &self.pointer };
        let (position, message) = (printable(position, MAX_NAME), printable(&self.message, MAX_MESSAGE));
        write!(f, "{position}: {message} [{}]", printable(&self.code, MAX_NAME))
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Problem")
            .field("pointer", &printable(&self.pointer, MAX_NAME))
            .field("code", &printable(&self.code, MAX_NAME))
            .field("severity", &self.severity)
            .field("message", &printable(&self.message, MAX_MESSAGE))
            .finish_non_exhaustive()
    }
}

/// A check of a model against the rules of the specification.
pub trait Validate {
    /// Adds the problems at and below `at`, in field order.
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems);
}
