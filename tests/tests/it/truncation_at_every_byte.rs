//! For every operation, the connection ends at every byte of the request and of the response, in each of four ways: it is closed, it is
//! reset, it stays open without further bytes, or it continues with bytes that are not HTTP.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cpaas::client::Client;
use cpaas::error::{Error, Outcome, Reason, SentState};
use cpaas::{Config, OperationId};
use cpaas_tests::examples::{EXAMPLES, Example, config};
use cpaas_tests::fault_server::{Accept, ConnectionEnd, FaultServer, Reply, response_bytes};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// A configuration with a single attempt, because `outcomes.rs` tests retries.
fn once(url: &str, time_limit: f64) -> Config {
    config(url).max_attempts(1).timeout(Duration::from_secs_f64(time_limit))
}

/// The time limit of a call if the server does not respond, in seconds.
const RESPONSE_TIMEOUT: f64 = 1.0;
/// The maximum number of parallel groups whose calls wait for the time limit.
const WAITING: usize = 240;
/// The maximum number of parallel groups whose calls end immediately.
const WORKING: usize = 8;

fn time_limit(ending: ConnectionEnd) -> f64 {
    if ending == ConnectionEnd::Stall { RESPONSE_TIMEOUT } else { 20.0 }
}

/// Divides the positions into groups, each with its own server and client. Groups are small if every call waits for the time limit.
fn groups(length: usize, ending: ConnectionEnd) -> Vec<Vec<usize>> {
    let places: Vec<usize> = (0..length).collect();
    let lane = if ending == ConnectionEnd::Stall { 12 } else { 200 };
    places.chunks(lane).map(<[usize]>::to_vec).collect()
}

async fn call(client: &Client, example: Example) -> Result<String, Error> {
    let id = OperationId::find(example.id).unwrap();
    client.call_json(id, example.request).await.map(|response| response.value)
}

/// The number of bytes of an operation's request on the wire.
async fn length(example: Example) -> usize {
    let server = FaultServer::serve(move |_| Reply::json(200, example.response)).await.unwrap();
    let client = Client::new(&once(&server.url(), 20.0)).unwrap();
    call(&client, example).await.unwrap_or_else(|error| panic!("{}: {error:?}", example.id));
    server.requests()[0].bytes
}

/// Ends the connection after each number of bytes of the request, with one server and one client. A query of the records ends after
/// 0 bytes.
async fn cut_requests(example: Example, places: Vec<usize>, ending: ConnectionEnd) -> usize {
    let place = Arc::new(AtomicUsize::new(0));
    let now = Arc::clone(&place);
    let accept = move |_| Accept::Until(now.swap(0, Ordering::SeqCst), ending);
    let server = FaultServer::start(accept, move |_| Reply::json(200, example.response)).await.unwrap();
    let client = Client::new(&once(&server.url(), time_limit(ending))).unwrap();
    for bytes in &places {
        place.store(*bytes, Ordering::SeqCst);
        let before = server.bytes();
        let error = call(&client, example).await.unwrap_err();
        let place = format!("{} request cut after {bytes} bytes, {ending:?}: {error:?}", example.id);
        assert!(matches!(error.outcome, Outcome::Unknown | Outcome::NotSent), "{place}");
        assert_eq!(error.sent == SentState::No, error.outcome == Outcome::NotSent, "{place}");
        if error.outcome == Outcome::NotSent {
            // Only if no byte was read, or if the time limit passed on a busy machine before any byte was written.
            assert!(*bytes == 0 || error.reason == Reason::Timeout, "{place}");
            tokio::time::sleep(Duration::from_millis(10)).await;
            assert_eq!(server.bytes(), before, "{place}");
        }
    }
    places.len()
}

/// Whether the bytes of a truncated response already prove that the request was accepted. A number is complete only when another
/// character follows.
fn is_proven(example: Example, body: &str, garbage: bool) -> bool {
    let has = |member: &str| body.contains(&format!("{member},"));
    match example.id.split('.').next().unwrap() {
        "messages" => !garbage || !body.is_empty(),
        _ if is_read(example.id) => false,
        "otp" => has(r#""code":200"#),
        "sms" => has(r#""responseCode":0"#),
        "webhooks" if example.id.contains("messenger_b") => has(r#""status":0"#),
        "webhooks" => has(r#""ok":true"#) || !garbage && body.contains(r#""ok":true"#),
        _ => false,
    }
}

fn is_read(id: &str) -> bool {
    [".list", ".get", ".info", ".search", ".usage", ".usage_daily", ".usage_by_country"]
        .iter()
        .any(|end| id.ends_with(end))
}

/// Truncates the response at each position. With `garbage`, invalid bytes replace the rest.
async fn cut_responses(example: Example, places: Vec<usize>, ending: ConnectionEnd, garbage: bool) -> usize {
    let complete = complete(example);
    let head = complete.len() - example.response.len();
    let place = Arc::new(AtomicUsize::new(0));
    let now = Arc::clone(&place);
    let server = FaultServer::serve(move |request| {
        if !is_own(example, &request.method) {
            return Reply::new(response_bytes(404, "connection: close\r\n", b"{}"), ConnectionEnd::Fin);
        }
        let mut sent = complete[..now.load(Ordering::SeqCst)].to_vec();
        if garbage {
            sent.resize(complete.len(), 0xff);
        }
        Reply::new(sent, ending)
    });
    let server = server.await.unwrap();
    let client = Client::new(&once(&server.url(), time_limit(ending))).unwrap();
    for bytes in places.iter().copied() {
        place.store(bytes, Ordering::SeqCst);
        let before = server.requests().len();
        let result = call(&client, example).await;
        let place =
            format!("{} response cut after {bytes} bytes, {ending:?}, {garbage}: {result:?}", example.id);
        let Err(error) = result else { panic!("accepted: {place}") };
        if error.outcome == Outcome::NotSent {
            assert_eq!((error.reason, server.requests().len()), (Reason::Timeout, before), "{place}");
            continue;
        }
        // A verification without the id of the passcode proves nothing.
        let names = example.id != "otp.verify";
        let body = example.response.get(..bytes.saturating_sub(head)).unwrap();
        // A reset can overtake bytes that were written before it; a timeout can occur earlier.
        match (names && bytes >= head && is_proven(example, body, garbage), ending) {
            (true, ConnectionEnd::Rst | ConnectionEnd::Stall) => assert!(maybe(error.outcome), "{place}"),
            // Invalid bytes directly after the member make it uncertain.
            (true, _) if garbage => assert!(maybe(error.outcome), "{place}"),
            (true, _) => assert_eq!(error.outcome, Outcome::AcceptedIdUnknown, "{place}"),
            (false, _) => assert_eq!(error.outcome, Outcome::Unknown, "{place}"),
        }
        assert_ne!(error.sent, SentState::No, "{place}");
    }
    places.len()
}

fn complete(example: Example) -> Vec<u8> {
    response_bytes(200, "content-type: application/json\r\n", example.response.as_bytes())
}

const fn maybe(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::AcceptedIdUnknown | Outcome::Unknown)
}

/// Whether a request is that of the operation, not a query of the records. The server rejects the queries, so they prove nothing.
fn is_own(example: Example, method: &str) -> bool {
    let asks =
        ["otp.verify", "otp.cancel", "otp.limits.create", "otp.workflows.create", "otp.workflows.update"];
    method != "GET" || !asks.contains(&example.id)
}

/// Runs groups in parallel and adds up their positions.
struct Cells {
    waiting: Arc<Semaphore>,
    working: Arc<Semaphore>,
    running: JoinSet<usize>,
}

impl Cells {
    fn new() -> Self {
        let permits = |count| Arc::new(Semaphore::new(count));
        Self { waiting: permits(WAITING), working: permits(WORKING), running: JoinSet::new() }
    }

    fn run(&mut self, ending: ConnectionEnd, cell: impl Future<Output = usize> + Send + 'static) {
        let permits = if ending == ConnectionEnd::Stall { &self.waiting } else { &self.working };
        let permit = Arc::clone(permits).acquire_owned();
        self.running.spawn(async move {
            let _permit = permit.await.unwrap();
            cell.await
        });
    }

    async fn sum(mut self) -> usize {
        let mut count = 0;
        while let Some(cell) = self.running.join_next().await {
            count += cell.unwrap();
        }
        count
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_cut_at_any_byte_is_not_sent_or_unknown() {
    let (mut cells, mut bytes) = (Cells::new(), 0);
    for example in EXAMPLES.iter().copied() {
        let length = length(example).await;
        bytes += length;
        for ending in [ConnectionEnd::Stall, ConnectionEnd::Fin, ConnectionEnd::Rst, ConnectionEnd::Garbage] {
            for places in groups(length, ending) {
                cells.run(ending, cut_requests(example, places, ending));
            }
        }
    }
    let count = cells.sum().await;
    println!("{count} requests of {} operations cut, {bytes} bytes x 4 endings", EXAMPLES.len());
    assert_eq!(count, 4 * bytes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_cut_at_any_byte_is_unknown_unless_it_proves_acceptance() {
    let (mut cells, mut bytes) = (Cells::new(), 0);
    for example in EXAMPLES.iter().copied() {
        let length = complete(example).len();
        bytes += length;
        for (ending, garbage) in [
            (ConnectionEnd::Stall, false),
            (ConnectionEnd::Fin, false),
            (ConnectionEnd::Rst, false),
            (ConnectionEnd::Fin, true),
        ] {
            for places in groups(length, ending) {
                cells.run(ending, cut_responses(example, places, ending, garbage));
            }
        }
    }
    let count = cells.sum().await;
    println!("{count} responses of {} operations cut, {bytes} bytes x 4 endings", EXAMPLES.len());
    assert_eq!(count, 4 * bytes);
}
