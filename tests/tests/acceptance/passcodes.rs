//! Rows 1 to 21 and 33 to 36: sending passcodes.

use serde_json::{Value, json};

use crate::harness::Harness;

pub const TO: &str = "306912345678";

pub fn body() -> Value {
    json!({"service": "login", "from": "Acme", "to": TO, "body": "Your code is {code}", "channel": "sms"})
}

fn body_over(channel: &str) -> Value {
    with(json!({"channel": channel}))
}

pub fn with(changes: Value) -> Value {
    let mut body = body();
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

#[track_caller]
pub fn send(harness: &Harness, changes: Value) -> String {
    let response = harness.post("/2fa/send", with(changes)).ok();
    response["requestID"].as_str().unwrap().to_owned()
}

pub fn code(harness: &Harness) -> String {
    harness.last(TO)["otp"].as_str().unwrap().to_owned()
}

pub fn verify(harness: &Harness, id: &str, code: &str) -> u16 {
    harness.post("/2fa/verify", json!({"service": "login", "requestId": id, "code": code})).status
}

pub fn record(harness: &Harness, id: &str) -> Value {
    harness.get(&format!("/2fa/search/{id}")).ok()
}

/// A code that differs from `code`.
pub fn wrong(code: &str) -> String {
    if code == "000000" { "000001".to_owned() } else { "000000".to_owned() }
}

#[test]
fn acc_001_a_passcode_is_sent_to_the_inbox() {
    let harness = Harness::new(&[]);
    let response = harness.post("/2fa/send", body()).ok();
    assert_eq!((response["code"].as_i64(), response["message"].as_str()), (Some(200), Some("OK")));
    assert!(response["requestID"].as_str().unwrap().starts_with("OTP"));
    let message = harness.last(TO);
    let code = message["otp"].as_str().unwrap();
    assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()));
    assert_eq!(message["text"], format!("Your code is {code}"));
}

#[test]
fn acc_001_the_client_sends_and_verifies() {
    let harness = Harness::new(&[]);
    let sent = harness
        .via("otp.send", json!({"service": "login", "from": "Acme", "to": TO, "body": "{code}"}))
        .unwrap();
    let check = |code: &str| json!({"service": "login", "requestId": sent["requestID"], "code": code});
    let right = code(&harness);
    assert_eq!(harness.via("otp.verify", check(&wrong(&right))).unwrap()["code"], 400);
    assert_eq!(harness.via("otp.verify", check(&right)).unwrap()["code"], 200);
}

#[test]
fn acc_002_paths_with_and_without_the_suffix_json_are_the_same() {
    let harness = Harness::new(&[]);
    let sent = harness.post("/2fa/send.json", body()).ok();
    let id = sent["requestID"].as_str().unwrap();
    assert_eq!(harness.get(&format!("/2fa/search/{id}.json")).ok()["sid"], id);
    for path in [
        "/2fa/search",
        "/2fa/usage/records",
        "/2fa/usage/records/daily",
        "/2fa/limits/search",
        "/2fa/workflows/search",
    ] {
        assert_eq!(harness.get(path).ok(), harness.get(&format!("{path}.json")).ok(), "{path}");
    }
    let check = json!({"service": "login", "requestId": id, "code": code(&harness)});
    harness.post("/2fa/verify.json", check).is(200);
    harness.post("/2fa/cancel.json", json!({"requestId": id, "accountSid": harness.sid()})).is(410);
}

#[test]
fn acc_003_the_members_from_and_to_are_accepted_with_capitals() {
    let harness = Harness::new(&[]);
    let body = json!({"service": "login", "From": "Acme", "To": TO, "body": "{code}", "channel": "call"});
    harness.post("/2fa/send", body).ok();
    assert_eq!(
        (harness.last(TO)["from"].as_str(), harness.last(TO)["channel"].as_str()),
        (Some("Acme"), Some("call"))
    );
}

#[test]
fn acc_004_a_missing_or_invalid_required_field_is_named() {
    let harness = Harness::new(&[]);
    for name in ["service", "from", "to", "body"] {
        for bad in [Value::Null, json!(""), json!(7), json!(["x"])] {
            let reply = harness.post("/2fa/send", with(json!({ name: bad }))).is(400);
            assert!(
                reply.json()["message"].as_str().unwrap().contains(&format!("`{name}`")),
                "{}",
                reply.text
            );
        }
    }
    assert!(harness.inbox_is_empty() && harness.ledger().is_empty());
}

#[test]
fn acc_005_two_placeholders_get_the_same_digits() {
    let harness = Harness::new(&[]);
    send(&harness, json!({"body": "{code}-{code}"}));
    let code = code(&harness);
    assert_eq!(harness.last(TO)["text"], format!("{code}-{code}"));
}

#[test]
fn acc_006_codes_are_six_uniform_digits() {
    let harness = Harness::new(&["--seed=11"]);
    let mut counts = [[0_u32; 10]; 6];
    let mut zero_first = 0;
    for round in 0..10_000 {
        send(&harness, json!({"to": format!("3069{:08}", round / 100)}));
    }
    let found = harness.control("GET", "/messages?limit=10000", Value::Null);
    for message in found["messages"].as_array().unwrap() {
        let code = message["otp"].as_str().unwrap().as_bytes();
        assert_eq!(code.len(), 6);
        zero_first += u32::from(code[0] == b'0');
        for (place, digit) in code.iter().enumerate() {
            counts[place][usize::from(digit - b'0')] += 1;
        }
    }
    assert!(zero_first > 800, "codes with a leading zero must occur");
    for place in counts {
        let chi: f64 = place.iter().map(|count| (f64::from(*count) - 1_000.0).powi(2) / 1_000.0).sum();
        assert!(chi < 33.72, "chi-square with 9 degrees of freedom at 0.0001, for six places: {chi}");
    }
}

#[test]
fn acc_006_codes_repeat_only_with_the_same_seed() {
    let first = |switches: &[&str]| {
        let harness = Harness::new(switches);
        (0..3)
            .map(|_| {
                send(&harness, json!({}));
                code(&harness)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(first(&["--seed=5"]), first(&["--seed=5"]));
    assert_ne!(first(&["--seed=5"]), first(&["--seed=6"]));
    assert_ne!(first(&[]), first(&[]));
}

#[test]
fn acc_007_a_body_without_a_code_placeholder_is_rejected() {
    let harness = Harness::new(&[]);
    let reply = harness.post("/2fa/send", with(json!({"body": "Hello"}))).is(400);
    assert!(reply.assumed().contains("D11"));
    assert!(harness.inbox_is_empty());
}

#[test]
fn acc_008_009_the_event_has_the_channel_of_the_request() {
    let harness = Harness::new(&[]);
    let sms = send(&harness, json!({"channel": "sms"}));
    let call = send(&harness, json!({"channel": "call"}));
    assert_eq!(record(&harness, &sms)["events"][0]["channel"], "sms");
    assert_eq!(record(&harness, &call)["events"][0]["channel"], "call");
    let spoken = harness.last(TO);
    assert_eq!(spoken["channel"], "call");
    assert_eq!(spoken["text"], format!("Your code is {}", spoken["otp"].as_str().unwrap()));
    let usage = harness.get("/2fa/usage/records?channel=call").ok();
    assert_eq!(usage["usageRecords"][0]["count"], "1");
}

#[test]
fn acc_009_a_passcode_by_call_is_in_the_inbox() {
    let harness = Harness::new(&[]);
    harness.via("otp.send", body_over("call")).unwrap();
    assert_eq!(harness.last(TO)["channel"], "call");
}

#[test]
fn acc_010_without_a_channel_the_passcode_is_sent_by_sms_and_flagged() {
    let harness = Harness::new(&[]);
    let reply = harness.post("/2fa/send", with(json!({"channel": null}))).is(200);
    assert_eq!((reply.assumed(), harness.last(TO)["channel"].as_str()), ("D08", Some("sms")));
}

#[test]
fn acc_011_an_unknown_channel_is_refused() {
    let reply = Harness::new(&[]).post("/2fa/send", with(json!({"channel": "fax"}))).is(400);
    assert!(reply.json()["message"].as_str().unwrap().contains("`channel`"));
}

#[test]
fn acc_012_language_voice_and_a_chosen_code_apply_to_a_call() {
    let harness = Harness::new(&[]);
    let voice =
        json!({"channel": "call", "language": "el-GR", "voice": "female", "code": "4711", "body": "{code}"});
    let id = send(&harness, voice);
    let spoken = harness.last(TO);
    assert_eq!(
        (spoken["text"].as_str(), spoken["language"].as_str(), spoken["voice"].as_str()),
        (Some("4711"), Some("el-GR"), Some("female"))
    );
    assert_eq!(verify(&harness, &id, "4711"), 200);
    for bad in [
        json!({"voice": "robot"}),
        json!({"code": "123"}),
        json!({"code": "12345678901"}),
        json!({"code": "12a4"}),
    ] {
        harness.post("/2fa/send", with(bad)).is(400);
    }
}

#[test]
fn acc_018_a_second_passcode_cancels_the_first() {
    let harness = Harness::new(&[]);
    let first = send(&harness, json!({}));
    let first_code = code(&harness);
    let second = send(&harness, json!({}));
    assert_eq!(record(&harness, &first)["status"], "canceled");
    assert_eq!(verify(&harness, &first, &first_code), 410);
    assert_eq!(record(&harness, &second)["status"], "pending");
    let other = send(&harness, json!({"service": "payment"}));
    assert_eq!(
        record(&harness, &second)["status"],
        "pending",
        "a passcode of another service cancels nothing"
    );
    assert_ne!(other, second);
}

#[test]
fn acc_019_during_guard_time_a_second_passcode_does_not_cancel_the_first() {
    let harness = Harness::new(&[]);
    let first = send(&harness, json!({"guardTime": 120}));
    let first_code = code(&harness);
    let second = send(&harness, json!({}));
    assert_eq!(verify(&harness, &first, &first_code), 200);
    assert_eq!(verify(&harness, &second, &code(&harness)), 200);
}

#[test]
fn acc_020_after_guard_time_the_first_passcode_expires() {
    let harness = Harness::new(&[]);
    let first = send(&harness, json!({"guardTime": 120}));
    let first_code = code(&harness);
    harness.advance("60s");
    let second = send(&harness, json!({}));
    harness.advance("59s");
    assert_eq!(record(&harness, &first)["status"], "pending");
    harness.advance("1s");
    assert_eq!(record(&harness, &first)["status"], "expired", "120 s after it was created");
    assert_eq!(verify(&harness, &first, &first_code), 410);
    assert_eq!(verify(&harness, &second, &code(&harness)), 200);
}

#[test]
fn acc_021_guard_time_is_an_integer_of_seconds() {
    let harness = Harness::new(&[]);
    for (guard, status) in
        [(json!(60), 200), (json!("60"), 200), (json!(-1), 400), (json!("soon"), 400), (json!(1.5), 400)]
    {
        let reply = harness.post("/2fa/send", with(json!({"guardTime": guard}))).is(status);
        assert!(reply.assumed().contains("D09"));
    }
}

#[test]
fn acc_021_the_message_about_guard_time_names_the_requirement() {
    let harness = Harness::new(&[]);
    for guard in [json!(-1), json!("-5"), json!(1.5), json!("1.5"), json!("soon"), json!("")] {
        let body = harness.post("/2fa/send", with(json!({"guardTime": guard}))).is(400).json();
        let message = body["message"].as_str().unwrap();
        assert!(message.starts_with("`guardTime`: must be an integer of 0 or more"), "{message}");
    }
    for guard in [json!(true), json!([60]), json!({})] {
        let reply = harness.post("/2fa/send", with(json!({"guardTime": guard}))).is(400);
        assert!(reply.json()["message"].as_str().unwrap().starts_with("`guardTime`: "), "{}", reply.text);
    }
    for long in [json!(400 * 86_400), json!(u64::MAX), json!("99999999999999999999999")] {
        harness.post("/2fa/send", with(json!({"guardTime": long}))).is(200);
    }
}

#[test]
fn acc_033_every_error_has_three_members() {
    let harness = Harness::new(&[]);
    let replies = [
        harness.post("/2fa/send", json!({})),
        harness.post("/2fa/verify", json!({"service": "a", "requestId": "b", "code": "c"})),
        harness.get("/2fa/search/OTP1"),
        harness.get("/2fa/limits/search/LM1"),
        harness.delete("/2fa/workflows/WF1"),
        harness.get("/2fa/usage/records/monthly"),
        harness.call("POST", "/2fa/send", &[], Some("{}")),
        harness.call("POST", "/2fa/send", &Harness::auth(&harness.config, "/2fa"), Some("{")),
        harness.delete("/2fa/send"),
    ];
    for reply in replies {
        let error = reply.json();
        let members: Vec<&String> = error.as_object().unwrap().keys().collect();
        assert_eq!(members, ["code", "message", "requestID"], "{}", reply.text);
        assert!(error["requestID"].is_null() && error["code"].as_u64() == Some(u64::from(reply.status)));
    }
}

#[test]
fn acc_034_ids_have_their_prefixes() {
    let harness = Harness::new(&[]);
    let id = send(&harness, json!({}));
    verify(&harness, &id, &code(&harness));
    let record = record(&harness, &id);
    let at = |pointer: &str| record.pointer(pointer).unwrap().as_str().unwrap().to_owned();
    assert!(at("/sid").starts_with("OTP") && at("/accountSid").starts_with("AC"));
    assert!(at("/checks/0/sid").starts_with("OTC") && at("/events/0/sid").starts_with("OTE"));
    assert!(at("/events/0/targetSid").starts_with("SM"));
}

#[test]
fn acc_035_036_magic_numbers_select_a_failed_delivery() {
    let harness = Harness::new(&[]);
    let event = |to: &str| record(&harness, &send(&harness, json!({"to": to})))["events"][0].clone();
    let undelivered = event("9994220001");
    assert_eq!(undelivered["channelStatus"], "undelivered");
    assert!(undelivered["channelErrorCode"].is_string() && undelivered["channelErrorMessage"].is_string());
    assert_eq!(event("9995000001")["channelStatus"], "failed");
}

#[test]
fn acc_036_a_successful_delivery_has_no_error_code() {
    let harness = Harness::new(&[]);
    let event = record(&harness, &send(&harness, json!({})))["events"][0].clone();
    assert_eq!(event["channelStatus"], "delivered");
    assert!(event["channelErrorCode"].is_null() && event["channelErrorMessage"].is_null());
}
