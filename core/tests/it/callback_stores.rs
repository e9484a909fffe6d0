//! Repeated reports, reports out of order, and unknown outcomes that a report resolves.
#![cfg(feature = "callback")]

use cpaas::callback::{Arrival, Duplicates, Keyring, Pending, Received, Receiver, Source};

const NOW: u64 = 1_700_000_000;

fn receiver() -> Receiver {
    let keys = Keyring::new([("k1", [7; 32])]).unwrap();
    Receiver::new("shop", "https://shop.example/cb").unwrap().delivery_keys(keys)
}

fn report(receiver: &Receiver, callback: &str, id: &str, status: &str, code: &str) -> Received {
    let url = format!("{callback}&msgid={id}&status={status}&errorcode={code}&reference=bulk-1");
    receiver.receive("GET", &url, &[], b"", NOW).unwrap()
}

#[test]
fn messages_on_one_callback_are_distinguished_and_repeats_are_found() {
    let receiver = receiver();
    let callback = receiver.url(Source::SmsReport, "bulk-1", NOW).unwrap();
    let mut duplicates = Duplicates::new(100);
    // Out of order: `delivered` of m-2 arrives before `sent`; `delivered` of m-3 arrives after `failed`.
    let arrivals = [
        ("m-1", "sent", "0", Arrival::First),
        ("m-2", "delivered", "0", Arrival::First),
        ("m-1", "sent", "0", Arrival::Repeat),
        ("m-3", "failed", "27", Arrival::First),
        ("m-2", "sent", "0", Arrival::First),
        ("m-1", "delivered", "0", Arrival::First),
        ("m-3", "failed", "28", Arrival::First),
        ("m-2", "delivered", "0", Arrival::Repeat),
        ("m-3", "delivered", "0", Arrival::First),
        ("m-1", "on_hold", "0", Arrival::First),
    ];
    for (id, status, code, expected) in arrivals {
        let found = duplicates.check(&report(&receiver, &callback, id, status, code));
        assert_eq!(found, expected, "{id} {status} {code}");
    }
    for id in ["m-1", "m-2", "m-3"] {
        assert_eq!(duplicates.latest(id).map(|status| status.as_str()), Some("delivered"), "{id}");
    }
    let again = receiver.url(Source::SmsReport, "bulk-1", NOW).unwrap();
    assert_eq!(duplicates.check(&report(&receiver, &again, "m-1", "sent", "0")), Arrival::First);
}

#[test]
fn a_later_failure_replaces_neither_a_delivery_nor_an_earlier_failure() {
    let receiver = receiver();
    let callback = receiver.url(Source::SmsReport, "bulk-1", NOW).unwrap();
    let mut duplicates = Duplicates::new(100);
    for (id, status) in
        [("a", "Delivered"), ("a", "expired"), ("b", "FAILED"), ("b", "expired"), ("b", "sent")]
    {
        duplicates.check(&report(&receiver, &callback, id, status, ""));
    }
    assert_eq!(duplicates.latest("a").unwrap().as_str(), "Delivered");
    assert_eq!(duplicates.latest("b").unwrap().as_str(), "FAILED");
}

#[test]
fn a_full_store_removes_the_oldest_state() {
    let receiver = receiver();
    let callback = receiver.url(Source::SmsReport, "bulk-1", NOW).unwrap();
    let mut duplicates = Duplicates::new(3);
    let mut check = |id: &str| duplicates.check(&report(&receiver, &callback, id, "sent", "0"));
    assert_eq!(["1", "2", "3"].map(&mut check), [Arrival::First; 3]);
    assert_eq!(check("1"), Arrival::Repeat);
    assert_eq!(["4", "1"].map(&mut check), [Arrival::First; 2]);
    assert_eq!(["3", "4", "1"].map(&mut check), [Arrival::Repeat; 3]);
    assert_eq!((duplicates.len(), duplicates.latest("2")), (3, None));
}

#[test]
fn reports_whose_concatenated_members_are_equal_are_distinguished() {
    let receiver = receiver();
    let callback = receiver.url(Source::SmsReport, "bulk-1", NOW).unwrap();
    let mut duplicates = Duplicates::new(100);
    for (id, status, code) in [("a", "bc", "d"), ("ab", "c", "d"), ("a", "b", "cd"), ("a1", ":bc", "d")] {
        assert_eq!(duplicates.check(&report(&receiver, &callback, id, status, code)), Arrival::First);
    }
    assert_eq!(duplicates.check(&report(&receiver, &callback, "", "", "")), Arrival::First);
    assert_eq!(duplicates.check(&report(&receiver, &callback, "", "", "")), Arrival::First);
}

#[test]
fn a_report_resolves_an_unknown_outcome() {
    let receiver = receiver();
    let callback = receiver.url(Source::SmsReport, "bulk-1", NOW).unwrap();
    let mut pending = Pending::new(2);
    pending.unknown("bulk-1", "sms.send_bulk");
    pending.unknown("other", "sms.send");
    pending.unknown("", "sms.send");
    assert_eq!(pending.open().collect::<Vec<_>>(), ["bulk-1", "other"]);

    let first = pending.reconcile(&report(&receiver, &callback, "m-1", "sent", "0")).unwrap();
    let second = pending.reconcile(&report(&receiver, &callback, "m-2", "sent", "0")).unwrap();
    assert_eq!((first.reference.as_str(), first.operation.as_str()), ("bulk-1", "sms.send_bulk"));
    assert_eq!((first.message_id.as_deref(), first.first), (Some("m-1"), true));
    assert_eq!((second.message_id.as_deref(), second.first), (Some("m-2"), false));
    assert_eq!(pending.open().collect::<Vec<_>>(), ["other"]);

    pending.unknown("third", "sms.send");
    assert_eq!(pending.reconcile(&report(&receiver, &callback, "m-3", "sent", "0")), None);
    pending.forget("other");
    assert_eq!(pending.open().collect::<Vec<_>>(), ["third"]);
    assert!(!format!("{pending:?} {first:?}").contains("bulk-1"));
}

#[test]
fn a_forgotten_report_counts_as_first_again() {
    let receiver = receiver();
    let callback = receiver.url(Source::SmsReport, "bulk-1", NOW).unwrap();
    let mut duplicates = Duplicates::new(2);
    let received = report(&receiver, &callback, "m-1", "sent", "0");
    assert_eq!(duplicates.check(&received), Arrival::First);
    duplicates.forget(&received); // its handler failed
    assert!(duplicates.is_empty());
    duplicates.forget(&received);
    assert_eq!(duplicates.check(&received), Arrival::First);
    assert_eq!(duplicates.check(&received), Arrival::Repeat);
}

fn received(event: &str) -> Received {
    let claims =
        r#""claims":{"kid":"k1","purpose":"inbound","issued":1,"expires":null,"nonce":"AAECAwQFBgcICQoL"}"#;
    serde_json::from_str(&format!("{{{event},{claims}}}")).unwrap()
}

#[test]
fn one_token_serves_several_chats_and_users() {
    let events = [
        r#""kind":"messenger_c","update_id":"1","message_id":"5","chat_id":"7","user_id":"8","raw":1"#,
        r#""kind":"messenger_c","update_id":"2","message_id":"5","chat_id":"7","user_id":"8","raw":1"#,
        r#""kind":"messenger_c","message_id":"5","chat_id":"7","user_id":"8","raw":1"#,
        r#""kind":"messenger_c","message_id":"5","chat_id":"9","user_id":"8","raw":1"#,
        r#""kind":"messenger_c","message_id":"5","chat_id":"7","user_id":"9","raw":1"#,
        r#""kind":"messenger_c","message_id":"5","chat_id":"78","raw":1"#,
        r#""kind":"messenger_b","event":"seen","message_id":"5","user_id":"8","raw":1"#,
        r#""kind":"messenger_b","event":"seen","message_id":"5","user_id":"9","raw":1"#,
        r#""kind":"messenger_b","event":"delivered","message_id":"5","user_id":"8","raw":1"#,
        r#""kind":"business_chat","event":"message","message_id":"5","conversation_id":"7","raw":1"#,
        r#""kind":"business_chat","event":"message","message_id":"5","conversation_id":"8","raw":1"#,
        r#""kind":"business_chat","event":"suggestion","message_id":"5","postback_data":"7","raw":1"#,
        r#""kind":"business_chat","event":"suggestion","message_id":"5","postback_data":"8","raw":1"#,
    ];
    let mut duplicates = Duplicates::new(100);
    for event in events {
        assert_eq!(duplicates.check(&received(event)), Arrival::First, "{event}");
        assert_eq!(duplicates.check(&received(event)), Arrival::Repeat, "{event}");
        let key = received(event).key().unwrap();
        let digits = key.strip_prefix("cpaas:2:").unwrap();
        assert!(digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
    }
    let without_id = received(r#""kind":"messenger_b","event":"subscribed","user_id":"8","raw":1"#);
    assert_eq!(without_id.key(), None);
    assert_eq!(duplicates.check(&without_id), Arrival::First);
    assert_eq!(duplicates.check(&without_id), Arrival::First);
}
