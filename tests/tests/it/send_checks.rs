//! Stores that a client consults before it sends: nothing is sent to suppressed numbers, nor if the store fails or hangs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cpaas::client::Client;
use cpaas::clock::BoxFuture;
use cpaas::error::Outcome;
use cpaas::guard::{Guard, GuardReason, GuardRequest, GuardSettings, GuardStore};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::suppression::{MemorySuppressionStore, StoreError, SuppressionStore};
use cpaas::{Config, OperationId};

const RESPONSE: &str = r#"{"code":200,"message":"OK","requestID":"OTP1","responseCode":0,"id":"m-1","messageId":"m-1","bulkId":"b","messages":[{"id":"1","to":"306900000001"},{"id":"2","to":"306900000002"}]}"#;

struct Fixture {
    client: Client,
    store: Arc<MemorySuppressionStore>,
    sent: Arc<AtomicUsize>,
}

fn fixture() -> Fixture {
    let store = Arc::new(MemorySuppressionStore::new());
    let (client, sent) = client();
    Fixture { client: client.suppression(store.clone()), store, sent }
}

fn client() -> (Client, Arc<AtomicUsize>) {
    let sent = Arc::new(AtomicUsize::new(0));
    let count = sent.clone();
    let config = Config::default()
        .otp_url("https://otp.example")
        .account_sid("AC1")
        .api_key("key")
        .sms_url("https://sms.example")
        .sms_key("key")
        .messaging_url("https://messages.example")
        .accept_repeated_ids(true)
        .traffic_account_id("0f8fad5b-d9cb-469f-a165-70867728950e");
    let transport = move |_: HttpRequest| {
        count.fetch_add(1, Ordering::Relaxed);
        async { Ok(HttpResponse::new(200, vec![], RESPONSE)) }
    };
    (Client::with_transport(&config, transport).unwrap(), sent)
}

const SMS: &str = r#"{"from":"Acme","to":"306900000001","text":"Hi"}"#;
const BULK: &str = r#"{"from":"Acme","to":"306900000002,306900000001","text":"Hi"}"#;
const OTP: &str = r#"{"service":"login","from":"Acme","to":"306900000001","body":"{code}"}"#;
const MESSAGE: &str = r#"{"destination":"+306900000001","sms":{"sender":"Acme","text":"Hi"}}"#;
const CHAT: &str = r#"{"destination":"306900000001","messenger_a":{"type":"regular","regular":{"type":"text","text":"Hi"}}}"#;
const FAILOVER: &str = r#"{"destination":"306900000001","messenger_a":{"type":"regular","regular":{"type":"text","text":"Hi"}},"sms":{"sender":"Acme","text":"Hi"},"failover":{"type":"Timeout","timeoutFailover":{"timeoutInSeconds":60,"status":"Delivered","trafficAccounts":["0f8fad5b-d9cb-469f-a165-70867728950e","0f8fad5b-d9cb-469f-a165-70867728950e"]}}}"#;
const BULK_MESSAGE: &str =
    r#"{"destinations":["306900000002","00306900000001"],"sms":{"sender":"Acme","text":"Hi"}}"#;

#[tokio::test]
async fn calls_to_suppressed_numbers_are_invalid_and_nothing_is_sent() {
    let Fixture { client, store, sent } = fixture();
    store.add("306900000001").await.unwrap();
    for (operation, request, pointer, indices) in [
        (OperationId::SmsSend, SMS, "/to", None),
        (OperationId::SmsSendBulk, BULK, "/to", Some(1)),
        (OperationId::MessagesSend, MESSAGE, "/destination", None),
        (OperationId::MessagesSendFailover, FAILOVER, "/destination", None),
        (OperationId::MessagesSendBulk, BULK_MESSAGE, "/destinations", Some(1)),
    ] {
        let error = client.call_json(operation, request).await.unwrap_err();
        assert_eq!((error.outcome, error.problems.len()), (Outcome::Invalid, 1), "{operation:?}: {error}");
        assert_eq!((error.problems[0].code, error.problems[0].pointer.as_str()), ("suppressed", pointer));
        let found = error.problems[0].params.get("indices").map(|indices| indices[0].as_u64().unwrap());
        assert_eq!(found, indices, "{operation:?}");
        assert!(!error.to_json().contains("900000001"), "the error contains the number");
    }
    assert_eq!(sent.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn passcodes_chat_messages_and_other_numbers_are_sent() {
    let Fixture { client, store, sent } = fixture();
    store.add("306900000001").await.unwrap();
    client.call_json(OperationId::OtpSend, OTP).await.unwrap();
    client.call_json(OperationId::MessagesSend, CHAT).await.unwrap();
    client.call_json(OperationId::SmsSend, &SMS.replace("0001", "0002")).await.unwrap();
    assert_eq!(sent.load(Ordering::Relaxed), 3);
    store.remove("+30 690 000 0001").await.unwrap();
    let other = client.clone();
    other.call_json(OperationId::SmsSend, SMS).await.unwrap_or_else(|error| panic!("{error}"));
}

#[tokio::test]
async fn validation_that_is_off_does_not_switch_the_store_off() {
    let Fixture { client, store, sent } = fixture();
    store.add("306900000001").await.unwrap();
    let options = cpaas::client::CallOptions::new().validation(cpaas::request::Validation::Off);
    assert!(client.with(options).call_json(OperationId::SmsSend, SMS).await.is_err());
    assert_eq!(sent.load(Ordering::Relaxed), 0);
}

/// A store that fails, or hangs.
struct Broken {
    hangs: bool,
}

impl SuppressionStore for Broken {
    fn is_suppressed<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async {
            if self.hangs {
                std::future::pending::<()>().await;
            }
            Err("the password of the store".into())
        })
    }

    fn add<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        self.is_suppressed(number)
    }

    fn remove<'a>(&'a self, number: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        self.is_suppressed(number)
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_if_the_store_fails_or_hangs() {
    for hangs in [false, true] {
        let (client, sent) = client();
        let client = client.suppression(Arc::new(Broken { hangs }));
        let start = tokio::time::Instant::now();
        let error = client.call_json(OperationId::SmsSend, SMS).await.unwrap_err();
        assert_eq!((error.outcome, error.problems[0].code), (Outcome::Invalid, "suppression.unavailable"));
        assert!(start.elapsed() <= Duration::from_millis(5001), "{:?}", start.elapsed());
        assert_eq!(sent.load(Ordering::Relaxed), 0);
        assert!(!error.to_json().contains("password"));
    }
}

#[tokio::test]
async fn the_memory_store_compares_numbers_in_their_canonical_form() {
    let store = MemorySuppressionStore::new();
    assert!(store.add("+30 690 000 0001").await.unwrap());
    assert!(!store.add("306900000001").await.unwrap(), "it is not new");
    assert!(store.is_suppressed("00306900000001").await.unwrap());
    assert!(store.remove("306900000001").await.unwrap());
    assert!(!store.remove("306900000001").await.unwrap());
}

const VERIFY: &str = r#"{"service":"login","requestId":"OTP1","code":"123456"}"#;

#[tokio::test]
async fn a_guard_refuses_before_the_first_attempt_and_counts_entered_passcodes() {
    let (plain, sent) = client();
    let client = plain.clone().guard(Guard::new(GuardSettings::default()));
    for _ in 0..3 {
        client.call_json(OperationId::OtpSend, OTP).await.unwrap();
    }
    let error = client.call_json(OperationId::OtpSend, OTP).await.unwrap_err();
    assert_eq!((error.outcome, error.problems[0].code), (Outcome::Invalid, "guard.recipient"));
    assert_eq!(error.problems[0].pointer, "/to");
    assert_eq!(sent.load(Ordering::Relaxed), 3);
    // Other operations, and a client without the guard, are not limited.
    client.call_json(OperationId::SmsSend, SMS).await.unwrap();
    assert!(plain.without_guard().call_json(OperationId::OtpSend, OTP).await.is_ok());
}

/// A store that records what it is told, or fails.
#[derive(Default)]
struct Recorder {
    fails: bool,
    told: std::sync::Mutex<Vec<String>>,
}

impl GuardStore for Recorder {
    fn admit<'a>(
        &'a self,
        request: &'a GuardRequest,
        _: &'a GuardSettings,
    ) -> BoxFuture<'a, Result<Option<GuardReason>, StoreError>> {
        self.told.lock().unwrap().push(format!("admit {}", request.number));
        Box::pin(async { if self.fails { Err("down".into()) } else { Ok(None) } })
    }

    fn sent<'a>(&'a self, id: &'a str, request: &'a GuardRequest) -> BoxFuture<'a, Result<(), StoreError>> {
        self.told.lock().unwrap().push(format!("sent {id} {}", request.number));
        Box::pin(async { Ok(()) })
    }

    fn converted<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        self.told.lock().unwrap().push(format!("converted {id}"));
        Box::pin(async { Ok(()) })
    }
}

#[tokio::test]
async fn the_store_of_a_guard_learns_what_was_sent_and_entered() {
    let store = Arc::new(Recorder::default());
    let client = client().0.guard(Guard::with_store(GuardSettings::default(), store.clone()));
    client.call_json(OperationId::OtpSend, &OTP.replace("\"3069", "\"+3069")).await.unwrap();
    client.call_json(OperationId::OtpVerify, VERIFY).await.unwrap();
    client.call_json(OperationId::MessagesSend, CHAT).await.unwrap();
    assert_eq!(
        *store.told.lock().unwrap(),
        ["admit 306900000001", "sent OTP1 306900000001", "converted OTP1"]
    );
}

#[tokio::test]
async fn a_store_that_fails_refuses_unless_the_settings_send_without_it() {
    for sends in [false, true] {
        let (plain, sent) = client();
        let mut settings = GuardSettings::default();
        settings.sends_without_store = sends;
        let store = Arc::new(Recorder { fails: true, ..Recorder::default() });
        let result =
            plain.guard(Guard::with_store(settings, store)).call_json(OperationId::OtpSend, OTP).await;
        match result {
            Ok(_) => assert!(sends),
            Err(error) => assert!(!sends && error.problems[0].code == "guard.unavailable", "{error}"),
        }
        assert_eq!(sent.load(Ordering::Relaxed), usize::from(sends));
    }
}
