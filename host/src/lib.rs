//! What the C library and the Python module share about the process that they run in. The only code outside of them that is
//! `unsafe`.

mod panics;
mod sigpipe;

pub use panics::catch_panic;
pub use sigpipe::without_sigpipe;

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
