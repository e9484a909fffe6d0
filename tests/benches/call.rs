//! One `sms.send` over loopback, at 1 and 64 in flight: our client, bare reqwest + serde and bare hyper-util + serde.
//! `cargo bench -p cpaas-tests --bench call`. For an instruction counter: with `CPAAS_SERVE=1` it only runs the server and prints
//! its URL; with `CPAAS_COUNT=ours|reqwest|hyper,N` it only makes N calls to the server at `CPAAS_URL`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cpaas::client::Client;
use cpaas::sms;
use cpaas_tests::examples::{config, example};
use cpaas_tests::fault_server::{FaultServer, Reply};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper_util::client::legacy::{Client as Legacy, connect::HttpConnector};
use hyper_util::rt::{TokioExecutor, TokioTimer};
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
    let sent = client.call(sms::SendSms::new(FROM, TO, TEXT)).await.unwrap();
    assert!(sent.id.starts_with('M'));
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
    assert!(sent.id.starts_with('M') && sent.response_code == 0);
}

type Hyper = Legacy<HttpConnector, Full<Bytes>>;

fn hyper() -> Hyper {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    Legacy::builder(TokioExecutor::new()).pool_timer(TokioTimer::new()).build(connector)
}

async fn with_hyper(client: &Hyper, url: &str) {
    let body = serde_json::to_vec(&Send { from: FROM, to: TO, text: TEXT }).unwrap();
    let request = hyper::Request::post(url)
        .header("X-Service-API-Key", "k-sms-91bc")
        .header("content-type", "application/json")
        .body(Full::new(Bytes::from(body)))
        .unwrap();
    let answer = async {
        let response = client.request(request).await.unwrap();
        assert_eq!(response.status(), 200);
        response.into_body().collect().await.unwrap().to_bytes()
    };
    let body = tokio::time::timeout(Duration::from_secs(20), answer).await.unwrap();
    let sent: Sent = serde_json::from_slice(&body).unwrap();
    assert!(sent.id.starts_with('M') && sent.response_code == 0);
}

/// The three clients that are compared, each with its own pool of connections.
#[derive(Clone)]
struct Clients {
    ours: Client,
    reqwest: reqwest::Client,
    hyper: Hyper,
    path: String,
}

const NAMES: [&str; 3] = ["ours", "reqwest", "hyper"];

impl Clients {
    fn new(url: &str) -> Self {
        let ours = Client::new(&config(url)).unwrap();
        Self { ours, reqwest: bare(), hyper: hyper(), path: format!("{url}/sms") }
    }

    async fn call(&self, who: &str) {
        match who {
            "ours" => ours(&self.ours).await,
            "reqwest" => with_reqwest(&self.reqwest, &self.path).await,
            _ => with_hyper(&self.hyper, &self.path).await,
        }
    }
}

/// Makes `calls` calls, `width` at a time. Returns the calls per second.
async fn rate(clients: &Clients, who: &'static str, width: usize, calls: usize) -> f64 {
    let left = Arc::new(AtomicUsize::new(calls));
    let began = Instant::now();
    let tasks: Vec<_> = (0..width)
        .map(|_| {
            let (clients, left) = (clients.clone(), left.clone());
            tokio::spawn(async move {
                while left
                    .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                    .is_ok()
                {
                    clients.call(who).await;
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    calls as f64 / began.elapsed().as_secs_f64()
}

/// Prints the best of seven interleaved rounds, so that other load on the machine affects all clients.
async fn compare(url: String) {
    let clients = Clients::new(&url);
    for width in [1, 64] {
        let mut best = [0.0_f64; 3];
        for _ in 0..7 {
            for (best, who) in best.iter_mut().zip(NAMES) {
                *best = best.max(rate(&clients, who, width, 4000).await);
            }
        }
        let [ours, reqwest, hyper] = best;
        println!(
            "{width:>2} in flight: ours {ours:.0}/s, bare reqwest {reqwest:.0}/s, bare hyper-util {hyper:.0}/s; \
             time per call {:.3} of reqwest, {:.3} of hyper-util",
            reqwest / ours,
            hyper / ours
        );
    }
}

fn count(plan: &str) {
    let (who, calls) = plan.split_once(',').unwrap();
    let calls: usize = calls.parse().unwrap();
    let url = std::env::var("CPAAS_URL").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let clients = Clients::new(&url);
        for _ in 0..calls {
            clients.call(who).await;
        }
    });
}

fn main() {
    // reqwest requires a default provider of cryptography.
    let _ = rustls::crypto::ring::default_provider().install_default();
    if let Ok(plan) = std::env::var("CPAAS_COUNT") {
        return count(&plan);
    }
    let server = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    // Each message has a different id, as with the provider.
    let sent = std::sync::atomic::AtomicU64::new(0);
    let reply = move |_: &cpaas_tests::fault_server::Request| {
        let id = format!("\"M{}\"", sent.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        Reply::json(200, &example("sms.send").response.replace("\"M1\"", &id))
    };
    let responder = server.block_on(FaultServer::serve(reply)).unwrap();
    if std::env::var("CPAAS_SERVE").is_ok() {
        println!("{}", responder.url());
        std::thread::sleep(Duration::from_secs(600));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(compare(responder.url()));
}
