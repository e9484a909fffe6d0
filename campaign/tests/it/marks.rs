//! Rows that a killed worker had claimed and not begun to send are sent by the next run on the machine, and only if it is proven.

use std::path::Path;
use std::time::Duration;

use crate::kills::{CONCURRENCY, worker_command};
use crate::support::{Scratch, assert_adds_up, create, open, sent_by_pages};
use cpaas_campaign::campaign::{export, status};
use cpaas_campaign::journal::{Journal, Settings};
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
        let sandbox = Sandbox::builder().seed(3).start_blocking().unwrap();
        sandbox.faults(json!([{"kind": "latency", "probability": 1.0, "seed": 5, "ms": 100}])).unwrap();
        let scratch = Scratch::new();
        let mut journal = scratch.journal();
        let id = create(&mut journal, "kills", ROWS, Settings::default());
        let mut killed = Self { scratch, sandbox, journal, id, unknown: 0 };
        let mut child = killed.worker(&killed.state()).spawn().unwrap();
        while status(&mut killed.journal, "kills").unwrap().accepted < 200 {
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

    fn state(&self) -> std::path::PathBuf {
        self.scratch.folder.path().join("state")
    }

    fn worker(&self, state: &Path) -> std::process::Command {
        let mut command = worker_command(&self.scratch.url(), &self.sandbox);
        command.env("XDG_STATE_HOME", state);
        command
    }

    /// Runs the campaign to its end, and returns how many rows are unknown.
    fn finish(&mut self, state: &Path) -> i64 {
        self.sandbox.faults(json!([])).unwrap();
        assert!(self.worker(state).status().unwrap().success());
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
    let state = killed.state();
    let unknown = killed.finish(&state);
    println!("{} unknown rows after the kill, {unknown} after the next run", killed.unknown);
    assert!(unknown <= CONCURRENCY as i64 && unknown < killed.unknown, "{unknown}");
    let left = std::fs::read_dir(state.join("cpaas/owners")).unwrap().count();
    assert_eq!(left, 0, "no file of an owner stays");
}

#[test]
fn a_process_with_another_state_folder_knows_nothing() {
    let mut killed = Killed::new();
    assert_eq!(killed.journal.settle_unsent_rows(&killed.id.clone()).unwrap(), 0);
    let elsewhere = killed.scratch.folder.path().join("elsewhere");
    assert_eq!(killed.finish(&elsewhere), killed.unknown);
}

#[test]
fn a_file_that_was_copied_is_not_believed() {
    let mut killed = Killed::new();
    let folder = killed.state().join("cpaas/owners");
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let copy = path.with_extension("copy");
        std::fs::copy(&path, &copy).unwrap();
        std::fs::rename(&copy, &path).unwrap();
        files += 1;
    }
    assert_eq!(files, 1);
    let state = killed.state();
    assert_eq!(killed.finish(&state), killed.unknown);
}

#[test]
fn rows_of_a_restored_journal_stay_unknown() {
    let mut killed = Killed::new();
    Journal::mark_restored(&killed.scratch.url(), false).unwrap();
    killed.journal = open(&killed.scratch.url());
    let state = killed.state();
    let accepted = status(&mut killed.journal, "kills").unwrap().accepted;
    assert_eq!(killed.finish(&state), ROWS as i64 - accepted, "no row is sent again");
}

#[test]
fn a_state_folder_that_cannot_be_written_prevents_nothing() {
    let mut killed = Killed::new();
    assert_eq!(killed.finish(Path::new("/proc/none")), killed.unknown);
}
