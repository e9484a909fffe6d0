//! The runtime: started by the first call, started again in the child of a fork, one worker thread a
//! process; callbacks run on threads beside it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::runtime::{Builder, Handle, Runtime};

use crate::cpaas_status;
use crate::open::CALLING_BACK;

pub(crate) struct Running {
    pid: u32,
    runtime: Runtime,
}

static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

pub(crate) fn lock() -> MutexGuard<'static, Option<Running>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn handle() -> Result<Handle, cpaas_status> {
    let mut running = lock();
    let pid = std::process::id();
    if running.as_ref().is_some_and(|running| running.pid != pid) {
        // The threads of the parent do not exist here: its runtime must not be joined.
        std::mem::forget(running.take());
    }
    if let Some(running) = running.as_ref() {
        return Ok(running.runtime.handle().clone());
    }
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("cpaas")
        .enable_all()
        .build()
        .map_err(|_| cpaas_status::CPAAS_NO_THREAD)?;
    let handle = runtime.handle().clone();
    *running = Some(Running { pid, runtime });
    Ok(handle)
}

/// Ends the worker thread; the next call starts it again.
pub(crate) fn stop() {
    if CALLING_BACK.get() != 0 || crate::log::is_telling() {
        return;
    }
    let taken = lock().take();
    match taken {
        Some(running) if running.pid == std::process::id() => {
            running.runtime.shutdown_timeout(std::time::Duration::from_secs(5));
        }
        other => std::mem::forget(other),
    }
}
