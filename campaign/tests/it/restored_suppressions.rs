//! The table `suppressions` restored alone: people who have opted out since the backup must not get a message.

use std::path::Path;
use std::time::Duration;

use crate::support::{Scratch, assert_adds_up, client, create, open, phone, sent};
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::{Journal, Settings};
use cpaas_campaign::protocol::Resolution;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_campaign::{Error, campaign};
use cpaas_sandbox::Sandbox;

const ROWS: u64 = 20;

fn sqlite(path: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(path).unwrap()
}

fn phones(rows: std::ops::Range<u64>) -> Vec<String> {
    rows.map(phone).collect()
}

/// A campaign with the first two numbers suppressed when a backup was made, and the third since. Returns its id.
fn suppressed_since(journal: &mut Journal, scratch: &Scratch) -> String {
    let id = create(journal, "c", ROWS, Settings::default());
    journal.suppress(&id, &phones(0..2)).unwrap();
    let old = scratch.folder.path().join("old.db");
    sqlite(&scratch.path()).execute("VACUUM INTO ?1", [old.to_str()]).unwrap();
    journal.suppress(&id, &phones(2..3)).unwrap();
    id
}

fn restore_table(scratch: &Scratch) {
    let old = scratch.folder.path().join("old.db");
    let connection = sqlite(&scratch.path());
    connection.execute("ATTACH ?1 AS old", [old.to_str()]).unwrap();
    let sql = "DELETE FROM main.suppressions; INSERT INTO main.suppressions SELECT * FROM old.suppressions";
    connection.execute_batch(sql).unwrap();
}

#[track_caller]
fn lost<T>(result: Result<T, Error>) -> (i64, i64) {
    match result.map(|_| ()).unwrap_err() {
        error @ Error::SuppressionsLost { stored, found } => {
            assert_eq!(error.code(), "mixed_tables");
            (stored, found)
        }
        other => panic!("{other}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_table_of_suppressions_is_refused_until_the_journal_is_declared_restored() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let client = client(sandbox.config());
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut journal = open(&url);
    let id = suppressed_since(&mut journal, &scratch);
    restore_table(&scratch);
    assert_eq!(lost(journal.register_owner(&id)), (3, 2));
    assert_eq!(lost(journal.suppressed(&id)), (3, 2));
    let failed = run(journal, "c", &client, RunOptions::default()).await.map(|_| ()).unwrap_err();
    assert_eq!(lost::<()>(Err(failed.error)), (3, 2));
    assert!(sandbox.ledger().await.is_empty(), "nobody gets a message");
    drop(failed.journal);
    let problems = Journal::verify(&url).unwrap().problems;
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].message.contains("restore of this table alone"), "{problems:?}");
    assert!(!problems[0].message.contains(&phone(2)), "{problems:?}");
    // What opts out meanwhile is stored, and does not hide what is lost.
    let mut journal = open(&url);
    journal.suppress(&id, &phones(3..4)).unwrap();
    assert_eq!(lost(journal.suppressed(&id)), (4, 3));
    drop(journal);
    Journal::mark_restored(&url, false).unwrap();
    assert_eq!(Journal::verify(&url).unwrap().problems.len(), 1, "it is still lost");
    let mut journal = open(&url);
    assert_eq!(lost(journal.register_owner(&id)), (4, 3));
    journal.suppress(&id, &phones(2..3)).unwrap();
    assert_eq!(journal.suppressed(&id).unwrap().len(), 4);
    assert_eq!(Journal::verify(&url).unwrap().problems, []);
    sqlite(&scratch.path()).execute("UPDATE permits SET claimed_us = claimed_us - 400000000", []).unwrap();
    let found = campaign::resolve(&mut journal, "c", Resolution::NotSent, None, true).unwrap();
    assert_eq!(found.resolved, ROWS);
    let (end, mut journal) = run(journal, "c", &client, RunOptions::default()).await.unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((end, found.accepted, found.suppressed), (RunEnd::Done, 16, 4));
    let sent = sent(&sandbox.ledger().await);
    assert!((0..4).all(|row| !sent.contains_key(&phone(row))), "{sent:?}");
}

/// Suppressing the same people again, in any order and with new ones in between, makes the journal usable.
#[test]
fn recipients_that_are_suppressed_again_are_not_lost_any_more() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut journal = open(&url);
    let id = create(&mut journal, "c", ROWS, Settings::default());
    journal.suppress(&id, &phones(0..4)).unwrap();
    sqlite(&scratch.path()).execute_batch("DELETE FROM suppressions").unwrap();
    assert_eq!(lost(journal.suppressed(&id)), (4, 0));
    let message = journal.suppressed(&id).unwrap_err().to_string();
    assert!(message.contains("suppress them again"), "{message}");
    journal.suppress(&id, &phones(3..6)).unwrap();
    assert_eq!(lost(journal.suppressed(&id)), (6, 3));
    journal.suppress(&id, &phones(1..3)).unwrap();
    assert_eq!(lost(journal.suppressed(&id)), (6, 5));
    journal.suppress(&id, &phones(0..1)).unwrap();
    assert_eq!(journal.suppressed(&id).unwrap().len(), 6);
    journal.register_owner(&id).unwrap();
}

/// `restored` says what is lost, each time, and accepts what is there.
#[test]
fn a_restore_counts_the_recipients_that_are_lost() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut journal = open(&url);
    let id = suppressed_since(&mut journal, &scratch);
    let other = create(&mut journal, "whole", 5, Settings::default());
    journal.suppress(&other, &phones(0..2)).unwrap();
    // The third number is lost, and a number that was never suppressed does not hide it.
    let sql = "UPDATE suppressions SET recipient = '306999999999' WHERE campaign = ?1 AND recipient = ?2";
    sqlite(&scratch.path()).execute(sql, [&id, &phone(2)]).unwrap();
    drop(journal);
    let lost = Journal::mark_restored(&url, false).unwrap().lost_suppressions;
    assert_eq!(lost, [("c".to_owned(), 1)].into());
    let again = Journal::mark_restored(&url, false).unwrap().lost_suppressions;
    assert_eq!(again, [("c".to_owned(), 1)].into());
    let mut journal = open(&url);
    assert_eq!(self::lost(journal.suppressed(&id)), (4, 3));
    journal.suppress(&id, &phones(0..3)).unwrap();
    assert_eq!(journal.suppressed(&id).unwrap().len(), 4);
}

/// The summary of the first command may have been read by nobody, because the command was killed: the next one, `verify` and `run` say the same.
#[test]
fn lost_recipients_are_counted_until_they_are_suppressed_again() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut journal = open(&url);
    let id = suppressed_since(&mut journal, &scratch);
    journal.suppress(&id, &phones(3..5)).unwrap();
    restore_table(&scratch);
    drop(journal);
    let copy = scratch.folder.path().join("copy.db");
    for (left, again) in [(3, 2..3), (2, 3..4), (1, 4..5)] {
        for url in [url.as_str(), copy.to_str().unwrap()] {
            if url != scratch.url_of_file() {
                Journal::backup(&scratch.url_of_file(), &copy).unwrap();
            }
            for forget_keys in [false, true] {
                let found = Journal::mark_restored(url, forget_keys).unwrap().lost_suppressions;
                assert_eq!(found, [("c".to_owned(), left)].into());
            }
            let problems = Journal::verify(url).unwrap().problems;
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert!(matches!(open(url).register_owner(&id), Err(Error::SuppressionsLost { .. })));
        }
        for suffix in ["", "-wal", "-shm", "-lock"] {
            let _ = std::fs::remove_file(format!("{}{suffix}", copy.display()));
        }
        open(&url).suppress(&id, &phones(again)).unwrap();
    }
    assert!(Journal::mark_restored(&url, false).unwrap().lost_suppressions.is_empty());
    assert_eq!(Journal::verify(&url).unwrap().problems, []);
    assert_eq!(open(&url).suppressed(&id).unwrap().len(), 5);
    open(&url).register_owner(&id).unwrap();
}

#[test]
fn as_many_other_suppressions_are_refused_too() {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    let id = suppressed_since(&mut journal, &scratch);
    let sql = "UPDATE suppressions SET recipient = '306999999999' WHERE recipient = ?1";
    sqlite(&scratch.path()).execute(sql, [phone(1)]).unwrap();
    assert_eq!(lost(journal.suppressed(&id)), (3, 3));
    let message = journal.suppressed(&id).unwrap_err().to_string();
    assert!(message.contains("has 3 others"), "{message}");
    // The rows that were there before, in another order, are those that were stored.
    let connection = sqlite(&scratch.path());
    connection.execute_batch("DELETE FROM suppressions").unwrap();
    for row in [2, 0, 1] {
        connection.execute("INSERT INTO suppressions VALUES (?1, ?2)", [&id, &phone(row)]).unwrap();
    }
    assert_eq!(journal.suppressed(&id).unwrap().len(), 3);
}

#[test]
fn suppressing_again_purging_and_an_older_journal_keep_the_sum_true() {
    let scratch = Scratch::file();
    let mut journal = open(&scratch.url_of_file());
    let (first, second) = ("one", "two");
    let one = create(&mut journal, first, 5, Settings::default());
    let two = create(&mut journal, second, 5, Settings::default());
    for _ in 0..2 {
        journal.suppress(&one, &[phones(0..3), phones(1..2)].concat()).unwrap();
        journal.suppress(&two, &phones(2..4)).unwrap();
    }
    journal.suppress(&two, &[]).unwrap();
    assert_eq!((journal.suppressed(&one).unwrap().len(), journal.suppressed(&two).unwrap().len()), (3, 2));
    let connection = sqlite(&scratch.path());
    let rows = |pattern: &str| -> i64 {
        let sql = &format!("SELECT COUNT(*) FROM meta WHERE name LIKE '{pattern} %'");
        connection.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let sums = || rows("suppressions");
    assert_eq!((sums(), rows("suppressed")), (2, 5));
    campaign::cancel(&mut journal, first).unwrap();
    journal.purge(first).unwrap();
    assert_eq!((sums(), journal.suppressed(&one).unwrap().len()), (1, 0), "a sum of numbers is purged too");
    assert_eq!(rows("suppressed"), 2, "and the digests");
    connection.execute_batch("DELETE FROM meta WHERE name LIKE 'suppressions %'").unwrap();
    assert_eq!(lost(journal.suppressed(&two)), (0, 2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_runs_ends_when_it_reads_an_older_table() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut journal = open(&url);
    let mut settings = Settings::default();
    settings.rate = Some(20.0);
    let id = create(&mut journal, "c", 400, settings);
    journal.suppress(&id, &phones(398..400)).unwrap();
    let client = client(sandbox.config());
    let worker = tokio::spawn(async move { run(journal, "c", &client, RunOptions::default()).await });
    while sandbox.ledger().await.len() < 5 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    sqlite(&scratch.path()).execute("DELETE FROM suppressions WHERE recipient = ?1", [phone(399)]).unwrap();
    // The worker reads the table when the next recipient opts out.
    open(&url).suppress(&id, &phones(397..398)).unwrap();
    let failed = worker.await.unwrap().map(|_| ()).unwrap_err();
    assert_eq!(lost::<()>(Err(failed.error)), (3, 2));
    assert!(sandbox.ledger().await.len() < 397);
}
