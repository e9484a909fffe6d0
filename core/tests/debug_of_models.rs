//! `Debug` of requests and responses shows no phone number, text, code, name or URL.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::path::Path;

use cpaas::operation::Operation;
use cpaas::{OperationId, lookup, messages, otp, redact, sms, webhooks};
use serde_json::Value;

fn cases(folder: &str, id: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/vectors/{folder}/{id}.json"));
    let mut file: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    file["cases"].as_array_mut().unwrap().drain(..).collect()
}

/// Collects the strings and fractions that `Debug` must not show, by the name of their member.
fn hidden(name: &str, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if !redact::shows(name) && text.len() > 2 => found.push(text.clone()),
        Value::Number(number) if number.is_f64() && !redact::shows(name) => found.push(number.to_string()),
        Value::Array(elements) => elements.iter().for_each(|element| hidden(name, element, found)),
        Value::Object(members) => members.iter().for_each(|(name, value)| hidden(name, value, found)),
        _ => {}
    }
}

fn hides_values(id: &str, value: &Value, debug: &str) {
    let mut texts = Vec::new();
    hidden("", value, &mut texts);
    for text in texts {
        assert!(!debug.contains(&format!("{text:?}")), "{id}: a text is shown: {debug}");
        let is_number = text.len() > 5 && text.bytes().all(|byte| byte.is_ascii_digit());
        assert!(!is_number || !debug.contains(&text), "{id}: a number is shown: {debug}");
    }
}

fn check_operation<O: Operation + std::fmt::Debug>() -> &'static str
where
    O::Output: std::fmt::Debug,
{
    let mut seen = 0;
    for case in cases("requests", O::ID) {
        if let Ok(request) = serde_json::from_value::<O>(case["request"].clone()) {
            hides_values(O::ID, &case["request"], &format!("{request:?}"));
            seen += 1;
        }
    }
    for case in cases("responses", O::ID) {
        let result = &case["expect"]["result"];
        if let Ok(response) = serde_json::from_value::<O::Output>(result.clone()) {
            hides_values(O::ID, result, &format!("{response:?}"));
            seen += 1;
        }
    }
    assert!(seen >= 4, "{}: {seen} values", O::ID);
    O::ID
}

#[test]
fn requests_and_responses_of_every_operation_hide_values() {
    let mut done = vec![
        check_operation::<otp::Send>(),
        check_operation::<otp::Verify>(),
        check_operation::<otp::Cancel>(),
        check_operation::<otp::Search>(),
        check_operation::<otp::Get>(),
        check_operation::<otp::Usage>(),
        check_operation::<otp::UsageDaily>(),
        check_operation::<otp::limits::Create>(),
        check_operation::<otp::limits::Update>(),
        check_operation::<otp::limits::Delete>(),
        check_operation::<otp::limits::List>(),
        check_operation::<otp::limits::Get>(),
        check_operation::<otp::workflows::Create>(),
        check_operation::<otp::workflows::Update>(),
        check_operation::<otp::workflows::Delete>(),
        check_operation::<otp::workflows::List>(),
        check_operation::<otp::workflows::Get>(),
        check_operation::<sms::Send>(),
        check_operation::<sms::SendBulk>(),
        check_operation::<sms::UsageByCountry>(),
        check_operation::<sms::Convert>(),
        check_operation::<lookup::Numbers>(),
        check_operation::<lookup::NumbersByQuery>(),
        check_operation::<messages::Send>(),
        check_operation::<messages::SendFailover>(),
        check_operation::<messages::SendBulk>(),
        check_operation::<webhooks::messenger_b::Set>(),
        check_operation::<webhooks::messenger_c::Set>(),
        check_operation::<webhooks::messenger_c::Delete>(),
        check_operation::<webhooks::messenger_c::Info>(),
    ];
    let mut all: Vec<_> = OperationId::ALL.iter().map(|operation| operation.meta().id).collect();
    done.sort_unstable();
    all.sort_unstable();
    assert_eq!(done, all);
}
