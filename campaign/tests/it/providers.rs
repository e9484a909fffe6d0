//! A campaign and a key belong to the provider with which they began.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{Scratch, client, create, open};
use cpaas::Config;
use cpaas_campaign::campaign::{cancel, pause, status};
use cpaas_campaign::journal::Settings;
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{Error, SendOnceOptions, SendOnceResult, send_once};
use cpaas_sandbox::Sandbox;

const REQUEST: &str = r#"{"from":"Acme","to":"306900000001","text":"Your code is ready"}"#;

async fn once(
    url: &str,
    config: Config,
    change: impl FnOnce(SendOnceOptions) -> SendOnceOptions,
) -> Result<SendOnceResult, Error> {
    let journal = Arc::new(Mutex::new(open(url)));
    let options = change(SendOnceOptions::from(Duration::from_secs(60)));
    send_once(journal, &client(config), "order-17", "sms.send", REQUEST, options).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_of_the_sandbox_is_refused_by_another_provider() {
    let (sandbox, other) =
        (Sandbox::builder().start().await.unwrap(), Sandbox::builder().start().await.unwrap());
    let url = Scratch::new();
    let url = url.url();
    let sent = once(&url, sandbox.config(), |options| options).await.unwrap();
    assert_eq!(sent.outcome, RowOutcome::Accepted);
    let refused = once(&url, other.config(), |options| options).await.unwrap_err();
    assert_eq!(refused.code(), "other_provider");
    let message = refused.to_string();
    assert!(
        message.contains("http://127.0.0.1:")
            && message.contains("the option `any_provider`, or `--any-provider` of the command"),
        "{message}"
    );
    // Another API key of the same provider is a rotated one.
    let rotated = sandbox.config().sms_key("rotated:key");
    assert_eq!(once(&url, rotated, |options| options).await.unwrap(), sent);
    // The other regions of a provider are its addresses too.
    let region = other.config().sms_url_frankfurt(sandbox.config().sms_url.unwrap());
    assert_eq!(once(&url, region, |options| options).await.unwrap(), sent);
    let permitted = once(&url, other.config(), SendOnceOptions::any_provider).await.unwrap();
    assert_eq!((permitted, other.ledger().await.len()), (sent, 0));
}

#[tokio::test]
async fn a_key_whose_message_was_not_sent_may_be_used_with_a_corrected_address() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let wrong = sandbox.config().sms_url("http://127.0.0.1:9").max_attempts(1);
    assert_eq!(once(&scratch.url(), wrong, |options| options).await.unwrap().outcome, RowOutcome::NotSent);
    let sent = once(&scratch.url(), sandbox.config(), |options| options).await.unwrap();
    assert_eq!((sent.outcome, sandbox.ledger().await.len()), (RowOutcome::Accepted, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_campaign_that_began_with_the_sandbox_is_refused_by_another_provider() {
    let (sandbox, other) =
        (Sandbox::builder().start().await.unwrap(), Sandbox::builder().start().await.unwrap());
    let scratch = Scratch::new();
    let url = scratch.url();
    let mut journal = open(&url);
    create(&mut journal, "c", 20, Settings::default());
    let (end, journal) =
        run(journal, "c", &client(sandbox.config()), RunOptions::default().limit(5)).await.unwrap();
    assert_eq!(end, RunEnd::Limit);
    let failed = run(journal, "c", &client(other.config()), RunOptions::default()).await.unwrap_err();
    assert!(matches!(failed.error, Error::OtherProvider { what: "campaign", .. }), "{}", failed.error);
    assert!(other.ledger().await.is_empty());
    let options = RunOptions::default().any_provider();
    let (end, journal) = run(failed.journal.unwrap(), "c", &client(other.config()), options).await.unwrap();
    assert_eq!((end, other.ledger().await.len()), (RunEnd::Done, 15));
    // The campaign belongs to the provider that was permitted last.
    drop(run(journal, "c", &client(other.config()), RunOptions::default()).await.unwrap());
}

/// A campaign that is done has nothing to cancel or pause, and its state keeps saying so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_campaign_that_is_done_stays_done() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "c", 3, Settings::default());
    let (_, mut journal) = run(journal, "c", &client(sandbox.config()), RunOptions::default()).await.unwrap();
    cancel(&mut journal, "c").unwrap();
    pause(&mut journal, "c").unwrap();
    assert_eq!(status(&mut journal, "c").unwrap().state, "done");
}
