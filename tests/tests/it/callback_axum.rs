//! The axum extractor receives hand-written requests over TCP, also while keys rotate.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, RwLock};
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::{FromRef, State};
use axum::routing::any;
use cpaas::callback::axum::Callback;
use cpaas::callback::{Key, Keyring, Receiver, Source};

#[derive(Clone)]
struct App {
    receiver: Arc<RwLock<Arc<Receiver>>>,
    events: Arc<Mutex<Vec<String>>>,
}

impl FromRef<App> for Arc<Receiver> {
    fn from_ref(app: &App) -> Self {
        app.receiver.read().unwrap().clone()
    }
}

async fn handle(State(app): State<App>, Callback(received): Callback) {
    app.events.lock().unwrap().push(received.event.message_id().unwrap_or("-").to_owned());
}

fn receiver(keys: &[&str]) -> Receiver {
    let keys =
        keys.iter().map(|kid| Key::new(*kid, format!("the secret of {kid}, thirty-two bytes or more")));
    Receiver::new("shop", "https://shop.example/hooks").unwrap().delivery_keys(Keyring::new(keys).unwrap())
}

fn start(app: App) -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let router = Router::new().route("/hooks", any(handle)).with_state(app);
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
            listener.set_nonblocking(true).unwrap();
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            axum::serve(listener, router).await.unwrap();
        });
    });
    address
}

/// The status and the body of the response.
fn send(address: SocketAddr, method: &str, url: &str, body: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let path = url.strip_prefix("https://shop.example").unwrap();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: 10.0.0.7\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let _ = stream.write_all(body); // the response to a body that is too large arrives before the body is read completely
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response);
    let response = String::from_utf8(response).unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

#[test]
fn valid_callbacks_reach_the_handler_and_all_others_get_the_same_403() {
    let events = Arc::new(Mutex::new(Vec::new()));
    let good = receiver(&["k1"]);
    let app = App { receiver: Arc::new(RwLock::new(Arc::new(good.clone()))), events: events.clone() };
    let address = start(app);
    let sms = good.url(Source::SmsReport, "b-1", now()).unwrap();
    let chat = good.url(Source::ChatReport, "", now()).unwrap();

    let report = b"{\"messageId\":\"c-1\",\"status\":\"Delivered\",\"errorcode\":0}";
    assert_eq!(send(address, "GET", &format!("{sms}&msgid=m-1&reference=b-1"), b""), (200, String::new()));
    assert_eq!(send(address, "POST", &chat, report), (200, String::new()));
    assert_eq!(*events.lock().unwrap(), ["m-1", "c-1"]);

    let large = vec![b'x'; 3 << 20];
    let refused: [(&str, String, &[u8]); 6] = [
        ("GET", "https://shop.example/hooks?msgid=m-2".to_owned(), b""),
        ("GET", format!("{sms}x&msgid=m-2&reference=b-1"), b""),
        ("GET", format!("{sms}&msgid=m-2&reference=b-2"), b""),
        ("PUT", chat.clone(), report),
        ("POST", receiver(&["k9"]).url(Source::ChatReport, "", now()).unwrap(), report),
        ("POST", chat, &large),
    ];
    for (method, url, body) in refused {
        assert_eq!(send(address, method, &url, body), (403, String::new()), "{method} {url}");
    }
    assert_eq!(events.lock().unwrap().len(), 2);
}

#[test]
fn callbacks_are_accepted_while_keys_rotate() {
    let events = Arc::new(Mutex::new(Vec::new()));
    let steps = [&["old"][..], &["old", "new"], &["new", "old"], &["new"]];
    let shared = Arc::new(RwLock::new(Arc::new(receiver(steps[0]))));
    let address = start(App { receiver: shared.clone(), events: events.clone() });
    let mut callbacks = Vec::new();
    for (at, keys) in steps.into_iter().enumerate() {
        *shared.write().unwrap() = Arc::new(receiver(keys));
        callbacks.push(receiver(keys).url(Source::SmsReport, "b", now()).unwrap());
        for (signed_at, callback) in callbacks.iter().enumerate() {
            let expected = if at == 3 && signed_at < 2 { 403 } else { 200 };
            let found = send(address, "GET", &format!("{callback}&msgid=m&reference=b"), b"").0;
            assert_eq!(found, expected, "signed at step {signed_at}, received at step {at}");
        }
    }
    assert_eq!(events.lock().unwrap().len(), 1 + 2 + 3 + 2);
}
