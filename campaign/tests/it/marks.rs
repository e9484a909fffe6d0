//! Rows that a killed worker had claimed and not begun to send are sent by the next run on the machine, and only if it is proven.

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::kills::{CONCURRENCY, worker_command};
use crate::support::{Scratch, assert_adds_up, client, create, open, sent_by_pages};
use cpaas_campaign::Window;
use cpaas_campaign::campaign::{Status, export, resolve, status};
use cpaas_campaign::journal::{Journal, Settings};
use cpaas_campaign::protocol::Resolution;
use cpaas_campaign::worker::{RunOptions, run};
use cpaas_sandbox::{BlockingSandbox, Sandbox};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

const ROWS: u64 = 2000;
const DAY: Duration = Duration::from_secs(24 * 3600);

/// A campaign whose worker was killed while it had rows in progress and rows that it had not begun.
struct Killed {
    scratch: Scratch,
    sandbox: BlockingSandbox,
    journal: Journal,
    id: String,
    /// Unknown rows after the kill.
    unknown: i64,
}

impl Killed {
    fn new() -> Self {
        Self::of(ROWS, |found| found.accepted >= 200)
    }

    /// Kills the worker when the status shows that it is time and that it has claimed rows ahead. On a loaded machine it may end before
    /// that is seen; then another one runs.
    fn of(rows: u64, is_time: impl Fn(&Status) -> bool) -> Self {
        let killed = (0..20).find_map(|_| Self::once(rows, &is_time));
        killed.expect("a worker must be seen that has claimed rows ahead")
    }

    /// Returns `None` if the worker ended by itself.
    fn once(rows: u64, is_time: impl Fn(&Status) -> bool) -> Option<Self> {
        let sandbox = Sandbox::builder().seed(3).start_blocking().unwrap();
        sandbox.set_faults(json!([{"kind": "latency", "probability": 1.0, "seed": 5, "ms": 100}])).unwrap();
        let scratch = Scratch::new();
        let mut journal = scratch.journal();
        let id = create(&mut journal, "kills", rows, Settings::default());
        let mut killed = Self { scratch, sandbox, journal, id, unknown: 0 };
        let mut child = killed.worker().spawn().unwrap();
        let pid = Pid::from_child(&child);
        loop {
            std::thread::sleep(Duration::from_millis(10));
            if child.try_wait().unwrap().is_some() {
                return None;
            }
            if !is_time(&status(&mut killed.journal, "kills").unwrap()) {
                continue;
            }
            // While it is stopped, no row is settled except those of a commit that the database has already begun.
            kill_process(pid, Signal::STOP).unwrap();
            std::thread::sleep(Duration::from_millis(20));
            if status(&mut killed.journal, "kills").unwrap().in_flight > 2 * CONCURRENCY as i64 {
                break;
            }
            kill_process(pid, Signal::CONT).unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let found = status(&mut killed.journal, "kills").unwrap();
        assert_adds_up(&found);
        assert!(found.workers == 0 && found.state != "running", "nobody runs it: {found:?}");
        killed.unknown = found.unknown;
        assert!(killed.unknown > CONCURRENCY as i64, "rows must be claimed ahead: {found:?}");
        Some(killed)
    }

    fn worker(&self) -> std::process::Command {
        worker_command(&self.scratch.url(), &self.sandbox)
    }

    /// The files of the workers of the campaign.
    fn files(&mut self) -> Vec<PathBuf> {
        files(&mut self.journal, &self.id)
    }

    /// Runs the campaign to its end, and returns how many rows are unknown.
    fn finish(&mut self) -> i64 {
        self.sandbox.set_faults(json!([])).unwrap();
        assert!(self.worker().status().unwrap().success());
        let found = status(&mut self.journal, "kills").unwrap();
        assert_adds_up(&found);
        assert_eq!((found.pending, found.in_flight), (0, 0), "{found:?}");
        let sent = sent_by_pages(&self.sandbox);
        assert!(sent.values().all(|count| *count == 1), "a row was sent twice");
        export(&mut self.journal, "kills", |row| {
            assert!(row.outcome == "unknown" || sent.contains_key(&row.recipients[0]), "{}", row.outcome);
            Ok(())
        })
        .unwrap();
        found.unknown
    }
}

/// The files of the workers of a campaign.
fn files(journal: &mut Journal, id: &str) -> Vec<PathBuf> {
    let user = std::fs::metadata("/proc/self").unwrap().uid();
    let folder = PathBuf::from(format!("/dev/shm/cpaas-{user}"));
    let owners = journal.owners(id).unwrap();
    owners.iter().map(|owner| folder.join(owner.id.to_hex())).filter(|path| path.exists()).collect()
}

/// Runs another campaign of a journal to its end.
fn run_another(url: &str, name: &str) {
    let mut journal = open(url);
    create(&mut journal, name, 3, Settings::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let sandbox = Sandbox::builder().start().await.unwrap();
        let _ = run(journal, name, &client(sandbox.config()), RunOptions::default()).await.unwrap();
    });
}

/// A worker that has no row, because the send window is closed.
fn start_idle_worker(scratch: &Scratch, sandbox: &BlockingSandbox) -> (Journal, String, Child) {
    let hour = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / 3600 % 24;
    let mut settings = Settings::default();
    settings.window = Some(Window::parse(if hour < 3 { "13:00-14:00" } else { "01:00-02:00" }).unwrap());
    let mut journal = scratch.journal();
    let id = create(&mut journal, "kills", 20, settings);
    let worker = worker_command(&scratch.url(), sandbox).spawn().unwrap();
    while files(&mut journal, &id).is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(500));
    (journal, id, worker)
}

#[test]
fn the_file_of_a_killed_worker_without_open_rows_is_removed_and_that_of_a_live_one_stays() {
    for by_another_campaign in [false, true] {
        let sandbox = Sandbox::builder().start_blocking().unwrap();
        let scratch = Scratch::new();
        let (mut journal, id, mut worker) = start_idle_worker(&scratch, &sandbox);
        let clean = |journal: &mut Journal, name: &str| match by_another_campaign {
            true => run_another(&scratch.url(), name),
            false => assert_eq!(journal.settle_unsent_rows(&id).unwrap(), 0),
        };
        let known = files(&mut journal, &id);
        let found = status(&mut journal, "kills").unwrap();
        assert_eq!((found.state, found.workers), ("running", 1));
        set_age(&known, DAY * 9);
        clean(&mut journal, "while it lives");
        assert_eq!(files(&mut journal, &id), known, "the worker lives");
        worker.kill().unwrap();
        worker.wait().unwrap();
        assert_eq!(files(&mut journal, &id), known);
        let found = status(&mut journal, "kills").unwrap();
        assert_eq!((found.state, found.workers, found.in_flight), ("created", 0, 0), "nobody runs it");
        clean(&mut journal, "after its end");
        assert!(files(&mut journal, &id).is_empty(), "nothing is open");
    }
}

fn set_age(files: &[PathBuf], age: Duration) {
    for file in files {
        let file = std::fs::OpenOptions::new().write(true).open(file).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }
}

/// However old it is, and whatever else runs on the machine.
#[test]
fn a_file_stays_while_rows_are_open_and_its_journal_exists() {
    let mut killed = Killed::new();
    let known = killed.files();
    set_age(&known, DAY * 9);
    run_another(&killed.scratch.url(), "of the same journal");
    run_another(&Scratch::file().url(), "of another journal");
    assert_eq!(killed.files(), known);
    let unknown = killed.finish();
    assert!(unknown <= CONCURRENCY as i64 && unknown < killed.unknown, "{unknown}");
}

/// The journal was deleted. It may have been moved, so its file stays for a day.
#[test]
fn the_file_of_a_journal_that_does_not_exist_is_removed_after_a_day() {
    let sandbox = Sandbox::builder().start_blocking().unwrap();
    let scratch = Scratch::file();
    let (mut journal, id, mut worker) = start_idle_worker(&scratch, &sandbox);
    worker.kill().unwrap();
    worker.wait().unwrap();
    let known = files(&mut journal, &id);
    drop((journal, scratch));
    set_age(&known, DAY - Duration::from_secs(600));
    run_another(&Scratch::file().url(), "before a day");
    assert!(known[0].exists());
    set_age(&known, DAY);
    run_another(&Scratch::file().url(), "after a day");
    assert!(!known[0].exists());
}

#[test]
fn rows_that_a_killed_worker_had_not_begun_are_sent_by_the_next_run() {
    let mut killed = Killed::new();
    assert_eq!(killed.files().len(), 1);
    let unknown = killed.finish();
    println!("{} unknown rows after the kill, {unknown} after the next run", killed.unknown);
    assert!(unknown <= CONCURRENCY as i64 && unknown < killed.unknown, "{unknown}");
    assert!(killed.files().is_empty(), "no file of an owner stays");
}

#[test]
fn without_its_file_nothing_is_known_of_a_worker() {
    let mut killed = Killed::new();
    for path in killed.files() {
        std::fs::remove_file(path).unwrap();
    }
    assert_eq!(killed.journal.settle_unsent_rows(&killed.id.clone()).unwrap(), 0);
    assert_eq!(killed.finish(), killed.unknown);
}

#[test]
fn a_file_that_was_copied_is_not_believed() {
    let mut killed = Killed::new();
    for path in killed.files() {
        let copy = path.with_extension("copy");
        std::fs::copy(&path, &copy).unwrap();
        std::fs::rename(&copy, &path).unwrap();
    }
    assert_eq!(killed.finish(), killed.unknown);
}

#[test]
fn rows_of_a_restored_journal_stay_unknown() {
    let mut killed = Killed::new();
    Journal::mark_restored(&killed.scratch.url(), false).unwrap();
    killed.journal = open(&killed.scratch.url());
    let accepted = status(&mut killed.journal, "kills").unwrap().accepted;
    assert_eq!(killed.finish(), ROWS as i64 - accepted, "no row is sent again");
}

/// Every row is claimed, so only the file shows that some can still be sent.
#[test]
fn rows_that_can_still_be_sent_are_not_purged() {
    let mut killed = Killed::of(150, |found| found.pending == 0);
    let refused = killed.journal.purge("kills").unwrap_err();
    assert_eq!(refused.code(), "state", "{refused}");
    assert!(killed.finish() < killed.unknown);
    killed.journal.purge("kills").unwrap();
    assert_eq!(killed.journal.settle_unsent_rows(&killed.id.clone()).unwrap(), 0);
    let found = resolve(&mut killed.journal, "kills", Resolution::NotSent, None, true).unwrap_err();
    assert_eq!(found.code(), "purged", "a purged row cannot be sent");
}
