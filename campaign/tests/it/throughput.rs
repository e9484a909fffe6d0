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

#[test]
#[ignore = "a measurement"]
fn rows_planned_per_second() {
    let rows_count = count() * 10;
    let began = Instant::now();
    let planned = plan(&mut rows(rows_count), &messages(), &Settings::default()).unwrap();
    assert_eq!(planned.valid, rows_count);
    println!("plan: {:.0} rows/s", rate(rows_count, began));
}
