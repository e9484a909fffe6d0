//! A program that uses the whole library. It starts the sandbox in this process and calls it over HTTP with the client.
//! Each step compares a result with the specification; the exit status is not 0 if any of them differs.
#![allow(clippy::print_stdout, reason = "a program that prints for a person")]

mod chat;
mod checks;
mod passcodes;
mod sms;
mod transcript;

use std::process::ExitCode;

use cpaas::Client;
use cpaas_sandbox::{ClockMode, Sandbox};

use transcript::{Failure, Transcript};

/// The recipient of most messages.
const PHONE: &str = "306912345678";

struct Setup {
    sandbox: Sandbox,
    client: Client,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let mut transcript = Transcript::default();
    let result = run_steps(&mut transcript).await;
    if let Err(failure) = &result {
        transcript.stopped(failure);
    }
    transcript.end()
}

async fn run_steps(transcript: &mut Transcript) -> Result<(), Failure> {
    let sandbox = Sandbox::builder().clock(ClockMode::Virtual).start().await?;
    let client = Client::new(&sandbox.config())?;
    transcript.opening(sandbox.url());
    let setup = Setup { sandbox, client };

    checks::all_problems_at_once(transcript);
    sms::long_text(&setup, transcript).await?;
    sms::bulk(&setup, transcript).await?;
    passcodes::by_sms(&setup, transcript).await?;
    passcodes::by_voice(&setup, transcript).await?;
    passcodes::limit(&setup, transcript).await?;
    checks::lookup(&setup, transcript).await?;
    chat::every_channel(&setup, transcript).await?;
    chat::failover(&setup, transcript).await?;
    chat::bulk(&setup, transcript).await?;
    checks::usage(&setup, transcript).await?;
    checks::outcomes(&setup, transcript).await?;
    setup.sandbox.stop().await;
    Ok(())
}
