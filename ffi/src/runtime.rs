//! The runtime: started by the first client, rebuilt after a fork, one worker thread a process.

use std::sync::{Mutex, PoisonError};

use tokio::runtime::{Builder, Handle, Runtime};

use crate::cpaas_status;

struct Running {
    pid: u32,
    runtime: Runtime,
}

static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

pub(crate) fn handle() -> Result<Handle, cpaas_status> {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let pid = std::process::id();
    if running.as_ref().is_some_and(|running| running.pid != pid) {
        // The threads of the parent do not exist here: its runtime must not be joined.
        std::mem::forget(running.take());
    }
    if running.is_none() {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("cpaas")
            .enable_all()
            .build()
            .map_err(|_| cpaas_status::CPAAS_BAD_ARGUMENT)?;
        *running = Some(Running { pid, runtime });
    }
    running.as_ref().map(|running| running.runtime.handle().clone()).ok_or(cpaas_status::CPAAS_PANIC)
}

/// Ends the worker thread; the next call starts it again.
pub(crate) fn stop() {
    let taken = RUNNING.lock().unwrap_or_else(PoisonError::into_inner).take();
    match taken {
        Some(running) if running.pid == std::process::id() => {
            running.runtime.shutdown_timeout(std::time::Duration::from_secs(5));
        }
        other => std::mem::forget(other),
    }
}
