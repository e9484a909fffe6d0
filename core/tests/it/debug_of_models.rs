//! `Debug` of requests and responses shows no phone number, text, code, name or URL.

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
        check_operation::<otp::SendPasscode>(),
        check_operation::<otp::VerifyPasscode>(),
        check_operation::<otp::CancelPasscode>(),
        check_operation::<otp::SearchPasscodes>(),
        check_operation::<otp::GetPasscode>(),
        check_operation::<otp::GetUsage>(),
        check_operation::<otp::GetDailyUsage>(),
        check_operation::<otp::limits::CreateLimit>(),
        check_operation::<otp::limits::UpdateLimit>(),
        check_operation::<otp::limits::DeleteLimit>(),
        check_operation::<otp::limits::ListLimits>(),
        check_operation::<otp::limits::GetLimit>(),
        check_operation::<otp::workflows::CreateWorkflow>(),
        check_operation::<otp::workflows::UpdateWorkflow>(),
        check_operation::<otp::workflows::DeleteWorkflow>(),
        check_operation::<otp::workflows::ListWorkflows>(),
        check_operation::<otp::workflows::GetWorkflow>(),
        check_operation::<sms::SendSms>(),
        check_operation::<sms::SendBulkSms>(),
        check_operation::<sms::GetUsageByCountry>(),
        check_operation::<sms::ConvertSms>(),
        check_operation::<lookup::LookUpNumbers>(),
        check_operation::<lookup::LookUpNumbersByQuery>(),
        check_operation::<messages::SendMessage>(),
        check_operation::<messages::SendFailoverMessage>(),
        check_operation::<messages::SendBulkMessage>(),
        check_operation::<webhooks::messenger_b::SetMessengerBWebhook>(),
        check_operation::<webhooks::messenger_c::SetMessengerCWebhook>(),
        check_operation::<webhooks::messenger_c::DeleteMessengerCWebhook>(),
        check_operation::<webhooks::messenger_c::GetMessengerCWebhookInfo>(),
    ];
    let mut all: Vec<_> = OperationId::ALL.iter().map(|operation| operation.meta().id).collect();
    done.sort_unstable();
    all.sort_unstable();
    assert_eq!(done, all);
}
