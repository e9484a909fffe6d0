//! Workers that SIGSTOP suspends for so long that their permits, or the state of the campaign that they read, are too old.

use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::{Scratch, assert_adds_up, client, create, open, phone, sent};
use cpaas::Config;
use cpaas_campaign::campaign::{pause, status};
use cpaas_campaign::journal::{Journal, Settings};
use cpaas_campaign::protocol::Resolution;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::BlockingSandbox;
use rustix::process::{Pid, Signal, kill_process};

const CONCURRENCY: usize = 16;

/// The program of a worker process; not a test by itself.
#[tokio::test]
#[ignore = "runs in a process of its own"]
async fn stopped_worker() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let client = client(Config::from_env().unwrap());
    let options = RunOptions::default().concurrency(CONCURRENCY);
    let (end, _) = run(open(&journal), "stopped", &client, options).await.unwrap();
    assert_eq!(end, RunEnd::Paused);
}

fn start(scratch: &Scratch, sandbox: &BlockingSandbox, name: &str) -> Child {
    let config = sandbox.config();
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("stopped::{name}"), "--ignored"])
        .env("CAMPAIGN_JOURNAL", scratch.url())
        .env("CPAAS_SMS_URL", config.sms_url.unwrap())
        .env("CPAAS_SMS_KEY", config.sms_key.or(config.api_key).unwrap().expose())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// A worker that sends one row at a time to the end.
#[tokio::test]
#[ignore = "runs in a process of its own"]
async fn slow_worker() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let client = client(Config::from_env().unwrap());
    let (end, _) =
        run(open(&journal), "stopped", &client, RunOptions::default().concurrency(1)).await.unwrap();
    assert_eq!(end, RunEnd::Done);
}

#[test]
fn a_worker_stopped_while_recipients_opt_out_sends_nothing_to_them() {
    let sandbox = cpaas_sandbox::Sandbox::builder().start_blocking().unwrap();
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url());
    let mut settings = Settings::default();
    settings.rate = Some(200.0);
    let id = create(&mut journal, "stopped", 400, settings);
    let mut worker = start(&scratch, &sandbox, "slow_worker");
    while sandbox.ledger().len() < 100 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = Pid::from_child(&worker);
    stop_outside_of_a_commit(pid, &scratch);
    let before = sent(&sandbox.ledger());
    let all: Vec<String> = (0..400).map(phone).collect();
    journal.suppress(&id, &all).unwrap();
    // What the worker knows of the campaign is valid for two seconds.
    std::thread::sleep(Duration::from_millis(2200));
    kill_process(pid, Signal::CONT).unwrap();
    assert!(worker.wait().unwrap().success());
    let after = sent(&sandbox.ledger());
    assert!(
        after.len() <= before.len() + 1,
        "{} rows before the opt-outs, {} after",
        before.len(),
        after.len()
    );
    let found = status(&mut journal, "stopped").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.state, found.accepted + found.suppressed), ("done", 400));
    assert_eq!(found.accepted, i64::try_from(after.len()).unwrap());
}

/// The worker is stopped for longer than a permit is valid. Meanwhile its rows are resolved as not sent, and another worker
/// sends them.
#[test]
#[ignore = "takes 45 s; tests/nightly/campaign"]
fn a_worker_that_was_stopped_for_longer_than_its_permit_sends_none_of_its_rows() {
    const OLD_US: i64 = 31_000_000;
    let sandbox = cpaas_sandbox::Sandbox::builder().start_blocking().unwrap();
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url());
    let mut settings = Settings::default();
    settings.rate = Some(20.0);
    let id = create(&mut journal, "stopped", 100, settings);
    let mut worker = start(&scratch, &sandbox, "slow_worker");
    while sandbox.ledger().len() < 20 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = Pid::from_child(&worker);
    stop_with_rows_in_flight(pid, &scratch, &mut journal);
    let before = sandbox.ledger().len();
    std::thread::sleep(Duration::from_secs(5));
    let refused = journal.resolve(&id, Resolution::NotSent, None, 0, true).unwrap();
    assert_eq!(refused.resolved, 0, "the owner lives on this machine");
    // On another machine the journal would have to believe the declaration.
    let elsewhere = rusqlite::Connection::open(scratch.path()).unwrap();
    elsewhere.execute("UPDATE owners SET process = json_set(process, '$.machine', 'another')", []).unwrap();
    drop(elsewhere);
    let young = journal.resolve(&id, Resolution::NotSent, None, OLD_US, true).unwrap();
    assert_eq!(young.resolved, 0, "the permits are young");
    std::thread::sleep(Duration::from_secs(30));
    let resolved = journal.resolve(&id, Resolution::NotSent, None, OLD_US, true).unwrap().resolved;
    assert!(resolved > 0);
    let mut second = start(&scratch, &sandbox, "slow_worker");
    while status(&mut journal, "stopped").unwrap().pending > 0 {
        std::thread::sleep(Duration::from_millis(20));
    }
    kill_process(pid, Signal::CONT).unwrap();
    assert!(worker.wait().unwrap().success());
    assert!(second.wait().unwrap().success());
    let found = status(&mut journal, "stopped").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.state, found.accepted), ("done", 100), "{found:?}");
    let sent = sent(&sandbox.ledger());
    let twice = sent.values().filter(|count| **count > 1).count();
    // Only the row whose request was in progress when the worker was stopped may be sent twice: its resolution was wrong.
    assert!(twice <= 1, "{twice} rows twice, {before} rows before the stop, {resolved} resolved");
    assert_eq!(sent.len(), 100);
}

/// A worker on another machine is stopped with rows under its permit. Other workers count it as ended after a minute of silence.
/// The test sleeps for `wait`, or sets the times in the journal back by 61 s if it is `None`.
fn check_silent_remote_worker(wait: Option<Duration>) {
    let sandbox = cpaas_sandbox::Sandbox::builder().start_blocking().unwrap();
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url());
    let mut settings = Settings::default();
    settings.rate = Some(100.0);
    create(&mut journal, "stopped", 300, settings);
    let mut worker = start(&scratch, &sandbox, "slow_worker");
    let pid = Pid::from_child(&worker);
    while sandbox.ledger().len() < 50 {
        std::thread::sleep(Duration::from_millis(5));
    }
    stop_with_rows_in_flight(pid, &scratch, &mut journal);
    let elsewhere = rusqlite::Connection::open(scratch.path()).unwrap();
    let silence = if wait.is_some() { 0 } else { 61_000_000 };
    elsewhere
        .execute(
            "UPDATE owners SET process = json_set(process, '$.machine', 'another'), seen_us = seen_us - ?1",
            [silence],
        )
        .unwrap();
    if let Some(wait) = wait {
        assert!(status(&mut journal, "stopped").unwrap().in_flight > 0, "it may live for a minute");
        std::thread::sleep(wait);
    }
    let silent = status(&mut journal, "stopped").unwrap();
    assert_adds_up(&silent);
    assert!(silent.in_flight == 0 && silent.unknown > 0, "{silent:?}");
    // Another worker sends all rows except those that the silent one may have sent.
    assert!(start(&scratch, &sandbox, "slow_worker").wait().unwrap().success());
    let others = status(&mut journal, "stopped").unwrap();
    assert_eq!((others.pending, others.unknown), (0, silent.unknown), "{others:?}");
    assert!(sandbox.ledger().len() <= 300);
    kill_process(pid, Signal::CONT).unwrap();
    assert!(worker.wait().unwrap().success());
    let found = status(&mut journal, "stopped").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.state, found.accepted, found.unknown), ("done", 300, 0), "{found:?}");
    let sent = sent(&sandbox.ledger());
    assert_eq!((sent.len(), sent.values().max()), (300, Some(&1)));
}

#[test]
fn a_remote_worker_that_continues_after_it_counted_as_ended_sends_no_row_twice() {
    check_silent_remote_worker(None);
}

/// After this time the permits of the silent worker are also too old. It settles their rows as not sent, and claims them again.
#[test]
#[ignore = "takes 75 s; tests/nightly/campaign"]
fn a_remote_worker_that_was_stopped_for_longer_than_a_minute_sends_no_row_twice() {
    check_silent_remote_worker(Some(Duration::from_secs(65)));
}

#[test]
fn a_worker_stopped_while_the_campaign_is_paused_sends_nothing_more() {
    let sandbox = cpaas_sandbox::Sandbox::builder().start_blocking().unwrap();
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url());
    let mut settings = Settings::default();
    settings.rate = Some(400.0);
    create(&mut journal, "stopped", 5000, settings);
    let mut worker = start(&scratch, &sandbox, "stopped_worker");
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

/// Stops a process while it is not in a transaction. Otherwise it would keep the lock of the journal.
fn stop_outside_of_a_commit(pid: Pid, scratch: &Scratch) {
    let lock = File::open(format!("{}-lock", scratch.url())).unwrap();
    loop {
        kill_process(pid, Signal::STOP).unwrap();
        // Give the system time to stop all threads.
        std::thread::sleep(Duration::from_millis(20));
        if lock.try_lock().is_ok() {
            lock.unlock().unwrap();
            return;
        }
        kill_process(pid, Signal::CONT).unwrap();
        std::thread::sleep(Duration::from_millis(3));
    }
}

/// Stops a worker outside of a commit while rows are under its permit.
fn stop_with_rows_in_flight(pid: Pid, scratch: &Scratch, journal: &mut Journal) {
    loop {
        stop_outside_of_a_commit(pid, scratch);
        if status(journal, "stopped").unwrap().in_flight > 0 {
            return;
        }
        kill_process(pid, Signal::CONT).unwrap();
        std::thread::sleep(Duration::from_millis(3));
    }
}
