//! The suppression store in an SQLite file: several threads and stores, a missing file, another file.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use cpaas::suppression::SuppressionStore;
use cpaas_campaign::SqliteSuppressionStore;
use rusqlite::Connection;

#[test]
fn numbers_are_added_once_and_compared_in_their_canonical_form() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stopped.db");
    let store = SqliteSuppressionStore::open(&path).unwrap();
    assert!(store.insert("+30 690 000 0001").unwrap());
    assert!(!store.insert("306900000001").unwrap());
    let again = SqliteSuppressionStore::open(&path).unwrap();
    assert!(again.contains("00306900000001").unwrap());
    assert!(!again.contains("306900000002").unwrap());
    assert!(again.delete("306900000001").unwrap());
    assert!(!store.contains("306900000001").unwrap());
    for invalid in ["", "690 000 0001", "STOP", "'; DROP TABLE suppressed_number; --"] {
        let error = store.insert(invalid).unwrap_err().to_string();
        assert!(
            error.starts_with("number must") && (invalid.is_empty() || !error.contains(invalid)),
            "{error}"
        );
    }
}

#[test]
fn threads_that_add_the_same_number_see_one_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stopped.db");
    SqliteSuppressionStore::open(&path).unwrap();
    let first: usize = std::thread::scope(|scope| {
        let add = || {
            let store = SqliteSuppressionStore::open(&path).unwrap();
            (0..20).filter(|n| store.insert(&format!("30690000{n:04}")).unwrap()).count()
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(add)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(first, 20);
}

#[test]
fn a_deleted_file_is_an_error_and_another_file_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stopped.db");
    let store = SqliteSuppressionStore::open(&path).unwrap();
    store.insert("306900000001").unwrap();
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
    assert!(store.contains("306900000001").is_err(), "nobody is forgotten silently");
    assert!(!path.exists());
    std::fs::write(&path, "a list of names that is not a database, longer than its header").unwrap();
    assert!(SqliteSuppressionStore::open(&path).is_err());
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("a list of names"));
    assert!(SqliteSuppressionStore::open(folder.path().join("no/folder.db")).is_err());
}

#[tokio::test]
async fn a_text_that_is_not_a_number_is_not_suppressed() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteSuppressionStore::open(folder.path().join("stopped.db")).unwrap();
    assert!(SuppressionStore::add(&store, "306900000001").await.unwrap());
    assert!(store.is_suppressed("306900000001").await.unwrap());
    assert!(!store.is_suppressed("user-7").await.unwrap());
    assert!(SuppressionStore::add(&store, "user-7").await.is_err());
    for text in ["54321", "Acme", "", "user-7"] {
        assert!(!store.contains(text).unwrap(), "{text:?}");
        assert!(!store.delete(text).unwrap(), "{text:?}");
    }
    let numbers = ["306900000001", "user-7", "306900000002", "+306900000001"].map(str::to_owned);
    assert_eq!(store.are_suppressed(&numbers).await.unwrap(), [true, false, false, true]);
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn only_the_owner_can_access_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stopped.db");
    let store = SqliteSuppressionStore::open(&path).unwrap();
    store.insert("306900000001").unwrap();
    assert_eq!(mode(&path), 0o600);
    let reader = Connection::open(&path).unwrap();
    reader.query_row("SELECT count(*) FROM suppressed_number", [], |row| row.get::<_, i64>(0)).unwrap();
    store.insert("306900000002").unwrap();
    assert_eq!(mode(&folder.path().join("stopped.db-wal")), 0o600);
    drop(reader);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let error = SqliteSuppressionStore::open(&path).unwrap_err().to_string();
    assert!(error.contains("chmod 600"), "{error}");
    let (link, target) = (folder.path().join("link"), folder.path().join("target"));
    std::os::unix::fs::symlink(&target, &link).unwrap();
    assert!(SqliteSuppressionStore::open(&link).is_err());
    assert!(!target.exists(), "nothing is created at the target of the link");
    assert!(SqliteSuppressionStore::open(folder.path()).is_err());
}

#[test]
fn a_journal_and_a_database_of_another_program_are_refused_and_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = crate::support::Scratch::new();
    drop(scratch.journal());
    let foreign = folder.path().join("foreign.db");
    let other = Connection::open(&foreign).unwrap();
    other
        .execute_batch(
            "PRAGMA journal_mode = wal; CREATE TABLE names (name TEXT); INSERT INTO names VALUES ('x')",
        )
        .unwrap();
    std::fs::set_permissions(&foreign, std::fs::Permissions::from_mode(0o600)).unwrap();
    let tables = folder.path().join("tables.db");
    let plain = Connection::open(&tables).unwrap();
    plain.execute_batch("CREATE TABLE suppressed_number (number TEXT)").unwrap();
    drop(plain);
    std::fs::set_permissions(&tables, std::fs::Permissions::from_mode(0o600)).unwrap();
    for path in [foreign.clone(), tables, scratch.path()] {
        let before = (std::fs::read(&path).unwrap(), std::fs::metadata(&path).unwrap().modified().unwrap());
        let log = PathBuf::from(format!("{}-wal", path.display()));
        let log_before = std::fs::read(&log).ok();
        let error = SqliteSuppressionStore::open(&path).unwrap_err().to_string();
        assert!(error.contains("must be one that it created, got another file"), "{error}");
        let after = (std::fs::read(&path).unwrap(), std::fs::metadata(&path).unwrap().modified().unwrap());
        assert!(after == before && std::fs::read(&log).ok() == log_before, "{}", path.display());
    }
    drop(other);
}

/// Opens one store and adds a number; run by the test below in processes of its own.
#[test]
#[ignore = "a process of the test below"]
fn opening_process() {
    let path = std::env::var("STOPPED").unwrap();
    let store = SqliteSuppressionStore::open(path).unwrap();
    store.insert(&format!("30690{:07}", std::process::id() % 10_000_000)).unwrap();
}

#[test]
fn processes_that_create_one_file_at_once_lose_no_number() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..4 {
        let path = folder.path().join(format!("stopped-{round}.db"));
        let processes: Vec<_> = (0..8)
            .map(|_| {
                std::process::Command::new(std::env::current_exe().unwrap())
                    .args(["--exact", "suppression_store::opening_process", "--ignored"])
                    .env("STOPPED", &path)
                    .spawn()
                    .unwrap()
            })
            .collect();
        for mut process in processes {
            assert!(process.wait().unwrap().success());
        }
        let store = Connection::open(&path).unwrap();
        let count = store.query_row("SELECT count(*) FROM suppressed_number", [], |row| row.get::<_, i64>(0));
        assert_eq!(count.unwrap(), 8);
    }
}
