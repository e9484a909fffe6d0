//! Limits of connections to the sandbox: slow heads, too many connections, and event streams that the client does not read.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Harness, RESPONSE_TIMEOUT};
use crate::sms::sms;

const HEALTH: &[u8] = b"GET /_sandbox/health HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Repeats a check until it passes; fails after [`RESPONSE_TIMEOUT`].
#[track_caller]
fn eventually(check: impl Fn() -> bool) {
    let started = Instant::now();
    while !check() {
        assert!(started.elapsed() < RESPONSE_TIMEOUT, "never happened");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The first bytes of a response, which contain at least its status line.
fn response(stream: &mut impl Read) -> String {
    let mut bytes = [0; 4_096];
    let count = stream.read(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes[..count]).into_owned()
}

#[test]
fn a_connection_with_an_unfinished_head_is_closed_after_the_head_timeout() {
    let harness = Harness::new(&["--head-timeout=50ms"]);
    for begun in [b"".as_slice(), b"POST /sms HTTP/1.1\r\nHost: localhost\r\nX-Slow: "] {
        let mut stream = harness.connect();
        stream.write_all(begun).unwrap();
        assert_eq!(stream.read(&mut [0; 64]).unwrap(), 0, "closed without a response");
    }
    harness.post("/sms", sms(json!({}))).ok();
}

#[test]
fn a_body_that_does_not_arrive_in_time_is_refused() {
    let harness = Harness::new(&["--body-timeout=50ms"]);
    let key = harness.config["sms_key"].as_str().unwrap();
    for path in [&format!("/sms?key={key}"), "/_sandbox/reset", "/messages/send"] {
        let mut slow = harness.connect();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nX-Service-API-Key: {key}\r\nContent-Length: 100\r\n\r\n"
        );
        slow.write_all(head.as_bytes()).unwrap();
        let mut reader = slow.try_clone().unwrap();
        let answered = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = reader.read_to_string(&mut text);
            text
        });
        while !answered.is_finished() && slow.write_all(b" ").is_ok() {
            std::thread::sleep(Duration::from_millis(10));
        }
        let text = answered.join().unwrap();
        assert!(text.starts_with("HTTP/1.1 408 ") && text.contains("--body-timeout"), "{path}: {text}");
    }
    harness.post("/sms", sms(json!({}))).ok();
}

#[test]
fn accounts_beyond_the_limit_are_refused() {
    let harness = Harness::new(&["--accounts=3"]);
    for _ in 0..2 {
        harness.second();
    }
    let refused = harness.post("/_sandbox/accounts", json!({})).is(507).json();
    assert!(refused["message"].as_str().unwrap().starts_with("at most 3 accounts: "), "{refused}");
    let accounts = harness.control("GET", "/accounts", Value::Null);
    assert_eq!(accounts["accounts"].as_array().unwrap().len(), 3);
}

#[test]
fn connections_beyond_the_limit_get_an_error_and_the_others_are_served() {
    let harness = Harness::new(&["--connections=2"]);
    let mut second = harness.connect();
    second.write_all(HEALTH).unwrap();
    assert!(response(&mut second).starts_with("HTTP/1.1 200 "));
    for _ in 0..3 {
        let mut third = harness.connect();
        third.write_all(HEALTH).unwrap();
        let mut text = String::new();
        third.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.1 503 "), "{text}");
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains("content-type: application/json") && head.contains("retry-after: 1"), "{head}");
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["code"], 503);
        assert!(body["message"].as_str().unwrap().contains("--connections"), "{body}");
    }
    harness.post("/sms", sms(json!({}))).ok();
    second.write_all(HEALTH).unwrap();
    assert!(response(&mut second).starts_with("HTTP/1.1 200 "), "an open connection is still served");
    drop(second);
    eventually(|| {
        let mut next = harness.connect();
        next.write_all(HEALTH).unwrap();
        response(&mut next).starts_with("HTTP/1.1 200 ")
    });
}

#[test]
fn an_event_stream_that_is_not_read_is_closed() {
    let harness = Harness::new(&["--write-timeout=50ms", "--requests=1"]);
    let streams = || harness.control("GET", "", Value::Null)["streams"].as_u64().unwrap();
    let mut idle = harness.connect();
    idle.write_all(b"GET /_sandbox/stream HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    assert!(response(&mut idle).starts_with("HTTP/1.1 200 "));
    assert_eq!(streams(), 1);
    let text = "a".repeat(30_000);
    eventually(|| {
        for _ in 0..20 {
            harness.post("/sms", sms(json!({"text": text}))).ok();
        }
        streams() == 0
    });
}

#[test]
fn event_streams_beyond_the_limit_get_an_error() {
    let harness = Harness::new(&[]);
    let open = || {
        let mut stream = harness.connect();
        stream.write_all(b"GET /_sandbox/stream HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let head = response(&mut stream);
        (stream, head)
    };
    let streams: Vec<_> = (0..64).map(|_| open()).collect();
    assert!(streams.iter().all(|(_, head)| head.starts_with("HTTP/1.1 200 ")));
    let reply = harness.call("GET", "/_sandbox/stream", &[], None).is(503);
    assert_eq!((reply.json()["code"].as_i64(), reply.header("retry-after")), (Some(503), Some("1")));
    drop(streams);
    eventually(|| open().1.starts_with("HTTP/1.1 200 "));
}
