//! The tokio runtime of the process, built again after a fork. The calling thread of a sync call drives it. The first async
//! call starts a worker thread, which drives it too and never attaches to the interpreter.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use cpaas_host::{catch_panic, without_sigpipe};
use pyo3::exceptions::{PyImportError, PyOSError};
use pyo3::prelude::*;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::yield_now;

/// The runtime of one process.
pub(crate) struct ProcessRuntime {
    pid: u32,
    runtime: Runtime,
    has_worker: AtomicBool,
}

static CURRENT: AtomicPtr<ProcessRuntime> = AtomicPtr::new(std::ptr::null_mut());
static EXITING: AtomicBool = AtomicBool::new(false);
static MAIN_THREAD: std::sync::OnceLock<ThreadId> = std::sync::OnceLock::new();
static GUARDED_THREADS: AtomicUsize = AtomicUsize::new(0);

/// The maximum time that the exit of the interpreter waits for threads with an [`InterpreterGuard`].
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// The maximum delay of a signal handler.
const SIGNAL_CHECK_INTERVAL: Duration = Duration::from_millis(40);

/// The number of polls of tasks between two checks of timers. It is small, so that a server that floods a connection does not
/// delay deadlines.
const EVENT_INTERVAL: u32 = 4;

/// Runs a future to its end on this thread, with the interpreter released.
///
/// # Errors
/// The exception of a signal handler, such as `KeyboardInterrupt`.
pub(crate) fn block_on<T: Send>(
    py: Python<'_>,
    runtime: &ProcessRuntime,
    guard: &InterpreterGuard,
    future: Pin<&mut (dyn Future<Output = T> + Send)>,
) -> PyResult<T> {
    block_on_and(py, runtime, guard, future, || py.check_signals())
}

/// Like [`block_on`], but calls `check` at short intervals. An error of `check` ends the wait.
///
/// # Errors
/// Those of `check`.
pub(crate) fn block_on_and<T: Send>(
    py: Python<'_>,
    ProcessRuntime { runtime, .. }: &ProcessRuntime,
    guard: &InterpreterGuard,
    mut future: Pin<&mut (dyn Future<Output = T> + Send)>,
    mut check: impl FnMut() -> PyResult<()>,
) -> PyResult<T> {
    loop {
        let result = guard.detach(py, || {
            runtime.block_on(async { tokio::time::timeout(SIGNAL_CHECK_INTERVAL, &mut future).await.ok() })
        });
        match result {
            Some(value) => return Ok(value),
            None => check()?,
        }
    }
}

/// The runtime, with the worker thread that drives it.
pub(crate) fn with_worker(py: Python<'_>) -> PyResult<&'static Runtime> {
    let current = current(py)?;
    if !current.has_worker.swap(true, Ordering::SeqCst) {
        let drive = || without_sigpipe(|| current.runtime.block_on(std::future::pending::<()>()));
        let thread = std::thread::Builder::new().name("cpaas".to_owned()).spawn(drive);
        thread.map_err(|_| {
            current.has_worker.store(false, Ordering::SeqCst);
            no_thread()
        })?;
    }
    Ok(&current.runtime)
}

fn no_thread() -> PyErr {
    PyOSError::new_err("cpaas: the runtime or its worker thread could not be started")
}

/// The runtime of this process. The runtime of a parent process is leaked: its thread does not exist here, and dropping
/// it would remove the parent's sockets from the epoll instance that both processes share.
///
/// Two threads may build one at the same time in an interpreter without the GIL; the first that is stored is used by both.
pub(crate) fn current(_py: Python<'_>) -> PyResult<&'static ProcessRuntime> {
    let before = CURRENT.load(Ordering::Acquire);
    if let Some(current) = of_this_process(before) {
        return Ok(current);
    }
    let build = || Builder::new_current_thread().event_interval(EVENT_INTERVAL).enable_all().build();
    let runtime = catch_panic(build).and_then(Result::ok).ok_or_else(no_thread)?;
    let has_worker = AtomicBool::new(false);
    let built = Box::into_raw(Box::new(ProcessRuntime { pid: std::process::id(), runtime, has_worker }));
    match CURRENT.compare_exchange(before, built, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => of_this_process(built).ok_or_else(no_thread),
        Err(stored) => {
            // SAFETY: the pointer comes from `Box::into_raw` above, and nobody else has it.
            drop(unsafe { Box::from_raw(built) });
            of_this_process(stored).ok_or_else(no_thread)
        }
    }
}

fn existing() -> Option<&'static ProcessRuntime> {
    of_this_process(CURRENT.load(Ordering::Acquire))
}

/// The runtime of a pointer that was stored in [`CURRENT`], unless a parent process stored it.
fn of_this_process(stored: *mut ProcessRuntime) -> Option<&'static ProcessRuntime> {
    // SAFETY: a stored pointer comes from `Box::into_raw` in `current` and is never freed.
    let current = unsafe { stored.as_ref() };
    current.filter(|current| current.pid == std::process::id())
}

/// Drops a future of the runtime. It may start a task or a timer when it is dropped, for which it needs the runtime's context.
pub(crate) fn drop_future<T>(future: T) {
    let _context = existing().map(|current| current.runtime.enter());
    drop(future);
}

/// Polls the runtime, unless a worker thread does, so that the connections of a dropped client are closed. Their tasks end only
/// when the runtime is polled.
pub(crate) fn close_dropped_connections() {
    let Some(current) = existing().filter(|current| !current.has_worker.load(Ordering::SeqCst)) else {
        return;
    };
    if Handle::try_current().is_ok() {
        return;
    }
    without_sigpipe(|| {
        current.runtime.block_on(async {
            for _ in 0..3 {
                yield_now().await;
            }
        });
    });
}

/// Returns an error in a sub-interpreter: the runtime and the tables of classes belong to the main interpreter.
pub(crate) fn require_main_interpreter(_py: Python<'_>) -> PyResult<()> {
    // SAFETY: the current interpreter lives as long as this thread is attached to it.
    let id = unsafe { pyo3::ffi::PyInterpreterState_GetID(pyo3::ffi::PyInterpreterState_Get()) };
    if id == 0 {
        return Ok(());
    }
    Err(PyImportError::new_err(
        "cpaas must be imported in the main interpreter of a process, got a sub-interpreter",
    ))
}

/// Runs before the interpreter exits. Afterwards, no other thread with an [`InterpreterGuard`] attaches to the interpreter. Waits
/// at most [`EXIT_TIMEOUT`] for those that are attached.
#[pyfunction]
pub(crate) fn at_exit(py: Python<'_>) {
    let _ = MAIN_THREAD.set(std::thread::current().id());
    EXITING.store(true, Ordering::SeqCst);
    py.detach(|| {
        let until = Instant::now() + EXIT_TIMEOUT;
        while GUARDED_THREADS.load(Ordering::SeqCst) > 0 && Instant::now() < until {
            std::thread::sleep(Duration::from_micros(200));
        }
        #[cfg(feature = "campaign")]
        crate::send_once::close_journals();
    });
}

/// Keeps the interpreter from exiting while this thread is in native code and attached to it. An exit would unwind the
/// thread through frames that must not unwind.
pub(crate) struct InterpreterGuard(());

impl InterpreterGuard {
    pub(crate) fn enter(py: Python<'_>) -> Self {
        if !try_enter() {
            py.detach(park_forever);
        }
        Self(())
    }

    /// Runs `work` detached from the interpreter, without SIGPIPE: `work` may write to sockets. If the interpreter exits meanwhile,
    /// this thread parks forever.
    pub(crate) fn detach<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
        py.detach(|| {
            GUARDED_THREADS.fetch_sub(1, Ordering::SeqCst);
            let result = without_sigpipe(work);
            if !try_enter() {
                park_forever();
            }
            result
        })
    }
}

impl Drop for InterpreterGuard {
    fn drop(&mut self) {
        GUARDED_THREADS.fetch_sub(1, Ordering::SeqCst);
    }
}

fn try_enter() -> bool {
    GUARDED_THREADS.fetch_add(1, Ordering::SeqCst);
    if !EXITING.load(Ordering::SeqCst) || MAIN_THREAD.get() == Some(&std::thread::current().id()) {
        return true;
    }
    GUARDED_THREADS.fetch_sub(1, Ordering::SeqCst);
    false
}

fn park_forever() {
    loop {
        std::thread::park();
    }
}
