//! Stores that a client consults before it sends: nothing is sent to suppressed numbers, nor if the store fails or hangs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cpaas::client::{CallOptions, Client, TransportError};
use cpaas::clock::BoxFuture;
use cpaas::error::{Outcome, Reason, SentState};
use cpaas::guard::{Guard, GuardReason, GuardRequest, GuardSettings, GuardStore};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::suppression::{MemorySuppressionStore, StoreError, SuppressionStore};
use cpaas::{Config, OperationId};

const RESPONSE: &str = r#"{"code":200,"message":"OK","requestID":"OTP1","responseCode":0,"id":"m-1","messageId":"m-1","bulkId":"b","messages":[{"id":"1","messageId":"1","to":"306900000001"},{"id":"2","messageId":"2","to":"306900000002"}]}"#;

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
    for (operation, request, pointer) in [
        (OperationId::SmsSend, SMS, "/to"),
        (OperationId::SmsSendBulk, BULK, "/to/1"),
        (OperationId::SmsSendBulk, SMS, "/to/0"),
        (OperationId::MessagesSend, MESSAGE, "/destination"),
        (OperationId::MessagesSendFailover, FAILOVER, "/destination"),
        (OperationId::MessagesSendBulk, BULK_MESSAGE, "/destinations/1"),
    ] {
        let error = client.call_json(operation, request).await.unwrap_err();
        assert_eq!((error.outcome, error.problems.len()), (Outcome::Invalid, 1), "{operation:?}: {error}");
        assert_eq!((&*error.problems[0].code, error.problems[0].pointer.as_str()), ("suppressed", pointer));
        assert!(!error.to_json().contains("900000001"), "the error contains the number");
    }
    store.add("306900000002").await.unwrap();
    let error = client.call_json(OperationId::SmsSendBulk, BULK).await.unwrap_err();
    let pointers: Vec<_> = error.problems.iter().map(|problem| problem.pointer.as_str()).collect();
    assert_eq!(pointers, ["/to/0", "/to/1"]);
    assert_eq!(sent.load(Ordering::Relaxed), 0);
}

/// Members that an operation does not have are sent as they are.
#[tokio::test]
async fn a_number_in_an_undocumented_member_is_a_recipient() {
    let Fixture { client, store, sent } = fixture();
    store.add("306900000001").await.unwrap();
    let off = client.with(CallOptions::new().validation(cpaas::config::Validation::Off));
    let sms = r#""sms":{"sender":"Acme","text":"Hi"}"#;
    let chat = r#""messenger_b":{"type":"session","text":"Hi"}"#;
    let other = r#""destination":"306900000002""#;
    let both = format!(r#"{{{other},"destinations":["306900000003","306900000001"],{sms}}}"#);
    let bulk = format!(r#"{{"destination":"306900000001","destinations":["306900000002"],{sms}}}"#);
    let failover = FAILOVER.replacen(
        r#""destination":"306900000001""#,
        &format!(r#"{other},"destinations":["306900000001"]"#),
        1,
    );
    let hidden_list = format!(r#"{{{other},{sms},"extra":{{"destinations":["306900000001"]}}}}"#);
    let hidden_number = format!(r#"{{{sms},"extra":{{"destination":306900000001}}}}"#);
    let hidden_sms = format!(r#"{{"destination":"306900000001",{chat},"extra":{{{sms}}}}}"#);
    let hidden_to = r#"{"from":"Acme","to":"306900000002","text":"Hi","extra":{"to":"306900000001"}}"#;
    for (caller, operation, request, pointer) in [
        (&client, OperationId::MessagesSend, both.as_str(), "/destinations/1"),
        (&client, OperationId::MessagesSendFailover, &failover, "/destinations/0"),
        (&client, OperationId::MessagesSendBulk, &bulk, "/destination"),
        (&off, OperationId::MessagesSend, &hidden_list, "/destinations/0"),
        (&off, OperationId::MessagesSend, &hidden_number, "/destination"),
        (&off, OperationId::MessagesSend, &hidden_sms, "/destination"),
        (&off, OperationId::SmsSend, hidden_to, "/to"),
    ] {
        let error = caller.call_json(operation, request).await.unwrap_err();
        let found: Vec<_> = error
            .problems
            .iter()
            .filter(|problem| problem.is_error())
            .map(|one| (&*one.code, one.pointer.as_str()))
            .collect();
        assert_eq!(found, [("suppressed", pointer)], "{operation:?}");
    }
    assert_eq!(sent.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn passcodes_chat_messages_and_other_numbers_are_sent() {
    let Fixture { client, store, sent } = fixture();
    store.add("306900000001").await.unwrap();
    client.call_json(OperationId::OtpSend, OTP).await.unwrap();
    client.call_json(OperationId::MessagesSend, CHAT).await.unwrap();
    // In a bulk message, a channel without members is absent (D6).
    let bulk = BULK_MESSAGE
        .replace(r#"{"sender":"Acme","text":"Hi"}"#, r#"{},"messenger_b":{"type":"session","text":"Hi"}"#);
    client.call_json(OperationId::MessagesSendBulk, &bulk).await.unwrap();
    client.call_json(OperationId::SmsSend, &SMS.replace("0001", "0002")).await.unwrap();
    assert_eq!(sent.load(Ordering::Relaxed), 4);
    store.remove("+30 690 000 0001").await.unwrap();
    let other = client.clone();
    other.call_json(OperationId::SmsSend, SMS).await.unwrap_or_else(|error| panic!("{error}"));
}

#[tokio::test]
async fn validation_that_is_off_does_not_switch_the_store_off() {
    let Fixture { client, store, sent } = fixture();
    store.add("306900000001").await.unwrap();
    let options = cpaas::client::CallOptions::new().validation(cpaas::config::Validation::Off);
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
        assert_eq!((error.outcome, &*error.problems[0].code), (Outcome::Invalid, "suppression.unavailable"));
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

#[tokio::test]
async fn the_memory_store_refuses_a_text_that_is_not_a_number() {
    let store = MemorySuppressionStore::new();
    for text in ["", " ", "not a number", "12345", "STOP", "psid-306912345678", "306934567890.0"] {
        let error = store.add(text).await.unwrap_err().to_string();
        assert!(error.starts_with("number must "), "{text:?}: {error}");
        assert!(text.trim().is_empty() || !error.contains(text), "{error}");
        assert!(!store.is_suppressed(text).await.unwrap(), "{text:?}");
        assert!(!store.remove(text).await.unwrap(), "{text:?}");
    }
}

const VERIFY: &str = r#"{"service":"login","requestId":"OTP1","code":"123456"}"#;

#[tokio::test]
async fn a_guard_refuses_before_the_first_attempt_and_counts_entered_passcodes() {
    let (plain, sent) = client();
    let client = plain.clone().guard(Guard::new(GuardSettings::default()).unwrap());
    for _ in 0..3 {
        client.call_json(OperationId::OtpSend, OTP).await.unwrap();
    }
    let error = client.call_json(OperationId::OtpSend, OTP).await.unwrap_err();
    assert_eq!((error.outcome, &*error.problems[0].code), (Outcome::Invalid, "guard.recipient"));
    assert_eq!(error.problems[0].pointer, "/to");
    assert_eq!(sent.load(Ordering::Relaxed), 3);
    // Other operations, and a client without the guard, are not limited.
    client.call_json(OperationId::SmsSend, SMS).await.unwrap();
    assert!(plain.without_guard().call_json(OperationId::OtpSend, OTP).await.is_ok());
}

/// A store that records its calls, or fails.
#[derive(Default)]
struct Recorder {
    fails: bool,
    hangs_after: bool,
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

    fn withdraw<'a>(&'a self, request: &'a GuardRequest) -> BoxFuture<'a, Result<(), StoreError>> {
        self.told.lock().unwrap().push(format!("withdraw {}", request.number));
        Box::pin(self.reported())
    }

    fn sent<'a>(&'a self, id: &'a str, request: &'a GuardRequest) -> BoxFuture<'a, Result<(), StoreError>> {
        self.told.lock().unwrap().push(format!("sent {id} {}", request.number));
        Box::pin(self.reported())
    }

    fn converted<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        self.told.lock().unwrap().push(format!("converted {id}"));
        Box::pin(self.reported())
    }
}

impl Recorder {
    /// Hangs if the store hangs after a call.
    async fn reported(&self) -> Result<(), StoreError> {
        if self.hangs_after {
            std::future::pending::<()>().await;
        }
        Ok(())
    }
}

#[tokio::test]
async fn the_store_of_a_guard_learns_what_was_sent_and_entered() {
    let store = Arc::new(Recorder::default());
    let client = client().0.guard(Guard::with_store(GuardSettings::default(), store.clone()).unwrap());
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
        let guard = Guard::with_store(settings, store).unwrap();
        let result = plain.guard(guard).call_json(OperationId::OtpSend, OTP).await;
        match result {
            Ok(_) => assert!(sends),
            Err(error) => assert!(!sends && error.problems[0].code == "guard.unavailable", "{error}"),
        }
        assert_eq!(sent.load(Ordering::Relaxed), usize::from(sends));
    }
}

/// The store of a guard that answers nothing.
struct Silent;

impl GuardStore for Silent {
    fn admit<'a>(
        &'a self,
        _: &'a GuardRequest,
        _: &'a GuardSettings,
    ) -> BoxFuture<'a, Result<Option<GuardReason>, StoreError>> {
        Box::pin(std::future::pending())
    }

    fn withdraw<'a>(&'a self, _: &'a GuardRequest) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(std::future::pending())
    }

    fn sent<'a>(&'a self, _: &'a str, _: &'a GuardRequest) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(std::future::pending())
    }

    fn converted<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_store_leaves_time_to_send_without_it() {
    for (deadline, waited) in [(1, 500), (2, 1_000), (60, 5_000)] {
        let (plain, sent) = client();
        let mut settings = GuardSettings::default();
        settings.sends_without_store = true;
        let client = plain
            .guard(Guard::with_store(settings, Arc::new(Silent)).unwrap())
            .with(CallOptions::new().deadline(Duration::from_secs(deadline)));
        let start = tokio::time::Instant::now();
        client
            .call_json(OperationId::OtpSend, OTP)
            .await
            .unwrap_or_else(|error| panic!("{deadline}: {error}"));
        assert_eq!(sent.load(Ordering::Relaxed), 1);
        let elapsed = start.elapsed().as_millis();
        assert!((waited..=waited + 1).contains(&elapsed), "{deadline} s: {elapsed} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn the_message_of_an_unavailable_guard_names_the_failure_and_the_setting() {
    let stores: [(Arc<dyn GuardStore>, &str); 2] = [
        (Arc::new(Recorder { fails: true, ..Recorder::default() }), "the store of the guard failed"),
        (Arc::new(Silent), "did not answer within 2000 ms"),
    ];
    for (store, expected) in stores {
        let client = client().0.guard(Guard::with_store(GuardSettings::default(), store).unwrap());
        let client = client.with(CallOptions::new().deadline(Duration::from_secs(2)));
        let error = client.call_json(OperationId::OtpSend, OTP).await.unwrap_err();
        let message = &error.problems[0].message;
        assert!(message.contains(expected) && message.contains("`sends_without_store`"), "{message}");
    }
}

#[test]
fn the_settings_of_a_guard_are_an_object() {
    for text in ["[]", " [[[3, 600]]]", "null", "1"] {
        let error = GuardSettings::from_json(text).unwrap_err();
        assert_eq!(error.outcome, Outcome::Invalid, "{text}");
    }
}

/// What the provider does with one attempt.
#[derive(Clone, Copy, Debug)]
enum Fate {
    NotSent,
    Rejected,
    Lost,
    Accepted,
}

/// A client whose attempts end as `fate` says; one attempt for each call.
fn client_with_fate(fate: Arc<std::sync::Mutex<Fate>>) -> Client {
    let config = Config::default()
        .otp_url("https://otp.example")
        .account_sid("AC1")
        .api_key("key")
        .max_attempts(1)
        .accept_repeated_ids(true);
    let transport = move |_: HttpRequest| {
        let fate = *fate.lock().unwrap();
        async move {
            match fate {
                Fate::NotSent => Err(TransportError::new(SentState::No, Reason::Connect)),
                Fate::Lost => Err(TransportError::new(SentState::Maybe, Reason::Reset)),
                Fate::Rejected => {
                    Ok(HttpResponse::new(400, vec![], r#"{"code":400,"message":"no","requestID":""}"#))
                }
                Fate::Accepted => Ok(HttpResponse::new(200, vec![], RESPONSE)),
            }
        }
    };
    Client::with_transport(&config, transport).unwrap()
}

#[tokio::test]
async fn calls_that_send_nothing_do_not_count_as_messages() {
    let fate = Arc::new(std::sync::Mutex::new(Fate::NotSent));
    let client = client_with_fate(fate.clone()).guard(Guard::new(GuardSettings::default()).unwrap());
    for failure in [Fate::NotSent, Fate::Rejected] {
        *fate.lock().unwrap() = failure;
        for _ in 0..10 {
            let error = client.call_json(OperationId::OtpSend, OTP).await.unwrap_err();
            assert_ne!(error.outcome, Outcome::Invalid, "{failure:?}: {error}");
            let typed = cpaas::otp::SendPasscode::new("login", "Acme", "306900000001", "{code}");
            assert_ne!(client.call(typed).await.unwrap_err().outcome, Outcome::Invalid, "{failure:?}");
        }
    }
    *fate.lock().unwrap() = Fate::Accepted;
    for _ in 0..2 {
        client.call_json(OperationId::OtpSend, OTP).await.unwrap();
    }
    // A message that may have been sent counts.
    *fate.lock().unwrap() = Fate::Lost;
    assert_eq!(client.call_json(OperationId::OtpSend, OTP).await.unwrap_err().outcome, Outcome::Unknown);
    let error = client.call_json(OperationId::OtpSend, OTP).await.unwrap_err();
    assert_eq!((error.outcome, &*error.problems[0].code), (Outcome::Invalid, "guard.recipient"));
}

#[tokio::test]
async fn an_outage_does_not_refuse_the_passcodes_of_a_prefix() {
    let fate = Arc::new(std::sync::Mutex::new(Fate::NotSent));
    let mut settings = GuardSettings::default();
    (settings.min_conversion, settings.grace) = (0.2, Duration::ZERO);
    let client = client_with_fate(fate.clone()).guard(Guard::new(settings).unwrap());
    let passcode = |n: u32| OTP.replace("306900000001", &format!("30690{:07}", n * 12_007));
    for n in 0..300 {
        let error = client.call_json(OperationId::OtpSend, &passcode(n)).await.unwrap_err();
        assert_eq!(error.outcome, Outcome::NotSent, "{error}");
    }
    *fate.lock().unwrap() = Fate::Accepted;
    client.call_json(OperationId::OtpSend, &passcode(301)).await.unwrap();
}

#[tokio::test]
async fn a_store_is_told_once_that_a_call_with_several_attempts_sent_nothing() {
    let (plain, sent) = client();
    let store = Arc::new(Recorder::default());
    let failing = |_: HttpRequest| async { Err(TransportError::new(SentState::No, Reason::Connect)) };
    let config = Config::default().otp_url("https://otp.example").account_sid("AC1").api_key("key");
    let failing = Client::with_transport(&config, failing).unwrap();
    for client in [failing, plain] {
        let guard = Guard::with_store(GuardSettings::default(), store.clone()).unwrap();
        let _ = client.guard(guard).call_json(OperationId::OtpSend, OTP).await;
    }
    assert_eq!(
        *store.told.lock().unwrap(),
        ["admit 306900000001", "withdraw 306900000001", "admit 306900000001", "sent OTP1 306900000001"]
    );
    assert_eq!(sent.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn a_caller_waits_for_the_report_to_a_guard_at_most_a_second() {
    let store = Arc::new(Recorder { hangs_after: true, ..Recorder::default() });
    let (plain, _) = client();
    let client = plain.guard(Guard::with_store(GuardSettings::default(), store).unwrap());
    for (deadline, most) in [(60, 1_001), (1, 1_001)] {
        let client = client.with(CallOptions::new().deadline(Duration::from_secs(deadline)));
        for (operation, request) in [(OperationId::OtpSend, OTP), (OperationId::OtpVerify, VERIFY)] {
            let start = tokio::time::Instant::now();
            client.call_json(operation, request).await.unwrap();
            assert!(start.elapsed() <= Duration::from_millis(most), "{:?}", start.elapsed());
        }
    }
}

/// A store that needs a while for each number.
struct Slow(Duration);

impl SuppressionStore for Slow {
    fn is_suppressed<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async {
            tokio::time::sleep(self.0).await;
            Ok(false)
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
async fn one_limit_holds_for_all_recipients_and_for_the_deadline() {
    let numbers: Vec<String> = (0..100).map(|n| format!("30690000{n:04}")).collect();
    let bulk = format!(r#"{{"from":"Acme","to":"{}","text":"Hi"}}"#, numbers.join(","));
    let (plain, sent) = client();
    let client = plain.suppression(Arc::new(Slow(Duration::from_secs(1))));
    for (deadline, most) in [(60, 5_001), (2, 2_001)] {
        let client = client.with(CallOptions::new().deadline(Duration::from_secs(deadline)));
        let start = tokio::time::Instant::now();
        let error = client.call_json(OperationId::SmsSendBulk, &bulk).await.unwrap_err();
        assert_eq!(error.problems[0].code, "suppression.unavailable");
        assert!(start.elapsed() <= Duration::from_millis(most), "{:?}", start.elapsed());
    }
    assert_eq!(sent.load(Ordering::Relaxed), 0);
    client.call_json(OperationId::SmsSend, SMS).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_store_counts_towards_the_deadline() {
    let config =
        Config::default().sms_url("https://sms.example").sms_key("key").deadline(Duration::from_secs(3));
    let transport = |_: HttpRequest| async { Err(TransportError::new(SentState::No, Reason::Connect)) };
    let client = Client::with_transport(&config, transport)
        .unwrap()
        .suppression(Arc::new(Slow(Duration::from_millis(2_900))));
    let start = tokio::time::Instant::now();
    let error = client.call_json(OperationId::SmsSend, SMS).await.unwrap_err();
    assert_eq!(error.outcome, Outcome::NotSent);
    assert!(start.elapsed() <= Duration::from_millis(3_001), "{:?}", start.elapsed());
}

#[test]
fn settings_that_refuse_everything_are_an_error() {
    type Change = fn(&mut GuardSettings);
    let cases: [(Change, &str); 11] = [
        (|settings| settings.min_conversion = 20.0, "`min_conversion` must be from 0 to 1"),
        (|settings| settings.min_conversion = f64::NAN, "`min_conversion` must be from 0 to 1"),
        (|settings| settings.min_conversion = -0.1, "`min_conversion` must be from 0 to 1"),
        (|settings| settings.max_sequence = 0, "`max_sequence` must be 1 or greater"),
        (|settings| settings.max_range = 0, "`max_range` must be 1 or greater"),
        (|settings| settings.max_prefix = 0, "`max_prefix` must be 1 or greater"),
        (|settings| settings.max_country = 0, "`max_country` must be 1 or greater"),
        (|settings| settings.min_passcodes = 0, "`min_passcodes` must be 1 or greater"),
        (
            |settings| settings.recipient_limits = vec![(0, Duration::from_secs(60))],
            "`recipient_limits` must",
        ),
        (|settings| settings.recipient_limits = vec![(3, Duration::ZERO)], "`recipient_limits` must"),
        (|settings| settings.window = Duration::ZERO, "`window` must be greater than 0"),
    ];
    for (change, message) in cases {
        let mut settings = GuardSettings::default();
        change(&mut settings);
        let error = Guard::new(settings).unwrap_err();
        assert_eq!(error.outcome, Outcome::Invalid);
        assert!(error.message.starts_with(message), "{}", error.message);
    }
    let mut settings = GuardSettings::default();
    settings.min_conversion = 1.0;
    assert!(Guard::new(settings).is_ok());
}

#[tokio::test]
async fn a_client_with_other_settings_keeps_its_stores() {
    let Fixture { client, store, sent } = fixture();
    store.add("306900000001").await.unwrap();
    let config = Config::default().sms_url("https://sms.example").sms_key("another key");
    let error = client.reconfigured(&config).unwrap().call_json(OperationId::SmsSend, SMS).await.unwrap_err();
    assert_eq!(error.problems[0].code, "suppressed");
    assert_eq!(sent.load(Ordering::Relaxed), 0);
    let client = client.without_suppression();
    client.call_json(OperationId::SmsSend, SMS).await.unwrap();
    assert_eq!(sent.load(Ordering::Relaxed), 1);
}
