//! `sends_under_faults [CALLS [SEED [IN_FLIGHT [proxy]]]]`: makes CALLS sends under faults and compares the outcomes with the
//! sandbox's ledger. Calls the sandbox at the addresses in the environment (`CPAAS_SMS_URL`, …), or starts one. With `proxy`, the
//! faults come from a proxy that responds early, late, twice or never.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

use std::process::ExitCode;
use std::time::Instant;

use cpaas::Config;
use cpaas_sandbox::Sandbox;
use cpaas_tests::fault_run::{Tally, run_through_proxy};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let calls = arguments.next().and_then(Result::ok).unwrap_or(20_000);
    let seed = arguments.next().and_then(Result::ok).unwrap_or(7);
    let in_flight =
        arguments.next().and_then(Result::ok).and_then(|count| usize::try_from(count).ok()).unwrap_or(64);
    let proxy = std::env::args().nth(4).is_some_and(|word| word == "proxy");
    match run(calls, seed, in_flight, proxy) {
        Ok(holds) if holds => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("sends_under_faults: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(calls: u64, seed: u64, in_flight: usize, proxy: bool) -> Result<bool, Box<dyn std::error::Error>> {
    let mut config = Config::from_env()?;
    let sandbox = match config.sms_url {
        Some(_) => None,
        None => Some(Sandbox::builder().start_blocking()?),
    };
    if let Some(sandbox) = &sandbox {
        config = sandbox.config();
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let started = Instant::now();
    let tally = if proxy {
        runtime.block_on(run_through_proxy(&config, calls, in_flight, seed))?
    } else {
        runtime.block_on(cpaas_tests::fault_run::run(&config, calls, in_flight, seed))?
    };
    println!(
        "{} calls, seed {seed}, {in_flight} in flight, {:.0} s",
        tally.calls,
        started.elapsed().as_secs_f64()
    );
    for (kind, hits) in &tally.hits_by_kind {
        println!("fault {kind:<27} {hits}");
    }
    println!("{} messages accepted under a fault", tally.faulted);
    let mut outcomes: Vec<_> = tally.outcomes.iter().collect();
    outcomes.sort();
    for (outcome, count) in outcomes {
        println!("{outcome:<22} {count}");
    }
    let Tally { lost, duplicated, sent_though_rejected, foreign, .. } = tally;
    println!(
        "lost {lost}, duplicated {duplicated}, sent though reported as rejected {sent_though_rejected}, sent by no call {foreign}"
    );
    Ok(if proxy { tally.is_at_most_once() } else { tally.holds() })
}
