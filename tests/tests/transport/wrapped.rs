//! Transports of the program that wrap the default one, and the sources of errors.

use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cpaas::client::{Attempt, CallEnd, Client, HttpTransport, RawCall, Transport, TransportError};
use cpaas::clock::BoxFuture;
use cpaas::error::{Error, Outcome, Reason, SentState};
use cpaas::http::{Family, Method};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas_tests::fault_server::{Accept, ConnectionEnd as End, FaultServer, Reply};

use tokio::sync::Semaphore;

use crate::dropped_calls::watch;
use crate::{ClosedPort, config, send};

/// Counts attempts and forwards them.
struct Counted {
    inner: HttpTransport,
    attempts: Arc<AtomicU64>,
}

impl Transport for Counted {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        self.attempts.fetch_add(1, Ordering::Relaxed);
        self.inner.send(request, timeout)
    }

    fn attempt<'a>(
        &'a self,
        request: &'a HttpRequest,
        attempt: Attempt<'a>,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        self.attempts.fetch_add(1, Ordering::Relaxed);
        self.inner.attempt(request, attempt)
    }
}

/// The transport of `docs/rust.md`: at most as many requests at once as the semaphore has permits.
struct Limited {
    inner: HttpTransport,
    permits: Semaphore,
}

impl Transport for Limited {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
        timeout: Duration,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        Box::pin(async move {
            let send = async {
                let _permit = self.permits.acquire().await;
                self.inner.send(request, timeout).await
            };
            let result = tokio::time::timeout(timeout, send).await;
            result.unwrap_or_else(|_| Err(TransportError::new(SentState::Maybe, Reason::Timeout)))
        })
    }

    fn attempt<'a>(
        &'a self,
        request: &'a HttpRequest,
        attempt: Attempt<'a>,
    ) -> BoxFuture<'a, Result<HttpResponse, TransportError>> {
        Box::pin(async move {
            let send = async {
                let _permit = self.permits.acquire().await;
                self.inner.attempt(request, attempt).await
            };
            let result = tokio::time::timeout(attempt.left(), send).await;
            result.unwrap_or_else(|_| Err(TransportError::new(attempt.progress().sent(), Reason::Timeout)))
        })
    }
}

/// The code of `Limited` in the page is the one that is tested here.
#[test]
fn the_example_of_the_page_is_this_one() {
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>().join("\n");
    let code = |text: &str| {
        let text = lines(text);
        let (_, from) = text.split_once("impl Transport for Limited {").unwrap();
        from.split_once("\n\n#[tokio::main]").map_or(from, |(code, _)| code).to_owned()
    };
    let page = code(include_str!("../../../docs/rust.md"));
    assert!(
        page.contains("self.inner.attempt") && code(include_str!("wrapped.rs")).starts_with(&page),
        "{page}"
    );
}

/// A client over each form of a wrapped transport.
fn clients(config: &cpaas::Config) -> Vec<Client> {
    let transport = || HttpTransport::new(config).unwrap();
    let counted = Counted { inner: transport(), attempts: Arc::default() };
    let limited = Limited { inner: transport(), permits: Semaphore::new(1) };
    vec![
        Client::with_transport(config, counted).unwrap(),
        Client::with_transport(config, limited).unwrap(),
        Client::with_transport(config, Arc::new(transport())).unwrap(),
        Client::with_transport(config, Arc::new(transport()) as Arc<dyn Transport>).unwrap(),
        Client::with_transport(config, Box::new(transport()) as Box<dyn Transport>).unwrap(),
    ]
}

fn raw_call() -> RawCall {
    RawCall::new(Method::Post, Family::Sms, "/x").body("text")
}

#[tokio::test]
async fn a_wrapped_transport_makes_calls() {
    let server = FaultServer::serve(|_| Reply::json(200, "{}")).await.unwrap();
    let attempts: Arc<AtomicU64> = Arc::default();
    let config = config(&server.url());
    let counted = Counted { inner: HttpTransport::new(&config).unwrap(), attempts: Arc::clone(&attempts) };
    Client::with_transport(&config, counted).unwrap().call_raw(raw_call()).await.unwrap();
    assert_eq!(attempts.load(Ordering::Relaxed), 1);
    for client in clients(&config) {
        client.call_raw(raw_call()).await.unwrap();
    }
    assert_eq!(server.requests().len(), 6);
}

/// `attempt` is forwarded by each form; `send` alone would report that the request may have been sent.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_call_that_is_dropped_while_connecting_was_not_sent() {
    let server = crate::connecting::Full::new().await;
    for client in clients(&config(&server.url())) {
        let (client, events) = watch(client);
        let call = tokio::time::timeout(Duration::from_millis(60), client.call_raw(raw_call()));
        assert!(call.await.is_err());
        assert_eq!(*events.lock().unwrap(), [(CallEnd::Abandoned, SentState::No, 1)]);
    }
}

/// The program's own transport has the connections, so their settings cannot be changed by `reconfigured`.
#[tokio::test]
async fn other_connection_settings_are_refused() {
    let one = config("http://127.0.0.1:9");
    let client = Client::with_transport(&one, HttpTransport::new(&one).unwrap()).unwrap();
    assert!(client.reconfigured(&one.clone().sms_key("two").timeout(Duration::from_secs(9))).is_ok());
    let others = [
        ("proxy", one.clone().proxy("http://secret@127.0.0.1:1")),
        ("ca_bundle", one.clone().ca_bundle("/nowhere")),
        ("connect_timeout", one.clone().connect_timeout(Duration::from_secs(1))),
        ("max_connections", one.clone().max_connections(7)),
        ("max_response_bytes", one.clone().max_response_bytes(7)),
        ("user_agent", one.clone().user_agent("x")),
    ];
    for (name, other) in others {
        let error = client.reconfigured(&other).unwrap_err();
        assert_eq!((error.outcome, error.reason), (Outcome::Invalid, Reason::Config));
        assert!(error.message.contains(&format!("`{name}`")), "{error}");
        assert!(!error.message.contains("secret"), "{error}");
    }
}

/// The texts of an error and all of its sources.
fn chain(error: &Error) -> Vec<String> {
    let mut texts = vec![error.to_string(), format!("{error:?}")];
    let mut next = error.source();
    while let Some(source) = next {
        texts.extend([source.to_string(), format!("{source:?}")]);
        next = source.source();
    }
    texts
}

#[tokio::test]
async fn the_sources_end_with_the_error_of_the_operating_system() {
    let error = send(&config(&ClosedPort::new().url())).await.unwrap_err();
    let mut next = error.source();
    let mut refused = false;
    while let Some(source) = next {
        let io = source.downcast_ref::<std::io::Error>();
        refused |= io.is_some_and(|io| io.kind() == std::io::ErrorKind::ConnectionRefused);
        next = source.source();
    }
    assert!(refused, "{:?}", chain(&error));
}

/// A failure that validation finds has no source.
#[tokio::test]
async fn an_invalid_call_has_no_source() {
    let error = send(&cpaas::Config::default()).await.unwrap_err();
    assert!(error.source().is_none());
}

/// Sources are no part of `==` and of the record.
#[tokio::test]
async fn sources_are_not_compared_and_not_serialized() {
    let closed = ClosedPort::new();
    let config = config(&closed.url());
    let (one, other) = (send(&config).await.unwrap_err(), send(&config).await.unwrap_err());
    assert_eq!(one, other);
    assert_eq!(one, other.caused_by(None));
    assert_eq!(serde_json::to_string(&one).unwrap(), one.to_json());
}

/// URLs contain keys and tokens of bots, addresses of proxies contain passwords; no source shows them.
#[tokio::test]
async fn no_source_contains_a_secret() {
    let closed = ClosedPort::new();
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{";
    let cut = FaultServer::serve(move |_| Reply::new(head, End::Rst)).await.unwrap();
    let garbage = |_| Accept::Until(1, End::Garbage);
    let garbage = FaultServer::start(garbage, |_| Reply::json(200, "{}")).await.unwrap();
    let urls = [
        closed.url(),
        cut.url(),
        garbage.url(),
        closed.url().replace("http:", "https:"),
        garbage.url().replace("http:", "https:"),
        "http://provider.invalid".to_owned(),
    ];
    let mut sources = 0;
    for url in urls {
        let plain = config(&format!("{url}/SECRETPATH")).api_key("SECRETKEY");
        let proxied = plain.clone().proxy(format!(
            "http://SECRETUSER:SECRETPASSWORD@{}",
            closed.url().trim_start_matches("http://")
        ));
        for config in [plain, proxied] {
            let client = Client::new(&config).unwrap();
            for family in [Family::Sms, Family::Lookup, Family::Otp] {
                let call = RawCall::new(Method::Post, family, "/botSECRETTOKEN/x")
                    .query("key", "SECRETQUERY")
                    .body("SECRETTEXT");
                let error = client.call_raw(call).await.unwrap_err();
                let texts = chain(&error);
                sources += texts.len() - 2;
                assert!(texts.iter().all(|text| !text.contains("SECRET")), "{texts:?}");
            }
        }
    }
    assert!(sources > 20, "only {sources} texts of sources were compared");
}
