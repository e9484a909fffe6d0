//! One `sms.send` over loopback, at 1 and 64 in flight: our client and bare reqwest + serde.
//! `cargo bench -p cpaas-tests --bench call`. With `CPAAS_COUNT=ours|reqwest,N` it makes N calls and ends,
//! for counting instructions from outside.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cpaas::client::Client;
use cpaas::sms;
use cpaas_tests::examples::{config, example};
use cpaas_tests::hostile::{Hostile, Reply};
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
struct Send<'a> {
    from: &'a str,
    to: &'a str,
    text: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sent {
    id: String,
    #[expect(dead_code)]
    timestamp: String,
    response_code: i64,
}

const FROM: &str = "Acme";
const TO: &str = "306912345678";
const TEXT: &str = "Your table is ready";

async fn ours(client: &Client) {
    let sent = client.call(sms::Send::new(FROM, TO, TEXT)).await.unwrap();
    assert_eq!(sent.id, "M1");
}

fn bare() -> reqwest::Client {
    let builder = reqwest::Client::builder().timeout(Duration::from_secs(20)).tcp_nodelay(true);
    builder.tls_certs_only(std::iter::empty()).build().unwrap()
}

async fn with_reqwest(client: &reqwest::Client, url: &str) {
    let body = serde_json::to_vec(&Send { from: FROM, to: TO, text: TEXT }).unwrap();
    let request = client
        .post(url)
        .header("X-Service-API-Key", "k-sms-91bc")
        .header("content-type", "application/json")
        .body(body);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let sent: Sent = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
    assert_eq!((sent.id.as_str(), sent.response_code), ("M1", 0));
}

/// Requests a second of `calls` calls, `width` at a time.
async fn rate<F: Future<Output = ()> + std::marker::Send + 'static>(
    width: usize,
    calls: usize,
    call: impl Fn() -> F + std::marker::Send + Sync + 'static,
) -> f64 {
    let (call, left) = (Arc::new(call), Arc::new(AtomicUsize::new(calls)));
    let began = Instant::now();
    let tasks: Vec<_> = (0..width)
        .map(|_| {
            let (call, left) = (call.clone(), left.clone());
            tokio::spawn(async move {
                while left
                    .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                    .is_ok()
                {
                    call().await;
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    calls as f64 / began.elapsed().as_secs_f64()
}

async fn compare(url: String) {
    let client = Client::new(&config(&url)).unwrap();
    let bare = bare();
    let path = format!("{url}/sms");
    for width in [1, 64] {
        let mut best = [0.0_f64; 2];
        for _ in 0..5 {
            let (client, bare, path) = (client.clone(), bare.clone(), path.clone());
            let call = move || {
                let client = client.clone();
                async move { ours(&client).await }
            };
            best[0] = best[0].max(rate(width, 4000, call).await);
            let call = move || {
                let (bare, path) = (bare.clone(), path.clone());
                async move { with_reqwest(&bare, &path).await }
            };
            best[1] = best[1].max(rate(width, 4000, call).await);
        }
        let [ours, reqwest] = best;
        println!(
            "{width:>2} in flight: ours {ours:.0}/s, bare reqwest {reqwest:.0}/s, time per call {:.3} of bare",
            reqwest / ours
        );
    }
}

fn count(plan: &str) {
    let (who, calls) = plan.split_once(',').unwrap();
    let calls: usize = calls.parse().unwrap();
    let url = std::env::var("CPAAS_URL").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (client, bare, path) = (Client::new(&config(&url)).unwrap(), bare(), format!("{url}/sms"));
        for _ in 0..calls {
            if who == "ours" { ours(&client).await } else { with_reqwest(&bare, &path).await }
        }
    });
}

fn main() {
    if let Ok(plan) = std::env::var("CPAAS_COUNT") {
        let _ = rustls_ready();
        return count(&plan);
    }
    let _ = rustls_ready();
    let server = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let reply = |_: &cpaas_tests::hostile::Request| Reply::json(200, example("sms.send").answer);
    let hostile = server.block_on(Hostile::serve(reply)).unwrap();
    if std::env::var("CPAAS_SERVE").is_ok() {
        println!("{}", hostile.url());
        std::thread::sleep(Duration::from_secs(600));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(compare(hostile.url()));
}

/// The provider of cryptography that reqwest asks for: our client installs it.
fn rustls_ready() -> Result<Client, cpaas::Error> {
    Client::new(&config("http://127.0.0.1:1"))
}
