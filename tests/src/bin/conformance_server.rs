//! `conformance_server`: providers with one behavior each, for `tests/conformance/run`. Reads one command a line, in JSON, and writes
//! one line of JSON for each:
//!
//! - `{"behaviors": true}` returns the names of the behaviors;
//! - `{"open": BEHAVIOR, "answers": {…}}` starts a provider and returns its `url`;
//! - `{"close": URL}` closes it and returns how many complete requests it read (`requests`), how many of them were messages
//!   (`attempts`), and how many messages it sent (`processed`).
//!
//! It ends with its standard input.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

use std::collections::HashMap;
use std::error::Error;
use std::io::Write;

use cpaas_tests::behaviors::{Answers, BEHAVIORS, Provider, processes};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(untagged)]
enum Command {
    Behaviors {
        #[serde(rename = "behaviors")]
        _behaviors: bool,
    },
    Open {
        open: String,
        answers: Answers,
    },
    Close {
        close: String,
    },
}

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let mut providers = HashMap::new();
    for line in std::io::stdin().lines() {
        let response = runtime.block_on(run(&mut providers, &line?)).unwrap_or_else(|error| {
            let message = error.to_string();
            json!({"error": message})
        });
        println!("{response}");
        std::io::stdout().flush()?;
    }
    Ok(())
}

async fn run(providers: &mut HashMap<String, Provider>, line: &str) -> Result<Value, Box<dyn Error>> {
    match serde_json::from_str(line)? {
        Command::Behaviors { .. } => {
            let each = |name: &&str| json!({"name": name, "processes": processes(name)});
            Ok(BEHAVIORS.iter().map(each).collect())
        }
        Command::Open { open, answers } => {
            let provider = Provider::start(&open, &answers).await?;
            let url = provider.url()?;
            providers.insert(url.clone(), provider);
            Ok(json!({"url": url}))
        }
        Command::Close { close } => {
            let provider = providers.remove(&close).ok_or("no provider has this address")?;
            let [requests, attempts, processed] =
                [provider.requests(), provider.attempts(), provider.processed()];
            Ok(json!({"requests": requests, "attempts": attempts, "processed": processed}))
        }
    }
}
