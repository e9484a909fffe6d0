//! `send_once` of a passcode whose response was lost: its id from the provider's records, or an outcome that stays unknown.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{Scratch, client, open};
use cpaas::Client;
use cpaas::otp::{Code, RequestId, VerifyPasscode};
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::{SendOnceResult, send_once};
use cpaas_sandbox::{MessageFilter, Sandbox};
use serde_json::{Value, json};

const TO: &str = "306900000001";
const REQUEST: &str = r#"{"service":"login","from":"Acme","to":"306900000001","body":"Your code is {code}"}"#;
const DEADLINE: Duration = Duration::from_secs(60);
/// The response to every send is lost, after the provider has accepted it.
const LOST: &str = "close-after-read";

async fn start(faults: Value) -> Sandbox {
    let sandbox = Sandbox::builder().start().await.unwrap();
    sandbox.set_faults(faults).await.unwrap();
    sandbox
}

fn lost() -> Value {
    json!({"match": {"op": "otp.send"}, "kind": LOST})
}

async fn once(path: &str, client: &Client, key: &str) -> SendOnceResult {
    let journal = Arc::new(Mutex::new(open(path)));
    send_once(journal, client, key, "otp.send", REQUEST, DEADLINE).await.unwrap()
}

/// The id in the stored response.
fn request_id(once: &SendOnceResult) -> String {
    let detail: Value = serde_json::from_str(once.detail.as_deref().unwrap()).unwrap();
    detail["requestID"].as_str().unwrap().to_owned()
}

async fn code(sandbox: &Sandbox) -> String {
    let filter = MessageFilter::to(TO).contains("code");
    sandbox.wait_for(&filter, Duration::from_secs(5)).await.unwrap().otp.unwrap()
}

#[tokio::test]
async fn the_id_of_a_passcode_whose_response_was_lost_is_in_the_records() {
    let sandbox = start(json!([lost()])).await;
    let scratch = Scratch::new();
    let client = client(sandbox.config());
    let sent = once(&scratch.url(), &client, "login-1").await;
    assert_eq!(sent.outcome, RowOutcome::Accepted);
    let id = RequestId::new(request_id(&sent));
    let verify = VerifyPasscode::new("login", id, Code::new(code(&sandbox).await));
    client.call(verify).await.unwrap();
    // The next caller reads the journal, whatever the records contain by now.
    assert_eq!(once(&scratch.url(), &client, "login-1").await, sent);
    assert_eq!(sandbox.ledger().await.len(), 1);
}

#[tokio::test]
async fn of_two_passcodes_alike_the_second_stays_unknown() {
    let sandbox = start(json!([lost()])).await;
    let scratch = Scratch::new();
    let client = client(sandbox.config());
    assert_eq!(once(&scratch.url(), &client, "login-1").await.outcome, RowOutcome::Accepted);
    let second = once(&scratch.url(), &client, "login-2").await;
    assert_eq!(second.outcome, RowOutcome::Unknown);
    assert!(second.detail.unwrap().contains("2 passcodes to this recipient"));
    assert_eq!(sandbox.ledger().await.len(), 2);
}

#[tokio::test]
async fn the_record_of_another_message_is_not_the_result() {
    // Of the two sends, the provider processes the first.
    let second = json!({"match": {"op": "otp.send"}, "kind": "reset-before-read", "nth": 2});
    for same_client in [true, false] {
        let sandbox = start(json!([second])).await;
        let scratch = Scratch::new();
        let first = client(sandbox.config());
        assert_eq!(once(&scratch.url(), &first, "login-1").await.outcome, RowOutcome::Accepted);
        let other = if same_client { first } else { client(sandbox.config()) };
        let lost = once(&scratch.url(), &other, "login-2").await;
        assert_eq!(lost.outcome, RowOutcome::Unknown, "same client: {same_client}");
        assert_eq!(sandbox.ledger().await.len(), 1);
    }
}

#[tokio::test]
async fn a_passcode_of_another_recipient_sender_or_service_is_not_the_result() {
    let sandbox = start(json!([{"match": {"op": "otp.send"}, "kind": "reset-before-read", "nth": 4}])).await;
    let scratch = Scratch::new();
    let client = client(sandbox.config());
    for (service, from, to) in
        [("payment", "Acme", TO), ("login", "Other", TO), ("login", "Acme", "306900000002")]
    {
        let body = "Your code is {code}";
        client.call(cpaas::otp::SendPasscode::new(service, from, to, body)).await.unwrap();
    }
    let lost = once(&scratch.url(), &client, "login-1").await;
    assert_eq!(lost.outcome, RowOutcome::Unknown);
    assert!(lost.detail.unwrap().contains("no passcode of this service"));
}

#[tokio::test]
async fn records_that_cannot_be_read_leave_the_outcome_unknown() {
    for kind in [json!({"kind": "status", "status": 500}), json!({"kind": "garbage"}), json!({"kind": LOST})]
    {
        let mut search = kind.clone();
        search["match"] = json!({"op": "otp.search"});
        let sandbox = start(json!([lost(), search])).await;
        let scratch = Scratch::new();
        let sent = once(&scratch.url(), &client(sandbox.config()), "login-1").await;
        assert_eq!(sent.outcome, RowOutcome::Unknown, "{kind}");
        assert_eq!(sandbox.ledger().await.len(), 1);
    }
}

#[tokio::test]
async fn a_plain_send_does_not_read_the_records() {
    let sandbox = start(json!([lost()])).await;
    let send = cpaas::otp::SendPasscode::new("login", "Acme", TO, "Your code is {code}");
    let error = client(sandbox.config()).call(send).await.unwrap_err();
    assert_eq!((error.outcome, error.evidence.as_deref()), (cpaas::error::Outcome::Unknown, None));
}

/// The record of the first send, whose response is slow, is also all that the second, which never arrives, can find. A rule counts
/// the requests that no earlier rule took.
fn slow_then_lost() -> Value {
    json!([
        {"match": {"op": "otp.send"}, "kind": "slow-drip", "ms": 10, "nth": 1},
        {"match": {"op": "otp.send"}, "kind": "reset-before-read", "nth": 1},
    ])
}

async fn wait_for_first_passcode(sandbox: &Sandbox) {
    while sandbox.ledger().await.is_empty() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn a_response_wins_over_the_guess_of_another_call() {
    let sandbox = start(slow_then_lost()).await;
    let scratch = Scratch::new();
    let client = client(sandbox.config());
    let plain = async {
        let send = cpaas::otp::SendPasscode::new("login", "Acme", TO, "Your code is {code}");
        client.call(send).await
    };
    let lost = async {
        wait_for_first_passcode(&sandbox).await;
        once(&scratch.url(), &client, "login-1").await
    };
    let (plain, lost) = tokio::join!(plain, lost);
    let id = plain.unwrap().request_id.clone().unwrap();
    // The journal does not know the plain call, so the passcode of the recipient is the result.
    assert_eq!((lost.outcome, request_id(&lost)), (RowOutcome::Accepted, id.as_str().to_owned()));
}

#[tokio::test]
async fn a_passcode_is_not_the_result_of_two_keys() {
    for same_client in [true, false] {
        let sandbox = start(slow_then_lost()).await;
        let scratch = Scratch::new();
        let url = scratch.url();
        let first = client(sandbox.config());
        let other = if same_client { first.clone() } else { client(sandbox.config()) };
        let lost = async {
            wait_for_first_passcode(&sandbox).await;
            once(&url, &other, "login-2").await
        };
        let (sent, lost) = tokio::join!(once(&url, &first, "login-1"), lost);
        assert_eq!((sent.outcome, lost.outcome), (RowOutcome::Accepted, RowOutcome::Unknown));
        assert!(lost.detail.as_deref().unwrap().contains("of another message"), "{:?}", lost.detail);
        // Both outcomes are stored.
        assert_eq!(once(&url, &first, "login-1").await, sent);
        assert_eq!(once(&url, &other, "login-2").await, lost);
    }
}

#[tokio::test]
async fn an_open_key_of_another_recipient_does_not_own_the_passcode() {
    let sandbox = start(json!([
        {"match": {"op": "otp.send"}, "kind": "slow-drip", "ms": 10, "nth": 1},
        {"match": {"op": "otp.send"}, "kind": LOST, "nth": 1},
    ]))
    .await;
    let scratch = Scratch::new();
    let (url, client) = (scratch.url(), client(sandbox.config()));
    let other = REQUEST.replace(TO, "306900000002");
    let slow = async {
        let journal = Arc::new(Mutex::new(open(&url)));
        send_once(journal, &client, "login-1", "otp.send", &other, DEADLINE).await.unwrap()
    };
    let lost = async {
        wait_for_first_passcode(&sandbox).await;
        once(&url, &client, "login-2").await
    };
    let (slow, lost) = tokio::join!(slow, lost);
    assert_eq!((slow.outcome, lost.outcome), (RowOutcome::Accepted, RowOutcome::Accepted));
    assert_ne!(request_id(&slow), request_id(&lost));
}

#[tokio::test]
async fn an_accepted_passcode_without_id_stays_accepted() {
    let sandbox = start(json!([])).await;
    let scratch = Scratch::new();
    let (one, other) = (client(sandbox.config()), client(sandbox.config()));
    let first = once(&scratch.url(), &one, "login-1").await;
    // The records lack the second passcode, as those of a copy that is behind.
    let records = one.call(cpaas::otp::SearchPasscodes::default()).await.unwrap().raw.body;
    let records = String::from_utf8(records.to_vec()).unwrap();
    let faults = json!([
        {"match": {"op": "otp.send"}, "kind": "truncated-body"},
        {"match": {"op": "otp.search"}, "kind": "gateway", "status": 200, "body": records},
    ]);
    sandbox.set_faults(faults).await.unwrap();
    let second = once(&scratch.url(), &other, "login-2").await;
    let detail = second.detail.clone().unwrap();
    assert_eq!(second.outcome, RowOutcome::Accepted, "{detail}");
    // Whether the record is young enough to be one of the second call depends on the speed of the machine.
    assert!(detail.contains("accepted_id_unknown"), "{detail}");
    assert!(!detail.contains(&request_id(&first)), "{detail}");
    assert_eq!(once(&scratch.url(), &other, "login-2").await, second);
}

/// The first passcode is processed, its response is lost, and the records cannot be read. The second never arrives. The only record is that of
/// the first key, so it is not the result of the second one.
#[tokio::test]
async fn a_passcode_of_a_key_that_stayed_unknown_is_not_the_result_of_another() {
    let sandbox = start(json!([
        {"match": {"op": "otp.send"}, "kind": LOST, "nth": 1},
        {"match": {"op": "otp.search"}, "kind": "status", "status": 500},
    ]))
    .await;
    let scratch = Scratch::new();
    let (one, other) = (client(sandbox.config()), client(sandbox.config()));
    let first = once(&scratch.url(), &one, "login-1").await;
    assert_eq!((first.outcome, sandbox.ledger().await.len()), (RowOutcome::Unknown, 1));
    // The second call finds the record of the first, also where the reads of the first took long.
    sandbox.set_faults(json!([])).await.unwrap();
    let records = one.call(cpaas::otp::SearchPasscodes::default()).await.unwrap().raw.body;
    let mut records = String::from_utf8(records.to_vec()).unwrap();
    let member = "\"dateCreated\":\"";
    let at = records.find(member).unwrap() + member.len();
    let soon = jiff::Timestamp::now() + Duration::from_secs(2);
    records.replace_range(at..at + 19, &soon.strftime("%Y-%m-%d %H:%M:%S").to_string());
    let faults = json!([
        {"match": {"op": "otp.send"}, "kind": "reset-before-read"},
        {"match": {"op": "otp.search"}, "kind": "gateway", "status": 200, "body": records},
    ]);
    sandbox.set_faults(faults).await.unwrap();
    let second = once(&scratch.url(), &other, "login-2").await;
    assert_eq!((second.outcome, sandbox.ledger().await.len()), (RowOutcome::Unknown, 1));
    assert!(second.detail.as_deref().unwrap().contains("of another message"), "{:?}", second.detail);
}
