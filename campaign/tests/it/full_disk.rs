//! A full disk under a journal in SQLite and in Postgres. The tests mount a small disk, which requires root.
//! `tests/suites/campaign` sets `CAMPAIGN_TEST_POSTGRES_BIN`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

#[cfg(feature = "postgres")]
use crate::support::cluster::{Cluster, make_writable_by_server};
use crate::support::{assert_adds_up, client, create, exported, messages, open, rows, sent};
use cpaas::Config;
use cpaas_campaign::Error;
use cpaas_campaign::blocking;
use cpaas_campaign::campaign::status;
use cpaas_campaign::journal::{Journal, Settings};
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::Sandbox;

/// A file system in memory with a fixed size.
struct Disk(tempfile::TempDir);

impl Disk {
    fn mount(size: &str) -> Self {
        let disk = Self(tempfile::tempdir().unwrap());
        disk.run("mount", &["-t", "tmpfs", "-o", &format!("size={size},mode=755"), "tmpfs"]);
        disk
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        assert!(Command::new(program).args(arguments).arg(self.path()).status().unwrap().success());
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn ballast(&self) -> PathBuf {
        self.path().join("ballast")
    }

    /// Uses all space that is left.
    fn fill(&self) {
        let mut file = std::fs::File::create(self.ballast()).unwrap();
        while file.write_all(&[1; 4096]).is_ok() {}
    }

    fn free(&self) {
        std::fs::remove_file(self.ballast()).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: a server may still have files open.
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

/// A rate at which the rows take four seconds: the worker cannot end before the disk is full.
fn slow() -> Settings {
    let mut settings = Settings::default();
    settings.rate = Some(1_000.0);
    settings
}

/// Runs until the disk is full, which must end the worker with an error.
async fn run_until_full(disk: &Disk, journal: Journal, sandbox: &Sandbox) -> Error {
    let client = client(sandbox.config());
    let worker =
        tokio::spawn(async move { run(journal, "full", &client, RunOptions::default()).await.map(|_| ()) });
    while sandbox.ledger().await.len() < 500 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    disk.fill();
    worker.await.unwrap().expect_err("the worker must end").error
}

/// Runs the campaign to its end after space was freed. The ledger must not have a row twice.
async fn finish_and_check(journal: Journal, sandbox: &Sandbox, all: u64) {
    let client = client(sandbox.config());
    let running = run(journal, "full", &client, RunOptions::default());
    let ended = tokio::time::timeout(Duration::from_secs(120), running).await;
    let (end, mut journal) = ended.expect("no row of the first worker may stay in flight").unwrap();
    let found = status(&mut journal, "full").unwrap();
    assert_adds_up(&found);
    assert_eq!((end, found.pending, found.in_flight), (RunEnd::Done, 0, 0), "{found:?}");
    assert_eq!(found.accepted + found.unknown, i64::try_from(all).unwrap(), "{found:?}");
    let sent = sent(&sandbox.ledger().await);
    assert!(sent.values().all(|count| *count == 1));
    for row in exported(&mut journal, "full") {
        let is_sent = sent.contains_key(&row.recipients[0]);
        assert!(row.outcome == "unknown" || row.outcome == "accepted" && is_sent, "{}", row.outcome);
    }
    println!("{} rows: {} accepted, {} unknown", found.rows, found.accepted, found.unknown);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "mounts a file system; tests/suites/campaign"]
async fn a_full_disk_under_sqlite_ends_the_worker_and_the_campaign_continues() {
    const ROWS: u64 = 4_000;
    let sandbox = Sandbox::builder().start().await.unwrap();
    let disk = Disk::mount("64m");
    let url = disk.path().join("campaign.db").display().to_string();
    let mut journal = open(&url);
    create(&mut journal, "full", ROWS, slow());
    let error = run_until_full(&disk, journal, &sandbox).await;
    assert!(matches!(error, Error::DiskFull), "{error}");
    assert!(error.to_string().contains("the disk of the journal is full"), "{error}");
    disk.free();
    finish_and_check(open(&url), &sandbox, ROWS).await;
}

struct KilledOnDrop(Child);

impl Drop for KilledOnDrop {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// The program of a worker process that survives a full disk; not a test by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "runs in a process of its own"]
async fn surviving_worker() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let client = client(Config::from_env().unwrap());
    let error = run(open(&journal), "full", &client, RunOptions::default()).await.map(|_| ()).unwrap_err();
    assert!(matches!(error.error, Error::DiskFull), "{error}");
    std::fs::write(std::env::var("CAMPAIGN_ENDED").unwrap(), "").unwrap();
    std::thread::sleep(Duration::from_secs(600));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "mounts a file system; tests/suites/campaign"]
async fn rows_of_a_process_that_survives_a_full_disk_are_unknown_for_other_processes() {
    const ROWS: u64 = 4_000;
    let sandbox = Sandbox::builder().start().await.unwrap();
    let (disk, elsewhere) = (Disk::mount("64m"), tempfile::tempdir().unwrap());
    let ended = elsewhere.path().join("ended");
    let url = disk.path().join("campaign.db").display().to_string();
    let mut journal = open(&url);
    create(&mut journal, "full", ROWS, Settings::default());
    let config = sandbox.config();
    let worker = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "full_disk::surviving_worker", "--ignored"])
        .env("CAMPAIGN_JOURNAL", &url)
        .env("CAMPAIGN_ENDED", &ended)
        .env("CPAAS_SMS_URL", config.sms_url.unwrap())
        .env("CPAAS_SMS_KEY", config.sms_key.or(config.api_key).unwrap().expose())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut worker = KilledOnDrop(worker);
    while sandbox.ledger().await.len() < 500 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    disk.fill();
    while !ended.exists() {
        assert!(worker.0.try_wait().unwrap().is_none(), "the worker must report the full disk");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    disk.free();
    let found = status(&mut journal, "full").unwrap();
    assert_adds_up(&found);
    assert_eq!(found.in_flight, 0, "{found:?}");
    finish_and_check(journal, &sandbox, ROWS).await;
    assert!(worker.0.try_wait().unwrap().is_none(), "the first process must still be running");
}

/// The journal is full for everybody: for the caller that sends, for one that waits for it, and for one with another key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "mounts a file system; tests/suites/campaign"]
async fn a_full_disk_does_not_outlast_the_deadline_of_send_once() {
    const REQUEST: &str = r#"{"from":"Acme","to":"306900000001","text":"Your code is ready"}"#;
    let sandbox = Sandbox::builder().start().await.unwrap();
    sandbox.set_faults(serde_json::json!([{"kind": "latency", "ms": 1500}])).await.unwrap();
    let disk = Disk::mount("4m");
    let url = disk.path().join("campaign.db").display().to_string();
    let client = client(sandbox.config());
    let once_with = async |journal: Journal, key: &'static str, deadline: u64| {
        let journal = std::sync::Arc::new(std::sync::Mutex::new(journal));
        let (began, deadline) = (std::time::Instant::now(), Duration::from_secs(deadline));
        let sent = cpaas_campaign::send_once(journal, &client, key, "sms.send", REQUEST, deadline).await;
        assert!(began.elapsed() < deadline + Duration::from_secs(3), "{:?} of {deadline:?}", began.elapsed());
        sent.map(|sent| sent.outcome.as_str()).map_err(|error| error.code())
    };
    let once = async |key, deadline| once_with(open(&url), key, deadline).await;
    // A journal that is closed truncates its log, so the others are opened before the disk is full.
    let other = open(&url);
    let fills = async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        disk.fill();
    };
    // The other caller comes while the first one waits for the response.
    let waits = async {
        tokio::time::sleep(Duration::from_millis(350)).await;
        once("a", 3).await
    };
    let (holder, waiting, ()) = tokio::join!(once("a", 6), waits, fills);
    assert_eq!(holder, Ok("accepted"), "its outcome is known although it cannot be stored");
    assert!(matches!(waiting, Ok("accepted" | "unknown")), "{waiting:?}");
    disk.fill();
    assert_eq!(once_with(other, "b", 3).await, Err("disk_full"));
    assert_eq!(sandbox.ledger().await.len(), 1);
    disk.free();
    let again = once("a", 3).await;
    assert!(matches!(again, Ok("accepted" | "unknown")), "never sent again: {again:?}");
    assert_eq!(once("b", 6).await, Ok("accepted"));
    assert_eq!(sandbox.ledger().await.len(), 2);
}

#[test]
#[ignore = "mounts a file system; tests/suites/campaign"]
fn a_creation_that_fills_the_disk_leaves_no_campaign() {
    let disk = Disk::mount("2m");
    let mut journal = open(&disk.path().join("campaign.db").display().to_string());
    let created =
        blocking::create(&mut journal, "full", &mut rows(500_000), &messages(), Settings::default(), None);
    let error = created.unwrap_err();
    assert!(matches!(error, Error::DiskFull), "{error}");
    disk.run("mount", &["-o", "remount,size=64m"]);
    // The name is free.
    create(&mut journal, "full", 5, Settings::default());
    assert_eq!(status(&mut journal, "full").unwrap().pending, 5);
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "mounts a file system and starts a server; tests/suites/campaign"]
async fn a_full_disk_under_postgres_ends_the_worker_and_the_campaign_continues() {
    const ROWS: u64 = 4_000;
    let sandbox = Sandbox::builder().start().await.unwrap();
    let disk = Disk::mount("128m");
    make_writable_by_server(disk.path());
    let server = Cluster::start(disk.path());
    server.query("CREATE DATABASE campaigns");
    let mut journal = open(&server.url("campaigns"));
    create(&mut journal, "full", ROWS, slow());
    let error = run_until_full(&disk, journal, &sandbox).await;
    // A Postgres server that cannot write its write-ahead log shuts down.
    assert!(matches!(error, Error::DiskFull | Error::Journal(..)), "{error}");
    println!("the worker ended: {error}");
    disk.free();
    server.stop("fast");
    server.run();
    finish_and_check(open(&server.url("campaigns")), &sandbox, ROWS).await;
}
