//! Rows 73 to 79: authentication, and no secret in any output.

use std::io::{Read, Write};

use serde_json::{Value, json};

use crate::harness::{Harness, basic};
use crate::passcodes::body;
use crate::scripted_receiver::Receiver;

fn pair(name: &str, value: &str) -> Vec<(String, String)> {
    vec![(name.to_owned(), value.to_owned())]
}

fn text<'a>(harness: &'a Harness, name: &str) -> &'a str {
    harness.config[name].as_str().unwrap()
}

fn sms() -> String {
    json!({"from": "Acme", "to": "306912345678", "text": "Hi", "type": "auto"}).to_string()
}

#[test]
fn acc_073_basic_credentials_are_accepted() {
    let harness = Harness::new(&[]);
    harness.post("/2fa/send", body()).is(200);
    harness.via("otp.send", body()).unwrap();
}

#[test]
fn acc_074_missing_or_invalid_basic_credentials_are_401() {
    let harness = Harness::new(&[]);
    let (sid, key) = (text(&harness, "account_sid"), text(&harness, "api_key"));
    let wrong = [
        vec![],
        pair("Authorization", &basic(sid, "wrong")),
        pair("Authorization", &basic("AC1", key)),
        pair("Authorization", "Basic !!!"),
        pair("Authorization", &format!("Bearer {key}")),
        pair("X-Service-API-Key", text(&harness, "sms_key")),
    ];
    for headers in wrong {
        let reply = harness.call("POST", "/2fa/send", &headers, Some(&body().to_string())).is(401);
        assert!(reply.header("www-authenticate").unwrap().starts_with("Basic"));
        assert!(reply.json()["requestID"].is_null() && reply.assumed().contains("D23"));
    }
    assert!(harness.inbox_is_empty());
}

#[test]
fn acc_075_family_b_requires_its_key_in_the_header() {
    let harness = Harness::new(&[]);
    let key = text(&harness, "sms_key");
    let call = |headers: &[(String, String)]| harness.call("POST", "/sms", headers, Some(&sms()));
    call(&pair("X-Service-API-Key", key)).is(200);
    call(&pair("x-SERVICE-api-KEY", key)).is(200);
    for headers in [vec![], pair("X-Service-API-Key", "wrong")] {
        assert_eq!(call(&headers).is(401).json()["responseCode"], 901);
    }
    harness.via("sms.send", serde_json::from_str(&sms()).unwrap()).unwrap();
}

#[test]
fn acc_076_family_c_requires_its_key_in_the_header_or_the_query() {
    let harness = Harness::new(&[]);
    let key = text(&harness, "api_key").to_owned();
    let header = pair("X-Service-API-Key", &key);
    let number = r#"{"msisdn":"306912345678"}"#;
    let get = |query: &str, headers: &[(String, String)]| {
        harness.call("GET", &format!("/lookup?msisdn=306912345678{query}"), headers, None)
    };
    get(&format!("&key={key}"), &[]).is(200);
    get("", &header).is(200);
    get(&format!("&key={key}"), &header).is(200);
    harness.call("POST", "/lookup.json", &header, Some(number)).is(200);
    harness.call("POST", &format!("/lookup.json?key={key}"), &[], Some(number)).is(200);
    for reply in [get("", &[]), get("&key=wrong", &[]), get("&key=wrong", &header)] {
        assert_eq!(reply.is(401).json(), json!([{"response": 901}]));
    }
    for id in ["lookup.numbers", "lookup.numbers_by_query"] {
        harness.via(id, json!({"msisdn": ["306912345678"]})).unwrap();
    }
}

#[test]
fn acc_077_addresses_outside_the_allow_list_are_403() {
    let harness = Harness::new(&["--allow-ip=10.0.0.0/8"]);
    assert_eq!(harness.post("/2fa/send", body()).is(403).json()["requestID"], Value::Null);
    assert_eq!(
        harness.call("POST", "/sms", &Harness::auth(&harness.config, "/sms"), Some(&sms())).is(403).json()["responseCode"],
        903
    );
    assert_eq!(harness.get("/lookup?msisdn=306912345678").is(403).json(), json!([{"response": 903}]));
    assert_eq!(harness.post("/messages/send", json!({})).is(403).json()["code"], 403);
    let open = Harness::new(&["--allow-ip=10.0.0.0/8", "--allow-ip=127.0.0.1"]);
    open.post("/2fa/send", body()).is(200);
}

fn chat(harness: &Harness) -> String {
    let content = json!({"text": "Hi", "sender": "Acme"});
    json!({"trafficAccountId": harness.traffic_account(), "destination": "306912345678", "sms": content})
        .to_string()
}

#[test]
fn acc_078_family_d_accepts_requests_with_valid_or_without_credentials() {
    let harness = Harness::new(&[]);
    let call =
        |headers: &[(String, String)]| harness.call("POST", "/messages/send", headers, Some(&chat(&harness)));
    assert!(call(&[]).is(200).assumed().contains("D25"));
    call(&pair("X-Service-API-Key", text(&harness, "sms_key"))).is(200);
    call(&pair("Authorization", &basic(text(&harness, "account_sid"), text(&harness, "api_key")))).is(200);
    call(&pair("X-Service-API-Key", "wrong")).is(401);
    for (mode, without) in [("header", 401), ("basic", 401), ("none", 200)] {
        let harness = Harness::new(&[&format!("--messaging-auth={mode}")]);
        harness.call("POST", "/messages/send", &[], Some(&chat(&harness))).is(without);
    }
    let header = Harness::new(&["--messaging-auth=header"]);
    header
        .call(
            "POST",
            "/messages/send",
            &pair("X-Service-API-Key", text(&header, "sms_key")),
            Some(&chat(&header)),
        )
        .is(200);
}

/// All stored entries, in the form of the server-sent events that the inbox page receives.
fn events_of_the_stream(harness: &Harness) -> String {
    let requests = harness.requests().len();
    let mut stream = harness.connect();
    stream.write_all(b"GET /_sandbox/stream?from=start HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut received = Vec::new();
    let mut piece = [0; 65_536];
    // The stream sends requests after all other kinds.
    let is_whole = |received: &[u8]| {
        let text = String::from_utf8_lossy(received);
        text.trim_end_matches("\r\n").ends_with("\n\n")
            && text.matches("event: request\n").count() >= requests
    };
    while !is_whole(&received) {
        let count = stream.read(&mut piece).unwrap();
        assert_ne!(count, 0, "the stream ended");
        received.extend_from_slice(&piece[..count]);
    }
    let received = String::from_utf8(received).unwrap();
    for kind in ["message", "attempt", "request"] {
        assert!(received.contains(&format!("event: {kind}")), "nothing of {kind} on the stream");
    }
    received
}

#[test]
fn acc_079_no_output_of_the_sandbox_contains_a_secret() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    let hook = format!("{}/hook?token=tok-4711", receiver.url);
    harness.post("/2fa/send", body()).ok();
    harness.post("/sms", json!({"from": "A", "to": "306912345678", "text": "t", "callback": hook})).ok();
    harness.get(&format!("/lookup?key={}&msisdn=306912345678", text(&harness, "api_key"))).ok();
    harness.post(&format!("/pa/set_webhook?ta={}", harness.traffic_account()), json!({"url": hook})).ok();
    let bot = format!("/{}/setWebhook?url={hook}", text(&harness, "bot_id"));
    harness.call("GET", &bot, &[], None).is(200);
    harness.call("POST", "/sms", &pair("X-Service-API-Key", "wrong-but-secret"), Some("{}")).is(401);
    harness.settings(json!({"callback": {"url": hook}, "chat_callback": hook}));
    harness.advance("1s");
    let accounts = harness.settings(json!({}))["callback"].to_string();
    let outputs = [
        harness.control("GET", "/requests", Value::Null).to_string(),
        harness.control("GET", "/events", Value::Null).to_string(),
        harness.control("GET", "/callbacks", Value::Null).to_string(),
        harness.control("GET", "", Value::Null).to_string(),
        accounts,
        harness.control("GET", "/messages", Value::Null).to_string(),
        harness.control("GET", "/ledger", Value::Null).to_string(),
        harness.control("GET", "/inbox", Value::Null).to_string(),
        harness.control("GET", "/limits", Value::Null).to_string(),
        events_of_the_stream(&harness),
        harness.get("/").text,
    ];
    let basic = basic(text(&harness, "account_sid"), text(&harness, "api_key"));
    let secrets = [
        text(&harness, "api_key"),
        text(&harness, "sms_key"),
        text(&harness, "messenger_b_token"),
        text(&harness, "bot_id"),
        basic.trim_start_matches("Basic "),
        "tok-4711",
        "wrong-but-secret",
    ];
    for (place, output) in outputs.iter().enumerate() {
        for secret in secrets {
            assert!(!output.contains(secret), "output {place} contains {secret}");
        }
    }
    assert!(
        receiver.received().iter().all(|request| request.target.contains("token=tok-4711")),
        "the target receives the token"
    );
}

#[test]
fn acc_073_the_scheme_may_be_written_in_any_case() {
    let harness = Harness::new(&[]);
    let right = basic(text(&harness, "account_sid"), text(&harness, "api_key"));
    let secret = right.strip_prefix("Basic ").unwrap();
    let status = |value: String| {
        harness.call("POST", "/2fa/send", &pair("Authorization", &value), Some(&body().to_string())).status
    };
    for scheme in ["Basic", "basic", "BASIC", "bAsIc"] {
        assert_eq!(status(format!("{scheme} {secret}")), 200, "{scheme}");
        assert_eq!(status(format!("{scheme} x{secret}")), 401, "{scheme}");
    }
    assert_eq!(status(format!("Bearer {secret}")), 401);
    assert_eq!(status(format!("basic  {secret}")), 200, "one space or more");
    assert_eq!(status(secret.to_owned()), 401);
    let upper = right.to_ascii_uppercase();
    assert_eq!(status(upper), 401, "the credentials are case-sensitive");
}
