//! The cases that every language reads: `tests/vectors/markup.json` and `markup_more.json`.

use cpaas::bindings::parse_markup_json;
use cpaas::markup::Mode;
use serde_json::{Value, json};

fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    all["cases"].as_array_mut().map(std::mem::take).unwrap()
}

/// The expected result of a case, and the actual result in the same form.
fn expected_and_actual(case: &Value) -> (Value, Value) {
    let mode = case["mode"].as_str().unwrap();
    assert!(Mode::from_name(mode).is_some());
    let result: Value =
        serde_json::from_str(&parse_markup_json(case["input"].as_str().unwrap(), mode)).unwrap();
    let mut expected = json!({});
    let mut actual = json!({ "ok": result["error"].is_null(), "error": result["error"]["message"], "kind": result["error"]["kind"],
        "offset": result["error"]["offset"], "utf16Offset": result["error"]["utf16Offset"], "fix": result["error"]["fix"],
        "text": result["text"], "entities": result["entities"], "sent": result["sent"], "findings": result["findings"] });
    let text = result["text"].as_str().unwrap_or_default();
    actual["len_code_points"] = text.chars().count().into();
    actual["len_utf16"] = text.encode_utf16().count().into();
    let ignored: &[&str] = if case["compare"] == "text" { &["entities", "compare"] } else { &[] };
    for (key, value) in case.as_object().unwrap() {
        if !["id", "mode", "input", "about"].contains(&key.as_str()) && !ignored.contains(&key.as_str()) {
            expected[key] = value.clone();
        }
    }
    actual.as_object_mut().unwrap().retain(|key, _| expected.get(key).is_some());
    (expected, actual)
}

fn check(file: &str, at_least: usize) {
    let cases = cases(file);
    assert!(cases.len() >= at_least, "{} cases in {file}", cases.len());
    let wrong: Vec<String> = cases.iter().filter_map(difference).collect();
    assert!(wrong.is_empty(), "{} of {} in {file}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

fn difference(case: &Value) -> Option<String> {
    let (expected, actual) = expected_and_actual(case);
    (expected != actual).then(|| format!("{} expected {expected}\n    got {actual}", case["id"]))
}

#[test]
fn markup_equals_the_vectors() {
    check("markup.json", 180);
}

#[test]
fn more_markup_equals_the_vectors() {
    check("markup_more.json", 170);
}
