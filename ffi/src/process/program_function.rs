//! The functions of the program that must not call the library: the log function and the suppression function.

use std::cell::Cell;

use crate::boundary::Failure;

/// A function of the program that a thread runs.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ProgramFunction {
    #[cfg(feature = "http")]
    Log,
    Suppression,
}

thread_local! {
    static RUNNING: Cell<Option<ProgramFunction>> = const { Cell::new(None) };
}

/// The function that this thread runs.
pub(crate) fn running() -> Option<ProgramFunction> {
    RUNNING.get()
}

/// What the thread ran before; set again on drop, also after a panic.
struct Outer(Option<ProgramFunction>);

impl Drop for Outer {
    fn drop(&mut self) {
        RUNNING.set(self.0);
    }
}

/// Runs a function of the program.
pub(crate) fn run<T>(function: ProgramFunction, run: impl FnOnce() -> T) -> T {
    let _outer = Outer(RUNNING.replace(Some(function)));
    run()
}

/// Refuses a call of the library from a function that must not make it; `argument` is the name of the argument for the error.
pub(crate) fn refuse(argument: &'static str) -> Result<(), Failure> {
    match running() {
        None => Ok(()),
        #[cfg(feature = "http")]
        Some(ProgramFunction::Log) => {
            Err(Failure::bad_argument(argument, "must not be used in the log function"))
        }
        Some(ProgramFunction::Suppression) => {
            Err(Failure::bad_argument(argument, "must not be used in the suppression function"))
        }
    }
}
