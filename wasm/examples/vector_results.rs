//! Prints Rust's result for every vector as JSON: `[[function, [arguments], result], …]`. `wasm/test/compare_with_rust.mjs`
//! compares the results of the browser module with this output, byte for byte.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::Path;

use cpaas::bindings;
use cpaas::text::autofill;
use cpaas::{text, validate_json};
use serde_json::{Value, json};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors");
    let mut results = Vec::new();
    for name in ["segments.json", "segments_more.json"] {
        cases(&root.join(name)).iter().for_each(|case| segments(case, &mut results));
    }
    for name in ["markup.json", "markup_more.json"] {
        cases(&root.join(name)).iter().for_each(|case| marked(case, &mut results));
    }
    for case in cases(&root.join("intent.json")) {
        let input = member(&case, "text").unwrap_or_default();
        results.push(json!(["intent", [input], bindings::intent_json(input)]));
    }
    for case in list(&root.join("autofill.json"), "check") {
        let message = member(&case, "message").unwrap_or_default();
        results.push(json!(["checkAutofill", [message], autofill::check_json(message)]));
    }
    for folder in ["problems", "requests"] {
        let mut paths: Vec<_> =
            std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let file: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            for case in cases(&path) {
                let operation = case.get("operation").or(file.get("operation"));
                request(&case, operation.and_then(Value::as_str), &mut results);
            }
        }
    }
    println!("{}", Value::from(results));
}

fn cases(path: &Path) -> Vec<Value> {
    list(path, "cases")
}

fn list(path: &Path, name: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file.get(name).and_then(Value::as_array).cloned().unwrap_or_default()
}

fn member<'a>(case: &'a Value, name: &str) -> Option<&'a str> {
    case.get(name).and_then(Value::as_str)
}

fn printed(result: Result<String, bindings::TextError>) -> String {
    result.unwrap_or_else(|error| format!("{} {error}", error.code()))
}

fn segments(case: &Value, results: &mut Vec<Value>) {
    let input = member(case, "text").unwrap_or_default();
    let options = case.get("options").map(Value::to_string);
    let count = serde_json::to_string(&text::count(input)).unwrap();
    results.push(json!(["count", [input], count]));
    if input.len() < 2000 {
        results.push(json!(["annotate", [input], bindings::annotate_json(input)]));
    }
    results.push(json!(["checkSender", [input], bindings::sender_json(input)]));
    for options in
        [None, options.as_deref(), Some(r#"{"split":"grapheme"}"#), Some(r#"{"referenceBits":16}"#)]
    {
        results.push(json!([
            "segments",
            [input, options],
            printed(bindings::segments_json(input, options).map_err(Into::into))
        ]));
    }
    let price = member(case, "price").unwrap_or("0.0075");
    results.push(json!(["estimate", [input, price], printed(bindings::estimate_json(input, price))]));
}

fn marked(case: &Value, results: &mut Vec<Value>) {
    let input = member(case, "input").unwrap_or_default();
    let mode = member(case, "mode").unwrap_or_default();
    results.push(json!(["parseMarkup", [input, mode], bindings::parse_markup_json(input, mode)]));
    results.push(json!(["escapeMarkup", [input, mode], bindings::escape_markup_json(input, mode)]));
}

fn request(case: &Value, operation: Option<&str>, results: &mut Vec<Value>) {
    let text = match member(case, "text") {
        Some(text) => text.to_owned(),
        None => expand(case.get("request").unwrap_or(&Value::Null)).to_string(),
    };
    if let Some(name) = member(case, "check") {
        let report = bindings::check_json(name, &text).map(|report| report.to_json()).unwrap_or_default();
        results.push(json!(["checkText", [name, text], report]));
    } else if let Some(operation) = operation {
        let report = match validate_json(operation, &text) {
            Ok(report) => report.to_json(),
            Err(unknown) => unknown.to_string(),
        };
        results.push(json!(["validateText", [operation, text], report]));
    }
}

/// Expands `$text` and `$list`, which describe long texts and lists in `tests/vectors/problems`.
fn expand(value: &Value) -> Value {
    let listed = |name: &str| value.get(name).and_then(Value::as_array);
    let times = |list: &[Value]| list.get(1).and_then(Value::as_u64).map_or(1, |times| times as usize);
    if let Some(parts) = listed("$text") {
        let part = |part: &Value| match part {
            Value::Array(list) => {
                list.first().and_then(Value::as_str).unwrap_or_default().repeat(times(list))
            }
            other => other.as_str().unwrap_or_default().to_owned(),
        };
        return parts.iter().map(part).collect::<String>().into();
    }
    if let Some(list) = listed("$list") {
        return vec![expand(list.first().unwrap_or(&Value::Null)); times(list)].into();
    }
    match value {
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), expand(value))).collect())
        }
        Value::Array(items) => items.iter().map(expand).collect(),
        other => other.clone(),
    }
}
