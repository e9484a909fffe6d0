//! Rows and keys that were rejected when a backup was made, and that were retried and sent since: nothing sends them again by itself.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{Scratch, assert_adds_up, client, create, exported, open, sent};
use cpaas::Config;
use cpaas_campaign::campaign::{self, reference, retry, status};
use cpaas_campaign::journal::{Journal, RetryReason, Settings};
use cpaas_campaign::protocol::{Resolution, RowOutcome};
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{SendOnceOptions, send_once};
use cpaas_sandbox::Sandbox;
use serde_json::json;

async fn end(journal: Journal, config: Config) -> (RunEnd, Journal) {
    run(journal, "c", &client(config), RunOptions::default()).await.unwrap()
}

/// Three rows of ten are rejected because of the key.
async fn rejected(sandbox: &Sandbox, scratch: &Scratch) -> (String, Journal) {
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 10, Settings::default());
    let (ended, journal) = end(journal, sandbox.config().sms_key("not-the-key")).await;
    assert_eq!(ended, RunEnd::Halted);
    (id, journal)
}

#[tokio::test]
async fn rows_that_were_rejected_before_a_restore_are_unknown_and_not_retried() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let (id, journal) = rejected(&sandbox, &scratch).await;
    drop(journal);
    let setup = RetryReason::parse("setup").unwrap();
    for expected in [(10, 3), (10, 0)] {
        let summary = Journal::mark_restored(&scratch.url(), false).unwrap();
        assert_eq!((summary.unknown, summary.rejected), expected);
        let mut journal = scratch.journal();
        assert_eq!(retry(&mut journal, "c", &setup, Duration::ZERO).unwrap(), 0);
        let found = status(&mut journal, "c").unwrap();
        assert_adds_up(&found);
        assert_eq!((found.unknown, found.rejected, found.pending), (10, 0, 0), "{found:?}");
        assert!(exported(&mut journal, "c").iter().all(|row| row.reason.as_deref() == Some("restored")));
        drop(journal);
        assert_eq!(Journal::verify(&scratch.url()).unwrap().problems, []);
    }
    // A report of the attempt after the backup is one of this journal.
    let mut journal = scratch.journal();
    let found = campaign::report(&mut journal, "c", [reference(&id, 1, 2)]).unwrap();
    assert_eq!((found.settled, found.impossible), (1, 0), "{found:?}");
    // A journal in Postgres may be a copy.
    let resolved = journal.resolve(&id, Resolution::NotSent, None, 0, true).unwrap();
    assert_eq!(resolved.resolved, 9);
    campaign::resume(&mut journal, "c").unwrap();
    let (ended, mut journal) = end(journal, sandbox.config()).await;
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((ended, found.accepted), (RunEnd::Done, 10));
    drop(journal);
    assert_eq!(Journal::verify(&scratch.url()).unwrap().problems, []);
    assert_eq!(sandbox.ledger().await.len(), 9);
}

#[tokio::test]
async fn rows_that_were_retried_after_the_backup_are_not_sent_again() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let faults = json!([{"match": {"op": "sms.send"}, "kind": "status", "status": 402, "expires": 2}]);
    for (reason, key) in [("setup", Some("not-the-key")), ("402", None)] {
        sandbox.reset().await;
        let scratch = Scratch::file();
        let mut journal = open(&scratch.url_of_file());
        create(&mut journal, "c", 10, Settings::default());
        let config = match key {
            Some(key) => sandbox.config().sms_key(key),
            None => {
                sandbox.set_faults(faults.clone()).await.unwrap();
                sandbox.config()
            }
        };
        let (_, mut journal) = end(journal, config).await;
        let rejected = status(&mut journal, "c").unwrap().rejected;
        assert!(rejected >= 2, "{reason}");
        let stored = exported(&mut journal, "c").into_iter().find(|row| row.outcome == "rejected");
        let code = stored.and_then(|row| row.reason).unwrap();
        let reason = if reason == "setup" { reason } else { code.rsplit(' ').next().unwrap() };
        let backup = scratch.folder.path().join("backup.db");
        Journal::backup(&scratch.url_of_file(), &backup).unwrap();
        let reason = RetryReason::parse(reason).unwrap();
        let again = async |mut journal: Journal| {
            retry(&mut journal, "c", &reason, Duration::ZERO).unwrap();
            let _ = campaign::resume(&mut journal, "c");
            end(journal, sandbox.config()).await.1
        };
        drop(again(journal).await);
        assert_eq!(sandbox.ledger().await.len(), 10);
        let backup = backup.display().to_string();
        let summary = Journal::mark_restored(&backup, false).unwrap();
        assert_eq!(i64::try_from(summary.rejected).unwrap(), rejected);
        let mut journal = again(open(&backup)).await;
        assert_eq!(status(&mut journal, "c").unwrap().pending, 0);
        let ledger = sandbox.ledger().await;
        assert!(sent(&ledger).values().all(|count| *count == 1), "{reason:?}");
    }
}

#[tokio::test]
async fn a_key_whose_message_was_rejected_before_a_restore_is_unknown() {
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
    for keys in [1, 1] {
        assert_eq!(Journal::mark_restored(&scratch.url(), false).unwrap().keys, keys);
        assert_eq!(once(sandbox.config(), Some("setup")).await, RowOutcome::Unknown);
        assert_eq!(once(sandbox.config(), None).await, RowOutcome::Unknown);
    }
    assert_eq!(sandbox.ledger().await.len(), 0);
}
