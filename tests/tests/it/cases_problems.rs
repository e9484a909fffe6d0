//! The vectors of validation: each case passes, and each code has a request with it and one without.

use std::collections::BTreeSet;
use std::path::Path;

use cpaas::problem::codes;
use cpaas_tests::cases::{check, run};
use serde_json::Value;

fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/problems");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    files.sort();
    files
}

fn cases() -> Vec<Value> {
    files()
        .iter()
        .flat_map(|(_, text)| {
            serde_json::from_str::<Value>(text).unwrap()["cases"].as_array().unwrap().clone()
        })
        .collect()
}

#[test]
fn every_case_passes() {
    let mut out = Vec::new();
    let all =
        files().iter().filter(|(_, text)| run(check("problems").unwrap(), text, &mut out).unwrap()).count();
    assert!(all == files().len(), "{}", String::from_utf8(out).unwrap());
}

#[test]
fn ids_are_unique() {
    let cases = cases();
    let ids: BTreeSet<&str> = cases.iter().map(|case| case["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), cases.len());
}

#[test]
fn ids_of_codes_are_unique() {
    let all = codes::all();
    let ids: BTreeSet<&str> = all.iter().map(|code| code.id).collect();
    assert_eq!(ids.len(), all.len());
}

/// The cases with settings of a client.
fn recipients() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../../vectors/recipients.json")).unwrap();
    file["cases"].as_array().unwrap().clone()
}

/// Each code has a case with the problem, and a case without it whose id is the code followed by `/valid`.
#[test]
fn every_code_has_an_invalid_and_a_valid_example() {
    let cases = [cases(), recipients()].concat();
    let has = |case: &Value, code: &str| {
        case["expect"].as_array().is_some_and(|expect| expect.iter().any(|problem| problem["code"] == code))
    };
    let mut missing = Vec::new();
    // Codes of responses, of stores and of rows are not problems of a request; `malformed_responses`, `send_checks` and the tests of
    // campaigns test them.
    let of_call = ["response.", "suppress", "guard.", "campaign."];
    for code in
        codes::all().into_iter().filter(|code| !of_call.iter().any(|start| code.id.starts_with(start)))
    {
        let invalid = cases.iter().any(|case| has(case, code.id));
        let id = format!("{}/valid", code.id);
        let valid = cases.iter().any(|case| case["id"] == id.as_str() && !has(case, code.id));
        if !invalid || !valid {
            missing.push(code.id);
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn differences_are_reported() {
    let mut out = Vec::new();
    let file = r#"{"cases": [
        {"id": "a", "operation": "sms.send", "request": {"from": "A", "to": "1234567", "text": "x"}, "expect": []},
        {"id": "b", "operation": "sms.send", "request": {"from": "A", "to": "1234567"}, "expect": []},
        {"id": "c", "operation": "sms.sent", "request": {}, "expect": []},
        {"id": "d", "operation": "sms.send", "request": {}},
        {"id": "e", "check": "file", "request": {"bytes": 1}, "report": "{}"}
    ]}"#;
    assert!(!run(check("problems").unwrap(), file, &mut out).unwrap());
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains("\"b\": expected [], got [error sms.text.required /text]"), "{out}");
    assert!(out.contains("\"c\": unknown operation; did you mean `sms.send`?"), "{out}");
    assert!(out.ends_with("1/5\n"), "{out}");
}
