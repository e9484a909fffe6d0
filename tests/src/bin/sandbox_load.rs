//! `sandbox_load CALLS IN_FLIGHT PID`: sends CALLS SMS through the client to a sandbox. Prints the sandbox's CPU time and memory, and
//! the latency of the calls. The environment contains the sandbox's addresses, PID is its process id.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cpaas::{Client, Config, sms};

/// The maximum CPU time of the sandbox per SMS, in microseconds.
const MOST: f64 = 15.0;

/// A tick of `/proc/PID/stat` in microseconds.
const TICK: f64 = 10_000.0;

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let [calls, in_flight, process] = arguments.as_slice() else {
        eprintln!("usage: sandbox_load CALLS IN_FLIGHT PID");
        return ExitCode::from(2);
    };
    match run(*calls, *in_flight, *process) {
        Ok(cost) if cost <= MOST => ExitCode::SUCCESS,
        Ok(cost) => {
            eprintln!("sandbox_load: {cost:.1} us a call, at most {MOST}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("sandbox_load: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(calls: u64, in_flight: u64, process: u64) -> Result<f64, Failure> {
    let client = Client::new(&Config::from_env()?)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(burst(&client, calls / 20, in_flight))?;
    let idle = resident(process)?;
    let (user, kernel) = ticks(process)?;
    let started = Instant::now();
    let mut times = runtime.block_on(burst(&client, calls, in_flight))?;
    let took = started.elapsed().as_secs_f64();
    let (user, kernel) = (cost(ticks(process)?.0 - user, calls), cost(ticks(process)?.1 - kernel, calls));
    times.sort_unstable();
    println!("{calls} SMS, {in_flight} in flight: {:.0} a second", calls as f64 / took);
    println!(
        "CPU of the sandbox: {:.1} us a call ({user:.1} in the program, {kernel:.1} in the kernel)",
        user + kernel
    );
    for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("longest", 1.0)] {
        println!("latency {name:<7} {:.2} ms", percentile(&times, share).as_secs_f64() * 1_000.0);
    }
    println!("resident: {:.1} MB before, {:.1} MB after", idle, resident(process)?);
    Ok(user + kernel)
}

/// Makes `calls` calls and returns their latencies. Every call must be accepted.
async fn burst(client: &Client, calls: u64, in_flight: u64) -> Result<Vec<Duration>, Failure> {
    let next = Arc::new(AtomicU64::new(0));
    let mut workers = Vec::new();
    for _ in 0..in_flight {
        let (client, next) = (client.clone(), Arc::clone(&next));
        workers.push(tokio::spawn(async move {
            let mut times = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= calls {
                    return Ok(times);
                }
                let request =
                    sms::SendSms::new("Acme", (306_900_000_000 + number).to_string(), "Your table is ready");
                let started = Instant::now();
                client.call(request.kind("auto")).await?;
                times.push(started.elapsed());
            }
        }));
    }
    let mut times = Vec::new();
    for worker in workers {
        let result: Result<Vec<Duration>, cpaas::Error> = worker.await?;
        times.append(&mut result?);
    }
    Ok(times)
}

fn cost(ticks: u64, calls: u64) -> f64 {
    ticks as f64 * TICK / calls as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index in a list")]
fn percentile(times: &[Duration], share: f64) -> Duration {
    let place = (times.len().saturating_sub(1) as f64 * share) as usize;
    times.get(place).copied().unwrap_or_default()
}

/// Ticks in user and kernel mode.
fn ticks(process: u64) -> Result<(u64, u64), Failure> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The name of the process is in brackets and can contain spaces.
    let rest = text.rsplit_once(')').ok_or("no stat")?.1;
    let mut numbers = rest.split_whitespace().skip(11).map(str::parse);
    let mut next = || numbers.next().ok_or("no times");
    Ok((next()??, next()??))
}

/// Resident memory in MB.
fn resident(process: u64) -> Result<f64, Failure> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kilobytes / 1024.0)
}
