//! reqwest alone: a POST of JSON. It repeats no request over HTTP/1.1; retries off turns the policy off.
#![allow(clippy::print_stdout, reason = "a command-line program")]

use std::error::Error;
use std::io::Write;
use std::time::Duration;

async fn call(url: &str, retries: bool, timeout: Duration) -> Result<String, Box<dyn Error>> {
    let mut builder = reqwest::Client::builder().timeout(timeout);
    if !retries {
        builder = builder.retry(reqwest::retry::never());
    }
    let request = serde_json::json!({"from": "Acme", "to": "306912345678", "text": "Hello"}).to_string();
    let request = builder.build()?.post(format!("{url}/sms")).body(request);
    let request = request.header("content-type", "application/json");
    let body = request.send().await?.error_for_status()?.bytes().await?;
    let value: serde_json::Value = serde_json::from_slice(&body)?;
    Ok(value.get("id").and_then(serde_json::Value::as_str).ok_or("no id")?.to_owned())
}

/// As `by_status` of driver.py, and whether the connection was not made.
fn report(error: &(dyn Error + 'static)) -> &'static str {
    let Some(error) = error.downcast_ref::<reqwest::Error>() else { return "unknown" };
    match error.status().map(|status| status.as_u16()) {
        Some(408 | 499) => "unknown",
        Some(300..500) => "rejected",
        Some(_) => "unknown",
        None if error.is_connect() => "not sent",
        None => "unknown",
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let retries = arguments.next().is_none_or(|mode| mode == "recommended");
    let seconds = arguments.next().map_or(Ok(10), |seconds| seconds.parse())?;
    // The tests build reqwest without a default provider.
    rustls::crypto::ring::default_provider().install_default().map_err(|_| "a provider is installed")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    println!("ready");
    for (number, line) in (1..).zip(std::io::stdin().lines()) {
        let (told, detail) = match runtime.block_on(call(&line?, retries, Duration::from_secs(seconds))) {
            Ok(id) => ("accepted", id),
            Err(error) => (report(error.as_ref()), error.to_string()),
        };
        println!("{number}\t{told}\t{}", detail.split_whitespace().collect::<Vec<_>>().join(" "));
        std::io::stdout().flush()?;
    }
    Ok(())
}
