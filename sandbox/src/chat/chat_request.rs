//! A request of the family `messaging`, with its channel objects in the order of the JSON text.

use cpaas::channel::Channel;
use serde_json::{Map, Value};

use crate::assumptions::AssumptionId;
use crate::call::Call;
use crate::ordered_json::{Item, Object};
use crate::provider_error::{ProviderError, ProviderResult};

/// A request of the family `messaging`.
#[derive(Debug)]
pub(super) struct ChatRequest {
    /// The channel objects in the order of their members.
    pub(super) channels: Vec<(&'static str, Value)>,
    pub(super) destinations: Vec<String>,
    pub(super) account_id: Option<String>,
    pub(super) failover: Option<Value>,
}

/// An error that names a field (D41).
pub(super) fn reject(message: impl Into<String>, field: &str) -> ProviderError {
    ProviderError::plain(400, message).at(field).assuming(AssumptionId(41))
}

/// Reads a validated request; in bulk an empty channel object or failover counts as absent (D42).
pub(super) fn read(call: &mut Call<'_>, bulk: bool) -> ProviderResult<ChatRequest> {
    let object = Object::parse(call.request_json.as_bytes()).map_err(|message| reject(message, ""))?;
    let mut request = ChatRequest {
        channels: Vec::new(),
        destinations: destinations(&object, bulk),
        account_id: object.text("trafficAccountId").map(str::to_owned),
        failover: None,
    };
    for (name, item) in object.iter() {
        let value = item.to_value();
        if value.is_null() || bulk && empty(&value) {
            continue;
        }
        if let Some(channel) = Channel::NAMES.iter().find(|channel| **channel == name) {
            request.channels.push((channel, value));
        } else if name == "failover" {
            request.failover = Some(value);
        }
    }
    let regular = |(channel, content): &(&str, Value)| {
        *channel == "messenger_b" && content.get("type").and_then(Value::as_str) == Some("regular")
    };
    let has_regular = request.channels.iter().any(regular);
    drop(object);
    if has_regular {
        call.note(AssumptionId(46));
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

fn empty(value: &Value) -> bool {
    value.as_object().is_some_and(Map::is_empty)
}
