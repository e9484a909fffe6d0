//! `peak_memory client`: the peak memory of a call with a response of 8 MiB, for ten kinds of content, each in a separate process.
//! `peak_memory sandbox PID`: the peak memory of a sandbox under three loads. The environment contains its addresses, `PID` is its
//! process id.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

use std::process::{Command, ExitCode};

use cpaas::{Client, Config, OperationId, sms};
use cpaas_tests::examples::{config, example};
use cpaas_tests::fault_server::{ConnectionEnd, FaultServer, Reply, response_bytes};

type Failure = Box<dyn std::error::Error>;

/// The size of a response: the default of `max_response_bytes`.
const BODY: usize = 8 * 1024 * 1024;

/// The most memory that a call may use, in MB above the memory before the call.
const CLIENT_LIMIT: f64 = 48.0;

/// The most resident memory, in MB, of the sandbox with its default `--memory` of 64 MiB.
const SANDBOX_LIMIT: f64 = 128.0;

/// The kinds of content: name, operation, beginning of the body, repeated part, end of the body.
const SHAPES: [(&str, &str, &str, &str, &str); 10] = [
    ("empty objects", "messages.send_failover", "[", "{},", "{}]"),
    ("empty arrays", "lookup.numbers", "[", "[],", "[]]"),
    ("nested arrays", "messages.send_failover", "", "[", ""),
    ("nested objects", "otp.search", "", "{\"a\":", ""),
    ("numbers", "lookup.numbers", "[", "1,", "1]"),
    ("empty strings", "messages.send_failover", "[", "\"\",", "\"\"]"),
    ("records", "otp.search", "{\"code\":200,\"verifications\":[", "{\"requestID\":\"a\"},", "{}]}"),
    ("repeated members", "sms.send", "{\"id\":\"a\",\"responseCode\":0", ",\"x\":1", "}"),
    ("one long string", "sms.send", "{\"responseCode\":0,\"id\":\"", "a", "\"}"),
    ("escapes", "sms.send", "{\"responseCode\":0,\"id\":\"", "\\u0061", "\"}"),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["client"] => clients(),
        ["call", url, operation] => call(url, operation),
        ["sandbox", process] => sandbox(process),
        _ => Err("usage: peak_memory client | peak_memory sandbox PID".into()),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("peak_memory: {error}");
            ExitCode::from(2)
        }
    }
}

fn clients() -> Result<bool, Failure> {
    let runtime = tokio::runtime::Runtime::new()?;
    let mut holds = true;
    for (name, operation, start, repeated, end) in SHAPES {
        let count = (BODY - start.len() - end.len()) / repeated.len();
        let body = [start, &repeated.repeat(count), end].concat();
        let bytes = response_bytes(200, "content-type: application/json\r\n", body.as_bytes());
        let server =
            runtime.block_on(FaultServer::serve(move |_| Reply::new(bytes.clone(), ConnectionEnd::Keep)))?;
        let output =
            Command::new(std::env::current_exe()?).args(["call", &server.url(), operation]).output()?;
        let printed = String::from_utf8(output.stdout)?;
        let growth: f64 = printed.split_whitespace().next().ok_or("the call printed nothing")?.parse()?;
        holds &= growth <= CLIENT_LIMIT;
        println!("client: 8 MiB of {name:<17} {}", printed.trim_end());
    }
    Ok(holds)
}

/// Makes one call to an address. Prints the growth of memory up to its peak, and the outcome.
fn call(url: &str, operation: &str) -> Result<bool, Failure> {
    let client = Client::new(&config(url))?;
    let operation = OperationId::find(operation).ok_or("unknown operation")?;
    let request = example(operation.meta().id).request;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let before = memory("self", "VmRSS")?;
    let outcome = match runtime.block_on(client.call_json(operation, request)) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => format!("{:?}", error.outcome).to_lowercase(),
    };
    println!("{:.1} MB above the start, {outcome}", memory("self", "VmHWM")? - before);
    Ok(true)
}

/// Sends three loads, one after the other, and checks the peak memory of the sandbox.
fn sandbox(process: &str) -> Result<bool, Failure> {
    let client = Client::new(&Config::from_env()?)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut holds = true;
    for (name, calls, bytes) in
        [("1 MB", 2_000, 1_000_000), ("30 KB", 50_000, 30_000), ("100 bytes", 100_000, 100)]
    {
        let text = "a".repeat(bytes);
        runtime.block_on(async {
            for number in 0..calls {
                let request =
                    sms::SendSms::new("Acme", format!("30690{number:07}"), text.clone()).kind("auto");
                // Long texts are rejected, but the log keeps their requests.
                let _ = client.call(request).await;
            }
        });
        let peak = memory(process, "VmHWM")?;
        holds &= peak <= SANDBOX_LIMIT;
        println!("sandbox: {calls} requests with a text of {name}: {peak:.0} MB at most");
    }
    Ok(holds)
}

/// A line of `/proc/PROCESS/status`, in MB.
fn memory(process: &str, name: &str) -> Result<f64, Failure> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line =
        text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).ok_or("no such line")?;
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kilobytes / 1024.0)
}
