//! Row 202: with `--strict`, the sandbox responds with 501 instead of a response that depends on an assumption. The 501 contains the
//! id of the assumption.
//!
//! Two groups of assumptions are not in [`CASES`]. No response depends on D05, D06, D10, D18, D34 to D37, D43, D44, D46 to D48, D53, D59
//! or D63. Only a single member of a response depends on D19, D21, D22, D39, D49 or D54.

use serde_json::{Value, json};

use crate::harness::{Harness, Reply};
use crate::passcodes::{body, with};
use crate::sms::sms;

type Trigger = fn(&Harness) -> Reply;

fn otp(harness: &Harness, changes: Value) -> Reply {
    harness.post("/2fa/send", with(changes))
}

fn sent(harness: &Harness) -> (String, String) {
    let id = harness.post("/2fa/send", body()).ok()["requestID"].as_str().unwrap().to_owned();
    let code = harness.last("306912345678")["otp"].as_str().unwrap().to_owned();
    (id, code)
}

fn verify(harness: &Harness, id: &str, code: &str) -> Reply {
    harness.post("/2fa/verify", json!({"service": "login", "requestId": id, "code": code}))
}

fn cancel(harness: &Harness, id: &str, sid: &str) -> Reply {
    harness.post("/2fa/cancel", json!({"requestId": id, "accountSid": sid}))
}

fn limit(harness: &Harness) -> Value {
    let buckets = r#"[{"name":"b","max":"1","interval":"60"}]"#;
    harness.post("/2fa/limits", json!({"name": "limit_on_ip", "buckets": buckets, "description": "d"})).ok()["data"].clone()
}

fn chat(harness: &Harness, changes: Value) -> Reply {
    let mut message = json!({"trafficAccountId": harness.traffic_account(), "destination": "306912345678"});
    message.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    harness.post("/messages/send", message)
}

fn bulk(harness: &Harness, version: &str, changes: Value) -> Reply {
    let mut message =
        json!({"trafficAccountId": harness.traffic_account(), "destinations": ["306912345678"]});
    message.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    harness.post(&format!("/api/v{version}/Messages/sendbulk"), message)
}

fn text() -> Value {
    json!({"sms": {"text": "Hi", "sender": "Acme"}})
}

fn failover(harness: &Harness) -> Reply {
    let account = harness.traffic_account();
    let failover = json!({"type": "Timeout", "timeoutFailover":
        {"timeoutInSeconds": 60, "status": "Delivered", "trafficAccounts": [account]}});
    chat(harness, json!({"sms": {"text": "Hi", "sender": "Acme"}, "failover": failover}))
}

fn bot(harness: &Harness, call: &str) -> Reply {
    harness.get(&format!("/{}/{call}", harness.config["bot_id"].as_str().unwrap()))
}

fn webhook(harness: &Harness, query: &str, body: Value) -> Reply {
    harness.post(&format!("/pa/set_webhook{query}"), body)
}

fn limited(harness: &Harness) -> Reply {
    limit(harness);
    otp(harness, json!({"limits": {"limit_on_ip": "10.0.0.1"}})).ok();
    otp(harness, json!({"limits": {"limit_on_ip": "10.0.0.1"}}))
}

/// A content type that is not JSON.
fn form(harness: &Harness) -> Reply {
    let mut headers = Harness::auth(&harness.config, "/sms");
    headers.push(("Content-Type".to_owned(), "application/x-www-form-urlencoded".to_owned()));
    harness.call("POST", "/sms", &headers, Some("{}"))
}

const OTHER_ACCOUNT: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";

/// Each case: an assumption, the switches that it needs, and a call whose response depends on it.
const CASES: &[(&str, &[&str], Trigger)] = &[
    ("D01", &[], |harness| harness.get("/2fa/limits/search/LM1")),
    ("D02", &[], |harness| verify(harness, &sent(harness).0, "no")),
    ("D03", &[], |harness| harness.get("/2fa/search/OTP1")),
    ("D03", &[], |harness| verify(harness, "OTP1", "1")),
    ("D03", &[], |harness| harness.get("/2fa/workflows/search/WF1")),
    ("D04", &[], |harness| {
        let (id, code) = sent(harness);
        cancel(harness, &id, harness.sid()).is(200);
        verify(harness, &id, &code)
    }),
    ("D07", &["--otp-max-checks=1"], |harness| {
        let (id, _) = sent(harness);
        verify(harness, &id, "no").is(400);
        verify(harness, &id, "no")
    }),
    ("D08", &[], |harness| otp(harness, json!({"channel": null}))),
    ("D09", &[], |harness| otp(harness, json!({"guardTime": 60}))),
    ("D11", &[], |harness| otp(harness, json!({"body": "x"}))),
    ("D12", &[], |harness| otp(harness, json!({"voice": "male"}))),
    ("D13", &[], limited),
    ("D14", &[], limited),
    ("D15", &[], |harness| otp(harness, json!({"service": ""}))),
    ("D16", &[], |harness| otp(harness, json!({"limits": {"nothing": "x"}}))),
    ("D17", &[], |harness| {
        let sid = limit(harness)["sid"].as_str().unwrap().to_owned();
        harness.put(&format!("/2fa/limits/{sid}"), json!({"description": "e"}))
    }),
    ("D20", &[], |harness| harness.get("/2fa/search?page=x")),
    ("D23", &[], |harness| harness.call("POST", "/sms", &[], Some("{}"))),
    ("D24", &["--allow-ip=10.0.0.0/8"], |harness| harness.post("/sms", sms(json!({})))),
    ("D25", &[], |harness| chat(harness, text())),
    ("D26", &[], |harness| harness.post("/sms", sms(json!({"type": "x"})))),
    ("D27", &[], |harness| harness.post("/sms", sms(json!({"to": "x"})))),
    ("D28", &[], |harness| harness.post("/sms", sms(json!({"to": "x"})))),
    ("D29", &[], |harness| otp(harness, json!({"to": "+306912345678"}))),
    ("D30", &[], |harness| harness.post("/smsbulk", sms(json!({"to": "306912345678,x"})))),
    ("D31", &[], |harness| harness.get(&format!("/lookup?msisdn={}", ["306912345678"; 1_001].join(",")))),
    ("D32", &[], |harness| harness.post("/sms.xml", sms(json!({})))),
    ("D33", &[], |harness| harness.post("/sms/converted.json", json!({"messageId": "x"}))),
    ("D38", &[], |harness| harness.get("/lookup?msisdn=9996040001")),
    ("D40", &[], failover),
    ("D41", &[], |harness| chat(harness, json!({"sms": {"text": "", "sender": "Acme"}}))),
    ("D42", &[], |harness| {
        chat(
            harness,
            json!({"sms": {"text": "Hi", "sender": "Acme"}, "messenger_b": {"type": "session", "text": "Hi"}}),
        )
    }),
    ("D42", &[], |harness| {
        bulk(
            harness,
            "1.1",
            json!({"sms": {"text": "Hi", "sender": "Acme"}, "messenger_b": {"type": "session", "text": "Hi"}}),
        )
    }),
    ("D45", &[], |harness| {
        chat(harness, json!({"trafficAccountId": OTHER_ACCOUNT, "sms": {"text": "Hi", "sender": "Acme"}}))
    }),
    ("D50", &["--rate=1/h"], |harness| {
        harness.post("/sms", sms(json!({}))).is(200);
        harness.post("/sms", sms(json!({})))
    }),
    ("D51", &[], |harness| bulk(harness, "2.0", text())),
    ("D51", &[], |harness| bulk(harness, "1.0", text())),
    ("D52", &[], |harness| cancel(harness, &sent(harness).0, "AC1")),
    ("D55", &[], |harness| harness.post("/sms", sms(json!({"from": "twelve chars"})))),
    ("D56", &[], |harness| harness.call("POST", "/pa/set_webhook", &[], Some(r#"{"url":""}"#))),
    ("D57", &[], |harness| bot(harness, "deleteWebhook")),
    ("D58", &[], |harness| {
        let query = format!("?ta={}", harness.traffic_account());
        webhook(harness, &query, json!({"url": format!("http://127.0.0.1:9/?ta={OTHER_ACCOUNT}")}))
    }),
    ("D60", &[], |harness| harness.get("/2fa/usage/records?channel=sms")),
    ("D61", &[], |harness| harness.get("/2fa/usage/records/monthly")),
    ("D62", &[], |harness| {
        harness.get(&format!(
            "/2fa/workflows/search?accountSid={}",
            harness.second()["account_sid"].as_str().unwrap()
        ))
    }),
    ("D64", &[], |harness| {
        chat(harness, json!({"messenger_c": {"text": {"message": "<b>", "parseMode": "Html"}}}))
    }),
    ("D65", &[], |harness| harness.post("/smsbulk.xml", sms(json!({})))),
    ("D66", &[], form),
    ("D66", &[], |harness| {
        webhook(harness, "", json!({"url": "http://127.0.0.1:9/", "event_types": ["nothing"]}))
    }),
];

#[test]
fn acc_202_strict_rejects_each_response_that_depends_on_an_assumption() {
    for (id, switches, trigger) in CASES {
        let strict = format!("--strict={id}");
        let harness = Harness::new(&[&[strict.as_str()], *switches].concat());
        let reply = trigger(&harness);
        let (status, text) = (reply.status, &reply.text);
        assert_eq!(status, 501, "{id}: {text}");
        assert!(reply.assumed().split(',').any(|assumption| assumption == *id), "{id}: {:?}", reply.headers);
        // The elements of a lookup response have no member for a message.
        assert!(text.contains(id) || text.starts_with("[{\"response\""), "{id}: {text}");
        let lax = Harness::new(switches);
        assert_ne!(trigger(&lax).status, 501, "{id}");
    }
}
