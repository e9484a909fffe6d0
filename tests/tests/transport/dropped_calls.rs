//! The event of a dropped call says whether the request may have been sent.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpaas::Config;
use cpaas::client::{CallEnd, Client, RawCall};
use cpaas::error::SentState;
use cpaas::http::{Family, Method};
use cpaas_tests::fault_server::{Accept, ConnectionEnd as End, FaultServer, Reply};

use crate::config;
use crate::connecting::Full;

pub(crate) type Events = Arc<Mutex<Vec<(CallEnd, SentState, u32)>>>;

pub(crate) fn watched(config: &Config) -> (Client, Events) {
    watch(Client::new(config).unwrap())
}

/// The client, and the events of its calls.
pub(crate) fn watch(client: Client) -> (Client, Events) {
    let events = Events::default();
    let kept = Arc::clone(&events);
    let client = client.on_outcome(move |event| {
        kept.lock().unwrap().push((event.ending, event.sent, event.attempts));
    });
    (client, events)
}

const METHODS: [Method; 4] = [Method::Get, Method::Post, Method::Put, Method::Delete];

/// A call of each method without a body, and one with a body.
fn calls() -> Vec<RawCall> {
    let call = |method| RawCall::new(method, Family::Sms, "/x");
    METHODS.map(call).into_iter().chain([call(Method::Post).body("text")]).collect()
}

/// Polls each call until `seen` changes, then drops the call. Returns the sent states of their events.
async fn dropped(config: &Config, seen: impl Fn() -> usize) -> Vec<SentState> {
    let mut reported = Vec::new();
    for call in calls() {
        let (client, events) = watched(config);
        let before = seen();
        let until = async {
            while seen() == before {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        tokio::select! {
            ended = client.call_raw(call) => panic!("{ended:?}"),
            () = until => {}
        }
        let events = events.lock().unwrap();
        let [(CallEnd::Abandoned, sent, 1)] = events[..] else { panic!("{events:?}") };
        reported.push(sent);
    }
    reported
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn nothing_was_sent_while_connecting() {
    let server = Full::new().await;
    let ticks = std::cell::Cell::new(0);
    let soon = || {
        ticks.set(ticks.get() + 1);
        ticks.get() / 20
    };
    assert_eq!(dropped(&config(&server.url()), soon).await, [SentState::No; 5]);
}

#[tokio::test]
async fn nothing_was_sent_during_the_handshake() {
    let accept = |_| Accept::Until(usize::MAX, End::Stall);
    let server = FaultServer::start(accept, |_| Reply::json(200, "{}")).await.unwrap();
    let url = server.url().replace("http://127.0.0.1", "https://localhost");
    assert_eq!(dropped(&config(&url), || server.connections()).await, [SentState::No; 5]);
}

#[tokio::test]
async fn a_written_request_may_have_been_processed() {
    let server = FaultServer::serve(|_| Reply::new("", End::Stall)).await.unwrap();
    assert_eq!(dropped(&config(&server.url()), || server.requests().len()).await, [SentState::Maybe; 5]);
}

#[tokio::test]
async fn a_request_with_a_partial_response_may_have_been_processed() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{";
    let server = FaultServer::serve(move |_| Reply::new(head, End::Stall)).await.unwrap();
    assert_eq!(dropped(&config(&server.url()), || server.requests().len()).await, [SentState::Maybe; 5]);
}

#[tokio::test]
async fn nothing_was_sent_while_waiting_for_a_connection() {
    let server = FaultServer::serve(|_| Reply::new("", End::Stall)).await.unwrap();
    let (client, events) = watched(&config(&server.url()).max_connections(1));
    let first = tokio::spawn({
        let client = client.clone();
        async move { client.call_raw(calls().remove(0)).await }
    });
    while server.requests().is_empty() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let call = client.call_raw(calls().remove(1));
    assert!(tokio::time::timeout(Duration::from_millis(100), call).await.is_err());
    assert_eq!(*events.lock().unwrap(), [(CallEnd::Abandoned, SentState::No, 1)]);
    assert_eq!((server.connections(), server.requests().len()), (1, 1));
    first.abort();
}

#[tokio::test]
async fn a_call_that_was_never_polled_does_not_begin() {
    let server = FaultServer::serve(|_| Reply::json(200, "{}")).await.unwrap();
    let (client, events) = watched(&config(&server.url()));
    for call in calls() {
        drop(client.call_raw(call));
    }
    // If a dropped call had sent a request, it would have arrived before this one.
    client.call_raw(calls().remove(0)).await.unwrap();
    assert_eq!((server.connections(), server.requests().len(), events.lock().unwrap().len()), (1, 1, 1));
}

/// The rest of a dropped request is never written, and the next call opens a new connection.
#[tokio::test]
async fn the_connection_of_a_dropped_call_is_not_reused() {
    let server = FaultServer::serve(|request| match request.path.as_str() {
        "/x" => Reply::new("", End::Stall),
        _ => Reply::json(200, "{}"),
    });
    let server = server.await.unwrap();
    let (client, _) = watched(&config(&server.url()));
    let call = client.call_raw(calls().remove(4));
    tokio::select! {
        ended = call => panic!("{ended:?}"),
        () = async { while server.requests().is_empty() { tokio::time::sleep(Duration::from_millis(2)).await } } => {}
    }
    client.call_raw(RawCall::new(Method::Get, Family::Sms, "/y")).await.unwrap();
    assert_eq!((server.connections(), server.requests().len()), (2, 2));
}
