//! The suppression store in an SQLite file: several threads and stores, a missing file, another file.

use cpaas::suppression::SuppressionStore;
use cpaas_campaign::SqliteSuppressionStore;

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
}
