//! Row 198: the calls of the control API that the inbox page makes.

use serde_json::{Value, json};

use crate::failover;
use crate::harness::Harness;
use crate::message_harness::MessageHarness;
use crate::scripted_receiver::{Receiver, Scripted};
use crate::sms::sms;

fn numbers(found: &Value) -> Vec<&str> {
    found["messages"].as_array().unwrap().iter().map(|message| message["to"].as_str().unwrap()).collect()
}

/// Makes a call of the control API that must be rejected. Returns the field and the message of the error.
#[track_caller]
fn refused(harness: &Harness, method: &str, path: &str, body: &Value) -> (String, String) {
    let reply =
        harness.call(method, &format!("/_sandbox{path}"), &[], Some(&body.to_string())).is(400).json();
    let text = |name: &str| reply[name].as_str().unwrap_or_default().to_owned();
    (text("field"), text("message"))
}

#[test]
fn acc_198_all_stored_messages_are_filtered_by_channel_status_and_text() {
    let harness = Harness::new(&[]);
    for number in 0..600 {
        let text = if number == 3 { "A NEEDLE in hay" } else { "hay" };
        harness.post("/sms", sms(json!({"to": format!("306912{number:06}"), "text": text}))).ok();
    }
    harness.post("/sms", sms(json!({"to": "9995000001", "text": "hay", "reference": "order-81"}))).ok();
    crate::chat_sender::send(&harness, json!({"messenger_a": crate::chat_sender::text_message()}));
    harness.advance("1m");
    let find = |query: &str| harness.control("GET", &format!("/messages?{query}"), Value::Null);
    assert_eq!(numbers(&find("text=needle")), ["306912000003"], "not among the newest 500");
    assert_eq!(numbers(&find("text=%2B306912000007")), ["306912000007"], "numbers are searched too");
    assert_eq!(numbers(&find("text=ORDER-81")), ["9995000001"]);
    assert_eq!(numbers(&find("status=failed")), ["9995000001"]);
    assert_eq!(numbers(&find("status=DELIVERED&text=needle")), ["306912000003"]);
    harness.control(
        "POST",
        "/inbound",
        json!({"channel": "sms", "from": "306912000003", "to": "Acme", "text": "Thanks"}),
    );
    assert_eq!(
        find("phone=306912000003")["messages"].as_array().unwrap().len(),
        2,
        "one message in each direction"
    );
    assert_eq!(find("channel=messenger_a")["messages"].as_array().unwrap().len(), 1);
    assert_eq!(find("channel=sms&limit=10000")["messages"].as_array().unwrap().len(), 602);
    assert_eq!(find("channel=sms&status=failed&text=needle")["messages"], json!([]));
}

#[test]
fn acc_198_phones_are_listed_with_their_last_message() {
    let harness = Harness::new(&[]);
    for number in 0..30 {
        harness.post("/sms", sms(json!({"to": format!("3069120000{number:02}"), "text": "hay"}))).ok();
    }
    harness.post("/sms", sms(json!({"to": "306912000004", "text": "a needle"}))).ok();
    let list = |query: &str| harness.control("GET", &format!("/phones?{query}"), Value::Null);
    let all = list("limit=10");
    assert_eq!((all["total"].as_u64(), all["phones"].as_array().unwrap().len()), (Some(30), 10));
    let first = &all["phones"][0];
    assert_eq!((first["number"].as_str(), first["messages"].as_u64()), (Some("306912000004"), Some(2)));
    assert_eq!(first["last"]["text"].as_str(), Some("a needle"));
    assert_eq!(first["channels"], json!(["sms"]));
    let rest = list("limit=10&offset=25");
    assert_eq!(rest["phones"].as_array().unwrap().len(), 5);
    let found = list("text=needle");
    assert_eq!((found["total"].as_u64(), found["phones"][0]["messages"].as_u64()), (Some(1), Some(1)));
}

#[test]
fn acc_198_a_logged_request_has_the_response_that_the_caller_received() {
    let harness = Harness::new(&[]);
    harness.post("/sms", sms(json!({}))).ok();
    harness.post("/sms", sms(json!({"to": ""})));
    let fault = |kind: &str| drop(harness.raw("POST", "/sms", &[("X-Sandbox-Fault", kind)], sms(json!({}))));
    fault("accept-then-gateway; gateway=aws");
    fault("gateway; gateway=grpc");
    fault("close-after-read");
    let requests = harness.requests();
    let response = |n: usize| requests[n]["answer"].clone();
    assert_eq!(response(0)["status"], 200);
    assert_eq!(response(0)["content_type"], "application/json");
    let body: Value = serde_json::from_str(response(0)["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["responseCode"], 0);
    assert_eq!(requests[1]["answer"]["status"], requests[1]["status"]);
    assert!(response(1)["body"].as_str().unwrap().contains("responseText"));
    assert_eq!((response(2)["status"].as_u64(), requests[2]["status"].as_u64()), (Some(504), Some(200)));
    assert!(response(2)["body"].as_str().unwrap().contains("Endpoint request timed out"));
    assert!(response(3)["body"].as_str().unwrap().contains("context deadline exceeded"));
    assert_eq!(response(4), Value::Null, "the connection was closed");
}

#[test]
fn acc_198_a_request_is_copied_as_javascript_without_keys() {
    let harness = Harness::new(&[]);
    harness.post("/sms", sms(json!({"text": "it's `here` ${x}"}))).ok();
    let copy = harness.requests()[0]["copy"]["javascript"].as_str().unwrap().to_owned();
    assert!(copy.starts_with("import { Client } from \"cpaas/client\";\n"), "{copy}");
    assert!(copy.contains("await client.call(\"sms.send\", {"), "{copy}");
    assert!(copy.contains("it's `here` ${x}"), "{copy}");
    assert!(!copy.contains(harness.config["sms_key"].as_str().unwrap()));
}

#[test]
fn acc_198_a_callback_is_replayed() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::scripted(vec![Scripted::Status(410), Scripted::Status(200)]);
    harness.settings(json!({"callback": {"url": receiver.url, "method": "POST"}}));
    harness.post("/sms", sms(json!({}))).ok();
    harness.advance("1m");
    let first = harness.attempts();
    assert_eq!((first.len(), first[0]["status"].as_u64()), (1, Some(410)));
    harness.control("POST", "/callbacks/0/replay", json!({}));
    let both = harness.attempts();
    assert_eq!(
        (both.len(), both[1]["status"].as_u64()),
        (2, Some(200)),
        "also to a target that responded with 410"
    );
    assert_ne!(both[0]["delivery"], both[1]["delivery"]);
    let got = receiver.take();
    assert_eq!(got[0].body, got[1].body);
    assert_eq!(harness.call("POST", "/_sandbox/callbacks/99/replay", &[], Some("{}")).status, 404);
    assert_eq!(harness.call("POST", "/_sandbox/callbacks/x/replay", &[], Some("{}")).status, 404);
    let foreign = [("Origin".to_owned(), "http://evil.example".to_owned())];
    assert_eq!(harness.call("POST", "/_sandbox/callbacks/0/replay", &foreign, Some("{}")).status, 403);
    assert_eq!(harness.attempts().len(), 2);
}

#[test]
fn acc_198_saving_a_url_with_a_hidden_token_keeps_the_token() {
    let harness = Harness::new(&[]);
    let receiver = Receiver::new();
    let url = format!("{}?token=very-secret", receiver.url);
    let shown =
        harness.settings(json!({"callback": {"url": url}, "chat_callback": url, "inbound_callback": url}));
    let redacted = shown["callback"]["url"].as_str().unwrap().to_owned();
    assert!(redacted.ends_with("?token=[secret]"));
    harness.settings(json!({
        "callback": {"url": redacted, "method": "POST"}, "chat_callback": redacted, "inbound_callback": redacted,
    }));
    harness.post("/sms", sms(json!({}))).ok();
    harness.advance("1m");
    assert!(receiver.take()[0].target.ends_with("?token=very-secret"));
    let page = harness.control("GET", "/inbox", Value::Null);
    let settings = &page["accounts"][0]["settings"];
    assert_eq!(settings["callback"]["url"].as_str(), Some(redacted.as_str()));
    assert_eq!(settings["callback"]["method"], "POST");
    assert!(!page.to_string().contains("very-secret"));
    assert_eq!(page["composer"], false);
}

#[test]
fn acc_198_an_error_of_the_control_api_names_the_invalid_field() {
    let harness = Harness::new(&[]);
    let settings = format!("/accounts/{}", harness.sid());
    for (path, body, field) in [
        (
            "/faults",
            json!({"rules": [{"kind": "status"}, {"kind": "latency", "probability": 7}]}),
            "/rules/1/probability",
        ),
        ("/faults", json!({"rules": [{"kind": "status", "status": 7}]}), "/rules/0/status"),
        ("/faults", json!({"rules": [{"kind": "status", "match": {"op": "no"}}]}), "/rules/0/match/op"),
        (
            "/faults",
            json!({"rules": [{"kind": "status", "match": {"account": "no"}}]}),
            "/rules/0/match/account",
        ),
        ("/faults", json!({"rules": [{"kind": "status", "expires": "soon"}]}), "/rules/0/expires"),
        ("/faults", json!({"rules": [{"kind": "no"}]}), "/rules/0/kind"),
        ("/faults", json!({"rules": [{"kind": "status", "nth": "1"}]}), "/rules/0/nth"),
        ("/faults", json!({"rules": [{}]}), "/rules/0/kind"),
        ("/faults", json!({"rules": [{"kind": "status", "color": 1}]}), "/rules/0/color"),
        (settings.as_str(), json!({"callback": {"url": "ftp://a/"}}), "/callback/url"),
        (
            settings.as_str(),
            json!({"callback": {"url": "http://127.0.0.1/", "method": "PUT"}}),
            "/callback/method",
        ),
        (settings.as_str(), json!({"callback": {}}), "/callback/url"),
        (settings.as_str(), json!({"chat_callback": "x"}), "/chat_callback"),
        (settings.as_str(), json!({"inbound_callback": "x"}), "/inbound_callback"),
        (settings.as_str(), json!({"allow_ip": ["127.0.0.1", "x"]}), "/allow_ip/1"),
        (settings.as_str(), json!({"two_way": [5]}), "/two_way/0"),
    ] {
        let (found, message) = refused(&harness, "PUT", path, &body);
        assert_eq!(found, field, "{body}: {message}");
    }
    assert_eq!(refused(&harness, "POST", "/clock", &json!({"advance": "soon"})).0, "/advance");
    assert_eq!(refused(&harness, "POST", "/clock", &json!({})).0, "/advance");
    let found = harness.call("GET", "/_sandbox/messages?limit=x", &[], None).is(400).json();
    assert_eq!(found["field"], "limit");
    let found = harness.call("GET", "/_sandbox/messages?direction=up", &[], None).is(400).json();
    assert_eq!(found["field"], "direction");
    for (query, known) in [
        (
            "status=Deliverd",
            "`status` must be one of accepted, delivered, undelivered, expired, failed, rejected, Created, Ready, Sent, received",
        ),
        ("channel=sm", "`channel` must be one of sms, call, voice, "),
    ] {
        let found = harness.call("GET", &format!("/_sandbox/messages?{query}"), &[], None).is(400).json();
        assert_eq!(found["field"], query.split('=').next().unwrap());
        assert!(found["message"].as_str().unwrap().starts_with(known), "{found}");
    }
    for query in [
        "status=DELIVERED",
        "status=received",
        "status=ready",
        "channel=messenger_b",
        "channel=voice",
        "channel=SMS",
    ] {
        harness.call("GET", &format!("/_sandbox/messages?{query}"), &[], None).is(200);
    }
    let syntax = harness.call("PUT", "/_sandbox/faults", &[], Some("{")).is(400).json();
    assert_eq!(syntax.get("field"), None);
}

#[test]
fn acc_198_every_preset_of_faults_can_be_set() {
    let harness = Harness::new(&[]);
    let presets =
        harness.control("GET", "/faults/presets", Value::Null)["presets"].as_array().unwrap().clone();
    assert!(presets.len() >= 6);
    for preset in presets {
        assert!(!preset["name"].as_str().unwrap().is_empty() && !preset["help"].as_str().unwrap().is_empty());
        let set = harness.control("PUT", "/faults", json!({"rules": preset["rules"]}));
        assert_eq!(set["rules"].as_array().unwrap().len(), preset["rules"].as_array().unwrap().len());
    }
}

#[test]
fn acc_166_198_all_messages_of_a_failover_have_the_same_failover_id() {
    let harness = MessageHarness::new();
    for to in ["9994080001", "9994080002"] {
        harness.post("/messages/send", &failover::body(&harness, to, 90)).ok();
    }
    harness.advance(90);
    let tries = harness.messages("to=9994080001");
    let thread = |n: usize, name: &str| tries[n]["failover"][name].clone();
    assert_eq!((thread(0, "step"), thread(1, "step")), (json!(1), json!(2)));
    assert_eq!(thread(0, "channels"), json!(["messenger_b", "sms"]));
    assert_eq!(thread(1, "timeout"), json!(90));
    assert_eq!(thread(0, "id"), tries[0]["id"], "the id of the first try names the failover");
    assert_eq!(thread(0, "id"), thread(1, "id"));
    assert_ne!(harness.messages("to=9994080002")[0]["failover"]["id"], thread(0, "id"));
}

#[test]
fn acc_198_the_progress_of_a_campaign_is_counted_by_its_references() {
    let harness = Harness::new(&[]);
    let send = |to: &str, reference: &str| {
        harness.post("/sms", sms(json!({"to": to, "reference": reference}))).ok();
    };
    for row in 0..5 {
        send("306912345678", &format!("00ff00ff00ff00ff-{row}-1"));
    }
    send("9995000001", "00ff00ff00ff00ff-5-1");
    send("306912345678", "00ff00ff00ff00ff-2-2");
    send("306912345678", "a1ff00ff00ff00ff-0-1");
    for other in ["booking-7-1", "00ff00ff00ff00ff-5", "00ff00ff00ff00fx-5-1", "00ff00ff00ff00ff-x-1"] {
        send("306912345678", other);
    }
    harness.advance("1m");
    let campaigns =
        harness.control("GET", "/campaigns", Value::Null)["campaigns"].as_array().unwrap().clone();
    assert_eq!(campaigns.len(), 2);
    assert_eq!(campaigns[0]["id"], "a1ff00ff00ff00ff", "the campaign that was active last comes first");
    let one = &campaigns[1];
    let count = |name: &str| one[name].as_u64();
    assert_eq!((count("accepted"), count("retries"), count("rows")), (Some(7), Some(1), Some(6)));
    assert_eq!(one["statuses"], json!({"delivered": 6, "failed": 1}));
    assert!(one["first"].is_string() && one["last"].is_string() && one.get("rate").is_some());
}
