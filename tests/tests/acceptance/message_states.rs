//! Rows 174 and 175: the states of a message.

use serde_json::{Value, json};

use crate::chat_requests::sms;
use crate::constant_receiver::Target;
use crate::message_harness::{MessageHarness, PLAIN};

/// A number whose messages stay `Created`.
const STUCK: &str = "9994250001";

fn statistics(harness: &MessageHarness) -> Value {
    harness.control("GET", "/statistics", &Value::Null)
}

#[test]
fn acc_174_a_message_that_stays_created_is_deleted_after_sixty_days() {
    let harness = MessageHarness::new();
    let stuck = harness.sent(STUCK, &sms());
    let client = harness.client_sends(STUCK, &sms());
    let other = harness.sent(PLAIN, &sms());
    harness.advance(60 * 86_400 - 1);
    assert_eq!(harness.message(&stuck)["status"], "Created");
    assert_eq!(statistics(&harness), json!({"messages": 1, "Delivered": 1}));
    harness.advance(1);
    for id in [stuck.as_str(), client["id"].as_str().unwrap()] {
        assert!(harness.messages(&format!("id={id}")).is_empty(), "deleted");
        let events = harness.events("chat.deleted");
        assert_eq!(events.iter().filter(|event| event["subject"] == id).count(), 1);
    }
    assert_eq!(harness.message(&other)["status"], "Delivered");
    assert_eq!(statistics(&harness), json!({"messages": 1, "Delivered": 1}));
}

#[test]
fn acc_175_every_state_is_reported_with_its_time() {
    let harness = MessageHarness::new();
    let target = Target::new();
    harness.settings(&json!({"chat_callback": target.url}));
    for (to, members) in [
        (PLAIN, sms()),
        (PLAIN, json!({"messenger_a": {"type": "regular", "regular": {"text": "Hi", "type": "text"}}})),
        (PLAIN, json!({"messenger_b": {"type": "promotional", "text": "Hi"}})),
        (PLAIN, json!({"business_chat": {"text": {"message": "Hi"}}})),
    ] {
        target.forget();
        let id = harness.sent(to, &members);
        assert_eq!(harness.message(&id)["status"], "Ready");
        let mut dates = vec![harness.message(&id)["updated"].as_str().unwrap().to_owned()];
        let mut states = Vec::new();
        while harness.message(&id)["status"] != "Delivered" {
            harness.moment();
            dates.push(harness.message(&id)["updated"].as_str().unwrap().to_owned());
            states.push(harness.message(&id)["status"].clone());
        }
        assert_eq!(states, ["Sent", "Delivered"]);
        assert!(dates.is_sorted_by(|a, b| a < b), "{dates:?}");
        let observed = target.received();
        assert_eq!(
            observed.iter().map(|request| request.json()["status"].clone()).collect::<Vec<_>>(),
            states
        );
        for one in observed {
            assert_eq!((one.method.as_str(), one.header("content-type")), ("POST", Some("application/json")));
            assert_eq!((&one.json()["messageId"], &one.json()["errorcode"]), (&json!(id), &json!(0)));
        }
    }
    target.forget();
    let id = harness.sent("4711", &json!({"messenger_c": {"text": {"message": "Hi"}}}));
    harness.days(1);
    assert_eq!(harness.message(&id)["status"], "Sent");
    assert!(target.received().is_empty(), "messenger_c sends no reports");
}
