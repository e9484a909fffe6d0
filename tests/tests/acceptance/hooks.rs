//! Rows 176 to 188: the webhooks of the channels.

use serde_json::{Value, json};

use crate::lab::{Lab, Reply};
use crate::otp::TO;
use crate::receiver::{Behave, Receiver};

fn set(lab: &Lab, changes: Value) -> Value {
    lab.post(&format!("/pa/set_webhook?ta={}", lab.traffic_account()), changes).is(200).json()
}

fn bot(lab: &Lab, call: &str) -> Reply {
    lab.call("GET", &format!("/{}/{call}", lab.config["bot_id"].as_str().unwrap()), &[], None)
}

fn event(lab: &Lab, name: &str) -> bool {
    lab.control("POST", "/webhook-events", json!({"event": name, "user": "u1"}))["told"].as_bool().unwrap()
}

const ALL: [&str; 6] = ["delivered", "seen", "failed", "subscribed", "unsubscribed", "conversation_started"];

#[test]
fn acc_176_179_a_webhook_is_checked_and_set() {
    let lab = Lab::new(&[]);
    let receiver = Receiver::new();
    let answer = set(&lab, json!({"url": receiver.url}));
    assert_eq!((answer["status"].as_i64(), answer["status_message"].is_string()), (Some(0), true));
    assert_eq!(answer["event_types"], json!(ALL), "omitted means all");
    let checks = receiver.take();
    assert_eq!((checks.len(), checks[0].json()["event"].as_str()), (1, Some("webhook")));
    let some = set(&lab, json!({"url": receiver.url, "event_types": ["seen"]}));
    assert_eq!(some["event_types"], json!(["seen"]));
    assert_ne!(set(&lab, json!({"url": receiver.url, "event_types": ["sung"]}))["status"], 0);
    let typed = lab
        .via("webhooks.messenger_b.set", json!({"url": receiver.url, "ta": lab.traffic_account()}))
        .unwrap();
    assert_eq!(typed["status"], 0);
}

#[test]
fn acc_177_only_200_passes_the_check() {
    let lab = Lab::new(&["--callback-timeout=100ms"]);
    let script = [
        Behave::Status(201),
        Behave::Redirect("http://127.0.0.1:1/".to_owned()),
        Behave::Status(500),
        Behave::Hang,
    ];
    for behave in script {
        let receiver = Receiver::scripted(vec![behave.clone()]);
        assert_ne!(set(&lab, json!({"url": receiver.url}))["status"], 0, "{behave:?}");
        assert_eq!(receiver.got().len(), 1);
    }
    let receiver = Receiver::new();
    let secure = receiver.url.replace("http://", "https://");
    assert_ne!(set(&lab, json!({"url": secure}))["status"], 0, "no trusted certificate");
    let error = lab
        .via("webhooks.messenger_b.set", json!({"url": "https://127.0.0.1:1/", "ta": lab.traffic_account()}))
        .unwrap_err();
    assert_eq!(error.outcome, cpaas::error::Outcome::Rejected);
}

#[test]
fn acc_178_an_empty_url_removes_it() {
    let lab = Lab::new(&[]);
    let receiver = Receiver::new();
    set(&lab, json!({"url": receiver.url}));
    assert_eq!(set(&lab, json!({"url": ""}))["status"], 0);
    receiver.take();
    lab.control("POST", "/inbound", json!({"channel": "messenger_b", "from": TO, "text": "Hi"}));
    assert!(!event(&lab, "seen") && receiver.got().is_empty());
}

#[test]
fn acc_176_the_token_and_the_account_are_checked() {
    let lab = Lab::new(&[]);
    let receiver = Receiver::new();
    let body = json!({"url": receiver.url}).to_string();
    let wrong = lab.call(
        "POST",
        "/pa/set_webhook",
        &[("X-Channel-Auth-Token".to_owned(), "x".to_owned())],
        Some(&body),
    );
    assert_eq!(wrong.is(200).json()["status"], 2);
    let other = "0f8fad5b-d9cb-469f-a165-70867728950e";
    let differs = lab.post(
        &format!("/pa/set_webhook?ta={}", lab.traffic_account()),
        json!({"url": format!("{}?ta={other}", receiver.url)}),
    );
    assert!(differs.assumed().contains("D58") && differs.json()["status"] != 0);
    assert!(receiver.got().is_empty());
}

#[test]
fn acc_180_user_data_only_when_asked_for() {
    let lab = Lab::new(&[]);
    let receiver = Receiver::new();
    let user = |changes: Value| {
        let mut body = json!({"url": receiver.url});
        for (name, value) in changes.as_object().unwrap() {
            body[name] = value.clone();
        }
        set(&lab, body);
        receiver.take();
        lab.control(
            "POST",
            "/webhook-events",
            json!({"event": "seen", "user": "u1", "name": "Ann", "photo": "https://a.example/a.png"}),
        );
        receiver.take()[0].json()["user"].clone()
    };
    assert_eq!(user(json!({})), json!({"id": "u1"}));
    assert_eq!(
        user(json!({"send_name": true, "send_photo": true})),
        json!({"id": "u1", "name": "Ann", "photo": "https://a.example/a.png"})
    );
}

#[test]
fn acc_181_each_event_is_filtered() {
    let lab = Lab::new(&[]);
    let receiver = Receiver::new();
    for name in ALL {
        set(&lab, json!({"url": receiver.url, "event_types": [name]}));
        receiver.take();
        let told: Vec<&str> = ALL.into_iter().filter(|event_name| event(&lab, event_name)).collect();
        assert_eq!(told, [name]);
        let got = receiver.take();
        assert_eq!((got.len(), got[0].json()["event"].as_str()), (1, Some(name)));
    }
    set(&lab, json!({"url": receiver.url}));
    receiver.take();
    crate::chat::send(&lab, json!({"messenger_b": {"type": "transactional", "text": "Hi"}}));
    lab.advance("1s");
    assert_eq!(receiver.take()[0].json()["event"], "delivered", "real deliveries are told too");
}

#[test]
fn acc_182_a_duplicate_is_not_told_twice() {
    let lab = Lab::new(&[]);
    let receiver = Receiver::new();
    set(&lab, json!({"url": receiver.url}));
    receiver.take();
    for _ in 0..2 {
        lab.control(
            "POST",
            "/inbound",
            json!({"channel": "messenger_b", "from": "u1", "text": "Hi", "id": "m1"}),
        );
    }
    assert_eq!((receiver.got().len(), lab.events("inbound.duplicate").len()), (1, 1));
}

#[test]
fn acc_183_184_both_forms_of_set_webhook() {
    let lab = Lab::new(&[]);
    let ta = lab.traffic_account();
    let info = || bot(&lab, "getWebhookInfo").ok()["result"]["url"].clone();
    bot(&lab, &format!("setWebhook?url=http://127.0.0.1:9/hook?ta={ta}")).is(200);
    let raw = info();
    bot(&lab, &format!("setWebhook?url=http%3A%2F%2F127.0.0.1%3A9%2Fhook%3Fta%3D{ta}")).is(200);
    assert_eq!((&raw, &info()), (&json!(format!("http://127.0.0.1:9/hook?ta={ta}")), &raw));
    assert_eq!(bot(&lab, "deleteWebhook").ok(), json!({"ok": true, "result": true}));
    assert_eq!(info(), "");
    let id = lab.config["bot_id"].clone();
    lab.via("webhooks.messenger_c.set", json!({"bot_id": id, "url": "http://127.0.0.1:9/hook", "ta": ta}))
        .unwrap();
    assert_eq!(info(), raw);
    assert_eq!(lab.via("webhooks.messenger_c.info", json!({"bot_id": id})).unwrap()["url"], raw);
    lab.via("webhooks.messenger_c.delete", json!({"bot_id": id})).unwrap();
    assert_eq!(info(), "");
    lab.call("GET", "/bot1:wrong/getWebhookInfo", &[], None).is(401);
}

#[test]
fn acc_185_a_bot_id_without_bot() {
    let lab = Lab::new(&[]);
    let id = lab.config["bot_id"].as_str().unwrap().trim_start_matches("bot").to_owned();
    let reply = lab.call("GET", &format!("/{id}/getWebhookInfo"), &[], None).is(200);
    assert!(reply.assumed().contains("D57"));
    assert!(lab.requests().last().unwrap()["warnings"].to_string().contains("bot_id"));
}

#[test]
fn acc_186_updates_are_retried_then_given_up() {
    let lab = Lab::new(&[]);
    let receiver = Receiver::scripted(vec![Behave::Status(500); 20]);
    bot(&lab, &format!("setWebhook?url={}", receiver.url)).is(200);
    lab.control("POST", "/inbound", json!({"channel": "messenger_c", "from": "77", "text": "Hi"}));
    lab.advance("10d");
    let got = receiver.take();
    assert_eq!(got.len(), 8);
    assert_eq!(
        (got[0].json()["message"]["text"].as_str(), got[0].json()["message"]["from"]["id"].as_u64()),
        (Some("Hi"), Some(77))
    );
    crate::chat::send(&lab, json!({"destination": "77", "messenger_c": {"text": {"message": "Hi"}}}));
    lab.advance("30d");
    assert!(receiver.take().is_empty(), "no delivery or read event on this channel");
}

#[test]
fn acc_187_business_chat_users_write_and_tap() {
    let lab = Lab::new(&[]);
    let receiver = Receiver::new();
    lab.settings(json!({"chat_callback": receiver.url}));
    lab.control("POST", "/inbound", json!({"channel": "business_chat", "from": TO, "text": "Hello"}));
    lab.control(
        "POST",
        "/inbound",
        json!({"channel": "business_chat", "from": TO, "text": "Yes", "postback": "yes-1"}),
    );
    let got = receiver.take();
    assert_eq!(got[0].json()["text"], "Hello");
    assert_eq!(got[1].json()["suggestionResponse"], json!({"text": "Yes", "postbackData": "yes-1"}));
    assert!(got.iter().all(|one| one.json()["_sandbox"] == true));
}

#[test]
fn acc_188_http_for_loopback_only() {
    let lab = Lab::new(&[]);
    for url in ["http://a.example/hook", "ftp://127.0.0.1/", "hook"] {
        assert_ne!(set(&lab, json!({"url": url}))["status"], 0, "{url}");
    }
    bot(&lab, "setWebhook?url=http://a.example/hook").is(400);
    bot(&lab, "setWebhook?url=https://a.example/hook").is(200);
}
