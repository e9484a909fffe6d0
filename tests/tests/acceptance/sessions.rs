//! Rows 140 to 142, 145 to 148, 174 and 175: what time does to messages.

use serde_json::{Value, json};

use crate::chat::{TEXT_A, send, state, status};
use crate::lab::Lab;
use crate::otp::TO;
use crate::receiver::Receiver;

fn b(changes: Value) -> Value {
    let mut content = json!({"type": "transactional", "text": "Hi"});
    for (name, value) in changes.as_object().unwrap() {
        content[name] = value.clone();
    }
    content
}

#[test]
fn acc_140_the_bounds_of_a_ttl() {
    let lab = Lab::new(&[]);
    for (ttl, expected) in [(29, 400), (30, 200), (60, 200), (1_209_600, 200), (1_209_601, 400)] {
        assert_eq!(status(&lab, json!({"messenger_b": b(json!({"ttl": ttl}))})), expected, "{ttl}");
        let warned = lab.requests().last().unwrap()["warnings"].to_string().contains("ttl");
        assert_eq!(warned, ttl == 30, "{ttl}");
    }
}

#[test]
fn acc_141_142_unreachable_until_it_expires() {
    let lab = Lab::new(&[]);
    let receiver = Receiver::new();
    lab.settings(json!({"chat_callback": receiver.url}));
    let to = "9994040001";
    let short = send(&lab, json!({"destination": to, "messenger_b": b(json!({"ttl": 60}))}));
    lab.advance("59s");
    assert_eq!(state(&lab, &short)["status"], "Sent");
    lab.advance("1s");
    assert_eq!(state(&lab, &short)["status"], "expired");
    let told = receiver.take().last().unwrap().json();
    assert_eq!(
        (told["messageId"].as_str(), told["status"].as_str()),
        (Some(short.as_str()), Some("expired"))
    );
    let long = send(&lab, json!({"destination": to, "messenger_b": b(json!({}))}));
    lab.advance("13d");
    assert_eq!(state(&lab, &long)["status"], "Sent");
    lab.advance("1d");
    assert_eq!(state(&lab, &long)["status"], "expired");
}

fn session(lab: &Lab) -> Value {
    let id = send(lab, json!({"messenger_b": b(json!({"type": "session"}))}));
    lab.advance("1s");
    state(lab, &id)
}

fn reply(lab: &Lab) {
    lab.control("POST", "/inbound", json!({"channel": "messenger_b", "from": TO, "text": "yes"}));
}

#[test]
fn acc_145_a_session_needs_a_subscriber() {
    let lab = Lab::new(&[]);
    let id = send(&lab, json!({"destination": "9994030001", "messenger_b": b(json!({"type": "session"}))}));
    lab.advance("1s");
    assert_eq!(state(&lab, &id)["status"], "Failed");
}

#[test]
fn acc_146_the_61st_message_opens_a_new_session() {
    let lab = Lab::new(&[]);
    for count in 1..=60 {
        assert_eq!(session(&lab)["session"], 1, "{count}");
        reply(&lab);
    }
    assert_eq!(session(&lab)["session"], 2);
}

#[test]
fn acc_147_five_in_a_row_end_it() {
    let lab = Lab::new(&[]);
    for _ in 0..5 {
        assert_eq!(session(&lab)["status"], "Delivered");
    }
    assert_eq!(session(&lab)["status"], "Failed");
    assert_eq!(lab.events("session.ended").len(), 1);
    reply(&lab);
    assert_eq!(session(&lab)["status"], "Delivered");
}

#[test]
fn acc_147_148_a_day_ends_it_too() {
    let lab = Lab::new(&[]);
    for _ in 0..6 {
        session(&lab);
    }
    assert_eq!(session(&lab)["status"], "Failed");
    lab.advance("1d");
    let next = session(&lab);
    assert_eq!((next["status"].as_str(), next["session"].as_u64()), (Some("Delivered"), Some(2)));
}

#[test]
fn acc_148_a_session_lasts_24_hours() {
    let lab = Lab::new(&[]);
    session(&lab);
    lab.advance("23h");
    assert_eq!(session(&lab)["session"], 1);
    lab.advance("1h");
    assert_eq!(session(&lab)["session"], 2);
}

#[test]
fn acc_174_stuck_messages_are_deleted_after_60_days() {
    let lab = Lab::new(&[]);
    let id = send(&lab, json!({"destination": "9994250001", "messenger_a": TEXT_A()}));
    lab.advance("59d");
    assert_eq!(state(&lab, &id)["status"], "Created");
    lab.advance("1d");
    assert_eq!(state(&lab, &id), Value::Null);
    assert_eq!(lab.events("chat.deleted")[0]["subject"], id);
    let statistics = lab.control("GET", "/statistics", Value::Null);
    assert_eq!(statistics["messages"], 0, "a message that never left Created does not count");
    send(&lab, json!({"messenger_a": TEXT_A()}));
    lab.advance("1s");
    assert_eq!(lab.control("GET", "/statistics", Value::Null)["Delivered"], 1);
}

#[test]
fn acc_175_every_state_is_reported_and_the_time_grows() {
    let lab = Lab::new(&[]);
    let receiver = Receiver::new();
    lab.settings(json!({"chat_callback": receiver.url}));
    let id = send(&lab, json!({"messenger_b": b(json!({}))}));
    let created = state(&lab, &id)["updated"].clone();
    lab.advance("200ms");
    let sent = state(&lab, &id);
    assert_eq!(sent["status"], "Sent");
    lab.advance("200ms");
    let delivered = state(&lab, &id);
    assert_eq!(delivered["status"], "Delivered");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    assert!(text(&created) < text(&sent["updated"]) && text(&sent["updated"]) < text(&delivered["updated"]));
    assert_eq!(receiver.take().len(), 2);
    send(&lab, json!({"destination": "u7", "messenger_c": {"text": {"message": "Hi"}}}));
    lab.advance("30d");
    assert!(receiver.take().is_empty(), "no delivery report of messenger_c");
    assert_eq!(lab.last("u7")["status"], "Sent");
}
