//! Malformed responses, served to the clients of every language. Each member in [`TABLE`] of the successful response of an operation is malformed in
//! twelve ways. The expected outcomes are written by hand from the rule:
//! - a deciding member that is missing or unreadable makes the outcome unknown;
//! - a missing id of an accepted request makes the outcome `accepted_id_unknown`;
//! - any other member that is unreadable is absent from the result, with a warning.
#![expect(clippy::unwrap_used, reason = "the examples have the members of the table")]

use serde_json::{Value, json};

use crate::examples::example;
use crate::outcome_cells::Report;

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
pub enum Part {
    /// The outcome is unknown.
    Decides,
    /// Accepted, id unknown: an id, or the record that contains it. Any string that is not empty is an id.
    Id,
    /// The id that must equal that of the request, or the message of a verification. The outcome is unknown, also if it is another string.
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
pub const TABLE: &[(&str, &[(&str, Part)])] = &[
    ("otp.send", &[("/code", Decides), ("/message", Other), ("/requestID", Id)]),
    ("otp.verify", &[("/code", Decides), ("/message", Names), ("/requestID", Names)]),
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

fn malform(mut response: Value, pointer: &str, value: &Option<Value>) -> Value {
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

/// A response with a malformed member, and the expected outcome.
#[derive(Debug, Clone)]
pub struct MalformedCell {
    /// The operation.
    pub id: &'static str,
    /// The response.
    pub response: Value,
    /// Where the malformed member is.
    pointer: &'static str,
    /// Its value; `None` if it is absent.
    value: Option<Value>,
    is_readable: bool,
    /// A letter as in the table of [`crate::outcome_cells`].
    outcome: char,
}

/// All cells, operation by operation.
#[must_use]
pub fn malformed_cells() -> Vec<MalformedCell> {
    let member = |id: &'static str, pointer: &'static str, part: Part| {
        malformations().into_iter().map(move |value| MalformedCell::new(id, pointer, part, value))
    };
    let operation = |(id, parts): &(&'static str, &'static [(&'static str, Part)])| {
        let id = *id;
        parts.iter().flat_map(move |(pointer, part)| member(id, pointer, *part))
    };
    TABLE.iter().flat_map(operation).collect()
}

impl MalformedCell {
    fn new(id: &'static str, pointer: &'static str, part: Part, value: Option<Value>) -> Self {
        let complete: Value = serde_json::from_str(example(id).response).unwrap();
        let original = complete.pointer(pointer).unwrap();
        let is_readable = is_readable(original, &value, part);
        // An empty list of records is valid; an empty list of sent messages proves nothing.
        let sends = matches!(id, "sms.send_bulk" | "messages.send_bulk");
        let is_empty_list = value == Some(json!([])) && original.is_array();
        let outcome = match part {
            Decides if is_empty_list && sends => 'U',
            Decides if is_readable => 'A',
            Decides | Names => 'U',
            Refuses if matches!(value, None | Some(Value::Null)) => 'A',
            Refuses => 'U',
            Id if is_readable => 'A',
            Id => 'I',
            Other | Element => 'A',
        };
        let response = malform(complete.clone(), pointer, &value);
        Self { id, response, pointer, value, is_readable, outcome }
    }

    /// The name of the cell in messages.
    #[must_use]
    pub fn name(&self) -> String {
        let value = self.value.as_ref().map_or("(absent)".to_owned(), Value::to_string);
        format!("{} {} = {value}", self.id, self.pointer)
    }

    /// The differences between the expected outcome and a reported one.
    #[must_use]
    pub fn differences(&self, report: &Report) -> Vec<String> {
        let (expected, found) = (self.outcome, report.outcome());
        let difference = format!("expected {expected}, found {found}");
        if found == expected { Vec::new() } else { vec![difference] }
    }

    /// The differences between an accepted response and its result, which has warnings at the pointers `warned`.
    #[must_use]
    pub fn differences_of_result(&self, result: &Value, warned: &[String]) -> Vec<String> {
        let Self { id, pointer, value, .. } = self;
        let mut wrong = Vec::new();
        if *id == "messages.send_failover" {
            // The readable ids, in order.
            let first = value.as_ref().filter(|_| self.is_readable).map(Value::to_string);
            let ids: Vec<&str> = result.as_array().unwrap().iter().filter_map(Value::as_str).collect();
            let kept = first.map(|first| first.trim_matches('"').to_owned());
            let kept: Vec<&str> = kept.as_deref().into_iter().chain(["M2"]).collect();
            if ids != kept {
                wrong.push(format!("ids {ids:?}, expected {kept:?}"));
            }
            return wrong;
        }
        let shown = result.pointer(pointer);
        if let (Some(shown), Some(sent)) = (shown, value)
            && !shown.is_array()
            && !shown.is_object()
            && !is_same(shown, sent)
        {
            wrong.push(format!("the result shows {shown}"));
        }
        if value.is_none() && shown.is_some() {
            wrong.push("absent in the response, but present in the result".to_owned());
        }
        // A value that the result cannot contain causes a warning.
        let is_dropped = value.as_ref().is_some_and(|value| !value.is_null()) && shown.is_none();
        if is_dropped && !warned.iter().any(|warned| warned == pointer) {
            wrong.push(format!("removed without a warning, warnings at {warned:?}"));
        }
        wrong
    }
}
