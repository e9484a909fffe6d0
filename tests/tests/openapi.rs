//! The OpenAPI document, by what it says of answers written by hand from the specification.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeSet;

use cpaas::OperationId;
use cpaas_sandbox::Sandbox;
use cpaas_tests::examples::EXAMPLES;
use cpaas_tests::openapi::{Answer, check, check_example, operations};
use serde_json::Value;

fn committed() -> Value {
    serde_json::from_str(include_str!("../../docs/openapi.json")).unwrap()
}

#[test]
fn acc_199_every_operation_is_in_the_document() {
    let known: BTreeSet<&str> = operations().filter(|id| !id.ends_with(".alias")).collect();
    let mut wanted: BTreeSet<&str> = OperationId::ALL.iter().map(|operation| operation.meta().id).collect();
    wanted.insert("sms.send.xml");
    assert_eq!(known, wanted);
    let schemes = committed()["components"]["securitySchemes"].as_object().unwrap().len();
    assert_eq!(schemes, 4);
}

#[test]
fn acc_199_the_sandbox_serves_the_committed_document() {
    let sandbox = Sandbox::builder().start_blocking().unwrap();
    assert_eq!(sandbox.control("GET", "/openapi.json", &Value::Null).unwrap(), committed());
    sandbox.stop();
}

#[test]
fn answers_of_the_specification_are_in_the_document() {
    for example in EXAMPLES {
        check_example(example.id, example.answer)
            .unwrap_or_else(|problem| panic!("{}: {problem}", example.id));
    }
}

#[test]
fn what_is_not_in_the_document_is_refused() {
    let json = |status, body| Answer { status, content_type: "application/json", body };
    let refused = |method, path, answer| check(method, path, &answer).is_err();
    let sent = r#"{"code":200,"message":"OK","requestID":"OTP1"}"#;
    assert!(!refused("POST", "/2fa/send.json?x=1", json(200, sent)));
    assert!(refused("POST", "/2fa/send", json(200, r#"{"code":200,"message":"OK"}"#)), "a member is missing");
    assert!(
        refused("POST", "/2fa/send", json(200, r#"{"code":"200","message":"OK","requestID":"OTP1"}"#)),
        "a type"
    );
    assert!(
        refused("POST", "/2fa/send", json(418, r#"{"code":418,"message":"","requestID":null}"#)),
        "a status"
    );
    assert!(
        refused("POST", "/2fa/send", json(400, r#"{"code":400,"message":"no"}"#)),
        "a refusal has a requestID"
    );
    assert!(refused("POST", "/2fa/send", Answer { status: 200, content_type: "text/plain", body: sent }));
    assert!(refused("POST", "/2fa/nothing", json(200, sent)), "no such operation");
    assert!(
        refused("GET", "/2fa/usage/records", json(200, r#"{"usageRecords":[{"count":1}]}"#)),
        "count is text"
    );
    assert!(refused("POST", "/sms", json(200, r#"{"responseCode":0,"responseText":"OK"}"#)), "no id");
}
