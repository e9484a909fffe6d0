//! Rows 170 to 173: bulk messages over chat channels.

use cpaas::channel::Sms;
use cpaas::messages::SendBulkMessage;
use serde_json::{Value, json};

use crate::harness::Reply;
use crate::message_harness::{MessageHarness, PLAIN};

const PATH: &str = "/api/v1.1/Messages/sendbulk";
const OTHER: &str = "306900000002";

fn body(harness: &MessageHarness, to: &[&str], members: &Value) -> Value {
    let mut body = json!({"trafficAccountId": harness.traffic_account(), "destinations": to});
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    body
}

fn send(harness: &MessageHarness, path: &str) -> Reply {
    harness.post(path, &body(harness, &[PLAIN], &json!({"sms": {"text": "Hi", "sender": "Acme"}})))
}

#[test]
fn acc_170_every_destination_has_its_message() {
    let harness = MessageHarness::new();
    let to = [PLAIN, OTHER, PLAIN];
    let reported =
        harness.post(PATH, &body(&harness, &to, &json!({"sms": {"text": "Hi", "sender": "Acme"}}))).ok();
    assert!(reported["bulkId"].as_str().is_some_and(|id| !id.is_empty()));
    let messages = reported["messages"].as_array().unwrap();
    assert_eq!(
        messages.iter().map(|message| message["destination"].as_str().unwrap()).collect::<Vec<_>>(),
        to
    );
    let mut seen = std::collections::HashSet::new();
    for one in messages {
        assert_eq!(one["trafficAccountId"], harness.traffic_account());
        let id = one["messageId"].as_str().unwrap();
        assert!(seen.insert(id.to_owned()), "ids are different");
        let shown = harness.message(id);
        assert_eq!((&shown["to"], &shown["bulk_id"]), (&one["destination"], &reported["bulkId"]));
    }
    let sent = harness.client().call(SendBulkMessage::new(to, Sms::new("Hi").sender("Acme"))).unwrap().value;
    assert!(sent.bulk_id.as_deref().is_some_and(|id| !id.is_empty() && reported["bulkId"] != id));
    let found: Vec<_> = sent.messages.iter().map(|message| message.destination.as_deref().unwrap()).collect();
    assert_eq!(found, to);
    assert_eq!(harness.inbox().len(), 6);
}

#[test]
fn acc_171_empty_channel_objects_count_as_absent() {
    let harness = MessageHarness::new();
    let members = json!({
        "sms": {}, "messenger_a": {"type": "regular", "regular": {"text": "Hi", "type": "text"}},
        "messenger_b": {}, "business_chat": {}, "failover": {},
    });
    let reply = harness.post(PATH, &body(&harness, &[PLAIN], &members)).is(200);
    let id = reply.json()["messages"][0]["messageId"].as_str().unwrap().to_owned();
    assert_eq!(harness.message(&id)["channel"], "messenger_a");
    let camel = json!({"messengerA": members["messenger_a"]});
    let reported = harness.post(PATH, &body(&harness, &[PLAIN], &camel)).ok();
    let shown = harness.message(reported["messages"][0]["messageId"].as_str().unwrap());
    assert_eq!((&shown["channel"], &shown["text"]), (&json!("messenger_a"), &json!("Hi")));
    assert_eq!(
        harness.post(PATH, &body(&harness, &[PLAIN], &json!({"sms": {}}))).status,
        400,
        "all channel objects are empty"
    );
}

#[test]
fn acc_172_bulk_requires_version_1_1_or_later() {
    let harness = MessageHarness::new();
    for version in ["1.0", "0.9"] {
        let reply = send(&harness, &format!("/api/v{version}/Messages/sendbulk")).is(404);
        assert!(reply.assumes("D51"));
    }
    assert!(harness.inbox().is_empty());
    assert!(send(&harness, "/api/v2.0/Messages/sendbulk").is(200).assumes("D51"));
    assert!(!send(&harness, PATH).is(200).assumes("D51"));
}

#[test]
fn acc_173_each_destination_has_its_own_failover() {
    let harness = MessageHarness::new();
    let late = "9994080001";
    let mut complete = crate::failover::body(&harness, late, 45);
    complete.as_object_mut().unwrap().remove("destination");
    complete["destinations"] = json!([PLAIN, late]);
    let reported = harness.post(PATH, &complete).ok();
    assert_eq!(reported["messages"].as_array().unwrap().len(), 2);
    let channels = |to: &str| -> Vec<String> {
        let shown = harness.messages(&format!("to={to}"));
        shown.iter().map(|message| message["channel"].as_str().unwrap().to_owned()).collect()
    };
    harness.advance(44);
    assert_eq!((channels(PLAIN), channels(late)), (vec!["messenger_b".into()], vec!["messenger_b".into()]));
    harness.advance(1);
    assert_eq!(channels(PLAIN), ["messenger_b"], "it was delivered");
    assert_eq!(channels(late), ["messenger_b", "sms"]);
    assert_eq!(
        harness.message(reported["messages"][0]["messageId"].as_str().unwrap())["status"],
        "Delivered"
    );
}
