//! The report of a validation.

use std::ffi::CStr;

use serde::Serialize;

use super::{Problem, Severity};
use crate::value::to_json;

/// The report without problems as JSON, for the C library, which returns it without an allocation. A static has one address.
pub static NO_PROBLEMS: &CStr = c"{\"ok\":true,\"errors\":[],\"warnings\":[]}";

/// The result of validation.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Whether there is no error.
    pub ok: bool,
    /// Errors, in field order.
    pub errors: Vec<Problem>,
    /// Warnings and infos, in field order.
    pub warnings: Vec<Problem>,
    /// The number of problems that a limit omits; not a member of the JSON if it is 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Report {
    /// Sorts problems into errors and the rest.
    #[must_use]
    pub fn new(problems: Vec<Problem>) -> Self {
        let count = problems.iter().filter(|problem| problem.is_error()).count();
        let mut errors = Vec::with_capacity(count);
        let mut warnings = Vec::with_capacity(problems.len() - count);
        for problem in problems {
            let list = if problem.is_error() { &mut errors } else { &mut warnings };
            list.push(problem);
        }
        Self { ok: errors.is_empty(), errors, warnings, more: 0 }
    }

    /// Keeps at most `limit` problems, the most severe ones in field order, and counts the others in `more`.
    pub fn limit(&mut self, limit: usize) {
        let all = self.errors.len() + self.warnings.len();
        if all <= limit {
            return;
        }
        self.more += all - limit;
        self.errors.truncate(limit);
        let is_warning = |problem: &Problem| problem.severity == Severity::Warning;
        let mut left = limit - self.errors.len();
        let mut infos_left = left.saturating_sub(self.warnings.iter().filter(|one| is_warning(one)).count());
        left -= infos_left;
        self.warnings.retain(|problem| {
            let left = if is_warning(problem) { &mut left } else { &mut infos_left };
            let is_kept = *left > 0;
            *left = left.saturating_sub(1);
            is_kept
        });
    }

    /// The report as JSON, the same bytes in every language.
    #[must_use]
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{NO_PROBLEMS, Report};

    #[test]
    fn the_static_report_without_problems_is_what_to_json_writes() {
        assert_eq!(Report::new(vec![]).to_json().as_bytes(), NO_PROBLEMS.to_bytes());
    }
}
