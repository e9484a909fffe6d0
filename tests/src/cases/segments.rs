//! Cases of SMS parts, with the members of `segments.json` and `segments_more.json`. Only the members that a case contains are
//! compared.

use cpaas::bindings::{self, TextError};
use cpaas::text;
use serde_json::{Value, json};

/// Members of a case, with the members of the result that they are compared with.
const MEMBERS: [(&str, &str); 6] = [
    ("encoding", "encoding"),
    ("segments", "count"),
    ("units", "units"),
    ("remaining", "remaining"),
    ("byCodePoint", "countByCodePoint"),
    ("byGrapheme", "countByGrapheme"),
];

/// Compares one case with the library; the difference, if there is one.
pub fn check(case: &Value) -> Option<String> {
    let Some(input) = case.get("text").and_then(Value::as_str) else {
        return Some("a case needs `text`".to_owned());
    };
    let mut differences = match result(case, input) {
        Ok(result) => compared(case, &result),
        Err(error) => refused(case, &error),
    };
    differences.extend(annotated(case, input));
    (!differences.is_empty()).then(|| differences.join("; "))
}

/// The result of `segments` for a case with options or parts, else of `count`. Only `segments` rejects more than 255 parts.
fn result(case: &Value, input: &str) -> Result<Value, TextError> {
    if let Some(price) = case.get("price").and_then(Value::as_str) {
        return bindings::estimate_json(input, price).map(|json| parsed(&json));
    }
    if case.get("options").is_none() && case.get("parts").is_none() {
        return Ok(json!(text::count(input)));
    }
    let options = case.get("options").map(Value::to_string);
    Ok(parsed(&bindings::segments_json(input, options.as_deref())?))
}

fn compared(case: &Value, result: &Value) -> Vec<String> {
    if let Some(error) = case.get("error") {
        return vec![format!("error: expected {error}, got a result")];
    }
    let members = MEMBERS.iter().chain(&[("total", "total")]);
    let mut differences: Vec<String> = members
        .filter_map(|(name, member)| {
            differs(name, case.get(*name)?, result.get(member).unwrap_or(&Value::Null))
        })
        .collect();
    let parts = result.get("parts").and_then(Value::as_array).into_iter().flatten().map(row).collect();
    differences.extend(case.get("parts").and_then(|expected| differs("parts", expected, &parts)));
    differences
}

fn row(part: &Value) -> Value {
    ["start", "end", "start16", "end16", "units"]
        .iter()
        .filter_map(|member| part.get(member).cloned())
        .collect()
}

fn refused(case: &Value, error: &TextError) -> Vec<String> {
    let Some(code) = case.get("error") else {
        return vec![format!("expected a result, got the error: {error}")];
    };
    let code = differs("error", code, &json!(error.code()));
    let message =
        case.get("message").and_then(|message| differs("message", message, &json!(error.to_string())));
    code.into_iter().chain(message).collect()
}

fn annotated(case: &Value, input: &str) -> Vec<String> {
    let expected: Vec<_> = ["characters", "causes", "replaced"]
        .iter()
        .filter_map(|name| Some((*name, case.get(*name)?)))
        .collect();
    if expected.is_empty() {
        return Vec::new();
    }
    let result = parsed(&bindings::annotate_json(input));
    let actual = |name: &str| result.get(name).cloned().unwrap_or_default();
    expected.into_iter().filter_map(|(name, expected)| differs(name, expected, &actual(name))).collect()
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// The difference of one member, if there is one.
fn differs(name: &str, expected: &Value, actual: &Value) -> Option<String> {
    (expected != actual).then(|| format!("{name}: expected {expected}, got {actual}"))
}
