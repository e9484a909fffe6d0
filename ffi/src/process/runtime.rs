//! The tokio runtime: built with the first client, built again in the child of a fork. The thread that waits in
//! `cpaas_call` drives the runtime. From the first asynchronous call on, a thread of the library drives it. The runtime's own
//! threads only resolve host names. They start with the runtime, so that a later call starts no thread, and no thread of the
//! library inherits the signal mask of a caller.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cpaas_core::suppression::StoreError;
use cpaas_host::{catch_panic, without_sigpipe};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot::{self, Sender};
use tokio::task::yield_now;

use super::callback::CALLBACK_OF;
use super::store_threads::StoreThreads;
use super::thread_pool::ThreadPool;
use super::{program_function, signals};
use crate::cpaas_status;
use crate::limits::{CallCount, max_callback_threads};

pub(crate) struct State {
    pid: u32,
    runtime: Arc<Runtime>,
    driver: Option<Driver>,
    callbacks: Option<Arc<ThreadPool>>,
    stores: Option<StoreThreads>,
    calls: Arc<CallCount>,
}

/// The parts of the runtime that an asynchronous call uses.
pub(crate) struct AsyncRuntime {
    pub(crate) handle: Handle,
    /// `None` for a call whose result is polled.
    pub(crate) callbacks: Option<Arc<ThreadPool>>,
    pub(crate) calls: Arc<CallCount>,
}

/// The number of threads that resolve host names.
const RESOLVERS: usize = 4;

/// The thread that drives the runtime from the first asynchronous call on.
struct Driver {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

pub(crate) fn lock() -> MutexGuard<'static, Option<State>> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a call to its end on this thread.
///
/// # Errors
/// `CPAAS_NO_THREAD` if the runtime cannot start, or this thread can no longer use it.
pub(crate) fn block_on<T>(call: impl Future<Output = T>) -> Result<T, cpaas_status> {
    if is_ending() {
        return Err(cpaas_status::CPAAS_NO_THREAD);
    }
    let runtime = Arc::clone(&state(&mut lock())?.runtime);
    // The stack of the caller's thread may be small, and would contain the future several times.
    let call = Box::pin(call);
    Ok(without_sigpipe(|| {
        let result = runtime.block_on(call);
        release(runtime);
        result
    }))
}

/// Builds the runtime and starts its threads.
pub(crate) fn start() -> Result<(), cpaas_status> {
    state(&mut lock()).map(drop)
}

/// The runtime, with a thread that drives it, and with callback threads if requested.
pub(crate) fn with_driver(has_callback: bool) -> Result<AsyncRuntime, cpaas_status> {
    let mut state = lock();
    let state = self::state(&mut state)?;
    if state.driver.is_none() {
        state.driver = Some(Driver::start(Arc::clone(&state.runtime))?);
    }
    if has_callback && state.callbacks.is_none() {
        state.callbacks = Some(ThreadPool::start(max_callback_threads)?);
    }
    Ok(AsyncRuntime {
        handle: state.runtime.handle().clone(),
        callbacks: state.callbacks.clone().filter(|_| has_callback),
        calls: Arc::clone(&state.calls),
    })
}

/// The threads that run suppression functions; starts them if there are none.
pub(crate) fn store_threads() -> Result<StoreThreads, StoreError> {
    let mut state = lock();
    let threads = self::state(&mut state).and_then(|state| match &mut state.stores {
        Some(threads) => Ok(threads.clone()),
        none => Ok(none.insert(StoreThreads::start()?).clone()),
    });
    threads.map_err(|_| "no thread can be started".into())
}

/// The state of this process; builds the runtime if there is none.
fn state(current: &mut Option<State>) -> Result<&mut State, cpaas_status> {
    let pid = std::process::id();
    if current.as_ref().is_some_and(|state| state.pid != pid) {
        // Leaked: the threads of the parent do not exist here, so its runtime cannot be shut down.
        std::mem::forget(current.take());
    }
    if let Some(state) = current {
        return Ok(state);
    }
    let build = || {
        Builder::new_current_thread()
            .thread_name("cpaas")
            // Check timers after every 4 polls: a server that floods a connection must not delay deadlines.
            .event_interval(4)
            .max_blocking_threads(RESOLVERS)
            .thread_keep_alive(Duration::from_secs(u32::MAX.into()))
            .on_thread_start(signals::block_all)
            .enable_all()
            .build()
    };
    let runtime = catch_panic(build).and_then(Result::ok).ok_or(cpaas_status::CPAAS_NO_THREAD)?;
    start_resolvers(&runtime)?;
    let calls = Arc::default();
    Ok(current.insert(State {
        pid,
        runtime: Arc::new(runtime),
        driver: None,
        callbacks: None,
        stores: None,
        calls,
    }))
}

/// Starts the threads that resolve host names. Each task holds its thread until all have started.
fn start_resolvers(runtime: &Runtime) -> Result<(), cpaas_status> {
    // tokio panics if it cannot start the first thread, so this checks that a thread can be started.
    let probe = signals::spawn_blocked(|| {}).map_err(|_| cpaas_status::CPAAS_NO_THREAD)?;
    let _ = probe.join();
    let gate = Arc::new(Mutex::new(()));
    let closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
    signals::with_blocked(|| {
        for _ in 0..RESOLVERS {
            let gate = Arc::clone(&gate);
            drop(runtime.spawn_blocking(move || drop(gate.lock())));
        }
    });
    drop(closed);
    Ok(())
}

impl Driver {
    fn start(runtime: Arc<Runtime>) -> Result<Self, cpaas_status> {
        let (stop, stopped) = oneshot::channel();
        let drive = move || {
            let _ = runtime.block_on(stopped);
            release(runtime);
        };
        let thread = signals::spawn_blocked(drive).map_err(|_| cpaas_status::CPAAS_NO_THREAD)?;
        Ok(Self { stop, thread })
    }
}

/// Closes the connections of a freed client if no thread drives the runtime: their tasks end only when the runtime is polled.
pub(crate) fn close_dropped_connections() {
    if is_in_callback() || is_ending() {
        return;
    }
    let runtime = match lock().as_ref() {
        Some(state) if state.pid == std::process::id() && state.driver.is_none() => {
            Arc::clone(&state.runtime)
        }
        _ => return,
    };
    without_sigpipe(|| {
        runtime.block_on(async {
            for _ in 0..3 {
                yield_now().await;
            }
        });
        release(runtime);
    });
}

/// Ends the threads; the next call starts them again.
pub(crate) fn stop() {
    if is_in_callback() {
        return;
    }
    let taken = lock().take();
    match taken {
        Some(state) if state.pid == std::process::id() => {
            if let Some(Driver { stop, thread }) = state.driver {
                let _ = stop.send(());
                let _ = thread.join();
            }
            let deadline = Instant::now() + STOP_TIMEOUT;
            without_sigpipe(|| release(state.runtime));
            if let Some(callbacks) = state.callbacks {
                callbacks.stop(deadline);
            }
            if let Some(stores) = state.stores {
                stores.stop(deadline);
            }
        }
        other => std::mem::forget(other),
    }
}

/// Whether the thread-local variables of this thread are destroyed: it is ending, or `main` has returned. tokio would panic.
fn is_ending() -> bool {
    Handle::try_current().is_err_and(|error| error.is_thread_local_destroyed())
}

/// Whether this thread runs a callback, the log function or the suppression function.
fn is_in_callback() -> bool {
    CALLBACK_OF.get() != 0 || program_function::running().is_some()
}

/// How long a shutdown waits for threads.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// Drops a reference to the runtime. The last one shuts the runtime down and waits for its threads.
fn release(runtime: Arc<Runtime>) {
    let Some(runtime) = Arc::into_inner(runtime) else { return };
    if is_in_callback() || is_ending() {
        runtime.shutdown_background();
    } else {
        runtime.shutdown_timeout(STOP_TIMEOUT);
    }
}
