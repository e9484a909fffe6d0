//! The OpenAPI document, checked with requests and responses written by hand from the specification.

use std::collections::BTreeSet;

use cpaas::OperationId;
use cpaas_sandbox::Sandbox;
use cpaas_tests::examples::EXAMPLES;
use cpaas_tests::openapi_check::{Response, check, check_example, check_request, operations};
use serde_json::Value;

fn committed() -> Value {
    serde_json::from_str(include_str!("../../../docs/openapi.json")).unwrap()
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
fn documented_responses_match_the_document() {
    for example in EXAMPLES.iter() {
        check_example(example.id, example.response)
            .unwrap_or_else(|problem| panic!("{}: {problem}", example.id));
    }
}

/// Checks the requests of the vectors, except those with an option that changes the form of the request: capitals as in the
/// documented samples, search parameters in a body, the literal setWebhook URL, another path.
#[test]
fn documented_requests_match_the_document() {
    let folder = cpaas_tests::root().join("tests/vectors/requests");
    let (mut held, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).unwrap() {
        let file: Value =
            serde_json::from_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap();
        for case in file["cases"].as_array().unwrap() {
            let expect = &case["expect"];
            let other_form = ["otp_capitalized_names", "search_body", "send_path", "set_webhook"];
            let config = case["config"].as_object();
            if expect.get("invalid").is_some()
                || config.is_some_and(|config| other_form.iter().any(|name| config.contains_key(*name)))
                || misses_members(&file["operation"], &case["request"])
            {
                continue;
            }
            let body = expect.get("body").filter(|body| !body.is_null()).map(Value::to_string);
            let (method, path) = (expect["method"].as_str().unwrap(), expect["path"].as_str().unwrap());
            if let Err(problem) = check_request(method, path, body.as_deref()) {
                wrong.push(format!("{} {}: {problem}", file["operation"], case["name"]));
            }
            held += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(held >= 70, "{held}");
}

/// Usage by country can be sent without members that the document requires: validation only warns about them.
fn misses_members(operation: &Value, request: &Value) -> bool {
    let report = cpaas::validate_json(operation.as_str().unwrap(), &request.to_string()).unwrap();
    report.warnings.iter().any(|problem| problem.code == "sms.usage.missing")
}

/// `required` lists the members that validation requires.
#[test]
fn members_required_by_validation_are_required() {
    let required = |name: &str| committed()["components"]["schemas"][name]["required"].clone();
    assert_eq!(required("OtpCancelRequest"), serde_json::json!(["requestId", "accountSid"]));
    assert_eq!(
        required("SmsUsageByCountryRequest"),
        serde_json::json!(["startDate", "endDate", "AccountName"])
    );
    assert_eq!(required("Step"), serde_json::json!(["channel", "interval"]));
}

/// openapi-generator for Python fails if a value can only be null.
#[test]
fn no_type_is_only_null() {
    let text = committed().to_string();
    assert!(text.contains(r#""type":["string","null"]"#) && !text.contains(r#""type":"null""#));
}

#[test]
fn undocumented_requests_and_responses_are_refused() {
    let json = |status, body| Response { status, content_type: "application/json", body };
    let refused = |method, path, response| check(method, path, &response).is_err();
    let sent = r#"{"code":200,"message":"OK","requestID":"OTP1"}"#;
    assert!(!refused("POST", "/2fa/send.json?x=1", json(200, sent)));
    assert!(refused("POST", "/2fa/send", json(200, r#"{"code":200,"message":"OK"}"#)), "a member is missing");
    assert!(
        refused("POST", "/2fa/send", json(200, r#"{"code":"200","message":"OK","requestID":"OTP1"}"#)),
        "`code` must be a number"
    );
    assert!(
        refused("POST", "/2fa/send", json(418, r#"{"code":418,"message":"","requestID":null}"#)),
        "status 418 is not documented"
    );
    assert!(
        refused("POST", "/2fa/send", json(400, r#"{"code":400,"message":"no"}"#)),
        "a rejection has a requestID"
    );
    assert!(refused("POST", "/2fa/send", Response { status: 200, content_type: "text/plain", body: sent }));
    assert!(refused("POST", "/2fa/nothing", json(200, sent)), "no such operation");
    assert!(
        refused("GET", "/2fa/usage/records", json(200, r#"{"usageRecords":[{"count":1}]}"#)),
        "`count` must be a string"
    );
    assert!(refused("POST", "/sms", json(200, r#"{"responseCode":0,"responseText":"OK"}"#)), "no id");
}
