use serde::Serialize;

use super::{Problem, Severity};
use crate::value::to_json;

/// The answer of validation: everything wrong, and everything worth knowing.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Whether there is no error.
    pub ok: bool,
    /// What the specification forbids, in field order.
    pub errors: Vec<Problem>,
    /// Warnings and remarks, in field order.
    pub warnings: Vec<Problem>,
}

impl Report {
    /// Sorts problems into errors and the rest.
    #[must_use]
    pub fn new(problems: Vec<Problem>) -> Self {
        let (errors, warnings): (Vec<_>, Vec<_>) =
            problems.into_iter().partition(|problem| problem.severity == Severity::Error);
        Self { ok: errors.is_empty(), errors, warnings }
    }

    /// The report as JSON, the same bytes in every language.
    #[must_use]
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}
