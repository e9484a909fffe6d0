//! Rows 193 to 195: faults and the ledger.

use std::io::{Read, Write};

use serde_json::{Value, json};

use crate::harness::Harness;
use crate::passcodes::TO;
use crate::sms::sms;

/// Sends once under a fault. Returns the bytes of the response, and whether the connection was reset.
fn faulted(harness: &Harness, header: &str) -> (Vec<u8>, bool) {
    let (bytes, end) = harness.raw("POST", "/sms", &[("X-Sandbox-Fault", header)], sms(json!({})));
    (bytes, end.is_err())
}

/// The number of new messages in the ledger. Waits for `expected` messages, because after the response of a gateway the request is
/// accepted a little later.
fn entered(harness: &Harness, before: usize, expected: usize) -> usize {
    let counts = (0..1_000).map(|_| harness.ledger().len() - before);
    counts.take_while(|count| *count < expected).count();
    harness.ledger().len() - before
}

#[test]
fn acc_193_194_every_kind_of_fault_has_its_response_and_acceptance() {
    let harness = Harness::new(&[]);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let cases: [(&str, usize); 19] = [
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
        ("accept-then-503-retry-after", 1),
        ("accept-then-429", 1),
        ("gateway", 0),
        ("accept-then-gateway", 1),
        ("answer-early", 0),
        ("answer-early-then-accept", 1),
        ("duplicate-answer", 1),
    ];
    for (header, accepted) in cases {
        let before = harness.ledger().len();
        let (bytes, reset) = faulted(&harness, header);
        assert_eq!(entered(&harness, before, accepted), accepted, "{header}");
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
            "accept-then-429" => assert!(text.starts_with("HTTP/1.1 429")),
            "gateway" | "accept-then-gateway" => {
                assert!(text.starts_with("HTTP/1.1 502") && text.contains("<center>nginx</center>"), "{text}")
            }
            "duplicate-answer" => {
                let (first, second) = text.split_at(text.len() / 2);
                assert!(
                    first == second && first.starts_with("HTTP/1.1 200") && first.ends_with('}'),
                    "{text}"
                )
            }
            _ => assert!(text.starts_with("HTTP/1.1 503")),
        }
    }
    assert_eq!(
        harness.control("GET", "/inbox", Value::Null)["faults"].as_array().unwrap().len(),
        cases.len()
    );
    assert!(faulted(&harness, "unheard-of").0.starts_with(b"HTTP/1.1 400"));
    harness.post("/sms", sms(json!({}))).is(200);
}

/// The response's head in lower case, and its body.
fn parted(bytes: &[u8]) -> (String, String) {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.to_ascii_lowercase(), body.to_owned())
}

#[test]
fn acc_193_gateway_faults_have_the_responses_of_real_gateways() {
    let harness = Harness::new(&[]);
    let cases = [
        ("nginx", "502", "text/html", "<center>nginx</center>"),
        ("varnish", "503", "text/html", "Guru Meditation"),
        ("envoy", "503", "text/plain", "upstream connect error"),
        ("grpc", "504", "application/json", r#"{"code": 4, "message": "context deadline exceeded"}"#),
        ("aws", "504", "application/json", r#"{"message": "Endpoint request timed out"}"#),
    ];
    for kind in ["gateway", "accept-then-gateway"] {
        for (name, status, content_type, part) in cases {
            let (head, body) = parted(&faulted(&harness, &format!("{kind}; gateway={name}")).0);
            assert!(head.starts_with(&format!("http/1.1 {status}")), "{head}");
            assert!(
                head.contains(&format!("content-type: {content_type}")) && body.contains(part),
                "{head} {body}"
            );
            assert!(!head.contains("retry-after"));
        }
    }
    assert_eq!(harness.ledger().len(), cases.len(), "only forwarded requests are accepted");
    let with = |header: &str| parted(&faulted(&harness, header).0);
    let (head, body) = with(r#"accept-then-429; retry-after=3; body={"id": "x", "responseCode": 0}"#);
    assert!(head.contains("retry-after: 3") && head.contains("content-type: application/json"), "{head}");
    assert_eq!(body, r#"{"id": "x", "responseCode": 0}"#);
    let (head, body) = with("accept-then-429; body=");
    assert!(head.starts_with("http/1.1 429") && !head.contains("content-type") && body.is_empty(), "{head}");
    assert!(with("accept-then-503-retry-after").0.contains("retry-after: 1"));
    assert!(with("answer-early").0.contains("retry-after: 0"));
    let (head, _) = with("answer-early; status=408");
    assert!(head.starts_with("http/1.1 408") && !head.contains("retry-after"), "{head}");
    assert!(faulted(&harness, "gateway; gateway=unheard-of").0.starts_with(b"HTTP/1.1 400"));
    let rule = json!({
        "kind": "accept-then-gateway", "gateway": "aws", "status": 599, "retry_after": 2, "body": "<p>down</p>",
    });
    harness.control("PUT", "/faults", json!({"rules": [rule]}));
    assert_eq!(harness.control("GET", "/faults", Value::Null)["rules"][0]["rule"]["gateway"], "aws");
    let (bytes, _) = harness.raw("POST", "/sms", &[], sms(json!({})));
    let (head, body) = parted(&bytes);
    assert!(
        head.starts_with("http/1.1 599") && head.contains("text/html") && body == "<p>down</p>",
        "{head} {body}"
    );
    let status = |rule: Value| {
        harness.call("PUT", "/_sandbox/faults", &[], Some(&json!({"rules": [rule]}).to_string())).status
    };
    assert_eq!(status(json!({"kind": "gateway", "gateway": "unheard-of"})), 400);
    assert_eq!(status(json!({"kind": "gateway", "body": "x".repeat(65_537)})), 400);
    assert_eq!(status(json!({"kind": "gateway", "body": "x".repeat(65_536)})), 200);
}

/// After its early response the sandbox reads the body and accepts the request, or it never does.
#[test]
fn acc_193_a_gateway_responds_before_the_body() {
    let harness = Harness::new(&[]);
    let body = sms(json!({})).to_string();
    for (kind, accepted) in [("answer-early", 0), ("answer-early-then-accept", 1)] {
        let before = harness.ledger().len();
        let mut stream = harness.connect();
        let key = &Harness::auth(&harness.config, "/sms")[0].1;
        let head = format!(
            "POST /sms HTTP/1.1\r\nHost: localhost\r\nX-Service-API-Key: {key}\r\nX-Sandbox-Fault: {kind}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 503", "{kind}");
        assert_eq!(harness.ledger().len(), before);
        let _ = stream.write_all(body.as_bytes());
        let _ = stream.read_to_end(&mut Vec::new());
        assert_eq!(entered(&harness, before, accepted), accepted, "{kind}");
    }
}

#[test]
fn acc_193_a_duplicate_response_leaves_the_connection_usable() {
    let harness = Harness::new(&[]);
    let mut stream = harness.connect();
    let key = Harness::auth(&harness.config, "/sms")[0].1.clone();
    let body = sms(json!({})).to_string();
    let mut send = |fault: &str| {
        let request = format!(
            "POST /sms HTTP/1.1\r\nHost: localhost\r\nX-Service-API-Key: {key}\r\n{fault}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
    };
    send("X-Sandbox-Fault: duplicate-answer\r\n");
    send("");
    let mut text = String::new();
    let mut piece = [0; 4096];
    while text.matches("responseText").count() < 3 {
        let count = stream.read(&mut piece).unwrap();
        assert_ne!(count, 0, "closed after {text}");
        text.push_str(std::str::from_utf8(&piece[..count]).unwrap());
    }
    assert_eq!((text.matches("HTTP/1.1 200").count(), harness.ledger().len()), (3, 2));
}

#[test]
fn acc_193_a_rule_applies_to_matching_requests_until_it_expires() {
    let harness = Harness::new(&[]);
    let rules = |rules: Value| harness.control("PUT", "/faults", json!({"rules": rules}));
    let status = |to: &str| harness.post("/sms", sms(json!({"to": to}))).status;
    rules(json!([{"match": {"op": "sms.send", "to": "306900000001"}, "kind": "status", "status": 500}]));
    assert_eq!([status(TO), status("306900000001")], [200, 500]);
    rules(json!([{"kind": "status", "status": 502, "nth": 2}]));
    assert_eq!([status(TO), status(TO), status(TO)], [200, 502, 200]);
    rules(json!([{"kind": "status", "status": 503, "expires": 1}]));
    assert_eq!([status(TO), status(TO)], [503, 200]);
    rules(json!([{"kind": "status", "status": 503, "expires": "10s", "retry_after": 7}]));
    assert_eq!(harness.post("/sms", sms(json!({}))).is(503).header("retry-after"), Some("7"));
    harness.advance("10s");
    assert_eq!(status(TO), 200);
    rules(json!([{"match": {"op": "otp.send"}, "kind": "status"}]));
    assert_eq!(status(TO), 200);
}

#[test]
fn acc_193_a_rule_that_could_never_apply_is_rejected() {
    let harness = Harness::new(&[]);
    let rules = [
        json!({"kind": "status", "match": {"op": "sms.sned"}}),
        json!({"kind": "status", "nth": 0}),
        json!({"kind": "status", "probability": 1.5}),
    ];
    for rule in rules {
        let reply = harness.call("PUT", "/_sandbox/faults", &[], Some(&json!({"rules": [rule]}).to_string()));
        assert!(reply.is(400).json()["message"].as_str().unwrap().starts_with("rules[0]: "), "{rule}");
    }
    harness.post("/sms", sms(json!({}))).is(200);
}

/// A list may contain rules for several accounts. Either all of its rules are set, or nothing changes.
#[test]
fn acc_193_a_list_with_an_invalid_rule_changes_nothing() {
    let harness = Harness::new(&[]);
    let second = harness.second()["account_sid"].as_str().unwrap().to_owned();
    let pages = || {
        let other = format!("/faults?account={second}");
        [harness.control("GET", "/faults", Value::Null), harness.control("GET", &other, Value::Null)]
    };
    let rule = |account: &str| json!({"kind": "status", "status": 503, "match": {"account": account}});
    harness.control("PUT", "/faults", json!({"rules": [rule(harness.sid()), rule(&second)]}));
    let before = pages();
    assert!(before.iter().all(|page| page["rules"].as_array().unwrap().len() == 1), "{before:?}");
    let good = json!({"kind": "hang", "match": {"account": second}});
    let wrong =
        [json!({"kind": "status", "nth": 0}), rule("AC0"), json!({"kind": "status", "expires": "soon"})];
    for wrong in wrong {
        let rules = json!({"rules": [good, good, wrong]}).to_string();
        let reply = harness.call("PUT", "/_sandbox/faults", &[], Some(&rules)).is(400).json();
        assert!(reply["message"].as_str().unwrap().starts_with("rules[2]: "), "{reply}");
        assert_eq!(pages(), before, "{wrong}");
    }
}

#[test]
fn acc_193_added_rules_keep_the_counts_of_those_that_exist() {
    let harness = Harness::new(&[]);
    let second = harness.second()["account_sid"].as_str().unwrap().to_owned();
    let add = |rules: Value| harness.control("POST", "/faults", json!({"rules": rules}));
    let status = |to: &str| harness.post("/sms", sms(json!({"to": to}))).status;
    add(json!([{"kind": "status", "status": 503, "expires": 1}]));
    assert_eq!([status(TO), status(TO)], [503, 200]);
    let page = add(json!([{"kind": "status", "status": 502, "nth": 2}]));
    assert_eq!([status(TO), status(TO), status(TO)], [200, 502, 200], "{page}");
    add(json!([{"kind": "hang", "match": {"account": second}}]));
    let page = harness.control("GET", "/faults", Value::Null);
    let counts = |rule: &Value| (rule["rule"]["status"].clone(), rule["seen"].clone(), rule["hits"].clone());
    let counts: Vec<_> = page["rules"].as_array().unwrap().iter().map(counts).collect();
    assert_eq!(counts, [(json!(503), json!(1), json!(1)), (json!(502), json!(3), json!(1))]);
    for wrong in [json!({"kind": "status", "nth": 0}), json!({"kind": "none"})] {
        let rules = json!({"rules": [{"kind": "status"}, wrong]}).to_string();
        harness.call("POST", "/_sandbox/faults", &[], Some(&rules)).is(400);
        assert_eq!(harness.control("GET", "/faults", Value::Null), page);
    }
    let many =
        |count: usize| json!({"rules": vec![json!({"kind": "hang", "nth": 1_000_000}); count]}).to_string();
    harness.call("POST", "/_sandbox/faults", &[], Some(&many(9_998))).is(200);
    let reply = harness.call("POST", "/_sandbox/faults", &[], Some(&many(1))).is(400).json();
    assert_eq!(reply["message"], "an account must have at most 10000 rules, got 10001");
    harness.control("DELETE", "/faults", Value::Null);
    assert_eq!(harness.control("GET", "/faults", Value::Null), json!({"rules": []}));
}

#[test]
fn acc_193_the_same_seed_makes_the_same_faults() {
    let pattern = |seed: u64| {
        let harness = Harness::new(&[]);
        harness.control(
            "PUT",
            "/faults",
            json!({"rules": [{"kind": "status", "probability": 0.3, "seed": seed}]}),
        );
        (0..60).map(|_| harness.post("/sms", sms(json!({}))).status).collect::<Vec<_>>()
    };
    let first = pattern(1);
    assert_eq!(first, pattern(1));
    assert_ne!(first, pattern(2));
    let hits = first.iter().filter(|status| **status == 500).count();
    assert!((8..=30).contains(&hits), "{hits}");
}

#[test]
fn acc_194_the_client_sends_once_if_the_connection_closes_after_the_request() {
    let harness = Harness::new(&[]);
    harness.control("PUT", "/faults", json!({"rules": [{"kind": "close-after-read"}]}));
    let error = harness.via("sms.send", sms(json!({}))).unwrap_err();
    assert_eq!(
        (error.outcome, harness.ledger().len()),
        (cpaas::error::Outcome::Unknown, 1),
        "the request was sent once"
    );
}

#[test]
fn acc_195_a_full_ledger_rejects_requests_instead_of_evicting_entries() {
    let harness = Harness::new(&["--ledger-limit=3", "--messages=1"]);
    let body = sms(json!({"reference": "r"}));
    for _ in 0..3 {
        harness.post("/sms", body.clone()).is(200);
    }
    harness.post("/sms", body.clone()).is(507);
    harness.post("/smsbulk", body.clone()).is(507);
    let ledger = harness.ledger();
    assert_eq!(
        (ledger.len(), harness.inbox(TO).len()),
        (3, 1),
        "the inbox evicts messages, the ledger does not"
    );
    let hash = body.to_string().bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    assert!(ledger.iter().all(|entry| entry["request"] == format!("{hash:016x}") && entry["to"] == TO));
    assert!(harness.control("GET", "/ledger", Value::Null)["bytes_per_entry"].as_u64().unwrap() <= 64);
    let faults = Harness::new(&[]);
    faulted(&faults, "garbage");
    assert_eq!(faults.ledger()[0]["fault"], "garbage");
}
