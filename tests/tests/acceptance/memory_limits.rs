//! The memory of the sandbox has a limit, whatever requests the sandbox receives.

use serde_json::{Value, json};

use crate::chat_sender::{send, text_message};
use crate::harness::Harness;
use crate::passcodes::with;
use crate::scripted_receiver::Receiver;
use crate::sms::sms;

/// A chat message with a member of this many bytes.
fn long(bytes: usize) -> Value {
    json!({"messenger_c": {"document": {"url": "https://a.example/a.pdf", "thumb": "x".repeat(bytes)}}})
}

#[test]
fn old_messages_are_evicted_to_keep_the_memory_limit() {
    let harness = Harness::new(&["--memory=1MiB"]);
    let first = send(&harness, json!({"messenger_a": text_message()}));
    for _ in 0..40 {
        send(&harness, long(100_000));
    }
    let overview = harness.control("GET", "", Value::Null);
    let kept = overview["messages"]["kept"].as_u64().unwrap();
    assert!((3..=10).contains(&kept), "{overview}");
    assert_eq!(overview["messages"]["evicted"], 41 - kept);
    assert_eq!(overview["ledger"], 41, "the ledger is complete");
    assert!(overview["bytes"].as_u64().unwrap() <= 1 << 20, "{overview}");
    let page = harness.control("GET", "/messages?limit=100", Value::Null);
    assert_eq!((page["total"].as_u64(), page["evicted"].as_u64()), (Some(41), Some(41 - kept)));
    assert!(!page["messages"].to_string().contains(&first));
}

#[test]
fn old_requests_and_attempts_are_evicted_to_keep_the_memory_limit() {
    let harness = Harness::new(&["--memory=256KiB", "--requests=100000"]);
    let receiver = Receiver::new();
    let callback = format!("{}/{}", receiver.url, "p".repeat(1_000));
    for _ in 0..200 {
        harness.post("/sms", sms(json!({"callback": callback, "unknown": "x".repeat(3_000)}))).ok();
        harness.advance("1s");
    }
    let overview = harness.control("GET", "", Value::Null);
    assert!(overview["bytes"].as_u64().unwrap() <= 256 << 10, "{overview}");
    for log in ["requests", "attempts"] {
        let (kept, evicted) = (overview[log]["kept"].as_u64(), overview[log]["evicted"].as_u64());
        assert!(kept > Some(10) && evicted > Some(10), "{log}: {overview}");
    }
    assert_eq!((harness.ledger().len(), receiver.received().len()), (200, 200), "every report was delivered");
}

#[test]
fn the_newest_message_is_kept_whatever_its_size() {
    let harness = Harness::new(&["--memory=1KiB"]);
    let id = send(&harness, long(100_000));
    assert_eq!(harness.control("GET", &format!("/messages?id={id}"), Value::Null)["messages"][0]["id"], id);
}

#[test]
fn old_passcodes_are_evicted_to_keep_the_memory_limit() {
    let harness = Harness::new(&["--memory=256KiB"]);
    let first = harness.post("/2fa/send", with(json!({}))).ok()["requestID"].clone();
    let check = |id: &Value| {
        harness
            .post("/2fa/verify", json!({"service": "login", "requestId": id, "code": "9".repeat(100_000)}))
            .status
    };
    assert_eq!([check(&first), check(&first), check(&first)], [400; 3]);
    let second = harness.post("/2fa/send", with(json!({"to": "306900000009"}))).ok()["requestID"].clone();
    assert_eq!(check(&first), 404, "the oldest passcode was evicted");
    assert_eq!(check(&second), 400);
    assert!(harness.control("GET", "", Value::Null)["bytes"].as_u64().unwrap() < 300_000);
}

/// Five reports are due at once. Together they exceed the limit of waiting callbacks, in bytes.
#[test]
fn waiting_callbacks_above_the_limit_are_dropped() {
    let harness = Harness::new(&[]);
    let large = format!("http://127.0.0.1:1/{}", "x".repeat(7_000_000));
    for _ in 0..5 {
        harness.post("/sms", sms(json!({"callback": large}))).ok();
    }
    harness.advance("1s");
    let dropped = harness.events("callback.dropped");
    assert!((1..5).contains(&dropped.len()), "{dropped:?}");
    assert!(dropped[0]["subject"].is_string());
    assert_eq!(harness.control("GET", "", Value::Null)["callbacks_waiting"], 0);
}

#[test]
fn a_list_of_faults_has_a_maximum_length_and_size() {
    let harness = Harness::new(&[]);
    let put = |rules: Vec<Value>| {
        harness.call("PUT", "/_sandbox/faults", &[], Some(&json!({"rules": rules}).to_string()))
    };
    let rule = json!({"kind": "hang", "nth": 9});
    put(vec![rule.clone(); 10_000]).is(200);
    let refused = put(vec![rule.clone(); 10_001]).is(400).json();
    assert_eq!(refused["message"], "`rules` must have at most 10000 rules, got 10001");
    let wide = json!({"kind": "gateway", "body": "x".repeat(60_000)});
    put(vec![wide.clone(); 18]).is(413);
    assert_eq!(harness.control("GET", "/faults", Value::Null)["rules"].as_array().unwrap().len(), 10_000);
    put(vec![wide; 17]).is(200);
    put(vec![rule; 1]).is(200);
    let large = format!("{{\"rules\": []{}}}", " ".repeat(9_000_000));
    harness.call("PUT", "/_sandbox/faults", &[], Some(&large)).is(413);
}

#[test]
fn the_number_of_known_files_has_a_limit() {
    let harness = Harness::new(&[]);
    let put = |url: &str| {
        harness.call("PUT", "/_sandbox/media", &[], Some(&json!({"url": url}).to_string())).status
    };
    assert_eq!([put(&"u".repeat(8_192)), put(&"u".repeat(8_193))], [200, 400]);
    for number in 0..9_999 {
        put(&number.to_string());
    }
    assert_eq!([put("one more"), put("1")], [507, 200]);
}

#[test]
fn the_clock_stops_at_the_end_of_the_year_9999() {
    for mode in ["--clock=virtual", "--clock=real"] {
        let harness = Harness::plain(&[mode]);
        for length in
            [json!("14d"), json!(1e300), json!(u64::MAX), json!("99999999999999999999d"), json!("14d")]
        {
            harness.control("POST", "/clock", json!({"advance": length}));
        }
        assert_eq!(
            harness.control("GET", "/clock", Value::Null)["now"],
            "9999-12-31T23:59:59.999Z",
            "{mode}"
        );
        harness.post("/sms", sms(json!({"callback": "http://127.0.0.1:1/"}))).ok();
        let id = harness.post("/2fa/send", with(json!({}))).ok()["requestID"].clone();
        let record = harness.get(&format!("/2fa/search/{}", id.as_str().unwrap())).ok();
        assert_eq!(record["dateCreated"], "9999-12-31 23:59:59");
    }
    let harness = Harness::new(&[]);
    for bad in [json!(-1), json!("-1d"), json!(null), json!("soon")] {
        let body = json!({"advance": bad}).to_string();
        harness.call("POST", "/_sandbox/clock", &[], Some(&body)).is(400);
    }
}
