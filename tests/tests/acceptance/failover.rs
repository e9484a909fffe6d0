//! Rows 165 to 169 and 173: failover.

use serde_json::{Value, json};

use crate::chat::{TEXT_A, body, sms, state, status};
use crate::lab::Lab;
use crate::otp::TO;
use crate::receiver::Receiver;

pub fn plan(lab: &Lab, seconds: u64) -> Value {
    let account = lab.traffic_account();
    json!({"type": "Timeout", "timeoutFailover": {"timeoutInSeconds": seconds, "status": "Delivered", "trafficAccounts": [account, account]}})
}

/// A message over messenger_a, then SMS, as text so that the order of its members is certain.
fn send(lab: &Lab, to: &str, seconds: u64) -> Vec<String> {
    let text = format!(
        r#"{{"trafficAccountId":"{}","destination":"{to}","messenger_a":{},"sms":{},"failover":{}}}"#,
        lab.traffic_account(),
        TEXT_A(),
        sms(),
        plan(lab, seconds)
    );
    let reply = lab.call("POST", "/messages/send", &Lab::auth(&lab.config, "/messages"), Some(&text)).ok();
    reply.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

#[test]
fn acc_165_delivered_in_time_is_enough() {
    let lab = Lab::new(&[]);
    let ids = send(&lab, TO, 60);
    assert_eq!(ids.len(), 2);
    lab.advance("1h");
    assert_eq!(lab.inbox(TO).len(), 1);
    assert_eq!(
        (state(&lab, &ids[0])["channel"].as_str(), state(&lab, &ids[0])["status"].as_str()),
        (Some("messenger_a"), Some("Delivered"))
    );
    let request = json!({"destination": TO, "failover": plan(&lab, 60), "sms": sms()});
    assert_eq!(lab.via("messages.send_failover", request).unwrap().as_array().unwrap().len(), 1);
}

#[test]
fn acc_166_the_next_channel_at_exactly_that_time() {
    let lab = Lab::new(&[]);
    let to = "9994080001";
    let ids = send(&lab, to, 60);
    let start = lab.now();
    lab.advance("59.999s");
    assert_eq!(lab.inbox(to).len(), 1);
    lab.advance("1ms");
    assert_eq!((lab.inbox(to).len(), lab.now() - start), (2, 60_000));
    assert_eq!(
        (state(&lab, &ids[1])["channel"].as_str(), state(&lab, &ids[1])["status"].as_str()),
        (Some("sms"), Some("Ready"))
    );
    assert_eq!(lab.events("failover.moved").len(), 1);
}

#[test]
fn acc_167_malformed_failovers() {
    let lab = Lab::new(&[]);
    let with = |at: &str, value: Value| {
        let mut plan = plan(&lab, 60);
        *plan.pointer_mut(at).unwrap() = value;
        status(&lab, json!({"sms": sms(), "failover": plan}))
    };
    assert_eq!(with("/type", json!("Sometimes")), 400);
    assert_eq!(with("/timeoutFailover/timeoutInSeconds", json!(0)), 400);
    assert_eq!(with("/timeoutFailover/timeoutInSeconds", json!(-5)), 400);
    assert_eq!(with("/timeoutFailover/trafficAccounts", json!(["7"])), 400);
    assert!(lab.inbox_is_empty());
}

#[test]
fn acc_168_a_late_delivery_is_still_reported() {
    let lab = Lab::new(&[]);
    let receiver = Receiver::new();
    lab.settings(json!({"chat_callback": receiver.url}));
    let ids = send(&lab, "9994080001", 60);
    lab.advance("61s");
    receiver.take();
    lab.control("POST", &format!("/messages/{}/status", ids[0]), json!({"status": "Delivered"}));
    lab.control("POST", &format!("/messages/{}/status", ids[1]), json!({"status": "Delivered"}));
    let told: Vec<Value> = receiver.take().iter().map(|one| one.json()["messageId"].clone()).collect();
    assert_eq!(told, [json!(ids[0]), json!(ids[1])]);
    assert_eq!(lab.events("late_delivery")[0]["subject"], ids[0]);
}

#[test]
fn acc_169_nothing_after_the_last_channel() {
    let lab = Lab::new(&[]);
    let to = "9995000001";
    let ids = send(&lab, to, 60);
    lab.advance("2d");
    assert_eq!(lab.inbox(to).len(), 2);
    assert!(ids.iter().all(|id| state(&lab, id)["status"] == "Failed"));
}

#[test]
fn acc_173_bulk_with_failover() {
    let lab = Lab::new(&[]);
    let (good, bad) = (TO, "9994080001");
    let text = format!(
        r#"{{"trafficAccountId":"{}","destinations":["{good}","{bad}"],"messengerA":{},"sms":{},"failover":{}}}"#,
        lab.traffic_account(),
        TEXT_A(),
        sms(),
        plan(&lab, 60)
    );
    let auth = Lab::auth(&lab.config, "/api");
    lab.call("POST", "/api/v1.1/Messages/sendbulk", &auth, Some(&text)).ok();
    lab.advance("60s");
    assert_eq!((lab.inbox(good).len(), lab.inbox(bad).len()), (1, 2));
    let _ = body;
}
