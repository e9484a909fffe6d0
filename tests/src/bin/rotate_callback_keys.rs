//! `rotate_callback_keys FOLDER SENDER PROGRAM [ARGUMENT…]`: rotates the keys of a program that receives callbacks, with
//! `cpaas_tests::key_rotation`. `{port}` in an argument is replaced by the port. If SENDER is `-`, the Rust client sends.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

use std::path::Path;
use std::process::ExitCode;

use cpaas_tests::key_rotation::{DocProgram, rotate};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(sender)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: rotate_callback_keys FOLDER SENDER PROGRAM [ARGUMENT…]");
        return ExitCode::from(2);
    };
    let program = DocProgram { command: arguments.collect(), sender: (sender != "-").then(|| sender.into()) };
    match rotate(&program, Path::new(&folder)) {
        Ok(tally) => {
            println!(
                "{} callbacks accepted, {} with the removed key rejected",
                tally.accepted, tally.refused
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("rotate_callback_keys: {error}");
            ExitCode::FAILURE
        }
    }
}
