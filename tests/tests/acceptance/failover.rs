//! Rows 165 to 169: failover from one channel to the next.

use cpaas::OperationId;
use cpaas::error::Outcome;
use serde_json::{Value, json};

use crate::constant_receiver::Target;
use crate::harness::Reply;
use crate::message_harness::{MessageHarness, PLAIN};

/// A number to which no message is delivered in time.
const LATE_NUMBER: &str = "9994080001";
/// A number to which every message fails.
const FAILING_NUMBER: &str = "9995000001";

/// `messenger_b` first, then SMS.
pub(crate) fn body(harness: &MessageHarness, to: &str, seconds: u64) -> Value {
    let account = harness.traffic_account();
    harness.body(
        to,
        &json!({
            "messenger_b": {"type": "promotional", "text": "over b"},
            "sms": {"text": "over sms", "sender": "Acme"},
            "failover": {"type": "Timeout", "timeoutFailover": {
                "timeoutInSeconds": seconds, "status": "Delivered", "trafficAccounts": [account, account],
            }},
        }),
    )
}

fn ids(response: &Value) -> Vec<String> {
    let list = response.as_array().expect("an array of ids");
    list.iter().map(|id| id.as_str().expect("a string").to_owned()).collect()
}

/// Sends a failover and returns its ids.
fn start(harness: &MessageHarness, to: &str, seconds: u64) -> Vec<String> {
    ids(&harness.post("/messages/send", &body(harness, to, seconds)).ok())
}

/// The messages that were sent to a number, in order, as pairs of channel and status.
fn sent(harness: &MessageHarness, to: &str) -> Vec<(String, String)> {
    let shown = harness.messages(&format!("to={to}"));
    let pair = |message: &Value| {
        (message["channel"].as_str().unwrap().into(), message["status"].as_str().unwrap().into())
    };
    shown.iter().map(pair).collect()
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn acc_165_a_delivery_in_time_ends_the_failover() {
    let harness = MessageHarness::new();
    let reply = harness.post("/messages/send", &body(&harness, PLAIN, 60)).is(200);
    assert!(reply.assumes("D40"));
    let found = ids(&reply.json());
    assert_eq!(found.len(), 2, "an id for each channel, at once");
    assert_ne!(found[0], found[1]);
    assert_eq!(ids(&harness.post("/message/send", &body(&harness, "306900000002", 60)).ok()).len(), 2);
    let request = body(&harness, "306900000003", 60).to_string();
    let observed = harness.client().call_json(OperationId::MessagesSendFailover, &request).unwrap();
    assert_eq!(ids(&serde_json::from_str(&observed.value).unwrap()).len(), 2);
    harness.days(1);
    for to in [PLAIN, "306900000002", "306900000003"] {
        assert_eq!(sent(&harness, to), pairs(&[("messenger_b", "Delivered")]));
    }
    assert_eq!(harness.message(&found[0])["channel"], "messenger_b", "the first id is the first channel's");
    assert!(harness.events("failover.moved").is_empty());
}

#[test]
fn acc_166_the_next_channel_is_used_exactly_after_the_timeout() {
    let harness = MessageHarness::new();
    let found = start(&harness, LATE_NUMBER, 90);
    let request = body(&harness, "9994080002", 90).to_string();
    harness.client().call_json(OperationId::MessagesSendFailover, &request).unwrap();
    harness.advance(89);
    assert_eq!(sent(&harness, LATE_NUMBER), pairs(&[("messenger_b", "Sent")]));
    harness.advance(1);
    for to in [LATE_NUMBER, "9994080002"] {
        let channels: Vec<String> = sent(&harness, to).into_iter().map(|(channel, _)| channel).collect();
        assert_eq!(channels, ["messenger_b", "sms"], "exactly after 90 seconds");
    }
    let moved = harness.events("failover.moved");
    assert_eq!((moved.len(), &moved[0]["subject"]), (2, &json!(found[1])));
    assert_eq!(moved[0]["assumed"], json!(["D44"]));
    assert_eq!(harness.message(&found[1])["text"], "over sms");
    let reordered = json!({
        "destination": "9994080003", "sms": {"text": "first", "sender": "Acme"},
    });
    let mut text = body(&harness, "9994080003", 90);
    text.as_object_mut().unwrap().remove("sms");
    // Members in another order: SMS comes before messenger_b.
    let text = text.to_string();
    let text = format!("{{\"sms\":{},{}", reordered["sms"], text.trim_start_matches('{'));
    let reply = harness.text("POST", "/messages/send", &text).ok();
    assert_eq!(harness.message(reply[0].as_str().unwrap())["channel"], "sms", "the order of the members");
}

#[test]
fn acc_167_an_incomplete_or_malformed_failover_is_rejected() {
    let harness = MessageHarness::new();
    let with = |pointer: &str, value: Value| {
        let mut body = body(&harness, PLAIN, 60);
        *body.pointer_mut(pointer).unwrap() = value;
        body
    };
    let timeout = "/failover/timeoutFailover";
    let seconds = format!("{timeout}/timeoutInSeconds");
    let accounts = format!("{timeout}/trafficAccounts");
    let kind = with("/failover/type", json!("Sequence"));
    harness.post("/messages/send", &kind).rejects("/failover/type");
    let report = OperationId::MessagesSendFailover.validate_json(&kind.to_string());
    assert!(
        report.errors.is_empty()
            && report.warnings.iter().any(|problem| problem.code == "failover.type.unknown")
    );
    for (bad, field) in [
        (with(&seconds, json!(0)), seconds.clone()),
        (with(&seconds, json!(-5)), seconds.clone()),
        (with(&accounts, json!(["not-a-uuid"])), accounts.clone()),
    ] {
        let observed = harness.post("/messages/send", &bad).rejects(&field);
        let error =
            harness.client().call_json(OperationId::MessagesSendFailover, &bad.to_string()).unwrap_err();
        assert_eq!(error.outcome, Outcome::Invalid, "{observed}");
        assert!(error.problems.iter().any(|problem| problem.pointer == field), "{:?}", error.problems);
    }
    assert!(harness.inbox().is_empty());
}

#[test]
fn acc_168_a_late_delivery_is_still_reported() {
    let harness = MessageHarness::new();
    let target = Target::new();
    harness.settings(&json!({"chat_callback": target.url}));
    let found = start(&harness, LATE_NUMBER, 30);
    harness.advance(31);
    assert_eq!(sent(&harness, LATE_NUMBER).len(), 2);
    harness.control("POST", &format!("/messages/{}/status", found[0]), &json!({"status": "Delivered"}));
    let late = harness.events("late_delivery");
    assert_eq!((late.len(), &late[0]["subject"]), (1, &json!(found[0])));
    harness.control("POST", &format!("/messages/{}/status", found[1]), &json!({"status": "Delivered"}));
    for id in &found {
        let bodies = target.bodies();
        let observed = bodies.iter().filter(|body| body["messageId"] == *id && body["status"] == "Delivered");
        assert_eq!(observed.count(), 1, "both are reported");
    }
    assert_eq!(harness.events("late_delivery").len(), 1, "the second message was delivered in time");
}

#[test]
fn acc_169_after_all_channels_have_failed_nothing_more_is_sent() {
    let harness = MessageHarness::new();
    let found = start(&harness, FAILING_NUMBER, 30);
    harness.advance(29);
    assert_eq!(sent(&harness, FAILING_NUMBER), pairs(&[("messenger_b", "Failed")]));
    harness.days(30);
    assert_eq!(sent(&harness, FAILING_NUMBER), pairs(&[("messenger_b", "Failed"), ("sms", "Failed")]));
    assert_eq!(harness.message(&found[1])["status"], "Failed");
    let clock = harness.control("GET", "/clock", &Value::Null);
    assert_eq!(clock["timers"], 0, "no timer is left");
}

/// Sends a failover over the channels in this order.
fn over(harness: &MessageHarness, to: &str, channels: &[(&str, Value)]) -> Reply {
    let accounts = vec![harness.traffic_account(); channels.len()];
    let failover = json!({"type": "Timeout", "timeoutFailover":
        {"timeoutInSeconds": 60, "status": "Delivered", "trafficAccounts": accounts}});
    let channels: String = channels.iter().map(|(name, content)| format!("{name:?}:{content},")).collect();
    harness.text(
        "POST",
        "/messages/send",
        &format!(r#"{{"destination":"{to}",{channels}"failover":{failover}}}"#),
    )
}

/// If the device cannot show a message of a later channel, the message fails and the next channel follows on time. If the device cannot
/// show the first message, the request is rejected. Messages of messenger_c never report a delivery, so the second channel is always
/// used.
#[test]
fn acc_160_169_a_message_to_a_device_without_support_fails_over() {
    let harness = MessageHarness::new();
    let over_c = || ("messenger_c", json!({"text": {"message": "over c"}}));
    let chat = || ("business_chat", json!({"text": {"message": "over chat"}}));
    let sms = || ("sms", json!({"text": "over sms", "sender": "Acme"}));

    let found = ids(&over(&harness, "9994100007", &[over_c(), chat(), sms()]).ok());
    harness.advance(61);
    let tried = [("messenger_c", "Sent"), ("business_chat", "Failed"), ("sms", "Delivered")];
    assert_eq!(sent(&harness, "9994100007"), pairs(&tried[..2]));
    harness.advance(58);
    assert_eq!(sent(&harness, "9994100007").len(), 2, "not before the timeout");
    harness.advance(2);
    assert_eq!(sent(&harness, "9994100007"), pairs(&tried));
    assert_eq!(harness.events("failover.moved").len(), 2);
    assert_eq!(harness.message(&found[1])["status"], "Failed");

    let plain = ("business_chat", json!({"text": {"message": "over chat"}, "fallback": "plain"}));
    let found = ids(&over(&harness, "9994100008", &[over_c(), plain]).ok());
    harness.advance(61);
    let message = harness.message(&found[1]);
    assert_eq!((message["text"].as_str(), message["status"].as_str()), (Some("plain"), Some("Delivered")));

    let refused = over(&harness, "9994100009", &[chat(), sms()]).is(400).json();
    assert!(refused["message"].as_str().unwrap().starts_with("failed precondition"), "{refused}");
    assert!(harness.messages("to=9994100009").is_empty());
}
