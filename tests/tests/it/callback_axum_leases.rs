//! The axum layer with leases: handlers that fail, panic, wait, and lose their client, over TCP.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use axum::routing::{any, get};
use axum::{Extension, Router};
use cpaas::callback::axum::{Callback, LeaseLayer, Now};
use cpaas::callback::{Claimed, Keyring, LeaseMemory, LeaseStore, Leases, Receiver, Source};
use tokio::sync::Semaphore;

const NOW: u64 = 1_700_000_000;

/// The number of runs of the handler; the first runs of messages whose ids begin with `fails`, `panics` and `waits` do so.
#[derive(Clone)]
struct App {
    receiver: Arc<Receiver>,
    runs: Arc<AtomicUsize>,
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
        let app = App { receiver: receiver.into(), runs: Arc::default(), started: sender, go };
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, state) = (listener.local_addr().unwrap(), app.clone());
        std::thread::spawn(move || {
            let router = Router::new()
                .route("/hooks", any(handle))
                .route_layer(LeaseLayer::new(leases, state.clone()))
                .route("/health", get(async || "well"))
                .layer(Extension(Now(NOW)))
                .with_state(state);
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
                listener.set_nonblocking(true).unwrap();
                axum::serve(tokio::net::TcpListener::from_std(listener).unwrap(), router).await.unwrap();
            });
        });
        Self { app, address, callback, started }
    }

    fn open(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nhost: 10.0.0.7\r\nconnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
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

/// A store whose commands of one name fail.
struct FailsTo(&'static str, LeaseMemory);

impl FailsTo {
    fn command<T>(&self, name: &str, result: T) -> Result<T, &'static str> {
        if self.0 == name { Err("no connection") } else { Ok(result) }
    }
}

impl LeaseStore for FailsTo {
    type Error = &'static str;

    async fn claim(&self, key: &str, token: &str, lease: Duration) -> Result<Claimed, &'static str> {
        self.command("claim", self.1.claim(key, token, lease))
    }

    async fn done(&self, key: &str, _: &str, keep: Duration) -> Result<(), &'static str> {
        self.1.done(key, keep);
        self.command("done", ())
    }

    async fn free(&self, key: &str, token: &str) -> Result<(), &'static str> {
        self.1.free(key, token);
        self.command("free", ())
    }
}

#[test]
fn a_store_that_fails_decides_no_response_after_the_handler_ran() {
    for (command, id, expected, runs) in [
        ("claim", "m-1", (503, Some("5".to_owned()), String::new()), 0),
        ("done", "m-1", empty(200), 1),
        ("free", "fails", empty(502), 1),
    ] {
        let server = Server::with(Leases::new(FailsTo(command, LeaseMemory::new(100))));
        assert_eq!(response(server.report(id)), expected, "{command}");
        assert_eq!(server.runs(), runs, "{command}");
    }
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
