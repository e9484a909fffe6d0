//! Rows 174 and 175: the states of a message.

use serde_json::{Value, json};

use crate::request::sms;
use crate::stand::{PLAIN, Stand};
use crate::target::Target;

/// Never leaves `Created`.
const STUCK: &str = "9994250001";

fn statistics(stand: &Stand) -> Value {
    stand.control("GET", "/statistics", &Value::Null)
}

#[test]
fn acc_174_what_stays_created_is_deleted_after_sixty_days() {
    let stand = Stand::new();
    let stuck = stand.sent(STUCK, &sms());
    let client = stand.client_sends(STUCK, &sms());
    let other = stand.sent(PLAIN, &sms());
    stand.advance(60 * 86_400 - 1);
    assert_eq!(stand.message(&stuck)["status"], "Created");
    assert_eq!(statistics(&stand), json!({"messages": 1, "Delivered": 1}));
    stand.advance(1);
    for id in [stuck.as_str(), client["id"].as_str().unwrap()] {
        assert!(stand.messages(&format!("id={id}")).is_empty(), "deleted");
        let events = stand.events("chat.deleted");
        assert_eq!(events.iter().filter(|event| event["subject"] == id).count(), 1);
    }
    assert_eq!(stand.message(&other)["status"], "Delivered");
    assert_eq!(statistics(&stand), json!({"messages": 1, "Delivered": 1}));
}

#[test]
fn acc_175_every_state_is_told_and_dated() {
    let stand = Stand::new();
    let target = Target::new();
    stand.settings(&json!({"chat_callback": target.url}));
    for (to, members) in [
        (PLAIN, sms()),
        (PLAIN, json!({"messenger_a": {"type": "regular", "regular": {"text": "Hi", "type": "text"}}})),
        (PLAIN, json!({"messenger_b": {"type": "promotional", "text": "Hi"}})),
        (PLAIN, json!({"business_chat": {"text": {"message": "Hi"}}})),
    ] {
        target.forget();
        let id = stand.sent(to, &members);
        assert_eq!(stand.message(&id)["status"], "Ready");
        let mut dates = vec![stand.message(&id)["updated"].as_str().unwrap().to_owned()];
        let mut states = Vec::new();
        while stand.message(&id)["status"] != "Delivered" {
            stand.moment();
            dates.push(stand.message(&id)["updated"].as_str().unwrap().to_owned());
            states.push(stand.message(&id)["status"].clone());
        }
        assert_eq!(states, ["Sent", "Delivered"]);
        assert!(dates.is_sorted_by(|a, b| a < b), "{dates:?}");
        let told = target.told();
        assert_eq!(told.iter().map(|one| one.json()["status"].clone()).collect::<Vec<_>>(), states);
        for one in told {
            assert_eq!((one.method.as_str(), one.header("content-type")), ("POST", Some("application/json")));
            assert_eq!((&one.json()["messageId"], &one.json()["errorcode"]), (&json!(id), &json!(0)));
        }
    }
    target.forget();
    let id = stand.sent("4711", &json!({"messenger_c": {"text": {"message": "Hi"}}}));
    stand.days(1);
    assert_eq!(stand.message(&id)["status"], "Sent");
    assert!(target.told().is_empty(), "messenger_c has no reports");
}
