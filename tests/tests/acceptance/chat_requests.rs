//! Rows 132 to 138: the members of a message, and the response to it.

use cpaas::OperationId;
use cpaas::channel::{MessengerA, Sms};
use cpaas::messages::SendMessage;
use serde_json::{Value, json};

use crate::message_harness::{MessageHarness, PLAIN};

pub(crate) fn sms() -> Value {
    json!({"sms": {"text": "Your table is ready", "sender": "Acme"}})
}

fn is_utc(text: &Value) -> bool {
    text.as_str().is_some_and(|text| text.len() >= 20 && text.as_bytes()[10] == b'T' && text.ends_with('Z'))
}

#[test]
fn acc_132_an_sms_is_accepted_on_both_paths() {
    let harness = MessageHarness::new();
    for path in ["/message/send", "/messages/send"] {
        let reply = harness.post(path, &harness.body(PLAIN, &sms())).is(200);
        assert!(
            reply.assumes("D40"),
            "the specification has two paths and does not say which one is correct"
        );
        let sent = reply.json();
        assert!(sent["messageId"].as_str().is_some_and(|id| !id.is_empty()));
        assert!(sent["sender"]["id"].is_string() && sent["sender"]["name"].is_string());
        assert!(sent["conversation"]["id"].is_string());
        let people = sent["conversation"]["participants"].as_array().unwrap();
        assert_eq!((people.len(), &people[0]), (2, &sent["sender"]));
        assert_eq!(people[1], json!({"phoneNumber": PLAIN}), "the recipient has a number only");
        assert!(is_utc(&sent["createdAt"]) && sent["updatedAt"] == sent["createdAt"]);
        assert_eq!(sent["trafficAccountId"], harness.traffic_account());
        assert_eq!(sent["deliveryStatus"], "Ready");
        assert_eq!(harness.message(sent["messageId"].as_str().unwrap())["text"], "Your table is ready");
    }
    let content = Sms::new("Your table is ready").sender("Acme");
    let sent = harness.client().call(SendMessage::new(PLAIN, content)).unwrap().value;
    assert_eq!(sent.delivery_status.as_deref(), Some("Ready"));
    assert_eq!(harness.message(sent.message_id.as_deref().unwrap())["status"], "Ready");
}

#[test]
fn acc_133_the_response_has_the_members_of_its_channel() {
    let harness = MessageHarness::new();
    let sent = harness.send(PLAIN, &json!({"messenger_b": {"type": "promotional", "text": "Hi"}})).ok();
    assert!(sent["id"].is_string() && sent["sender"]["phoneNumber"].is_string());
    assert_eq!(sent["conversation"]["participants"][1], json!({"phoneNumber": PLAIN}));
    let sent = harness.send("4711", &json!({"messenger_c": {"text": {"message": "Hi"}}})).ok();
    assert!(sent["sender"]["messagingAppIdentifier"].is_string());
    assert!(sent["sender"].get("phoneNumber").is_none() && sent.get("id").is_none());
    assert_eq!(sent["conversation"]["participants"][1], json!({"messagingAppIdentifier": "4711"}));
}

#[test]
fn acc_134_the_traffic_account_must_belong_to_the_caller() {
    let harness = MessageHarness::new();
    let unknown = "0f8fad5b-d9cb-469f-a165-70867728950e";
    let single = json!({"destination": PLAIN, "sms": {"text": "Hi", "sender": "Acme"}});
    let bulk = json!({"destinations": [PLAIN], "sms": {"text": "Hi", "sender": "Acme"}});
    for (path, body) in [("/messages/send", single), ("/api/v1.1/Messages/sendbulk", bulk)] {
        let ask = |id: Value| {
            let mut body = body.clone();
            body["trafficAccountId"] = id;
            harness.post(path, &body)
        };
        harness.post(path, &body).rejects("/trafficAccountId");
        ask(json!("not-a-uuid")).rejects("/trafficAccountId");
        let reply = ask(json!(unknown)).is(404);
        assert!(reply.assumes("D45"));
        assert_eq!(reply.json()["field"], "/trafficAccountId");
        ask(json!(harness.traffic_account())).ok();
    }
    let mut failover = crate::failover::body(&harness, PLAIN, 60);
    failover.as_object_mut().unwrap().remove("trafficAccountId");
    harness.post("/messages/send", &failover).ok();
}

#[test]
fn acc_135_a_destination_is_a_number_or_an_identifier() {
    let harness = MessageHarness::new();
    let without =
        json!({"trafficAccountId": harness.traffic_account(), "sms": {"text": "Hi", "sender": "A"}});
    harness.post("/messages/send", &without).rejects("/destination");
    harness.send("", &sms()).rejects("/destination");
    harness.sent("user-4711", &json!({"messenger_c": {"text": {"message": "Hi"}}}));
    harness.sent("user-4711", &json!({"messenger_b": {"type": "promotional", "text": "Hi"}}));
    assert_eq!(harness.inbox().len(), 2, "rejected messages are not sent");
}

#[test]
fn acc_136_an_sms_needs_a_text_and_a_valid_sender() {
    let harness = MessageHarness::new();
    let send =
        |text: &str, sender: &str| harness.send(PLAIN, &json!({"sms": {"text": text, "sender": sender}}));
    send("Hi", "1234567890123456").ok();
    send("Hi", "12345678901234567").rejects("/sms/sender");
    send("Hi", "Acme1234567").ok();
    send("Hi", "Acme12345678").rejects("/sms/sender");
    send("", "Acme").rejects("/sms/text");
    assert_eq!(harness.inbox().len(), 2);
}

#[test]
fn acc_137_a_message_without_failover_must_have_one_channel_object() {
    let harness = MessageHarness::new();
    harness.send(PLAIN, &json!({})).is(400);
    let mut two = sms();
    two["messenger_b"] = json!({"type": "promotional", "text": "Hi"});
    harness.send(PLAIN, &two).is(400);
    let reply = harness.post(
        "/api/v1.1/Messages/sendbulk",
        &json!({
            "trafficAccountId": harness.traffic_account(), "destinations": [PLAIN],
            "sms": two["sms"], "messenger_b": two["messenger_b"],
        }),
    );
    assert!(reply.is(400).assumes("D42"));
    assert!(harness.inbox().is_empty());
}

#[test]
fn acc_138_messenger_a_keeps_undocumented_members() {
    let harness = MessageHarness::new();
    let content = json!({"type": "regular", "regular": {"text": "Hi", "type": "text"}});
    let id = harness.sent(PLAIN, &json!({"messenger_a": content}));
    let shown = harness.message(&id);
    assert_eq!((&shown["channel"], &shown["text"]), (&json!("messenger_a"), &json!("Hi")));
    let mut more = content.clone();
    more["regular"]["preview"] = json!(true);
    more["priority"] = json!({"level": 3});
    let id = harness.sent(PLAIN, &json!({"messenger_a": more}));
    assert_eq!(harness.message(&id)["content"], more);
    assert_eq!(harness.client_sends(PLAIN, &json!({"messenger_a": more}))["content"], more);
    let typed: MessengerA = serde_json::from_value(content).unwrap();
    harness.client().call(SendMessage::new(PLAIN, typed)).unwrap();
    let nothing = json!({"messenger_a": {"type": "regular"}});
    harness.client_refuses(PLAIN, &nothing, "messenger_a.regular.required");
    let body = harness.body(PLAIN, &nothing).to_string();
    assert_eq!(OperationId::MessagesSend.validate_json(&body).errors[0].pointer, "/messenger_a/regular");
}
