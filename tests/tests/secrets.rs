//! No output contains a secret. The test makes succeeding and failing calls, and searches all `tracing` and `log` lines, `Display` and
//! `Debug` output, panic messages and hook events for the keys, tokens, codes, numbers and texts used.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

use std::error::Error as _;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use cpaas::client::Client;
use cpaas::{Config, OperationId};
use cpaas_tests::examples::{EXAMPLES, SECRETS, config};
use cpaas_tests::fault_server::{Accept, ConnectionEnd, FaultServer, Reply, response_bytes};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

type Shown = Arc<Mutex<String>>;

/// Records every span and event of every crate, at every level, with all fields.
struct Everything(Shown);

struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}

impl Subscriber for Everything {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut shown = self.0.lock().unwrap();
        shown.push_str(span.metadata().name());
        span.record(&mut Fields(&mut shown));
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut Fields(&mut self.0.lock().unwrap()));
    }
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut Fields(&mut self.0.lock().unwrap()));
        self.0.lock().unwrap().push('\n');
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// Records every line that any crate writes with the `log` crate, at every level.
struct EveryLine(Shown);

impl log::Log for EveryLine {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        writeln!(self.0.lock().unwrap(), "log {}: {}", record.target(), record.args()).unwrap();
    }
    fn flush(&self) {}
}

/// Faults, and responses that contain the request.
fn replies(echo: &[u8]) -> Vec<Reply> {
    let complete = |status, body: &[u8]| {
        Reply::new(response_bytes(status, "connection: close\r\n", body), ConnectionEnd::Fin)
    };
    let mut replies = vec![
        Reply::new("", ConnectionEnd::Fin),
        Reply::new("", ConnectionEnd::Rst),
        Reply::new("HTTP/1.1 20", ConnectionEnd::Fin),
        Reply::new(echo.to_vec(), ConnectionEnd::Fin),
        Reply::new([b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n", echo].concat(), ConnectionEnd::Fin),
    ];
    replies.extend([200, 302, 400, 401, 404, 408, 429, 500, 503].map(|status| complete(status, echo)));
    replies
}

#[test]
fn acc_079_no_output_of_the_client_contains_a_secret() {
    let shown = Shown::default();
    // Global subscribers, because the call runs on a thread of the runtime.
    tracing::subscriber::set_global_default(Everything(shown.clone())).unwrap();
    log::set_boxed_logger(Box::new(EveryLine(shown.clone()))).unwrap();
    log::set_max_level(log::LevelFilter::Trace);
    let panicked = shown.clone();
    std::panic::set_hook(Box::new(move |panic| writeln!(panicked.lock().unwrap(), "{panic}").unwrap()));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let ended = runtime.block_on(runtime.spawn(calls(shown.clone())));
    drop(std::panic::take_hook());
    let shown = shown.lock().unwrap();
    ended.unwrap_or_else(|_| panic!("{}", shown.lines().last().unwrap()));
    let lines = |start: &str| shown.lines().filter(|line| line.starts_with(start)).count();
    for collected in ["cpaas.call", "sms.send", "abandoned", "log reqwest", "log rustls"] {
        assert!(shown.contains(collected), "nothing of `{collected}` was collected");
    }
    println!("{} lines, {} of them of the log crate", lines(""), lines("log "));
    assert!(lines("source ") > 100, "only {} sources were collected", lines("source "));
    for secret in SECRETS {
        assert!(!shown.contains(secret), "the output contains `{secret}`");
    }
}

async fn calls(shown: Shown) {
    let mut number = 0;
    for example in EXAMPLES.iter() {
        let echo =
            format!(r#"{{"code":493,"message":{0:?},"responseText":{0:?},"echo":{0:?}}}"#, example.request);
        for reply in replies(echo.as_bytes()) {
            let server = FaultServer::serve(move |_| reply.clone()).await.unwrap();
            call(&config(&server.url()), example.id, example.request, &shown).await;
            number += 1;
        }
        let deaf =
            FaultServer::start(|_| Accept::Until(20, ConnectionEnd::Garbage), |_| Reply::json(200, "{}"))
                .await
                .unwrap();
        // A successful response, no provider, a provider without TLS, a proxy, and an invalid request.
        let good = FaultServer::serve(|_| Reply::json(200, example.response)).await.unwrap();
        call(&config(&good.url()), example.id, example.request, &shown).await;
        call(&config("http://127.0.0.1:1"), example.id, example.request, &shown).await;
        let tls = config(&deaf.url().replace("http:", "https:"));
        call(&tls, example.id, example.request, &shown).await;
        call(&config("http://provider.test").proxy(good.url()), example.id, example.request, &shown).await;
        let broken = example.request.replace(':', " ");
        call(&config("http://127.0.0.1:1"), example.id, &broken, &shown).await;
    }
    assert!(number > 400);
    let server = FaultServer::serve(|_| Reply::new("", ConnectionEnd::Stall)).await.unwrap();
    let request = cpaas_tests::examples::example("sms.send").request;
    let config = config(&server.url());
    let abandoned = call(&config, "sms.send", request, &shown);
    let _ = tokio::time::timeout(std::time::Duration::from_millis(100), abandoned).await;
}

async fn call(config: &Config, id: &str, request: &str, shown: &Shown) {
    let config = config.clone().max_attempts(1);
    let recorded = shown.clone();
    let client = Client::new(&config).unwrap().on_outcome(move |event| {
        let reported = format!("{event:?}");
        // The digits of the elapsed time could equal a passcode.
        let (reported, _) = reported.split_once(", elapsed: ").unwrap();
        writeln!(recorded.lock().unwrap(), "{reported}").unwrap();
    });
    let result = client.call_json(OperationId::find(id).unwrap(), request).await;
    let mut shown = shown.lock().unwrap();
    writeln!(shown, "{config:?} {client:?} {:?}", client.context()).unwrap();
    match result {
        Ok(response) => writeln!(shown, "{response:?} {response:#?}").unwrap(),
        Err(error) => {
            writeln!(shown, "{error} {error:?} {error:#?} {}", error.message).unwrap();
            let mut next = error.source();
            while let Some(source) = next {
                writeln!(shown, "source {source} {source:?} {source:#?}").unwrap();
                next = source.source();
            }
        }
    }
}
