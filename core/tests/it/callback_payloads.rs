//! The members of payloads that the OpenAPI document describes are those that the receiver reads.
#![cfg(feature = "callback")]

use cpaas::callback::{Endpoint, Keyring, Receiver, Source};
use serde_json::{Map, Value, json};

const NOW: u64 = 1_700_000_000;

fn event(source: Source, payload: &Value) -> Map<String, Value> {
    let receiver = Receiver::new("shop", "https://shop.example/hook")
        .unwrap()
        .delivery_keys(Keyring::new([("d1", [1; 32])]).unwrap())
        .inbound_keys(Keyring::new([("i1", [2; 32])]).unwrap())
        .endpoint(Endpoint::new("", [source]).without_reference());
    // A report must have the reference of its token.
    let reference = payload["reference"].as_str().unwrap_or_default();
    let url = receiver.url(source, reference, NOW).unwrap();
    let headers = [("content-type", "application/json")];
    let received = receiver.receive("POST", &url, &headers, payload.to_string().as_bytes(), NOW).unwrap();
    let mut event = json!(received.event);
    event.as_object_mut().unwrap().remove("raw");
    event.as_object_mut().unwrap().remove("extra");
    event.as_object().unwrap().clone()
}

fn nested(pointer: &str, value: &str) -> Value {
    pointer
        .rsplit('/')
        .take_while(|name| !name.is_empty())
        .fold(json!(value), |inner, name| json!({name: inner}))
}

#[test]
fn each_described_member_is_read() {
    for source in Source::ALL {
        assert!(!source.payload().is_empty());
        for member in source.payload() {
            let event = event(source, &nested(member.pointer, "a value of a member"));
            assert!(
                event.values().any(|value| value == "a value of a member"),
                "{source:?} {member:?}: {event:?}"
            );
        }
    }
}

#[test]
fn a_payload_of_all_described_members_fills_the_whole_event() {
    // Members that are alternatives: the text of a message and that of a tapped suggestion.
    for source in Source::ALL {
        let names: Vec<String> = source
            .payload()
            .iter()
            .flat_map(|member| event(source, &nested(member.pointer, "x")).into_iter())
            .filter(|(name, _)| !matches!(name.as_str(), "kind" | "event"))
            .map(|(name, _)| name)
            .collect();
        let expected = match source {
            Source::SmsReport => 10,
            Source::ChatReport => 3,
            Source::InboundSms => 5,
            Source::MessengerB | Source::BusinessChat => 7,
            Source::MessengerC => 5,
            _ => 6,
        };
        assert_eq!(names.len(), expected, "{source:?}: {names:?}");
    }
}
