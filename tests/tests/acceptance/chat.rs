//! A message of family D for tests that are about something else.

use serde_json::{Value, json};

use crate::lab::Lab;
use crate::otp::TO;

#[allow(non_snake_case)]
pub fn TEXT_A() -> Value {
    json!({"type": "regular", "regular": {"text": "Hi", "type": "text"}})
}

#[track_caller]
pub fn send(lab: &Lab, changes: Value) -> String {
    let mut body = json!({"trafficAccountId": lab.traffic_account(), "destination": TO});
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    let answer = lab.post("/messages/send", body).ok();
    answer["messageId"].as_str().unwrap().to_owned()
}
