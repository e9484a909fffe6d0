//! Row 202: each default on which a whole answer can lean is a 501 that names it. The others (D05, D06, D10, D18, D34 to D37, D43,
//! D44, D46 to D48, D53, D59, D63: no answer shows them; D19, D21, D22, D39, D49, D54: one member does) never are.

use serde_json::{Value, json};

use crate::lab::{Lab, Reply};
use crate::otp::{body, with};
use crate::sms::sms;

type Trigger = fn(&Lab) -> Reply;

fn otp(lab: &Lab, changes: Value) -> Reply {
    lab.post("/2fa/send", with(changes))
}

fn sent(lab: &Lab) -> (String, String) {
    let id = lab.post("/2fa/send", body()).ok()["requestID"].as_str().unwrap().to_owned();
    let code = lab.last("306912345678")["otp"].as_str().unwrap().to_owned();
    (id, code)
}

fn verify(lab: &Lab, id: &str, code: &str) -> Reply {
    lab.post("/2fa/verify", json!({"service": "login", "requestId": id, "code": code}))
}

fn cancel(lab: &Lab, id: &str, sid: &str) -> Reply {
    lab.post("/2fa/cancel", json!({"requestId": id, "accountSid": sid}))
}

fn limit(lab: &Lab) -> Value {
    let buckets = r#"[{"name":"b","max":"1","interval":"60"}]"#;
    lab.post("/2fa/limits", json!({"name": "limit_on_ip", "buckets": buckets, "description": "d"})).ok()["data"].clone()
}

fn chat(lab: &Lab, changes: Value) -> Reply {
    let mut message = json!({"trafficAccountId": lab.traffic_account(), "destination": "306912345678"});
    message.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    lab.post("/messages/send", message)
}

fn bulk(lab: &Lab, version: &str, changes: Value) -> Reply {
    let mut message = json!({"trafficAccountId": lab.traffic_account(), "destinations": ["306912345678"]});
    message.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    lab.post(&format!("/api/v{version}/Messages/sendbulk"), message)
}

fn text() -> Value {
    json!({"sms": {"text": "Hi", "sender": "Acme"}})
}

fn failover(lab: &Lab) -> Reply {
    let account = lab.traffic_account();
    let failover = json!({"type": "Timeout", "timeoutFailover":
        {"timeoutInSeconds": 60, "status": "Delivered", "trafficAccounts": [account]}});
    chat(lab, json!({"sms": {"text": "Hi", "sender": "Acme"}, "failover": failover}))
}

fn bot(lab: &Lab, call: &str) -> Reply {
    lab.get(&format!("/{}/{call}", lab.config["bot_id"].as_str().unwrap()))
}

fn webhook(lab: &Lab, query: &str, body: Value) -> Reply {
    lab.post(&format!("/pa/set_webhook{query}"), body)
}

fn limited(lab: &Lab) -> Reply {
    limit(lab);
    otp(lab, json!({"limits": {"limit_on_ip": "10.0.0.1"}})).ok();
    otp(lab, json!({"limits": {"limit_on_ip": "10.0.0.1"}}))
}

/// A content type that is not JSON.
fn form(lab: &Lab) -> Reply {
    let mut headers = Lab::auth(&lab.config, "/sms");
    headers.push(("Content-Type".to_owned(), "application/x-www-form-urlencoded".to_owned()));
    lab.call("POST", "/sms", &headers, Some("{}"))
}

const OTHER_ACCOUNT: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";

/// A default, the switches that it needs, and the call that leans on it.
const CASES: &[(&str, &[&str], Trigger)] = &[
    ("D01", &[], |lab| lab.get("/2fa/limits/search/LM1")),
    ("D02", &[], |lab| verify(lab, &sent(lab).0, "no")),
    ("D03", &[], |lab| lab.get("/2fa/search/OTP1")),
    ("D03", &[], |lab| verify(lab, "OTP1", "1")),
    ("D03", &[], |lab| lab.get("/2fa/workflows/search/WF1")),
    ("D04", &[], |lab| {
        let (id, code) = sent(lab);
        cancel(lab, &id, lab.sid()).is(200);
        verify(lab, &id, &code)
    }),
    ("D07", &["--otp-max-checks=1"], |lab| {
        let (id, _) = sent(lab);
        verify(lab, &id, "no").is(400);
        verify(lab, &id, "no")
    }),
    ("D08", &[], |lab| otp(lab, json!({"channel": null}))),
    ("D09", &[], |lab| otp(lab, json!({"guardTime": 60}))),
    ("D11", &[], |lab| otp(lab, json!({"body": "x"}))),
    ("D12", &[], |lab| otp(lab, json!({"voice": "male"}))),
    ("D13", &[], limited),
    ("D14", &[], limited),
    ("D15", &[], |lab| otp(lab, json!({"service": ""}))),
    ("D16", &[], |lab| otp(lab, json!({"limits": {"nothing": "x"}}))),
    ("D17", &[], |lab| {
        let sid = limit(lab)["sid"].as_str().unwrap().to_owned();
        lab.put(&format!("/2fa/limits/{sid}"), json!({"description": "e"}))
    }),
    ("D20", &[], |lab| lab.get("/2fa/search?page=x")),
    ("D23", &[], |lab| lab.call("POST", "/sms", &[], Some("{}"))),
    ("D24", &["--allow-ip=10.0.0.0/8"], |lab| lab.post("/sms", sms(json!({})))),
    ("D25", &[], |lab| chat(lab, text())),
    ("D26", &[], |lab| lab.post("/sms", sms(json!({"type": "x"})))),
    ("D27", &[], |lab| lab.post("/sms", sms(json!({"to": "x"})))),
    ("D28", &[], |lab| lab.post("/sms", sms(json!({"to": "x"})))),
    ("D29", &[], |lab| otp(lab, json!({"to": "+306912345678"}))),
    ("D30", &[], |lab| lab.post("/smsbulk", sms(json!({"to": "306912345678,x"})))),
    ("D31", &[], |lab| lab.get(&format!("/lookup?msisdn={}", ["306912345678"; 1_001].join(",")))),
    ("D32", &[], |lab| lab.post("/sms.xml", sms(json!({})))),
    ("D33", &[], |lab| lab.post("/sms/converted.json", json!({"messageId": "x"}))),
    ("D38", &[], |lab| lab.get("/lookup?msisdn=9996040001")),
    ("D40", &[], failover),
    ("D41", &[], |lab| chat(lab, json!({"sms": {"text": "", "sender": "Acme"}}))),
    ("D42", &[], |lab| {
        chat(
            lab,
            json!({"sms": {"text": "Hi", "sender": "Acme"}, "messenger_b": {"type": "session", "text": "Hi"}}),
        )
    }),
    ("D42", &[], |lab| {
        bulk(
            lab,
            "1.1",
            json!({"sms": {"text": "Hi", "sender": "Acme"}, "messenger_b": {"type": "session", "text": "Hi"}}),
        )
    }),
    ("D45", &[], |lab| {
        chat(lab, json!({"trafficAccountId": OTHER_ACCOUNT, "sms": {"text": "Hi", "sender": "Acme"}}))
    }),
    ("D50", &["--rate=1/h"], |lab| {
        lab.post("/sms", sms(json!({}))).is(200);
        lab.post("/sms", sms(json!({})))
    }),
    ("D51", &[], |lab| bulk(lab, "2.0", text())),
    ("D51", &[], |lab| bulk(lab, "1.0", text())),
    ("D52", &[], |lab| cancel(lab, &sent(lab).0, "AC1")),
    ("D55", &[], |lab| lab.post("/sms", sms(json!({"from": "twelve chars"})))),
    ("D56", &[], |lab| lab.call("POST", "/pa/set_webhook", &[], Some(r#"{"url":""}"#))),
    ("D57", &[], |lab| bot(lab, "deleteWebhook")),
    ("D58", &[], |lab| {
        let query = format!("?ta={}", lab.traffic_account());
        webhook(lab, &query, json!({"url": format!("http://127.0.0.1:9/?ta={OTHER_ACCOUNT}")}))
    }),
    ("D60", &[], |lab| lab.get("/2fa/usage/records?channel=sms")),
    ("D61", &[], |lab| lab.get("/2fa/usage/records/monthly")),
    ("D62", &[], |lab| {
        lab.get(&format!(
            "/2fa/workflows/search?accountSid={}",
            lab.second()["account_sid"].as_str().unwrap()
        ))
    }),
    ("D64", &[], |lab| chat(lab, json!({"messenger_c": {"text": {"message": "<b>", "parseMode": "Html"}}}))),
    ("D65", &[], |lab| lab.post("/smsbulk.xml", sms(json!({})))),
    ("D66", &[], form),
    ("D66", &[], |lab| webhook(lab, "", json!({"url": "http://127.0.0.1:9/", "event_types": ["nothing"]}))),
];

#[test]
fn acc_202_each_default_of_an_answer_is_a_501() {
    for (id, switches, trigger) in CASES {
        let strict = format!("--strict={id}");
        let lab = Lab::new(&[&[strict.as_str()], *switches].concat());
        let reply = trigger(&lab);
        let (status, text) = (reply.status, &reply.text);
        assert_eq!(status, 501, "{id}: {text}");
        assert!(reply.assumed().split(',').any(|one| one == *id), "{id}: {:?}", reply.headers);
        // The elements of a lookup have no member for a text.
        assert!(text.contains(id) || text.starts_with("[{\"response\""), "{id}: {text}");
        let lax = Lab::new(switches);
        assert_ne!(trigger(&lax).status, 501, "{id}");
    }
}
