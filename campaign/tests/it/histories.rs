//! Records histories of campaigns whose workers are killed: claims, sends, settlements, and what a reader of the journal sees, each with the
//! time between which it happened. `tests/nightly/linearizability` records them, and `tests/linearizability` checks them.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::support::{Scratch, client, create, open, phone, sent_by_pages};
use cpaas::Config;
use cpaas_campaign::campaign::{export, reference, status};
use cpaas_campaign::journal::{Journal, Settings};
use cpaas_campaign::protocol::Permit;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::{BlockingSandbox, Sandbox};
use rusqlite::Connection;
use serde_json::{Value, json};

const ROWS: u64 = 12;
const WORKERS: u64 = 3;
const KILLS: u64 = 2;
/// At most this many permits name one row.
const ATTEMPTS: u16 = 16;
/// A reader that sees the same state again adds nothing, so only changes are recorded, and at most this many.
const READS: usize = 8;

fn now_us() -> u64 {
    u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros()).unwrap()
}

/// The program of a worker process, which writes a line for each request and each outcome of its calls; not a test by itself.
#[tokio::test]
#[ignore = "runs in a process of its own"]
async fn traced_worker() {
    let Ok(journal) = std::env::var("CAMPAIGN_JOURNAL") else { return };
    let trace = std::env::var_os("CAMPAIGN_TRACE").unwrap();
    let lines =
        std::sync::Arc::new(Mutex::new(OpenOptions::new().append(true).create(true).open(trace).unwrap()));
    let write = move |line: String| lines.lock().unwrap().write_all(line.as_bytes()).unwrap();
    let write_outcome = write.clone();
    let client = client(Config::from_env().unwrap())
        .on_request(move |request| write(format!("request {} - {}\n", request.call_id, now_us())))
        .on_outcome(move |event| {
            let ending = format!("{}/{}", event.ending.as_str(), event.reference.unwrap_or_default());
            write_outcome(format!("outcome {} {ending} {}\n", event.call_id, now_us()));
        });
    let (end, _) = run(open(&journal), "kills", &client, RunOptions::default().concurrency(2)).await.unwrap();
    assert_eq!(end, RunEnd::Done);
}

/// Random numbers with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A campaign that is being recorded.
struct Recorded {
    scratch: Scratch,
    sandbox: BlockingSandbox,
    journal: Journal,
    id: String,
    /// The operations of each row.
    operations: Vec<Vec<Value>>,
    seen: Vec<(&'static str, usize)>,
}

/// An operation that happened between two moments; without `to`, perhaps later or not at all.
fn operation(name: &str, value: Value, from: u64, to: Option<u64>) -> Value {
    json!({"op": name, "value": value, "from": from, "to": to})
}

impl Recorded {
    fn new(seed: u64) -> Self {
        let sandbox = Sandbox::builder().seed(seed).start_blocking().unwrap();
        let faults: Vec<_> = ["reset-after-read", "accept-then-5xx", "close-before-read", "latency"]
            .iter()
            .map(|kind| json!({"kind": kind, "probability": 0.08, "seed": seed, "ms": 5}))
            .collect();
        sandbox.set_faults(json!(faults)).unwrap();
        let scratch = Scratch::file();
        let mut journal = scratch.journal();
        let id = create(&mut journal, "kills", ROWS, Settings::default());
        let rows = usize::try_from(ROWS).unwrap();
        Self { scratch, sandbox, journal, id, operations: vec![Vec::new(); rows], seen: vec![("", 0); rows] }
    }

    fn start_worker(&self) -> Child {
        let config = self.sandbox.config();
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "histories::traced_worker", "--ignored", "--nocapture"])
            .env("CAMPAIGN_JOURNAL", self.scratch.url_of_file())
            .env("CAMPAIGN_TRACE", self.trace())
            .env("CPAAS_SMS_URL", config.sms_url.unwrap())
            .env("CPAAS_SMS_KEY", config.sms_key.or(config.api_key).unwrap().expose())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// All workers of a history append to one file.
    fn trace(&self) -> std::path::PathBuf {
        self.scratch.folder.path().join("trace")
    }

    /// Reads the state of all rows. The last read of a history is always recorded.
    fn read(&mut self, is_last: bool) {
        let from = now_us();
        let mut rows = Vec::new();
        export(&mut self.journal, "kills", |row| {
            rows.push(row.outcome);
            Ok(())
        })
        .unwrap();
        let to = now_us();
        for ((outcome, (last, count)), operations) in
            rows.iter().zip(&mut self.seen).zip(&mut self.operations)
        {
            if is_last || (*outcome != *last && *count < READS) {
                (*last, *count) = (*outcome, *count + 1);
                operations.push(operation("read", json!(outcome), from, Some(to)));
            }
        }
    }

    /// Reads until this many rows have been claimed, or until no worker runs.
    fn read_until(&mut self, claimed: i64, workers: &mut [Child]) {
        while workers.iter_mut().any(|worker| worker.try_wait().unwrap().is_none()) {
            self.read(false);
            let found = status(&mut self.journal, "kills").unwrap();
            if found.rows - found.pending >= claimed {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// The calls of the workers by row and attempt: the first request, the end, and the ending.
    fn calls(&self) -> HashMap<(u64, u16), (u64, u64, String)> {
        let references: HashMap<String, (u64, u16)> = (0..ROWS)
            .flat_map(|row| (1..=ATTEMPTS).map(move |attempt| (row, attempt)))
            .map(|(row, attempt)| (reference(&self.id, row, attempt), (row, attempt)))
            .collect();
        let (mut requests, mut calls) = (HashMap::new(), HashMap::new());
        for line in std::fs::read_to_string(self.trace()).unwrap_or_default().lines() {
            let fields: Vec<_> = line.split(' ').collect();
            // The last line of a killed worker may be cut.
            let [kind, call, ending, at] = fields[..] else { continue };
            let Ok(at) = at.parse::<u64>() else { continue };
            match (kind, ending.split_once('/')) {
                ("request", _) => {
                    requests.entry(call.to_owned()).or_insert(at);
                }
                (_, Some((ending, reference))) => {
                    let from = requests.get(call).copied().unwrap_or(at);
                    calls.insert(references[reference], (from, at, ending.to_owned()));
                }
                _ => {}
            }
        }
        calls
    }

    /// Adds what the journal stored: claims, with their sends, and settlements.
    fn add_stored(&mut self) {
        let calls = self.calls();
        let stored = Connection::open(self.scratch.path()).unwrap();
        let mut permits = stored.prepare("SELECT sequence, named, claimed_us FROM permits").unwrap();
        let permits = permits.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        for permit in permits {
            let (sequence, named, claimed): (u32, Vec<u8>, i64) = permit.unwrap();
            let claimed = u64::try_from(claimed).unwrap();
            let named = Permit::decode_rows(&named).unwrap();
            let call = |row: u16, attempt| calls.get(&(u64::from(row), attempt));
            // The claim has returned when the first of its rows is sent.
            let first = named.iter().filter_map(|named| Some(call(named.row, named.attempt)?.0)).min();
            for named in &named {
                let operations = &mut self.operations[usize::from(named.row)];
                operations.push(operation("claim", json!(sequence), claimed, first));
                let (from, to) = match call(named.row, named.attempt) {
                    Some((from, to, ending)) if ending == "accepted" => (*from, Some(*to)),
                    // Nothing was sent, so there is no operation.
                    Some((_, _, ending)) if matches!(ending.as_str(), "rejected" | "not_sent") => continue,
                    Some((from, ..)) => (*from, None),
                    // The worker was killed before the end of the call, if it has begun.
                    None => (claimed, None),
                };
                operations.push(operation("send", json!(sequence), from, to));
            }
        }
        let mut outcomes =
            stored.prepare("SELECT sequence, row_index, outcome, settled_us FROM outcomes").unwrap();
        let outcomes =
            outcomes.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).unwrap();
        for outcome in outcomes {
            let (sequence, row, outcome, settled): (u32, u32, String, i64) = outcome.unwrap();
            let settled = u64::try_from(settled).unwrap();
            self.operations[row as usize].push(operation(
                "settle",
                json!([sequence, outcome]),
                settled,
                None,
            ));
        }
    }

    /// Adds the number of messages in the ledger of the provider, as an operation after all others.
    fn add_ledger(&mut self) {
        let sent = sent_by_pages(&self.sandbox);
        let at = now_us();
        for (row, operations) in (0..).zip(&mut self.operations) {
            let count = sent.get(&phone(row)).copied().unwrap_or(0);
            operations.push(operation("ledger", json!(count), at, Some(at)));
        }
    }
}

#[test]
#[ignore = "tests/nightly/linearizability runs it"]
fn record_histories() {
    let file = std::env::var_os("CAMPAIGN_HISTORIES_FILE").expect("the file to write");
    let histories: u64 = std::env::var("CAMPAIGN_HISTORIES").map_or(20, |count| count.parse().unwrap());
    let mut file = std::io::BufWriter::new(std::fs::File::create(file).unwrap());
    let mut random = Random(42);
    let mut kills = 0;
    for seed in 0..histories {
        let mut recorded = Recorded::new(seed);
        let mut workers: Vec<Child> = (0..WORKERS).map(|_| recorded.start_worker()).collect();
        for _ in 0..KILLS {
            let moment = i64::try_from(random.below(ROWS)).unwrap();
            recorded.read_until(moment, &mut workers);
            let victim = random.below(WORKERS) as usize;
            kills += u64::from(workers[victim].try_wait().unwrap().is_none());
            workers[victim].kill().unwrap();
            workers[victim].wait().unwrap();
            workers[victim] = recorded.start_worker();
        }
        recorded.read_until(i64::MAX, &mut workers);
        for mut worker in workers {
            assert!(worker.wait().unwrap().success());
        }
        recorded.add_stored();
        recorded.read(true);
        recorded.add_ledger();
        for (row, operations) in recorded.operations.iter().enumerate() {
            let line = json!({"history": seed, "row": row, "operations": operations});
            writeln!(file, "{line}").unwrap();
        }
    }
    println!("{histories} histories of {ROWS} rows, {WORKERS} workers and {kills} kills");
}
