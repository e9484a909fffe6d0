//! The vectors of counts, parts, annotations and prices, which every language reads.

use cpaas::bindings;
use cpaas::text;
use serde_json::Value;

fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    vectors["cases"].as_array().unwrap().clone()
}

#[test]
fn counts_equal_the_vectors() {
    let cases = cases("segments.json");
    assert!(cases.len() > 100);
    for case in cases {
        let input = case["text"].as_str().unwrap();
        for count in [text::count(input), bindings::scalar_counter::count(input)] {
            assert_eq!(case["encoding"], count.encoding.as_str(), "{}", case["id"]);
            assert_eq!(case["segments"], count.count, "{}", case["id"]);
            assert_eq!(case["units"], count.units, "{}", case["id"]);
        }
    }
}

#[test]
fn parts_annotations_and_prices_equal_the_vectors() {
    let cases = cases("segments_more.json");
    assert!(cases.len() > 90);
    for case in &cases {
        check_parts(case);
        check_annotations(case);
        check_price(case);
    }
}

fn input(case: &Value) -> &str {
    case["text"].as_str().unwrap()
}

fn assert_error(case: &Value, error: &bindings::TextError) {
    assert_eq!(case["error"], error.code(), "{}", case["id"]);
    assert_eq!(case["message"], error.to_string(), "{}", case["id"]);
}

fn check_parts(case: &Value) {
    if case.get("price").is_some() {
        return;
    }
    let options = case.get("options").map(Value::to_string);
    let result = match bindings::segments_json(input(case), options.as_deref()) {
        Ok(result) => serde_json::from_str::<Value>(&result).unwrap(),
        Err(error) => return assert_error(case, &error.into()),
    };
    assert!(case.get("error").is_none(), "{} must be an error", case["id"]);
    let members = [
        ("encoding", "encoding"),
        ("segments", "count"),
        ("units", "units"),
        ("remaining", "remaining"),
        ("byCodePoint", "countByCodePoint"),
        ("byGrapheme", "countByGrapheme"),
    ];
    for (expected, member) in members {
        if let Some(expected) = case.get(expected) {
            assert_eq!(Some(expected), result.get(member), "{} of {}", member, case["id"]);
        }
    }
    let parts: Vec<Value> = result["parts"].as_array().unwrap().iter().map(row).collect();
    if let Some(expected) = case.get("parts") {
        assert_eq!(expected.as_array().unwrap(), &parts, "{}", case["id"]);
    }
}

fn row(part: &Value) -> Value {
    ["start", "end", "start16", "end16", "units"].iter().map(|member| part[member].clone()).collect()
}

fn check_annotations(case: &Value) {
    if ["characters", "causes", "replaced"].iter().all(|member| case.get(member).is_none()) {
        return;
    }
    let result: Value = serde_json::from_str(&bindings::annotate_json(input(case))).unwrap();
    for member in ["characters", "causes", "replaced"] {
        if let Some(expected) = case.get(member) {
            assert_eq!(expected, &result[member], "{} of {}", member, case["id"]);
        }
    }
}

fn check_price(case: &Value) {
    let Some(price) = case.get("price") else { return };
    match bindings::estimate_json(input(case), price.as_str().unwrap()) {
        Err(error) => assert_error(case, &error),
        Ok(result) => {
            let result: Value = serde_json::from_str(&result).unwrap();
            assert_eq!(case["total"], result["total"], "{}", case["id"]);
            assert_eq!(case["price"], result["pricePerPart"], "{}", case["id"]);
            assert_eq!(case["segments"], result["count"], "{}", case["id"]);
        }
    }
}
