//! Byte torture: for every operation the connection ends at every byte of the request and of the answer.
//! `CPAAS_TORTURE=deep` runs every ending at every byte; otherwise the rarer endings visit a part of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cpaas::client::Client;
use cpaas::error::{Error, Outcome, Sent};
use cpaas::{Config, OperationId};
use cpaas_tests::examples::{EXAMPLES, Example, config};
use cpaas_tests::hostile::{Accept, Ending, Hostile, Reply, answer};
use tokio::task::JoinSet;

/// One attempt each: retries are the matter of the outcome matrix.
fn once(url: &str, patience: f64) -> Config {
    config(url).max_attempts(1).timeout(patience)
}

fn deep() -> bool {
    std::env::var("CPAAS_TORTURE").is_ok_and(|value| value == "deep")
}

/// At which of the bytes an ending is tried; the places differ from operation to operation.
fn places(length: usize, every: usize, shift: usize) -> Vec<usize> {
    let every = if deep() { 1 } else { every };
    (0..length).filter(move |place| place % every == shift % every).collect()
}

async fn call(client: &Client, example: Example) -> Result<String, Error> {
    let id = OperationId::find(example.id).unwrap();
    client.call_json(id, example.request).await.map(|answer| answer.value)
}

/// How many bytes the request of an operation has on the wire.
async fn length(example: Example) -> usize {
    let server = Hostile::serve(move |_| Reply::json(200, example.answer)).await.unwrap();
    let client = Client::new(&once(&server.url(), 20.0)).unwrap();
    call(&client, example).await.unwrap_or_else(|error| panic!("{}: {error:?}", example.id));
    server.requests()[0].bytes
}

/// One server and one client for all places of one ending; a question to the records ends at once.
async fn cut_requests(example: Example, places: Vec<usize>, ending: Ending) -> usize {
    let place = Arc::new(AtomicUsize::new(0));
    let now = Arc::clone(&place);
    let accept = move |_| Accept::Until(now.swap(0, Ordering::SeqCst), ending);
    let server = Hostile::start(accept, move |_| Reply::json(200, example.answer)).await.unwrap();
    let patience = if ending == Ending::Stall { 0.3 } else { 20.0 };
    let client = Client::new(&once(&server.url(), patience)).unwrap();
    for bytes in &places {
        place.store(*bytes, Ordering::SeqCst);
        let error = call(&client, example).await.unwrap_err();
        let place = format!("{} request cut after {bytes} bytes, {ending:?}: {error:?}", example.id);
        assert!(matches!(error.outcome, Outcome::Unknown | Outcome::NotSent), "{place}");
        assert_eq!(error.sent == Sent::No, error.outcome == Outcome::NotSent, "{place}");
        assert!(*bytes == 0 || error.outcome == Outcome::Unknown, "{place}");
    }
    assert!(server.connections() >= places.len(), "{}", example.id);
    places.len()
}

/// Whether the bytes of a cut answer already say that the request was accepted. A number is whole when
/// something follows it.
fn is_told(example: Example, body: &str, garbage: bool) -> bool {
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

/// Answers cut at each place in turn; with `garbage`, the rest comes as bytes that are no text.
async fn cut_answers(example: Example, places: Vec<usize>, ending: Ending, garbage: bool) -> usize {
    let whole = whole(example);
    let head = whole.len() - example.answer.len();
    let (plan, turn) = (places.clone(), AtomicUsize::new(0));
    let server = Hostile::serve(move |request| {
        if !is_own(example, &request.method) {
            return Reply::new(answer(404, "connection: close\r\n", b"{}"), Ending::Fin);
        }
        let bytes = plan.get(turn.fetch_add(1, Ordering::SeqCst)).copied().unwrap_or_default();
        let mut sent = whole[..bytes].to_vec();
        if garbage {
            sent.resize(whole.len(), 0xff);
        }
        Reply::new(sent, ending)
    });
    let server = server.await.unwrap();
    let patience = if ending == Ending::Stall { 0.3 } else { 20.0 };
    let client = Client::new(&once(&server.url(), patience)).unwrap();
    for bytes in places.iter().copied() {
        let result = call(&client, example).await;
        let place =
            format!("{} answer cut after {bytes} bytes, {ending:?}, {garbage}: {result:?}", example.id);
        let Err(error) = result else { panic!("accepted: {place}") };
        let body = example.answer.get(..bytes.saturating_sub(head)).unwrap();
        // A reset may overtake bytes that were written before it; a timeout may strike earlier.
        match (bytes >= head && is_told(example, body, garbage), ending) {
            (true, Ending::Rst | Ending::Stall) => assert!(maybe(error.outcome), "{place}"),
            // Garbage right behind the member leaves it in doubt.
            (true, _) if garbage => assert!(maybe(error.outcome), "{place}"),
            (true, _) => assert_eq!(error.outcome, Outcome::AcceptedIdUnknown, "{place}"),
            (false, _) => assert_eq!(error.outcome, Outcome::Unknown, "{place}"),
        }
        assert_ne!(error.sent, Sent::No, "{place}");
    }
    places.len()
}

fn whole(example: Example) -> Vec<u8> {
    answer(200, "content-type: application/json\r\n", example.answer.as_bytes())
}

const fn maybe(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::AcceptedIdUnknown | Outcome::Unknown)
}

/// Questions to the records are answered by a refusal: they can prove nothing.
fn is_own(example: Example, method: &str) -> bool {
    let asks =
        ["otp.verify", "otp.cancel", "otp.limits.create", "otp.workflows.create", "otp.workflows.update"];
    method != "GET" || !asks.contains(&example.id)
}

async fn sum(mut cells: JoinSet<usize>) -> usize {
    let mut count = 0;
    while let Some(cell) = cells.join_next().await {
        count += cell.unwrap();
    }
    count
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_byte_of_every_request() {
    let mut cells = JoinSet::new();
    for (shift, example) in EXAMPLES.iter().copied().enumerate() {
        let length = length(example).await;
        for (ending, every) in [(Ending::Fin, 1), (Ending::Rst, 5), (Ending::Stall, 29)] {
            cells.spawn(cut_requests(example, places(length, every, shift), ending));
        }
    }
    let count = sum(cells).await;
    println!("{count} cut requests");
    assert!(count > 5000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_byte_of_every_answer() {
    let mut cells = JoinSet::new();
    for (shift, example) in EXAMPLES.iter().copied().enumerate() {
        let length = whole(example).len();
        for (ending, every) in [(Ending::Fin, 1), (Ending::Rst, 5), (Ending::Stall, 29)] {
            cells.spawn(cut_answers(example, places(length, every, shift), ending, false));
        }
        cells.spawn(cut_answers(example, places(length, 3, shift), Ending::Fin, true));
    }
    let count = sum(cells).await;
    println!("{count} cut answers");
    assert!(count > 4000);
}
