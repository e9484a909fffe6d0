//! The whole library in one program: the sandbox starts in this process, the real client works against it over real
//! HTTP, and every step says what the specification expects. It exits non-zero if anything differs.
#![allow(clippy::print_stdout, reason = "a program that speaks to a person")]

mod chat;
mod checks;
mod passcodes;
mod texts;
mod transcript;

use std::process::ExitCode;

use cpaas::Client;
use cpaas_sandbox::{ClockMode, Sandbox};

use transcript::{Failure, Transcript};

/// Somebody's phone.
const PHONE: &str = "306912345678";

struct Stage {
    sandbox: Sandbox,
    client: Client,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let mut transcript = Transcript::default();
    let result = tour(&mut transcript).await;
    if let Err(failure) = &result {
        transcript.stopped(failure);
    }
    transcript.end()
}

async fn tour(transcript: &mut Transcript) -> Result<(), Failure> {
    let sandbox = Sandbox::builder().clock(ClockMode::Virtual).start().await?;
    let client = Client::new(&sandbox.config())?;
    transcript.opening(sandbox.url());
    let stage = Stage { sandbox, client };

    checks::all_problems_at_once(transcript);
    texts::long_text(&stage, transcript).await?;
    texts::bulk(&stage, transcript).await?;
    passcodes::by_sms(&stage, transcript).await?;
    passcodes::by_voice(&stage, transcript).await?;
    passcodes::limit(&stage, transcript).await?;
    checks::lookup(&stage, transcript).await?;
    chat::every_channel(&stage, transcript).await?;
    chat::failover(&stage, transcript).await?;
    chat::bulk(&stage, transcript).await?;
    checks::usage(&stage, transcript).await?;
    checks::outcomes(&stage, transcript).await?;
    stage.sandbox.stop().await;
    Ok(())
}
