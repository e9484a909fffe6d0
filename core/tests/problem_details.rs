//! RFC 9457 problem details: the vectors that every language reads.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use cpaas::value::Value;

#[test]
fn reports_become_problem_details() {
    let vectors: Value =
        serde_json::from_str(include_str!("../../tests/vectors/problem_details.json")).unwrap();
    let cases = vectors["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 3);
    for case in cases {
        let operation = cpaas::OperationId::find(case["operation"].as_str().unwrap()).unwrap();
        let report = operation.validate_json(&case["request"].to_string());
        let details = report.problem_details(case["members"].as_object().unwrap().clone());
        assert_eq!(details, case["expect"], "{}", case["name"]);
    }
}
