//! Measures the memory of the creation, from an iterator and from a stream, and of the run of a campaign with `CAMPAIGN_ROWS` rows
//! (1,000,000 by default). `tests/nightly/campaign` prints the figures.

use std::process::{Child, Command, Stdio};

use crate::support::{Scratch, client, create, messages, open, phone};
use cpaas::Config;
use cpaas_campaign::Columns;
use cpaas_campaign::campaign::{create_from_stream, status};
use cpaas_campaign::journal::Settings;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use futures_util::stream::{self, Stream};
use serde_json::json;

fn rows() -> u64 {
    std::env::var("CAMPAIGN_ROWS").map_or(1_000_000, |rows| rows.parse().unwrap())
}

/// The peak resident memory of this process, in kB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Bytes of each row of a stream that the messages do not use.
const NOTE: usize = 2000;

/// Rows of which each has a large column, ready faster than they are stored.
fn large_rows(count: u64) -> impl Stream<Item = Result<Columns, std::io::Error>> {
    stream::iter((0..count).map(|row| {
        let row = json!({"phone": phone(row), "name": "Ann", "note": "x".repeat(NOTE)});
        Ok(row.as_object().unwrap().clone())
    }))
}

/// The program of the process that creates or runs the campaign; not a test by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "runs in a process of its own"]
async fn process() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let began = std::time::Instant::now();
    let step = std::env::var("CAMPAIGN_STEP").unwrap();
    let mut journal = open(&journal);
    match step.as_str() {
        "create" => drop(create(&mut journal, "memory", rows(), Settings::default())),
        "stream" => {
            let before = peak_memory();
            let created =
                create_from_stream(journal, "stream", large_rows(rows()), messages(), Settings::default());
            let (_, mut journal) = created.await.unwrap();
            assert_eq!(status(&mut journal, "stream").unwrap().rows, i64::try_from(rows()).unwrap());
            let (growth, all) = ((peak_memory() - before) / 1024, rows() * NOTE as u64 / 1_048_576);
            println!("stream of {} rows, {all} MB of text: {growth} MB more", rows());
            assert!(growth < 96.min(all / 2), "the rows of the stream must not be collected");
        }
        _ => {
            let options = RunOptions::default();
            let client = client(Config::from_env().unwrap());
            assert_eq!(run(journal, "memory", &client, options).await.unwrap().0, RunEnd::Done);
        }
    }
    println!("{step} of {} rows: {} MB, {} s", rows(), peak_memory() / 1024, began.elapsed().as_secs());
    assert!(peak_memory() < 1024 * 1024, "memory must stay below 1 GB");
}

/// The command of a process of its own.
fn command(scratch: &Scratch, step: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "memory::process", "--ignored", "--nocapture"])
        .env("CAMPAIGN_JOURNAL", scratch.url())
        .env("CAMPAIGN_STEP", step)
        .stdout(Stdio::inherit());
    command
}

/// `CAMPAIGN_ROWS` is 1,000,000 for the figures.
#[test]
fn memory_of_a_creation_from_a_stream_is_bounded() {
    let scratch = Scratch::new();
    let rows = std::env::var("CAMPAIGN_ROWS").unwrap_or_else(|_| "40000".to_owned());
    let mut process = command(&scratch, "stream");
    assert!(process.env("CAMPAIGN_ROWS", rows).status().unwrap().success());
}

#[test]
#[ignore = "a measurement"]
fn memory_of_a_large_campaign() {
    let scratch = Scratch::new();
    let ledger = scratch.folder.path().join("ledger").display().to_string();
    let sandbox = cpaas_sandbox::Sandbox::builder().set("db", &ledger).unwrap();
    let sandbox = sandbox.start_blocking().unwrap();
    let before = peak_memory();
    let config = sandbox.config();
    for step in ["create", "run"] {
        let process: Child = command(&scratch, step)
            .env("CPAAS_SMS_URL", config.sms_url.clone().unwrap())
            .env("CPAAS_SMS_KEY", config.sms_key.clone().or(config.api_key.clone()).unwrap().expose())
            .spawn()
            .unwrap();
        assert!(process.wait_with_output().unwrap().status.success());
    }
    let found = status(&mut scratch.journal(), "memory").unwrap();
    assert_eq!(found.accepted, i64::try_from(rows()).unwrap());
    println!(
        "the sandbox with its ledger in a file: {} MB before, {} MB after",
        before / 1024,
        peak_memory() / 1024
    );
    let size = std::fs::metadata(scratch.path()).map_or(0, |found| found.len());
    println!("journal: {} bytes a row", size / rows());
}
