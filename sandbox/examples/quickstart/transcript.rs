//! Prints the steps and counts the checks that pass and fail.

use std::process::ExitCode;

use cpaas::printable::{MAX_MESSAGE, printable};

/// An error that ends the program early.
pub(crate) type Failure = Box<dyn std::error::Error>;

#[derive(Default)]
pub(crate) struct Transcript {
    steps: u32,
    passed: u32,
    failed: u32,
}

impl Transcript {
    pub(crate) fn opening(&self, url: &str) {
        println!("cpaas quickstart: the provider's sandbox listens on {url}");
    }

    pub(crate) fn step(&mut self, title: &str) {
        self.steps += 1;
        println!("\n{:>2}. {title}", self.steps);
    }

    pub(crate) fn say(&self, line: impl AsRef<str>) {
        println!("    {}", line.as_ref());
    }

    /// Prints the result of a check; `holds` is whether it passed.
    pub(crate) fn expect(&mut self, holds: bool, line: impl AsRef<str>) {
        let mark = if holds { "✓" } else { "✗ FAILED:" };
        println!("    {mark} {}", line.as_ref());
        *if holds { &mut self.passed } else { &mut self.failed } += 1;
    }

    pub(crate) fn stopped(&mut self, failure: &Failure) {
        let failure = failure.to_string();
        self.expect(false, format!("the program stopped: {}", printable(&failure, MAX_MESSAGE)));
    }

    pub(crate) fn end(self) -> ExitCode {
        println!("\n{} steps, {} of {} checks passed", self.steps, self.passed, self.passed + self.failed);
        if self.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
