//! The journal: what it keeps, and what it refuses.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use cpaas::Config;
use cpaas_campaign::Error;
use cpaas_campaign::campaign::{self, open_journal, reference, status};
use cpaas_campaign::journal::{
    ChunkView, Claim, Claimed, Exchange, Journal, OpenOptions, Settings, Settlement, State,
};
use cpaas_campaign::protocol::{Permit, Resolution, Settled, Token};
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::Sandbox;
use support::{Scratch, assert_adds_up, client, create, exported, open, sent};

fn view(journal: &mut Journal, id: &str) -> ChunkView {
    let rows = journal.rows(id, 0).unwrap();
    let (history, version) = journal.history(id, 0).unwrap();
    ChunkView::new(0, &rows, history, version)
}

fn claim(journal: &mut Journal, id: &str, owner: Token, token: Token, view: &mut ChunkView) -> Claimed {
    let claim = Claim { owner, token, limit: 2, wanted: &|_| true };
    let exchange: Exchange = journal.exchange(id, owner, &[], 0, Some((&claim, view))).unwrap();
    exchange.claimed.unwrap()
}

fn won(claimed: Claimed) -> Permit {
    match claimed {
        Claimed::Won { permit, .. } => permit,
        other => panic!("{other:?}"),
    }
}

fn settlement(permit: &Permit, row: u16, settled: Settled) -> Settlement {
    Settlement {
        chunk: 0,
        sequence: permit.sequence,
        row,
        settled,
        reason: None,
        message_id: None,
        detail: None,
        price: 0,
    }
}

fn token() -> Token {
    Token::random().unwrap()
}

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
fn the_same_token_wins_again_after_a_doubtful_commit() {
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
fn settling_twice_changes_nothing_and_not_sent_is_claimed_again() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 2, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut view));
    view.won(&permit);
    let settlements = [settlement(&permit, 0, Settled::NotSent), settlement(&permit, 1, Settled::Accepted)];
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
fn reports_prove_acceptance_and_find_lost_commits() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 4, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut view));
    journal.exchange(&id, owner, &[settlement(&permit, 0, Settled::Rejected)], 0, None).unwrap();
    let references = [reference(&id, 0, 1), reference(&id, 1, 1), "other-0-1".to_owned()];
    let summary = campaign::report(&mut journal, "c", &references).unwrap();
    assert_eq!((summary.settled, summary.overridden, summary.foreign), (2, 1, 1));
    // The outcome that comes after its report.
    journal.exchange(&id, owner, &[settlement(&permit, 1, Settled::NotSent)], 0, None).unwrap();
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
fn unknown_rows_are_resolved_only_when_their_owner_is_gone() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 2, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut view));
    assert_eq!(journal.resolve(&id, Resolution::NotSent, None, 0, false).unwrap(), 0, "it lives");
    journal.release_owner(owner).unwrap();
    assert_eq!(status(&mut journal, "c").unwrap().unknown, 2);
    let young = campaign::resolve(&mut journal, "c", Resolution::NotSent, None, false).unwrap();
    assert_eq!(young, 0, "the permit is younger than six minutes");
    assert_eq!(journal.resolve(&id, Resolution::NotSent, Some(&[0]), 0, false).unwrap(), 1);
    assert_eq!(journal.resolve(&id, Resolution::Accepted, None, 0, false).unwrap(), 1);
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.pending, found.unknown), (1, 1, 0));
    // The owner lived after all.
    journal.exchange(&id, owner, &[settlement(&permit, 0, Settled::Accepted)], 0, None).unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.pending, found.state), (2, 0, "done"));
}

#[test]
fn a_paused_campaign_gives_no_permits() {
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
fn the_rate_is_reserved_in_the_journal() {
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
fn the_file_is_private_and_a_copy_is_refused_until_it_is_called_restored() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let mode = std::fs::metadata(scratch.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let id = create(&mut journal, "c", 5, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut view));
    journal.exchange(&id, owner, &[settlement(&permit, 0, Settled::Accepted)], 0, None).unwrap();
    drop(journal);
    let copy = scratch.folder.path().join("copy.db");
    for suffix in ["", "-wal"] {
        let name = |path: &std::path::Path| format!("{}{suffix}", path.display());
        std::fs::copy(name(&scratch.path()), name(&copy)).unwrap();
    }
    let url = copy.display().to_string();
    assert!(matches!(open_journal(&url, OpenOptions::default()), Err(Error::Copied)));
    let mut options = OpenOptions::default();
    options.restored = true;
    let mut journal = open_journal(&url, options).unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.unknown, found.pending), (1, 4, 0), "{found:?}");
    drop(journal);
    open(&url);
    open(&scratch.path().display().to_string());
}

#[test]
fn a_newer_version_is_refused() {
    let scratch = Scratch::new();
    drop(scratch.journal());
    let connection = rusqlite::Connection::open(scratch.path()).unwrap();
    connection.execute("UPDATE meta SET value = '2' WHERE name = 'version'", []).unwrap();
    drop(connection);
    let url = scratch.path().display().to_string();
    let error = open_journal(&url, OpenOptions::default()).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::NewerVersion { supported: 1, found: 2 }), "{error}");
}

#[test]
fn a_journal_whose_log_was_removed_is_never_written_again() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 5, Settings::default());
    std::fs::remove_file(format!("{}-wal", scratch.path().display())).unwrap();
    assert!(matches!(journal.register_owner(&id), Err(Error::Replaced)));
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

/// What the limited worker runs; it is not a test of its own.
#[tokio::test]
#[ignore = "runs in a process of its own"]
async fn limited_worker() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let client = client(Config::from_env().unwrap());
    let error = run(open(&journal), "full", &client, RunOptions::default()).await.map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Disk(_) | Error::DiskFull), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_ends_the_worker_and_no_row_is_sent_twice() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "full", 3000, Settings::default());
    let path = scratch.path().display().to_string();
    let log = std::fs::metadata(format!("{path}-wal")).unwrap().len() / 1024;
    let program = std::env::current_exe().unwrap();
    let limit = log + 300;
    let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" --exact limited_worker --ignored");
    let config = sandbox.config();
    let mut command = Command::new("bash");
    command
        .args(["-c", &script])
        .arg(program)
        .env("CAMPAIGN_JOURNAL", &path)
        .env("CPAAS_SMS_URL", config.sms_url.clone().unwrap())
        .env("CPAAS_SMS_KEY", config.sms_key.clone().or(config.api_key.clone()).unwrap().expose())
        .stdout(Stdio::null());
    let ended = tokio::task::spawn_blocking(move || command.status().unwrap()).await.unwrap();
    assert!(ended.success(), "the worker must report the disk");
    let found = status(&mut journal, "full").unwrap();
    assert_adds_up(&found);
    assert!(found.accepted > 0 && found.pending > 0, "{found:?}");
    let (end, mut journal) = run(journal, "full", &client(config), RunOptions::default()).await.unwrap();
    assert_eq!(end, RunEnd::Done);
    let sent = sent(&sandbox.ledger().await);
    assert!(sent.values().all(|count| *count == 1));
    for row in exported(&mut journal, "full") {
        let is_sent = sent.contains_key(&row.recipients[0]);
        assert!(row.outcome == "unknown" || row.outcome == "accepted" && is_sent, "{}", row.outcome);
    }
}
