//! RFC 9457: the body of a response of the type `application/problem+json` that rejects a request.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{Problem, Report, Severity};
use crate::value::{Map, Value};

/// The characters that `encodeURIComponent` of JavaScript keeps; a pointer also keeps its slashes.
const FRAGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

impl Report {
    /// Problem details (RFC 9457) of this report: `type`, `title`, `status` 422, `detail` with the number of problems, and the
    /// lists `errors` and `warnings`. Each problem has a `pointer` as a fragment of a URI (`#/text`), `detail`, `code` and
    /// `severity`. `members` replaces or adds members, for example `type` and `instance`; the two lists are not replaced.
    #[must_use]
    pub fn problem_details(&self, members: Map<String, Value>) -> Value {
        let mut details = Map::new();
        details.insert("type".into(), "about:blank".into());
        details.insert("title".into(), "Unprocessable Content".into());
        details.insert("status".into(), 422.into());
        let (errors, warnings) = (self.errors.len(), self.warnings.len());
        let counts = format!("{}, {}", quantity(errors, "error"), quantity(warnings, "warning"));
        details.insert("detail".into(), counts.into());
        details.extend(members);
        details.insert("errors".into(), self.errors.iter().map(details_of).collect());
        details.insert("warnings".into(), self.warnings.iter().map(details_of).collect());
        Value::Object(details)
    }
}

fn quantity(count: usize, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {word}{plural}")
}

fn details_of(problem: &Problem) -> Value {
    let mut details = Map::new();
    details.insert("pointer".into(), format!("#{}", utf8_percent_encode(&problem.pointer, FRAGMENT)).into());
    details.insert("detail".into(), problem.message.as_str().into());
    details.insert("code".into(), problem.code.into());
    details.insert("severity".into(), severity(problem.severity).into());
    Value::Object(details)
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}
