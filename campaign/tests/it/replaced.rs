//! A journal that is replaced under a running worker stops it before the next row is sent.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::{Scratch, client, create, open, sent};
use cpaas_campaign::Error;
use cpaas_campaign::journal::{Journal, Settings};
use cpaas_campaign::worker::{RunOptions, run};
use cpaas_sandbox::Sandbox;

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

fn remove(path: &Path) {
    for suffix in ["", "-wal", "-shm", "-lock"] {
        let _ = fs::remove_file(suffixed(path, suffix));
    }
}

/// Writes over the file as `cp` does: it is emptied first and keeps its inode.
fn write_over(from: &Path, to: &Path) {
    let bytes = fs::read(from).unwrap();
    let mut file = fs::OpenOptions::new().write(true).truncate(true).open(to).unwrap();
    std::io::Write::write_all(&mut file, &bytes).unwrap();
}

type Replace = fn(&Path, &Path);

/// A worker at 20 rows per second. After 10 rows its journal is replaced; `from` is a file from `prepare`.
async fn stopped_before_the_next_row(prepare: fn(&Path, &Path), replace: Replace) {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let path = scratch.path();
    let mut journal = open(&scratch.url_of_file());
    let mut settings = Settings::default();
    settings.rate = Some(20.0);
    create(&mut journal, "c", 400, settings);
    let from = scratch.folder.path().join("from.db");
    prepare(&path, &from);
    let client = client(sandbox.config());
    let worker = tokio::spawn({
        let client = client.clone();
        async move { run(journal, "c", &client, RunOptions::default()).await.map(drop) }
    });
    let mut before = 0;
    while before < 10 {
        tokio::time::sleep(Duration::from_millis(1)).await;
        before = sandbox.ledger().await.len();
    }
    // The next row follows 50 ms after the last one.
    replace(&path, &from);
    let at_replacement = sandbox.ledger().await.len();
    let error = tokio::time::timeout(Duration::from_secs(10), worker).await.unwrap().unwrap().unwrap_err();
    let text = error.to_string();
    assert!(matches!(error.error, Error::Replaced | Error::Copied { .. } | Error::Journal(..)), "{text}");
    assert!(text.contains("replaced") || text.contains("must be the one that was written last"), "{text}");
    let ledger = sandbox.ledger().await;
    assert_eq!(ledger.len(), at_replacement, "no row after the replacement");
    assert!(sent(&ledger).values().all(|count| *count == 1));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(sandbox.ledger().await.len(), at_replacement);
}

fn backup(path: &Path, from: &Path) {
    Journal::backup(path.to_str().unwrap(), from).unwrap();
}

fn vacuumed(path: &Path, from: &Path) {
    let other = rusqlite::Connection::open(path).unwrap();
    other.execute("VACUUM INTO ?1", [from.to_str()]).unwrap();
    std::mem::forget(other);
}

fn other_journal(_: &Path, from: &Path) {
    create(&mut open(from.to_str().unwrap()), "c", 400, Settings::default());
}

fn other_program(_: &Path, from: &Path) {
    let other = rusqlite::Connection::open(from).unwrap();
    other.execute_batch("CREATE TABLE orders (id INTEGER); PRAGMA user_version = 3").unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_file_moved_over_the_journal() {
    stopped_before_the_next_row(backup, |path, from| fs::rename(from, path).unwrap()).await;
    stopped_before_the_next_row(other_journal, |path, from| fs::rename(from, path).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_file_copied_over_the_journal() {
    for prepare in [other_journal, other_program] {
        stopped_before_the_next_row(prepare, |path, from| write_over(from, path)).await;
    }
}

/// The backup is older than the last checkpoint.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_backup_copied_over_the_journal() {
    let replace: Replace = |path, from| {
        let other = rusqlite::Connection::open(path).unwrap();
        let _ = other.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        std::mem::forget(other);
        // The worker's next transaction sees the checkpoint.
        std::thread::sleep(Duration::from_millis(200));
        write_over(from, path);
    };
    stopped_before_the_next_row(backup, replace).await;
}

/// It has the same id and a header that may follow, but was rebuilt, so its pages are others than those of the log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_vacuumed_backup_copied_over_the_journal() {
    stopped_before_the_next_row(vacuumed, |path, from| write_over(from, path)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_journal_deleted_and_created_again() {
    let replace: Replace = |path, _| {
        remove(path);
        create(&mut open(path.to_str().unwrap()), "c", 400, Settings::default());
    };
    stopped_before_the_next_row(|_, _| {}, replace).await;
    stopped_before_the_next_row(|_, _| {}, |path, _| remove(path)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_journal_whose_folder_was_replaced() {
    let replace: Replace = |path, _| {
        let folder = path.parent().unwrap();
        let away = folder.with_extension("away");
        fs::rename(folder, &away).unwrap();
        fs::create_dir(folder).unwrap();
        fs::remove_dir_all(&away).unwrap();
    };
    stopped_before_the_next_row(|_, _| {}, replace).await;
}
