//! A suppression store that is set back: a run refuses it, and a run that is in progress ends.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cpaas::suppression::SuppressionStore;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::Settings;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{Error, SqlSuppressionStore};
use cpaas_sandbox::Sandbox;

use crate::support::{Scratch, client, create, phone};

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Replaces the file of a store by a copy that was made before.
fn set_back(backup: &Path, path: &Path) {
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
    let copy = path.with_extension("copy");
    std::fs::copy(backup, &copy).unwrap();
    std::fs::rename(&copy, path).unwrap();
}

/// No other connection is open, so the file is complete.
fn back_up(path: &Path) -> std::path::PathBuf {
    let backup = path.with_extension("backup");
    std::fs::copy(path, &backup).unwrap();
    backup
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_store_is_refused_between_two_runs_until_it_is_accepted() {
    let (scratch, sandbox) = (Scratch::new(), Sandbox::builder().start().await.unwrap());
    let mut journal = scratch.journal();
    create(&mut journal, "c", 10, Settings::default());
    let path = scratch.folder.path().join("stopped.db");
    let open = || Arc::new(SqlSuppressionStore::open(name(&path)).unwrap());
    open().insert("306999999999").unwrap();
    let backup = back_up(&path);
    open().insert(&phone(9)).unwrap();
    let client = client(sandbox.config());
    let with_store = || client.clone().suppression(open());
    let (end, journal) = run(journal, "c", &with_store(), RunOptions::default().limit(2)).await.unwrap();
    assert_eq!(end, RunEnd::Limit);

    set_back(&backup, &path);
    let failed = run(journal, "c", &with_store(), RunOptions::default()).await.unwrap_err();
    assert!(matches!(failed.error, Error::OlderSuppressionStore { known: 2, found: 1, .. }), "{failed:?}");
    assert_eq!(failed.error.code(), "suppression_store");
    let text = failed.error.to_string();
    assert!(text.contains("cpaas campaign accept-suppression --journal"), "{text}");

    // As many changes as before are not the same ones.
    open().insert("306999999998").unwrap();
    let failed = run(failed.journal.unwrap(), "c", &with_store(), RunOptions::default()).await.unwrap_err();
    assert!(matches!(failed.error, Error::OlderSuppressionStore { known: 2, found: 2, .. }), "{failed:?}");

    // Nor is another store the one that was consulted.
    let other = scratch.folder.path().join("other.db");
    let other = client.clone().suppression(Arc::new(SqlSuppressionStore::open(name(&other)).unwrap()));
    let failed = run(failed.journal.unwrap(), "c", &other, RunOptions::default()).await.unwrap_err();
    assert!(matches!(failed.error, Error::OtherSuppressionStore { .. }), "{failed:?}");
    assert_eq!(sandbox.ledger().await.len(), 2);

    open().insert(&phone(9)).unwrap();
    let mut journal = failed.journal.unwrap();
    create(&mut journal, "with another store", 2, Settings::default());
    let (_, mut journal) =
        run(journal, "with another store", &other, RunOptions::default().limit(1)).await.unwrap();
    assert_eq!(journal.accept_restored_store(&open()).unwrap(), 2);
    for (name, client) in [("c", &other), ("with another store", &with_store())] {
        let failed = run(journal, name, client, RunOptions::default()).await.unwrap_err();
        assert!(
            matches!(failed.error, Error::OtherSuppressionStore { .. }),
            "only the restored store is accepted"
        );
        journal = failed.journal.unwrap();
    }
    assert!(open().contains(&phone(9)).unwrap(), "no number changes");
    let (end, mut journal) = run(journal, "c", &with_store(), RunOptions::default()).await.unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((end, found.accepted, found.suppressed), (RunEnd::Done, 9, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_ends_when_its_store_is_set_back_and_sends_nothing_after_that() {
    let (scratch, sandbox) = (Scratch::new(), Sandbox::builder().start().await.unwrap());
    let mut journal = scratch.journal();
    let mut settings = Settings::default();
    settings.rate = Some(50.0);
    create(&mut journal, "c", 500, settings);
    let path = scratch.folder.path().join("stopped.db");
    let store = SqlSuppressionStore::open(name(&path)).unwrap();
    let backup = back_up(&path);
    for row in 400..500 {
        store.insert(&phone(row)).unwrap();
    }
    let worker_client = client(sandbox.config()).suppression(Arc::new(store));
    let worker = tokio::spawn(async move { run(journal, "c", &worker_client, RunOptions::default()).await });
    while sandbox.ledger().await.len() < 20 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let (mut other, same) = (scratch.journal(), SqlSuppressionStore::open(name(&path)).unwrap());
    let identity = same.identity().unwrap();
    assert_eq!(other.accept_restored_store(&same).unwrap_err().code(), "in_use");
    assert_eq!(other.accept_suppression_store(&identity, &identity).unwrap_err().code(), "in_use");
    assert_eq!(other.forget_suppression_store("c").unwrap_err().code(), "in_use");
    assert_eq!(same.identity().unwrap(), identity, "the store is unchanged");
    drop(same);
    set_back(&backup, &path);
    let failed = worker.await.unwrap().unwrap_err();
    assert!(matches!(failed.error, Error::OlderSuppressionStore { known: 100, found: 0, .. }), "{failed:?}");
    let found = status(&mut failed.journal.unwrap(), "c").unwrap();
    assert_eq!((found.unknown, found.accepted + found.pending), (0, 500));
    assert!(found.pending >= 100, "{found:?}");
}

/// A backup was copied over the file, and the log of the newer file was left beside it: SQLite merges them, so that the store has the
/// change of an opt-out, and not its number.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_whose_numbers_are_not_those_of_its_changes_is_refused() {
    for scratch in [Scratch::new(), Scratch::file()] {
        let sandbox = Sandbox::builder().start().await.unwrap();
        let mut journal = scratch.journal();
        create(&mut journal, "c", 4, Settings::default());
        let path = scratch.folder.path().join("stopped.db");
        let open = || Arc::new(SqlSuppressionStore::open(name(&path)).unwrap());
        let with_store = || client(sandbox.config()).suppression(open());
        assert!(open().insert("306999999999").unwrap() && open().insert(&phone(3)).unwrap());
        assert!(open().delete("306999999999").unwrap() && open().insert_in("6999999999", "GR").unwrap());
        let (_, journal) = run(journal, "c", &with_store(), RunOptions::default().limit(1)).await.unwrap();
        let sql = format!("DELETE FROM suppressed_number WHERE number = '{}'", phone(3));
        assert_eq!(rusqlite::Connection::open(&path).unwrap().execute(&sql, []).unwrap(), 1);
        let failed = run(journal, "c", &with_store(), RunOptions::default()).await.unwrap_err();
        assert!(matches!(failed.error, Error::OlderSuppressionStore { .. }), "{failed:?}");
        assert!(failed.to_string().contains("a `-wal` file that does not belong to it"), "{failed}");
        assert_eq!(sandbox.ledger().await.len(), 1);
        let mut journal = failed.journal.unwrap();
        open().insert(&phone(3)).unwrap();
        let failed = run(journal, "c", &with_store(), RunOptions::default()).await.unwrap_err();
        journal = failed.journal.unwrap();
        journal.accept_restored_store(&open()).unwrap();
        let (_, mut journal) = run(journal, "c", &with_store(), RunOptions::default()).await.unwrap();
        let found = status(&mut journal, "c").unwrap();
        assert_eq!((found.accepted, found.suppressed), (3, 1));
    }
}

/// A store of version 2 has no totals: its upgrade counts the numbers.
#[tokio::test]
async fn a_store_of_the_version_before_is_counted_when_it_is_opened() {
    let scratch = Scratch::file();
    let path = scratch.folder.path().join("stopped.db");
    let open = || SqlSuppressionStore::open(name(&path)).unwrap();
    assert!(open().insert("306900000001").unwrap() && open().insert("306900000002").unwrap());
    let change = open().last_change().await.unwrap().unwrap();
    let execute = |sql: &str| rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    execute("ALTER TABLE suppression_changes DROP COLUMN total; UPDATE cpaas_stores SET version = 2");
    assert!(open().has_change(&change).await.unwrap());
    assert!(open().delete("306900000001").unwrap() && open().has_change(&change).await.unwrap());
    execute("DELETE FROM suppressed_number");
    assert!(!open().has_change(&change).await.unwrap());
}

/// The run has not read the opt-out: it ends because the machine remembers it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_ends_when_its_store_lacks_a_change_that_only_the_machine_remembers() {
    let (scratch, sandbox) = (Scratch::new(), Sandbox::builder().start().await.unwrap());
    let mut journal = scratch.journal();
    let mut settings = Settings::default();
    settings.rate = Some(50.0);
    create(&mut journal, "c", 5000, settings);
    let path = scratch.folder.path().join("stopped.db");
    let open = || SqlSuppressionStore::open(name(&path)).unwrap();
    let worker_client = client(sandbox.config()).suppression(Arc::new(open()));
    let worker = tokio::spawn(async move { run(journal, "c", &worker_client, RunOptions::default()).await });
    while sandbox.ledger().await.len() < 20 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let backup = back_up(&path);
    open().insert(&phone(4999)).unwrap();
    set_back(&backup, &path);
    let failed = worker.await.unwrap().unwrap_err();
    assert!(matches!(failed.error, Error::OlderSuppressionStore { .. }), "{failed:?}");
}

#[test]
fn a_store_that_no_run_consulted_is_not_accepted() {
    let scratch = Scratch::new();
    let path = scratch.folder.path().join("stopped.db");
    let store = SqlSuppressionStore::open(name(&path)).unwrap();
    let identity = store.identity().unwrap();
    let error = scratch.journal().accept_restored_store(&store).unwrap_err().to_string();
    assert!(error.contains("must be one that runs of this journal consulted"), "{error}");
    assert_eq!(store.identity().unwrap(), identity);
}

#[tokio::test]
async fn a_store_that_was_set_back_under_a_process_fails_there() {
    let scratch = Scratch::file();
    let path = scratch.folder.path().join("stopped.db");
    let store = SqlSuppressionStore::open(name(&path)).unwrap();
    let backup = back_up(&path);
    store.insert("306900000001").unwrap();
    let change = store.last_change().await.unwrap().unwrap();
    assert_eq!(change.number, 1);
    assert!(!store.insert("306900000001").unwrap() && store.contains("306900000001").unwrap());
    assert_eq!(store.last_change().await.unwrap().unwrap(), change, "a number that is known is not a change");
    set_back(&backup, &path);
    let error = store.clone().contains("306900000001").unwrap_err().to_string();
    assert!(error.contains("an older store has replaced it"), "{error}");
    assert!(!store.has_change(&change).await.unwrap());
    let again = SqlSuppressionStore::open(name(&path)).unwrap();
    assert!(!again.contains("306900000001").unwrap());
    assert_eq!(again.last_change().await.unwrap().unwrap().store, change.store);
}

/// The opt-out was stored after the last run, so only the state folder of the machine remembers it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_that_no_run_has_read_is_remembered_by_the_machine() {
    let (scratch, sandbox) = (Scratch::new(), Sandbox::builder().start().await.unwrap());
    let mut journal = scratch.journal();
    create(&mut journal, "c", 4, Settings::default());
    let path = scratch.folder.path().join("stopped.db");
    let open = || Arc::new(SqlSuppressionStore::open(name(&path)).unwrap());
    let with_store = || client(sandbox.config()).suppression(open());
    let (_, mut journal) = run(journal, "c", &with_store(), RunOptions::default().limit(1)).await.unwrap();
    let backup = back_up(&path);
    open().insert(&phone(3)).unwrap();
    set_back(&backup, &path);
    for _ in 0..2 {
        let failed = run(journal, "c", &with_store(), RunOptions::default()).await.unwrap_err();
        assert!(
            matches!(failed.error, Error::OlderSuppressionStore { known: 0, found: 0, .. }),
            "{failed:?}"
        );
        journal = failed.journal.unwrap();
        let identity = open().identity().unwrap();
        journal.accept_suppression_store(&identity, &identity).unwrap(); // is not enough
    }
    // The receiver of opt-outs goes on: the store has more changes than the machine knows, and still lacks that one.
    for row in 100..103 {
        open().insert(&phone(row)).unwrap();
    }
    let failed = run(journal, "c", &with_store(), RunOptions::default()).await.unwrap_err();
    assert!(matches!(failed.error, Error::OlderSuppressionStore { .. }), "{failed:?}");
    let mut journal = failed.journal.unwrap();
    open().insert(&phone(3)).unwrap();
    journal.accept_restored_store(&open()).unwrap();
    let (_, mut journal) = run(journal, "c", &with_store(), RunOptions::default()).await.unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((found.accepted, found.suppressed), (3, 1));
}
