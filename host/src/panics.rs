//! Panics of other crates.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a function; returns `None` if it panics. For functions of other crates that panic instead of returning an error, such as
/// the constructor of a tokio runtime without a free file descriptor.
pub fn catch_panic<T>(run: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run)).ok()
}
