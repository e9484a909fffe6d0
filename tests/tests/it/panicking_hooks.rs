//! A hook that panics changes neither the outcome of a call nor the other hooks.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use cpaas::client::{Client, TransportError};
use cpaas::http::{HttpRequest, HttpResponse};
use cpaas::sms;
use cpaas_tests::examples::{config, example};

type Counter = Arc<AtomicU32>;

/// A client whose transport accepts each message, and the number of its requests.
fn client() -> (Client, Counter) {
    let sent = Counter::default();
    let counter = sent.clone();
    let transport = move |_: HttpRequest| {
        counter.fetch_add(1, Ordering::Relaxed);
        async { Ok::<_, TransportError>(HttpResponse::new(200, vec![], example("sms.send").response)) }
    };
    (Client::with_transport(&config("http://cpaas.test"), transport).unwrap(), sent)
}

fn count(counter: &Counter) -> u32 {
    counter.load(Ordering::Relaxed)
}

fn send() -> sms::SendSms {
    sms::SendSms::new("Acme", "306912345678", "Your table is ready")
}

#[tokio::test]
async fn the_panic_of_any_hook_leaves_the_outcome_of_the_call() {
    let add: [fn(Client) -> Client; 6] = [
        |client| client.on_outcome(|_| panic!("my metrics")),
        |client| client.on_request(|_| panic!("my metrics")),
        |client| client.on_response(|_| panic!("my metrics")),
        |client| client.on_request_end(|_| panic!("my metrics")),
        |client| client.traceparent(|_| panic!("my metrics")),
        |client| client.traceparent_later(|_| Box::pin(async { panic!("my metrics") })),
    ];
    for (at, add) in add.into_iter().enumerate() {
        let (client, sent) = client();
        let accepted = add(client).call(send()).await.unwrap();
        assert_eq!((&*accepted.id, accepted.attempts, count(&sent)), ("M1", 1, 1), "hook {at}");
    }
}

#[tokio::test]
async fn the_hooks_after_a_panicking_one_run() {
    let (client, sent) = client();
    let (outcomes, ends) = (Arc::<Mutex<Vec<String>>>::default(), Counter::default());
    let (keep, ended) = (outcomes.clone(), ends.clone());
    let client = client
        .on_response(|_| panic!("my metrics"))
        .on_request_end(move |_| {
            ended.fetch_add(1, Ordering::Relaxed);
        })
        .on_outcome(|_| panic!("my metrics"))
        .also_on_outcome(move |event| keep.lock().unwrap().push(event.ending.as_str().to_owned()));
    client.call(send()).await.unwrap();
    assert_eq!(
        (&**outcomes.lock().unwrap(), count(&ends), count(&sent)),
        (&["accepted".to_owned()][..], 1, 1)
    );
}

/// A refused call and a dropped one are reported too.
#[tokio::test]
async fn a_refused_and_a_dropped_call_survive_the_panic_of_the_hook() {
    let (client, sent) = client();
    let client = client.on_outcome(|_| panic!("my metrics"));
    let error = client.call(sms::SendSms::new("Acme", "306912345678", "")).await.unwrap_err();
    assert_eq!(error.outcome.as_str(), "invalid");
    drop(client.call(send()));
    assert_eq!(count(&sent), 0);
}
