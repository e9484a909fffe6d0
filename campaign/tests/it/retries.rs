//! Rows that are sent again after a rejection that may pass, and after a failure of the provider.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{Scratch, assert_adds_up, client, create, exported, messages, open, rows, sent};
use cpaas::Config;
use cpaas_campaign::blocking;
use cpaas_campaign::campaign::{self, count_retries, reference, retry, retry_reasons, status};
use cpaas_campaign::journal::{Journal, RetryReason, Settings};
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{Prices, SendOnceOptions, send_once};
use cpaas_sandbox::Sandbox;
use serde_json::json;

async fn end(scratch: &Scratch, config: Config) -> (RunEnd, Journal) {
    run(scratch.journal(), "c", &client(config), RunOptions::default()).await.unwrap()
}

#[tokio::test]
async fn rows_that_were_rejected_because_of_a_wrong_key_are_sent_again() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut messages = messages();
    messages.prices = Some(Prices::read(&b"prefix,price,currency\n3069,0.05,EUR\n"[..]).unwrap());
    let settings = Settings::default();
    let mut journal = scratch.journal();
    let id = blocking::create(&mut journal, "c", &mut rows(10), &messages, settings, None).unwrap().id;
    let (ended, mut journal) = end(&scratch, sandbox.config().sms_key("not-the-key")).await;
    assert_eq!(ended, RunEnd::Halted);
    let reasons: Vec<_> = exported(&mut journal, "c").into_iter().filter_map(|row| row.reason).collect();
    assert!(reasons.len() == 3 && reasons.iter().all(|reason| reason.starts_with("setup 40")), "{reasons:?}");
    // A report proves that the second row was accepted.
    let _ = campaign::report(&mut journal, "c", [reference(&id, 1, 1)]).unwrap();
    let (setup, age) = (RetryReason::parse("setup").unwrap(), Duration::ZERO);
    assert_eq!(count_retries(&mut journal, "c", &setup, age).unwrap(), 2);
    assert_eq!(count_retries(&mut journal, "c", &setup, Duration::from_secs(360)).unwrap(), 0);
    assert_eq!(status(&mut journal, "c").unwrap().rejected, 2, "counting changes nothing");
    assert_eq!(retry(&mut journal, "c", &setup, age).unwrap(), 2);
    assert_eq!(retry(&mut journal, "c", &setup, age).unwrap(), 0);
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.rejected, found.pending, found.spend.as_deref()), (0, 9, Some("0.05")));
    campaign::resume(&mut journal, "c").unwrap();
    let (ended, mut journal) = end(&scratch, sandbox.config()).await;
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!(
        (ended, found.accepted, found.attempts, found.spend.as_deref()),
        (RunEnd::Done, 10, 12, Some("0.5"))
    );
    assert!(sent(&sandbox.ledger().await).values().all(|count| *count == 1));
    create(&mut journal, "cancelled", 1, Settings::default());
    campaign::cancel(&mut journal, "cancelled").unwrap();
    assert_eq!(retry(&mut journal, "cancelled", &setup, age).unwrap_err().code(), "state");
}

#[tokio::test]
async fn only_failures_of_the_provider_are_sent_again_after_six_minutes() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let faults = json!([
        {"kind": "status", "status": 503, "expires": 2},
        {"kind": "close-after-read", "expires": 1},
    ]);
    sandbox.set_faults(faults).await.unwrap();
    let scratch = Scratch::new();
    create(&mut scratch.journal(), "c", 20, Settings::default());
    let (_, mut journal) = end(&scratch, sandbox.config()).await;
    assert_eq!(status(&mut journal, "c").unwrap().unknown, 3);
    let failed = RetryReason::parse("provider_5xx").unwrap();
    assert!(failed.may_send_twice());
    assert_eq!(
        retry_reasons(&mut journal, "c").unwrap(),
        [("provider_5xx".to_owned(), 2)].into(),
        "the third row has no reason that a retry accepts"
    );
    assert_eq!(retry(&mut journal, "c", &failed, Duration::ZERO).unwrap(), 0, "claimed just now");
    assert_eq!(journal.retry("c", &failed, 0, false).unwrap(), 2);
    let (_, mut journal) = end(&scratch, sandbox.config()).await;
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.unknown, found.pending), (19, 1, 0));
}

#[tokio::test]
async fn a_key_whose_message_was_rejected_is_sent_again_for_its_reason_only() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let once = async |config: Config, reason: Option<&str>| {
        let journal = Arc::new(Mutex::new(open(&scratch.url())));
        let mut options = SendOnceOptions::from(Duration::from_secs(30));
        options.retry = reason.map(|reason| RetryReason::parse(reason).unwrap());
        let request = r#"{"from":"Acme","to":"306900000001","text":"Your code is ready"}"#;
        send_once(journal, &client(config), "order-1", "sms.send", request, options).await.unwrap().outcome
    };
    assert_eq!(once(sandbox.config().sms_key("not-the-key"), None).await, RowOutcome::Rejected);
    assert_eq!(once(sandbox.config(), None).await, RowOutcome::Rejected);
    assert_eq!(once(sandbox.config(), Some("12345")).await, RowOutcome::Rejected);
    assert_eq!(once(sandbox.config().sms_key("not-the-key"), Some("setup")).await, RowOutcome::Rejected);
    assert_eq!(once(sandbox.config(), Some("setup")).await, RowOutcome::Accepted);
    assert_eq!(once(sandbox.config(), Some("setup")).await, RowOutcome::Accepted);
    assert_eq!(sandbox.ledger().await.len(), 1);
}

/// What a retry could find, where it finds nothing.
#[tokio::test]
async fn the_reasons_of_a_retry_are_counted() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "c", 5, Settings::default());
    assert!(retry_reasons(&mut journal, "c").unwrap().is_empty());
    drop(journal);
    let (_, mut journal) = end(&scratch, sandbox.config().sms_key("not-the-key")).await;
    let found = retry_reasons(&mut journal, "c").unwrap();
    let rejected = status(&mut journal, "c").unwrap().rejected;
    assert_eq!(found.get("setup").copied(), u64::try_from(rejected).ok(), "{found:?}");
    // Each name is one that a retry accepts, and finds as many rows.
    for (name, count) in &found {
        let reason = RetryReason::parse(name).unwrap();
        assert_eq!(count_retries(&mut journal, "c", &reason, Duration::ZERO).unwrap(), *count, "{name}");
    }
    assert!(found.len() > 1, "the code of the provider is one of them: {found:?}");
    retry(&mut journal, "c", &RetryReason::Setup, Duration::ZERO).unwrap();
    assert!(retry_reasons(&mut journal, "c").unwrap().is_empty(), "rows that will be sent again");
    assert_eq!(retry_reasons(&mut journal, "x").unwrap_err().code(), "no_campaign");
}
