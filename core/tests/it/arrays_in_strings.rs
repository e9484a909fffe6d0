//! `buckets` and `channels` (sections A8 and A9): a JSON array, and a string that contains the array, are the same request in
//! every layer of this crate. The client sends the string.

use cpaas::operation::Operation;
use cpaas::otp::{limits, workflows};
use cpaas::request::RequestContext;
use cpaas::{Config, OperationId, validate_json};
use serde_json::{Value, json};

const BUCKETS: &str = r#"[{"name":"minute","max":"3","interval":"60"}]"#;
const CHANNELS: &str = r#"[{"channel":"sms","interval":"30"},{"channel":"voice","interval":"0"}]"#;

fn context() -> RequestContext {
    let config = json!({"otp_url": "https://otp.example", "account_sid": "AC1", "api_key": "k"});
    RequestContext::new(&Config::from_json(&config.to_string()).unwrap()).unwrap()
}

/// Each operation, the name of its list, the JSON of the list, and the other members.
fn operations() -> Vec<(OperationId, &'static str, &'static str, Value)> {
    let created = json!({"name": "n", "description": "d"});
    vec![
        (OperationId::OtpLimitsCreate, "buckets", BUCKETS, created.clone()),
        (OperationId::OtpLimitsUpdate, "buckets", BUCKETS, json!({"sid": "LM1"})),
        (OperationId::OtpWorkflowsCreate, "channels", CHANNELS, created),
        (OperationId::OtpWorkflowsUpdate, "channels", CHANNELS, json!({"sid": "WF1"})),
    ]
}

fn with(members: &Value, name: &str, value: Value) -> String {
    let mut members = members.clone();
    members[name] = value;
    members.to_string()
}

fn body<O: Operation>(operation: &O) -> Value {
    let request = operation.encode_request(&context()).unwrap();
    serde_json::from_slice(&request.body.unwrap()).unwrap()
}

#[test]
fn json_accepts_both_forms_and_sends_the_string() {
    for (operation, name, list, members) in operations() {
        let array: Value = serde_json::from_str(list).unwrap();
        for value in [array, json!(list)] {
            let request = with(&members, name, value);
            assert!(validate_json(operation.meta().id, &request).unwrap().ok, "{request}");
            let prepared = operation.prepare_json(&request, &context()).unwrap();
            let body: Value = serde_json::from_slice(&prepared.request.body.unwrap()).unwrap();
            assert_eq!(body[name], *list, "{request}");
        }
    }
}

#[test]
fn both_forms_have_the_same_errors() {
    for (operation, name, _, members) in operations() {
        let array = json!([{"interval": "-1", "max": "x"}]);
        let id = operation.meta().id;
        let of_array = validate_json(id, &with(&members, name, array.clone())).unwrap();
        let of_string = validate_json(id, &with(&members, name, json!(array.to_string()))).unwrap();
        assert!(!of_array.errors.is_empty(), "{id}");
        assert_eq!(of_array.errors, of_string.errors, "{id}");
    }
}

#[test]
fn any_other_value_is_invalid() {
    for (operation, name, _, members) in operations() {
        for value in [json!("[{"), json!("{}"), json!(""), json!(7), json!({})] {
            let request = with(&members, name, value);
            let report = validate_json(operation.meta().id, &request).unwrap();
            let problem = report.errors.iter().find(|problem| problem.code == "otp.list.type");
            assert_eq!(problem.unwrap().pointer, format!("/{name}"), "{request}");
        }
    }
}

#[test]
fn the_typed_api_accepts_both_forms() {
    let bucket = limits::Bucket::new("minute", 3, 60);
    let created = [
        limits::CreateLimit::new("n", vec![bucket.clone()], "d"),
        limits::CreateLimit::new("n", BUCKETS, "d"),
        limits::CreateLimit::new("n", BUCKETS.to_owned(), "d"),
    ];
    assert_eq!(created[0], created[1]);
    assert_eq!(created[0], created[2]);
    for create in &created {
        assert_eq!(body(create)["buckets"], BUCKETS);
    }
    let updated = limits::UpdateLimit::new("LM1").buckets(BUCKETS);
    assert_eq!(updated, limits::UpdateLimit::new("LM1").buckets(vec![bucket]));
    assert_eq!(body(&updated), json!({"buckets": BUCKETS}));
    assert_eq!(body(&workflows::CreateWorkflow::new("n", CHANNELS))["channels"], CHANNELS);
    assert_eq!(
        body(&workflows::UpdateWorkflow::new("WF1").channels(CHANNELS)),
        json!({"channels": CHANNELS})
    );
}

#[test]
fn serde_reads_both_forms() {
    let array: limits::CreateLimit =
        serde_json::from_str(&format!(r#"{{"name":"n","buckets":{BUCKETS},"description":"d"}}"#)).unwrap();
    let text = json!({"name": "n", "buckets": BUCKETS, "description": "d"}).to_string();
    assert_eq!(array, serde_json::from_str(&text).unwrap());
}

#[test]
fn a_typed_string_without_an_array_is_reported() {
    use cpaas::problem::Validate;
    use cpaas::problem::{Pointer, Problems};

    let mut problems = Problems::default();
    limits::CreateLimit::new("n", "[{", "d").check(&Pointer::ROOT, &mut problems);
    workflows::UpdateWorkflow::new("WF1").channels("none").check(&Pointer::ROOT, &mut problems);
    let found: Vec<_> =
        problems.into_vec().into_iter().map(|problem| (problem.code.into_owned(), problem.pointer)).collect();
    assert_eq!(found, ["/buckets", "/channels"].map(|at| ("otp.list.type".to_owned(), at.to_owned())));
}
