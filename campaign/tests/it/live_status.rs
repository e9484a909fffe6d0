//! `status` while somebody runs a campaign and while nobody does.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::support::{Scratch, assert_adds_up, client, create, open};
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::{set_rate, status};
use cpaas_campaign::journal::{OpenOptions, Settings};
use cpaas_campaign::worker::{RunOptions, run};
use cpaas_sandbox::Sandbox;

fn of_reader(url: &str) -> cpaas_campaign::campaign::Status {
    let mut options = OpenOptions::default();
    options.read_only = true;
    status(&mut open_journal(url, options).unwrap(), "c").unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_campaign_is_running_only_while_a_worker_lives() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let url = scratch.url();
    let mut journal = open(&url);
    let mut settings = Settings::default();
    settings.rate = Some(100.0);
    create(&mut journal, "c", 600, settings);
    let found = of_reader(&url);
    assert_eq!((found.state, found.workers, found.workers_here), ("created", 0, 0));
    assert_eq!((found.rate_last_minute, found.ends_at), (None, None));
    let client = client(sandbox.config());
    let options = RunOptions::default();
    let stop = options.stopper();
    let worker = tokio::spawn({
        let client = client.clone();
        async move { run(journal, "c", &client, options).await.unwrap() }
    });
    while sandbox.ledger().await.len() < 250 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let before = jiff_now();
    let found = of_reader(&url);
    assert_adds_up(&found);
    assert_eq!((found.state, found.workers, found.workers_here), ("running", 1, 1));
    let rate = found.rate_last_minute.unwrap();
    assert!((50.0..=110.0).contains(&rate), "{rate}");
    let ends = seconds(found.ends_at.as_deref().unwrap()) - before;
    assert!((2..=8).contains(&ends), "about 350 rows at 100 rows/s: {ends}");
    stop();
    drop(worker.await.unwrap());
    let found = of_reader(&url);
    assert_adds_up(&found);
    assert_eq!((found.state, found.workers, found.in_flight), ("stopped", 0, 0));
    assert!(found.rate_last_minute.is_some() && found.ends_at.is_none(), "{found:?}");
    let mut settings = open(&url);
    cpaas_campaign::campaign::set_rate(&mut settings, "c", 10_000.0).unwrap();
    let (_, mut journal) = run(settings, "c", &client, RunOptions::default()).await.unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((found.state, found.workers, found.ends_at), ("done", 0, None));
}

/// A worker that waits for the window runs too; `status` says what it waits for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_waits_runs() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let url = scratch.url();
    let mut journal = open(&url);
    let mut settings = Settings::default();
    let closed = if jiff_now() / 3600 % 24 < 12 { "18:00-19:00" } else { "05:00-06:00" };
    settings.window = Some(cpaas_campaign::Window::parse(closed).unwrap());
    create(&mut journal, "c", 5, settings);
    let options = RunOptions::default();
    let stop = options.stopper();
    let client = client(sandbox.config());
    let worker = tokio::spawn(async move { run(journal, "c", &client, options).await.unwrap() });
    // The rate needs two heartbeats, which are late on a loaded machine.
    let mut found = of_reader(&url);
    for _ in 0..100 {
        if found.rate_last_minute.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        found = of_reader(&url);
    }
    assert_eq!((found.state, found.workers, found.pending), ("running", 1, 5));
    assert!(found.waiting.unwrap().starts_with("until "));
    assert_eq!((found.rate_last_minute, found.ends_at), (Some(0.0), None));
    stop();
    drop(worker.await.unwrap());
    assert_eq!(of_reader(&url).state, "created");
    assert!(sandbox.ledger().await.is_empty());
}

/// A worker of another machine counts until it was silent for a minute.
#[test]
fn workers_elsewhere_are_counted_apart() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut journal = open(&url);
    let id = create(&mut journal, "c", 5, Settings::default());
    for _ in 0..3 {
        journal.register_owner(&id).unwrap();
    }
    let other = rusqlite::Connection::open(&url).unwrap();
    let elsewhere = "UPDATE owners SET process = json_set(process, '$.machine', 'other')";
    assert_eq!(other.execute(&format!("{elsewhere} WHERE rowid < 3"), []).unwrap(), 2);
    let found = of_reader(&url);
    assert_eq!((found.state, found.workers, found.workers_here), ("running", 3, 1));
    other.execute("UPDATE owners SET seen_us = seen_us - 61000000 WHERE rowid = 1", []).unwrap();
    let found = of_reader(&url);
    assert_eq!((found.workers, found.workers_here), (2, 1));
}

#[test]
fn status_names_the_files_that_belong_together() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut journal = open(&url);
    create(&mut journal, "c", 5, Settings::default());
    let path = scratch.path().canonicalize().unwrap().display().to_string();
    assert_eq!(of_reader(&url).files, [path.clone(), format!("{path}-wal")]);
    drop(journal);
    assert_eq!(of_reader(&url).files, [path]);
}

/// A worker raises what the state folder remembers after each commit, so a reader that looks there last would see a restored journal.
#[test]
fn a_reader_beside_workers_sees_no_restored_journal() {
    let scratch = Scratch::new();
    let url = scratch.url();
    create(&mut open(&url), "c", 20, Settings::default());
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut journal = open(&url);
                while !ended.load(Ordering::SeqCst) {
                    set_rate(&mut journal, "c", 100.0).unwrap();
                    set_rate(&mut journal, "c", 200.0).unwrap();
                }
            });
        }
        let warnings: Vec<String> = (0..600)
            .filter_map(|_| {
                let mut options = OpenOptions::default();
                options.read_only = true;
                open_journal(&url, options).unwrap().warning()
            })
            .collect();
        ended.store(true, Ordering::SeqCst);
        assert!(warnings.is_empty(), "{} of 600: {}", warnings.len(), warnings[0]);
    });
}

fn jiff_now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_secs()).unwrap()
}

/// The seconds since 1970 of a moment such as 2026-11-26T12:03:00Z.
fn seconds(text: &str) -> i64 {
    let output = std::process::Command::new("date").args(["-u", "-d", text, "+%s"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}
