//! Rows 193 to 195: faults and the ledger.

use serde_json::{Value, json};

use crate::lab::Lab;
use crate::otp::TO;
use crate::sms::sms;

/// Sends once under a fault; the bytes that came back, and whether the connection was reset.
fn faulted(lab: &Lab, header: &str) -> (Vec<u8>, bool) {
    let (bytes, end) = lab.raw("POST", "/sms", &[("X-Sandbox-Fault", header)], sms(json!({})));
    (bytes, end.is_err())
}

#[test]
fn acc_193_194_every_kind_of_fault() {
    let lab = Lab::new(&[]);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let cases: [(&str, usize); 12] = [
        ("status; status=418", 0),
        ("latency; ms=5", 1),
        ("hang; ms=5", 0),
        ("reset-before-read", 0),
        ("reset-after-read", 1),
        ("close-before-read", 0),
        ("close-after-read", 1),
        ("truncated-head", 1),
        ("truncated-body", 1),
        ("garbage", 1),
        ("slow-drip; ms=1", 1),
        ("accept-then-5xx; status=503", 1),
    ];
    for (header, accepted) in cases {
        let before = lab.ledger().len();
        let (bytes, reset) = faulted(&lab, header);
        assert_eq!(lab.ledger().len() - before, accepted, "{header}");
        let text = text(&bytes);
        match header.split(';').next().unwrap() {
            "status" => assert!(text.starts_with("HTTP/1.1 418") && text.contains("990")),
            "latency" | "slow-drip" => assert!(text.starts_with("HTTP/1.1 200") && text.ends_with("}")),
            "hang" | "close-before-read" | "close-after-read" => {
                assert!(bytes.is_empty() && !reset, "{header}")
            }
            "reset-before-read" | "reset-after-read" => assert!(bytes.is_empty() && reset, "{header}"),
            "truncated-head" => assert!(text.starts_with("HTTP/1.1 200") && !text.contains("\r\n\r\n")),
            "truncated-body" => assert!(text.contains("\r\n\r\n{") && !text.ends_with('}')),
            "garbage" => assert!(!text.starts_with("HTTP")),
            _ => assert!(text.starts_with("HTTP/1.1 503")),
        }
    }
    assert!(faulted(&lab, "unheard-of").0.starts_with(b"HTTP/1.1 400"));
    lab.post("/sms", sms(json!({}))).is(200);
}

#[test]
fn acc_193_rules_match_and_end() {
    let lab = Lab::new(&[]);
    let rules = |rules: Value| lab.control("PUT", "/faults", json!({"rules": rules}));
    let status = |to: &str| lab.post("/sms", sms(json!({"to": to}))).status;
    rules(json!([{"match": {"op": "sms.send", "to": "306900000001"}, "kind": "status", "status": 500}]));
    assert_eq!([status(TO), status("306900000001")], [200, 500]);
    rules(json!([{"kind": "status", "status": 502, "nth": 2}]));
    assert_eq!([status(TO), status(TO), status(TO)], [200, 502, 200]);
    rules(json!([{"kind": "status", "status": 503, "expires": 1}]));
    assert_eq!([status(TO), status(TO)], [503, 200]);
    rules(json!([{"kind": "status", "status": 503, "expires": "10s", "retry_after": 7}]));
    assert_eq!(lab.post("/sms", sms(json!({}))).is(503).header("retry-after"), Some("7"));
    lab.advance("10s");
    assert_eq!(status(TO), 200);
    rules(json!([{"match": {"op": "otp.send"}, "kind": "status"}]));
    assert_eq!(status(TO), 200);
}

#[test]
fn acc_193_a_rule_that_could_never_strike_is_refused() {
    let lab = Lab::new(&[]);
    let rules = [
        json!({"kind": "status", "match": {"op": "sms.sned"}}),
        json!({"kind": "status", "nth": 0}),
        json!({"kind": "status", "probability": 1.5}),
    ];
    for rule in rules {
        let reply = lab.call("PUT", "/_sandbox/faults", &[], Some(&json!({"rules": [rule]}).to_string()));
        assert!(reply.is(400).json()["message"].as_str().unwrap().starts_with("rules[0]: "), "{rule}");
    }
    lab.post("/sms", sms(json!({}))).is(200);
}

/// One list may hold rules for several accounts: it is taken whole, or nothing changes.
#[test]
fn acc_193_a_list_with_one_wrong_rule_changes_nothing() {
    let lab = Lab::new(&[]);
    let second = lab.second()["account_sid"].as_str().unwrap().to_owned();
    let pages = || {
        let other = format!("/faults?account={second}");
        [lab.control("GET", "/faults", Value::Null), lab.control("GET", &other, Value::Null)]
    };
    let rule = |account: &str| json!({"kind": "status", "status": 503, "match": {"account": account}});
    lab.control("PUT", "/faults", json!({"rules": [rule(lab.sid()), rule(&second)]}));
    let before = pages();
    assert!(before.iter().all(|page| page["rules"].as_array().unwrap().len() == 1), "{before:?}");
    let good = json!({"kind": "hang", "match": {"account": second}});
    let wrong =
        [json!({"kind": "status", "nth": 0}), rule("AC0"), json!({"kind": "status", "expires": "soon"})];
    for wrong in wrong {
        let rules = json!({"rules": [good, good, wrong]}).to_string();
        let reply = lab.call("PUT", "/_sandbox/faults", &[], Some(&rules)).is(400).json();
        assert!(reply["message"].as_str().unwrap().starts_with("rules[2]: "), "{reply}");
        assert_eq!(pages(), before, "{wrong}");
    }
}

#[test]
fn acc_193_the_same_seed_makes_the_same_faults() {
    let pattern = |seed: u64| {
        let lab = Lab::new(&[]);
        lab.control(
            "PUT",
            "/faults",
            json!({"rules": [{"kind": "status", "probability": 0.3, "seed": seed}]}),
        );
        (0..60).map(|_| lab.post("/sms", sms(json!({}))).status).collect::<Vec<_>>()
    };
    let first = pattern(1);
    assert_eq!(first, pattern(1));
    assert_ne!(first, pattern(2));
    let hits = first.iter().filter(|status| **status == 500).count();
    assert!((8..=30).contains(&hits), "{hits}");
}

#[test]
fn acc_194_the_client_under_a_fault() {
    let lab = Lab::new(&[]);
    lab.control("PUT", "/faults", json!({"rules": [{"kind": "close-after-read"}]}));
    let error = lab.via("sms.send", sms(json!({}))).unwrap_err();
    assert_eq!(
        (error.outcome, lab.ledger().len()),
        (cpaas::error::Outcome::Unknown, 1),
        "sent once, never twice"
    );
}

#[test]
fn acc_195_the_ledger_is_complete_or_full() {
    let lab = Lab::new(&["--ledger-limit=3", "--messages=1"]);
    let body = sms(json!({"reference": "r"}));
    for _ in 0..3 {
        lab.post("/sms", body.clone()).is(200);
    }
    lab.post("/sms", body.clone()).is(507);
    lab.post("/smsbulk", body.clone()).is(507);
    let ledger = lab.ledger();
    assert_eq!((ledger.len(), lab.inbox(TO).len()), (3, 1), "the inbox is a ring, the ledger is not");
    let hash = body.to_string().bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    assert!(ledger.iter().all(|entry| entry["request"] == format!("{hash:016x}") && entry["to"] == TO));
    assert!(lab.control("GET", "/ledger", Value::Null)["bytes_per_entry"].as_u64().unwrap() <= 64);
    let faults = Lab::new(&[]);
    faulted(&faults, "garbage");
    assert_eq!(faults.ledger()[0]["fault"], "garbage");
}
