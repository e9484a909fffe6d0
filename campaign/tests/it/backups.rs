//! `backup`: a complete copy of one moment, made while workers write, which behaves as every restored backup does.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::support::{Scratch, assert_adds_up, client, create, exported, open, sent};
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{Error, IdentityMismatch, Witness};
use cpaas_sandbox::Sandbox;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn read(path: &Path) -> Journal {
    let mut options = OpenOptions::default();
    options.read_only = true;
    open_journal(path.to_str().unwrap(), options).unwrap()
}

/// Five backups while a worker sends 2,000 rows. Each is complete and adds up, and none can send what was sent after it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backups_during_a_run_are_complete_and_send_nothing_twice() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut journal = open(&url);
    let mut settings = Settings::default();
    settings.rate = Some(1000.0);
    create(&mut journal, "c", 2000, settings);
    let client = client(sandbox.config());
    let worker = tokio::spawn({
        let client = client.clone();
        async move { run(journal, "c", &client, RunOptions::default()).await.unwrap() }
    });
    let folder = tempfile::tempdir().unwrap();
    let mut copies: Vec<PathBuf> = Vec::new();
    for number in 1..=5 {
        while sandbox.ledger().await.len() < number * 250 {
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
        let (url, copy) = (url.clone(), folder.path().join(format!("{number}.db")));
        copies.push(copy.clone());
        let made = tokio::task::spawn_blocking(move || Journal::backup(&url, &copy)).await.unwrap().unwrap();
        assert_eq!((made.campaigns, made.rows, made.warning), (1, 2000, None));
        assert_eq!(made.bytes, fs::metadata(copies.last().unwrap()).unwrap().len());
    }
    let (end, mut journal) = worker.await.unwrap();
    assert_eq!((end, status(&mut journal, "c").unwrap().accepted), (RunEnd::Done, 2000));
    assert_eq!(names(folder.path()), ["1.db", "2.db", "3.db", "4.db", "5.db"], "neither log nor lock file");
    let mut before = 0;
    for copy in &copies {
        assert_eq!(fs::metadata(copy).unwrap().permissions().mode() & 0o777, 0o600);
        let verified = Journal::verify(copy.to_str().unwrap()).unwrap();
        assert_eq!((verified.problems, verified.rows), (Vec::new(), 2000));
        assert!(verified.identity.unwrap().contains("-lock"));
        let mut reading = read(copy);
        let found = status(&mut reading, "c").unwrap();
        assert_adds_up(&found);
        assert!(found.attempts >= before && found.attempts >= 250 && found.pending > 0, "{found:?}");
        before = found.attempts;
        assert_eq!(exported(&mut reading, "c").len(), 2000);
    }
    assert_eq!(names(folder.path()).len(), 5, "reading a backup creates no file beside it");
    let last = copies.last().unwrap().to_str().unwrap();
    let opened = open_journal(last, OpenOptions::default()).map(drop);
    let is_missing = matches!(opened, Err(Error::Copied { mismatch: IdentityMismatch::LockFileMissing, .. }));
    assert!(is_missing, "{opened:?}");
    let text = opened.unwrap_err().to_string();
    assert!(text.contains("run `cpaas campaign moved --journal "), "{text}");
    assert!(text.ends_with(". In a program they are `mark_moved` and `mark_restored`"), "{text}");
    let moved = Journal::mark_moved(last).unwrap_err();
    let is_behind = matches!(
        moved,
        Error::Copied { mismatch: IdentityMismatch::Behind { witness: Witness::StateFolder, .. }, .. }
    );
    assert!(is_behind, "{moved}");
    let text = moved.to_string();
    assert!(
        text.ends_with(". In a program it is `mark_restored`") && !text.contains("moved --journal"),
        "{text}"
    );
    assert!(Journal::mark_restored(last, false).unwrap().unknown > 0);
    let (end, mut restored) = run(open(last), "c", &client, RunOptions::default()).await.unwrap();
    let found = status(&mut restored, "c").unwrap();
    assert_eq!((end, found.pending), (RunEnd::Done, 0), "{found:?}");
    assert_eq!(Journal::verify(last).unwrap().problems, []);
    let sent = sent(&sandbox.ledger().await);
    assert_eq!((sent.len(), sent.values().max()), (2000, Some(&1)));
}

#[test]
fn a_backup_after_which_nothing_was_changed_may_be_moved() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    create(&mut open(&url), "c", 5, Settings::default());
    let copy = scratch.folder.path().join("copy.db");
    Journal::backup(&url, &copy).unwrap();
    let copy = copy.display().to_string();
    Journal::mark_moved(&copy).unwrap();
    assert_eq!(status(&mut open(&copy), "c").unwrap().pending, 5);
}

#[test]
fn a_backup_replaces_no_file_and_becomes_part_of_none() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    create(&mut open(&url), "c", 5, Settings::default());
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("taken.db"), "mine").unwrap();
    std::os::unix::fs::symlink(path("nowhere"), path("link.db")).unwrap();
    fs::create_dir(path("folder")).unwrap();
    fs::write(path("logged.db-wal"), "of another database").unwrap();
    fs::write(path("locked.db-lock"), "").unwrap();
    let before = names(folder.path());
    for (file, expected) in [
        (path("taken.db"), "it exists"),
        (path("link.db"), "it exists"),
        (path("folder"), "it exists"),
        (path("logged.db"), "logged.db-wal would be taken for a part of it"),
        (path("locked.db"), "locked.db-lock would be taken for a part of it"),
        (path("missing/x.db"), "No such file"),
        (PathBuf::from(&url), "it exists"),
    ] {
        let error = Journal::backup(&url, &file).unwrap_err();
        assert!(matches!(error, Error::Backup { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains(expected) && text.contains("cannot be written"), "{text}");
    }
    assert_eq!(names(folder.path()), before, "no temporary file stays");
    assert_eq!(fs::read(path("taken.db")).unwrap(), b"mine");
    let _ = fs::remove_file(format!("{url}-wal"));
    let log = PathBuf::from(format!("{url}-wal"));
    let error = Journal::backup(&url, &log).unwrap_err().to_string();
    assert!(error.contains("part of the journal") || error.contains("it exists"), "{error}");
    assert!(matches!(Journal::backup("/nowhere/x.db", &path("y.db")), Err(Error::Open { .. })));
}

#[test]
fn a_damaged_journal_gets_no_backup() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    create(&mut open(&url), "c", 3000, Settings::default());
    let mut bytes = fs::read(scratch.path()).unwrap();
    let middle = bytes.len() / 8192 * 4096;
    bytes[middle..middle + 64].fill(0xA5);
    fs::write(scratch.path(), bytes).unwrap();
    let copy = scratch.folder.path().join("copy.db");
    let error = Journal::backup(&url, &copy).unwrap_err();
    assert!(matches!(error, Error::Damaged(_) | Error::Journal(..)), "{error}");
    assert!(!copy.exists() && names(scratch.folder.path()).iter().all(|name| !name.starts_with('.')));
}

#[test]
fn a_journal_in_postgres_names_the_means_of_its_database() {
    let url = "postgres://nobody@127.0.0.1:1/none";
    let error = Journal::backup(url, Path::new("/tmp/never.db")).unwrap_err().to_string();
    assert!(error.contains("pg_dump") && error.contains("Backup, upgrade, purge"), "{error}");
}
