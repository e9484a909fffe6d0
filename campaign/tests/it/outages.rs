//! The rows that an outage of the provider consumes: rows that were begun and whose outcome is unknown.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use crate::support::{Scratch, assert_adds_up, client, create, exported, open, sent};
use cpaas::Config;
use cpaas_campaign::Window;
use cpaas_campaign::campaign::{self, Status, status};
use cpaas_campaign::journal::{Journal, Settings};
use cpaas_campaign::protocol::ProbeTimes;
use cpaas_campaign::worker::{RunEnd, RunOptions, run};
use cpaas_sandbox::Sandbox;
use serde_json::json;

const ROWS: u64 = 20_000;
const CONCURRENCY: usize = 64;

/// The times between probes, this many times shorter. The time limit of a probe stays, because calls take as long as ever.
fn shorter(factor: u32) -> ProbeTimes {
    let times = ProbeTimes::default();
    ProbeTimes { first: times.first / factor, longest: times.longest / factor, ..times }
}

fn open_with(url: &str, times: ProbeTimes) -> Journal {
    let mut journal = open(url);
    journal.set_probe_times(times);
    journal
}

type Worker = tokio::task::JoinHandle<RunEnd>;

/// Starts workers, and returns their options, which can stop them.
fn start(url: &str, config: &Config, times: ProbeTimes, workers: usize) -> (Vec<Worker>, RunOptions) {
    let options = RunOptions::default().concurrency(CONCURRENCY);
    let workers: Vec<_> = (0..workers)
        .map(|_| {
            let (url, client, options) = (url.to_owned(), client(config.clone()), options.clone());
            tokio::spawn(async move {
                let journal = tokio::task::spawn_blocking(move || open_with(&url, times)).await.unwrap();
                run(journal, "outage", &client, options).await.unwrap().0
            })
        })
        .collect();
    (workers, options)
}

async fn until(journal: &mut Journal, is_reached: impl Fn(&Status) -> bool) -> Status {
    loop {
        let found = status(journal, "outage").unwrap();
        assert_adds_up(&found);
        if is_reached(&found) {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Runs a campaign through an outage in which every response is lost. `lasts` is `None` for an outage without an end.
async fn consumed(workers: usize, lasts: Option<Duration>, factor: u32) -> i64 {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "outage", ROWS, Settings::default());
    let times = shorter(factor);
    let (running, options) = start(&scratch.url(), &sandbox.config(), times, workers);
    until(&mut journal, |found| found.accepted > 1500).await;
    sandbox.set_faults(json!([{"kind": "close-after-read"}])).await.unwrap();
    let began = Instant::now();
    match lasts {
        Some(lasts) => {
            tokio::time::sleep(lasts).await;
            sandbox.set_faults(json!([])).await.unwrap();
            let accepted = status(&mut journal, "outage").unwrap().accepted;
            until(&mut journal, |found| found.accepted > accepted + 500).await;
            options.stopper()();
        }
        None => _ = until(&mut journal, |found| found.state == "halted").await,
    }
    let seconds = began.elapsed().as_secs_f64();
    for worker in running {
        let expected = if lasts.is_some() { RunEnd::Stopped } else { RunEnd::Halted };
        assert_eq!(worker.await.unwrap(), expected);
    }
    let found = status(&mut journal, "outage").unwrap();
    assert_adds_up(&found);
    assert_eq!(found.in_flight, 0);
    assert_eq!(found.reason.as_deref(), lasts.is_none().then_some("outage"));
    assert!(sent(&sandbox.ledger().await).values().all(|count| *count == 1), "no row is sent twice");
    let bound = i64::try_from(workers * CONCURRENCY + workers * 10 + 12).unwrap();
    let length =
        lasts.map_or("for ever".to_owned(), |lasts| format!("of {} s", lasts.as_secs() * u64::from(factor)));
    println!(
        "an outage {length}, {workers} x {CONCURRENCY}, times / {factor}: {} of {ROWS} rows consumed, at most {bound}; {seconds:.1} s",
        found.unknown
    );
    assert!(found.unknown <= bound, "{} > {bound}: {found:?}", found.unknown);
    found.unknown
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_of_a_second_consumes_a_handful_of_rows() {
    consumed(1, Some(Duration::from_secs(1)), 1).await;
    consumed(4, Some(Duration::from_secs(1)), 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_of_a_minute_consumes_a_handful_of_rows() {
    consumed(1, Some(Duration::from_secs(1)), 60).await;
    consumed(4, Some(Duration::from_secs(1)), 60).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_for_ever_halts_the_campaign_after_twelve_probes() {
    consumed(1, None, 600).await;
    consumed(4, None, 600).await;
}

#[tokio::test]
async fn a_provider_that_cannot_be_reached_consumes_no_row() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "outage", 200, Settings::default());
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nowhere = sandbox.config().sms_url(format!("http://{closed}")).max_attempts(1);
    let (running, _) = start(&scratch.url(), &nowhere, shorter(2000), 1);
    for worker in running {
        assert_eq!(worker.await.unwrap(), RunEnd::Halted);
    }
    let found = status(&mut journal, "outage").unwrap();
    assert_eq!((found.pending, found.unknown, found.reason.as_deref()), (200, 0, Some("outage")));
    campaign::resume(&mut journal, "outage").unwrap();
    let (running, _) = start(&scratch.url(), &sandbox.config(), shorter(2000), 1);
    for worker in running {
        assert_eq!(worker.await.unwrap(), RunEnd::Done);
    }
    assert_eq!(status(&mut journal, "outage").unwrap().accepted, 200);
}

#[tokio::test]
async fn a_resumed_campaign_begins_with_a_probe() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    sandbox.set_faults(json!([{"kind": "close-after-read"}])).await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "outage", 500, Settings::default());
    let run_halts = async |journal: &mut Journal| {
        let (running, _) = start(&scratch.url(), &sandbox.config(), shorter(2000), 1);
        for worker in running {
            assert_eq!(worker.await.unwrap(), RunEnd::Halted);
        }
        status(journal, "outage").unwrap()
    };
    let halted = run_halts(&mut journal).await;
    assert_eq!((halted.unknown, halted.reason.as_deref()), (22, Some("outage")), "10 rows and 12 probes");
    campaign::resume(&mut journal, "outage").unwrap();
    assert_eq!(run_halts(&mut journal).await.unknown, 34, "12 more probes");
    sandbox.set_faults(json!([])).await.unwrap();
    campaign::resume(&mut journal, "outage").unwrap();
    let (running, _) = start(&scratch.url(), &sandbox.config(), shorter(2000), 1);
    for worker in running {
        assert_eq!(worker.await.unwrap(), RunEnd::Done);
    }
    let found = status(&mut journal, "outage").unwrap();
    assert_eq!((found.accepted, found.unknown), (466, 34));
}

#[tokio::test]
async fn a_failure_of_the_provider_is_unknown_with_its_own_reason() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    sandbox.set_faults(json!([{"kind": "status", "status": 503, "expires": 2}])).await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    create(&mut journal, "outage", 20, Settings::default());
    let (running, _) = start(&scratch.url(), &sandbox.config(), shorter(1), 1);
    for worker in running {
        assert_eq!(worker.await.unwrap(), RunEnd::Done);
    }
    let found = status(&mut journal, "outage").unwrap();
    assert_eq!((found.accepted, found.unknown, found.rejected), (18, 2, 0));
    let rows = exported(&mut journal, "outage");
    let reasons = rows.iter().filter(|row| row.outcome == "unknown").map(|row| row.reason.as_deref());
    assert!(
        reasons.clone().all(|reason| reason == Some("provider_5xx")),
        "{:?}",
        reasons.collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn the_reason_of_waiting_is_shown_from_the_first_second_and_a_halt_is_reported_once() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    journal.set_probe_times(shorter(500));
    create(&mut journal, "outage", 50, Settings::default());
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nowhere = client(sandbox.config().sms_url(format!("http://{closed}")));
    let (shown, halts) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(Vec::new())));
    let (sink, halted) = (shown.clone(), halts.clone());
    let options = RunOptions::default()
        .on_progress(move |status| {
            sink.lock().unwrap().push((status.last_error.clone(), status.waiting.clone()))
        })
        .on_halt(move |status| halted.lock().unwrap().push(status.reason.clone()));
    let (end, journal) = run(journal, "outage", &nowhere, options.clone()).await.unwrap();
    assert_eq!(end, RunEnd::Halted);
    let shown = shown.lock().unwrap().clone();
    assert_eq!(shown[0].0.as_deref(), Some("connect"), "{shown:?}");
    let waiting = shown.iter().filter_map(|(_, waiting)| waiting.as_deref());
    assert!(waiting.clone().any(|text| text.starts_with("for the provider (connect): ")), "{shown:?}");
    assert_eq!(*halts.lock().unwrap(), [Some("outage".to_owned())]);
    // A run of a campaign that has halted before reports nothing.
    assert_eq!(run(journal, "outage", &nowhere, options).await.unwrap().0, RunEnd::Halted);
    assert_eq!(halts.lock().unwrap().len(), 1);
}

#[test]
fn a_closed_window_is_a_reason_of_waiting() {
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let hour = |later: u64| (seconds / 3600 + later) % 24;
    let mut settings = Settings::default();
    settings.window = Some(Window::parse(&format!("{:02}:00-{:02}:00", hour(2), hour(3))).unwrap());
    create(&mut journal, "outage", 1, settings);
    assert_eq!(status(&mut journal, "outage").unwrap().waiting, Some(format!("until {:02}:00 UTC", hour(2))));
}
