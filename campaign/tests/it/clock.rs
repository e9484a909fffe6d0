//! Workers whose wall clock jumps, and workers that are suspended until after the end of the send window.
//! `tests/suites/campaign` installs libfaketime and sets `CAMPAIGN_TEST_FAKETIME`.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Scratch, assert_adds_up, client, create, open, sent};
use cpaas::Config;
use cpaas_campaign::Window;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::Settings;
use cpaas_campaign::worker::{RunOptions, run};
use cpaas_sandbox::BlockingSandbox;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

/// The program of a worker process; not a test by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "runs in a process of its own"]
async fn worker_process() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let options = RunOptions::default().concurrency(4);
    let _ = run(open(&journal), "clock", &client(Config::from_env().unwrap()), options).await.unwrap();
}

/// A worker whose wall clock has an offset, read from a file. Its monotonic clocks are those of the system.
struct Worker {
    process: Child,
    offset: PathBuf,
}

impl Worker {
    fn start(scratch: &Scratch, sandbox: &BlockingSandbox, offset: &str) -> Self {
        let path = scratch.folder.path().join("offset");
        set(&path, offset);
        let config = sandbox.config();
        let process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "clock::worker_process", "--ignored"])
            .env("CAMPAIGN_JOURNAL", scratch.url())
            .env("CPAAS_SMS_URL", config.sms_url.unwrap())
            .env("CPAAS_SMS_KEY", config.sms_key.or(config.api_key).unwrap().expose())
            .env("LD_PRELOAD", std::env::var("CAMPAIGN_TEST_FAKETIME").unwrap())
            .env("FAKETIME_TIMESTAMP_FILE", &path)
            .env("FAKETIME_NO_CACHE", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Self { process, offset: path }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.process), signal).unwrap();
    }
}

/// Replaces the file in one step, so that no reader sees a part of an offset.
fn set(path: &Path, offset: &str) {
    let new = path.with_extension("new");
    std::fs::write(&new, offset).unwrap();
    std::fs::rename(new, path).unwrap();
}

fn until(condition: impl Fn() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < Duration::from_secs(60), "the condition must be met within 60 s");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_worker_whose_clock_jumps_sends_every_row_once() {
    let sandbox = cpaas_sandbox::Sandbox::builder().start_blocking().unwrap();
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let mut settings = Settings::default();
    settings.rate = Some(200.0);
    create(&mut journal, "clock", 1200, settings);
    let mut worker = Worker::start(&scratch, &sandbox, "+0");
    for (rows, offset) in [(200, "-1d"), (400, "+2d"), (600, "-1h"), (800, "+30d"), (1000, "+0")] {
        until(|| sandbox.ledger().len() >= rows);
        set(&worker.offset, offset);
    }
    assert!(worker.process.wait().unwrap().success());
    let found = status(&mut journal, "clock").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.state), (1200, "done"));
    let sent = sent(&sandbox.ledger());
    assert_eq!((sent.len(), sent.values().max()), (1200, Some(&1)));
}

#[test]
fn a_clock_that_is_set_back_ends_a_back_off() {
    let sandbox = cpaas_sandbox::Sandbox::builder().start_blocking().unwrap();
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "clock", 20, Settings::default());
    // Another worker was throttled for a minute, on a clock that was an hour ahead.
    let owner = journal.register_owner(&id).unwrap();
    let far = 3_660_000_000;
    journal.exchange(&id, owner, &[], far, None).unwrap();
    journal.release_owner(owner).unwrap();
    let mut worker = Worker::start(&scratch, &sandbox, "-1h");
    assert!(worker.process.wait().unwrap().success());
    assert_eq!(status(&mut journal, "clock").unwrap().accepted, 20);
}

#[test]
fn a_worker_stopped_until_after_the_send_window_sends_nothing_more() {
    let sandbox = cpaas_sandbox::Sandbox::builder().start_blocking().unwrap();
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let mut settings = Settings::default();
    settings.rate = Some(100.0);
    settings.window = Some(Window::parse("09:00-20:00").unwrap());
    create(&mut journal, "clock", 2000, settings);
    // At noon the window is open. Nine hours later it is closed.
    let mut worker = Worker::start(&scratch, &sandbox, "@2030-06-03 12:00:00");
    until(|| sandbox.ledger().len() >= 50);
    worker.signal(Signal::STOP);
    std::thread::sleep(Duration::from_millis(20));
    let before = sandbox.ledger().len();
    set(&worker.offset, "@2030-06-03 21:00:00");
    worker.signal(Signal::CONT);
    // When no row is in flight, the worker has settled the rest of its rows as not sent.
    until(|| {
        let found = status(&mut open(&scratch.url()), "clock").unwrap();
        found.in_flight == 0
    });
    std::thread::sleep(Duration::from_millis(500));
    let after = sandbox.ledger().len();
    assert!(after <= before + 4, "{before} rows before the window closed, {after} after it");
    // In the window of the next day the worker continues.
    set(&worker.offset, "@2030-06-04 12:00:00");
    until(|| sandbox.ledger().len() >= after + 50);
    sandbox.set_faults(json!([])).unwrap();
    worker.process.kill().unwrap();
    worker.process.wait().unwrap();
    assert!(sent(&sandbox.ledger()).values().all(|count| *count == 1));
}
