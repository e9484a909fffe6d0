//! A member that is unknown, missing, null or of another type does not affect the other members of a response.

use std::fs;
use std::path::Path;

use cpaas::http::HttpResponse;
use cpaas::request::RequestContext;
use cpaas::{Config, OperationId};
use serde_json::{Value, json};

/// The successful responses of the vectors, as JSON.
fn responses(operation: OperationId) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/responses");
    let text = fs::read_to_string(folder.join(format!("{}.json", operation.meta().id))).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let cases = file["cases"].as_array().unwrap().iter();
    cases
        .filter(|case| case["expect"].get("result").is_some())
        .filter_map(|case| serde_json::from_str(case["body"].as_str().unwrap()).ok())
        .collect()
}

/// Adds the JSON pointers of all values below a value.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect()
        }
        _ => return,
    };
    for (name, child) in children {
        let at = format!("{at}/{name}");
        pointers(child, &at, found);
        found.push(at);
    }
}

fn parse(operation: OperationId, context: &RequestContext, body: &Value) -> Option<Value> {
    let response = HttpResponse::new(200, Vec::new(), body.to_string());
    operation.parse_json(context, &response).ok().map(|text| serde_json::from_str(&text).unwrap())
}

#[test]
fn a_member_of_another_type_does_not_affect_the_others() {
    let context = RequestContext::new(&Config::default()).unwrap();
    let others = [
        json!(null),
        json!(true),
        json!(7),
        json!(-0.5),
        json!("7"),
        json!("Z"),
        json!([]),
        json!([null, 1, "a", {}]),
        json!({}),
        json!({"x": [1]}),
    ];
    let mut tried = 0;
    for operation in OperationId::ALL {
        for body in responses(*operation) {
            let expected = parse(*operation, &context, &body).unwrap();
            let mut found = Vec::new();
            pointers(&body, "", &mut found);
            for place in &found {
                for other in &others {
                    let mut changed = body.clone();
                    *changed.pointer_mut(place).unwrap() = other.clone();
                    let read = parse(*operation, &context, &changed);
                    let Some(read) = read else {
                        assert!(
                            decides(operation.meta().id, place),
                            "{}: {place} as {other}",
                            operation.meta().id
                        );
                        continue;
                    };
                    untouched_members_stay(operation.meta().id, place, &expected, &read);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 4500, "{tried}");
}

/// Whether a response is unreadable without this member: a deciding member, or the requested record or list.
fn decides(id: &str, place: &str) -> bool {
    // The only element of a list counts as the list.
    let list = place.trim_end_matches(|character: char| character.is_ascii_digit());
    let place = list.strip_suffix('/').filter(|_| list != place).unwrap_or(place);
    match place {
        "" => id.starts_with("lookup."),
        "/code" | "/responseCode" | "/status" | "/messages" => true,
        "/twoFaOtpSdrs" | "/usageRecords" | "/usagesByCountry" => true,
        "/data" | "/data/result" => id.ends_with(".list"),
        _ => false,
    }
}

/// Asserts that all members of the outermost object are unchanged, except the changed one.
fn untouched_members_stay(id: &str, place: &str, expected: &Value, read: &Value) {
    let changed = place.split('/').nth(1).unwrap();
    for (name, value) in expected.as_object().into_iter().flatten() {
        // The URL of a bot's webhook is read from `result`.
        let is_count = matches!(name.as_str(), "accepted" | "rejected" | "missing");
        if name != changed && !is_count && !(name == "url" && changed == "result") {
            assert_eq!(Some(value), read.get(name), "{id}: {name} after {place}");
        }
    }
}

/// The JSON of a value in which every member occurs twice: first with the value `false`, then with its own.
fn doubled(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                let name = Value::from(name.as_str());
                format!("{name}:false,{name}:{}", doubled(value))
            });
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(doubled).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

#[test]
fn the_last_of_duplicate_members_counts() {
    let context = RequestContext::new(&Config::default()).unwrap();
    let mut tried = 0;
    for operation in OperationId::ALL {
        for body in responses(*operation) {
            let expected = parse(*operation, &context, &body).unwrap();
            let response = HttpResponse::new(200, Vec::new(), doubled(&body));
            let read = operation.parse_json(&context, &response);
            let Ok(read) = read else { panic!("{}: {body}", operation.meta().id) };
            let read: Value = serde_json::from_str(&read).unwrap();
            assert_eq!(read, expected, "{}", operation.meta().id);
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried}");
}

#[test]
fn the_last_of_duplicate_unknown_members_counts() {
    let context = RequestContext::new(&Config::default()).unwrap();
    let body = r#"{"messageId":"M0","new":1,"messageId":"M1","new":{"a":1,"a":2}}"#;
    let response = HttpResponse::new(200, Vec::new(), body);
    let read = OperationId::MessagesSend.parse_json(&context, &response).ok().unwrap();
    let read: Value = serde_json::from_str(&read).unwrap();
    assert_eq!((&read["messageId"], &read["new"]), (&json!("M1"), &json!({"a": 2})));
}

#[test]
fn other_content_is_unreadable() {
    let context = RequestContext::new(&Config::default()).unwrap();
    for operation in OperationId::ALL {
        for body in ["<html><body>Welcome</body></html>", "Service busy", "{\"code\":200,", "\u{0}"] {
            let response = HttpResponse::new(200, Vec::new(), body);
            assert!(operation.parse_json(&context, &response).is_err(), "{}: {body}", operation.meta().id);
        }
    }
}

#[test]
fn only_complete_xml_is_read() {
    let context = RequestContext::new(&Config::default()).unwrap();
    let read = |body: &str| {
        let response = HttpResponse::new(200, Vec::new(), body);
        OperationId::SmsSend.parse_json(&context, &response).ok()
    };
    let whole = "<response><id>9f1c</id><responseCode>0</responseCode></response>";
    let expected = read(whole).unwrap();
    for cut in 1..whole.len() {
        assert_eq!(read(whole.get(..cut).unwrap()), None, "{cut}");
    }
    assert_eq!(read(&format!("\u{feff} <?xml version='1.0'?><!-- a --> {whole} ")), Some(expected.clone()));
    let nested =
        "<r xmlns:a='b'><a:id>9f1c</a:id><x><id>no</id></x><responseCode> 0 </responseCode><to/></r>";
    let nested: Value = serde_json::from_str(&read(nested).unwrap()).unwrap();
    assert_eq!((&nested["id"], &nested["responseCode"]), (&json!("9f1c"), &json!(0)));
    for wrong in [
        "<response><id>&bomb;</id></response>",
        "<response><id>1</response>",
        "<a/>",
        "<response>0</response>",
    ] {
        assert_eq!(read(wrong), None, "{wrong}");
    }
}
