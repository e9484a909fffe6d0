//! The sandbox, on a virtual clock, sends callbacks to an axum application: key rotation guided by `lint`, and an unknown outcome that
//! a report settles.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;

use axum::Router;
use axum::extract::{FromRef, Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::any;
use cpaas::callback::axum::{Callback, Now};
use cpaas::callback::{Key, KeyState, Keyring, Lifetime, Pending, Purpose, Received, Receiver, token_url};
use cpaas::client::blocking::Client;
use cpaas::error::Outcome;
use cpaas::sms;
use cpaas_sandbox::{BlockingSandbox, ClockMode, Sandbox};
use serde_json::{Value, json};

const HOUR: u64 = 3600;
/// The start of a virtual clock: 1 January 2026.
const BEGIN: u64 = 1_767_225_600;

#[derive(Clone)]
struct App {
    now: Arc<AtomicU64>,
    receiver: Arc<RwLock<Arc<Receiver>>>,
    got: Arc<Mutex<Vec<Received>>>,
    calls: Arc<AtomicUsize>,
    fails: bool,
}

impl FromRef<App> for Arc<Receiver> {
    fn from_ref(app: &App) -> Self {
        app.receiver.read().unwrap().clone()
    }
}

/// The handler of the application. If `fails`, every third call fails.
async fn callback(State(app): State<App>, Callback(received): Callback) -> StatusCode {
    if app.fails && app.calls.fetch_add(1, Ordering::Relaxed) % 3 == 2 {
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    app.got.lock().unwrap().push(received);
    StatusCode::OK
}

async fn clock(State(app): State<App>, mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(Now(app.now.load(Ordering::Relaxed)));
    next.run(request).await
}

struct Shop {
    app: App,
    url: String,
    sandbox: BlockingSandbox,
    client: Client,
    sent: Vec<String>,
}

fn old() -> Key {
    Key::new("old", "the old secret, thirty-two bytes or more")
}

fn new() -> Key {
    Key::new("new", "the new secret, thirty-two bytes or more")
}

impl Shop {
    fn open(fails: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/hooks", listener.local_addr().unwrap());
        let receiver = Arc::new(RwLock::new(Arc::new(Receiver::new("shop", url.as_str()).unwrap())));
        let now = Arc::new(AtomicU64::new(BEGIN));
        let app = App { now, receiver, got: Arc::default(), calls: Arc::default(), fails };
        let layer = middleware::from_fn_with_state(app.clone(), clock);
        let router = Router::new().route("/hooks", any(callback)).layer(layer).with_state(app.clone());
        std::thread::spawn(move || {
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
                listener.set_nonblocking(true).unwrap();
                axum::serve(tokio::net::TcpListener::from_std(listener).unwrap(), router).await.unwrap();
            });
        });
        let sandbox = Sandbox::builder().clock(ClockMode::Virtual).start_blocking().unwrap();
        let client = Client::new(&sandbox.config()).unwrap();
        Self { app, url, sandbox, client, sent: Vec::new() }
    }

    fn now(&self) -> u64 {
        self.app.now.load(Ordering::Relaxed)
    }

    fn rotate(&self, keys: impl IntoIterator<Item = Key>) -> Keyring {
        let hour = u32::try_from(HOUR).unwrap();
        let keys = Keyring::new(keys).unwrap().longest_lifetime(hour).unwrap().expiring_only();
        let receiver = Receiver::new("shop", self.url.as_str()).unwrap().delivery_keys(keys.clone());
        *self.app.receiver.write().unwrap() = Arc::new(receiver);
        keys
    }

    fn send(&mut self) -> String {
        let receiver = self.app.receiver.read().unwrap().clone();
        let reference = format!("booking-{}", self.sent.len());
        let token =
            receiver.mint(Purpose::DeliveryReport, &reference, Lifetime::Default, self.now()).unwrap();
        let callback = token_url(&self.url, &token).unwrap();
        let send = sms::SendSms::new("Acme", "306912345678", "Hi").reference(reference.as_str());
        self.sent.push(self.client.call(send.callback(callback.as_str())).unwrap().id.clone());
        format!("{callback}&msgid=m&status=sent&reference={reference}")
    }

    fn pass(&self, seconds: u64) {
        self.app.now.fetch_add(seconds, Ordering::Relaxed);
        self.sandbox.advance(Duration::from_secs(seconds));
    }

    fn statuses(&self) -> BTreeMap<u64, usize> {
        let found = self.sandbox.control("GET", "/callbacks", &Value::Null).unwrap();
        let mut counts = BTreeMap::new();
        for attempt in found["attempts"].as_array().unwrap() {
            *counts.entry(attempt["status"].as_u64().unwrap()).or_default() += 1;
        }
        counts
    }
}

#[test]
fn the_old_key_can_be_removed_when_lint_reports_it_as_removable() {
    let mut shop = Shop::open(true);
    shop.rotate([old()]);
    for step in [[old(), new()], [new(), old()]] {
        for _ in 0..6 {
            shop.send();
            shop.pass(600);
        }
        shop.send(); // its report arrives after the keys change
        shop.rotate(step);
    }
    let retired = shop.now();
    let keys = shop.rotate([new(), old().retired_at(retired)]);
    let mut last = 0;
    while keys.lint(shop.now())[1].state != KeyState::Removable {
        last = shop.now();
        shop.send();
        shop.pass(300);
    }
    assert_eq!((last - retired, shop.now() - retired), (HOUR - 300, HOUR));
    shop.rotate([new()]);
    for _ in 0..6 {
        shop.send();
        shop.pass(600);
    }
    shop.pass(30 * HOUR);
    let counts = shop.statuses();
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [200, 500], "{counts:?}");
    assert!(counts[&500] > 5, "{counts:?}");
    let mut got: Vec<String> = shop
        .app
        .got
        .lock()
        .unwrap()
        .iter()
        .map(|received| received.event.message_id().unwrap().to_owned())
        .collect();
    got.sort();
    shop.sent.sort();
    assert_eq!(got, shop.sent);
}

#[test]
fn the_old_key_is_needed_while_lint_reports_keep() {
    let mut shop = Shop::open(false);
    shop.rotate([old()]);
    let url = shop.send();
    let keys = shop.rotate([new(), old().retired_at(shop.now())]);
    let early = shop.now() + HOUR - 1;
    assert_eq!(keys.lint(early)[1].state, KeyState::Keep);
    let with = |keys: &[Key]| {
        shop.rotate(keys.to_vec());
        shop.app
            .receiver
            .read()
            .unwrap()
            .receive("GET", &url, &[], b"", early)
            .map(drop)
            .map_err(|no| no.reason)
    };
    assert_eq!(with(&[new(), old()]), Ok(()));
    assert_eq!(with(&[new()]).unwrap_err().as_str(), "unknown_key");
}

#[test]
fn an_unknown_outcome_is_settled_by_its_report() {
    let shop = Shop::open(false);
    let keys = json!([{"kid": "old", "secret": "the old secret, thirty-two bytes or more"}]);
    let config = shop.sandbox.config().callback_keys(keys.to_string()).callback_audience("shop");
    let client = Client::new(&config).unwrap();
    shop.rotate([old()]);
    // The client signs with the system time, so the application verifies with it too.
    let machine = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    shop.app.now.store(machine, Ordering::Relaxed);
    shop.sandbox
        .set_faults(json!([{"match": {"op": "sms.send"}, "kind": "close-after-read", "nth": 1}]))
        .unwrap();

    let send = sms::SendSms::new("Acme", "306912345678", "Hi").reference("booking-7");
    let error = client.call(send.callback(shop.url.as_str())).unwrap_err();
    assert_eq!((error.outcome, error.reference.as_deref()), (Outcome::Unknown, Some("booking-7")));
    let mut pending = Pending::new(10);
    pending.unknown("booking-7", &error.operation);
    shop.sandbox.advance(Duration::from_secs(HOUR));

    let accepted = shop.sandbox.ledger();
    let got = shop.app.got.lock().unwrap();
    assert_eq!((accepted.len(), got.len()), (1, 1));
    let settled = pending.reconcile(&got[0]).unwrap();
    assert_eq!(
        (settled.operation.as_str(), settled.reference.as_str(), settled.first),
        ("sms.send", "booking-7", true)
    );
    assert_eq!(settled.message_id.as_deref(), accepted[0]["id"].as_str());
    assert_eq!(pending.open().count(), 0);
}
