//! Promotion of a standby with asynchronous replication, which lacks commits of its primary, including permits.
//! `tests/suites/campaign` sets `CAMPAIGN_TEST_POSTGRES_BIN`.
#![cfg(feature = "postgres")]

use std::time::Duration;

use crate::support::cluster::{Cluster, make_writable_by_server};
use crate::support::{assert_adds_up, client, create, open, sent};
use cpaas_campaign::Error;
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::Sandbox;

async fn until_sent(sandbox: &Sandbox, rows: usize) {
    while sandbox.ledger().await.len() < rows {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "starts two servers; tests/suites/campaign"]
async fn a_promoted_standby_sends_nothing_that_its_primary_sent() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    make_writable_by_server(folder.path());
    let primary = Cluster::start(folder.path());
    primary.query("CREATE DATABASE campaigns");
    let mut journal = open(&primary.url("campaigns"));
    let mut settings = Settings::default();
    settings.rate = Some(300.0);
    create(&mut journal, "promoted", 3000, settings);
    drop(journal);
    let standby = primary.standby(folder.path());
    // An address with both servers: the worker connects to the one that runs, as through a load balancer.
    let both = format!("postgres://postgres@localhost:{},localhost:{}/campaigns", primary.port, standby.port);
    let worker = {
        let (both, client) = (both.clone(), client(sandbox.config()));
        tokio::spawn(async move {
            let journal = tokio::task::spawn_blocking(move || open(&both)).await.unwrap();
            run(journal, "promoted", &client, RunOptions::default()).await.map(|_| ())
        })
    };
    until_sent(&sandbox, 100).await;
    let replicated = "SELECT count(*) > 0 FROM pg_stat_replication WHERE state = 'streaming'";
    assert_eq!(primary.query(replicated), "t");
    standby.stop("fast");
    until_sent(&sandbox, 400).await;
    primary.stop("immediate");
    standby.run();
    standby.promote();
    let error = worker.await.unwrap().unwrap_err();
    assert!(matches!(error.error, Error::Copied { .. } | Error::Setting(_)), "{error}");
    let by_primary = sent(&sandbox.ledger().await);
    assert!(matches!(open_journal(&both, OpenOptions::default()), Err(Error::Copied { .. })));
    Journal::mark_restored(&both, false).unwrap();
    let mut restored = open(&both);
    let found = status(&mut restored, "promoted").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.rows, found.pending, found.in_flight), (3000, 0, 0), "{found:?}");
    let lost = by_primary.len() - usize::try_from(found.accepted).unwrap();
    assert!(lost >= 200, "the standby must lack permits for this test: {lost}");
    let (end, _) = run(restored, "promoted", &client(sandbox.config()), RunOptions::default()).await.unwrap();
    assert_eq!(end, RunEnd::Done);
    let ledger = sandbox.ledger().await;
    assert_eq!(sent(&ledger).len(), by_primary.len());
    assert_eq!(ledger.len(), by_primary.len(), "no row twice");
    println!(
        "{} rows sent with the primary, {lost} of them without a permit in the standby, none sent again",
        ledger.len()
    );
}
