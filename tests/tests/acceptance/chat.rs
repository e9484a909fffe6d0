//! Rows 132 to 138, 160 to 162, 170 to 172: sending over the channels.

use serde_json::{Value, json};

use crate::lab::Lab;
use crate::otp::TO;

#[allow(non_snake_case)]
pub fn TEXT_A() -> Value {
    json!({"type": "regular", "regular": {"text": "Hi", "type": "text"}})
}

pub fn sms() -> Value {
    json!({"text": "Hi", "sender": "Acme"})
}

pub fn body(lab: &Lab, changes: Value) -> Value {
    let mut body = json!({"trafficAccountId": lab.traffic_account(), "destination": TO});
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

#[track_caller]
pub fn send(lab: &Lab, changes: Value) -> String {
    let answer = lab.post("/messages/send", body(lab, changes)).ok();
    answer["messageId"].as_str().unwrap().to_owned()
}

#[track_caller]
pub fn status(lab: &Lab, changes: Value) -> u16 {
    lab.post("/messages/send", body(lab, changes)).status
}

/// What the inbox says of a message by its id.
pub fn state(lab: &Lab, id: &str) -> Value {
    lab.control("GET", &format!("/messages?id={id}"), Value::Null)["messages"][0].clone()
}

#[test]
fn acc_132_both_paths_answer_with_the_message() {
    let lab = Lab::new(&[]);
    for path in ["/message/send", "/messages/send"] {
        let answer = lab.post(path, body(&lab, json!({"sms": sms()}))).ok();
        for at in ["/messageId", "/sender/id", "/sender/name", "/conversation/id", "/createdAt", "/updatedAt"]
        {
            assert!(answer.pointer(at).unwrap().is_string(), "{at}");
        }
        assert_eq!(
            (answer["deliveryStatus"].as_str(), &answer["trafficAccountId"]),
            (Some("Ready"), &json!(lab.traffic_account()))
        );
        assert_eq!(answer["conversation"]["participants"][1], json!({"phoneNumber": TO}));
    }
    let typed = lab.via("messages.send", body(&lab, json!({"sms": sms()}))).unwrap();
    assert_eq!(state(&lab, typed["messageId"].as_str().unwrap())["channel"], "sms");
}

#[test]
fn acc_133_the_members_of_two_channels() {
    let lab = Lab::new(&[]);
    let b = lab
        .post("/messages/send", body(&lab, json!({"messenger_b": {"type": "transactional", "text": "Hi"}})))
        .ok();
    assert!(b["id"].is_string() && b["sender"]["phoneNumber"].is_string());
    let c = lab
        .post(
            "/messages/send",
            body(&lab, json!({"destination": "user-7", "messenger_c": {"text": {"message": "Hi"}}})),
        )
        .ok();
    assert!(c["sender"]["messagingAppIdentifier"].is_string() && c.get("id").is_none());
    assert_eq!(c["conversation"]["participants"][1], json!({"messagingAppIdentifier": "user-7"}));
}

#[test]
fn acc_134_the_traffic_account() {
    let lab = Lab::new(&[]);
    let unknown = "0f8fad5b-d9cb-469f-a165-70867728950e";
    for (account, expected) in [(Value::Null, 400), (json!("7"), 400), (json!(unknown), 404)] {
        assert_eq!(status(&lab, json!({"trafficAccountId": account, "sms": sms()})), expected, "{account}");
        let bulk = json!({"trafficAccountId": account, "destinations": [TO], "sms": sms()});
        assert_eq!(lab.post("/api/v1.1/Messages/sendbulk", bulk).status, expected, "{account}");
    }
    let failover = crate::failover::plan(&lab, 60);
    assert_eq!(status(&lab, json!({"trafficAccountId": null, "sms": sms(), "failover": failover})), 200);
    assert_eq!(lab.ledger().len(), 1);
}

#[test]
fn acc_135_the_destination() {
    let lab = Lab::new(&[]);
    let missing = lab.post("/messages/send", body(&lab, json!({"destination": null, "sms": sms()}))).is(400);
    assert_eq!(missing.json()["field"], "/destination");
    assert_eq!(
        status(&lab, json!({"destination": "chat-user", "messenger_c": {"text": {"message": "Hi"}}})),
        200
    );
}

#[test]
fn acc_136_the_sms_object() {
    let lab = Lab::new(&[]);
    let from = |sender: &str| status(&lab, json!({"sms": {"text": "Hi", "sender": sender}}));
    assert_eq!([from("1234567890123456"), from("12345678901234567")], [200, 400]);
    assert_eq!([from("AbcdefghijK"), from("AbcdefghijKl")], [200, 400]);
    assert_eq!(status(&lab, json!({"sms": {"text": "", "sender": "Acme"}})), 400);
}

#[test]
fn acc_137_exactly_one_channel() {
    let lab = Lab::new(&[]);
    for changes in [json!({}), json!({"sms": sms(), "messenger_a": TEXT_A()})] {
        let reply = lab.post("/messages/send", body(&lab, changes)).is(400);
        let names: Vec<Value> = reply.json().as_object().unwrap().keys().map(|name| json!(name)).collect();
        assert_eq!(names, ["code", "field", "message"]);
    }
    assert!(lab.inbox_is_empty());
}

#[test]
fn acc_138_messenger_a_keeps_unknown_members() {
    let lab = Lab::new(&[]);
    let mut content = TEXT_A();
    content["colour"] = json!("red");
    let id = send(&lab, json!({"messenger_a": content}));
    assert_eq!((&state(&lab, &id)["content"], state(&lab, &id)["text"].as_str()), (&content, Some("Hi")));
    lab.via("messages.send", body(&lab, json!({"messenger_a": TEXT_A()}))).unwrap();
}

#[test]
fn acc_160_161_a_device_without_support() {
    let lab = Lab::new(&[]);
    let to = "9994100001";
    let plain = json!({"destination": to, "business_chat": {"text": {"message": "Hi"}}});
    let reply = lab.post("/messages/send", body(&lab, plain)).is(400);
    assert!(reply.json()["message"].as_str().unwrap().contains("failed precondition"));
    let content = json!({"text": {"message": "Hi"}, "fallback": "Plain"});
    let id = send(&lab, json!({"destination": to, "business_chat": content}));
    assert_eq!(
        (state(&lab, &id)["text"].as_str(), state(&lab, &id)["shown"].as_str()),
        (Some("Plain"), Some("fallback"))
    );
    let forced = json!({"text": {"message": "Hi"}, "fallback": "Plain", "forceFallback": true});
    let id = send(&lab, json!({"business_chat": forced}));
    assert_eq!(state(&lab, &id)["text"], "Plain");
    let error = lab
        .via(
            "messages.send",
            body(&lab, json!({"destination": to, "business_chat": {"text": {"message": "Hi"}}})),
        )
        .unwrap_err();
    assert_eq!((error.outcome, error.status), (cpaas::error::Outcome::Rejected, Some(400)));
}

#[test]
fn acc_162_line_breaks_of_a_fallback_are_kept() {
    let lab = Lab::new(&[]);
    for text in ["a\nb", "a\r\nb"] {
        let content = json!({"text": {"message": "Hi"}, "fallback": text, "forceFallback": true});
        let id = send(&lab, json!({"business_chat": content}));
        assert_eq!(state(&lab, &id)["text"], text);
    }
}

fn bulk(lab: &Lab, version: &str, changes: Value) -> crate::lab::Reply {
    let mut body =
        json!({"trafficAccountId": lab.traffic_account(), "destinations": ["306912345678", "306987654321"]});
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    lab.post(&format!("/api/v{version}/Messages/sendbulk"), body)
}

#[test]
fn acc_170_one_message_for_each_destination() {
    let lab = Lab::new(&[]);
    let answer = bulk(&lab, "1.1", json!({"sms": sms()})).ok();
    assert!(answer["bulkId"].is_string());
    for (one, to) in answer["messages"].as_array().unwrap().iter().zip(["306912345678", "306987654321"]) {
        assert_eq!(
            (&one["destination"], &one["trafficAccountId"]),
            (&json!(to), &json!(lab.traffic_account()))
        );
        assert_eq!(state(&lab, one["messageId"].as_str().unwrap())["bulk_id"], answer["bulkId"]);
    }
    let typed = json!({"trafficAccountId": lab.traffic_account(), "destinations": [TO], "sms": sms()});
    assert_eq!(lab.via("messages.send_bulk", typed).unwrap()["messages"].as_array().unwrap().len(), 1);
}

#[test]
fn acc_171_empty_objects_and_the_camel_cased_name() {
    let lab = Lab::new(&[]);
    bulk(&lab, "1.1", json!({"sms": sms(), "messenger_b": {}, "business_chat": {}, "failover": {}})).is(200);
    bulk(&lab, "1.1", json!({"messengerA": TEXT_A()})).is(200);
    assert_eq!(lab.last(TO)["channel"], "messenger_a");
    assert!(!lab.requests().last().unwrap()["warnings"].to_string().contains("messengerA"));
    bulk(&lab, "1.1", json!({"sms": {}})).is(400);
}

#[test]
fn acc_172_versions() {
    let lab = Lab::new(&[]);
    for (version, expected) in [("1.0", 404), ("0.9", 404), ("1.1", 200), ("2.0", 200)] {
        let reply = bulk(&lab, version, json!({"sms": sms()})).is(expected);
        assert_eq!(reply.assumed().contains("D51"), version != "1.1");
    }
}
