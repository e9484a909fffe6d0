//! The tokio runtime of a call: whether there is one, and what happens to a call if it shuts down.

use std::panic::{AssertUnwindSafe, resume_unwind};

use futures_util::FutureExt;
use tokio::runtime::{Handle, Id};

/// The runtime that polls this future, if any.
pub(crate) async fn current() -> Option<Id> {
    Some(Handle::try_current().ok()?.id())
}

/// Runs a future; returns `None` if the runtime shuts down, has shut down, or lacks timers or sockets: tokio panics then.
pub(crate) async fn catch_shutdown<T>(work: impl Future<Output = T>) -> Option<T> {
    match AssertUnwindSafe(work).catch_unwind().await {
        Ok(done) => Some(done),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            if !text.starts_with(RUNTIME_PANIC) {
                resume_unwind(panic);
            }
            None
        }
    }
}

/// The beginning of tokio's panics about a runtime that shuts down or lacks a driver.
pub(crate) const RUNTIME_PANIC: &str = "A Tokio 1.x context was found, but";
