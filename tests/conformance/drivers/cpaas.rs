//! cpaas for Rust: `sms.send`. Recommended: the defaults. Retries off: `max_attempts(1)`.
#![allow(clippy::print_stdout, reason = "a command-line program")]

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use cpaas::{Client, Config, sms};

mod report;
use report::report;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let retries = arguments.next().is_none_or(|mode| mode == "recommended");
    let seconds = arguments.next().map_or(Ok(10), |seconds| seconds.parse())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    println!("ready");
    for (number, line) in (1..).zip(std::io::stdin().lines()) {
        let mut config =
            Config::default().sms_url(line?).sms_key("key").timeout(Duration::from_secs(seconds));
        if !retries {
            config = config.max_attempts(1);
        }
        let call =
            async { Client::new(&config)?.call(sms::SendSms::new("Acme", "306912345678", "Hello")).await };
        let (told, detail) = match runtime.block_on(call) {
            Ok(sent) => ("accepted", sent.value.id),
            Err(error) => (report(&error), error.to_string()),
        };
        println!("{number}\t{told}\t{}", detail.split_whitespace().collect::<Vec<_>>().join(" "));
        std::io::stdout().flush()?;
    }
    Ok(())
}
