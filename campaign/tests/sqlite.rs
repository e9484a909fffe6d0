//! The journal in a file: what it refuses, and what a full disk does.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use cpaas::Config;
use cpaas_campaign::Error;
use cpaas_campaign::campaign::{open_journal, status};
use cpaas_campaign::journal::{OpenOptions, Settings};
use cpaas_campaign::protocol::Settled;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::Sandbox;
use support::{
    Scratch, assert_adds_up, claim, client, create, exported, open, sent, settlement, token, view, won,
};

#[test]
fn the_file_is_private_and_a_copy_is_refused_until_it_is_called_restored() {
    let scratch = Scratch::file();
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
    let scratch = Scratch::file();
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
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 5, Settings::default());
    std::fs::remove_file(format!("{}-wal", scratch.path().display())).unwrap();
    assert!(matches!(journal.register_owner(&id), Err(Error::Replaced)));
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
    let scratch = Scratch::file();
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
