//! A result contains only values of the provider. Each member in [`TABLE`] of the successful response of an operation is malformed
//! in twelve ways. The expected outcomes are written by hand from the rule:
//! - a deciding member that is missing or unreadable makes the outcome unknown;
//! - a missing id of an accepted request makes the outcome `accepted_id_unknown`;
//! - any other member that is unreadable is absent from the result, with a warning.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cpaas::OperationId;
use cpaas::client::{Client, TransportError};
use cpaas::error::Outcome;
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas_tests::examples::{config, example};
use serde_json::{Value, json};

/// The values that replace a member; `None` removes the member.
fn malformations() -> Vec<Option<Value>> {
    vec![
        None,
        Some(Value::Null),
        Some(json!(true)),
        Some(json!(false)),
        Some(json!("")),
        Some(json!("ERR_NO_CREDIT")),
        Some(json!(902.5)),
        Some(json!([902])),
        Some(json!([])),
        Some(json!({"code": 902})),
        Some(json!({})),
        Some(json!(99_999_999_999_999_999_999_u128 as f64)),
    ]
}

/// How a member affects the outcome if it is missing or unreadable.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    /// The outcome is unknown.
    Decides,
    /// Accepted, id unknown: an id, or the record that contains it. Any string that is not empty is an id.
    Id,
    /// The id that must equal that of the request. The outcome is unknown, also if the id is another string.
    Names,
    /// The outcome is unknown if the value is unreadable, because it may be a rejection. An absent member or null has no effect.
    Refuses,
    /// An id in a list. It has no effect. A fraction is not an id.
    Element,
    /// It has no effect.
    Other,
}
use Part::{Decides, Element, Id, Names, Other, Refuses};

/// Pointers into the example's response.
#[rustfmt::skip]
const TABLE: &[(&str, &[(&str, Part)])] = &[
    ("otp.send", &[("/code", Decides), ("/message", Other), ("/requestID", Id)]),
    ("otp.verify", &[("/code", Decides), ("/message", Other), ("/requestID", Names)]),
    ("otp.cancel", &[("/code", Decides), ("/message", Other)]),
    ("otp.search", &[("/twoFaOtpSdrs", Decides), ("/page", Other), ("/total", Other), ("/twoFaOtpSdrs/0/sid", Other), ("/twoFaOtpSdrs/0/status", Other)]),
    ("otp.get", &[("/sid", Names), ("/status", Other), ("/checks", Other)]),
    ("otp.usage", &[("/usageRecords", Decides), ("/usageRecords/0/count", Other), ("/usageRecords/0/unit", Other)]),
    ("otp.usage_daily", &[("/usageRecords", Decides), ("/usageRecords/0/count", Other)]),
    ("otp.limits.create", &[("/code", Decides), ("/message", Other), ("/data", Id), ("/data/name", Other), ("/data/sid", Id)]),
    ("otp.limits.update", &[("/code", Decides), ("/message", Other), ("/data", Other), ("/data/name", Other)]),
    ("otp.limits.delete", &[("/code", Decides), ("/message", Other), ("/data", Other), ("/data/description", Other)]),
    ("otp.limits.list", &[("/data", Decides), ("/data/result", Decides), ("/message", Other), ("/data/result/0/sid", Other), ("/data/page", Other)]),
    ("otp.limits.get", &[("/data", Decides), ("/data/sid", Names), ("/message", Other), ("/data/name", Other)]),
    ("otp.workflows.create", &[("/code", Decides), ("/message", Other), ("/data", Id), ("/data/name", Other)]),
    ("otp.workflows.update", &[("/code", Decides), ("/message", Other), ("/data", Other), ("/data/channels", Other)]),
    ("otp.workflows.delete", &[("/code", Decides), ("/message", Other), ("/data", Other)]),
    ("otp.workflows.list", &[("/data", Decides), ("/data/result", Decides), ("/message", Other)]),
    ("otp.workflows.get", &[("/data", Decides), ("/data/sid", Names), ("/message", Other)]),
    ("sms.send", &[("/responseCode", Decides), ("/id", Id), ("/timestamp", Other), ("/textLength", Other)]),
    ("sms.send_bulk", &[("/responseCode", Decides), ("/messages", Decides), ("/responseText", Other), ("/messages/0/id", Other), ("/messages/1/to", Other)]),
    ("sms.usage_by_country", &[("/usagesByCountry", Decides), ("/usagesByCountry/0/country", Other), ("/usagesByCountry/0/cost", Other)]),
    ("sms.convert", &[("/responseCode", Refuses), ("/responseText", Other)]),
    ("lookup.numbers", &[("/0/response", Decides), ("/0/msisdn", Other), ("/0/ported", Other), ("/0/cost", Other)]),
    ("lookup.numbers_by_query", &[("/0/response", Decides), ("/0/mcc", Other)]),
    ("messages.send", &[("/messageId", Decides), ("/deliveryStatus", Other)]),
    ("messages.send_failover", &[("/0", Element)]),
    ("messages.send_bulk", &[("/bulkId", Other), ("/messages", Decides), ("/messages/0/messageId", Decides), ("/messages/0/destination", Other)]),
    ("webhooks.messenger_b.set", &[("/status", Decides), ("/status_message", Other), ("/event_types", Other)]),
    ("webhooks.messenger_c.set", &[("/description", Other)]),
    ("webhooks.messenger_c.delete", &[("/result", Other)]),
    ("webhooks.messenger_c.info", &[("/result", Other)]),
];

/// Whether `shown` in the result is the value that was sent, or the same text as a string, number or boolean.
fn is_same(shown: &Value, sent: &Value) -> bool {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    };
    shown == sent || text(shown).is_some() && text(shown) == text(sent)
}

fn malform(response: &str, pointer: &str, value: &Option<Value>) -> Value {
    let mut response: Value = serde_json::from_str(response).unwrap();
    match value {
        Some(value) => *response.pointer_mut(pointer).unwrap() = value.clone(),
        None => {
            let (parent, name) = pointer.rsplit_once('/').unwrap();
            match response.pointer_mut(parent).unwrap() {
                Value::Object(members) => drop(members.remove(name).unwrap()),
                Value::Array(items) => drop(items.remove(name.parse().unwrap())),
                _ => unreachable!(),
            }
        }
    }
    response
}

/// Whether a value can be read as the type of the member in the example.
fn is_readable(original: &Value, value: &Option<Value>, part: Part) -> bool {
    let Some(value) = value else { return false };
    match (original, value) {
        (_, Value::Null) => false,
        // An empty string is not an id.
        (Value::String(_), Value::String(text)) => !text.is_empty() || matches!(part, Other | Element),
        // A larger number is not kept exactly.
        (Value::String(_), Value::Number(number)) => number.as_f64().unwrap() < 9e15 && part != Element,
        (Value::Array(_), Value::Array(items)) => part == Other || items.is_empty(),
        (Value::Object(_), Value::Object(_)) => part == Other,
        (Value::Bool(_), Value::Bool(_)) => true,
        (Value::Number(number), Value::Number(_)) => number.is_f64(),
        _ => false,
    }
}

async fn call(id: &str, response: &Value) -> (char, usize, Option<(Value, Vec<String>)>) {
    let sent = Arc::new(AtomicUsize::new(0));
    let (count, body) = (Arc::clone(&sent), response.to_string());
    let transport = move |_: HttpRequest| {
        count.fetch_add(1, Ordering::SeqCst);
        let body = body.clone();
        async move { Ok::<_, TransportError>(HttpResponse::new(200, Vec::new(), body)) }
    };
    let config = config("http://127.0.0.1:9").max_attempts(1);
    let client = Client::with_transport(&config, transport).unwrap();
    let result = client.call_json(OperationId::find(id).unwrap(), example(id).request).await;
    let sent = sent.load(Ordering::SeqCst);
    match result {
        Ok(response) => {
            let warned = response.warnings.iter().map(|problem| problem.pointer.clone()).collect();
            ('A', sent, Some((serde_json::from_str(&response.value).unwrap(), warned)))
        }
        Err(error) => (
            match error.outcome {
                Outcome::Unknown => 'U',
                Outcome::AcceptedIdUnknown => 'I',
                Outcome::Rejected => 'R',
                Outcome::NotSent => 'N',
                Outcome::Invalid => 'V',
            },
            sent,
            None,
        ),
    }
}

#[tokio::test]
async fn a_malformed_member_has_the_documented_effect_on_outcome_and_result() {
    assert_eq!(TABLE.len(), OperationId::ALL.len());
    let (mut cells, mut wrong) = (0, Vec::new());
    for (id, parts) in TABLE {
        let response = example(id).response;
        let complete: Value = serde_json::from_str(response).unwrap();
        for (pointer, part) in *parts {
            for value in malformations() {
                let body = malform(response, pointer, &value);
                let readable = is_readable(complete.pointer(pointer).unwrap(), &value, *part);
                // An empty list of records is valid; an empty list of sent messages proves nothing.
                let sends = matches!(*id, "sms.send_bulk" | "messages.send_bulk");
                let empty_list = value == Some(json!([])) && complete.pointer(pointer).unwrap().is_array();
                let expected = match part {
                    Decides if empty_list && sends => 'U',
                    Decides if readable => 'A',
                    Decides | Names => 'U',
                    Refuses if matches!(value, None | Some(Value::Null)) => 'A',
                    Refuses => 'U',
                    Id if readable => 'A',
                    Id => 'I',
                    Other | Element => 'A',
                };
                let (found, _, result) = call(id, &body).await;
                cells += 1;
                let cell = format!(
                    "{id} {pointer} = {}",
                    value.as_ref().map_or("(absent)".to_owned(), Value::to_string)
                );
                if found != expected {
                    wrong.push(format!("{cell}: {found}, expected {expected}"));
                    continue;
                }
                let Some((result, warned)) = result else { continue };
                if *id == "messages.send_failover" {
                    // The readable ids, in order.
                    let first = value.as_ref().filter(|_| readable).map(Value::to_string);
                    let ids: Vec<&str> =
                        result.as_array().unwrap().iter().filter_map(Value::as_str).collect();
                    let kept = first.map(|first| first.trim_matches('"').to_owned());
                    let kept: Vec<&str> = kept.as_deref().into_iter().chain(["M2"]).collect();
                    if ids != kept {
                        wrong.push(format!("{cell}: ids {ids:?}, expected {kept:?}"));
                    }
                    continue;
                }
                if let (Some(shown), Some(sent)) = (result.pointer(pointer), &value)
                    && !shown.is_array()
                    && !shown.is_object()
                    && !is_same(shown, sent)
                {
                    wrong.push(format!("{cell}: the result shows {shown}"));
                }
                if value.is_none() && *id != "messages.send_failover" && result.pointer(pointer).is_some() {
                    wrong.push(format!("{cell}: absent in the response, but present in the result"));
                }
                // A value that the result cannot contain causes a warning.
                let dropped =
                    value.as_ref().is_some_and(|value| !value.is_null()) && result.pointer(pointer).is_none();
                if dropped && !warned.iter().any(|warned| warned == pointer) {
                    wrong.push(format!("{cell}: removed without a warning, warnings at {warned:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {cells}:\n{}", wrong.len(), wrong.join("\n"));
    println!("{cells} cells");
}
