//! `faulted CALLS [SEED]`: that many sends under faults against the sandbox of the environment (`CPAAS_SMS_URL`, …), or
//! against one of its own.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that speaks to a person")]

use std::process::ExitCode;

use cpaas::Config;
use cpaas_sandbox::Sandbox;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let calls = arguments.next().and_then(Result::ok).unwrap_or(20_000);
    let seed = arguments.next().and_then(Result::ok).unwrap_or(7);
    match run(calls, seed) {
        Ok(holds) if holds => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("faulted: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(calls: u64, seed: u64) -> Result<bool, Box<dyn std::error::Error>> {
    let mut config = Config::from_env()?;
    let sandbox = match config.sms_url {
        Some(_) => None,
        None => Some(Sandbox::builder().start_blocking()?),
    };
    if let Some(sandbox) = &sandbox {
        config = sandbox.config();
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let tally = runtime.block_on(cpaas_tests::faulted::run(&config, calls, 64, seed))?;
    println!("{} calls, seed {seed}, {} accepted under a fault", tally.calls, tally.faulted);
    let mut outcomes: Vec<_> = tally.outcomes.iter().collect();
    outcomes.sort();
    for (outcome, count) in outcomes {
        println!("{outcome:<22} {count}");
    }
    println!("lost {}, duplicated {}, denied {}", tally.lost, tally.duplicated, tally.denied);
    Ok(tally.holds())
}
