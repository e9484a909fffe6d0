//! The tokio runtime of a call: finds it, and handles its shutdown.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::pin::pin;
use std::task::Poll;

use futures_util::FutureExt;
use tokio::runtime::{Handle, Id, RuntimeFlavor};
use tokio::task::yield_now;

/// The runtime that polls this future; `None` without one, or if it is shutting down.
pub(crate) async fn current() -> Option<Id> {
    let runtime = Handle::try_current().ok()?;
    if !is_open(&runtime).await {
        return None;
    }
    if runtime.runtime_flavor() == RuntimeFlavor::CurrentThread {
        // The runtime runs only inside `block_on`, so it may have missed the end of a connection. The first `yield_now`
        // polls the sockets. During the second one, the tasks of the connections run: they remove from the pool the
        // connections that the server closed, and return the last used connection to the pool.
        yield_now().await;
        yield_now().await;
    }
    Some(runtime.id())
}

/// Whether the runtime accepts tasks. A runtime that shuts down cancels a new task at once. During the shutdown, a call would
/// wait for its sockets forever, so the check is made before the call and not after a failure.
async fn is_open(runtime: &Handle) -> bool {
    let mut probe = pin!(runtime.spawn(async {}));
    poll_fn(|cx| {
        let is_cancelled = matches!(probe.as_mut().poll(cx), Poll::Ready(Err(error)) if error.is_cancelled());
        Poll::Ready(!is_cancelled)
    })
    .await
}

/// Runs a future; returns `None` if tokio panics because the runtime shuts down, has shut down, or lacks timers or sockets.
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
