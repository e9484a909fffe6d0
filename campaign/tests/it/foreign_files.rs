//! Files that are not journals: every use of the library refuses them, says what they are, and leaves them and their folder as they were.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::support::{Scratch, create, open, state_file};
use cpaas_campaign::Error;
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};

/// The names and contents of all files of a folder.
fn contents(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, i64, i64)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| {
            let found = fs::metadata(&path).unwrap();
            // A named pipe has no contents until somebody writes to it.
            let bytes = if found.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            (path, (bytes, found.mtime(), found.mtime_nsec()))
        })
        .collect()
}

/// Opens the path in every way that the library has, and returns the errors.
fn all_ways(path: &Path) -> Vec<(&'static str, Error)> {
    let url = path.display().to_string();
    let backup = path.with_file_name("the-backup.db");
    let opened = |existing, read_only| {
        let mut options = OpenOptions::default();
        options.existing = existing;
        options.read_only = read_only;
        open_journal(&url, options).map(drop)
    };
    let ways = [
        ("create", opened(false, false)),
        ("change", opened(true, false)),
        ("read", opened(true, true)),
        ("moved", Journal::mark_moved(&url)),
        ("restored", Journal::mark_restored(&url, false).map(drop)),
        ("restored and keys", Journal::mark_restored(&url, true).map(drop)),
        ("backup", Journal::backup(&url, &backup).map(drop)),
        ("verify", Journal::verify(&url).map(drop)),
    ];
    ways.into_iter().map(|(way, result)| (way, result.expect_err(way))).collect()
}

fn refused_untouched(folder: &Path, path: &Path, expected: &str) {
    let before = contents(folder);
    for (way, error) in all_ways(path) {
        assert!(matches!(error, Error::NotAJournal { .. }), "{way}: {error}");
        let text = error.to_string();
        assert!(
            text.contains("must be a journal of campaigns, got") && text.contains(expected),
            "{way}: {text}"
        );
        assert!(text.contains(&path.canonicalize().unwrap().display().to_string()), "{way}: {text}");
        assert_eq!(contents(folder), before, "{way}");
    }
}

fn sqlite(path: &Path) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(path).unwrap();
    let _ = connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    connection
}

#[test]
fn directories_empty_files_texts_and_special_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("folder")).unwrap();
    fs::write(path("empty.db"), "").unwrap();
    fs::write(path("people.csv"), "phone,name\n306900000001,Ann\n").unwrap();
    fs::write(path("short"), "SQLite").unwrap();
    fs::write(path("cut.db"), &b"SQLite format 3\0"[..]).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    for (name, expected) in [
        ("folder", "a directory"),
        ("empty.db", "an empty file; remove it"),
        ("people.csv", "a file that is not a SQLite database"),
        ("short", "a file that is not a SQLite database"),
        ("cut.db", "a SQLite database"),
        ("pipe", "a named pipe"),
    ] {
        refused_untouched(folder.path(), &path(name), expected);
    }
}

#[test]
fn databases_of_other_programs_are_refused() {
    for (mode, schema) in [
        ("DELETE", "CREATE TABLE orders (id INTEGER)"),
        ("WAL", "CREATE TABLE orders (id INTEGER)"),
        // Other programs have a table with this name too.
        (
            "WAL",
            "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT); INSERT INTO meta VALUES ('version', '3')",
        ),
        (
            "WAL",
            "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT); INSERT INTO meta VALUES ('version', '3')",
        ),
        (
            "WAL",
            "CREATE TABLE meta (name TEXT, value BLOB); INSERT INTO meta VALUES ('epoch', x'00ff'), ('version', 1)",
        ),
        ("DELETE", "CREATE TABLE campaigns (id INTEGER)"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.db");
        let connection = sqlite(&path);
        connection.pragma_update(None, "journal_mode", mode).unwrap();
        connection.execute_batch(schema).unwrap();
        let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        drop(connection);
        for suffix in ["-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{suffix}", path.display()));
        }
        refused_untouched(folder.path(), &path, "a SQLite database of another program");
    }
}

#[test]
fn the_database_of_a_program_that_runs_is_refused_and_its_log_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.db");
    let connection = sqlite(&path);
    connection.execute_batch("CREATE TABLE orders (id INTEGER)").unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.execute_batch("INSERT INTO orders VALUES (7)").unwrap();
    refused_untouched(folder.path(), &path, "a SQLite database of another program");
    let found: i64 = connection.query_row("SELECT id FROM orders", [], |row| row.get(0)).unwrap();
    assert_eq!(found, 7);
}

#[test]
fn a_database_without_tables_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.db");
    sqlite(&path).execute_batch("CREATE TABLE x (y); DROP TABLE x").unwrap();
    refused_untouched(folder.path(), &path, "a SQLite database without tables");
}

#[test]
fn another_database_beside_the_lock_file_of_a_journal_is_refused() {
    let scratch = Scratch::file();
    drop(open(&scratch.url_of_file()));
    let path = scratch.path();
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{suffix}", path.display()));
    }
    sqlite(&path).execute_batch("CREATE TABLE orders (id INTEGER)").unwrap();
    refused_untouched(scratch.folder.path(), &path, "a SQLite database of another program");
    fs::write(&path, "phone\n306900000001\n").unwrap();
    refused_untouched(scratch.folder.path(), &path, "a file that is not a SQLite database");
}

/// The schema version is in the file itself, or only in its log.
#[test]
fn a_journal_of_a_newer_version_is_refused_and_stays_as_it_is() {
    for is_in_log in [false, true] {
        let scratch = Scratch::file();
        let path = scratch.path();
        let url = scratch.url_of_file();
        create(&mut open(&url), "c", 3, Settings::default());
        let other = sqlite(&path);
        other.execute_batch("UPDATE meta SET value = '999' WHERE name = 'version'").unwrap();
        if !is_in_log {
            other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        }
        drop(other);
        for suffix in if is_in_log { ["-shm", "-shm"] } else { ["-wal", "-shm"] } {
            let _ = fs::remove_file(format!("{}{suffix}", path.display()));
        }
        let state = |folder: &Path| {
            let mut found = contents(folder);
            // SQLite needs the index of a log to read it.
            found.retain(|path, _| !path.to_string_lossy().ends_with("-shm"));
            found
        };
        let before = state(scratch.folder.path());
        for (way, error) in all_ways(&path) {
            assert!(matches!(error, Error::NewerVersion { found: 999, .. }), "{way}: {error}");
            assert_eq!(state(scratch.folder.path()), before, "{way}, in the log: {is_in_log}");
        }
    }
}

/// A process that ended between the lock file and the database, or between the database and its first transaction.
#[test]
fn a_creation_that_was_interrupted_is_continued() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    create(&mut open(&url), "c", 3, Settings::default());
    let (path, lock) = (scratch.path(), format!("{url}-lock"));
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{suffix}", path.display()));
    }
    let text = fs::read_to_string(&lock).unwrap();
    let new = format!(
        "{:016}\n{:016}\n{}",
        0,
        0,
        text.split_once("\nepoch").map(|(_, rest)| format!("epoch{rest}")).unwrap()
    );
    // The state folder has not heard of the new journal.
    let epoch =
        text.lines().find_map(|line| line.strip_prefix("epoch ")).unwrap().split_whitespace().next().unwrap();
    fs::remove_file(state_file(epoch)).unwrap();
    fs::write(&lock, &new).unwrap();
    create(&mut open(&url), "c", 3, Settings::default());
    fs::remove_file(state_file(epoch)).unwrap();
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{suffix}", path.display()));
    }
    fs::write(&path, "").unwrap();
    fs::write(&lock, &new).unwrap();
    create(&mut open(&url), "c", 3, Settings::default());
}

/// LMDB, for example, names its lock file as this library does.
#[test]
fn the_lock_file_of_another_program_is_refused_and_stays() {
    let lock = |scratch: &Scratch| PathBuf::from(format!("{}-lock", scratch.path().display()));
    for bytes in [&b"x"[..], &[0; 8192], &[0xff; 300], b"0000000000000001\n0000000000000000\nepoch none\n"] {
        let scratch = Scratch::file();
        let url = scratch.url_of_file();
        fs::write(lock(&scratch), bytes).unwrap();
        let before = contents(scratch.folder.path());
        let error = open_journal(&url, OpenOptions::default()).map(drop).unwrap_err();
        assert!(matches!(error, Error::NotAJournal { .. }), "{error}");
        assert!(error.to_string().contains("-lock`"), "{error}");
        assert_eq!(contents(scratch.folder.path()), before);
        // A copy of a journal beside it.
        let other = Scratch::file();
        create(&mut open(&other.url_of_file()), "c", 3, Settings::default());
        fs::copy(other.path(), scratch.path()).unwrap();
        for result in [
            open_journal(&url, OpenOptions::default()).map(drop),
            Journal::mark_moved(&url),
            Journal::mark_restored(&url, false).map(drop),
        ] {
            let error = result.unwrap_err();
            assert!(matches!(error, Error::NotAJournal { .. }), "{error}");
        }
        assert_eq!(fs::read(lock(&scratch)).unwrap(), bytes);
        fs::remove_file(lock(&scratch)).unwrap();
        Journal::mark_restored(&url, false).unwrap();
    }
}

#[test]
fn a_lock_file_is_not_opened_through_a_link() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    create(&mut open(&url), "c", 3, Settings::default());
    let (lock, elsewhere) = (format!("{url}-lock"), scratch.folder.path().join("elsewhere"));
    fs::rename(&lock, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &lock).unwrap();
    let error = open_journal(&url, OpenOptions::default()).map(drop).unwrap_err();
    assert!(matches!(error, Error::Open { .. }), "{error}");
}
