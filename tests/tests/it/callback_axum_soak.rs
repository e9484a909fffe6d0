//! Events reach three axum servers with one store in random order, while the store fails, handlers fail or panic, and the provider
//! disconnects. `CALLBACK_EVENTS` is the number of events, `CALLBACK_SEED` the seed.

use std::collections::{BTreeMap, HashMap};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::extract::{FromRef, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::any;
use axum::{Extension, Router};
use cpaas::callback::MAX_LEASE;
use cpaas::callback::axum::{Callback, LeaseLayer, Now};
use cpaas::callback::{Claimed, Keyring, LeaseMemory, LeaseStore, Leases, Received, Receiver, Source};

const NOW: u64 = 1_700_000_000;
const LEASE: Duration = Duration::from_secs(1);
const SERVERS: u64 = 3;
const CLIENTS: u64 = 12;
const PLANNED_PANIC: &str = "planned";

/// Numbers that a seed determines (SplitMix64), for several threads.
struct Random(AtomicU64);

impl Random {
    fn below(&self, limit: u64) -> u64 {
        let state = self.0.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }
}

/// A store with a fault in one of eight commands.
#[derive(Clone)]
struct Faulty {
    memory: Arc<LeaseMemory>,
    random: Arc<Random>,
}

impl Faulty {
    async fn command<T>(&self, lie: Option<T>, work: impl FnOnce() -> T) -> Result<T, String> {
        match (self.random.below(40), lie) {
            (0, _) => Err("no connection".to_owned()),
            (1, _) => {
                work();
                Err("connection reset".to_owned())
            }
            (2, _) => {
                tokio::time::sleep(Duration::from_millis(2300)).await; // longer than the limit of a command
                Ok(work())
            }
            (3, _) => panic!("{PLANNED_PANIC}"),
            (4, Some(lie)) => Ok(lie),
            _ => Ok(work()),
        }
    }
}

impl LeaseStore for Faulty {
    type Error = String;

    async fn claim(&self, key: &str, token: &str, lease: Duration) -> Result<Claimed, String> {
        let lie = Claimed::Busy(MAX_LEASE + Duration::from_nanos(1));
        self.command(Some(lie), || self.memory.claim(key, token, lease)).await
    }

    async fn done(&self, key: &str, _: &str, keep: Duration) -> Result<(), String> {
        self.command(None, || self.memory.done(key, keep)).await
    }

    async fn free(&self, key: &str, token: &str) -> Result<(), String> {
        self.command(None, || self.memory.free(key, token)).await
    }
}

/// One run of the handler.
#[derive(Clone, Copy)]
struct Run {
    start: Instant,
    end: Option<Instant>,
    is_completed: bool,
}

#[derive(Clone)]
struct App {
    receiver: Arc<Receiver>,
    random: Arc<Random>,
    runs: Arc<Mutex<HashMap<String, Vec<Run>>>>,
}

impl FromRef<App> for Arc<Receiver> {
    fn from_ref(app: &App) -> Self {
        app.receiver.clone()
    }
}

/// Records the end of a run, however it ends.
struct Recorded {
    app: App,
    id: String,
    index: usize,
    is_completed: bool,
}

impl Drop for Recorded {
    fn drop(&mut self) {
        let mut runs = self.app.runs.lock().unwrap();
        let run = &mut runs.get_mut(&self.id).unwrap()[self.index];
        (run.end, run.is_completed) = (Some(Instant::now()), self.is_completed);
    }
}

impl App {
    /// Waits, and then succeeds, fails or panics.
    async fn handle(self, received: Received) -> Result<(), String> {
        let id = received.event.message_id().unwrap().to_owned();
        let index = {
            let mut runs = self.runs.lock().unwrap();
            let runs = runs.entry(id.clone()).or_default();
            runs.push(Run { start: Instant::now(), end: None, is_completed: false });
            runs.len() - 1
        };
        let random = self.random.clone();
        let mut recorded = Recorded { app: self, id, index, is_completed: false };
        tokio::time::sleep(Duration::from_millis(random.below(60))).await;
        match random.below(5) {
            0 => return Err("the handler fails".to_owned()),
            1 => panic!("{PLANNED_PANIC}"),
            _ => {}
        }
        recorded.is_completed = true;
        Ok(())
    }
}

async fn layered(State(app): State<App>, Callback(received): Callback) -> StatusCode {
    app.handle(received).await.map_or(StatusCode::INTERNAL_SERVER_ERROR, |()| StatusCode::OK)
}

/// A program with a flow of its own.
async fn running(app: App, leases: Leases<Faulty>, request: Request) -> Response {
    let uri = request.uri().to_string();
    let received = app.receiver.receive(request.method().as_str(), &uri, &[], b"", NOW).unwrap();
    let reply = leases.run(received, |received| app.handle(received)).await;
    let mut response = StatusCode::from_u16(reply.status).unwrap().into_response();
    if let Some(seconds) = reply.retry_after {
        response.headers_mut().insert("retry-after", seconds.into());
    }
    response
}

fn serve(has_layer: bool, leases: Leases<Faulty>, app: App) -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let router = if has_layer {
        let layer = LeaseLayer::new(leases, app.clone());
        Router::new().route("/hooks", any(layered)).route_layer(layer)
    } else {
        let state = app.clone();
        Router::new().route("/hooks", any(move |request| running(state.clone(), leases.clone(), request)))
    };
    let router = router.layer(Extension(Now(NOW))).with_state(app);
    std::thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(async {
            axum::serve(tokio::net::TcpListener::from_std(listener).unwrap(), router).await.unwrap();
        });
    });
    address
}

fn open(address: SocketAddr, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: 10.0.0.7\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

/// The status, and whether the response has the header `Retry-After`.
fn response(mut stream: TcpStream) -> (u16, bool) {
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    (response.split(' ').nth(1).unwrap().parse().unwrap(), response.contains("\r\nretry-after: "))
}

/// Sends an event until it is answered 200; counts the responses.
fn deliver(servers: &[SocketAddr], random: &Random, path: &str, responses: &mut BTreeMap<(u16, bool), u64>) {
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(60), "{path} is never answered 200");
        let stream = open(servers[usize::try_from(random.below(SERVERS)).unwrap()], path);
        if random.below(6) == 0 {
            std::thread::sleep(Duration::from_millis(random.below(40)));
            continue; // disconnects
        }
        let response = response(stream);
        *responses.entry(response).or_default() += 1;
        if response.0 == 200 {
            return;
        }
        std::thread::sleep(Duration::from_millis(30));
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

/// Delivers each event twice; returns the number of runs of handlers.
fn soak(has_layer: bool, events: u64, seed: u64) -> usize {
    let keys = Keyring::new([("k1", [7; 32])]).unwrap();
    let receiver = Receiver::new("shop", "https://shop.example/hooks").unwrap().delivery_keys(keys);
    let callback = receiver.url(Source::SmsReport, "b-1", NOW).unwrap();
    let callback = callback.strip_prefix("https://shop.example").unwrap();
    let random = Arc::new(Random(AtomicU64::new(seed)));
    let app = App { receiver: Arc::new(receiver), random: random.clone(), runs: Arc::default() };
    let store = Faulty { memory: Arc::new(LeaseMemory::new(100_000)), random: random.clone() };
    let servers: Vec<_> = (0..SERVERS)
        .map(|_| serve(has_layer, Leases::new(store.clone()).lease(LEASE).unwrap(), app.clone()))
        .collect();
    let (next, answered) = (AtomicU64::new(0), Mutex::new(HashMap::new()));
    let responses = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                let mut counted = BTreeMap::new();
                while let Some(delivery) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|delivery| *delivery < events * 2)
                {
                    let id = format!("m-{}", delivery % events);
                    let path = format!("{callback}&msgid={id}&status=sent&reference=b-1");
                    deliver(&servers, &random, &path, &mut counted);
                    let at = Instant::now();
                    answered
                        .lock()
                        .unwrap()
                        .entry(id)
                        .and_modify(|first| *first = at.min(*first))
                        .or_insert(at);
                }
                for (response, count) in counted {
                    *responses.lock().unwrap().entry(response).or_insert(0) += count;
                }
            });
        }
    });
    let responses = responses.into_inner().unwrap();
    println!(
        "seed {seed}, {}: responses {responses:?}",
        if has_layer { "LeaseLayer" } else { "Leases::run" }
    );
    assert!(responses.keys().all(|key| [(200, false), (500, false), (503, true)].contains(key)));
    let runs = app.runs.lock().unwrap();
    for (id, answered) in answered.into_inner().unwrap() {
        let runs = &runs[&id];
        let completed = runs.iter().filter(|run| run.is_completed).filter_map(|run| run.end).min();
        assert!(completed.is_some_and(|end| end <= answered), "{id} was answered before a handler completed");
        for (index, first) in runs.iter().enumerate() {
            let within = first.start..first.start + LEASE.mul_f64(0.9);
            let is_beside =
                |run: &Run| within.contains(&run.start) && first.end.is_none_or(|end| run.start < end);
            assert!(!runs[index + 1..].iter().any(is_beside), "{id} had two handlers at once");
        }
    }
    runs.values().map(Vec::len).sum()
}

#[test]
#[ignore = "takes minutes; `tests/nightly/callback_soak` runs it"]
fn no_event_is_lost_and_no_handler_runs_beside_another() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload().downcast_ref::<String>().is_none_or(|message| message != PLANNED_PANIC) {
            report(panic);
        }
    }));
    let (events, seed) = (number("CALLBACK_EVENTS", 1000), number("CALLBACK_SEED", 1));
    for seed in [seed, seed + 1] {
        for has_layer in [true, false] {
            let runs = soak(has_layer, events, seed);
            println!("{events} events delivered twice, {runs} runs of handlers, 0 lost, 0 at once");
        }
    }
}
