//! Sends a message of the family `messaging`, for tests whose subject is another feature.

use serde_json::{Value, json};

use crate::harness::Harness;
use crate::passcodes::TO;

pub fn text_message() -> Value {
    json!({"type": "regular", "regular": {"text": "Hi", "type": "text"}})
}

#[track_caller]
pub fn send(harness: &Harness, changes: Value) -> String {
    let mut body = json!({"trafficAccountId": harness.traffic_account(), "destination": TO});
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    let response = harness.post("/messages/send", body).ok();
    response["messageId"].as_str().unwrap().to_owned()
}
