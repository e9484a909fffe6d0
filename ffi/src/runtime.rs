//! The runtime: made by the first call, made again in the child of a fork. Who waits in `cpaas_call` drives it; a
//! thread of its own does from the first asynchronous call on, and callbacks run on threads beside it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot::{self, Sender};
use tokio::task::yield_now;

use crate::cpaas_status;
use crate::open::CALLING_BACK;

pub(crate) struct Running {
    pid: u32,
    runtime: Arc<Runtime>,
    driver: Option<Driver>,
}

/// The thread that drives the runtime where nobody waits.
struct Driver {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

pub(crate) fn lock() -> MutexGuard<'static, Option<Running>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a call's end, and drives it meanwhile.
pub(crate) fn wait<T>(call: impl Future<Output = T>) -> Result<T, cpaas_status> {
    let runtime = Arc::clone(&running(&mut lock())?.runtime);
    let ended = runtime.block_on(call);
    release(runtime);
    Ok(ended)
}

/// The runtime with a thread that drives it.
pub(crate) fn driven() -> Result<Handle, cpaas_status> {
    let mut running = lock();
    let running = self::running(&mut running)?;
    if running.driver.is_none() {
        running.driver = Some(Driver::start(Arc::clone(&running.runtime))?);
    }
    Ok(running.runtime.handle().clone())
}

fn running(slot: &mut Option<Running>) -> Result<&mut Running, cpaas_status> {
    let pid = std::process::id();
    if slot.as_ref().is_some_and(|running| running.pid != pid) {
        // The threads of the parent do not exist here: its runtime must not be ended.
        std::mem::forget(slot.take());
    }
    if let Some(running) = slot {
        return Ok(running);
    }
    let runtime = Builder::new_current_thread()
        .thread_name("cpaas")
        // Timers are looked at after so many steps: a server that floods a connection must not hold up the deadlines.
        .event_interval(4)
        .enable_all()
        .build()
        .map_err(|_| cpaas_status::CPAAS_NO_THREAD)?;
    Ok(slot.insert(Running { pid, runtime: Arc::new(runtime), driver: None }))
}

impl Driver {
    fn start(runtime: Arc<Runtime>) -> Result<Self, cpaas_status> {
        let (stop, stopped) = oneshot::channel();
        let drive = move || {
            let _ = runtime.block_on(stopped);
            release(runtime);
        };
        let thread = std::thread::Builder::new().name("cpaas".to_owned()).spawn(drive);
        Ok(Self { stop, thread: thread.map_err(|_| cpaas_status::CPAAS_NO_THREAD)? })
    }
}

/// Lets the connections of a freed client close where no thread would do it.
pub(crate) fn settle() {
    if is_inside() {
        return;
    }
    let runtime = match lock().as_ref() {
        Some(running) if running.pid == std::process::id() && running.driver.is_none() => {
            Arc::clone(&running.runtime)
        }
        _ => return,
    };
    runtime.block_on(async {
        for _ in 0..3 {
            yield_now().await;
        }
    });
    release(runtime);
}

/// Ends the threads; the next call starts again.
pub(crate) fn stop() {
    if is_inside() {
        return;
    }
    let taken = lock().take();
    match taken {
        Some(running) if running.pid == std::process::id() => {
            if let Some(Driver { stop, thread }) = running.driver {
                let _ = stop.send(());
                let _ = thread.join();
            }
            release(running.runtime);
        }
        other => std::mem::forget(other),
    }
}

/// Whether this thread runs a function of the caller's.
fn is_inside() -> bool {
    CALLING_BACK.get() != 0 || crate::log::is_telling()
}

/// Who holds it last ends it, and waits for callbacks, but not for ever.
fn release(runtime: Arc<Runtime>) {
    let Some(runtime) = Arc::into_inner(runtime) else { return };
    if is_inside() {
        runtime.shutdown_background();
    } else {
        runtime.shutdown_timeout(Duration::from_secs(5));
    }
}
