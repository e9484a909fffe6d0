//! `send_once`: one message for each key, also with many callers, killed processes and dropped calls.

use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{Scratch, client, open};
use cpaas::Config;
use cpaas::config::Normalize;
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::{Error, SendOnceOptions, send_once};
use cpaas_sandbox::Sandbox;
use serde_json::json;

const REQUEST: &str = r#"{"from":"Acme","to":"306900000001","text":"Your code is ready"}"#;
const OTHER: &str = r#"{"from":"Acme","to":"306900000001","text":"Another text"}"#;
/// Long enough for hundreds of processes on a busy machine, because a caller that reaches its deadline gets `unknown`.
const DEADLINE: Duration = Duration::from_secs(300);
/// The time limit of a caller whose key no other caller may hold. A caller that takes longer has waited for a held key.
const PROMPT: Duration = Duration::from_secs(15);

async fn once(path: &str, config: Config, request: &str) -> Result<cpaas_campaign::SendOnceResult, Error> {
    let journal = Arc::new(Mutex::new(open(path)));
    send_once(journal, &client(config), "order-1", "sms.send", request, DEADLINE).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_callers_with_a_key_get_one_response() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let path = scratch.url();
    drop(scratch.journal());
    let callers: Vec<_> = (0..40)
        .map(|_| {
            let (path, config) = (path.clone(), sandbox.config());
            tokio::spawn(async move { once(&path, config, REQUEST).await.unwrap() })
        })
        .collect();
    let mut responses = Vec::new();
    for caller in callers {
        responses.push(caller.await.unwrap());
    }
    assert_eq!(responses[0].outcome, RowOutcome::Accepted);
    assert!(responses.iter().all(|response| response == &responses[0] && response.detail.is_some()));
    assert_eq!(sandbox.ledger().await.len(), 1);
    let reused = once(&path, sandbox.config(), OTHER).await.unwrap_err();
    assert!(matches!(reused, Error::KeyReused));
    // A request with another order of members and other spaces is the same request.
    let same = r#"{ "to":"306900000001", "text":"Your code is ready", "from":"Acme" }"#;
    assert_eq!(once(&path, sandbox.config(), same).await.unwrap(), responses[0]);
    assert_eq!(sandbox.ledger().await.len(), 1);
}

#[tokio::test]
async fn an_invalid_request_uses_no_key_and_a_request_that_was_not_sent_may_be_sent_again() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let path = scratch.url();
    let invalid = once(&path, sandbox.config(), r#"{"from":"Acme","to":"x","text":"Hi"}"#).await.unwrap();
    assert_eq!(invalid.outcome, RowOutcome::Invalid);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nowhere = sandbox.config().sms_url(format!("http://{closed}"));
    assert_eq!(once(&path, nowhere, REQUEST).await.unwrap().outcome, RowOutcome::NotSent);
    assert_eq!(once(&path, sandbox.config(), REQUEST).await.unwrap().outcome, RowOutcome::Accepted);
    assert_eq!(sandbox.ledger().await.len(), 1);
}

/// All callers without a key would share one message.
#[tokio::test]
async fn an_empty_key_is_an_error_also_of_an_invalid_request() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let client = client(sandbox.config());
    for request in [REQUEST, "{}"] {
        let journal = Arc::new(Mutex::new(scratch.journal()));
        let refused = send_once(journal, &client, "", "sms.send", request, DEADLINE).await.unwrap_err();
        assert_eq!(refused.to_string(), "the key of `send_once` must not be empty");
        assert_eq!(refused.code(), "setting");
    }
    assert!(sandbox.ledger().await.is_empty());
    assert!(scratch.journal().campaigns().unwrap().is_empty());
}

/// Only an accepted message has a response.
#[tokio::test]
async fn an_outcome_becomes_a_response_or_an_error_that_says_why() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let path = scratch.url();
    let invalid = once(&path, sandbox.config(), r#"{"from":"Acme","to":"x","text":"Hi"}"#).await.unwrap();
    let refused = invalid.clone().accepted().unwrap_err();
    assert_eq!(refused.0, invalid);
    let text = refused.to_string();
    let start = "the message was not accepted, its outcome is `invalid`: nothing was sent: /to: ";
    assert!(text.starts_with(start) && text.contains("[sms.to.not_digits]"), "{text}");
    let rejected = once(&path, sandbox.config().sms_key("not-the-key"), OTHER).await.unwrap();
    let text = rejected.accepted().unwrap_err().to_string();
    assert!(
        text.starts_with("the message was not accepted, its outcome is `rejected`: rejected by"),
        "{text}"
    );
    assert!(!text.contains("306900000001") && !text.contains("Another text"), "{text}");
    let sent = {
        let journal = Arc::new(Mutex::new(open(&path)));
        send_once(journal, &client(sandbox.config()), "order-2", "sms.send", REQUEST, DEADLINE).await.unwrap()
    };
    let response = sent.clone().accepted().unwrap();
    assert_eq!((response.is_some(), response), (true, sent.detail));
}

/// The program of another process; not a test by itself.
#[tokio::test]
#[ignore = "runs in a process of its own"]
async fn caller_process() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let _ = once(&journal, Config::from_env().unwrap(), REQUEST).await.unwrap();
}

fn start_caller(journal: &str, config: &Config) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "once::caller_process", "--ignored"])
        .env("CAMPAIGN_JOURNAL", journal)
        .env("CPAAS_SMS_URL", config.sms_url.clone().unwrap())
        .env("CPAAS_SMS_KEY", config.sms_key.clone().or(config.api_key.clone()).unwrap().expose())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// The name of the campaign of a key.
fn name(key: &str) -> String {
    use sha2::Digest;
    let digest = sha2::Sha256::digest(key);
    format!("once:{}", digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_the_owner_was_killed_all_callers_get_unknown() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    sandbox.set_faults(json!([{"kind": "hang", "ms": 600_000}])).await.unwrap();
    let scratch = Scratch::new();
    let path = scratch.url();
    let mut journal = scratch.journal();
    let mut owner = start_caller(&path, &sandbox.config());
    while cpaas_campaign::campaign::status(&mut journal, &name("order-1"))
        .map_or(0, |status| status.in_flight)
        == 0
    {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    owner.kill().unwrap();
    owner.wait().unwrap();
    sandbox.set_faults(json!([])).await.unwrap();
    for _ in 0..3 {
        let response = once(&path, sandbox.config(), REQUEST).await.unwrap();
        assert_eq!((response.outcome, response.detail), (RowOutcome::Unknown, None));
    }
    assert!(sandbox.ledger().await.len() <= 1);
}

/// The program of one of many processes; not a test by itself. It prints the response.
#[tokio::test]
#[ignore = "runs in a process of its own"]
async fn printing_caller() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let found = once(&journal, Config::from_env().unwrap(), REQUEST).await.unwrap();
    println!("response: {} {}", found.outcome.as_str(), found.detail.unwrap());
}

/// Starts `CAMPAIGN_CALLERS` processes (30 by default) with the same key. All must get the response of the one message.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_processes_with_a_key_get_one_response() {
    let count = std::env::var("CAMPAIGN_CALLERS").map_or(30, |count| count.parse().unwrap());
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    drop(scratch.journal());
    let config = sandbox.config();
    let start = || {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "once::printing_caller", "--ignored", "--nocapture"])
            .env("CAMPAIGN_JOURNAL", scratch.url())
            .env("CPAAS_SMS_URL", config.sms_url.clone().unwrap())
            .env("CPAAS_SMS_KEY", config.sms_key.clone().or(config.api_key.clone()).unwrap().expose())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let callers: Vec<Child> = (0..count).map(|_| start()).collect();
    let responses = tokio::task::spawn_blocking(move || {
        let responses = callers.into_iter().map(|caller| {
            let output = caller.wait_with_output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let (_, response) = text.split_once("response: ").unwrap_or_default();
            response.lines().next().unwrap_or_default().to_owned()
        });
        responses.collect::<Vec<String>>()
    });
    let responses = responses.await.unwrap();
    assert!(responses[0].starts_with("accepted {"), "{}", responses[0]);
    assert!(responses.iter().all(|response| *response == responses[0]), "{responses:?}");
    assert_eq!(responses.len(), count);
    assert_eq!(sandbox.ledger().await.len(), 1);
}

/// How often the row of the key was claimed, and whether a caller holds it.
fn claimed(path: &str) -> (i64, i64) {
    let found = cpaas_campaign::campaign::status(&mut open(path), &name("order-1")).unwrap();
    (found.attempts, found.in_flight)
}

/// A server that accepts connections, never writes, and reports when it received bytes. With `https` these bytes belong to the
/// TLS handshake, so no byte of a request is sent.
fn silent_server(scheme: &str) -> (String, std::sync::mpsc::Receiver<()>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("{scheme}://{}", listener.local_addr().unwrap());
    let (sender, received) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = std::io::Read::read(&mut stream, &mut [0; 1]);
            let _ = sender.send(());
            open.push(stream);
        }
    });
    (url, received)
}

/// Starts a caller against a silent server, and drops it when the server has received bytes.
async fn drop_a_caller(path: &str, sandbox: &Sandbox, scheme: &str) {
    let (url, received) = silent_server(scheme);
    let (path, config) = (path.to_owned(), sandbox.config().sms_url(url));
    let caller = tokio::spawn(async move { once(&path, config, REQUEST).await });
    tokio::task::spawn_blocking(move || received.recv().unwrap()).await.unwrap();
    caller.abort();
    assert!(caller.await.unwrap_err().is_cancelled());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn if_a_caller_is_dropped_before_the_first_byte_the_next_caller_sends() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let path = scratch.url();
    drop(scratch.journal());
    drop_a_caller(&path, &sandbox, "https").await;
    let next = async {
        loop {
            match once(&path, sandbox.config(), REQUEST).await {
                // The key belongs to the address of the silent server until the thread of the dropped caller has released it.
                Err(Error::OtherProvider { .. }) => tokio::time::sleep(Duration::from_millis(10)).await,
                result => break result,
            }
        }
    };
    let response = tokio::time::timeout(PROMPT, next).await.expect("the key must be free soon").unwrap();
    assert_eq!(response.outcome, RowOutcome::Accepted);
    assert_eq!(claimed(&path), (2, 0));
    assert_eq!(sandbox.ledger().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn if_a_caller_is_dropped_after_the_first_byte_all_callers_get_unknown() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let path = scratch.url();
    drop(scratch.journal());
    drop_a_caller(&path, &sandbox, "http").await;
    let client = client(sandbox.config());
    for _ in 0..3 {
        // The silent server has another address than the sandbox.
        let options = SendOnceOptions::from(DEADLINE).any_provider();
        let journal = Arc::new(Mutex::new(open(&path)));
        let sent = send_once(journal, &client, "order-1", "sms.send", REQUEST, options);
        let response = tokio::time::timeout(PROMPT, sent).await;
        let response = response.expect("other callers must not wait until their deadlines").unwrap();
        assert_eq!(response.outcome, RowOutcome::Unknown);
    }
    assert_eq!(claimed(&path), (1, 0));
    assert_eq!(sandbox.ledger().await.len(), 0);
}

/// Drops callers at 40 moments of the call. Each key must have at most one message and must not stay held.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_dropped_at_any_moment_holds_no_key() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let path = scratch.url();
    let journal = Arc::new(Mutex::new(scratch.journal()));
    let client = client(sandbox.config());
    for moment in 0..40_u64 {
        let key = format!("order-{moment}");
        let call = |deadline| send_once(journal.clone(), &client, &key, "sms.send", REQUEST, deadline);
        let _ = tokio::time::timeout(Duration::from_micros(moment * 300), call(DEADLINE)).await;
        let next = tokio::time::timeout(PROMPT, call(DEADLINE)).await.expect("the key must not be held");
        assert!(matches!(next.unwrap().outcome, RowOutcome::Accepted | RowOutcome::Unknown));
    }
    assert!(sandbox.ledger().await.len() <= 40);
    let mut journal = open(&path);
    for moment in 0..40 {
        let name = name(&format!("order-{moment}"));
        assert_eq!(cpaas_campaign::campaign::status(&mut journal, &name).unwrap().in_flight, 0);
    }
}

/// Sends the request under one key with this client.
async fn once_with(path: &str, client: &cpaas::Client, operation: &str, request: &str) -> RowOutcome {
    let journal = Arc::new(Mutex::new(open(path)));
    send_once(journal, client, "order-1", operation, request, DEADLINE).await.unwrap().outcome
}

#[tokio::test]
async fn a_request_is_checked_with_the_settings_of_the_client_before_its_key_is_used() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let path = scratch.url();
    let spaced = r#"{"from":"Acme","to":"+30 690 000 0001","text":"Hi"}"#;
    assert_eq!(once(&path, sandbox.config(), spaced).await.unwrap().outcome, RowOutcome::Invalid);
    let normalizing = sandbox.config().normalize(Normalize::International);
    assert_eq!(once(&path, normalizing, spaced).await.unwrap().outcome, RowOutcome::Accepted);
    assert_eq!(sandbox.ledger().await.len(), 1);
}

#[tokio::test]
async fn a_refusal_by_a_store_of_the_client_leaves_the_key_to_the_next_caller() {
    use cpaas::guard::{Guard, GuardSettings};
    use cpaas::suppression::{MemorySuppressionStore, SuppressionStore};

    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let path = scratch.url();
    let stopped = Arc::new(MemorySuppressionStore::new());
    stopped.add("306900000001").await.unwrap();
    let suppressing = client(sandbox.config()).suppression(stopped.clone());
    for _ in 0..2 {
        assert_eq!(once_with(&path, &suppressing, "sms.send", REQUEST).await, RowOutcome::Suppressed);
    }
    stopped.remove("306900000001").await.unwrap();
    assert_eq!(once_with(&path, &suppressing, "sms.send", REQUEST).await, RowOutcome::Accepted);

    let scratch = Scratch::new();
    let path = scratch.url();
    let mut settings = GuardSettings::default();
    settings.recipient_limits = vec![(1, Duration::from_secs(600))];
    let guarded = client(sandbox.config()).guard(Guard::new(settings).unwrap());
    let passcode = r#"{"service":"login","from":"Acme","to":"306900000001","body":"{code}"}"#;
    guarded.call_json(cpaas::OperationId::OtpSend, passcode).await.unwrap();
    assert_eq!(once_with(&path, &guarded, "otp.send", passcode).await, RowOutcome::NotSent);
    assert_eq!(once_with(&path, &guarded.without_guard(), "otp.send", passcode).await, RowOutcome::Accepted);
    assert_eq!(sandbox.ledger().await.len(), 3);
}
