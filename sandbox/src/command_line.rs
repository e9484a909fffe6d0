//! The command line of the program `cpaas-sandbox`.

use std::io::{self, Write};

use cpaas::printable::{MAX_MESSAGE, printable};
use lexopt::Arg;
use serde_json::json;

use crate::builder::Builder;
use crate::options::SWITCHES;
use crate::sandbox::Sandbox;

/// A parsed command line.
#[derive(Debug)]
#[non_exhaustive]
pub enum Command {
    /// Run a sandbox.
    Run(Box<Builder>),
    /// Print this help text.
    Help(String),
    /// Print this version.
    Version(String),
}

/// Reads the command line, without the program's name.
///
/// # Errors
/// An unknown switch, or an invalid value; the message names the switch, and can be shown on a terminal.
pub fn read(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> Result<Command, String> {
    parse(arguments).map_err(|error| printable(&error, MAX_MESSAGE).into_owned())
}

fn parse(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> Result<Command, String> {
    let mut parser = lexopt::Parser::from_args(arguments);
    let mut builder = Builder::default();
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        let name = match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Command::Help(help())),
            Arg::Long("version") | Arg::Short('V') => {
                return Ok(Command::Version(format!("cpaas-sandbox {}", env!("CARGO_PKG_VERSION"))));
            }
            Arg::Long(name) => name.to_owned(),
            other => return Err(other.unexpected().to_string()),
        };
        let form = SWITCHES.iter().find(|switch| switch.0 == name).map_or("", |switch| switch.1);
        let value = if form.is_empty() || form.starts_with('[') {
            parser.optional_value()
        } else {
            Some(parser.value().map_err(|error| error.to_string())?)
        };
        let value =
            value.unwrap_or_default().into_string().map_err(|_| format!("--{name} must be valid Unicode"))?;
        builder = builder.set(&name, &value).map_err(|error| error.to_string())?;
    }
    Ok(Command::Run(Box::new(builder)))
}

fn help() -> String {
    let mut text = String::from("cpaas-sandbox: the messaging provider on a loopback port\n\nSwitches:\n");
    for (name, form, meaning) in SWITCHES {
        let form =
            if form.starts_with('[') || form.is_empty() { (*form).to_owned() } else { format!(" {form}") };
        text.push_str(&format!("  --{name}{form}\n        {meaning}\n"));
    }
    text.push_str("  --help, --version\n");
    text
}

/// Runs until the process receives a signal to end: prints the environment lines that a client needs, then
/// one line of JSON when it is ready.
///
/// # Errors
/// The sandbox cannot start, or its output cannot be written.
pub async fn run(builder: Builder) -> io::Result<()> {
    if !builder.options().bind.is_loopback() {
        writeln!(
            io::stderr(),
            "warning: the address is not loopback; everyone who can reach it can control the sandbox"
        )?;
    }
    let sandbox = builder.start().await.map_err(io::Error::other)?;
    announce(&sandbox, &mut io::stdout().lock())?;
    end_signal().await?;
    sandbox.stop().await;
    Ok(())
}

fn announce(sandbox: &Sandbox, out: &mut impl Write) -> io::Result<()> {
    let credentials = sandbox.credentials();
    for (name, value) in credentials.environment(sandbox.url()) {
        writeln!(out, "{name}={value}")?;
    }
    let ready = json!({"url": sandbox.url(), "config": credentials.show(sandbox.url())});
    writeln!(out, "{ready}")?;
    out.flush()
}

#[cfg(unix)]
async fn end_signal() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn end_signal() -> io::Result<()> {
    tokio::signal::ctrl_c().await
}
