//! `verify` finds damage and counts that do not follow from the rows, and nothing in a journal that is right.

use std::fs;

use crate::support::{Scratch, claim, client, create, open, settlement, token, view, won};
use cpaas_campaign::blocking;
use cpaas_campaign::campaign::{cancel, reference, report, resolve};
use cpaas_campaign::journal::{Journal, RetryReason, Settings, Verification};
use cpaas_campaign::protocol::{Resolution, RowOutcome};
use cpaas_campaign::worker::{RunOptions, run};
use cpaas_campaign::{Suppression, campaign};
use cpaas_sandbox::Sandbox;

fn messages(found: &Verification) -> Vec<String> {
    found.problems.iter().map(ToString::to_string).collect()
}

/// A journal with rows in every state.
fn journal_with_everything(scratch: &Scratch) -> String {
    let url = scratch.url();
    let mut journal = open(&url);
    let id = create(&mut journal, "autumn", 2500, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut seen = view(&mut journal, &id);
    for (first, second) in [
        (RowOutcome::Accepted, Some(RowOutcome::NotSent)),
        (RowOutcome::Rejected, Some(RowOutcome::Unknown)),
        (RowOutcome::Suppressed, None),
        (RowOutcome::Accepted, Some(RowOutcome::Invalid)),
    ] {
        let permit = won(claim(&mut journal, &id, owner, token(), &mut seen));
        seen.won(&permit);
        let row = |index: usize| permit.rows[index].row;
        let mut settlements = vec![settlement(&permit, row(0), first)];
        settlements.extend(second.map(|second| settlement(&permit, row(1), second)));
        for settlement in &mut settlements {
            settlement.reason = Some("http 102".to_owned());
        }
        journal.exchange(&id, owner, &settlements, 0, None).unwrap();
    }
    journal.release_owner(owner).unwrap();
    let _ = report(&mut journal, "autumn", [reference(&id, 1, 1)]).unwrap();
    resolve(&mut journal, "autumn", Resolution::Accepted, None, false).unwrap();
    create(&mut journal, "ended", 5, Settings::default());
    cancel(&mut journal, "ended").unwrap();
    url
}

#[test]
fn a_journal_that_is_right_has_no_problem() {
    let scratch = Scratch::new();
    let url = journal_with_everything(&scratch);
    let found = Journal::verify(&url).unwrap();
    assert_eq!(messages(&found), [""; 0]);
    assert_eq!((found.campaigns, found.rows, found.identity), (2, 2505, None));
    let mut journal = open(&url);
    let code = RetryReason::parse("102").unwrap();
    journal.retry("autumn", &code, 0, false).unwrap();
    journal.purge("ended").unwrap();
    drop(journal);
    assert_eq!(messages(&Journal::verify(&url).unwrap()), [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_with_prices_failures_and_a_restore_adds_up() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    let mut journal = open(&url);
    let mut messages_of = crate::support::messages();
    let csv = "prefix,price,currency\n30,0.05,EUR\n";
    messages_of.prices = Some(cpaas_campaign::Prices::read(csv.as_bytes()).unwrap());
    let settings = Settings::default();
    let _ = blocking::create(&mut journal, "c", &mut crate::support::rows(400), &messages_of, settings, None)
        .unwrap();
    let list: Suppression = [crate::support::phone(7), crate::support::phone(399)].iter().collect();
    campaign::suppress(&mut journal, "c", &list).unwrap();
    let client = client(sandbox.config());
    let options = RunOptions::default();
    let stop = options.stopper();
    let worker = tokio::spawn({
        let client = client.clone();
        async move { run(journal, "c", &client, options).await.unwrap() }
    });
    while sandbox.ledger().await.len() < 100 {
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    // Workers may use the journal meanwhile.
    assert_eq!(messages(&Journal::verify(&url).unwrap()), [""; 0]);
    stop();
    drop(worker.await.unwrap());
    assert_eq!(messages(&Journal::verify(&url).unwrap()), [""; 0]);
    Journal::mark_restored(&url, false).unwrap();
    assert_eq!(messages(&Journal::verify(&url).unwrap()), [""; 0]);
}

/// Each change to the database breaks one rule, and `verify` names it.
#[test]
fn every_wrong_count_and_every_broken_rule_is_named() {
    for (sql, expected) in [
        (
            "UPDATE campaigns SET n_accepted = n_accepted + 1 WHERE name = 'autumn'",
            "campaign autumn: accepted: ",
        ),
        (
            "UPDATE campaigns SET n_pending = n_pending - 1 WHERE name = 'autumn'",
            "campaign autumn: pending: ",
        ),
        (
            "UPDATE campaigns SET n_rows = n_rows + 7 WHERE name = 'ended'",
            "campaign ended: rows: 12 are counted, and 5",
        ),
        (
            "UPDATE campaigns SET n_attempts = 0 WHERE name = 'autumn'",
            "campaign autumn: attempts: 0 are counted, and 8",
        ),
        (
            "UPDATE campaigns SET n_parts = 1 WHERE name = 'ended'",
            "campaign ended: parts: 1 are counted, and 5",
        ),
        (
            "UPDATE campaigns SET spend = 5 WHERE name = 'ended'",
            "campaign ended: spend in billionths: 5 are counted, and 0",
        ),
        (
            "UPDATE chunks SET n_pending = 3 WHERE chunk = 1",
            "campaign autumn, chunk 1: pending: 3 are counted, and 1000",
        ),
        (
            "UPDATE chunks SET digest = 'x' WHERE chunk = 2",
            "campaign autumn, chunk 2: the journal is damaged: the digest",
        ),
        (
            "UPDATE chunks SET body = x'00' WHERE chunk = 2",
            "campaign autumn, chunk 2: the journal is damaged",
        ),
        ("DELETE FROM chunks WHERE chunk = 1", "campaign autumn: chunk 1 is missing"),
        (
            "DELETE FROM permits WHERE sequence = 1",
            "campaign autumn: the journal is damaged: a chain of permits has a gap",
        ),
        ("DELETE FROM owners", "campaign autumn, chunk 0: the owner of permit 0 is not known"),
        ("UPDATE owners SET n_open = n_open + 4", "campaign autumn: rows in flight of an owner"),
        ("DELETE FROM outcomes WHERE outcome = 'accepted'", "campaign autumn: accepted: "),
        (
            "UPDATE outcomes SET row_index = 999 WHERE outcome = 'rejected'",
            "for row 999 of permit 1, which does not name it",
        ),
        (
            "UPDATE permits SET named = (SELECT named FROM permits WHERE sequence = 0) WHERE sequence = 3",
            "permit 3 names row 0 of the chunk, and nothing permitted that",
        ),
        ("UPDATE permits SET named = x'0000' WHERE sequence = 0", "campaign autumn: the journal is damaged"),
        (
            "UPDATE campaigns SET settings = '{' WHERE name = 'ended'",
            "campaign ended: the journal is damaged",
        ),
        ("DELETE FROM campaigns WHERE name = 'ended'", "1 of chunks belong to no campaign"),
    ] {
        let scratch = Scratch::file();
        let url = {
            let file = scratch.url_of_file();
            if scratch.url() != file {
                return;
            }
            journal_with_everything(&scratch)
        };
        let other = rusqlite::Connection::open(&url).unwrap();
        assert!(other.execute(sql, []).unwrap() > 0, "{sql}");
        drop(other);
        let found = messages(&Journal::verify(&url).unwrap());
        assert!(found.iter().any(|message| message.contains(expected)), "{sql}: {found:?}");
    }
}

#[test]
fn damaged_pages_and_a_wrong_index_are_found() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    create(&mut open(&url), "c", 3000, Settings::default());
    let good = fs::read(scratch.path()).unwrap();
    let mut bytes = good.clone();
    let middle = bytes.len() / 8192 * 4096;
    bytes[middle..middle + 64].fill(0xA5);
    fs::write(scratch.path(), bytes).unwrap();
    assert!(!Journal::verify(&url).unwrap().problems.is_empty());
    fs::write(scratch.path(), good).unwrap();
    assert_eq!(messages(&Journal::verify(&url).unwrap()), [""; 0]);
    let other = rusqlite::Connection::open(&url).unwrap();
    let schema =
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '(campaign)', '(process)')
        WHERE name = 'owners_campaign'; INSERT INTO owners VALUES (x'00', 'none', 'x', 0, 0, 1, 0)";
    other.execute_batch(schema).unwrap();
    drop(other);
    let other = rusqlite::Connection::open(&url).unwrap();
    other.execute_batch("INSERT INTO owners VALUES (x'01', 'none', 'y', 0, 0, 1, 0)").unwrap();
    drop(other);
    let found = messages(&Journal::verify(&url).unwrap());
    assert!(found.iter().any(|message| message.contains("owners_campaign")), "{found:?}");
}

#[test]
fn verify_changes_nothing_and_names_a_journal_that_is_a_copy() {
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    create(&mut open(&url), "c", 5, Settings::default());
    let (before, lock) = (fs::read(&url).unwrap(), fs::read(format!("{url}-lock")).unwrap());
    let _ = Journal::verify(&url).unwrap();
    assert_eq!((fs::read(&url).unwrap(), fs::read(format!("{url}-lock")).unwrap()), (before, lock));
    let copy = scratch.folder.path().join("copy.db");
    fs::copy(&url, &copy).unwrap();
    let found = Journal::verify(copy.to_str().unwrap()).unwrap();
    assert!(found.problems.is_empty() && found.identity.unwrap().contains("campaign restored --journal"));
}

/// A journal with a campaign of 1,500 rows that keeps the column `name`, and one that keeps none.
fn journal_with_kept_columns(scratch: &Scratch) -> String {
    let url = scratch.url_of_file();
    let mut settings = Settings::default();
    settings.keep = vec!["name".to_owned()];
    let mut journal = open(&url);
    create(&mut journal, "keeps", 1500, settings);
    create(&mut journal, "other", 5, Settings::default());
    url
}

#[test]
fn damaged_missing_and_surplus_kept_columns_are_found() {
    let chunk = |number: u32| {
        format!("campaign = (SELECT id FROM campaigns WHERE name = 'keeps') AND chunk = {number}")
    };
    let other = "campaign = (SELECT id FROM campaigns WHERE name = 'other')";
    for (change, rows, expected) in [
        ("kept = x'00'", chunk(0), "campaign keeps, chunk 0: the journal is damaged"),
        (
            "kept = CAST(substr(kept, 1, 31) || x'00' || substr(kept, 33) AS BLOB)",
            chunk(1),
            "campaign keeps, chunk 1: the journal is damaged: the digest of the kept columns",
        ),
        ("kept = NULL", chunk(1), "campaign keeps, chunk 1: the kept columns are missing"),
        (
            "kept = (SELECT kept FROM chunks WHERE chunk = 1)",
            chunk(0),
            "campaign keeps, chunk 0: rows of the kept columns: 1000 are counted, and 500 follow",
        ),
        (
            "kept = (SELECT kept FROM chunks WHERE chunk = 1)",
            other.to_owned(),
            "campaign other, chunk 0: the campaign keeps no columns, and some are stored",
        ),
    ] {
        let scratch = Scratch::file();
        let url = journal_with_kept_columns(&scratch);
        assert_eq!(messages(&Journal::verify(&url).unwrap()), [""; 0]);
        let sql = format!("UPDATE chunks SET {change} WHERE {rows}");
        assert_eq!(rusqlite::Connection::open(&url).unwrap().execute(&sql, []).unwrap(), 1, "{sql}");
        let found = messages(&Journal::verify(&url).unwrap());
        assert!(found.iter().any(|message| message.starts_with(expected)), "{sql}: {found:?}");
    }
}

#[test]
fn a_purge_removes_kept_columns_too() {
    let scratch = Scratch::file();
    let url = journal_with_kept_columns(&scratch);
    let mut journal = open(&url);
    cancel(&mut journal, "keeps").unwrap();
    let kept = journal_bytes(&url);
    journal.purge("keeps").unwrap();
    drop(journal);
    assert_eq!(messages(&Journal::verify(&url).unwrap()), [""; 0]);
    let connection = rusqlite::Connection::open(&url).unwrap();
    connection.execute("UPDATE chunks SET kept = ?1 WHERE chunk = 1", [kept]).unwrap();
    drop(connection);
    let found = messages(&Journal::verify(&url).unwrap());
    assert_eq!(found, ["campaign keeps, chunk 1: the rows are purged, and their kept columns are not"]);
}

fn journal_bytes(url: &str) -> Vec<u8> {
    let connection = rusqlite::Connection::open(url).unwrap();
    connection.query_row("SELECT kept FROM chunks WHERE chunk = 1", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_file_that_others_can_read_is_a_problem_and_not_another_identity() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::file();
    let url = scratch.url_of_file();
    create(&mut open(&url), "c", 5, Settings::default());
    fs::set_permissions(&url, fs::Permissions::from_mode(0o640)).unwrap();
    let found = Journal::verify(&url).unwrap();
    assert_eq!((&found.identity, &found.warning), (&None, &None));
    let found = messages(&found);
    assert!(found.len() == 1 && found[0].contains("chmod 600"), "{found:?}");
}
