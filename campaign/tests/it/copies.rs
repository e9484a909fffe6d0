//! Several copies of one journal on one machine: of each campaign one of them sends, and the others say which.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

use cpaas_campaign::campaign::{self, status};
use cpaas_campaign::journal::{
    ChunkView, Claim, Claimed, Exchange, Journal, ResolveSummary, RetryReason, Settings,
};
use cpaas_campaign::protocol::{Resolution, RowOutcome, Token};
use cpaas_campaign::{Error, SendOnceOptions, send_once};
use cpaas_sandbox::Sandbox;
use serde_json::json;

use crate::support::{Scratch, client, create, exported, open, settlement, state_file, token, view};

pub(crate) const ROWS: u64 = 20;

/// A journal with the campaigns `c` and `d`, in a file or, with `Scratch`, in a database.
pub(crate) struct Original {
    pub(crate) scratch: Scratch,
    pub(crate) url: String,
}

impl Original {
    pub(crate) fn new(scratch: Scratch) -> Self {
        let url = scratch.url();
        let mut journal = open(&url);
        create(&mut journal, "c", ROWS, Settings::default());
        create(&mut journal, "d", ROWS, Settings::default());
        drop(journal);
        sends(&url, "c").unwrap();
        Self { scratch, url }
    }

    /// A copy of the journal, which nothing uses at this moment.
    pub(crate) fn copy(&self, name: &str) -> String {
        self.copy_of(&self.url, name)
    }

    pub(crate) fn copy_of(&self, from: &str, name: &str) -> String {
        if let Some((server, database)) = from.rsplit_once('/').filter(|_| from.starts_with("postgres:")) {
            let new = format!("{database}_{name}");
            let sql = format!("CREATE DATABASE {new} TEMPLATE {database}");
            // The server ends the connections of a journal a little after it was closed.
            for _ in 0..100 {
                let mut psql = std::process::Command::new("psql");
                let psql = psql.args([&format!("{server}/postgres"), "-qc", &sql]).output().unwrap();
                if psql.status.success() {
                    return format!("{server}/{new}");
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            panic!("{sql}");
        }
        let copy = self.scratch.folder.path().join(format!("{name}.db"));
        for suffix in ["", "-wal", "-lock"] {
            let _ = fs::copy(format!("{from}{suffix}"), suffixed(&copy, suffix));
        }
        copy.display().to_string()
    }

    /// A copy that was declared as restored.
    pub(crate) fn restored(&self, name: &str) -> String {
        let copy = self.copy(name);
        Journal::mark_restored(&copy, false).unwrap();
        copy
    }

    /// A restored copy that took the campaign `c` over, and whose rows are pending.
    pub(crate) fn taken_over(&self, name: &str) -> String {
        let copy = self.restored(name);
        let found = resolve(&copy, "c", true).unwrap();
        assert!(found.taken_over && found.resolved > 0, "{found:?}");
        copy
    }
}

pub(crate) fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

/// A statement of another program.
pub(crate) fn sql(url: &str, statement: &str) {
    if url.starts_with("postgres:") {
        let status = std::process::Command::new("psql").args([url, "-qc", statement]).status();
        assert!(status.unwrap().success());
    } else {
        rusqlite::Connection::open(url).unwrap().execute_batch(statement).unwrap();
    }
}

/// Resolves the unknown rows, whatever their age.
pub(crate) fn resolve(url: &str, name: &str, owners_stopped: bool) -> Result<ResolveSummary, Error> {
    let mut journal = open(url);
    let id = journal.campaign(name)?.id;
    journal.resolve(&id, Resolution::NotSent, None, 0, owners_stopped)
}

/// A worker that has opened its journal.
pub(crate) struct Worker {
    journal: Journal,
    id: String,
    owner: Token,
    view: ChunkView,
}

impl Worker {
    fn open(url: &str, name: &str) -> Result<Self, Error> {
        let mut journal = open(url);
        let id = journal.campaign(name)?.id;
        let owner = journal.register_owner(&id)?;
        let view = view(&mut journal, &id);
        Ok(Self { journal, id, owner, view })
    }

    fn claim(&mut self) -> Result<Exchange, Error> {
        let claim = Claim {
            owner: self.owner,
            token: token(),
            limit: 2,
            requested: &|_| true,
            may_halt: true,
            provider: &[],
        };
        let exchange = self.journal.exchange(&self.id, self.owner, &[], 0, Some((&claim, &mut self.view)))?;
        if let Some(Claimed::Won { permit, .. }) = &exchange.claimed {
            self.view.won(permit);
        }
        Ok(exchange)
    }

    fn end(mut self) {
        self.journal.release_owner(self.owner).unwrap();
    }
}

/// Claims two rows and settles the first as accepted. Returns the number of claimed rows.
pub(crate) fn sends(url: &str, name: &str) -> Result<usize, Error> {
    let mut worker = Worker::open(url, name)?;
    let claimed = worker.claim();
    let sent = claimed.map(|exchange| match exchange.claimed {
        Some(Claimed::Won { permit, .. }) => {
            let settlements = [settlement(&permit, permit.rows[0].row, RowOutcome::Accepted)];
            worker.journal.exchange(&worker.id, worker.owner, &settlements, 0, None).unwrap();
            permit.rows.len()
        }
        _ => 0,
    });
    worker.end();
    sent
}

/// The file of the state folder about a campaign.
pub(crate) fn taken_file(url: &str, name: &str) -> PathBuf {
    let id = open(url).campaign(name).unwrap().id;
    state_file(&format!("taken-{id}"))
}

/// The journal is refused the campaign, and the error names the copy that has it.
#[track_caller]
pub(crate) fn is_taken_over<T>(result: Result<T, Error>, by: &str) {
    let error = result.map(drop).unwrap_err();
    let Error::TakenOver { by: found, file, .. } = &error else { panic!("{error}") };
    assert_eq!((&**found, error.code()), (by, "taken_over"));
    let message = error.to_string();
    assert!(message.contains(by) && message.contains("--owners-stopped"), "{message}");
    assert!(message.contains(&**file) && Path::new(&**file).exists(), "{message}");
}

/// The trial: of two copies one is a restored backup and sends, and then the other one is declared as the journal.
#[test]
fn a_moved_copy_is_refused_the_campaign_that_a_restored_copy_took_over() {
    let it = Original::new(Scratch::new());
    let moved = it.copy("moved");
    let early = it.copy("early");
    let copy = it.taken_over("copy");
    assert_eq!(sends(&copy, "c").unwrap(), 2);
    Journal::mark_moved(&moved).unwrap();
    is_taken_over(sends(&moved, "c"), &copy);
    is_taken_over(resolve(&moved, "c", true), &copy);
    assert_eq!(sends(&moved, "d").unwrap(), 2, "another campaign");
    let found = status(&mut open(&moved), "c").unwrap();
    assert_eq!((found.accepted, found.pending, found.unknown), (1, 18, 1), "nothing was claimed");
    // A third one, as a copy, may take it over from both.
    Journal::mark_restored(&early, false).unwrap();
    assert!(resolve(&early, "c", true).unwrap().taken_over);
    assert_eq!(sends(&early, "c").unwrap(), 2);
    is_taken_over(sends(&copy, "c"), &early);
}

#[test]
fn the_original_is_refused_a_campaign_only_after_its_copy_took_it_over() {
    let it = Original::new(Scratch::new());
    let copy = it.restored("copy");
    assert_eq!(sends(&it.url, "c").unwrap(), 2);
    assert_eq!(sends(&copy, "c").unwrap(), 0, "all rows of the copy are unknown");
    let found = resolve(&copy, "c", false).unwrap();
    assert_eq!((found.owner_elsewhere, found.resolved, found.taken_over), (19, 0, false), "{found:?}");
    let file = taken_file(&copy, "c");
    assert!(!file.exists());
    assert_eq!(sends(&it.url, "c").unwrap(), 2);
    let mut worker = Worker::open(&it.url, "c").unwrap();
    let mut other = Worker::open(&it.url, "d").unwrap();

    let found = resolve(&copy, "c", true).unwrap();
    assert_eq!((found.resolved, found.taken_over), (19, true), "{found:?}");
    assert_eq!(fs::read_to_string(&file).unwrap().lines().nth(1), Some(copy.as_str()));
    is_taken_over(worker.claim(), &copy);
    other.claim().unwrap();
    worker.end();
    other.end();
    is_taken_over(sends(&it.url, "c"), &copy);
    // No row is under the permit of the worker that was refused.
    let rows = exported(&mut open(&it.url), "c");
    let stopped = rows.iter().filter(|row| row.reason.as_deref() == Some("stopped"));
    assert!(stopped.clone().all(|row| row.outcome == "pending"));
    assert_eq!(stopped.count(), 2);
    assert_eq!(sends(&copy, "c").unwrap(), 2);
    let again = resolve(&copy, "c", true).unwrap();
    assert_eq!((again.resolved, again.taken_over), (1, false), "{again:?}");
}

/// The identity of the original is another one by now.
#[test]
fn a_moved_original_is_refused_too() {
    let it = Original::new(Scratch::new());
    let copy = it.copy("copy");
    Journal::mark_moved(&it.url).unwrap();
    sends(&it.url, "c").unwrap();
    Journal::mark_restored(&copy, false).unwrap();
    sends(&it.url, "c").unwrap();
    resolve(&copy, "c", true).unwrap();
    is_taken_over(sends(&it.url, "c"), &copy);
    Journal::mark_moved(&it.url).unwrap();
    is_taken_over(sends(&it.url, "c"), &copy);
    assert_eq!((sends(&copy, "c").unwrap(), sends(&it.url, "d").unwrap()), (2, 2));
}

#[test]
fn of_two_restored_copies_the_last_that_took_over_sends() {
    let it = Original::new(Scratch::new());
    let [first, second] = ["first", "second"].map(|name| it.taken_over(name));
    is_taken_over(sends(&first, "c"), &second);
    is_taken_over(sends(&it.url, "c"), &second);
    assert_eq!(sends(&second, "c").unwrap(), 2);
}

pub(crate) fn age(url: &str) {
    sql(url, "UPDATE permits SET claimed_us = claimed_us - 400000000");
}

fn age_take_over(url: &str) {
    sql(url, "UPDATE campaigns SET fence = substr(fence, 1, 32) || ' 0' WHERE fence LIKE '% %'");
}

/// What the original claimed before, it sends within these six minutes.
#[test]
fn rows_are_resolved_six_minutes_after_the_take_over() {
    let it = Original::new(Scratch::new());
    let copy = it.restored("copy");
    age(&copy);
    let resolve = |rows: Option<&[u64]>| {
        campaign::resolve(&mut open(&copy), "c", Resolution::NotSent, rows, true).unwrap()
    };
    let found = resolve(Some(&[5]));
    assert_eq!((found.resolved, found.too_recent, found.taken_over), (0, 1, true), "{found:?}");
    is_taken_over(sends(&it.url, "c"), &copy);
    let found = resolve(None);
    assert_eq!((found.resolved, found.too_recent, found.taken_over), (0, 19, false), "{found:?}");
    age_take_over(&copy);
    assert_eq!(resolve(None).resolved, 19);
    assert_eq!(sends(&copy, "c").unwrap(), 2);
}

/// Rows to which the provider answered with a failure are eligible again by `retry`, without `resolve`.
#[test]
fn a_retry_of_provider_failures_needs_the_take_over() {
    let it = Original::new(Scratch::new());
    let mut worker = Worker::open(&it.url, "c").unwrap();
    let permit = crate::support::won(worker.claim().unwrap().claimed.unwrap());
    let mut failed = settlement(&permit, permit.rows[0].row, RowOutcome::Unknown);
    failed.reason = Some("provider_5xx".to_owned());
    worker.journal.exchange(&worker.id, worker.owner, &[failed], 0, None).unwrap();
    worker.end();
    age(&it.url);
    let copy = it.restored("copy");
    let reason = RetryReason::ProviderFailure;
    let retry = || campaign::retry(&mut open(&copy), "c", &reason, Duration::ZERO);
    for refused in [retry(), campaign::count_retries(&mut open(&copy), "c", &reason, Duration::ZERO)] {
        let error = refused.unwrap_err();
        assert_eq!(error.code(), "restored_copy");
        let message = error.to_string();
        let command = format!("cpaas campaign resolve c --as not-sent --owners-stopped --journal {copy}");
        assert!(message.contains(&command), "{message}");
    }
    assert_eq!(sends(&it.url, "c").unwrap(), 2, "the original is not affected");
    campaign::resolve(&mut open(&copy), "c", Resolution::NotSent, Some(&[20]), true).unwrap();
    assert_eq!(retry().unwrap(), 0, "the take-over is too recent");
    age_take_over(&copy);
    assert_eq!(retry().unwrap(), 1);
    assert_eq!(sends(&copy, "c").unwrap(), 1);
    let error = campaign::retry(&mut open(&it.url), "c", &reason, Duration::ZERO);
    is_taken_over(error, &copy);
}

#[tokio::test]
async fn a_retry_of_the_key_of_a_provider_failure_needs_the_take_over() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let once = async |url: &str, reason: Option<RetryReason>| {
        let journal = Arc::new(Mutex::new(open(url)));
        let mut options = SendOnceOptions::from(Duration::from_secs(5));
        options.retry = reason;
        let request = r#"{"from":"Acme","to":"306900000001","text":"Your order is ready"}"#;
        let client = client(sandbox.config());
        send_once(journal, &client, "order-1", "sms.send", request, options).await.map(|it| it.outcome)
    };
    let url = scratch.url();
    let fault = json!([{"match": {"op": "sms.send"}, "kind": "status", "status": 500}]);
    sandbox.set_faults(fault).await.unwrap();
    assert_eq!(once(&url, None).await.unwrap(), RowOutcome::Unknown);
    sandbox.set_faults(json!([])).await.unwrap();
    let it = Original { scratch, url };
    let copy = it.restored("copy");
    let error = once(&copy, Some(RetryReason::ProviderFailure)).await.unwrap_err();
    assert_eq!(error.code(), "restored_copy", "{error}");
    assert_eq!(sandbox.ledger().await.len(), 0);
}

/// A staging copy has campaigns of its own.
#[test]
fn other_campaigns_of_the_original_run_on() {
    let it = Original::new(Scratch::new());
    let staging = it.restored("staging");
    create(&mut open(&staging), "new", ROWS, Settings::default());
    assert_eq!(sends(&staging, "new").unwrap(), 2);
    let found = resolve(&staging, "new", false).unwrap();
    assert_eq!((found.resolved, found.taken_over), (1, false), "{found:?}");
    assert!(["c", "d", "new"].iter().all(|name| !taken_file(&staging, name).exists()));
    for name in ["c", "d"] {
        assert_eq!(sends(&it.url, name).unwrap(), 2);
    }
    // Nothing to resolve, so nothing is taken over.
    campaign::resolve(&mut open(&staging), "c", Resolution::Accepted, None, false).unwrap();
    let found = resolve(&staging, "c", true).unwrap();
    assert_eq!((found.resolved, found.taken_over), (0, false), "{found:?}");
    assert_eq!(sends(&it.url, "c").unwrap(), 2);
}

/// A backup is tried, with all commands that read, while the journal is used. The copy has the owners of the original.
#[test]
fn a_drill_beside_a_running_worker_changes_nothing_for_the_original() {
    let it = Original::new(Scratch::file());
    let mut worker = Worker::open(&it.url, "c").unwrap();
    worker.claim().unwrap();
    let copy = it.copy("copy");
    assert!(matches!(Journal::mark_moved(&copy), Err(Error::InUse)), "it would stop the worker");
    for _ in 0..2 {
        Journal::mark_restored(&copy, false).unwrap();
        let mut journal = open(&copy);
        assert_eq!(status(&mut journal, "c").unwrap().unknown, 19);
        assert_eq!(exported(&mut journal, "c").len(), 20);
    }
    worker.claim().unwrap();
    assert!(matches!(Journal::mark_restored(&it.url, false), Err(Error::InUse)), "in its place");
    worker.end();
    Journal::mark_moved(&it.url).unwrap();
    assert_eq!(sends(&it.url, "c").unwrap(), 2);
    assert!(!taken_file(&it.url, "c").exists());
}

/// The copy knows the worker, whose rows may be on their way.
#[test]
fn a_take_over_resolves_no_row_of_a_worker_that_lives_here() {
    let it = Original::new(Scratch::file());
    let mut worker = Worker::open(&it.url, "c").unwrap();
    worker.claim().unwrap();
    let copy = it.restored("copy");
    let found = resolve(&copy, "c", true).unwrap();
    assert_eq!((found.owner_alive, found.resolved, found.taken_over), (2, 17, true), "{found:?}");
    is_taken_over(worker.claim(), &copy);
    worker.end();
    // Where all unknown rows have such a worker, the original keeps the campaign.
    let mut worker = Worker::open(&it.url, "d").unwrap();
    for _ in 0..10 {
        worker.claim().unwrap();
    }
    let copy = it.restored("other");
    let found = resolve(&copy, "d", true).unwrap();
    assert_eq!((found.owner_alive, found.resolved, found.taken_over), (20, 0, false), "{found:?}");
    worker.end();
    assert!(!taken_file(&copy, "d").exists());
}

#[test]
fn the_original_takes_a_campaign_back() {
    let it = Original::new(Scratch::new());
    let copy = it.taken_over("copy");
    sends(&copy, "c").unwrap();
    is_taken_over(sends(&it.url, "c"), &copy);
    let keeps = it.url.starts_with("postgres:");
    Journal::mark_restored(&it.url, false).unwrap();
    assert_eq!(resolve(&it.url, "c", false).unwrap().owner_elsewhere, 19);
    assert!(resolve(&it.url, "c", true).unwrap().taken_over);
    assert_eq!(sends(&it.url, "c").unwrap(), 2);
    is_taken_over(sends(&copy, "c"), &it.url);
    // Campaigns that no copy took over are its own, where that is certain.
    assert_eq!(resolve(&it.url, "d", false).unwrap().resolved > 0, !keeps);
}

/// Only a file is certainly in its place: a clone of a server looks the same.
#[test]
fn restored_in_place_keeps_what_it_has() {
    let it = Original::new(Scratch::file());
    let url = it.scratch.url_of_file();
    Journal::mark_restored(&url, false).unwrap();
    let found = resolve(&url, "c", false).unwrap();
    assert_eq!((found.resolved, found.taken_over), (19, false), "{found:?}");
    let copy = it.taken_over("copy");
    sends(&copy, "c").unwrap();
    for _ in 0..2 {
        Journal::mark_restored(&copy, false).unwrap();
    }
    let found = resolve(&copy, "c", false).unwrap();
    assert!(found.resolved > 0 && !found.taken_over, "{found:?}");
    assert_eq!(sends(&copy, "c").unwrap(), 2);
    let moved = it.scratch.folder.path().join("moved");
    fs::create_dir(&moved).unwrap();
    let moved = moved.join("other.db");
    for suffix in ["", "-wal", "-lock"] {
        let _ = fs::rename(format!("{copy}{suffix}"), suffixed(&moved, suffix));
    }
    assert_eq!(sends(moved.to_str().unwrap(), "c").unwrap(), 2, "moved to another folder");
    is_taken_over(sends(&url, "c"), moved.to_str().unwrap());
}

#[test]
fn a_copy_of_a_copy_takes_over_from_both() {
    let it = Original::new(Scratch::new());
    let first = it.taken_over("first");
    sends(&first, "c").unwrap();
    let second = it.copy_of(&first, "second");
    Journal::mark_restored(&second, false).unwrap();
    assert_eq!(sends(&first, "c").unwrap(), 2);
    assert_eq!(resolve(&second, "c", false).unwrap().resolved, 0);
    assert!(resolve(&second, "c", true).unwrap().taken_over);
    assert_eq!(sends(&second, "c").unwrap(), 2);
    is_taken_over(sends(&first, "c"), &second);
    is_taken_over(sends(&it.url, "c"), &second);
}

#[test]
fn of_concurrent_take_overs_one_sends() {
    let it = Original::new(Scratch::file());
    let copies: Vec<String> = (0..8).map(|number| it.restored(&format!("copy{number}"))).collect();
    let barrier = Barrier::new(copies.len());
    let sent: Vec<usize> = std::thread::scope(|scope| {
        let send = |copy: &String| {
            barrier.wait();
            assert!(resolve(copy, "c", true).unwrap().taken_over);
            barrier.wait();
            sends(copy, "c").unwrap_or_default()
        };
        let threads: Vec<_> = copies.iter().map(|copy| scope.spawn(move || send(copy))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(sent.iter().filter(|rows| **rows == 2).count(), 1, "{sent:?}");
    assert_eq!(sent.iter().sum::<usize>(), 2, "{sent:?}");
}

/// Two commands on one copy: the copy has the campaign, and not only one of the commands.
#[test]
fn concurrent_take_overs_of_one_copy_agree() {
    let it = Original::new(Scratch::new());
    let copy = it.restored("copy");
    let barrier = Barrier::new(4);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                barrier.wait();
                resolve(&copy, "c", true).unwrap();
            });
        }
    });
    assert_eq!(sends(&copy, "c").unwrap(), 2);
}

/// The command of the tests below; not a test by itself.
#[test]
#[ignore = "runs in a process of its own"]
fn resolving_process() {
    let Ok(url) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    resolve(&url, "c", true).unwrap();
}

#[test]
#[ignore = "needs strace; tests/suites/campaign"]
fn a_take_over_that_is_killed_at_any_write_leaves_one_sender() {
    for call in ["pwrite64", "rename", "renameat", "renameat2", "fsync"] {
        let mut step = 0;
        loop {
            step += 1;
            let it = Original::new(Scratch::file());
            let copy = it.restored("copy");
            let mut worker = Worker::open(&it.url, "c").unwrap();
            let mut command = std::process::Command::new("strace");
            command
                .args(["-f", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e"])
                .arg(format!("inject={call}:signal=SIGKILL:when={step}"))
                .arg(std::env::current_exe().unwrap())
                .args(["--exact", "copies::resolving_process", "--ignored"])
                .env("CAMPAIGN_JOURNAL", &copy)
                .stdout(std::process::Stdio::null());
            let was_killed = !command.status().unwrap().success();
            let original = worker.claim().is_ok();
            worker.end();
            let copy_sends = sends(&copy, "c").is_ok_and(|rows| rows > 0);
            assert!(!(original && copy_sends), "{call} {step}");
            // The command is repeated, and works then.
            resolve(&copy, "c", true).unwrap();
            assert!(sends(&copy, "c").unwrap() > 0, "{call} {step}");
            is_taken_over(sends(&it.url, "c"), &copy);
            if !was_killed {
                break;
            }
            assert!(step < 500, "{call}");
        }
    }
}

/// The commands of the test below; not a test by itself.
#[test]
#[ignore = "runs in a process of its own"]
fn process_without_a_state_folder() {
    if std::env::var_os("CAMPAIGN_NO_STATE").is_none() {
        return;
    }
    assert!(cpaas_campaign::journal::state_folder_problem().is_some());
    let it = Original::new(Scratch::file());
    let moved = it.copy("moved");
    let copy = it.taken_over("copy");
    // Nothing is known, so nothing is refused.
    assert_eq!((sends(&copy, "c").unwrap(), sends(&it.url, "c").unwrap()), (2, 2));
    Journal::mark_moved(&moved).unwrap();
    assert_eq!((sends(&moved, "c").unwrap(), sends(&it.url, "d").unwrap()), (2, 2));
    for url in [&copy, &moved, &it.url] {
        Journal::mark_moved(url).unwrap();
        Journal::mark_restored(url, false).unwrap();
        resolve(url, "c", true).unwrap();
        assert!(sends(url, "c").unwrap() > 0);
    }
}

/// A container without a home, or with one that cannot be written: all commands work as they do today.
#[test]
fn without_a_state_folder_nothing_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for (name, value) in [("XDG_STATE_HOME", file.as_path()), ("HOME", &file), ("HOME", Path::new(""))] {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "copies::process_without_a_state_folder", "--ignored"])
            .env_remove("XDG_STATE_HOME")
            .env(name, value)
            .env("CAMPAIGN_NO_STATE", "1");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// The state folder came back empty, or is that of another machine to which the copy was moved: the copy has the campaign.
#[test]
fn a_token_that_the_state_folder_has_lost_is_written_again() {
    let it = Original::new(Scratch::new());
    let copy = it.taken_over("copy");
    let file = taken_file(&copy, "c");
    fs::remove_file(&file).unwrap();
    assert_eq!(sends(&copy, "c").unwrap(), 2);
    assert!(file.exists());
    is_taken_over(sends(&it.url, "c"), &copy);
    // The copy is deleted, and the operator does what the message says.
    fs::remove_file(&file).unwrap();
    assert_eq!(sends(&it.url, "c").unwrap(), 2);
}

const DEADLINE: Duration = Duration::from_secs(5);

pub(crate) async fn once(sandbox: &Sandbox, url: &str, key: &str) -> Result<RowOutcome, Error> {
    let journal = Arc::new(Mutex::new(open(url)));
    let request = r#"{"from":"Acme","to":"306900000001","text":"Your order is ready"}"#;
    let client = client(sandbox.config());
    send_once(journal, &client, key, "sms.send", request, DEADLINE).await.map(|it| it.outcome)
}

#[track_caller]
pub(crate) fn are_taken_over(result: Result<RowOutcome, Error>, by: &str) {
    let error = result.unwrap_err();
    assert!(matches!(&error, Error::KeysTakenOver { by: found, .. } if found == by), "{error}");
    assert_eq!(error.code(), "taken_over");
    assert!(error.to_string().contains(by), "{error}");
}

/// A key that is new in two copies would be sent twice.
#[tokio::test]
async fn keys_are_accepted_by_one_copy() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let it = Original::new(Scratch::new());
    once(&sandbox, &it.url, "old").await.unwrap();
    let copy = it.copy("copy");
    Journal::mark_restored(&copy, false).unwrap();
    let error = once(&sandbox, &copy, "new-1").await.unwrap_err();
    assert_eq!(error.code(), "keys_lost");
    let command = format!("cpaas campaign restored --journal {copy} --forget-keys");
    assert!(error.to_string().contains(&command), "{error}");
    once(&sandbox, &it.url, "new-1").await.unwrap();

    assert!(Journal::mark_restored(&copy, true).unwrap().accepts_keys);
    assert_eq!(once(&sandbox, &copy, "new-2").await.unwrap(), RowOutcome::Accepted);
    are_taken_over(once(&sandbox, &it.url, "new-2").await, &copy);
    assert_eq!(once(&sandbox, &it.url, "old").await.unwrap(), RowOutcome::Accepted, "its outcome is known");
    let moved = it.copy("moved");
    Journal::mark_moved(&moved).unwrap();
    are_taken_over(once(&sandbox, &moved, "new-3").await, &copy);
    // The other way round.
    assert!(Journal::mark_restored(&moved, true).unwrap().accepts_keys);
    assert_eq!(once(&sandbox, &moved, "new-4").await.unwrap(), RowOutcome::Accepted);
    are_taken_over(once(&sandbox, &copy, "new-4").await, &moved);
    assert_eq!(sandbox.ledger().await.len(), 4);
}

/// A key that is not sent yet: the copy may have got it as a new one.
#[tokio::test]
async fn a_key_that_is_free_is_refused_too() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let it = Original::new(Scratch::new());
    let copy = it.copy("copy");
    // Nothing listens there, so nothing was sent.
    let journal = Arc::new(Mutex::new(open(&it.url)));
    let request = r#"{"from":"Acme","to":"306900000001","text":"Your order is ready"}"#;
    let closed = client(sandbox.config().sms_url("http://127.0.0.1:1"));
    let mut options = SendOnceOptions::from(DEADLINE);
    options.any_provider = true;
    let sent = send_once(journal, &closed, "key", "sms.send", request, options).await.unwrap();
    assert_eq!(sent.outcome, RowOutcome::NotSent);
    Journal::mark_restored(&copy, true).unwrap();
    assert_eq!(once(&sandbox, &copy, "key").await.unwrap(), RowOutcome::Accepted);
    let journal = Arc::new(Mutex::new(open(&it.url)));
    let mut options = SendOnceOptions::from(DEADLINE);
    options.any_provider = true;
    let again = send_once(journal, &client(sandbox.config()), "key", "sms.send", request, options).await;
    are_taken_over(again.map(|it| it.outcome), &copy);
    assert_eq!(sandbox.ledger().await.len(), 1);
}

#[tokio::test]
async fn keys_are_forgotten_without_a_change_of_rows() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let it = Original::new(Scratch::new());
    let copy = it.taken_over("copy");
    sends(&copy, "c").unwrap();
    let before = status(&mut open(&copy), "c").unwrap();
    let found = Journal::mark_restored(&copy, true).unwrap();
    assert_eq!((found.unknown, found.campaigns, found.keys, found.accepts_keys), (0, 0, 0, true));
    assert_eq!(status(&mut open(&copy), "c").unwrap(), before);
    assert_eq!(sends(&copy, "c").unwrap(), 2);
    once(&sandbox, &copy, "new").await.unwrap();
    // Nothing to forget, for example because two operators followed the same message.
    let found = Journal::mark_restored(&copy, true).unwrap();
    assert_eq!((found.unknown, found.accepts_keys), (0, true));
    once(&sandbox, &copy, "newer").await.unwrap();
}
