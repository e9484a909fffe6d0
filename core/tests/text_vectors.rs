//! The vectors that every language reads.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, clippy::panic)]

use cpaas::text;
use serde_json::Value;

fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    vectors["cases"].as_array().unwrap().clone()
}

#[test]
fn counts() {
    let cases = cases("segments.json");
    assert!(cases.len() > 100);
    for case in cases {
        let input = case["text"].as_str().unwrap();
        for count in [text::count(input), text::scalar::count(input)] {
            assert_eq!(case["encoding"], count.encoding.as_str(), "{}", case["id"]);
            assert_eq!(case["segments"], count.count, "{}", case["id"]);
            assert_eq!(case["units"], count.units, "{}", case["id"]);
        }
    }
}
