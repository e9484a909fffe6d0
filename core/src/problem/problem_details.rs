//! RFC 9457: the body of a response of the type `application/problem+json` that rejects a request.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{Problem, Report};
use crate::value::{Map, Value};

/// The characters to encode: those that `encodeURIComponent` of JavaScript encodes, except the slashes of a pointer.
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
    /// Problem details (RFC 9457) of this report: `type`, `title`, `status` (422, or 200 without errors), `detail` with the number of
    /// problems, and the lists `errors` and `warnings`. Each problem has a `pointer` as a fragment of a URI (`#/text`), `detail`, `code` and
    /// `severity`. `members` replaces or adds members, for example `type` and `instance`; the two lists are not replaced.
    #[must_use]
    pub fn problem_details(&self, members: Map<String, Value>) -> Value {
        let list = |problems: &[Problem]| problems.iter().map(details_of).collect();
        details(self.ok, list(&self.errors), list(&self.warnings), members)
    }
}

/// [`Report::problem_details`] for a report in the JSON of [`Report::to_json`]; `None` if `report` does not have this form.
#[must_use]
pub fn problem_details_json(report: &str, members: Map<String, Value>) -> Option<String> {
    let report: Value = serde_json::from_str(report).ok()?;
    let list = |name| report.get(name)?.as_array()?.iter().map(details_of_json).collect::<Option<Vec<_>>>();
    let (errors, warnings) = (list("errors")?, list("warnings")?);
    let is_ok = report.get("ok").and_then(Value::as_bool).unwrap_or(errors.is_empty());
    Some(details(is_ok, errors, warnings, members).to_string())
}

fn details(is_ok: bool, errors: Vec<Value>, warnings: Vec<Value>, members: Map<String, Value>) -> Value {
    let mut details = Map::new();
    details.insert("type".into(), "about:blank".into());
    let (title, status) = if is_ok { ("OK", 200) } else { ("Unprocessable Content", 422) };
    details.insert("title".into(), title.into());
    details.insert("status".into(), status.into());
    let counts = format!("{}, {}", quantity(errors.len(), "error"), quantity(warnings.len(), "warning"));
    details.insert("detail".into(), counts.into());
    details.extend(members);
    details.insert("errors".into(), errors.into());
    details.insert("warnings".into(), warnings.into());
    Value::Object(details)
}

fn quantity(count: usize, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {word}{plural}")
}

fn details_of(problem: &Problem) -> Value {
    detail(&problem.pointer, &problem.message, &problem.code, problem.severity.as_str())
}

fn details_of_json(problem: &Value) -> Option<Value> {
    let text = |name| problem.get(name)?.as_str();
    Some(detail(text("pointer")?, text("message")?, text("code")?, text("severity")?))
}

fn detail(pointer: &str, message: &str, code: &str, severity: &str) -> Value {
    let mut details = Map::new();
    details.insert("pointer".into(), format!("#{}", utf8_percent_encode(pointer, FRAGMENT)).into());
    details.insert("detail".into(), message.into());
    details.insert("code".into(), code.into());
    details.insert("severity".into(), severity.into());
    Value::Object(details)
}
