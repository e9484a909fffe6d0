//! Rows 146 to 148: sessions of `messenger_b`.

use serde_json::{Value, json};

use crate::message_harness::MessageHarness;

const USER: &str = "306987654321";

fn session() -> Value {
    json!({"messenger_b": {"type": "session", "text": "Hi"}})
}

/// Sends one message of a session and returns it from the inbox.
fn say(harness: &MessageHarness) -> Value {
    let id = harness.sent(USER, &session());
    harness.message(&id)
}

fn reply(harness: &MessageHarness) {
    harness.inbound(&json!({"channel": "messenger_b", "from": USER, "text": "Yes"}));
}

#[test]
fn acc_146_message_61_opens_a_new_session() {
    let harness = MessageHarness::new();
    let first = say(&harness)["session"].clone();
    assert!(first.is_number());
    for count in 2..=60 {
        if count % 5 == 1 {
            reply(&harness);
        }
        harness.advance(60);
        assert_eq!(say(&harness)["session"], first, "message {count}");
    }
    reply(&harness);
    let next = harness.client_sends(USER, &session());
    assert_eq!(next["session"], json!(first.as_u64().unwrap() + 1));
    harness.advance(60);
    assert_eq!(harness.message(next["id"].as_str().unwrap())["status"], "Delivered");
}

#[test]
fn acc_147_five_messages_without_a_reply_end_the_session() {
    let harness = MessageHarness::new();
    for _ in 0..5 {
        let id = harness.sent(USER, &session());
        harness.advance(10);
        assert_eq!(harness.message(&id)["status"], "Delivered");
    }
    let sixth = harness.client_sends(USER, &session());
    harness.advance(10);
    let shown = harness.message(sixth["id"].as_str().unwrap());
    assert_eq!(shown["status"], "Failed");
    assert!(shown["assumed"].as_array().unwrap().contains(&json!("D47")));
    assert_eq!(harness.events("session.ended").len(), 1);
    let seventh = harness.sent(USER, &session());
    harness.advance(10);
    assert_eq!(harness.message(&seventh)["status"], "Failed", "until the user replies");
    reply(&harness);
    let eighth = harness.sent(USER, &session());
    harness.advance(10);
    assert_eq!(harness.message(&eighth)["status"], "Delivered");
}

#[test]
fn acc_148_a_session_ends_after_a_day() {
    let harness = MessageHarness::new();
    let first = say(&harness)["session"].as_u64().unwrap();
    harness.advance(86_399);
    assert_eq!(say(&harness)["session"], first);
    harness.advance(1);
    assert_eq!(say(&harness)["session"], first + 1);
    for _ in 0..4 {
        say(&harness);
    }
    harness.advance(10);
    let ended = harness.sent(USER, &session());
    harness.advance(86_400);
    assert_eq!(harness.message(&ended)["status"], "Failed");
    let opened = say(&harness);
    harness.advance(10);
    assert_eq!(harness.message(opened["id"].as_str().unwrap())["status"], "Delivered");
    assert_eq!(opened["session"], first + 2);
}
