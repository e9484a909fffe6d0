//! A worker that waits for its send window while another provider is used for its campaign.

use std::time::Duration;

use crate::support::{Scratch, client, create, open};
use cpaas_campaign::campaign::{set, status};
use cpaas_campaign::journal::Settings;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{ChangeDescription, Error, Window};
use cpaas_sandbox::Sandbox;
use serde_json::json;

/// A send window in UTC that opens in more than an hour.
fn closed() -> Window {
    let hour = |hours: i64| {
        (jiff::Timestamp::now() + jiff::SignedDuration::from_hours(hours)).strftime("%H:00").to_string()
    };
    Window::parse(&format!("{}-{}", hour(2), hour(3))).unwrap()
}

fn open_window(url: &str) {
    let changes: ChangeDescription = serde_json::from_value(json!({"window": "00:00-24:00"})).unwrap();
    set(&mut open(url), "c", &changes.compile().unwrap()).unwrap();
}

async fn is_running(url: &str) {
    while status(&mut open(url), "c").unwrap().workers == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_waits_keeps_its_provider() {
    let (sandbox, other) =
        (Sandbox::builder().start().await.unwrap(), Sandbox::builder().start().await.unwrap());
    let scratch = Scratch::new();
    let url = scratch.url();
    let mut journal = open(&url);
    create(&mut journal, "c", 4, Settings::new().window(closed()));
    let of_sandbox = client(sandbox.config());
    let waiting = tokio::spawn(async move { run(journal, "c", &of_sandbox, RunOptions::default()).await });
    is_running(&url).await;
    let refused = run(open(&url), "c", &client(other.config()), RunOptions::default()).await.unwrap_err();
    assert!(matches!(refused.error, Error::OtherProvider { what: "campaign", .. }), "{}", refused.error);
    drop(refused);
    // Where the caller permits it, both providers are used.
    let options = RunOptions::default().any_provider();
    let stop = options.stopper();
    let (of_other, second) = (client(other.config()), open(&url));
    let permitted = tokio::spawn(async move { run(second, "c", &of_other, options).await });
    tokio::time::sleep(Duration::from_millis(700)).await;
    stop();
    assert_eq!(permitted.await.unwrap().unwrap().0, RunEnd::Stopped);
    open_window(&url);
    let (end, mut journal) = waiting.await.unwrap().unwrap();
    assert_eq!((end, status(&mut journal, "c").unwrap().accepted), (RunEnd::Done, 4));
    assert_eq!((sandbox.ledger().await.len(), other.ledger().await.len()), (4, 0));
}

/// A worker that was silent for a minute, for example on a machine that was suspended, counts as ended. Another provider may begin
/// then, because no row was sent. The first worker must not send to its own provider when it wakes up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_whose_campaign_got_another_provider_sends_nothing() {
    let (sandbox, other) =
        (Sandbox::builder().start().await.unwrap(), Sandbox::builder().start().await.unwrap());
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut journal = open(&url);
    let id = create(&mut journal, "c", 4, Settings::new().window(closed()));
    let of_sandbox = client(sandbox.config());
    let waiting = tokio::spawn(async move { run(journal, "c", &of_sandbox, RunOptions::default()).await });
    is_running(&url).await;
    // What the other worker stores when the first one counts as ended.
    let connection = rusqlite::Connection::open(scratch.path()).unwrap();
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    let provider = serde_json::to_string(&[other.config().sms_url.unwrap()]).unwrap();
    let changed = connection
        .execute(
            "UPDATE campaigns SET settings = json_set(settings, '$.provider', json(?1)) WHERE id = ?2",
            (&provider, &id),
        )
        .unwrap();
    assert_eq!(changed, 1);
    open_window(&url);
    let failed = tokio::time::timeout(Duration::from_secs(20), waiting).await.unwrap().unwrap().unwrap_err();
    assert!(matches!(failed.error, Error::OtherProvider { what: "campaign", .. }), "{}", failed.error);
    drop(failed);
    assert!(sandbox.ledger().await.is_empty());
    let found = status(&mut open(&url), "c").unwrap();
    assert_eq!((found.pending, found.unknown, found.workers), (4, 0, 0));
    let (end, _) = run(open(&url), "c", &client(other.config()), RunOptions::default()).await.unwrap();
    assert_eq!((end, other.ledger().await.len()), (RunEnd::Done, 4));
}
