//! 20,000 SMS written with the client and by hand with reqwest, beside each other, then 50,000 with the client, all against a sandbox in this
//! process. Prints the seconds and fails unless all are accepted. `tests/nightly/many_sends` runs it optimized.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::time::{Duration, Instant};

use cpaas::Client;
use cpaas::sms::SendSms;
use cpaas_sandbox::Sandbox;
use futures_util::{StreamExt as _, stream};
use serde::{Deserialize, Serialize};

const IN_PROGRESS: usize = 64;

fn number(n: usize) -> String {
    format!("306912{n:06}")
}

/// Sends with the client; returns the number of accepted messages.
async fn with_cpaas(client: &Client, count: usize) -> usize {
    stream::iter(0..count)
        .map(|n| client.call(SendSms::new("Acme", number(n), "Your table is ready")))
        .buffer_unordered(IN_PROGRESS)
        .filter(|sent| std::future::ready(sent.is_ok()))
        .count()
        .await
}

#[derive(Serialize)]
struct Sms<'a> {
    from: &'a str,
    to: &'a str,
    text: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sent {
    id: String,
    response_code: i64,
}

async fn by_hand(client: &reqwest::Client, url: &str, key: &str, to: &str) -> Result<bool, reqwest::Error> {
    let body = serde_json::to_vec(&Sms { from: "Acme", to, text: "Your table is ready" }).unwrap();
    let request =
        client.post(url).header("X-Service-API-Key", key).header("content-type", "application/json");
    let response = request.body(body).send().await?.error_for_status()?;
    let sent = serde_json::from_slice::<Sent>(&response.bytes().await?);
    Ok(sent.is_ok_and(|sent| sent.response_code == 0 && !sent.id.is_empty()))
}

async fn with_reqwest(sandbox: &Sandbox, count: usize) -> usize {
    let client = reqwest::Client::builder().timeout(Duration::from_secs(20)).build().unwrap();
    let (url, key) = (format!("{}/sms", sandbox.url()), sandbox.credentials().sms_key.as_str());
    let (client, url) = (&client, url.as_str());
    stream::iter(0..count)
        .map(|n| async move { by_hand(client, url, key, &number(n)).await })
        .buffer_unordered(IN_PROGRESS)
        .filter(|sent| std::future::ready(matches!(sent, Ok(true))))
        .count()
        .await
}

async fn timed(what: &str, count: usize, sends: impl Future<Output = usize>) -> f64 {
    let begun = Instant::now();
    let accepted = sends.await;
    let seconds = begun.elapsed().as_secs_f64();
    println!("{what}: {accepted} of {count} accepted, {seconds:.2} s");
    assert_eq!(accepted, count, "{what}");
    seconds
}

fn main() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let sandbox = Sandbox::builder().start_blocking().unwrap();
    let client = Client::new(&sandbox.config()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        with_cpaas(&client, 1_000).await;
        with_reqwest(sandbox.sandbox(), 1_000).await;
        let ours = timed("20,000 SMS with cpaas", 20_000, with_cpaas(&client, 20_000)).await;
        let bare = timed("20,000 SMS with reqwest", 20_000, with_reqwest(sandbox.sandbox(), 20_000)).await;
        println!("{:.2} times the time of reqwest by hand", ours / bare);
        timed("50,000 calls, 64 at a time", 50_000, with_cpaas(&client, 50_000)).await;
    });
    sandbox.stop();
}
