//! The journal in a file: copies, newer versions, removed files, locks and a limit of the file size.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::sync::Barrier;

use crate::support::{
    Scratch, assert_adds_up, claim, client, create, exported, open, sent, settlement, token, view, won,
};
use cpaas::Config;
use cpaas_campaign::Error;
use cpaas_campaign::blocking::open_journal;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::{Journal, OpenOptions, Settings};
use cpaas_campaign::protocol::RowOutcome;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::Sandbox;

#[test]
fn the_file_is_private_and_a_copy_is_refused_until_it_is_marked_as_restored() {
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let mode = std::fs::metadata(scratch.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let id = create(&mut journal, "c", 5, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut view));
    journal.exchange(&id, owner, &[settlement(&permit, 0, RowOutcome::Accepted)], 0, None).unwrap();
    journal.release_owner(owner).unwrap();
    drop(journal);
    let copy = scratch.folder.path().join("copy.db");
    for suffix in ["", "-wal"] {
        let name = |path: &std::path::Path| format!("{}{suffix}", path.display());
        std::fs::copy(name(&scratch.path()), name(&copy)).unwrap();
    }
    let url = copy.display().to_string();
    assert!(matches!(open_journal(&url, OpenOptions::default()), Err(Error::Copied { .. })));
    Journal::mark_restored(&url, false).unwrap();
    let mut journal = open(&url);
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.unknown, found.pending), (1, 4, 0), "{found:?}");
    drop(journal);
    open(&url);
    open(&scratch.path().display().to_string());
}

#[test]
fn callers_that_create_a_journal_at_once_all_open_it() {
    for _ in 0..100 {
        let scratch = Scratch::file();
        let (url, start) = (scratch.path().display().to_string(), Barrier::new(16));
        std::thread::scope(|scope| {
            let open = || {
                start.wait();
                open_journal(&url, OpenOptions::default()).map(drop)
            };
            let callers: Vec<_> = (0..16).map(|_| scope.spawn(open)).collect();
            for caller in callers {
                caller.join().unwrap().unwrap();
            }
        });
    }
}

#[test]
fn a_journal_whose_write_ahead_log_was_removed_is_not_written() {
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 5, Settings::default());
    std::fs::remove_file(format!("{}-wal", scratch.path().display())).unwrap();
    assert!(matches!(journal.register_owner(&id), Err(Error::Replaced)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_journal_removed_during_a_run_ends_the_worker_with_an_error() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    create(&mut journal, "lost", 5000, Settings::default());
    let client = client(sandbox.config());
    let task =
        tokio::spawn(async move { run(journal, "lost", &client, RunOptions::default()).await.map(|_| ()) });
    while sandbox.ledger().await.len() < 200 {
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    for suffix in ["", "-wal", "-shm"] {
        std::fs::remove_file(format!("{}{suffix}", scratch.url())).unwrap();
    }
    let error = task.await.unwrap().unwrap_err();
    assert!(error.to_string().contains("was replaced"), "{error}");
    let ledger = sandbox.ledger().await;
    assert!(ledger.len() < 5000 && sent(&ledger).len() == ledger.len());
    let mut options = OpenOptions::default();
    options.existing = true;
    assert!(matches!(open_journal(&scratch.url(), options).map(|_| ()), Err(Error::NoJournal(_))));
}

/// The program of the worker with a limit of the file size; not a test by itself.
#[tokio::test]
#[ignore = "runs in a process of its own"]
async fn limited_worker() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let client = client(Config::from_env().unwrap());
    let error = run(open(&journal), "full", &client, RunOptions::default()).await.map(|_| ()).unwrap_err();
    assert!(matches!(error.error, Error::Disk(..) | Error::DiskFull), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_of_the_file_size_ends_the_worker_and_no_row_is_sent_twice() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    create(&mut journal, "full", 3000, Settings::default());
    let path = scratch.path().display().to_string();
    let log = std::fs::metadata(format!("{path}-wal")).unwrap().len() / 1024;
    let program = std::env::current_exe().unwrap();
    let limit = log + 300;
    let script =
        format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" --exact sqlite::limited_worker --ignored");
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
    assert!(ended.success(), "the worker must end with an error of the disk");
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

/// The program of a worker whose process opens and closes the files of the journal, as a second SQLite library would; not a test
/// by itself. Closing a file releases all POSIX locks that the process has on the file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "runs in a process of its own"]
async fn worker_beside_another_sqlite() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let path = journal.clone();
    std::thread::spawn(move || {
        loop {
            for suffix in ["", "-wal", "-shm"] {
                let _ = std::fs::OpenOptions::new().read(true).write(true).open(format!("{path}{suffix}"));
            }
            std::thread::yield_now();
        }
    });
    let client = client(Config::from_env().unwrap());
    let (end, _) = run(open(&journal), "two", &client, RunOptions::default().concurrency(8)).await.unwrap();
    assert_eq!(end, RunEnd::Done);
}

#[test]
fn every_row_is_sent_once_beside_a_second_sqlite_in_the_process() {
    let sandbox = Sandbox::builder().start_blocking().unwrap();
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    create(&mut journal, "two", 3000, Settings::default());
    let config = sandbox.config();
    let workers: Vec<_> = (0..3)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "sqlite::worker_beside_another_sqlite", "--ignored"])
                .env("CAMPAIGN_JOURNAL", scratch.url())
                .env("CPAAS_SMS_URL", config.sms_url.clone().unwrap())
                .env("CPAAS_SMS_KEY", config.sms_key.clone().or(config.api_key.clone()).unwrap().expose())
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut worker in workers {
        assert!(worker.wait().unwrap().success());
    }
    let found = status(&mut journal, "two").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.state), (3000, "done"));
    let sent = sent(&sandbox.ledger());
    assert_eq!((sent.len(), sent.values().max()), (3000, Some(&1)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_made_during_a_run_sends_nothing_that_the_original_sends() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::file();
    let mut journal = scratch.journal();
    let mut settings = Settings::default();
    settings.rate = Some(1000.0);
    create(&mut journal, "copied", 1500, settings);
    let client = client(sandbox.config());
    let original = tokio::spawn({
        let client = client.clone();
        async move { run(journal, "copied", &client, RunOptions::default()).await.unwrap() }
    });
    while sandbox.ledger().await.len() < 200 {
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    let copy = scratch.folder.path().join("copy.db").display().to_string();
    let lock = std::fs::File::open(format!("{}-lock", scratch.url())).unwrap();
    lock.lock().unwrap();
    for suffix in ["", "-wal"] {
        std::fs::copy(format!("{}{suffix}", scratch.url()), format!("{copy}{suffix}")).unwrap();
    }
    lock.unlock().unwrap();
    assert!(matches!(open_journal(&copy, OpenOptions::default()), Err(Error::Copied { .. })));
    // The original runs.
    Journal::mark_restored(&copy, false).unwrap();
    let (end, mut journal) = original.await.unwrap();
    let found = status(&mut journal, "copied").unwrap();
    assert_eq!((end, found.accepted), (RunEnd::Done, 1500));
    let restored = open(&copy);
    let (_, mut restored) = run(restored, "copied", &client, RunOptions::default()).await.unwrap();
    let found = status(&mut restored, "copied").unwrap();
    assert_adds_up(&found);
    assert_eq!(found.pending, 0);
    assert!(found.unknown >= 1000, "rows that the original had not sent at the copy: {found:?}");
    let sent = sent(&sandbox.ledger().await);
    assert_eq!((sent.len(), sent.values().max()), (1500, Some(&1)));
}
