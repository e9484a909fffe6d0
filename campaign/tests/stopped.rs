//! A worker that the system stops for longer than its knowledge of the campaign is valid.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs::File;
use std::process::{Command, Stdio};
use std::time::Duration;

use cpaas::Config;
use cpaas_campaign::campaign::{pause, status};
use cpaas_campaign::journal::Settings;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use rustix::process::{Pid, Signal, kill_process};
use support::{Scratch, assert_adds_up, client, create, open, sent};

const CONCURRENCY: usize = 16;

/// What the worker process runs; it is not a test of its own.
#[tokio::test]
#[ignore = "runs in a process of its own"]
async fn stopped_worker() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let client = client(Config::from_env().unwrap());
    let options = RunOptions::default().concurrency(CONCURRENCY);
    let (end, _) = run(open(&journal), "stopped", &client, options).await.unwrap();
    assert_eq!(end, RunEnd::Paused);
}

#[test]
fn a_worker_that_was_stopped_over_a_pause_sends_nothing_more() {
    let sandbox = cpaas_sandbox::Sandbox::builder().start_blocking().unwrap();
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url());
    let mut settings = Settings::default();
    settings.rate = Some(400.0);
    create(&mut journal, "stopped", 5000, settings);
    let config = sandbox.config();
    let mut worker = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "stopped_worker", "--ignored"])
        .env("CAMPAIGN_JOURNAL", scratch.url())
        .env("CPAAS_SMS_URL", config.sms_url.unwrap())
        .env("CPAAS_SMS_KEY", config.sms_key.or(config.api_key).unwrap().expose())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while sandbox.ledger().len() < 100 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = Pid::from_child(&worker);
    stop_outside_of_a_commit(pid, &scratch);
    pause(&mut journal, "stopped").unwrap();
    let before = sandbox.ledger().len();
    // What the worker knows of the campaign is valid for two seconds.
    std::thread::sleep(Duration::from_millis(2200));
    kill_process(pid, Signal::CONT).unwrap();
    assert!(worker.wait().unwrap().success());
    let after = sandbox.ledger();
    assert!(after.len() <= before + CONCURRENCY, "{before} rows before the pause, {} after it", after.len());
    assert!(sent(&after).values().all(|count| *count == 1));
    let found = status(&mut journal, "stopped").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.state, found.in_flight, found.unknown), ("paused", 0, 0));
    assert_eq!(found.accepted, i64::try_from(after.len()).unwrap());
}

/// A process that is stopped within a transaction keeps the lock of the journal.
fn stop_outside_of_a_commit(pid: Pid, scratch: &Scratch) {
    let lock = File::open(format!("{}-lock", scratch.url())).unwrap();
    loop {
        kill_process(pid, Signal::STOP).unwrap();
        // The signal is handled when all threads stand still.
        std::thread::sleep(Duration::from_millis(20));
        if lock.try_lock().is_ok() {
            lock.unlock().unwrap();
            return;
        }
        kill_process(pid, Signal::CONT).unwrap();
        std::thread::sleep(Duration::from_millis(3));
    }
}
