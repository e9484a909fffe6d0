//! Measures the rows per second of a campaign, compared with a bare loop over the client in the same run, and of a plan:
//! `cargo test --release -p cpaas-campaign --test it -- --ignored --nocapture throughput::`.

use std::sync::Arc;
use std::time::Instant;

use crate::support::{Scratch, client, create, messages, phone, rows};
use cpaas::{Client, OperationId};
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::Settings;
use cpaas_campaign::plan;
use cpaas_campaign::worker::{RunOptions, run};
use serde_json::json;
use tokio::sync::Semaphore;

const CONCURRENCY: usize = 64;

fn count() -> u64 {
    std::env::var("CAMPAIGN_ROWS").map_or(30_000, |rows| rows.parse().unwrap())
}

#[allow(clippy::cast_precision_loss)]
fn rate(rows: u64, began: Instant) -> f64 {
    rows as f64 / began.elapsed().as_secs_f64()
}

async fn bare_loop(client: &Client, rows: u64) -> f64 {
    let began = Instant::now();
    let slots = Arc::new(Semaphore::new(CONCURRENCY));
    for row in 0..rows {
        let slot = slots.clone().acquire_owned().await.unwrap();
        let client = client.clone();
        tokio::spawn(async move {
            let request =
                json!({"from": "Acme", "to": phone(row), "text": format!("Hi N{row}"), "type": "auto"});
            client.call_json(OperationId::SmsSend, &request.to_string()).await.unwrap();
            drop(slot);
        });
    }
    let _ = slots.acquire_many(CONCURRENCY as u32).await.unwrap();
    rate(rows, began)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn rows_per_second_beside_a_bare_loop() {
    let rows = count();
    let sandbox = cpaas_sandbox::Sandbox::builder().start_blocking().unwrap();
    let client = client(sandbox.config());
    bare_loop(&client, rows / 10).await;
    let bare = bare_loop(&client, rows).await;
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let began = Instant::now();
    create(&mut journal, "speed", rows, Settings::default());
    let created = rate(rows, began);
    let began = Instant::now();
    let (_, mut journal) =
        run(journal, "speed", &client, RunOptions::default().concurrency(CONCURRENCY)).await.unwrap();
    let ran = rate(rows, began);
    let found = status(&mut journal, "speed").unwrap();
    assert_eq!(found.accepted, i64::try_from(rows).unwrap(), "{found:?}");
    println!(
        "{rows} rows: bare loop {bare:.0}/s, campaign {ran:.0}/s ({:.2}), create {created:.0}/s",
        ran / bare
    );
}

/// The middle one of the times of 2,000 calls, in microseconds.
fn median_us(mut call: impl FnMut()) -> f64 {
    let mut times: Vec<_> = (0..2000)
        .map(|_| {
            let began = Instant::now();
            call();
            began.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e6
}

/// A transaction of the journal, with everything by which it notices that it is a copy, beside the same statement in bare SQLite.
#[test]
#[ignore = "a measurement"]
fn time_of_a_commit() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut journal = crate::support::open(&url);
    let id = create(&mut journal, "commit", 10, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let bare = rusqlite::Connection::open(scratch.folder.path().join("bare.db")).unwrap();
    bare.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
        CREATE TABLE owners (id BLOB PRIMARY KEY, seen_us BIGINT NOT NULL); INSERT INTO owners VALUES (x'00', 0)",
    )
    .unwrap();
    let mut statement = bare.prepare("UPDATE owners SET seen_us = ?1 WHERE id = x'00'").unwrap();
    for round in 0..3_i64 {
        let mut number = round * 10_000;
        let of_bare = median_us(|| {
            number += 1;
            bare.execute_batch("BEGIN IMMEDIATE").unwrap();
            statement.execute([number]).unwrap();
            bare.execute_batch("COMMIT").unwrap();
        });
        let of_journal = median_us(|| journal.heartbeat(owner).unwrap());
        let more = of_journal - of_bare;
        println!(
            "commit of the journal: {of_journal:.1} us, of bare SQLite: {of_bare:.1} us, {more:.1} us more"
        );
    }
}

#[test]
#[ignore = "a measurement"]
fn rows_planned_per_second() {
    let rows_count = count() * 10;
    let began = Instant::now();
    let planned = plan(&mut rows(rows_count), &messages(), &Settings::default()).unwrap();
    assert_eq!(planned.valid, rows_count);
    println!("plan: {:.0} rows/s", rate(rows_count, began));
}
