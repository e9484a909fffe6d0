//! The counters of a guard in an SQLite file, and in Postgres if `CAMPAIGN_TEST_POSTGRES` is set: the rules, a restart, old rows, several
//! processes, and stores that fail or hang.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpaas::client::{CallOptions, Client};
use cpaas::guard::{Guard, GuardReason, GuardRequest, GuardSettings, GuardStore, MemoryGuardStore};
use cpaas_campaign::SqlGuardStore;
use cpaas_sandbox::Sandbox;

use crate::support::Scratch;

const BEGIN: u64 = 1_767_225_600;

fn open(scratch: &Scratch) -> SqlGuardStore {
    SqlGuardStore::open(&scratch.url()).unwrap()
}

fn request(number: u64, seconds: u64) -> GuardRequest {
    GuardRequest::new(number.to_string(), true, Duration::from_secs(BEGIN + seconds))
}

/// The number of rows in the tables of a file.
fn rows(scratch: &Scratch, table: &str) -> i64 {
    let connection = rusqlite::Connection::open(scratch.path()).unwrap();
    connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

/// Waits until the tables of a file have these numbers of rows: messages, passcodes and countries.
async fn rows_become(scratch: &Scratch, expected: [i64; 3]) {
    let begin = Instant::now();
    loop {
        let found =
            ["guard_messages", "guard_passcodes", "guard_countries"].map(|table| rows(scratch, table));
        if found == expected {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(10), "{found:?} instead of {expected:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Random numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// The store in a database and the one in memory decide alike, for random traffic with withdrawn and entered passcodes.
#[tokio::test]
async fn the_store_decides_as_the_one_in_memory() {
    let scratch = Scratch::new();
    let (store, memory) = (open(&scratch), MemoryGuardStore::default());
    let mut settings = GuardSettings::default();
    (settings.max_sequence, settings.max_range, settings.max_prefix) = (3, 5, 15);
    settings.max_country = 16;
    (settings.min_conversion, settings.min_passcodes) = (0.3, 12);
    settings.window = Duration::from_secs(300);
    settings.conversion_window = Duration::from_secs(1_800);
    let (mut random, mut ids, mut found) = (Random(2), Vec::new(), Vec::new());
    for n in 0..600 {
        let number = match n {
            // From the 250th on no numbers are consecutive.
            0..500 => 306_900_000_000 + random.below(2) * 10_000 + random.below(14) * (1 + n / 250),
            // Numbers of four prefixes of the country.
            _ => 306_910_000_000 + random.below(40_000_000),
        };
        let mut one = request(number, n * 7);
        one.is_passcode = random.below(5) > 0;
        let expected = memory.admit(&one, &settings).await.unwrap();
        assert_eq!(store.admit(&one, &settings).await.unwrap(), expected, "{n}");
        found.push(expected);
        match random.below(4) {
            0 if expected.is_none() => {
                memory.withdraw(&one).await.unwrap();
                store.withdraw(&one).await.unwrap();
            }
            1 | 2 if expected.is_none() && one.is_passcode => ids.push((format!("OTP{n}"), one)),
            _ => {}
        }
        // At first and at last no passcode is entered.
        if !(60..500).contains(&n) {
            continue;
        }
        let Some((id, one)) = ids.pop_if(|_| random.below(3) > 0) else { continue };
        memory.sent(&id, &one).await.unwrap();
        store.sent(&id, &one).await.unwrap();
        memory.converted(&id).await.unwrap();
        store.converted(&id).await.unwrap();
    }
    for reason in [
        GuardReason::Recipient,
        GuardReason::Sequence,
        GuardReason::Range,
        GuardReason::Prefix,
        GuardReason::Country,
        GuardReason::Conversion,
    ] {
        assert!(found.contains(&Some(reason)), "{reason:?} is not covered: {found:?}");
    }
    assert!(found.iter().filter(|reason| reason.is_none()).count() > 100, "{found:?}");
}

#[tokio::test]
async fn windows_survive_a_restart_and_old_rows_are_removed() {
    let scratch = Scratch::file();
    let settings = GuardSettings::default();
    let store = open(&scratch);
    for seconds in 0..3 {
        assert_eq!(store.admit(&request(306_900_000_001, seconds), &settings).await.unwrap(), None);
    }
    store.sent("OTP1", &request(306_900_000_001, 2)).await.unwrap();
    drop(store);
    let store = open(&scratch);
    let refused = store.admit(&request(306_900_000_001, 3), &settings).await.unwrap();
    assert_eq!(refused, Some(GuardReason::Recipient));
    assert_eq!(store.admit(&request(306_900_000_001, 700), &settings).await.unwrap(), None);
    for n in 0..50 {
        let other = request(306_910_000_000 + n * 10_000_000, 800);
        assert_eq!(store.admit(&other, &settings).await.unwrap(), None);
    }
    rows_become(&scratch, [54, 1, 1]).await;
    assert_eq!(rows(&scratch, "guard_country_messages"), 54);
    let days_later = request(306_900_000_001, 2 * 86_400);
    assert_eq!(store.admit(&days_later, &settings).await.unwrap(), None);
    rows_become(&scratch, [1, 0, 1]).await;
    assert_eq!(rows(&scratch, "guard_country_messages"), 1);
}

/// 12,000 old rows are removed by three messages, and a failure of the removal refuses none.
#[tokio::test]
async fn the_removal_of_old_rows_is_limited_and_its_failure_refuses_nothing() {
    let scratch = Scratch::file();
    let (store, settings) = (open(&scratch), GuardSettings::default());
    let file = rusqlite::Connection::open(scratch.path()).unwrap();
    file.execute_batch(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
        INSERT INTO guard_messages SELECT 30690, 1, 306900000000 + i, i, 1, 0 FROM n;
        CREATE TRIGGER refuse BEFORE DELETE ON guard_messages BEGIN SELECT RAISE(FAIL, 'no'); END",
    )
    .unwrap();
    let admit = async |seconds| {
        assert_eq!(store.admit(&request(306_910_000_000 + seconds, seconds), &settings).await.unwrap(), None);
    };
    admit(0).await;
    // The next removal is a minute later.
    admit(30).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(rows(&scratch, "guard_messages"), 12_002);
    file.execute_batch("DROP TRIGGER refuse").unwrap();
    admit(100).await;
    rows_become(&scratch, [7_003, 0, 1]).await;
    // More are left, so a message after the end of a removal begins the next one, and does not wait for a minute.
    let mut messages = 12_003;
    for left in [2_000, 0] {
        let begin = Instant::now();
        while rows(&scratch, "guard_messages") > left + messages - 12_000 {
            assert!(begin.elapsed() < Duration::from_secs(10), "more than {left} old rows are left");
            messages += 1;
            admit(100 + u64::try_from(messages - 12_003).unwrap()).await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

#[tokio::test]
async fn a_file_without_the_table_of_versions_opens_and_keeps_its_rows() {
    let scratch = Scratch::file();
    let settings = GuardSettings::default();
    assert_eq!(open(&scratch).admit(&request(306_900_000_001, 0), &settings).await.unwrap(), None);
    let file = rusqlite::Connection::open(scratch.path()).unwrap();
    file.execute_batch("DROP TABLE cpaas_stores").unwrap();
    drop(open(&scratch));
    assert_eq!((rows(&scratch, "guard_messages"), rows(&scratch, "cpaas_stores")), (1, 1));
    file.execute_batch("DROP TABLE cpaas_stores; DROP TABLE guard_messages").unwrap();
    let store = open(&scratch);
    assert_eq!(store.admit(&request(306_900_000_001, 1), &settings).await.unwrap(), None);
}

#[tokio::test]
async fn messages_at_the_same_time_are_withdrawn_one_by_one() {
    let scratch = Scratch::new();
    let (store, settings) = (open(&scratch), GuardSettings::default());
    let one = request(306_900_000_001, 0);
    for _ in 0..3 {
        assert_eq!(store.admit(&one, &settings).await.unwrap(), None);
    }
    store.withdraw(&one).await.unwrap();
    assert_eq!(store.admit(&one, &settings).await.unwrap(), None);
    assert_eq!(store.admit(&one, &settings).await.unwrap(), Some(GuardReason::Recipient));
    store.withdraw(&request(306_900_000_002, 0)).await.unwrap();
    store.converted("unknown").await.unwrap();
    for text in ["", "user-7", "99999999999999999999", "18446744073709551615"] {
        let text = GuardRequest::new(text, true, Duration::from_secs(BEGIN));
        for _ in 0..9 {
            assert_eq!(store.admit(&text, &settings).await.unwrap(), None);
        }
        store.sent("OTP1", &text).await.unwrap();
        store.withdraw(&text).await.unwrap();
    }
}

/// One process of an attack: asks for a passcode to each number that it gets, all at the same time as three others.
#[test]
#[ignore = "a process of the tests below"]
fn attacking_process() {
    let read = |name| std::env::var(name).unwrap();
    let numbers: Vec<u64> = read("NUMBERS").split(',').map(|number| number.parse().unwrap()).collect();
    let store = SqlGuardStore::open(&read("GUARD")).unwrap();
    let settings = GuardSettings::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut sent = 0;
    for number in numbers {
        let refused = runtime.block_on(store.admit(&request(number, 0), &settings)).unwrap();
        sent += u32::from(refused.is_none());
    }
    println!("sent {sent}");
}

/// The messages that processes send which share a store and begin at the same time.
fn attack(scratch: &Scratch, processes: Vec<Vec<u64>>) -> usize {
    drop(open(scratch));
    let started: Vec<_> = processes
        .into_iter()
        .map(|numbers| {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            std::process::Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "guard_store::attacking_process", "--ignored", "--nocapture"])
                .env("GUARD", scratch.url())
                .env("NUMBERS", numbers.join(","))
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    started
        .into_iter()
        .map(|process| {
            let output = process.wait_with_output().unwrap();
            assert!(output.status.success());
            let text = String::from_utf8(output.stdout).unwrap();
            let (_, sent) = text.split_once("sent ").unwrap();
            sent.lines().next().unwrap().parse::<usize>().unwrap()
        })
        .sum()
}

#[test]
fn two_processes_never_exceed_a_limit_together() {
    let scratch = Scratch::new();
    let numbers: Vec<u64> = (0..40).map(|n| 306_900_000_000 + 10_000_000 * n).collect();
    let each = [&numbers[..], &numbers[..]].concat();
    assert_eq!(attack(&scratch, vec![each.clone(), each]), 40 * 3);
}

#[test]
fn an_attack_of_10000_numbers_through_four_processes_costs_at_most_200_messages() {
    let mut most = 0;
    for name in ["consecutive numbers", "random numbers of one prefix"] {
        let (scratch, mut random) = (Scratch::new(), Random(7));
        let mut offset = |n| if name == "consecutive numbers" { n } else { random.below(10_000_000) };
        let numbers: Vec<u64> = (0..10_000).map(|n| 306_900_000_000 + offset(n)).collect();
        // Each number goes to the next process.
        let of_process = |first: usize| numbers.iter().skip(first).step_by(4).copied().collect();
        let begin = Instant::now();
        let cost = attack(&scratch, (0..4).map(of_process).collect());
        println!("{name}: {cost} messages, in {:.1} s", begin.elapsed().as_secs_f64());
        most = most.max(cost);
    }
    println!("N = {most}");
    assert!(most <= 200, "{most}");
}

/// The mobile numbers of Indonesia: a hundred prefixes have the same country code.
#[test]
fn an_attack_over_the_prefixes_of_a_country_through_four_processes_costs_at_most_1000_messages() {
    let (scratch, mut random) = (Scratch::new(), Random(7));
    let numbers: Vec<u64> = (0..4_000).map(|_| 6_280_000_000_000 + random.below(1_000_000_000)).collect();
    let of_process = |first: usize| numbers.iter().skip(first).step_by(4).copied().collect();
    let begin = Instant::now();
    let cost = attack(&scratch, (0..4).map(of_process).collect());
    println!("N = {cost} messages, in {:.1} s", begin.elapsed().as_secs_f64());
    assert_eq!(cost, 1_000);
}

async fn passcode(client: &Client) -> Result<(), (String, Duration)> {
    let request = r#"{"service":"login","from":"Acme","to":"306900000001","body":"{code}"}"#;
    let begin = Instant::now();
    let client = client.with(CallOptions::new().deadline(Duration::from_secs(2)));
    let called = client.call_json(cpaas::OperationId::OtpSend, request).await;
    called.map(drop).map_err(|error| (error.problems[0].code.to_string(), begin.elapsed()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_is_locked_refuses_or_sends_by_its_setting_within_the_deadline() {
    let scratch = Scratch::file();
    let sandbox = Sandbox::builder().start().await.unwrap();
    let store = Arc::new(open(&scratch));
    let client = |sends_without_store| {
        let mut settings = GuardSettings::default();
        settings.sends_without_store = sends_without_store;
        let guard = Guard::with_store(settings, store.clone()).unwrap();
        Client::new(&sandbox.config()).unwrap().guard(guard)
    };
    let (refusing, sending) = (client(false), client(true));
    passcode(&refusing).await.unwrap();
    let locking = rusqlite::Connection::open(scratch.path()).unwrap();
    locking.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (code, took) = passcode(&refusing).await.unwrap_err();
    assert_eq!(code, "guard.unavailable");
    assert!(took < Duration::from_secs(3), "{took:?}");
    assert_eq!(sandbox.ledger().await.len(), 1);
    locking.execute_batch("ROLLBACK").unwrap();
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", scratch.path().display()));
    }
    let (code, _) = passcode(&refusing).await.unwrap_err();
    assert_eq!(code, "guard.unavailable", "a deleted file does not begin a new window");
    passcode(&sending).await.unwrap();
    assert_eq!(sandbox.ledger().await.len(), 2);
}

/// A server with too many connections that becomes silent: the error says what the server last said.
#[cfg(feature = "postgres")]
#[test]
fn the_error_of_a_server_that_becomes_silent_is_its_last_answer() {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://u@127.0.0.1:{}/d?sslmode=disable", listener.local_addr().unwrap().port());
    std::thread::spawn(move || {
        let (mut first, _) = listener.accept().unwrap();
        let _ = first.read(&mut [0; 1024]);
        let fields = b"SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0";
        let length = u32::try_from(fields.len() + 4).unwrap().to_be_bytes();
        first.write_all(&[b"E", &length[..], fields].concat()).unwrap();
        drop(first);
        let _silent: Vec<_> = listener.incoming().collect();
    });
    let error = SqlGuardStore::open(&url).unwrap_err().to_string();
    assert!(error.contains("too many connections") && error.contains("53300"), "{error}");
}

/// A server that accepts connections and never answers, one that is stopped, and one that closes idle sessions.
#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_hangs_or_fails_is_bounded() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let url = format!("postgres://u@127.0.0.1:{port}/d?sslmode=disable");
    let begin = Instant::now();
    let error = tokio::task::spawn_blocking(move || SqlGuardStore::open(&url).unwrap_err().to_string());
    let cause = format!("the server 127.0.0.1, port {port}, database d: no connection within 4 s");
    assert_eq!(error.await.unwrap(), format!("the guard store cannot be opened: {cause}"));
    assert!(begin.elapsed() < Duration::from_secs(6));
    drop(listener);
    if std::env::var("CAMPAIGN_TEST_POSTGRES").is_err() {
        return;
    }
    let scratch = Scratch::new();
    let url = scratch.url();
    let (store, settings) = (open(&scratch), GuardSettings::default());
    assert_eq!(store.admit(&request(306_900_000_001, 0), &settings).await.unwrap(), None);
    let psql = |sql: &str| std::process::Command::new("psql").args([&url, "-qc", sql]).spawn().unwrap();
    // Another session has the lock of the country for longer than the limit.
    let sql = "BEGIN; UPDATE guard_countries SET last_us = 0; SELECT pg_sleep(6); ROLLBACK";
    let mut locking = psql(sql);
    tokio::time::sleep(Duration::from_millis(700)).await;
    let begin = Instant::now();
    let error = store.admit(&request(306_900_000_001, 1), &settings).await.unwrap_err().to_string();
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    assert!(error.starts_with("the guard store failed: "), "{error}");
    assert!(locking.wait().unwrap().success());
    // A session that the server ended is replaced.
    assert_eq!(store.admit(&request(306_900_000_001, 1), &settings).await.unwrap(), None);
    let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    assert!(psql(sql).wait().unwrap().success());
    assert_eq!(store.admit(&request(306_900_000_001, 2), &settings).await.unwrap(), None);
    let refused = store.admit(&request(306_900_000_001, 3), &settings).await.unwrap();
    assert_eq!(refused, Some(GuardReason::Recipient));
}
