//! `send_once` ends at its deadline although the journal does not respond, and the key is not lost.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::support::{Scratch, client, open};
use cpaas_campaign::SendOnceResult;
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::send_once;
use cpaas_sandbox::Sandbox;
use serde_json::json;

const REQUEST: &str = r#"{"from":"Acme","to":"306900000001","text":"Your code is ready"}"#;
const LONG: Duration = Duration::from_secs(60);

/// Another process keeps the journal locked.
fn locked(scratch: &Scratch) -> std::fs::File {
    let lock = std::fs::File::open(format!("{}-lock", scratch.url_of_file())).unwrap();
    lock.lock().unwrap();
    lock
}

async fn once(scratch: &Scratch, sandbox: &Sandbox, deadline: Duration) -> (SendOnceResult, Duration) {
    let journal = Arc::new(Mutex::new(open(&scratch.url_of_file())));
    once_with(journal, sandbox, deadline).await
}

async fn once_with(
    journal: Arc<Mutex<cpaas_campaign::journal::Journal>>,
    sandbox: &Sandbox,
    deadline: Duration,
) -> (SendOnceResult, Duration) {
    let began = Instant::now();
    let sent = send_once(journal, &client(sandbox.config()), "order-1", "sms.send", REQUEST, deadline).await;
    (sent.unwrap(), began.elapsed())
}

#[tokio::test]
async fn a_journal_that_does_not_respond_does_not_outlast_the_deadline() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let journal = Arc::new(Mutex::new(open(&scratch.url_of_file())));
    let lock = locked(&scratch);
    let (sent, time) = once_with(journal, &sandbox, Duration::from_millis(1500)).await;
    assert_eq!(sent.outcome, RowOutcome::Unknown);
    assert!(time >= Duration::from_millis(1500) && time < Duration::from_secs(5), "{time:?}");
    assert!(sandbox.ledger().await.is_empty());
    lock.unlock().unwrap();
    let (sent, _) = once(&scratch, &sandbox, LONG).await;
    assert_eq!(sent.outcome, RowOutcome::Accepted, "the key is free");
    assert_eq!(sandbox.ledger().await.len(), 1);
}

/// The response is known, and its outcome is stored when the journal responds again.
#[tokio::test]
async fn a_journal_that_stops_during_the_call_does_not_delay_the_response() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    sandbox.set_faults(json!([{"kind": "latency", "ms": 800}])).await.unwrap();
    let scratch = Scratch::file();
    let call = once(&scratch, &sandbox, Duration::from_secs(3));
    let lock = async {
        while sandbox.ledger().await.is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        locked(&scratch)
    };
    let ((sent, time), lock) = tokio::join!(call, lock);
    assert_eq!(sent.outcome, RowOutcome::Accepted);
    assert!(time < Duration::from_secs(8), "{time:?}");
    lock.unlock().unwrap();
    let (again, _) = once(&scratch, &sandbox, LONG).await;
    assert_eq!((again.outcome, again.detail), (RowOutcome::Accepted, sent.detail));
    assert_eq!(sandbox.ledger().await.len(), 1);
}

/// A caller on another machine holds the key and cannot store its outcome, for example because its disk is full.
#[tokio::test]
async fn a_key_that_is_held_elsewhere_does_not_outlast_the_deadline() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    sandbox.set_faults(json!([{"kind": "hang", "ms": 60_000}])).await.unwrap();
    let scratch = Scratch::file();
    let holder = once(&scratch, &sandbox, Duration::from_secs(20));
    let others = async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        once(&scratch, &sandbox, Duration::from_millis(1200)).await
    };
    let (sent, time) = tokio::select! {
        _ = holder => panic!("the holder must still send"),
        sent = others => sent,
    };
    assert_eq!((sent.outcome, sent.detail), (RowOutcome::Unknown, None));
    assert!(time >= Duration::from_millis(1200) && time < Duration::from_secs(5), "{time:?}");
}

/// The waits for the journal and the call have one deadline together.
#[tokio::test]
async fn the_call_and_the_journal_share_one_deadline() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    sandbox.set_faults(json!([{"kind": "hang", "ms": 60_000}])).await.unwrap();
    let scratch = Scratch::file();
    let journal = Arc::new(Mutex::new(open(&scratch.url_of_file())));
    // The journal responds just before the deadline, and not again after the request was sent.
    let held = journal.clone();
    let waiting = std::thread::spawn(move || {
        let guard = held.lock().unwrap();
        std::thread::sleep(Duration::from_millis(900));
        drop(guard);
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    let call = once_with(journal, &sandbox, Duration::from_millis(1500));
    let lock = async {
        tokio::time::sleep(Duration::from_millis(1250)).await;
        locked(&scratch)
    };
    let ((sent, time), lock) = tokio::join!(call, lock);
    waiting.join().unwrap();
    drop(lock);
    assert_eq!(sent.outcome, RowOutcome::Unknown);
    assert!(time >= Duration::from_millis(1400) && time < Duration::from_millis(2000), "{time:?}");
}
