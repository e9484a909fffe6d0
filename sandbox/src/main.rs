//! The provider on a loopback port; see `cpaas-sandbox --help`.
#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::process::ExitCode;

use cpaas::printable::{MAX_MESSAGE, printable};
use cpaas_sandbox::command_line::{Command, read, run};

fn main() -> ExitCode {
    let outcome = match read(std::env::args_os().skip(1)) {
        Ok(Command::Run(builder)) => tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .and_then(|runtime| runtime.block_on(run(*builder))),
        Ok(Command::Help(text) | Command::Version(text)) => writeln!(io::stdout(), "{}", text.trim_end()),
        Ok(_) => Ok(()),
        Err(text) => {
            let _ = writeln!(io::stderr(), "cpaas-sandbox: {text}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let error = error.to_string();
            let _ = writeln!(io::stderr(), "cpaas-sandbox: {}", printable(&error, MAX_MESSAGE));
            ExitCode::FAILURE
        }
    }
}
