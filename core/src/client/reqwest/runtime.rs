//! The runtime that a call runs in: whether it is there, and what becomes of a call when it ends.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::pin::pin;
use std::task::Poll;

use futures_util::FutureExt;
use tokio::runtime::{Handle, Id, RuntimeFlavor};
use tokio::task::yield_now;

/// The runtime that this is polled in; none without one, or in one that is shutting down.
pub(crate) async fn running() -> Option<Id> {
    let runtime = Handle::try_current().ok()?;
    if !is_open(&runtime).await {
        return None;
    }
    if runtime.runtime_flavor() == RuntimeFlavor::CurrentThread {
        // Nobody may have driven the connections for long: those that the server closed are seen first, and the one of the
        // call before becomes idle, which takes two steps of its task.
        yield_now().await;
        yield_now().await;
    }
    Some(runtime.id())
}

/// A runtime that shuts down takes no task: it cancels it at once. Its timers would panic, and its sockets wait for
/// ever.
async fn is_open(runtime: &Handle) -> bool {
    let mut probe = pin!(runtime.spawn(async {}));
    poll_fn(|cx| {
        let refused = matches!(probe.as_mut().poll(cx), Poll::Ready(Err(error)) if error.is_cancelled());
        Poll::Ready(!refused)
    })
    .await
}

/// Runs to the end, or to that of the runtime; none where it ends midway, or has no timers or sockets.
pub(crate) async fn guarded<T>(work: impl Future<Output = T>) -> Option<T> {
    match AssertUnwindSafe(work).catch_unwind().await {
        Ok(done) => Some(done),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            if !text.starts_with(TOKIO) {
                resume_unwind(panic);
            }
            None
        }
    }
}

/// How tokio begins to say that a runtime is shutting down, or lacks a part.
const TOKIO: &str = "A Tokio 1.x context was found, but";
