//! Older rows and tables that SQL loads into the file of a journal, also under a worker.

use std::path::Path;
use std::time::Duration;

use crate::support::{Scratch, assert_adds_up, claim, create, open, settlement, token, view, won};
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::{pause, resume, status};
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::{Difference, Error};

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
    let is_older = matches!(error, Error::Copied { difference: Difference::OlderTables { .. }, .. });
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
