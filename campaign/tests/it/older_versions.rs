//! A journal of schema version 3, as a library before the table `attempts` left it: it is read as it is, also where nothing can be
//! written, and is brought to the present version when it is opened for writing and no worker of the older library may live.

use std::fs;
use std::path::Path;

use crate::support::{Scratch, claim, client, create, exported, open, settlement, token, view, won};
use cpaas_campaign::Error;
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::worker::{RunOptions, run};
use cpaas_sandbox::Sandbox;

fn sqlite(path: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(path).unwrap()
}

fn version(path: &Path) -> String {
    let sql = "SELECT value FROM meta WHERE name = 'version'";
    sqlite(path).query_row(sql, [], |row| row.get(0)).unwrap()
}

fn open_to_read(path: &Path) -> Journal {
    let mut options = OpenOptions::default();
    options.read_only = true;
    open_journal(path.to_str().unwrap(), options).unwrap()
}

/// Undoes step 4, and the row of `meta` that came with it.
fn undo_step_4(path: &Path) {
    let undo = "DROP TABLE attempts; DELETE FROM meta WHERE name = 'generation';
        UPDATE meta SET value = '3' WHERE name = 'version'";
    sqlite(path).execute_batch(undo).unwrap();
}

/// 20 rows, of which one is accepted and one rejected.
fn journal_of_version_3() -> Scratch {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    let id = create(&mut journal, "c", 20, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut of_chunk = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut of_chunk));
    let settlements =
        [settlement(&permit, 0, RowOutcome::Accepted), settlement(&permit, 1, RowOutcome::Rejected)];
    journal.exchange(&id, owner, &settlements, 0, None).unwrap();
    journal.release_owner(owner).unwrap();
    drop(journal);
    undo_step_4(&scratch.path());
    scratch
}

fn assert_readable(path: &Path) {
    let mut journal = open_to_read(path);
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((found.rows, found.accepted, found.rejected, found.pending), (20, 1, 1, 18));
    assert_eq!((exported(&mut journal, "c").len(), journal.campaigns().unwrap().len()), (20, 1));
    drop(journal);
    let verified = Journal::verify(path.to_str().unwrap()).unwrap();
    assert!(verified.problems.is_empty() && verified.campaigns == 1, "{verified:?}");
    assert_eq!(version(path), "3");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_read_and_then_run() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = journal_of_version_3();
    assert_readable(&scratch.path());
    assert_eq!(open_to_read(&scratch.path()).warning(), None);
    let mut reading = open_to_read(&scratch.path());
    run(open(&scratch.url_of_file()), "c", &client(sandbox.config()), RunOptions::default()).await.unwrap();
    assert_eq!(sandbox.ledger().await.len(), 18);
    assert_eq!(version(&scratch.path()), "4");
    assert_eq!(status(&mut reading, "c").unwrap().accepted, 19, "opened before the upgrade");
    let verified = Journal::verify(&scratch.url_of_file()).unwrap();
    assert_eq!((verified.problems, verified.identity), (vec![], None));
}

#[test]
fn a_backup_is_read_where_nothing_can_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = journal_of_version_3();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("backup.db");
    Journal::backup(&scratch.url_of_file(), &copy).unwrap();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(&copy, 0o400);
    mode(folder.path(), 0o500);
    let before = fs::read(&copy).unwrap();
    assert_readable(&copy);
    assert_eq!(fs::read(&copy).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    mode(folder.path(), 0o700);
}

#[test]
fn it_is_not_changed_while_a_worker_may_live() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut worker = open(&url);
    let id = create(&mut worker, "c", 20, Settings::default());
    worker.register_owner(&id).unwrap();
    undo_step_4(&scratch.path());
    let generation =
        || -> i64 { sqlite(&scratch.path()).query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap() };
    let before = generation();
    let opened = open_journal(&url, OpenOptions::default()).map(drop);
    assert!(matches!(opened, Err(Error::InUse)), "{opened:?}");
    let rows = "SELECT COUNT(*) FROM meta WHERE name = 'generation'";
    let rows: i64 = sqlite(&scratch.path()).query_row(rows, [], |row| row.get(0)).unwrap();
    assert_eq!((version(&scratch.path()).as_str(), generation(), rows), ("3", before, 0));
    assert_eq!(status(&mut open_to_read(&scratch.path()), "c").unwrap().pending, 20);
    drop(worker);
    // The worker stores its end.
    sqlite(&scratch.path()).execute("UPDATE owners SET is_gone = 1", []).unwrap();
    drop(open(&url));
    assert_eq!(version(&scratch.path()), "4");
}
