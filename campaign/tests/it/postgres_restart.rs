//! A Postgres server that restarts during a campaign, and a database that is dropped during a campaign.
//! `CAMPAIGN_TEST_POSTGRES` names the server; `CAMPAIGN_TEST_RESTART` is the command that restarts it.

use std::process::Command;

use crate::support::{Scratch, assert_adds_up, client, create, exported, sent};
use cpaas_campaign::blocking;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::Settings;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::Sandbox;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "restarts a server"]
async fn a_campaign_continues_after_the_server_restarts_and_sends_no_row_twice() {
    let restart = std::env::var("CAMPAIGN_TEST_RESTART").unwrap();
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "restart", 6000, Settings::default());
    let client = client(sandbox.config());
    let task = tokio::spawn({
        let client = client.clone();
        async move { run(journal, "restart", &client, RunOptions::default()).await }
    });
    for restarts in 1..=2 {
        while sandbox.ledger().await.len() < restarts * 1500 && !task.is_finished() {
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
        let restart = restart.clone();
        let restarted =
            tokio::task::spawn_blocking(move || Command::new("sh").args(["-c", &restart]).status());
        assert!(restarted.await.unwrap().unwrap().success());
    }
    let (end, mut journal) = match task.await.unwrap() {
        Ok(ended) => ended,
        // The worker may also end with an error. Another worker then continues.
        Err(error) => {
            println!("the worker ended: {error}");
            run(scratch.journal(), "restart", &client, RunOptions::default()).await.unwrap()
        }
    };
    let found = status(&mut journal, "restart").unwrap();
    println!("{found:?}");
    assert_adds_up(&found);
    assert_eq!((end, found.pending, found.in_flight), (RunEnd::Done, 0, 0));
    let sent = sent(&sandbox.ledger().await);
    assert!(sent.values().all(|count| *count == 1));
    for row in exported(&mut journal, "restart") {
        let is_sent = sent.contains_key(&row.recipients[0]);
        assert!(row.outcome == "unknown" || row.outcome == "accepted" && is_sent, "{}", row.outcome);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs a server"]
async fn a_database_dropped_during_a_campaign_ends_the_worker_with_an_error() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "lost", 6000, Settings::default());
    let client = client(sandbox.config());
    let task =
        tokio::spawn(async move { run(journal, "lost", &client, RunOptions::default()).await.map(|_| ()) });
    while sandbox.ledger().await.len() < 500 {
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    let url = scratch.url();
    let (server, database) = url.rsplit_once('/').unwrap();
    let (server, drop) = (format!("{server}/postgres"), format!("DROP DATABASE {database} WITH (FORCE)"));
    assert!(Command::new("psql").args([server.as_str(), "-qc", drop.as_str()]).status().unwrap().success());
    let error = task.await.unwrap().unwrap_err();
    assert!(error.to_string().contains("the database does not exist"), "{error}");
    let ledger = sandbox.ledger().await;
    assert!(ledger.len() < 6000 && sent(&ledger).len() == ledger.len());
    let error = blocking::open_journal(&url, Default::default()).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("the database does not exist"), "{error}");
}
