//! The axum layer with leases: handlers that fail, panic, wait, and lose their client, stores that fail, and servers that stop, over TCP.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use axum::routing::{any, get};
use axum::{Extension, Router};
use cpaas::callback::MAX_LEASE;
use cpaas::callback::axum::{Callback, LeaseLayer, Now};
use cpaas::callback::{Claimed, Event, Keyring, LeaseMemory, LeaseStore, Leases, Receiver, Source};
use tokio::sync::{Semaphore, oneshot};

const NOW: u64 = 1_700_000_000;

/// The number of runs of the handler; the first runs of messages whose ids begin with `fails`, `panics` and `waits` do so.
#[derive(Clone)]
struct App {
    receiver: Arc<Receiver>,
    runs: Arc<AtomicUsize>,
    items: Arc<AtomicUsize>,
    started: mpsc::Sender<()>,
    go: Arc<Semaphore>,
}

impl FromRef<App> for Arc<Receiver> {
    fn from_ref(app: &App) -> Self {
        app.receiver.clone()
    }
}

async fn handle(State(app): State<App>, Callback(received): Callback) -> StatusCode {
    let first = app.runs.fetch_add(1, Ordering::SeqCst) == 0;
    if let Event::Unknown(batch) = &received.event {
        let items = batch.raw.as_array().unwrap();
        let done = items.iter().filter(|item| !first || item["messageId"] != "m-2").count();
        app.items.fetch_add(done, Ordering::SeqCst);
        return if done == items.len() { StatusCode::OK } else { StatusCode::INTERNAL_SERVER_ERROR };
    }
    match received.event.message_id() {
        Some("fails") if first => StatusCode::BAD_GATEWAY,
        Some("panics") if first => panic!("the handler panics"),
        Some("waits") => {
            app.started.send(()).unwrap();
            app.go.acquire().await.unwrap().forget();
            StatusCode::OK
        }
        Some("created") => StatusCode::CREATED,
        _ => StatusCode::OK,
    }
}

struct Server {
    app: App,
    address: SocketAddr,
    callback: String,
    started: mpsc::Receiver<()>,
    stop: oneshot::Sender<()>,
    thread: std::thread::JoinHandle<()>,
}

impl Server {
    fn start() -> Self {
        Self::with(Leases::in_memory(100))
    }

    fn with<S: LeaseStore>(leases: Leases<S>) -> Self {
        let keys = Keyring::new([("k1", [7; 32])]).unwrap();
        let receiver = Receiver::new("shop", "https://shop.example/hooks").unwrap().delivery_keys(keys);
        let callback = receiver.url(Source::SmsReport, "b-1", NOW).unwrap();
        let (sender, started) = mpsc::channel();
        let go = Arc::new(Semaphore::new(0));
        let receiver = receiver.into();
        let app = App { receiver, runs: Arc::default(), items: Arc::default(), started: sender, go };
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, state) = (listener.local_addr().unwrap(), app.clone());
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let router = Router::new()
                .route("/hooks", any(handle))
                .route_layer(LeaseLayer::new(leases, state.clone()))
                .route("/health", get(async || "well"))
                .layer(Extension(Now(NOW)))
                .with_state(state);
            let mut builder = tokio::runtime::Builder::new_current_thread();
            // Paused: when only the time limit of the store is left to wait for, it ends at once.
            let runtime = builder.enable_all().start_paused(true).build().unwrap();
            runtime.block_on(async {
                listener.set_nonblocking(true).unwrap();
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    served = axum::serve(listener, router) => served.unwrap(),
                    _ = stopped => {}
                }
            });
            runtime.shutdown_timeout(Duration::ZERO);
        });
        Self { app, address, callback, started, stop, thread }
    }

    /// Stops the server without waiting for its requests.
    fn stop(self) {
        self.stop.send(()).unwrap();
        self.thread.join().unwrap();
    }

    fn open(&self, path: &str) -> TcpStream {
        self.send("GET", path, "")
    }

    fn send(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: 10.0.0.7\r\nconnection: close\r\ncontent-length: {length}"
        );
        stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
        stream
    }

    fn report(&self, id: &str) -> TcpStream {
        let path = self.callback.strip_prefix("https://shop.example").unwrap();
        self.open(&format!("{path}&msgid={id}&status=sent&reference=b-1"))
    }

    fn runs(&self) -> usize {
        self.app.runs.load(Ordering::SeqCst)
    }
}

/// The status, the header `Retry-After` and the body.
fn response(mut stream: TcpStream) -> (u16, Option<String>, String) {
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    let retry_after = head.lines().find_map(|line| line.strip_prefix("retry-after: ")).map(str::to_owned);
    (head.split(' ').nth(1).unwrap().parse().unwrap(), retry_after, body.to_owned())
}

fn empty(status: u16) -> (u16, Option<String>, String) {
    (status, None, String::new())
}

#[test]
fn a_completed_event_is_answered_without_its_handler() {
    for (id, status) in [("m-1", 200), ("created", 201)] {
        let server = Server::start();
        assert_eq!(response(server.report(id)), empty(status));
        assert_eq!(response(server.report(id)), empty(200));
        assert_eq!(server.runs(), 1);
    }
}

#[test]
fn a_handler_that_fails_or_panics_runs_again() {
    for (id, status) in [("fails", 502), ("panics", 500)] {
        let server = Server::start();
        assert_eq!(response(server.report(id)), empty(status), "{id}");
        assert_eq!(response(server.report(id)), empty(200), "{id}");
        assert_eq!(response(server.report(id)), empty(200), "{id}");
        assert_eq!(server.runs(), 2, "{id}");
    }
}

#[test]
fn an_event_in_progress_is_busy_and_its_handler_ends_although_the_provider_disconnects() {
    let server = Server::start();
    let first = server.report("waits");
    server.started.recv().unwrap();
    let (status, retry_after, body) = response(server.report("waits"));
    let seconds: u64 = retry_after.unwrap().parse().unwrap();
    assert!(status == 503 && (1..=90).contains(&seconds) && body.is_empty());
    drop(first);
    server.app.go.add_permits(1);
    let mut last = 503;
    while last == 503 {
        last = response(server.report("waits")).0;
    }
    assert_eq!((last, server.runs()), (200, 1));
}

#[test]
fn requests_that_are_no_callbacks_never_reach_the_handler() {
    let server = Server::start();
    assert_eq!(response(server.open("/hooks?msgid=m-1")), empty(403));
    assert_eq!(response(server.open("/hooks?token=v1.k1.x&msgid=m")), empty(403));
    assert_eq!(response(server.open("/health")), (200, None, "well".to_owned()));
    assert_eq!(server.runs(), 0);
}

#[test]
fn a_lost_response_does_not_lose_the_record_that_the_event_is_done() {
    let server = Server::start();
    drop(server.report("m-1"));
    let mut last = 503;
    while last == 503 {
        last = response(server.report("m-1")).0;
    }
    assert_eq!((last, server.runs()), (200, 1));
}

#[test]
fn a_batch_in_one_request_is_one_event_without_a_key() {
    let server = Server::start();
    let url = server.app.receiver.url(Source::ChatReport, "", NOW).unwrap();
    let path = url.strip_prefix("https://shop.example").unwrap();
    let batch = r#"[{"messageId":"m-1"},{"messageId":"m-2"},{"status":"sent"}]"#;
    for (status, items) in [(500, 2), (200, 5), (200, 8)] {
        assert_eq!(response(server.send("POST", path, batch)), empty(status));
        assert_eq!(server.app.items.load(Ordering::SeqCst), items);
    }
}

/// What a command of the store does in place of its work, or after it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// Fails, and does nothing.
    Down,
    /// Works, but its reply is lost.
    LostReply,
    /// Never ends, and does nothing.
    Hangs,
    /// Panics.
    Panics,
    /// Answers that the event is busy for longer than any lease.
    Lies,
}

/// A store whose first command of one name has a fault.
struct Faulty {
    fault: Mutex<Option<(&'static str, Fault)>>,
    memory: LeaseMemory,
}

impl Faulty {
    async fn command<T>(&self, name: &str, lie: Option<T>, work: impl FnOnce() -> T) -> Result<T, String> {
        let fault = self.fault.lock().unwrap().take_if(|(command, _)| *command == name);
        match (fault, lie) {
            (Some((_, Fault::Down)), _) => Err("no connection".to_owned()),
            (Some((_, Fault::Hangs)), _) => std::future::pending().await,
            (Some((_, Fault::Panics)), _) => panic!("the store panics"),
            (Some((_, Fault::Lies)), Some(lie)) => Ok(lie),
            (Some((_, Fault::LostReply)), _) => {
                work();
                Err("connection reset".to_owned())
            }
            _ => Ok(work()),
        }
    }
}

impl LeaseStore for Faulty {
    type Error = String;

    async fn claim(&self, key: &str, token: &str, lease: Duration) -> Result<Claimed, String> {
        let lie = Claimed::Busy(MAX_LEASE + Duration::from_nanos(1));
        self.command("claim", Some(lie), || self.memory.claim(key, token, lease)).await
    }

    async fn done(&self, key: &str, _: &str, keep: Duration) -> Result<(), String> {
        self.command("done", None, || self.memory.done(key, keep)).await
    }

    async fn free(&self, key: &str, token: &str) -> Result<(), String> {
        self.command("free", None, || self.memory.free(key, token)).await
    }
}

#[test]
fn a_store_that_fails_hangs_lies_or_loses_a_reply_loses_no_event() {
    let failed = || (503, Some("5".to_owned()), String::new());
    for (command, fault, id, first, repeat, runs) in [
        ("claim", Fault::Down, "m-1", failed(), 200, 1),
        ("claim", Fault::Panics, "m-1", failed(), 200, 1),
        ("claim", Fault::Hangs, "m-1", failed(), 200, 1),
        ("claim", Fault::Lies, "m-1", failed(), 200, 1),
        ("claim", Fault::LostReply, "m-1", failed(), 503, 0),
        ("done", Fault::Down, "m-1", empty(200), 503, 1),
        ("done", Fault::Panics, "m-1", empty(200), 503, 1),
        ("done", Fault::Hangs, "m-1", empty(200), 503, 1),
        ("done", Fault::LostReply, "m-1", empty(200), 200, 1),
        ("free", Fault::Down, "fails", empty(502), 503, 1),
        ("free", Fault::Panics, "panics", empty(500), 503, 1),
        ("free", Fault::Hangs, "panics", empty(500), 503, 1),
        ("free", Fault::LostReply, "fails", empty(502), 200, 2),
        ("free", Fault::LostReply, "panics", empty(500), 200, 2),
    ] {
        let case = format!("{command} {fault:?} {id}");
        let store = Faulty { fault: Mutex::new(Some((command, fault))), memory: LeaseMemory::new(100) };
        let server = Server::with(Leases::new(store).lease(Duration::from_secs(1)).unwrap());
        let runs_before = if command == "claim" { 0 } else { 1 };
        assert_eq!((response(server.report(id)), server.runs()), (first, runs_before), "{case}");
        let mut last = response(server.report(id)).0;
        assert_eq!((last, server.runs()), (repeat, runs), "{case}");
        // After the lease has ended, the event is accepted, and a handler has completed.
        while last == 503 {
            last = response(server.report(id)).0;
        }
        assert_eq!((last, server.runs()), (200, runs + usize::from(repeat == 503)), "{case}");
    }
}

#[test]
fn a_server_that_stops_without_waiting_loses_no_event() {
    let leases = Leases::in_memory(100).lease(Duration::from_secs(1)).unwrap();
    let stopping = Server::with(leases.clone());
    let mut first = stopping.report("waits");
    stopping.started.recv().unwrap();
    stopping.stop();
    let mut nothing = String::new();
    let _ = first.read_to_string(&mut nothing);
    assert_eq!(nothing, "");
    let server = Server::with(leases);
    server.app.go.add_permits(1);
    let mut last = 503;
    while last == 503 {
        last = response(server.report("waits")).0;
    }
    assert_eq!((last, server.runs()), (200, 1));
}

#[test]
fn a_handler_longer_than_its_lease_records_that_it_is_done() {
    let server = Server::with(Leases::in_memory(100).lease(Duration::from_secs(1)).unwrap());
    let first = server.report("waits");
    server.started.recv().unwrap();
    // The lease ends, and a repeat runs the handler.
    while server.runs() < 2 {
        let repeat = server.report("waits");
        if server.started.recv_timeout(Duration::from_millis(100)).is_ok() {
            server.app.go.add_permits(2);
            assert_eq!(response(repeat), empty(200));
        } else {
            assert_eq!(response(repeat).0, 503);
        }
    }
    assert_eq!(response(first), empty(200));
    assert_eq!(response(server.report("waits")), empty(200));
    assert_eq!(server.runs(), 2);
}

#[test]
fn a_full_memory_is_busy_and_an_event_without_a_key_always_runs() {
    let server = Server::with(Leases::in_memory(1));
    let first = server.report("waits");
    server.started.recv().unwrap();
    assert_eq!(response(server.report("m-2")), (503, Some("1".to_owned()), String::new()));
    for _ in 0..2 {
        assert_eq!(response(server.report("")), empty(200));
    }
    server.app.go.add_permits(1);
    assert_eq!(response(first), empty(200));
    assert_eq!(response(server.report("m-2")), empty(200));
    assert_eq!(server.runs(), 4);
}
