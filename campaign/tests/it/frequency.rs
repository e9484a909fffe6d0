//! The frequency cap, and rows that an earlier campaign of the journal has contacted.

use crate::support::{
    Scratch, claim, client, create, exported, messages, open, phone, rows, settlement, token, view, won,
};
use cpaas_campaign::blocking;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::{Journal, Settings};
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::source::IteratorSource;
use cpaas_campaign::worker::{RunOptions, run};
use cpaas_campaign::{FrequencyCap, Messages, Plan, plan, plan_at, plan_created, plan_in};
use cpaas_sandbox::Sandbox;
use serde_json::json;

const SECOND_US: i64 = 1_000_000;

fn capped(cap: &str) -> Messages {
    let mut messages = messages();
    messages.frequency_cap = Some(FrequencyCap::parse(cap).unwrap());
    messages
}

fn planned(journal: &mut Journal, count: u64, messages: &Messages) -> Plan {
    plan_in(journal, &mut rows(count), messages, &Settings::default()).unwrap()
}

/// A campaign whose first two rows are under a permit, settled as given.
fn claimed(journal: &mut Journal, name: &str, outcomes: &[RowOutcome]) -> String {
    let id = create(journal, name, 4, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut of_chunk = view(journal, &id);
    let permit = won(claim(journal, &id, owner, token(), &mut of_chunk));
    let settled: Vec<_> =
        (0..).zip(outcomes).map(|(row, outcome)| settlement(&permit, row, *outcome)).collect();
    journal.exchange(&id, owner, &settled, 0, None).unwrap();
    id
}

#[test]
fn a_journal_that_does_not_exist_has_no_earlier_campaigns() {
    let scratch = Scratch::file();
    let planned = |url: &str| plan_at(url, &mut rows(4), &capped("1/7d"), &Settings::default());
    for url in [scratch.url_of_file(), format!("sqlite://{}", scratch.url_of_file())] {
        let found = planned(&url).unwrap();
        assert_eq!((found.valid, found.frequency_capped, found.recently_contacted), (4, 0, Some(0)));
    }
    assert_eq!(std::fs::read_dir(scratch.folder.path()).unwrap().count(), 0, "nothing is created");
    assert_eq!(planned("/nowhere/campaign.db").unwrap_err().code(), "open");
    drop(open(&scratch.url_of_file()));
    std::fs::remove_file(scratch.path()).unwrap();
    assert_eq!(planned(&scratch.url_of_file()).unwrap_err().code(), "no_journal", "its lock file exists");
    let journal = Scratch::file();
    claimed(&mut open(&journal.url_of_file()), "one", &[RowOutcome::Accepted, RowOutcome::Accepted]);
    assert_eq!(planned(&journal.url_of_file()).unwrap().frequency_capped, 2);
}

#[tokio::test]
async fn a_recipient_gets_no_more_messages_than_the_cap() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let calls = client(sandbox.config());
    for name in ["one", "two"] {
        create(&mut journal, name, if name == "one" { 3 } else { 2 }, Settings::default());
        (_, journal) = run(journal, name, &calls, RunOptions::default()).await.unwrap();
    }
    // Rows 1 and 2 had two messages, row 3 had one, row 4 none.
    for (cap, suppressed) in [("1/7d", 3), ("2/7d", 2), ("3/7d", 0)] {
        let found = planned(&mut journal, 4, &capped(cap));
        assert_eq!(
            (found.suppressed, found.frequency_capped, found.valid, found.recently_contacted),
            (suppressed, suppressed, 4 - suppressed, Some(3)),
            "{cap}"
        );
        assert_eq!(found.recent_seconds, Some(7 * 86_400));
    }
    let found = planned(&mut journal, 4, &messages());
    assert_eq!(
        (found.suppressed, found.recently_contacted, found.recent_seconds),
        (0, Some(3), Some(30 * 86_400))
    );
    let _ = blocking::create(&mut journal, "three", &mut rows(4), &capped("2/7d"), Settings::default(), None)
        .unwrap();
    let found = status(&mut journal, "three").unwrap();
    assert_eq!((found.suppressed, found.pending), (2, 2));
    let rows = exported(&mut journal, "three");
    let reasons: Vec<_> = rows.iter().map(|row| (row.outcome, row.reason.as_deref())).collect();
    let suppressed = ("suppressed", Some("campaign.frequency_cap"));
    assert_eq!(reasons, [suppressed, suppressed, ("pending", None), ("pending", None)]);
    assert_eq!(rows[0].recipients, [phone(0)]);
    let stored = plan_created(&mut journal, "three", None, None).unwrap();
    assert_eq!((stored.suppressed, stored.frequency_capped, stored.problem_count), (2, 2, 0));
    (_, journal) = run(journal, "three", &calls, RunOptions::default()).await.unwrap();
    let to_first = sandbox.ledger().await.iter().filter(|entry| entry["to"] == phone(0)).count();
    assert_eq!(to_first, 2, "the cap");
    assert_eq!(planned(&mut journal, 4, &capped("2/7d")).suppressed, 3, "only row 4 had less than two");
    // A purged campaign counts nothing.
    journal.purge("one").unwrap();
    assert_eq!(planned(&mut journal, 4, &capped("2/7d")).suppressed, 0, "each row had one of the others");
    assert_eq!(planned(&mut journal, 4, &capped("1/7d")).suppressed, 4);
}

#[test]
fn rows_count_that_were_accepted_or_may_have_been_sent() {
    for (outcomes, count) in [
        (&[RowOutcome::Accepted, RowOutcome::Accepted][..], 2),
        (&[RowOutcome::Unknown, RowOutcome::Unknown], 2),
        (&[], 2),
        (&[RowOutcome::Rejected, RowOutcome::NotSent], 0),
        (&[RowOutcome::Suppressed, RowOutcome::Invalid], 0),
        (&[RowOutcome::Accepted, RowOutcome::NotSent], 1),
    ] {
        let scratch = Scratch::new();
        let mut journal = scratch.journal();
        let id = claimed(&mut journal, "old", outcomes);
        assert_eq!(planned(&mut journal, 4, &capped("1/7d")).suppressed, count, "{outcomes:?}");
        // Rows that became unknown because their owner has ended count too.
        let owner = journal.owners(&id).unwrap()[0].id;
        journal.release_owner(owner).unwrap();
        assert_eq!(planned(&mut journal, 4, &capped("1/7d")).suppressed, count, "{outcomes:?}");
    }
}

#[test]
fn messages_before_the_time_do_not_count() {
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    claimed(&mut journal, "old", &[RowOutcome::Accepted, RowOutcome::Accepted]);
    let age = |seconds: i64| {
        let sql = "UPDATE permits SET claimed_us = claimed_us - ?1";
        rusqlite::Connection::open(scratch.path()).unwrap().execute(sql, [seconds * SECOND_US]).unwrap();
    };
    age(3500);
    assert_eq!(planned(&mut journal, 4, &capped("1/1h")).suppressed, 2);
    age(200);
    assert_eq!(planned(&mut journal, 4, &capped("1/1h")).suppressed, 0);
    assert_eq!(planned(&mut journal, 4, &capped("1/2h")).suppressed, 2);
    assert_eq!(planned(&mut journal, 4, &messages()).recently_contacted, Some(2));
}

#[test]
fn a_recipient_is_known_in_every_notation_and_keys_do_not_count() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    claimed(&mut journal, "old", &[RowOutcome::Accepted]);
    let spelled = ["+30 691 000 0000", "0030-691-000-0000", "306910000000"];
    let mut settings = Settings::default();
    settings.normalize = Some("international".to_owned());
    for to in spelled {
        let row = json!({"phone": to, "name": "N"}).as_object().unwrap().clone();
        let found = plan_in(&mut journal, &mut IteratorSource([row].into_iter()), &capped("1/7d"), &settings)
            .unwrap();
        assert_eq!(found.suppressed, 1, "{to}");
    }
    // A suppressed recipient has no second reason.
    let mut both = capped("1/7d");
    both.suppress = [phone(0)].into_iter().collect();
    let found = planned(&mut journal, 2, &both);
    assert_eq!((found.suppressed, found.frequency_capped), (2, 1));
}

#[test]
fn a_plan_with_a_cap_requires_a_journal() {
    let error = plan(&mut rows(1), &capped("1/7d"), &Settings::default()).unwrap_err().to_string();
    assert!(error.contains("requires the journal"), "{error}");
    let found = plan(&mut rows(1), &messages(), &Settings::default()).unwrap();
    assert_eq!((found.recently_contacted, found.recent_seconds), (None, None));
}

#[test]
fn rows_whose_recipients_have_pending_rows_elsewhere_are_noted() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    // Rows 1 and 2 are claimed, and one of them is accepted; rows 3 and 4 are pending.
    claimed(&mut journal, "one", &[RowOutcome::Accepted]);
    let of = |rows: &str| {
        format!(
            "{rows} a recipient of rows that are pending in other campaigns of the journal, which the frequency cap does not count: together they exceed it"
        )
    };
    let notes = |journal: &mut Journal, cap: &str| -> Vec<String> {
        let notes = planned(journal, 6, &capped(cap)).notes;
        notes.into_iter().filter(|note| note.contains("pending in other")).collect()
    };
    assert_eq!(notes(&mut journal, "1/7d"), [of("2 rows have")]);
    assert_eq!(notes(&mut journal, "2/7d"), Vec::<String>::new());
    let created =
        blocking::create(&mut journal, "two", &mut rows(4), &capped("1/7d"), Settings::default(), None);
    assert!(created.unwrap().notes.contains(&of("2 rows have")));
    assert_eq!(notes(&mut journal, "2/7d"), [of("2 rows have")], "one in each campaign");
    for name in ["one", "two"] {
        cpaas_campaign::campaign::cancel(&mut journal, name).unwrap();
    }
    assert_eq!(notes(&mut journal, "1/7d"), Vec::<String>::new());
}
