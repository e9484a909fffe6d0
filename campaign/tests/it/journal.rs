//! The journal: claims, settlements, reports, resolutions, rate and creation.

use std::collections::BTreeSet;

use crate::support::{Scratch, assert_adds_up, claim, create, settlement, token, view, won};
use cpaas_campaign::Error;
use cpaas_campaign::blocking;
use cpaas_campaign::campaign::{self, reference, status};
#[cfg(feature = "postgres")]
use cpaas_campaign::journal::PostgresStore;
use cpaas_campaign::journal::{Claimed, Journal, OpenOptions, Settings, SqliteStore, State, Store, Value};
use cpaas_campaign::protocol::{Permit, PermitRow, Resolution, RowOutcome};

#[test]
fn two_owners_never_hold_the_same_row() {
    let scratch = Scratch::new();
    let (mut first, mut second) = (scratch.journal(), scratch.journal());
    let id = create(&mut first, "c", 5, Settings::default());
    let (one, two) = (first.register_owner(&id).unwrap(), second.register_owner(&id).unwrap());
    let (mut of_one, mut of_two) = (view(&mut first, &id), view(&mut second, &id));
    let permit = won(claim(&mut first, &id, one, token(), &mut of_one));
    assert_eq!(claim(&mut second, &id, two, token(), &mut of_two), Claimed::Lost);
    let mut of_two = view(&mut second, &id);
    let other = won(claim(&mut second, &id, two, token(), &mut of_two));
    let rows = |permit: &Permit| permit.rows.iter().map(|named| named.row).collect::<BTreeSet<_>>();
    assert!(rows(&permit).is_disjoint(&rows(&other)));
    assert_eq!(status(&mut first, "c").unwrap().in_flight, 4);
    assert_adds_up(&status(&mut first, "c").unwrap());
}

#[test]
fn a_claim_that_is_repeated_with_the_same_token_wins_the_same_permit() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 5, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    let token = token();
    let first = won(claim(&mut journal, &id, owner, token, &mut view));
    let again = won(claim(&mut journal, &id, owner, token, &mut view));
    assert_eq!(first, again);
    assert_eq!(status(&mut journal, "c").unwrap().attempts, 2, "counted once");
}

#[test]
fn settling_twice_changes_nothing_and_a_row_that_was_not_sent_is_claimed_again() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 2, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut view));
    view.won(&permit);
    let settlements =
        [settlement(&permit, 0, RowOutcome::NotSent), settlement(&permit, 1, RowOutcome::Accepted)];
    for _ in 0..2 {
        journal.exchange(&id, owner, &settlements, 0, None).unwrap();
    }
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((found.accepted, found.pending, found.in_flight), (1, 1, 0));
    assert_adds_up(&found);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut view));
    assert_eq!((permit.rows.len(), permit.rows[0].row, permit.rows[0].attempt), (1, 0, 2));
}

#[test]
fn reports_prove_acceptance_and_reveal_lost_commits() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 4, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut view));
    journal.exchange(&id, owner, &[settlement(&permit, 0, RowOutcome::Rejected)], 0, None).unwrap();
    let references = [reference(&id, 0, 1), reference(&id, 1, 1), "other-0-1".to_owned()];
    let summary = campaign::report(&mut journal, "c", &references).unwrap();
    assert_eq!((summary.settled, summary.overridden, summary.foreign), (2, 1, 1));
    // An outcome that is stored after the report of its row does not override the report.
    journal.exchange(&id, owner, &[settlement(&permit, 1, RowOutcome::NotSent)], 0, None).unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.rejected, found.pending, found.in_flight), (2, 0, 2, 0));
    assert_eq!(campaign::report(&mut journal, "c", &references).unwrap().known, 2);
    let summary = campaign::report(&mut journal, "c", [reference(&id, 3, 1)]).unwrap();
    assert_eq!(summary.impossible, 1);
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((found.state, found.reason.as_deref()), ("halted", Some("lost_commits")));
    assert_adds_up(&found);
}

#[test]
fn unknown_rows_are_resolved_only_after_their_owner_has_ended() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 2, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut view));
    assert_eq!(
        journal.resolve(&id, Resolution::NotSent, None, 0, false).unwrap().resolved,
        0,
        "the owner lives"
    );
    journal.release_owner(owner).unwrap();
    assert_eq!(status(&mut journal, "c").unwrap().unknown, 2);
    let young = campaign::resolve(&mut journal, "c", Resolution::NotSent, None, false).unwrap();
    assert_eq!((young.resolved, young.too_recent), (0, 2), "the permit is younger than six minutes");
    assert_eq!(journal.resolve(&id, Resolution::NotSent, Some(&[0]), 0, false).unwrap().resolved, 1);
    assert_eq!(journal.resolve(&id, Resolution::Accepted, None, 0, false).unwrap().resolved, 1);
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.pending, found.unknown), (1, 1, 0));
    // The owner was still running, and stores its outcome late.
    journal.exchange(&id, owner, &[settlement(&permit, 0, RowOutcome::Accepted)], 0, None).unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.pending, found.state), (2, 0, "done"));
}

#[test]
fn a_claim_on_a_paused_campaign_gets_no_permit() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 2, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    campaign::pause(&mut journal, "c").unwrap();
    let claimed = claim(&mut journal, &id, owner, token(), &mut view);
    assert_eq!(claimed, Claimed::Stopped(State::Paused));
}

#[test]
fn a_claim_waits_while_earlier_permits_use_the_rate() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let mut settings = Settings::default();
    settings.rate = Some(0.5);
    let id = create(&mut journal, "c", 9, settings);
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut view));
    view.won(&permit);
    match claim(&mut journal, &id, owner, token(), &mut view) {
        Claimed::Wait(us) => assert!((1..=2_000_000).contains(&us), "{us}"),
        other => panic!("two rows take four seconds: {other:?}"),
    }
}

#[test]
fn an_interrupted_creation_is_replaced() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let settings = Settings::default();
    let new = cpaas_campaign::journal::NewCampaign {
        name: "c",
        operation: "sms.send",
        digest: "",
        settings: &settings,
    };
    let interrupted = journal.create(&new).unwrap();
    assert_eq!(status(&mut journal, "c").unwrap().state, "creating");
    let id = create(&mut journal, "c", 3, settings);
    assert_ne!(id, interrupted);
    assert_eq!(status(&mut journal, "c").unwrap().rows, 3);
    assert_eq!(journal.campaigns().unwrap().len(), 1);
}

#[test]
fn a_file_of_reports_settles_rows() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 2500, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut of_first = view(&mut journal, &id);
    won(claim(&mut journal, &id, owner, token(), &mut of_first));
    journal.release_owner(owner).unwrap();
    assert_eq!(status(&mut journal, "c").unwrap().unknown, 2);
    let path = scratch.folder.path().join("reports.jsonl");
    let report = |reference: &str| {
        format!("{{\"msgid\":\"m\",\"status\":\"undelivered\",\"reference\":\"{reference}\"}}\n")
    };
    let lines = [reference(&id, 1, 1), reference(&id, 0, 1), reference(&id, 0, 1), "x".to_owned()];
    let lines: String = lines.iter().map(|reference| report(reference)).chain(["{}".to_owned()]).collect();
    std::fs::write(&path, lines).unwrap();
    let found = campaign::report_file(&mut journal, "c", &path).unwrap();
    assert_eq!((found.settled, found.known, found.foreign, found.without_reference), (2, 1, 1, 1));
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.unknown, found.pending, found.state), (2, 0, 2498, "stopped"));
    // A report of a row in another chunk, which never had a permit.
    std::fs::write(&path, report(&reference(&id, 2100, 1))).unwrap();
    assert_eq!(campaign::report_file(&mut journal, "c", &path).unwrap().impossible, 1);
    assert_eq!(status(&mut journal, "c").unwrap().state, "halted");
}

/// Opens the database of a journal without the journal's own tables.
fn store(scratch: &Scratch) -> Box<dyn Store> {
    let url = scratch.url();
    #[cfg(feature = "postgres")]
    if url.starts_with("postgres") {
        return Box::new(PostgresStore::open(&url, OpenOptions::default()).unwrap());
    }
    Box::new(SqliteStore::open(std::path::Path::new(&url), OpenOptions::default()).unwrap())
}

fn set_version(store: &mut dyn Store, version: &str) {
    let sql = "INSERT INTO meta (name, value) VALUES ('version', $1)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    execute(store, sql, &[version.into()]);
}

fn stored_version(store: &mut dyn Store) -> String {
    let mut found = String::new();
    let sql = "SELECT value FROM meta WHERE name = 'version'";
    store
        .read(&mut |transaction| {
            found = transaction.query(sql, &[])?[0].text("value")?.to_owned();
            Ok(())
        })
        .unwrap();
    found
}

fn execute(store: &mut dyn Store, sql: &str, values: &[Value]) {
    store.write(&mut |transaction| transaction.execute(sql, values).map(|_| ())).unwrap();
}

/// A journal of version 1: a campaign with seven rows, of which a permit names two, and a worker on another machine that may live.
pub(crate) fn journal_of_version_1() -> Scratch {
    let scratch = Scratch::new();
    let mut store = store(&scratch);
    // Random, as the state folder remembers it.
    let id = &token().to_hex()[..16];
    let tables = include_str!("../../src/journal/sql/1_campaigns.sql").replace("BYTES", store.bytes_type());
    let rows = format!(
        "INSERT INTO campaigns VALUES ('{id}', 'old', 'sms.send', 'active', NULL, 0, 1,
            'd', '{{}}', 7, 2, 2, 1, 0, 0, 0, 0, 2, 2, 3, 0, 0, 0, 0, 0);
        INSERT INTO suppressions VALUES ('{id}', '306900000001')"
    );
    let mut now_us = 0;
    store
        .write(&mut |transaction| {
            transaction
                .run_script("CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)")?;
            transaction.run_script(&tables)?;
            now_us = transaction.now_us()?;
            transaction.run_script(&rows)
        })
        .unwrap();
    let (owner, process) =
        (token(), r#"{"machine":"m","boot":"b","namespace":"n","task":"1","started":"1"}"#);
    let sql = "INSERT INTO owners VALUES ($1, $2, $3, $4, 2, 0)";
    execute(store.as_mut(), sql, &[owner.into(), id.into(), process.into(), now_us.into()]);
    let rows = [0, 1].map(|row| PermitRow { row, attempt: 1 });
    let named = Permit::encode_rows(&rows);
    let sql = "INSERT INTO permits VALUES ($1, 0, 0, $2, $3, $4, 1)";
    execute(store.as_mut(), sql, &[id.into(), token().into(), owner.into(), named.into()]);
    set_version(store.as_mut(), "1");
    scratch
}

#[test]
fn a_journal_of_version_1_is_brought_to_the_present_version_once_and_keeps_its_rows() {
    let scratch = journal_of_version_1();
    let mut store = store(&scratch);
    execute(store.as_mut(), "UPDATE owners SET is_gone = 1", &[]);
    drop(Journal::new(store).unwrap());
    let mut journal = scratch.journal();
    let found = journal.campaign("old").unwrap();
    assert_eq!((found.counts.rows, found.counts.open, found.counts.duplicate), (7, 2, 1));
    assert_eq!(journal.suppressed(&found.id).unwrap(), ["306900000001"]);
    // A worker compares the permitted rows with those of the campaign.
    journal.register_owner(&found.id).unwrap();
    drop(journal);
    assert_eq!(stored_version(self::store(&scratch).as_mut()), "2");
}

#[test]
fn a_journal_of_version_1_is_neither_read_nor_changed_while_a_worker_is_possibly_alive() {
    let scratch = journal_of_version_1();
    let mut to_read = OpenOptions::default();
    to_read.read_only = true;
    let open = |options| blocking::open_journal(&scratch.url(), options).map(|_| ()).unwrap_err();
    assert!(matches!(open(to_read), Error::Damaged(_)));
    assert!(matches!(open(OpenOptions::default()), Error::InUse));
    let mut store = store(&scratch);
    assert_eq!(stored_version(store.as_mut()), "1");
    let attempts =
        store.read(&mut |transaction| transaction.query("SELECT chunk FROM attempts", &[]).map(|_| ()));
    assert!(attempts.is_err(), "no table was added");
    // A minute without a sign of life.
    execute(store.as_mut(), "UPDATE owners SET seen_us = seen_us - 61000000", &[]);
    drop(scratch.journal());
    assert_eq!(stored_version(store.as_mut()), "2");
}

/// Postgres has a smaller type for a literal than for the columns.
#[test]
fn an_integer_that_is_not_from_a_column_is_read() {
    let scratch = Scratch::new();
    let mut found = 0;
    store(&scratch)
        .read(&mut |transaction| {
            found = transaction.query("SELECT 7 AS found", &[])?[0].int("found")?;
            Ok(())
        })
        .unwrap();
    assert_eq!(found, 7);
}

#[test]
fn a_newer_version_and_a_version_that_is_not_a_number_are_refused() {
    for (version, is_newer) in [("3", true), ("99", true), ("0", false), ("-1", false), ("two", false)] {
        let scratch = Scratch::new();
        drop(scratch.journal());
        set_version(store(&scratch).as_mut(), version);
        let error = blocking::open_journal(&scratch.url(), OpenOptions::default()).map(|_| ()).unwrap_err();
        match error {
            Error::NewerVersion { supported: 2, found } => assert!(is_newer && found.to_string() == version),
            Error::Damaged(_) => assert!(!is_newer, "{version}"),
            other => panic!("{version}: {other}"),
        }
    }
}
