//! Calls that are dropped midway: what they say of the request is what the transport can prove.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpaas::Config;
use cpaas::client::{CallEnd, Client, RawCall};
use cpaas::error::SentState;
use cpaas::operation::{Family, Method};
use cpaas_tests::hostile::{Accept, CallEnd as End, Hostile, Reply};

use crate::config;
use crate::connecting::Full;

type Events = Arc<Mutex<Vec<(CallEnd, SentState, u32)>>>;

fn watched(config: &Config) -> (Client, Events) {
    let events = Events::default();
    let kept = Arc::clone(&events);
    let client = Client::new(config).unwrap().on_outcome(move |event| {
        kept.lock().unwrap().push((event.ending, event.sent, event.attempts));
    });
    (client, events)
}

/// With a body and without one.
const METHODS: [Method; 4] = [Method::Get, Method::Post, Method::Put, Method::Delete];

fn calls() -> Vec<RawCall> {
    let call = |method| RawCall::new(method, Family::Sms, "/x");
    METHODS.map(call).into_iter().chain([call(Method::Post).body("text")]).collect()
}

/// Polls each call until `seen`, then drops it; what its event says.
async fn dropped(config: &Config, seen: impl Fn() -> usize) -> Vec<SentState> {
    let mut told = Vec::new();
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
        told.push(sent);
    }
    told
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn while_the_connection_is_made_nothing_was_sent() {
    let server = Full::new().await;
    let ticks = std::cell::Cell::new(0);
    let soon = || {
        ticks.set(ticks.get() + 1);
        ticks.get() / 20
    };
    assert_eq!(dropped(&config(&server.url()), soon).await, [SentState::No; 5]);
}

#[tokio::test]
async fn during_the_handshake_nothing_was_sent() {
    let accept = |_| Accept::Until(usize::MAX, End::Stall);
    let server = Hostile::start(accept, |_| Reply::json(200, "{}")).await.unwrap();
    let url = server.url().replace("http://127.0.0.1", "https://localhost");
    assert_eq!(dropped(&config(&url), || server.connections()).await, [SentState::No; 5]);
}

#[tokio::test]
async fn once_it_was_written_it_may_have_been_processed() {
    let server = Hostile::serve(|_| Reply::new("", End::Stall)).await.unwrap();
    assert_eq!(dropped(&config(&server.url()), || server.requests().len()).await, [SentState::Maybe; 5]);
}

#[tokio::test]
async fn so_it_may_when_the_response_has_begun() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{";
    let server = Hostile::serve(move |_| Reply::new(head, End::Stall)).await.unwrap();
    assert_eq!(dropped(&config(&server.url()), || server.requests().len()).await, [SentState::Maybe; 5]);
}

/// A call that waits for a place was handed to nobody.
#[tokio::test]
async fn while_it_waits_for_a_connection_nothing_was_sent() {
    let server = Hostile::serve(|_| Reply::new("", End::Stall)).await.unwrap();
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
    let server = Hostile::serve(|_| Reply::json(200, "{}")).await.unwrap();
    let (client, events) = watched(&config(&server.url()));
    for call in calls() {
        drop(client.call_raw(call));
    }
    // Whatever had been begun would come before this.
    client.call_raw(calls().remove(0)).await.unwrap();
    assert_eq!((server.connections(), server.requests().len(), events.lock().unwrap().len()), (1, 1, 1));
}

/// What a dropped call left is never written, and the next call gets a connection of its own.
#[tokio::test]
async fn a_connection_that_carried_a_dropped_call_carries_nothing_more() {
    let server = Hostile::serve(|request| match request.path.as_str() {
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
