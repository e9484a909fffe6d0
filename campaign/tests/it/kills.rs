//! Worker processes are killed at random moments; the sandbox's ledger shows that no row was sent twice or lost.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Scratch, assert_adds_up, client, create, open, sent_by_pages};
use cpaas::Config;
use cpaas_campaign::campaign::{export, status};
use cpaas_campaign::journal::Settings;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::BlockingSandbox;
use serde_json::json;

pub(crate) const CONCURRENCY: u64 = 16;

/// A number from the environment: `CAMPAIGN_ROWS`, `CAMPAIGN_KILLS` or `CAMPAIGN_WORKERS`.
pub(crate) fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// The program of a worker process; not a test by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "runs in a process of its own"]
async fn worker_process() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let config = Config::from_env().unwrap();
    let options = RunOptions::default().concurrency(usize::try_from(CONCURRENCY).unwrap());
    let (end, _) = run(open(&journal), "kills", &client(config), options).await.unwrap();
    std::io::stderr().write_all(format!("ended {end:?}\n").as_bytes()).unwrap();
    assert!(matches!(end, RunEnd::Done | RunEnd::Halted), "{end:?}");
}

fn start_worker(journal: &str, sandbox: &BlockingSandbox) -> Child {
    worker_command(journal, sandbox).spawn().unwrap()
}

/// The command of a worker of the campaign `kills`.
pub(crate) fn worker_command(journal: &str, sandbox: &BlockingSandbox) -> Command {
    let config = sandbox.config();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "kills::worker_process", "--ignored", "--nocapture"])
        .env("CAMPAIGN_JOURNAL", journal)
        .env("CPAAS_SMS_URL", config.sms_url.unwrap())
        .env("CPAAS_SMS_KEY", config.sms_key.or(config.api_key).unwrap().expose())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Random numbers with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

#[test]
fn killed_workers_send_no_row_twice_and_lose_none() {
    let (rows, kills) = (number("CAMPAIGN_ROWS", 10_000), number("CAMPAIGN_KILLS", 20));
    let scratch = Scratch::new();
    kill_workers(&scratch.url(), rows, kills, number("CAMPAIGN_WORKERS", 2));
}

/// Sends a campaign of the journal `path` while worker processes are killed, and compares its rows with the ledger.
pub(crate) fn kill_workers(path: &str, all_rows: u64, all_kills: u64, worker_count: u64) {
    let sandbox = cpaas_sandbox::Sandbox::builder().seed(11).start_blocking().unwrap();
    // One request in five has a fault. The faults that count as an outage stay below its threshold, one in five for long.
    let kinds = [
        ("reset-after-read", 0.025),
        ("accept-then-5xx", 0.025),
        ("reset-before-read", 0.025),
        ("close-before-read", 0.025),
        ("duplicate-answer", 0.05),
        ("latency", 0.05),
    ];
    let rules: Vec<_> = kinds
        .iter()
        .map(|(kind, probability)| json!({"kind": kind, "probability": probability, "seed": 5, "ms": 20}))
        .collect();
    sandbox.set_faults(json!(rules)).unwrap();
    let mut journal = open(path);
    create(&mut journal, "kills", all_rows, Settings::default());
    let mut random = Random(42);
    let mut workers: Vec<Child> = (0..worker_count).map(|_| start_worker(path, &sandbox)).collect();
    // Each kill waits until a number of rows was claimed, so that all kills happen while the campaign is being sent.
    let mut moments: Vec<u64> = (0..all_kills).map(|_| random.below(all_rows * 9 / 10)).collect();
    moments.sort_unstable();
    let began = Instant::now();
    for moment in moments {
        loop {
            let found = status(&mut journal, "kills").unwrap();
            assert_adds_up(&found);
            assert_ne!(found.state, "halted", "{found:?}");
            if found.rows - found.pending >= i64::try_from(moment).unwrap() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        std::thread::sleep(Duration::from_millis(random.below(60)));
        let victim = random.below(worker_count) as usize;
        workers[victim].kill().unwrap();
        workers[victim].wait().unwrap();
        workers[victim] = start_worker(path, &sandbox);
    }
    for mut worker in workers {
        assert!(worker.wait().unwrap().success());
    }
    let found = status(&mut journal, "kills").unwrap();
    let seconds = began.elapsed().as_secs();
    let backend = if path.starts_with("postgres") { "postgres" } else { "sqlite" };
    println!(
        "{backend}: {all_rows} rows, {worker_count} workers, {all_kills} kills in {seconds} s: {found:?}"
    );
    assert_adds_up(&found);
    assert_eq!((found.state, found.pending, found.in_flight), ("done", 0, 0));
    let sent = sent_by_pages(&sandbox);
    let twice = sent.values().filter(|count| **count > 1).count();
    assert_eq!(twice, 0, "rows sent twice");
    let (mut rows, mut by_kills, mut never_sent) = (0, 0, 0);
    export(&mut journal, "kills", |row| {
        rows += 1;
        let is_sent = sent.contains_key(&row.recipients[0]);
        match row.outcome {
            "accepted" => assert!(is_sent),
            // A stored reason means that the owner was not killed: the row is unknown because of a fault.
            "unknown" if row.reason.is_some() => {}
            "unknown" => {
                by_kills += 1;
                never_sent += u64::from(!is_sent);
            }
            other => panic!("{other}, sent: {is_sent}"),
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(rows, all_rows);
    println!(
        "{backend}: 0 rows sent twice; {by_kills} unknown because of kills, {never_sent} of these never sent"
    );
    assert!(by_kills <= all_kills * (CONCURRENCY + 32), "{by_kills} unknown rows after {all_kills} kills");
    assert!(never_sent <= all_kills * 32, "{never_sent} unknown rows were never sent");
}
