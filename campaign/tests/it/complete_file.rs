//! After a clean end a journal is one complete file; while it is not, it says which files belong together.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{
    Scratch, assert_adds_up, claim, client, close_as_killed, create, open, token, view, won,
};
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::{pause, status};
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{Error, IdentityMismatch, Witness};
use cpaas_sandbox::Sandbox;

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

fn log_length(path: &Path) -> u64 {
    fs::metadata(suffixed(path, "-wal")).map_or(0, |found| found.len())
}

/// The status of a copy of the database file alone.
fn of_file_alone(scratch: &Scratch, name: &str) -> cpaas_campaign::campaign::Status {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    fs::copy(scratch.path(), &copy).unwrap();
    let mut options = OpenOptions::default();
    options.read_only = true;
    status(&mut open_journal(copy.to_str().unwrap(), options).unwrap(), name).unwrap()
}

#[test]
fn every_change_leaves_one_complete_file() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut journal = open(&url);
    create(&mut journal, "c", 20, Settings::default());
    assert_eq!(journal.files(), [scratch.path(), suffixed(&scratch.path(), "-wal")], "while it is open");
    drop(journal);
    assert_eq!(log_length(&scratch.path()), 0);
    assert_eq!(of_file_alone(&scratch, "c").pending, 20);
    let mut journal = open(&url);
    assert_eq!(journal.files(), [scratch.path()]);
    pause(&mut journal, "c").unwrap();
    drop(journal);
    assert_eq!((log_length(&scratch.path()), of_file_alone(&scratch, "c").state), (0, "paused"));
    Journal::mark_restored(&url, false).unwrap();
    assert_eq!((log_length(&scratch.path()), of_file_alone(&scratch, "c").unknown), (0, 20));
    Journal::mark_moved(&url).unwrap();
    assert_eq!(log_length(&scratch.path()), 0);
    assert_adds_up(&status(&mut open(&url), "c").unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_leaves_one_complete_file() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    create(&mut journal, "c", 300, Settings::default());
    let client = client(sandbox.config());
    let (end, journal) = run(journal, "c", &client, RunOptions::default()).await.unwrap();
    assert!(log_length(&scratch.path()) > 0);
    drop(journal);
    assert_eq!((end, log_length(&scratch.path())), (RunEnd::Done, 0));
    assert_eq!(of_file_alone(&scratch, "c").accepted, 300);
    // A copy of the file alone over the file lacks nothing.
    let copy = scratch.folder.path().join("copy.db");
    fs::copy(scratch.path(), &copy).unwrap();
    fs::rename(&copy, scratch.path()).unwrap();
    assert_eq!(status(&mut open(&scratch.url_of_file()), "c").unwrap().accepted, 300);
}

#[test]
fn the_log_stays_while_somebody_else_uses_the_journal() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut worker = open(&url);
    let id = create(&mut worker, "c", 20, Settings::default());
    let owner = worker.register_owner(&id).unwrap();
    let mut other = open(&url);
    pause(&mut other, "c").unwrap();
    drop(other);
    assert!(log_length(&scratch.path()) > 0, "a worker lives");
    worker.release_owner(owner).unwrap();
    let lock = fs::File::open(format!("{url}-lock")).unwrap();
    lock.lock().unwrap();
    drop(open_to_read(&url));
    drop(worker);
    assert!(log_length(&scratch.path()) > 0, "a transaction has the lock");
    lock.unlock().unwrap();
    let reading = rusqlite::Connection::open(scratch.path()).unwrap();
    reading.execute_batch("BEGIN; SELECT COUNT(*) FROM campaigns").unwrap();
    drop(open(&url));
    assert!(log_length(&scratch.path()) > 0, "somebody reads");
    drop(reading);
    drop(open(&url));
    assert_eq!(log_length(&scratch.path()), 0);
}

fn open_to_read(url: &str) -> Journal {
    let mut options = OpenOptions::default();
    options.read_only = true;
    open_journal(url, options).unwrap()
}

/// The log of a journal is not written into a database that replaced it.
#[test]
fn a_journal_that_was_replaced_is_not_completed() {
    let (scratch, other) = (Scratch::file(), Scratch::file());
    let (url, path) = (scratch.url_of_file(), scratch.path());
    create(&mut open(&other.url_of_file()), "other", 5, Settings::default());
    let mut journal = open(&url);
    create(&mut journal, "c", 20, Settings::default());
    fs::copy(other.path(), &path).unwrap();
    let before = fs::read(&path).unwrap();
    drop(journal);
    assert_eq!(fs::read(&path).unwrap(), before);
    assert!(log_length(&path) > 0);
    let error = open_journal(&url, OpenOptions::default()).map(drop).unwrap_err();
    assert!(matches!(error, Error::Copied { .. } | Error::Journal(..)), "{error}");
}

/// A worker that is killed leaves a log. The errors about moves and the journal itself name the files.
#[test]
fn the_errors_name_the_files_that_belong_together() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut journal = open(&url);
    let id = create(&mut journal, "c", 20, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    won(claim(&mut journal, &id, owner, token(), &mut view));
    close_as_killed(journal, &url);
    let folder = tempfile::tempdir().unwrap();
    let moved = folder.path().join("moved.db");
    fs::copy(scratch.path(), &moved).unwrap();
    fs::copy(format!("{url}-lock"), suffixed(&moved, "-lock")).unwrap();
    let error = open_journal(moved.to_str().unwrap(), OpenOptions::default()).map(drop).unwrap_err();
    let text = error.to_string();
    let place = moved.canonicalize().unwrap().display().to_string();
    assert!(
        text.contains(&format!("{place}, {place}-wal (where it exists) and {place}-lock belong together")),
        "{text}"
    );
    fs::remove_file(format!("{url}-wal")).unwrap();
    let error = open_journal(&url, OpenOptions::default()).map(drop).unwrap_err();
    let is_behind = matches!(
        error,
        Error::Copied { mismatch: IdentityMismatch::Behind { witness: Witness::LockFile, .. }, .. }
    );
    assert!(is_behind && error.to_string().contains("belong together"), "{error}");
}
