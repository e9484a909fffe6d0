//! What the program says, and whether it was right.

use std::process::ExitCode;

/// Anything that ends the tour early.
pub(crate) type Failure = Box<dyn std::error::Error>;

#[derive(Default)]
pub(crate) struct Transcript {
    steps: u32,
    right: u32,
    wrong: u32,
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

    /// A line that must be true.
    pub(crate) fn expect(&mut self, holds: bool, line: impl AsRef<str>) {
        let mark = if holds { "✓" } else { "✗ FAILED:" };
        println!("    {mark} {}", line.as_ref());
        *if holds { &mut self.right } else { &mut self.wrong } += 1;
    }

    pub(crate) fn stopped(&mut self, failure: &Failure) {
        self.expect(false, format!("the tour stopped: {failure}"));
    }

    pub(crate) fn end(self) -> ExitCode {
        println!(
            "\n{} steps, {} of {} things as the specification says",
            self.steps,
            self.right,
            self.right + self.wrong
        );
        if self.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
