//! `Debug` of requests and responses shows no number, text, code, name or URL.
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

/// The strings and fractions of a value whose members must not be shown.
fn hidden(name: &str, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if !redact::shows(name) && text.len() > 2 => found.push(text.clone()),
        Value::Number(number) if number.is_f64() && !redact::shows(name) => found.push(number.to_string()),
        Value::Array(elements) => elements.iter().for_each(|element| hidden(name, element, found)),
        Value::Object(members) => members.iter().for_each(|(name, value)| hidden(name, value, found)),
        _ => {}
    }
}

fn silent(id: &str, value: &Value, debug: &str) {
    let mut texts = Vec::new();
    hidden("", value, &mut texts);
    for text in texts {
        assert!(!debug.contains(&format!("{text:?}")), "{id}: a text is shown: {debug}");
        let is_number = text.len() > 5 && text.bytes().all(|byte| byte.is_ascii_digit());
        assert!(!is_number || !debug.contains(&text), "{id}: a number is shown: {debug}");
    }
}

fn both<O: Operation + std::fmt::Debug>() -> &'static str
where
    O::Output: std::fmt::Debug,
{
    let mut seen = 0;
    for case in cases("requests", O::ID) {
        if let Ok(request) = serde_json::from_value::<O>(case["request"].clone()) {
            silent(O::ID, &case["request"], &format!("{request:?}"));
            seen += 1;
        }
    }
    for case in cases("responses", O::ID) {
        let result = &case["expect"]["result"];
        if let Ok(answer) = serde_json::from_value::<O::Output>(result.clone()) {
            silent(O::ID, result, &format!("{answer:?}"));
            seen += 1;
        }
    }
    assert!(seen >= 4, "{}: {seen} values", O::ID);
    O::ID
}

#[test]
fn debug_shows_nobody() {
    let mut done = vec![
        both::<otp::Send>(),
        both::<otp::Verify>(),
        both::<otp::Cancel>(),
        both::<otp::Search>(),
        both::<otp::Get>(),
        both::<otp::Usage>(),
        both::<otp::UsageDaily>(),
        both::<otp::limits::Create>(),
        both::<otp::limits::Update>(),
        both::<otp::limits::Delete>(),
        both::<otp::limits::List>(),
        both::<otp::limits::Get>(),
        both::<otp::workflows::Create>(),
        both::<otp::workflows::Update>(),
        both::<otp::workflows::Delete>(),
        both::<otp::workflows::List>(),
        both::<otp::workflows::Get>(),
        both::<sms::Send>(),
        both::<sms::SendBulk>(),
        both::<sms::UsageByCountry>(),
        both::<sms::Convert>(),
        both::<lookup::Numbers>(),
        both::<lookup::NumbersByQuery>(),
        both::<messages::Send>(),
        both::<messages::SendFailover>(),
        both::<messages::SendBulk>(),
        both::<webhooks::messenger_b::Set>(),
        both::<webhooks::messenger_c::Set>(),
        both::<webhooks::messenger_c::Delete>(),
        both::<webhooks::messenger_c::Info>(),
    ];
    let mut all: Vec<_> = OperationId::ALL.iter().map(|operation| operation.meta().id).collect();
    done.sort_unstable();
    all.sort_unstable();
    assert_eq!(done, all);
}
