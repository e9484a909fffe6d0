//! Cases of validation: `operation`, `request` (JSON) or `text` (raw), and `expect` or `report`.
//!
//! `expect` is the complete list, errors first, each `{"pointer", "code", "severity"}`; `report` is the complete report, byte
//! for byte, as text. With `check` instead of `operation`, `request` contains the arguments of a check that is not a request. In a
//! request `{"$text": ["a", ["b", 3]]}` means `"abbb"` and `{"$list": [x, 3]}` means `[x, x, x]`.

use cpaas::{Problem, Report};
use serde_json::{Map, Value, json};

/// Compares one case with the library; the difference, if there is one.
pub fn check(case: &Value) -> Option<String> {
    let report = match report(case) {
        Ok(report) => report,
        Err(why) => return Some(why),
    };
    let text = report.to_json();
    match case.get("report").and_then(Value::as_str) {
        Some(want) if want != text => return Some(format!("report: expected {want}, got {text}")),
        _ => {}
    }
    let have: Vec<Value> = report.errors.iter().chain(&report.warnings).map(short).collect();
    match case.get("expect").and_then(Value::as_array) {
        Some(want) if *want != have => Some(format!("expected {}, got {}", list(want), list(&have))),
        None if case.get("report").is_none() => Some("a case needs `expect` or `report`".to_owned()),
        _ => None,
    }
}

/// The report of the library on a case.
///
/// # Errors
/// The case is incomplete, or names an unknown operation or check.
pub fn report(case: &Value) -> Result<Report, String> {
    let member = |name| case.get(name).and_then(Value::as_str);
    let request = match (member("text"), case.get("request")) {
        (Some(text), _) => text.to_owned(),
        (None, Some(request)) => expand(request).to_string(),
        (None, None) => return Err("a case needs `request` or `text`".to_owned()),
    };
    match (member("operation"), member("check")) {
        (Some(operation), _) => cpaas::validate_json(operation, &request).map_err(|error| error.to_string()),
        (None, Some(name)) => {
            cpaas::bindings::check_json(name, &request).ok_or_else(|| "unknown check".to_owned())
        }
        (None, None) => Err("a case needs `operation` or `check`".to_owned()),
    }
}

fn short(problem: &Problem) -> Value {
    json!({"pointer": problem.pointer, "code": problem.code, "severity": problem.severity})
}

fn list(problems: &[Value]) -> String {
    let line = |problem: &Value| {
        let member = |name| problem.get(name).and_then(Value::as_str).unwrap_or_default();
        format!("{} {} {}", member("severity"), member("code"), member("pointer"))
    };
    format!("[{}]", problems.iter().map(line).collect::<Vec<_>>().join(", "))
}

/// Expands the abbreviated texts and lists of a request. Members are sorted by name.
#[must_use]
pub fn expand(value: &Value) -> Value {
    match value {
        Value::Object(members) => match (members.get("$text"), members.get("$list")) {
            (Some(Value::Array(parts)), _) => parts.iter().map(part).collect::<String>().into(),
            (_, Some(Value::Array(list))) => {
                let item = expand(list.first().unwrap_or(&Value::Null));
                vec![item; times(list)].into()
            }
            _ => members
                .iter()
                .map(|(name, value)| (name.clone(), expand(value)))
                .collect::<Map<_, _>>()
                .into(),
        },
        Value::Array(items) => items.iter().map(expand).collect(),
        other => other.clone(),
    }
}

fn part(part: &Value) -> String {
    match part {
        Value::Array(list) => list.first().and_then(Value::as_str).unwrap_or_default().repeat(times(list)),
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}

fn times(list: &[Value]) -> usize {
    list.get(1).and_then(Value::as_u64).and_then(|times| usize::try_from(times).ok()).unwrap_or(1)
}

/// Every case of `tests/vectors/problems`, by file name.
///
/// # Panics
/// A file cannot be read or is not a file of cases.
#[must_use]
#[expect(clippy::expect_used, reason = "the files are the tree's own")]
pub fn all() -> Vec<Value> {
    let mut paths: Vec<_> = std::fs::read_dir(crate::root().join("tests/vectors/problems"))
        .expect("the folder of vectors")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    paths.sort();
    let cases = |path| super::read(&std::fs::read_to_string(path).ok()?).ok();
    paths.iter().flat_map(|path| cases(path).expect("a file of cases")).collect()
}
