//! RFC 9457 problem details: the vectors that every language reads.

use cpaas::problem::problem_details_json;
use cpaas::value::{Map, Value};

#[test]
fn reports_become_problem_details() {
    let vectors: Value =
        serde_json::from_str(include_str!("../../../tests/vectors/problem_details.json")).unwrap();
    let cases = vectors["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 4);
    for case in cases {
        let operation = cpaas::OperationId::find(case["operation"].as_str().unwrap()).unwrap();
        let report = operation.validate_json(&case["request"].to_string());
        let members = case["members"].as_object().unwrap();
        assert_eq!(report.problem_details(members.clone()), case["expect"], "{}", case["name"]);
        let json = problem_details_json(&report.to_json(), members.clone()).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), case["expect"], "{}", case["name"]);
    }
}

#[test]
fn json_that_is_not_a_report_has_no_details() {
    for text in ["", "[]", "{}", r#"{"errors":[]}"#, r#"{"errors":[{"pointer":""}],"warnings":[]}"#] {
        assert_eq!(problem_details_json(text, Map::new()), None, "{text}");
    }
}
