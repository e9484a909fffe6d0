//! A request of family D: its members in order under their neutral names, checked by the rules of the core.

use cpaas::OperationId;
use cpaas::channel::Channel;
use serde_json::{Map, Value};

use crate::assumptions::D;
use crate::call::Call;
use crate::object::{Item, Object};
use crate::provider_error::{Outcome, ProviderError};

/// A request of family D.
#[derive(Debug)]
pub(super) struct Request {
    /// The channel objects in the order of their members.
    pub(super) channels: Vec<(&'static str, Value)>,
    pub(super) destinations: Vec<String>,
    pub(super) account_id: Option<String>,
    pub(super) failover: Option<Value>,
}

const MEMBERS: &[&str] = &["trafficAccountId", "destination", "destinations", "failover"];

/// Names on the wire besides the neutral ones.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("messengerA", "messenger_a"),
    ("messengerB", "messenger_b"),
    ("messengerC", "messenger_c"),
    ("businessChat", "business_chat"),
];

pub(super) fn refuse(message: impl Into<String>, field: &str) -> ProviderError {
    ProviderError::plain(400, message).at(field).leaning(D(41))
}

/// Reads the body; in bulk an empty channel object or failover counts as absent (D42).
pub(super) fn read(call: &mut Call<'_>, bulk: bool) -> Outcome<Request> {
    let object = match Object::parse(call.body) {
        Ok(object) => object,
        Err(text) => return Err(refuse(text, "")),
    };
    if object.duplicate() {
        call.note(D(66));
        call.warn("a member occurs twice: the last one counts");
    }
    let mut request =
        Request { channels: Vec::new(), destinations: Vec::new(), account_id: None, failover: None };
    let mut neutral = String::from("{");
    for (given, item) in object.iter() {
        let name = OTHER_NAMES.iter().find(|(other, _)| *other == given).map_or(given, |(_, name)| name);
        let value = item.to_value();
        if value.is_null() || bulk && empty(&value) && is_optional(name) {
            continue;
        }
        if neutral.len() > 1 {
            neutral.push(',');
        }
        neutral.push_str(&format!("{}:{value}", Value::from(name)));
        if let Some(channel) = Channel::NAMES.iter().find(|channel| **channel == name) {
            request.channels.push((channel, value));
        } else if name == "failover" {
            request.failover = Some(value);
        } else if !MEMBERS.contains(&name) {
            call.warn(format!("unknown member `{name}`"));
        }
    }
    neutral.push('}');
    request.account_id = object.text("trafficAccountId").map(str::to_owned);
    request.destinations = destinations(&object, bulk);
    let operation = match (bulk, &request.failover) {
        (true, _) => OperationId::MessagesSendBulk,
        (false, Some(_)) => OperationId::MessagesSendFailover,
        (false, None) => OperationId::MessagesSend,
    };
    check(call, operation, &neutral)?;
    let regular = |(channel, content): &(&str, Value)| {
        *channel == "messenger_b" && content.get("type").and_then(Value::as_str) == Some("regular")
    };
    if request.channels.iter().any(regular) {
        call.note(D(46));
    }
    Ok(request)
}

fn destinations(object: &Object<'_>, bulk: bool) -> Vec<String> {
    if !bulk {
        return object.text("destination").map(str::to_owned).into_iter().collect();
    }
    match object.get("destinations") {
        Some(Item::Deep(Value::Array(list))) => {
            list.iter().filter_map(|one| one.as_str()).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

fn is_optional(name: &str) -> bool {
    name == "failover" || Channel::NAMES.contains(&name)
}

fn empty(value: &Value) -> bool {
    value.as_object().is_some_and(Map::is_empty)
}

/// The first error refuses; warnings stand in the request log.
fn check(call: &mut Call<'_>, operation: OperationId, neutral: &str) -> Outcome<()> {
    let report = operation.validate_json(neutral);
    for problem in &report.warnings {
        call.warn(format!("{}: {} [{}]", problem.pointer, problem.message, problem.code));
    }
    match report.errors.first() {
        Some(problem) => {
            let refusal = refuse(format!("{} [{}]", problem.message, problem.code), &problem.pointer);
            Err(match problem.code {
                code if code.starts_with("messenger_c.markup.") => refusal.leaning(D(64)),
                "msg.channel.missing" | "msg.channel.multiple" => refusal.leaning(D(42)),
                _ => refusal,
            })
        }
        None => Ok(()),
    }
}
