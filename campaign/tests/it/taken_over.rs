//! A journal whose campaign a restored copy has taken over: what its commands say, and what its worker does.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::{self, status};
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};
use cpaas_campaign::worker::{RunOptions, run};
use cpaas_campaign::{Error, Suppression, plan_created};
use cpaas_sandbox::Sandbox;
use serde_json::json;

use crate::copies::{
    Original, are_taken_over, is_taken_over, once, resolve, sends, sql, suffixed, taken_file,
};
use crate::journal::journal_of_version_1;
use crate::support::{Scratch, assert_adds_up, client, create, open, phone, sent};

/// The change did not reach the copy, and the error names it.
#[track_caller]
fn is_not_in<T>(changed: Result<T, Error>, by: &str) {
    let error = changed.map(drop).unwrap_err();
    let Error::NotInCopy { by: found, .. } = &error else { panic!("{error}") };
    assert_eq!((&**found, error.code(), error.closes_journal()), (by, "taken_over", false));
    let message = error.to_string();
    assert!(message.contains(by) && message.contains("run the same command on that copy"), "{message}");
}

fn rate(journal: &mut Journal, name: &str) -> Result<(), Error> {
    campaign::set_rate(journal, name, 5.0)
}

fn suppressed(journal: &mut Journal, name: &str) -> Vec<String> {
    let id = journal.campaign(name).unwrap().id;
    journal.suppressed(&id).unwrap()
}

#[test]
fn a_change_of_the_original_is_stored_and_says_that_the_copy_lacks_it() {
    let it = Original::new(Scratch::new());
    let copy = it.taken_over("copy");
    let mut journal = open(&it.url);
    let recipients = || Suppression::Listed(vec![phone(7)]);
    is_not_in(campaign::suppress(&mut journal, "c", &recipients()), &copy);
    assert_eq!(suppressed(&mut journal, "c"), [phone(7)]);
    is_not_in(rate(&mut journal, "c"), &copy);
    assert_eq!(status(&mut journal, "c").unwrap().rate, Some(5.0));
    is_not_in(campaign::pause(&mut journal, "c"), &copy);
    assert_eq!(status(&mut journal, "c").unwrap().state, "paused");
    is_not_in(campaign::pause(&mut journal, "c"), &copy);
    is_not_in(campaign::resume(&mut journal, "c"), &copy);
    assert_eq!(status(&mut journal, "c").unwrap().state, "stopped");
    is_not_in(campaign::cancel(&mut journal, "c"), &copy);
    assert_eq!(status(&mut journal, "c").unwrap().state, "cancelled");
    // This journal does not permit them, but the copy may send.
    is_not_in(campaign::pause(&mut journal, "c"), &copy);
    is_not_in(rate(&mut journal, "c"), &copy);

    // Nothing reached the copy, whose own commands work, and no other campaign is affected.
    let mut other = open(&copy);
    let found = status(&mut other, "c").unwrap();
    assert_eq!((found.state, found.rate, suppressed(&mut other, "c").len()), ("stopped", None, 0));
    for (journal, name) in [(&mut other, "c"), (&mut journal, "d")] {
        campaign::suppress(journal, name, &recipients()).unwrap();
        rate(journal, name).unwrap();
        campaign::pause(journal, name).unwrap();
        campaign::resume(journal, name).unwrap();
        campaign::cancel(journal, name).unwrap();
        let error = campaign::pause(journal, name).unwrap_err();
        assert_eq!(error.code(), "state", "{error}");
    }
}

/// What was lost is suppressed again before a copy takes the campaign over.
#[test]
fn a_restored_copy_is_changed_before_it_takes_a_campaign_over() {
    let it = Original::new(Scratch::new());
    let copy = it.restored("copy");
    for url in [&copy, &it.url] {
        campaign::suppress(&mut open(url), "c", &Suppression::Listed(vec![phone(7)])).unwrap();
        campaign::pause(&mut open(url), "c").unwrap();
    }
}

/// The copy that the status names, which the plan names too, also if the journal is opened for reading.
fn taken_over_by(url: &str, name: &str) -> Option<String> {
    let mut to_read = OpenOptions::default();
    to_read.read_only = true;
    let found = [OpenOptions::default(), to_read].map(|options| {
        let mut journal = open_journal(url, options).unwrap();
        let by = status(&mut journal, name).unwrap().taken_over_by;
        let notes = plan_created(&mut journal, name, None, None).unwrap().notes;
        let expected = by.iter().map(|by| {
            format!("the campaign was taken over by the restored copy {by}, so this journal sends none of its rows")
        });
        assert_eq!(notes, expected.collect::<Vec<_>>());
        by
    });
    assert_eq!(found[0], found[1]);
    found[0].clone()
}

#[test]
fn the_status_and_the_plan_name_the_copy() {
    let it = Original::new(Scratch::new());
    assert_eq!(taken_over_by(&it.url, "c"), None);
    let copy = it.taken_over("copy");
    assert_eq!(taken_over_by(&it.url, "c").as_deref(), Some(copy.as_str()));
    assert_eq!((taken_over_by(&it.url, "d"), taken_over_by(&copy, "c")), (None, None));
    // Reading writes no file into the state folder.
    let file = taken_file(&copy, "c");
    fs::remove_file(&file).unwrap();
    assert_eq!(taken_over_by(&copy, "c"), None);
    assert!(!file.exists());

    let it = Original::new(Scratch::new());
    let (moved, copy) = (it.copy("moved"), it.taken_over("copy"));
    Journal::mark_moved(&moved).unwrap();
    assert_eq!(taken_over_by(&moved, "c").as_deref(), Some(copy.as_str()));
}

/// A backup was written over the copy, which had taken the campaign over.
#[test]
fn a_copy_that_was_replaced_says_so() {
    let it = Original::new(Scratch::file());
    let copy = it.taken_over("copy");
    assert_eq!(it.copy("copy"), copy);
    Journal::mark_moved(&copy).unwrap();
    let by = format!("{copy} (replaced since)");
    is_taken_over(sends(&copy, "c"), &by);
    assert_eq!(taken_over_by(&copy, "c"), Some(by));
}

/// The journal of a user is compared with it also if root ran the command.
#[test]
fn the_file_of_a_take_over_is_readable_and_has_no_secret() {
    let it = Original::new(Scratch::new());
    let copy = it.taken_over("copy");
    let file = taken_file(&copy, "c");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o644);
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!((lines.len(), lines[0].len(), lines[1]), (2, 32, copy.as_str()));
}

/// A file that even root cannot read.
fn make_unreadable(file: &Path) {
    fs::remove_file(file).unwrap();
    fs::create_dir(file).unwrap();
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_named_with_the_command_that_mends_it() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let it = Original::new(Scratch::new());
    let copy = it.taken_over("copy");
    Journal::mark_restored(&copy, true).unwrap();
    let file = taken_file(&copy, "c");
    let keys = state_file_of_keys(&copy).await;
    for file in [&file, &keys] {
        make_unreadable(file);
    }
    let unreadable = |result: Result<(), Error>, what: &str, file: &Path| {
        let error = result.unwrap_err();
        assert!(matches!(&error, Error::UnreadableRight { .. }) && error.code() == "taken_over", "{error}");
        let message = error.to_string();
        let command = format!("`sudo chmod 644 {}`", file.display());
        assert!(message.contains(what) && message.contains(&command), "{message}");
    };
    // Nobody knows which of them has it, so none sends.
    for url in [&it.url, &copy] {
        let what = "has taken over the campaign `c`";
        unreadable(sends(url, "c").map(drop), what, &file);
        unreadable(campaign::pause(&mut open(url), "c"), what, &file);
        let found = status(&mut open(url), "c").unwrap();
        assert_eq!((found.state, found.taken_over_by.as_deref()), ("paused", Some("with an unknown name")));
        unreadable(once(&sandbox, url, "new").await.map(drop), "the new keys of `send_once`", &keys);
    }
    assert_eq!(sends(&it.url, "d").unwrap(), 2, "another campaign");
    assert_eq!(sandbox.ledger().await.len(), 0);
}

/// The file of the state folder about the new keys of a journal.
async fn state_file_of_keys(url: &str) -> std::path::PathBuf {
    let id = match url.starts_with("postgres:") {
        true => {
            let output = std::process::Command::new("psql")
                .args([url, "-qtAc", "SELECT value FROM meta WHERE name = 'keys_id'"])
                .output();
            String::from_utf8(output.unwrap().stdout).unwrap().trim().to_owned()
        }
        false => {
            let connection = rusqlite::Connection::open(url).unwrap();
            let sql = "SELECT value FROM meta WHERE name = 'keys_id'";
            connection.query_row(sql, [], |row| row.get(0)).unwrap()
        }
    };
    crate::support::state_file(&format!("taken-{id}"))
}

/// No journal can be its owner. `restored` and `resolve` write it again.
#[test]
fn a_damaged_file_refuses_all_copies_until_one_takes_over_again() {
    for damaged in ["", "\n", "no token\n/j.db\n"] {
        let it = Original::new(Scratch::file());
        let copy = it.taken_over("copy");
        fs::write(taken_file(&copy, "c"), damaged).unwrap();
        for url in [&it.url, &copy] {
            let error = sends(url, "c").unwrap_err();
            assert!(matches!(error, Error::TakenOver { .. }), "{error}");
        }
        Journal::mark_restored(&copy, false).unwrap();
        assert!(resolve(&copy, "c", true).unwrap().taken_over);
        assert_eq!(sends(&copy, "c").unwrap(), 2);
        is_taken_over(sends(&it.url, "c"), &copy);
    }
}

/// The provider needs a while for each row, so some are in progress when the worker is refused.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_refused_settles_what_it_has_sent() {
    const ROWS: i64 = 2000;
    let sandbox = Sandbox::builder().start().await.unwrap();
    sandbox.set_faults(json!([{"kind": "latency", "ms": 200}])).await.unwrap();
    let it = Original::new(Scratch::new());
    create(&mut open(&it.url), "many", 2000, Settings::default());
    let copy = it.restored("copy");
    let (journal, client) = (open(&it.url), client(sandbox.config()));
    let options = RunOptions::default().concurrency(32);
    let worker = tokio::spawn(async move { run(journal, "many", &client, options).await.map(drop) });
    while sandbox.ledger().await.len() < 100 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let found = tokio::task::spawn_blocking({
        let copy = copy.clone();
        move || resolve(&copy, "many", true)
    });
    assert!(found.await.unwrap().unwrap().taken_over);
    let ended = tokio::time::timeout(Duration::from_secs(20), worker).await.unwrap().unwrap();
    is_taken_over(ended.map_err(|failed| failed.error), &copy);
    let ledger = sandbox.ledger().await;
    let found = status(&mut open(&it.url), "many").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.unknown, found.in_flight, found.workers), (0, 0, 0), "{found:?}");
    assert_eq!(usize::try_from(found.accepted).unwrap(), ledger.len());
    assert!(found.accepted < ROWS && found.pending == ROWS - found.accepted, "{found:?}");
    assert!(sent(&ledger).values().all(|count| *count == 1));
}

/// A kill after the commit: the lock file still has the old identity.
#[test]
fn a_command_that_was_killed_in_the_place_of_a_journal_keeps_its_campaigns_when_it_runs_again() {
    let it = Original::new(Scratch::file());
    let lock = suffixed(&it.scratch.path(), "-lock");
    let before = fs::read(&lock).unwrap();
    Journal::mark_restored(&it.url, false).unwrap();
    fs::write(&lock, before).unwrap();
    let error = open_journal(&it.url, OpenOptions::default()).map(drop).unwrap_err();
    assert_eq!(error.code(), "copied", "{error}");
    let copy = it.copy("copy");
    Journal::mark_restored(&it.url, false).unwrap();
    let found = resolve(&it.url, "c", false).unwrap();
    assert_eq!((found.resolved, found.taken_over), (19, false), "{found:?}");
    // Its copy, with a lock file that is a copy too, is not in its place.
    Journal::mark_restored(&copy, false).unwrap();
    let found = resolve(&copy, "c", false).unwrap();
    assert_eq!((found.resolved, found.owner_elsewhere), (0, 19), "{found:?}");
    assert_eq!(sends(&it.url, "c").unwrap(), 2);
}

/// Each gets the id of its keys apart.
#[tokio::test]
async fn a_journal_of_version_1_and_its_backup_know_the_keys_of_each_other() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = journal_of_version_1();
    let url = scratch.url();
    sql(&url, "UPDATE owners SET is_gone = 1");
    let it = Original { scratch, url };
    let copy = it.copy("copy");
    once(&sandbox, &it.url, "early").await.unwrap();
    assert!(Journal::mark_restored(&copy, true).unwrap().accepts_keys);
    are_taken_over(once(&sandbox, &it.url, "new").await, &copy);
    once(&sandbox, &copy, "new").await.unwrap();
    assert_eq!(sandbox.ledger().await.len(), 2);
    // A journal that is new has nothing in common with another one.
    once(&sandbox, &Scratch::new().url(), "new").await.unwrap();
}
