//! Rows 146 to 148: sessions of `messenger_b`.

use serde_json::{Value, json};

use crate::stand::Stand;

const USER: &str = "306987654321";

fn session() -> Value {
    json!({"messenger_b": {"type": "session", "text": "Hi"}})
}

/// Sends one message of a session and shows it.
fn say(stand: &Stand) -> Value {
    let id = stand.sent(USER, &session());
    stand.message(&id)
}

fn reply(stand: &Stand) {
    stand.inbound(&json!({"channel": "messenger_b", "from": USER, "text": "Yes"}));
}

#[test]
fn acc_146_the_sixty_first_message_opens_a_new_session() {
    let stand = Stand::new();
    let first = say(&stand)["session"].clone();
    assert!(first.is_number());
    for count in 2..=60 {
        if count % 5 == 1 {
            reply(&stand);
        }
        stand.advance(60);
        assert_eq!(say(&stand)["session"], first, "message {count}");
    }
    reply(&stand);
    let next = stand.client_sends(USER, &session());
    assert_eq!(next["session"], json!(first.as_u64().unwrap() + 1));
    stand.advance(60);
    assert_eq!(stand.message(next["id"].as_str().unwrap())["status"], "Delivered");
}

#[test]
fn acc_147_five_without_an_answer_end_the_session() {
    let stand = Stand::new();
    for _ in 0..5 {
        let id = stand.sent(USER, &session());
        stand.advance(10);
        assert_eq!(stand.message(&id)["status"], "Delivered");
    }
    let sixth = stand.client_sends(USER, &session());
    stand.advance(10);
    let shown = stand.message(sixth["id"].as_str().unwrap());
    assert_eq!(shown["status"], "Failed");
    assert!(shown["assumed"].as_array().unwrap().contains(&json!("D47")));
    assert_eq!(stand.events("session.ended").len(), 1);
    let seventh = stand.sent(USER, &session());
    stand.advance(10);
    assert_eq!(stand.message(&seventh)["status"], "Failed", "until the user replies");
    reply(&stand);
    let eighth = stand.sent(USER, &session());
    stand.advance(10);
    assert_eq!(stand.message(&eighth)["status"], "Delivered");
}

#[test]
fn acc_148_a_day_later_the_session_is_over() {
    let stand = Stand::new();
    let first = say(&stand)["session"].as_u64().unwrap();
    stand.advance(86_399);
    assert_eq!(say(&stand)["session"], first);
    stand.advance(1);
    assert_eq!(say(&stand)["session"], first + 1);
    for _ in 0..4 {
        say(&stand);
    }
    stand.advance(10);
    let ended = stand.sent(USER, &session());
    stand.advance(86_400);
    assert_eq!(stand.message(&ended)["status"], "Failed");
    let opened = say(&stand);
    stand.advance(10);
    assert_eq!(stand.message(opened["id"].as_str().unwrap())["status"], "Delivered");
    assert_eq!(opened["session"], first + 2);
}
