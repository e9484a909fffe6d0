//! Older rows and tables that SQL loads into the file of a journal, also under a worker.

use std::path::Path;
use std::time::Duration;

use crate::support::{
    Scratch, assert_adds_up, claim, client, create, open, sent, settlement, token, view, won,
};
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::{pause, resume, status};
use cpaas_campaign::journal::{ChunkView, Journal, OpenOptions, Settings};
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::worker::{RunOptions, run};
use cpaas_campaign::{Error, IdentityMismatch};
use cpaas_sandbox::Sandbox;

/// Claims two rows and settles both as accepted.
fn send_two(journal: &mut Journal, id: &str) {
    let owner = journal.register_owner(id).unwrap();
    let mut view = view(journal, id);
    let permit = won(claim(journal, id, owner, token(), &mut view));
    let settled = permit.rows.iter().map(|named| settlement(&permit, named.row, RowOutcome::Accepted));
    journal.exchange(id, owner, &settled.collect::<Vec<_>>(), 0, None).unwrap();
    journal.release_owner(owner).unwrap();
}

pub(crate) fn sqlite(path: &Path) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(path).unwrap();
    let _ = connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    connection.busy_timeout(Duration::from_secs(30)).unwrap();
    connection
}

/// The tables of a database, and the SQL that creates each.
fn tables(connection: &rusqlite::Connection) -> Vec<(String, String)> {
    let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    let mut statement = connection.prepare(sql).unwrap();
    let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    found.map(Result::unwrap).collect()
}

/// What `.dump`, dropped tables and the loaded dump do, or rows that replace those of all tables.
pub(crate) fn load_all(path: &Path, backup: &Path, drops: bool) {
    let connection = sqlite(path);
    connection.execute("ATTACH ?1 AS old", [backup.to_str()]).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    for (table, create) in tables(&connection) {
        let sql = match drops {
            true => format!("DROP TABLE main.{table}; {create};"),
            false => format!("DELETE FROM main.{table};"),
        };
        let sql = format!("{sql} INSERT INTO main.{table} SELECT * FROM old.{table}");
        connection.execute_batch(&sql).unwrap();
    }
    connection.execute_batch("COMMIT").unwrap();
}

fn assert_older(error: &Error) {
    let is_older = matches!(error, Error::Copied { mismatch: IdentityMismatch::OlderTables { .. }, .. });
    assert!(is_older && error.to_string().contains("campaign restored"), "{error}");
}

#[test]
fn old_rows_of_all_tables_are_refused_until_restored() {
    for drops in [true, false] {
        for is_paused in [false, true] {
            let scratch = Scratch::file();
            let (url, path) = (scratch.url_of_file(), scratch.path());
            let mut journal = open(&url);
            let id = create(&mut journal, "c", 20, Settings::default());
            send_two(&mut journal, &id);
            let old = scratch.folder.path().join("old.db");
            sqlite(&path).execute("VACUUM INTO ?1", [old.to_str()]).unwrap();
            send_two(&mut journal, &id);
            if is_paused {
                pause(&mut journal, "c").unwrap();
            }
            let owner = (!is_paused).then(|| journal.register_owner(&id).unwrap());
            let mut view = view(&mut journal, &id);
            load_all(&path, &old, drops);
            if let Some(owner) = owner {
                // A worker that was waiting.
                let claim = cpaas_campaign::journal::Claim {
                    owner,
                    token: token(),
                    limit: 2,
                    requested: &|_| true,
                    may_halt: true,
                    provider: &[],
                };
                assert_older(&journal.exchange(&id, owner, &[], 0, Some((&claim, &mut view))).unwrap_err());
                let _ = journal.release_owner(owner);
            } else {
                assert_older(&resume(&mut journal, "c").unwrap_err());
            }
            drop(journal);
            assert_older(&open_journal(&url, OpenOptions::default()).map(|_| ()).unwrap_err());
            assert!(Journal::verify(&url).unwrap().identity.unwrap().contains("older tables"));
            assert_older(&Journal::mark_moved(&url).unwrap_err());
            Journal::mark_restored(&url, false).unwrap();
            let found = status(&mut open(&url), "c").unwrap();
            assert_adds_up(&found);
            assert_eq!((found.accepted, found.unknown, found.pending), (2, 18, 0), "{found:?}");
            assert_eq!(Journal::verify(&url).unwrap().problems, []);
        }
    }
}

/// A dump that is loaded into a new file has no identity of its own until it is declared.
#[test]
fn a_dump_in_a_new_file_may_be_declared_as_moved_only_where_nothing_remembers_more() {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    let id = create(&mut journal, "c", 20, Settings::default());
    send_two(&mut journal, &id);
    let path = scratch.folder.path().join("loaded.db");
    let loaded = sqlite(&path);
    loaded.execute("ATTACH ?1 AS old", [scratch.path().to_str()]).unwrap();
    let created: Vec<String> = {
        let mut statement =
            loaded.prepare("SELECT sql FROM old.sqlite_schema WHERE sql IS NOT NULL").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    created.iter().for_each(|sql| loaded.execute_batch(sql).unwrap());
    for (table, _) in tables(&loaded) {
        loaded.execute_batch(&format!("INSERT INTO main.{table} SELECT * FROM old.{table}")).unwrap();
    }
    drop(loaded);
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let url = path.display().to_string();
    assert!(matches!(open_journal(&url, OpenOptions::default()), Err(Error::Copied { .. })));
    assert!(
        matches!(Journal::mark_moved(&url), Err(Error::Copied { .. })),
        "the state folder remembers more"
    );
    Journal::mark_restored(&url, false).unwrap();
    assert_eq!(status(&mut open(&url), "c").unwrap().pending, 0);
}

/// Replaces the rows of these tables for which a condition holds by those of a backup.
pub(crate) fn load_rows(path: &Path, backup: &Path, tables: &[&str], condition: &str) {
    let connection = sqlite(path);
    connection.execute("ATTACH ?1 AS old", [backup.to_str()]).unwrap();
    let statements = tables.iter().map(|table| {
        format!(
            "DELETE FROM main.{table} WHERE {condition};
            INSERT INTO main.{table} SELECT * FROM old.{table} WHERE {condition};"
        )
    });
    let sql = format!("BEGIN IMMEDIATE; {} COMMIT", statements.collect::<String>());
    connection.execute_batch(&sql).unwrap();
}

fn view_of(journal: &mut Journal, id: &str, chunk: u32) -> ChunkView {
    let rows = journal.rows(id, chunk).unwrap();
    let (history, version) = journal.history(id, chunk).unwrap();
    ChunkView::new(chunk, &rows, history, version)
}

const OF_CHUNK: [&str; 4] = ["permits", "outcomes", "chunks", "attempts"];

/// A worker has the second chunk while rows of the first one are restored. It must not claim from the first one again.
#[test]
fn old_rows_of_a_chunk_are_refused_by_a_worker_that_has_another_chunk() {
    let sets: [&[&str]; 5] =
        [&OF_CHUNK, &OF_CHUNK[..3], &["permits"], &["permits", "attempts"], &["permits", "outcomes"]];
    for tables in sets {
        let scratch = Scratch::file();
        let mut journal = open(&scratch.url_of_file());
        let id = create(&mut journal, "c", 1500, Settings::default());
        let owner = journal.register_owner(&id).unwrap();
        let mut first = view_of(&mut journal, &id, 0);
        let permit = won(claim(&mut journal, &id, owner, token(), &mut first));
        first.won(&permit);
        let old = scratch.folder.path().join("old.db");
        sqlite(&scratch.path()).execute("VACUUM INTO ?1", [old.to_str()]).unwrap();
        let permit = won(claim(&mut journal, &id, owner, token(), &mut first));
        first.won(&permit);
        let mut second = view_of(&mut journal, &id, 1);
        won(claim(&mut journal, &id, owner, token(), &mut second));
        load_rows(&scratch.path(), &old, tables, "chunk = 0");
        let mut claimed_again = || {
            journal.open_chunks(&id)?;
            let mut view = view_of(&mut journal, &id, 0);
            let claim = cpaas_campaign::journal::Claim {
                owner,
                token: token(),
                limit: 2,
                requested: &|_| true,
                may_halt: true,
                provider: &[],
            };
            journal.exchange(&id, owner, &[], 0, Some((&claim, &mut view)))
        };
        let error = claimed_again().unwrap_err();
        assert!(matches!(error, Error::MixedTables { .. }), "{tables:?}: {error}");
        assert!(!Journal::verify(&scratch.url_of_file()).unwrap().problems.is_empty());
    }
}

/// The rows of all tables but `meta` are restored while a worker waits.
#[test]
fn a_worker_that_waited_refuses_old_rows_of_all_tables_but_meta() {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    let id = create(&mut journal, "c", 20, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let old = scratch.folder.path().join("old.db");
    sqlite(&scratch.path()).execute("VACUUM INTO ?1", [old.to_str()]).unwrap();
    let mut view = view(&mut journal, &id);
    won(claim(&mut journal, &id, owner, token(), &mut view));
    let tables = ["campaigns", "chunks", "permits", "outcomes", "owners", "attempts"];
    load_rows(&scratch.path(), &old, &tables, "1 = 1");
    let mut view = view_of(&mut journal, &id, 0);
    let claim = cpaas_campaign::journal::Claim {
        owner,
        token: token(),
        limit: 2,
        requested: &|_| true,
        may_halt: true,
        provider: &[],
    };
    let error = journal.exchange(&id, owner, &[], 0, Some((&claim, &mut view))).unwrap_err();
    assert!(matches!(error, Error::MixedTables { attempts: 2, found: 0 }), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_ends_with_an_error_after_a_restore_of_the_chunks() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    create(&mut journal, "c", 20, Settings::default());
    let old = scratch.folder.path().join("old.db");
    sqlite(&scratch.path()).execute("VACUUM INTO ?1", [old.to_str()]).unwrap();
    let client = client(sandbox.config());
    let (_, journal) = run(journal, "c", &client, RunOptions::default().limit(10)).await.unwrap();
    load_rows(&scratch.path(), &old, &["chunks"], "1 = 1");
    let ended = run(journal, "c", &client, RunOptions::default());
    let error = tokio::time::timeout(Duration::from_secs(20), ended).await.expect("it must end").unwrap_err();
    assert!(matches!(error.error, Error::MixedChunks { pending: 10, found: 20 }), "{error}");
    assert_eq!(sandbox.ledger().await.len(), 10);
}

/// A worker is in one chunk while rows of the other one are restored, or only all chunks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_that_are_restored_under_a_worker_end_its_run() {
    let sets: [(&[&str], &str); 3] =
        [(&OF_CHUNK, "chunk = "), (&OF_CHUNK[..3], "chunk = "), (&["chunks"], "0 <= ")];
    for (tables, condition) in sets {
        let sandbox = Sandbox::builder().start().await.unwrap();
        let scratch = Scratch::file();
        let path = scratch.path();
        let mut journal = open(&scratch.url_of_file());
        let mut settings = Settings::default();
        settings.rate = Some(800.0);
        create(&mut journal, "c", 2000, settings);
        let client = client(sandbox.config());
        let worker = tokio::spawn({
            let client = client.clone();
            async move { run(journal, "c", &client, RunOptions::default()).await.map(|_| ()) }
        });
        let reached = async |rows: usize| {
            while sandbox.ledger().await.len() < rows {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        reached(200).await;
        let old = scratch.folder.path().join("old.db");
        let connection = sqlite(&path);
        connection.execute("VACUUM INTO ?1", [old.to_str()]).unwrap();
        let first: i64 =
            connection.query_row("SELECT MIN(chunk) FROM permits", [], |row| row.get(0)).unwrap();
        drop(connection);
        reached(1300).await;
        load_rows(&path, &old, tables, &format!("{condition}{first}"));
        let ended = tokio::time::timeout(Duration::from_secs(60), worker).await.expect("it must end");
        let error = ended.unwrap().unwrap_err();
        assert_eq!(error.error.code(), "mixed_tables", "{tables:?}: {error}");
        let ledger = sandbox.ledger().await;
        assert_eq!(sent(&ledger).len(), ledger.len(), "{tables:?}: no row twice");
    }
}
