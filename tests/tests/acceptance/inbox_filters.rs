//! Row 198: the filters of the logs, deletion of messages, replays and explanations of failures.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use crate::harness::{Harness, Reply};
use crate::scripted_receiver::{Receiver, Scripted};
use crate::sms::sms;

/// The running numbers of the entries that a query finds.
#[track_caller]
fn found(harness: &Harness, path: &str, list: &str) -> Vec<u64> {
    let found = harness.control("GET", path, Value::Null);
    found[list].as_array().unwrap().iter().map(|entry| entry["n"].as_u64().unwrap()).collect()
}

/// The member that a rejected query names, and the message.
#[track_caller]
fn refused(harness: &Harness, path: &str) -> (String, String) {
    let error = harness.call("GET", &format!("/_sandbox{path}"), &[], None).is(400).json();
    let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
    (text("field"), text("message"))
}

/// A page of the documentation, which is no operation of the provider.
#[track_caller]
fn docs(harness: &Harness, name: &str) -> Reply {
    harness.head(&format!("GET /docs/{name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
}

#[test]
fn acc_198_requests_are_filtered_by_status_operation_time_and_text() {
    let harness = Harness::new(&["--seed=7"]);
    harness.post("/sms", sms(json!({"text": "A NEEDLE in hay"}))).ok();
    harness.advance("1h");
    harness.post("/sms", sms(json!({"to": ""})));
    harness.advance("1h");
    harness.post("/2fa/send", crate::passcodes::body()).ok();
    drop(harness.raw("POST", "/sms", &[("X-Sandbox-Fault", "close-after-read")], sms(json!({}))));
    drop(harness.raw(
        "POST",
        "/sms",
        &[("X-Sandbox-Fault", "accept-then-gateway; gateway=aws")],
        sms(json!({})),
    ));
    let requests = |query: &str| found(&harness, &format!("/requests?{query}"), "requests");
    let rejected = harness.requests()[1]["answer"]["status"].as_u64().unwrap();
    assert!((400..500).contains(&rejected), "{rejected}");
    assert_eq!(requests("status=2xx"), [0, 2]);
    assert_eq!(requests("status=4xx"), [1]);
    assert_eq!(requests(&format!("status={rejected}")), [1]);
    assert_eq!(requests("status=504"), [4], "the status that the caller received");
    assert_eq!(requests("status=none"), [3]);
    assert_eq!(requests("operation=OTP.send"), [2]);
    assert_eq!(requests("operation=sms.send&status=2xx"), [0]);
    assert_eq!(requests("text=needle"), [0]);
    assert_eq!(requests("text=endpoint+REQUEST"), [4], "a response is searched");
    assert_eq!(requests("text=%2F2fa%2Fsend"), [2], "a path is searched");
    assert_eq!(requests("after=2026-01-01T01:00:00Z&before=2026-01-01T02:00:00Z"), [1]);
    assert_eq!(requests("after=2026-01-01T03:00:00%2B01:00&limit=2"), [3, 4], "the newest; any offset");
    assert_eq!(requests("before=2026-01-01T01:00"), [0], "without an offset a time is UTC");
    assert_eq!(requests("after=2027-01-01"), [0_u64; 0]);
}

#[test]
fn acc_198_a_text_filter_does_not_find_secrets() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    let url = format!("{}?token=very-secret", receiver.url);
    harness.post("/sms", sms(json!({"callback": url}))).ok();
    let key = harness.config["sms_key"].as_str().unwrap();
    harness.call("GET", &format!("/lookup?key={key}&msisdn=306912345678"), &[], None);
    harness.advance("1m");
    assert_eq!(harness.attempts().len(), 1);
    for (path, list) in [("/requests", "requests"), ("/callbacks", "attempts")] {
        assert_eq!(found(&harness, &format!("{path}?text=very-secret"), list), [0_u64; 0], "{path}");
        assert_eq!(found(&harness, &format!("{path}?text=token"), list), [0], "{path}");
    }
    assert_eq!(found(&harness, &format!("/requests?text={key}"), "requests"), [0_u64; 0]);
}

#[test]
fn acc_198_callbacks_and_events_are_filtered() {
    let harness = Harness::new(&["--seed=7"]);
    let receiver = Receiver::scripted(vec![Scripted::Status(500), Scripted::Reset, Scripted::Status(200)]);
    harness.settings(json!({"callback": {"url": receiver.url}, "chat_callback": receiver.url}));
    harness.post("/sms", sms(json!({"reference": "order-81"}))).ok();
    harness.advance("10m");
    crate::chat_sender::send(&harness, json!({"messenger_a": crate::chat_sender::text_message()}));
    harness.advance("10m");
    let attempts = |query: &str| found(&harness, &format!("/callbacks?{query}"), "attempts");
    assert_eq!(attempts(""), [0, 1, 2, 3, 4]);
    assert_eq!(attempts("status=5xx"), [0]);
    assert_eq!(attempts("status=none"), [1], "there was no response");
    assert_eq!(attempts("status=200"), [2, 3, 4]);
    assert_eq!(attempts("kind=chat_report"), [3, 4]);
    assert_eq!(attempts("text=ORDER-81"), [0, 1, 2]);
    assert_eq!(attempts("text=delivered&kind=chat_report"), [4]);
    assert_eq!(attempts("before=2026-01-01T00:05:00Z"), [0, 1]);
    assert_eq!(attempts("after=2026-01-01T00:10:00Z"), [3, 4]);
    let events = |query: &str| found(&harness, &format!("/events?{query}"), "events").len();
    assert_eq!(events("kind=callback.failed"), 2);
    assert_eq!(events("text=CALLBACK.FAILED"), 2);
    assert_eq!(events("kind=callback.failed&after=2026-01-01T00:00:05Z"), 1);
    assert_eq!(events("kind=nothing"), 0);
    assert!(events("text=delivered") > 0, "the detail is searched");
}

#[test]
fn acc_198_messages_are_filtered_by_operation_and_time() {
    let harness = Harness::new(&["--seed=7"]);
    harness.post("/sms", sms(json!({}))).ok();
    harness.advance("1h");
    harness.post("/2fa/send", crate::passcodes::body()).ok();
    harness.control(
        "POST",
        "/inbound",
        json!({"channel": "sms", "from": "306912345678", "to": "Acme", "text": "Hi"}),
    );
    let messages = |query: &str| found(&harness, &format!("/messages?{query}"), "messages");
    assert_eq!(messages("operation=sms.send"), [0]);
    assert_eq!(messages("operation=otp.send"), [1]);
    assert_eq!(messages("operation=inbound"), [2]);
    assert_eq!(messages("before=2026-01-01T01:00:00Z"), [0]);
    assert_eq!(messages("after=2026-01-01T01:00:00Z"), [1, 2]);
    let phones = harness.control("GET", "/phones?operation=otp.send", Value::Null);
    assert_eq!(phones["total"], 1);
}

#[test]
fn acc_198_an_invalid_filter_is_rejected_and_names_its_parameter() {
    let harness = Harness::new(&[]);
    for (path, field, rule) in [
        (
            "/requests?status=40x",
            "status",
            "`status` must be a status such as 404, a class such as 4xx, none or failed",
        ),
        ("/requests?status=", "status", "`status` must be"),
        ("/callbacks?status=1000", "status", "`status` must be"),
        ("/requests?operation=sms.sned", "operation", "`operation` must be one of "),
        ("/messages?operation=sms", "operation", "`operation` must be one of "),
        (
            "/callbacks?kind=reports",
            "kind",
            "`kind` must be one of report, chat_report, inbound, webhook, bot, check",
        ),
        ("/requests?after=noon", "after", "`after` must be a time such as 2026-01-31T12:00:00Z"),
        ("/callbacks?before=2026-02-30", "before", "`before` must be a time"),
        ("/events?before=1", "before", "`before` must be a time"),
        ("/phones?after=", "after", "`after` must be a time"),
    ] {
        let (name, message) = refused(&harness, path);
        assert_eq!(name, field, "{path}");
        assert!(message.starts_with(rule), "{path}: {message}");
    }
}

#[test]
fn acc_198_all_messages_are_deleted_from_the_inbox_but_not_from_the_ledger() {
    let harness = Harness::new(&[]);
    for _ in 0..3 {
        harness.post("/sms", sms(json!({}))).ok();
    }
    assert_eq!(harness.control("DELETE", "/messages", Value::Null)["deleted"], 3);
    assert!(harness.inbox_is_empty());
    assert_eq!(harness.ledger().len(), 3);
    assert_eq!(harness.control("DELETE", "/messages", Value::Null)["deleted"], 0);
}

#[test]
fn acc_198_a_deleted_message_leaves_the_inbox_but_not_the_ledger() {
    let harness = Harness::new(&[]);
    let mut stream = harness.connect();
    stream.write_all(b"GET /_sandbox/stream HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == ": open"));
    let first = harness.post("/sms", sms(json!({"to": "306912000001", "text": "first"}))).ok();
    harness.post("/sms", sms(json!({"to": "306912000001", "text": "second"}))).ok();
    let id = harness.inbox("306912000001")[0]["id"].as_str().unwrap().to_owned();
    let path = format!("/messages/{id}");
    assert_eq!(harness.control("GET", &path, Value::Null)["text"], "first");
    let deleted = harness.control("DELETE", &path, Value::Null);
    assert_eq!((deleted["n"].as_u64(), deleted["id"].as_str()), (Some(0), Some(id.as_str())));
    assert!(lines.any(|line| line == "event: deleted"));
    assert_eq!(lines.next().as_deref(), Some("data: {\"n\":0}"));
    assert_eq!(found(&harness, "/messages", "messages"), [1]);
    assert_eq!(found(&harness, &format!("/messages?id={id}"), "messages"), [0_u64; 0]);
    assert_eq!(harness.control("GET", "/phones", Value::Null)["phones"][0]["messages"], 1);
    for method in ["GET", "DELETE"] {
        harness.call(method, &format!("/_sandbox{path}"), &[], None).is(404);
        harness.call(method, "/_sandbox/messages/none", &[], None).is(404);
    }
    assert_eq!(harness.ledger().len(), 2, "the provider has the message still");
    assert_eq!(harness.ledger()[0]["id"].as_str(), Some(id.as_str()), "{first}");
    harness.advance("1m");
    assert_eq!(found(&harness, "/messages?status=delivered", "messages"), [1]);
    let foreign = [("Origin".to_owned(), "http://evil.example".to_owned())];
    harness.call("DELETE", &format!("/_sandbox{path}"), &foreign, None).is(403);
    let mut again = harness.connect();
    again.write_all(b"GET /_sandbox/stream?from=start HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut lines = BufReader::new(again).lines().map(Result::unwrap);
    let message = lines.find(|line| line.starts_with("data: ") && line.contains("\"text\":")).unwrap();
    assert!(message.contains("\"second\""), "{message}");
    harness.control("POST", "/reset", Value::Null);
    harness.post("/sms", sms(json!({"to": "306912000001"}))).ok();
    assert_eq!(found(&harness, "/messages", "messages"), [0], "a reset forgets deletions");
}

#[test]
fn acc_198_a_replay_names_the_callback_that_it_repeats() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::scripted(vec![Scripted::Status(410), Scripted::Status(200)]);
    harness.settings(json!({"callback": {"url": receiver.url}}));
    harness.post("/sms", sms(json!({}))).ok();
    harness.advance("1m");
    harness.control("POST", "/callbacks/0/replay", json!({}));
    harness.control("POST", "/callbacks/1/replay", json!({}));
    let attempts = harness.attempts();
    assert_eq!(attempts[0]["replay_of"], Value::Null);
    assert_eq!(attempts[1]["replay_of"], attempts[0]["delivery"]);
    assert_eq!(attempts[2]["replay_of"], attempts[1]["delivery"]);
    assert_ne!(attempts[2]["delivery"], attempts[1]["delivery"]);
}

#[test]
fn acc_198_a_failure_is_explained_and_names_a_text_of_the_documentation() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::scripted(vec![Scripted::Status(500), Scripted::Status(200)]);
    harness.settings(json!({"callback": {"url": receiver.url}}));
    harness.post("/sms", sms(json!({}))).ok();
    harness.post("/sms", sms(json!({"to": ""})));
    drop(harness.raw(
        "POST",
        "/sms",
        &[("X-Sandbox-Fault", "close-after-read")],
        sms(json!({"to": "9995000001"})),
    ));
    harness.control(
        "POST",
        "/inbound",
        json!({"channel": "sms", "from": "306912345678", "to": "Acme", "text": "Hi"}),
    );
    harness.advance("1m");
    let requests = harness.requests();
    assert_eq!(requests[0]["explanation"], Value::Null, "a success");
    assert_eq!(
        requests[1]["explanation"],
        json!({
            "text": "a number is invalid: send 7 to 15 digits with the country code, without `+`.",
            "page": "provider-codes.txt", "find": "| sms | 902 |",
        })
    );
    assert_eq!(requests[2]["explanation"]["page"], "sandbox.txt");
    let attempts = harness.attempts();
    assert_eq!(attempts[0]["explanation"]["text"], "The target must respond with 2xx.");
    assert_eq!(attempts.last().unwrap()["explanation"], Value::Null);
    assert_eq!(harness.last("9995000001")["explanation"]["text"], "Magic number: failed.");
    assert_eq!(harness.last(crate::passcodes::TO)["explanation"], Value::Null);
    let events = harness.control("GET", "/events", Value::Null)["events"].as_array().unwrap().clone();
    let kinds =
        events.iter().filter(|event| !event["explanation"].is_null()).map(|event| event["kind"].clone());
    let kinds: Vec<Value> = kinds.collect();
    assert!(kinds.contains(&json!("callback.failed")) && kinds.contains(&json!("inbound.not_configured")));
    assert!(!kinds.contains(&json!("callback.delivered")), "a success");
    let explained = requests.iter().chain(&attempts).chain(&events).map(|entry| entry["explanation"].clone());
    let message = harness.last("9995000001")["explanation"].clone();
    for one in explained.chain([message]).filter(|one| !one.is_null()) {
        let page = docs(&harness, one["page"].as_str().unwrap()).is(200);
        assert_eq!(page.header("content-type"), Some("text/plain; charset=utf-8"));
        assert!(page.text.contains(one["find"].as_str().unwrap()), "{one}");
    }
    for name in ["nothing.txt", "", "sandbox.md", "..%2fsandbox.txt"] {
        docs(&harness, name).is(404);
    }
}
