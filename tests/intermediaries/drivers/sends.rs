//! Sends from Rust; `../README.md` describes what a driver reads and writes.
#![allow(clippy::print_stdout, reason = "a command-line program")]

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cpaas::client::CallOptions;
use cpaas::{Client, Config, Error, sms};

#[path = "../../conformance/drivers/report.rs"]
mod report;
use report::report;

async fn send(client: &Client, to: &str, reference: &str) -> Result<u32, Error> {
    let client = client.with(CallOptions::default().header("X-Reference", reference));
    if to.contains(',') {
        let bulk = sms::SendBulkSms::new("Acme", to, "Hello").reference(reference);
        return client.call(bulk).await.map(|sent| sent.attempts);
    }
    client.call(sms::SendSms::new("Acme", to, "Hello").reference(reference)).await.map(|sent| sent.attempts)
}

async fn work(client: Client, lines: Arc<Mutex<VecDeque<String>>>, pause: Duration) {
    loop {
        let line = lines.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some(line) = line else { return };
        let (to, reference) = line.split_once('\t').unwrap_or((&line, ""));
        let (told, attempts, detail) = match send(&client, to, reference).await {
            Ok(attempts) => ("accepted", attempts, String::new()),
            Err(error) => (report(&error), error.attempts, error.to_string()),
        };
        let detail = detail.split_whitespace().collect::<Vec<_>>().join(" ");
        println!("{reference}\t{told}\t{attempts}\t{detail}");
        if told != "accepted" {
            tokio::time::sleep(pause).await;
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = |number| std::env::args().nth(number).unwrap_or_default();
    let (at_once, pause) = (argument(1).parse::<usize>()?, Duration::from_secs_f64(argument(2).parse()?));
    let lines = std::io::stdin().lines().collect::<Result<VecDeque<_>, _>>()?;
    let (lines, config) = (Arc::new(Mutex::new(lines)), Config::from_env()?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let client = Client::new(&config)?;
        let workers: Vec<_> =
            (0..at_once).map(|_| tokio::spawn(work(client.clone(), Arc::clone(&lines), pause))).collect();
        for worker in workers {
            worker.await?;
        }
        Ok(())
    })
}
