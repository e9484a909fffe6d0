//! The vectors of recipients: normalized numbers and the policy of the configuration.

use cpaas::request::RequestContext;
use cpaas::{Config, OperationId, Problem};
use serde_json::{Map, Value, json};

fn cases() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../../../tests/vectors/recipients.json")).unwrap();
    let cases = file["cases"].as_array().unwrap().clone();
    assert!(cases.len() >= 70, "{}", cases.len());
    cases.into_iter().filter(|case| case["plans"].is_null() || cfg!(feature = "phone")).collect()
}

fn context(settings: &Value) -> RequestContext {
    let mut config: Map<String, Value> =
        serde_json::from_str(include_str!("../../../tests/vectors/config.json")).unwrap();
    config.extend(settings.as_object().unwrap().clone());
    RequestContext::new(&Config::from_json(&Value::Object(config).to_string()).unwrap()).unwrap()
}

fn operation(case: &Value) -> OperationId {
    OperationId::find(case["operation"].as_str().unwrap()).unwrap()
}

fn short(problem: &Problem) -> Value {
    json!({"pointer": problem.pointer, "code": problem.code, "severity": problem.severity})
}

/// The member with the recipients in the HTTP request.
fn sent(operation: OperationId, request: &cpaas::http::HttpRequest) -> Value {
    let name = operation.meta().recipients.unwrap();
    match &request.body {
        Some(body) => serde_json::from_slice::<Value>(body).unwrap()[name].clone(),
        None => {
            let (_, value) = request.url.split_once(&format!("{name}=")).unwrap();
            value.split('&').next().unwrap().into()
        }
    }
}

#[test]
fn a_report_shows_what_is_changed_and_what_is_not_allowed() {
    for case in cases() {
        let report = operation(&case)
            .validate_json_with_defaults(&case["request"].to_string(), &context(&case["config"]));
        let found: Vec<Value> = report.errors.iter().chain(&report.warnings).map(short).collect();
        assert_eq!(Value::from(found), case["expect"], "{}", case["id"]);
    }
}

#[test]
fn the_request_contains_the_canonical_form_or_is_not_sent() {
    for case in cases() {
        let operation = operation(&case);
        let prepared = operation.prepare_json(&case["request"].to_string(), &context(&case["config"]));
        let sent = prepared.ok().map(|prepared| sent(operation, &prepared.request));
        assert_eq!(sent.as_ref(), case.get("sent"), "{}", case["id"]);
    }
}

/// The edit of a finding is the change that was made.
#[test]
fn the_finding_contains_the_change() {
    for case in cases() {
        let report = operation(&case)
            .validate_json_with_defaults(&case["request"].to_string(), &context(&case["config"]));
        for problem in report.warnings.iter().filter(|problem| problem.code == "number.normalized") {
            let fix = problem.fix.as_ref().unwrap();
            assert!(cpaas::text::msisdn::is_canonical(&fix.insert), "{}", case["id"]);
            assert!(!format!("{problem} {problem:?}").contains(&fix.insert), "{}", case["id"]);
        }
    }
}

/// Validation `off` normalizes too, and reports nothing.
#[test]
fn validation_off_sends_the_canonical_form() {
    let context = context(&json!({"normalize": "international", "validation": "off"}));
    let request = r#"{"from": "Acme", "to": "+30 691 234 5678", "text": "Hi"}"#;
    let prepared = OperationId::SmsSend.prepare_json(request, &context).unwrap();
    assert_eq!(sent(OperationId::SmsSend, &prepared.request), "306912345678");
    assert!(prepared.warnings.is_empty());
}

#[test]
fn the_numbers_of_a_long_list_are_in_order() {
    let to = ["+306912345678"; 12].join(",");
    let request = json!({"from": "Acme", "to": to, "text": "Hi"}).to_string();
    let report = OperationId::SmsSendBulk.validate_json(&request);
    let pointers: Vec<_> = report.errors.iter().map(|problem| problem.pointer.clone()).collect();
    assert_eq!(pointers, (0..12).map(|index| format!("/to/{index}")).collect::<Vec<_>>());
    let request = json!({"msisdn": vec!["x"; 12]}).to_string();
    let report = OperationId::LookupNumbers.validate_json(&request);
    let pointers: Vec<_> = report.warnings.iter().map(|problem| problem.pointer.clone()).collect();
    assert_eq!(pointers, (0..12).map(|index| format!("/msisdn/{index}")).collect::<Vec<_>>());
}

#[test]
fn an_invalid_setting_is_an_error_that_names_it() {
    let message = |settings: Value| {
        let context =
            Config::from_json(&settings.to_string()).and_then(|config| RequestContext::new(&config));
        context.unwrap_err().message.clone()
    };
    let normalize = message(json!({"normalize": "XX"}));
    assert!(normalize.contains("`normalize`"), "{normalize}");
    if cfg!(feature = "phone") {
        assert!(message(json!({"allow_countries": ["Greece"]})).contains("`allow_countries`"));
        assert!(message(json!({"allow_countries": []})).contains("must not be empty"));
        assert!(message(json!({"allow_types": ["cell"]})).contains("fixed_line_or_mobile"));
    } else {
        for settings in [
            json!({"normalize": "GR"}),
            json!({"allow_countries": ["GR"]}),
            json!({"allow_types": ["mobile"]}),
        ] {
            let text = message(settings.clone());
            let name = settings.as_object().unwrap().keys().next().unwrap().clone();
            assert!(text.contains("feature `phone`") && text.contains(&name), "{text}");
        }
    }
}
