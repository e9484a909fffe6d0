//! Rows 139 to 145 and 149: the rules of `messenger_b`.

use serde_json::{Value, json};

use crate::constant_receiver::Target;
use crate::harness::Reply;
use crate::message_harness::{MessageHarness, PLAIN};

/// A number to which no message is ever delivered.
const UNREACHABLE: &str = "9994080001";
/// A number whose user is not subscribed to the account.
const NOT_SUBSCRIBED: &str = "9994030001";

fn send(harness: &MessageHarness, content: &Value) -> Reply {
    harness.send(PLAIN, &json!({"messenger_b": content}))
}

fn with_ttl(ttl: Value) -> Value {
    json!({"type": "promotional", "text": "Hi", "ttl": ttl})
}

#[test]
fn acc_139_the_documented_types_are_accepted() {
    let harness = MessageHarness::new();
    for kind in ["session", "promotional", "transactional"] {
        let reply = send(&harness, &json!({"type": kind, "text": "Hi"})).is(200);
        assert!(!reply.assumes("D46"), "{kind}");
    }
    assert!(send(&harness, &json!({"type": "regular", "text": "Hi"})).is(200).assumes("D46"));
    send(&harness, &json!({"type": "broadcast", "text": "Hi"})).rejects("/messenger_b/type");
}

#[test]
fn acc_140_a_ttl_outside_its_limits_is_rejected() {
    let harness = MessageHarness::new();
    for (ttl, fits) in [(29, false), (30, true), (60, true), (1_209_600, true), (1_209_601, false)] {
        let members = json!({"messenger_b": with_ttl(json!(ttl))});
        if fits {
            send(&harness, &members["messenger_b"]).ok();
            assert_eq!(harness.warnings().contains("/messenger_b/ttl"), ttl < 60, "{ttl}");
            assert_eq!(harness.client_sends(PLAIN, &members)["content"]["ttl"], ttl);
        } else {
            send(&harness, &members["messenger_b"]).rejects("/messenger_b/ttl");
            let code = if ttl < 30 { "messenger_b.ttl.too_small" } else { "messenger_b.ttl.too_large" };
            harness.client_refuses(PLAIN, &members, code);
        }
    }
    send(&harness, &with_ttl(json!("60"))).rejects("/messenger_b/ttl");
}

#[test]
fn acc_141_an_undelivered_message_expires_after_its_ttl() {
    let harness = MessageHarness::new();
    let target = Target::new();
    harness.settings(&json!({"chat_callback": target.url}));
    let members = json!({"messenger_b": with_ttl(json!(60))});
    let first = harness.sent(UNREACHABLE, &members);
    let second = harness.client_sends(UNREACHABLE, &members);
    harness.advance(59);
    assert_ne!(harness.message(&first)["status"], "expired");
    assert!(target.bodies().iter().all(|body| body["status"] != "expired"));
    harness.advance(1);
    for id in [first.as_str(), second["id"].as_str().unwrap()] {
        assert_eq!(harness.message(id)["status"], "expired");
        let bodies = target.bodies();
        let reported: Vec<_> = bodies.iter().filter(|body| body["messageId"] == id).collect();
        let last = reported.last().expect("a report");
        assert_eq!(last["status"], "expired");
        assert_ne!(last["errorcode"], 0);
    }
}

#[test]
fn acc_142_a_message_without_a_ttl_expires_after_fourteen_days() {
    let harness = MessageHarness::new();
    let id = harness.sent(UNREACHABLE, &json!({"messenger_b": {"type": "promotional", "text": "Hi"}}));
    harness.advance(14 * 86_400 - 1);
    assert_ne!(harness.message(&id)["status"], "expired");
    harness.advance(1);
    assert_eq!(harness.message(&id)["status"], "expired");
}

#[test]
fn acc_143_a_button_needs_a_valid_action() {
    let harness = MessageHarness::new();
    let button = |button: Value| json!({"type": "promotional", "text": "Hi", "button": button});
    send(&harness, &button(json!({"action": "https://shop.example/"}))).ok();
    assert!(harness.warnings().contains("/messenger_b/button"));
    for action in ["https://shop.example/a?b=c", "messenger://forward?text=x"] {
        send(&harness, &button(json!({"caption": "Go", "action": action}))).ok();
    }
    for action in ["shop", "not a url", "://x"] {
        send(&harness, &button(json!({"caption": "Go", "action": action})))
            .rejects("/messenger_b/button/action");
    }
}

#[test]
fn acc_144_a_file_has_limits_of_its_name_and_size() {
    let harness = MessageHarness::new();
    let file = |file: Value| send(&harness, &json!({"type": "promotional", "file": file}));
    let url = "https://files.example/report.pdf";
    let name = |length: usize| format!("{}.pdf", "n".repeat(length - 4));
    file(json!({"mediaUrl": url, "fileName": name(25)})).ok();
    file(json!({"mediaUrl": url, "fileName": name(26)})).rejects("/messenger_b/file/fileName");
    file(json!({"mediaUrl": url})).ok();
    file(json!({"mediaUrl": "https://files.example/"})).rejects("/messenger_b/file/fileName");
    let long = format!("https://files.example/{}", name(26));
    file(json!({"mediaUrl": long})).rejects("/messenger_b/file/mediaUrl");
    for (bytes, status) in [(209_715_200, 200), (209_715_201, 400)] {
        harness.control("PUT", "/media", &json!({"url": url, "bytes": bytes}));
        file(json!({"mediaUrl": url})).is(status);
    }
}

#[test]
fn acc_145_a_session_message_to_an_unsubscribed_user_fails() {
    let harness = MessageHarness::new();
    let session = json!({"messenger_b": {"type": "session", "text": "Hi"}});
    let reply = harness.send(NOT_SUBSCRIBED, &session).is(200);
    let id = reply.json()["messageId"].as_str().unwrap().to_owned();
    harness.advance(10);
    assert_eq!(harness.message(&id)["status"], "Failed");
    let reported = harness.events("chat.status").pop().unwrap();
    assert_eq!(reported["detail"]["status"], "Failed");
    assert!(reported["assumed"].as_array().unwrap().contains(&json!("D46")), "{reported}");
    let other = harness.sent(NOT_SUBSCRIBED, &json!({"messenger_b": {"type": "promotional", "text": "Hi"}}));
    harness.advance(10);
    assert_eq!(harness.message(&other)["status"], "Delivered");
}

#[test]
fn acc_149_undocumented_kinds_and_keyboards_are_accepted_with_a_warning() {
    let harness = MessageHarness::new();
    let keyboard = json!({"buttons": [{"columns": 6, "text": "Menu"}]});
    for content in [
        json!({"type": "session", "video": {"url": "https://v.example/a.mp4", "seconds": 3}}),
        json!({"type": "session", "location": {"lat": 37.9, "lon": 23.7}}),
        json!({"type": "session", "sticker": {"id": 40133}}),
        json!({"type": "session", "text": "Hi", "keyboard": keyboard}),
        json!({"type": "session", "keyboard": keyboard}),
    ] {
        let to = format!("3069{}", 10_000_000 + harness.inbox().len());
        let id = harness.sent(&to, &json!({"messenger_b": content}));
        assert_eq!(harness.message(&id)["content"], content);
        let member = content.as_object().unwrap().keys().find(|name| *name != "type" && *name != "text");
        assert!(
            harness.warnings().contains(member.unwrap()),
            "no warning about the member: {}",
            harness.warnings()
        );
    }
}
