//! Rows that a killed worker had claimed and not begun to send are sent by the next run on the machine, and only if it is proven.

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::Duration;

use crate::kills::{CONCURRENCY, worker_command};
use crate::support::{Scratch, assert_adds_up, create, open, sent_by_pages};
use cpaas_campaign::campaign::{Status, export, resolve, status};
use cpaas_campaign::journal::{Journal, Settings};
use cpaas_campaign::protocol::Resolution;
use cpaas_sandbox::{BlockingSandbox, Sandbox};
use serde_json::json;

const ROWS: u64 = 2000;

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

    /// Kills the worker when the status shows that it is time.
    fn of(rows: u64, is_time: impl Fn(&Status) -> bool) -> Self {
        let sandbox = Sandbox::builder().seed(3).start_blocking().unwrap();
        sandbox.faults(json!([{"kind": "latency", "probability": 1.0, "seed": 5, "ms": 100}])).unwrap();
        let scratch = Scratch::new();
        let mut journal = scratch.journal();
        let id = create(&mut journal, "kills", rows, Settings::default());
        let mut killed = Self { scratch, sandbox, journal, id, unknown: 0 };
        let mut child = killed.worker().spawn().unwrap();
        while !is_time(&status(&mut killed.journal, "kills").unwrap()) {
            std::thread::sleep(Duration::from_millis(10));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let found = status(&mut killed.journal, "kills").unwrap();
        assert_adds_up(&found);
        killed.unknown = found.unknown;
        assert!(killed.unknown > CONCURRENCY as i64, "rows must be claimed ahead: {found:?}");
        killed
    }

    fn worker(&self) -> std::process::Command {
        worker_command(&self.scratch.url(), &self.sandbox)
    }

    /// The files of the workers of the campaign.
    fn files(&mut self) -> Vec<PathBuf> {
        let user = std::fs::metadata("/proc/self").unwrap().uid();
        let folder = PathBuf::from(format!("/dev/shm/cpaas-{user}"));
        let owners = self.journal.owners(&self.id.clone()).unwrap();
        owners.iter().map(|owner| folder.join(owner.id.to_hex())).filter(|path| path.exists()).collect()
    }

    /// Runs the campaign to its end, and returns how many rows are unknown.
    fn finish(&mut self) -> i64 {
        self.sandbox.faults(json!([])).unwrap();
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
