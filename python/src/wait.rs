//! Waits for a call on the calling thread, with the interpreter released.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::runtime::{self, Inside};

/// How long a signal may wait for its handler.
const TICK: Duration = Duration::from_millis(40);

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future to its end; the worker thread drives its sockets and timers.
///
/// # Errors
/// What a signal handler raised, `KeyboardInterrupt` above all; the future is dropped then.
pub(crate) fn block_on<T: Send>(
    py: Python<'_>,
    inside: &Inside,
    mut future: Pin<Box<dyn Future<Output = T> + Send + '_>>,
) -> PyResult<T> {
    let runtime = runtime::get(py)?;
    loop {
        let step = inside.outside(py, || {
            let _entered = runtime.enter();
            poll_for(TICK, &mut future)
        });
        match step {
            Some(value) => return Ok(value),
            None => py.check_signals()?,
        }
    }
}

fn poll_for<T>(limit: Duration, future: &mut Pin<Box<dyn Future<Output = T> + Send + '_>>) -> Option<T> {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let until = Instant::now() + limit;
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return Some(value);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        std::thread::park_timeout(left);
    }
}
