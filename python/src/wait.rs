//! Waits for a call on the calling thread, which drives the runtime meanwhile, with the interpreter released.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use pyo3::prelude::*;

use crate::runtime::{self, Inside};

/// How long a signal may wait for its handler.
const TICK: Duration = Duration::from_millis(40);

/// Runs a future to its end.
///
/// # Errors
/// What a signal handler raised, `KeyboardInterrupt` above all; the future is dropped then.
pub(crate) fn block_on<T: Send>(
    py: Python<'_>,
    inside: &Inside,
    mut future: Pin<&mut (dyn Future<Output = T> + Send)>,
) -> PyResult<T> {
    let runtime = runtime::get(py)?;
    loop {
        let step = inside
            .outside(py, || runtime.block_on(async { tokio::time::timeout(TICK, &mut future).await.ok() }));
        match step {
            Some(value) => return Ok(value),
            None => py.check_signals()?,
        }
    }
}
