//! The suppression store in an SQLite file, and in Postgres if `CAMPAIGN_TEST_POSTGRES` is set: several threads, stores and processes, a
//! missing file, another file.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use cpaas::suppression::SuppressionStore;
use cpaas_campaign::{SqlGuardStore, SqlSuppressionStore};
use rusqlite::Connection;

use crate::support::Scratch;

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn numbers_are_added_once_and_compared_in_their_canonical_form() {
    let scratch = Scratch::new();
    let store = SqlSuppressionStore::open(&scratch.url()).unwrap();
    assert!(store.insert("+30 690 000 0001").unwrap());
    assert!(!store.insert("306900000001").unwrap());
    let again = SqlSuppressionStore::open(&scratch.url()).unwrap();
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
fn a_national_number_is_added_with_its_region() {
    let scratch = Scratch::new();
    let store = SqlSuppressionStore::open(&scratch.url()).unwrap();
    for (number, is_unassigned) in [
        ("6912345678", true),
        ("2101234567", true),
        ("306912345678", false),
        ("+6912345678", false),
        ("00306912345678", false),
        ("STOP", false),
    ] {
        assert_eq!(SqlSuppressionStore::is_unassigned(number), is_unassigned, "{number}");
    }
    assert!(store.insert_in("691 234 5678", "GR").unwrap());
    assert!(
        !store.insert_in("6912345678", "GR").unwrap(),
        "both were added: also that with the country code 691"
    );
    assert!(store.contains("306912345678").unwrap() && store.contains("+6912345678").unwrap());
    assert!(!store.insert("306912345678").unwrap());
    // An Italian mobile number, or one of Estonia with its country code.
    assert!(store.insert_in("3725123456", "IT").unwrap());
    assert!(store.contains("+39 372 512 3456").unwrap() && store.contains("+372 5123456").unwrap());
    assert!(!store.insert_in("3725123456", "IT").unwrap());
    let error = store.insert_in("6912345678", "Greece").unwrap_err().to_string();
    assert_eq!(
        error,
        "the region must be two letters of ISO 3166-1, such as GR, or GB for the United Kingdom"
    );
    assert!(store.insert_in("STOP", "GR").unwrap_err().to_string().starts_with("number must"));
}

#[test]
fn threads_that_add_the_same_number_see_one_first() {
    let scratch = Scratch::new();
    SqlSuppressionStore::open(&scratch.url()).unwrap();
    let first: usize = std::thread::scope(|scope| {
        let add = || {
            let store = SqlSuppressionStore::open(&scratch.url()).unwrap();
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
    let store = SqlSuppressionStore::open(name(&path)).unwrap();
    store.insert("306900000001").unwrap();
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
    assert!(store.contains("306900000001").is_err(), "nobody is forgotten silently");
    assert!(!path.exists());
    std::fs::write(&path, "a list of names that is not a database, longer than its header").unwrap();
    assert!(SqlSuppressionStore::open(name(&path)).is_err());
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("a list of names"));
    assert!(SqlSuppressionStore::open(name(&folder.path().join("no/folder.db"))).is_err());
}

#[tokio::test]
async fn a_text_that_is_not_a_number_is_not_suppressed() {
    let scratch = Scratch::new();
    let store = SqlSuppressionStore::open(&scratch.url()).unwrap();
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
    let store = SqlSuppressionStore::open(name(&path)).unwrap();
    store.insert("306900000001").unwrap();
    assert_eq!(mode(&path), 0o600);
    let reader = Connection::open(&path).unwrap();
    reader.query_row("SELECT count(*) FROM suppressed_number", [], |row| row.get::<_, i64>(0)).unwrap();
    store.insert("306900000002").unwrap();
    assert_eq!(mode(&folder.path().join("stopped.db-wal")), 0o600);
    drop(reader);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let error = SqlSuppressionStore::open(name(&path)).unwrap_err().to_string();
    assert!(error.contains("chmod 600"), "{error}");
    let (link, target) = (folder.path().join("link"), folder.path().join("target"));
    std::os::unix::fs::symlink(&target, &link).unwrap();
    assert!(SqlSuppressionStore::open(name(&link)).is_err());
    assert!(!target.exists(), "nothing is created at the target of the link");
    assert!(SqlSuppressionStore::open(name(folder.path())).is_err());
}

#[test]
fn a_journal_and_a_database_of_another_program_are_refused_and_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = Scratch::file();
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
        let error = SqlSuppressionStore::open(name(&path)).unwrap_err().to_string();
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
    let store = SqlSuppressionStore::open(&path).unwrap();
    store.insert(&std::env::var("NUMBER").unwrap()).unwrap();
}

#[test]
fn processes_that_create_one_store_at_once_lose_no_number() {
    for _ in 0..4 {
        let scratch = Scratch::new();
        let processes: Vec<_> = (0..8)
            .map(|n| {
                std::process::Command::new(std::env::current_exe().unwrap())
                    .args(["--exact", "suppression_store::opening_process", "--ignored"])
                    .env("STOPPED", scratch.url())
                    .env("NUMBER", format!("30690000000{n}"))
                    .spawn()
                    .unwrap()
            })
            .collect();
        for mut process in processes {
            assert!(process.wait().unwrap().success());
        }
        let store = SqlSuppressionStore::open(&scratch.url()).unwrap();
        let count = (0..9).filter(|n| store.contains(&format!("30690000000{n}")).unwrap()).count();
        assert_eq!(count, 8);
    }
}

#[test]
fn a_store_of_a_newer_version_a_guard_and_a_misspelt_address_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stopped.db");
    drop(SqlSuppressionStore::open(name(&path)).unwrap());
    let sql = "UPDATE cpaas_stores SET version = 4";
    Connection::open(&path).unwrap().execute(sql, []).unwrap();
    let error = SqlSuppressionStore::open(name(&path)).unwrap_err().to_string();
    assert!(error.contains("must have schema version 3 or older, got 4"), "{error}");
    let guard = folder.path().join("guard.db");
    drop(SqlGuardStore::open(name(&guard)).unwrap());
    let error = SqlSuppressionStore::open(name(&guard)).unwrap_err().to_string();
    assert!(error.contains("must be one that it created, got another file"), "{error}");
    for url in ["", "mysql://root:secret@localhost/db", "redis://localhost"] {
        let error = SqlSuppressionStore::open(url).unwrap_err().to_string();
        assert!(error.ends_with("it must be a path, sqlite:///… or postgres://…"), "{error}");
    }
}

/// In Postgres: the user of a program may lack the right to create tables; a dropped table is an error; another store, a guard and a
/// journal are in one database; the place has no password.
#[test]
#[cfg(feature = "postgres")]
fn a_database_is_shared_with_a_journal_and_used_with_few_rights() {
    if std::env::var("CAMPAIGN_TEST_POSTGRES").is_err() {
        return;
    }
    let scratch = Scratch::new();
    let url = scratch.url();
    let journal = scratch.journal();
    let store = SqlSuppressionStore::open(&url).unwrap();
    SqlGuardStore::open(&url).unwrap();
    drop(journal);
    drop(scratch.journal());
    store.insert("306900000001").unwrap();
    let run = |sql: &str| {
        let status = std::process::Command::new("psql").args([&url, "-qc", sql]).status();
        assert!(status.unwrap().success());
    };
    let database = url.rsplit_once('/').unwrap().1;
    run(&format!(
        "CREATE ROLE r_{database} LOGIN PASSWORD 'secret';
         GRANT SELECT, INSERT, DELETE ON cpaas_stores, suppressed_number, suppression_changes TO r_{database};
         REVOKE CREATE ON SCHEMA public FROM PUBLIC"
    ));
    let limited = url.replace("postgres@", &format!("r_{database}:secret@"));
    let limited = SqlSuppressionStore::open(&limited).unwrap();
    assert!(limited.contains("306900000001").unwrap() && limited.insert("306900000002").unwrap());
    assert!(!limited.place().contains("secret") && !format!("{limited:?}").contains("secret"));
    run("DROP TABLE suppressed_number");
    let error = limited.contains("306900000001").unwrap_err().to_string();
    assert!(error.starts_with("the suppression store failed: a table is missing"), "{error}");
    assert!(SqlSuppressionStore::open(&url).unwrap().contains("306900000001").is_err());
}
