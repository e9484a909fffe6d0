//! A response may contain a member with a name that this library uses in its own records and results. It is an undocumented member like
//! any other: it changes neither the outcome nor a documented member, at the top level and in every nested object.

use cpaas::OperationId;
use cpaas::client::{Client, TransportError};
use cpaas::error::{Error, Outcome};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::otp::OtpResponse;
use cpaas_tests::examples::{EXAMPLES, config, example};
use serde_json::{Value, json};

/// Names of the record of an error, of a response and of a result, in all languages.
const NAMES: &[&str] = &[
    "extra",
    "explicit",
    "unexpected",
    "warnings",
    "raw",
    "outcome",
    "ok",
    "is_ok",
    "accepted",
    "rejected",
    "missing",
    "attempts",
    "value",
    "values",
    "result",
    "response",
    "headers",
    "body",
    "sent",
    "reason",
    "operation",
    "problems",
    "evidence",
    "reference",
    "retry_after_ms",
    "code_meaning",
    "provider_message",
    "request_id",
    "processed",
    "retryable",
    "items",
    "records",
    "next_page",
    "kind",
    "call_id",
    "_response",
    "__class__",
    "",
];

/// Names that the library computes for a result; a member of the response with this name is only in the raw response.
const DERIVED: &[&str] = &["accepted", "rejected", "missing", "outcome"];

/// Documented names: `ok` is the deciding member of messenger_c and of operations without a documented response, `response` that of
/// lookups, `result` is documented for messenger_c and inside `data`.
fn is_documented(operation: &str, name: &str) -> bool {
    match name {
        "ok" => operation.starts_with("webhooks.messenger_c") || operation == "sms.convert",
        "response" => operation.starts_with("lookup"),
        "result" => {
            operation.starts_with("webhooks.messenger_c")
                || operation.starts_with("otp.limits")
                || operation.starts_with("otp.workflows")
        }
        _ => false,
    }
}

/// Names of members that may deny a verification: with these values, its outcome is unknown.
const VERDICTS: &[&str] = &["ok", "result", "reason"];

/// Values that would be a success, a rejection, another id, or of another type.
fn values() -> Vec<Value> {
    let members = |code: i64| {
        json!({
            "code": code, "responseCode": code, "response": code, "status": code, "message": "OK", "requestID": "OTP9",
            "id": "EVIL", "messageId": "EVIL", "bulkId": "EVIL", "sid": "EVIL", "to": "306900000000", "msisdn": "306900000000",
            "data": {"sid": "EVIL", "name": "EVIL", "result": []}, "messages": [], "max": "999", "interval": "1",
            "twoFaOtpSdrs": [], "usageRecords": [], "outcome": "accepted", "extra": {"code": 200, "id": "EVIL"}
        })
    };
    vec![
        members(200),
        members(0),
        members(400),
        json!([members(0)]),
        json!("EVIL"),
        json!(7),
        json!(true),
        Value::Null,
    ]
}

async fn call(id: &str, status: u16, body: &str) -> Result<Value, Error> {
    let body = body.to_owned();
    let transport = move |_: HttpRequest| {
        let body = body.clone();
        async move { Ok::<_, TransportError>(HttpResponse::new(status, Vec::new(), body)) }
    };
    let client = Client::with_transport(&config("http://127.0.0.1:9").max_attempts(1), transport).unwrap();
    let result = client.call_json(OperationId::find(id).unwrap(), example(id).request).await;
    result.map(|response| serde_json::from_str(&response.value).unwrap())
}

/// The record of an error without the id of its call, which is random.
fn json(mut error: Error) -> String {
    error.record_mut().call_id = None;
    error.to_json()
}

/// The pointers to all objects of a value.
fn objects(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.push(at.to_owned());
            for (name, value) in members {
                objects(value, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                objects(value, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

fn planted(body: &Value, pointer: &str, name: &str, value: &Value) -> Value {
    let mut body = body.clone();
    body.pointer_mut(pointer).unwrap().as_object_mut().unwrap().insert(name.to_owned(), value.clone());
    body
}

/// Removes a planted member from a result, unless the result without it has a member of this name, which must then be equal.
fn without(mut result: Value, expected: &Value, pointer: &str, name: &str) -> Value {
    let is_expected = expected.pointer(pointer).is_some_and(|object| object.get(name).is_some());
    if let Some(Value::Object(members)) = result.pointer_mut(pointer)
        && !is_expected
    {
        members.remove(name);
    }
    result
}

#[tokio::test]
async fn a_success_with_a_planted_member_has_the_same_result() {
    let mut checked = 0;
    for example in EXAMPLES.iter() {
        let id = example.id;
        let body: Value = serde_json::from_str(example.response).unwrap();
        let expected = call(id, 200, example.response).await.unwrap();
        let mut pointers = Vec::new();
        objects(&body, "", &mut pointers);
        for pointer in &pointers {
            for name in NAMES.iter().filter(|name| !is_documented(id, name)) {
                for value in values() {
                    let hostile = planted(&body, pointer, name, &value);
                    let found = call(id, 200, &hostile.to_string()).await;
                    let may_deny = VERDICTS.contains(name) && !value.is_null() && value != json!(true);
                    if id == "otp.verify" && may_deny {
                        assert_eq!(found.unwrap_err().outcome, Outcome::Unknown, "{name} = {value}");
                        continue;
                    }
                    let found =
                        found.unwrap_or_else(|error| panic!("{id} {pointer}/{name} = {value}: {error}"));
                    let shown = found.pointer(pointer).and_then(|object| object.get(*name));
                    assert!(
                        DERIVED.contains(name) || shown.is_none_or(|shown| *shown == value),
                        "{id} {pointer}/{name}"
                    );
                    assert_eq!(
                        without(found, &expected, pointer, name),
                        expected,
                        "{id} {pointer}/{name} = {value}"
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 15_000, "{checked}");
}

/// Rejections of each family in the provider's own form.
const REJECTIONS: &[(&str, u16, &str)] = &[
    ("otp.send", 400, r#"{"code":400,"message":"no","requestID":null}"#),
    (
        "otp.limits.create",
        200,
        r#"{"code":492,"message":"Limit with that Name already exists","requestID":null}"#,
    ),
    ("otp.verify", 403, r#"{"code":403,"message":"no","requestID":null}"#),
    ("sms.send", 200, r#"{"responseCode":902,"responseText":"no"}"#),
    ("sms.send_bulk", 200, r#"{"responseCode":902,"responseText":"no"}"#),
    ("lookup.numbers", 200, r#"{"response":7}"#),
    ("messages.send", 400, r#"{"code":400,"message":"no"}"#),
    ("messages.send_bulk", 400, r#"{"code":400,"message":"no"}"#),
    ("webhooks.messenger_b.set", 200, r#"{"status":1,"status_message":"no"}"#),
    ("webhooks.messenger_c.set", 400, r#"{"ok":false,"description":"no"}"#),
];

#[tokio::test]
async fn a_rejection_with_a_planted_member_stays_the_same_rejection() {
    for (id, status, body) in REJECTIONS {
        let expected = call(id, *status, body).await.unwrap_err();
        let body: Value = serde_json::from_str(body).unwrap();
        for name in NAMES.iter().filter(|name| !is_documented(id, name)) {
            for value in values() {
                let hostile = planted(&body, "", name, &value);
                let found = call(id, *status, &hostile.to_string()).await;
                let found = found.expect_err(&format!("{id} /{name} = {value}"));
                assert_eq!(json(found), json(expected.clone()), "{id} /{name} = {value}");
            }
        }
    }
}

/// The wrong passcode of the report: a member named `extra` with the members of a success.
#[tokio::test]
async fn a_wrong_passcode_is_not_verified_by_any_planted_member() {
    let wrong = json!({"code": 400, "message": "Invalid code", "requestID": "OTP1"});
    for name in NAMES {
        for value in values() {
            let hostile = planted(&wrong, "", name, &value);
            for status in [200, 400] {
                let Ok(found) = call("otp.verify", status, &hostile.to_string()).await else { continue };
                assert_eq!(found["code"], 400, "{status} {name} = {value}");
                let typed: OtpResponse = serde_json::from_value(found).unwrap();
                assert!(!typed.is_ok(), "{status} {name} = {value}");
            }
        }
    }
}
