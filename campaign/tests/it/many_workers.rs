//! Many workers of one campaign at once.

use crate::support::{Scratch, assert_adds_up, client, messages, open, rows, sent};
use cpaas_campaign::blocking;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::Settings;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{Prices, parse_amount};
use cpaas_sandbox::Sandbox;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_workers_never_spend_more_than_the_maximum() {
    const WORKERS: usize = 50;
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let mut messages = messages();
    messages.prices = Some(Prices::read(&b"prefix,price,currency\n3069,0.05,EUR\n"[..]).unwrap());
    let mut settings = Settings::default();
    // The price of 412 rows (20.60), plus less than the price of one more row (0.05).
    settings.max_spend = Some(parse_amount("20.64").unwrap());
    let _ = blocking::create(&mut journal, "cap", &mut rows(2000), &messages, settings, None).unwrap();
    let workers: Vec<_> = (0..WORKERS)
        .map(|_| {
            let (url, client) = (scratch.url(), client(sandbox.config()));
            tokio::spawn(async move {
                let journal = tokio::task::spawn_blocking(move || open(&url)).await.unwrap();
                run(journal, "cap", &client, RunOptions::default().concurrency(8)).await.unwrap().0
            })
        })
        .collect();
    for worker in workers {
        assert_eq!(worker.await.unwrap(), RunEnd::Halted);
    }
    let found = status(&mut journal, "cap").unwrap();
    assert_adds_up(&found);
    assert_eq!(
        (found.accepted, found.spend.as_deref(), found.in_flight),
        (412, Some("20.6"), 0),
        "{found:?}"
    );
    assert_eq!(found.reason.as_deref(), Some("max_spend"));
    let ledger = sandbox.ledger().await;
    assert_eq!(ledger.len(), 412);
    assert_eq!(sent(&ledger).len(), 412);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_workers_together_keep_the_rate() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let mut settings = Settings::default();
    settings.rate = Some(100.0);
    let _ = blocking::create(&mut journal, "rate", &mut rows(200), &messages(), settings, None).unwrap();
    let began = std::time::Instant::now();
    let workers: Vec<_> = (0..4)
        .map(|_| {
            let (url, client) = (scratch.url(), client(sandbox.config()));
            tokio::spawn(async move {
                let journal = tokio::task::spawn_blocking(move || open(&url)).await.unwrap();
                run(journal, "rate", &client, RunOptions::default()).await.unwrap().0
            })
        })
        .collect();
    for worker in workers {
        assert_eq!(worker.await.unwrap(), RunEnd::Done);
    }
    // The last of 200 rows may start 1.99 s after the first; a slow machine takes longer.
    assert!(began.elapsed().as_secs_f64() > 1.9, "{:?}", began.elapsed());
    assert_eq!(sandbox.ledger().await.len(), 200);
    assert_eq!(status(&mut journal, "rate").unwrap().accepted, 200);
}
