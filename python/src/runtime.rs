//! The one runtime of the process: one worker thread, built again after a fork.

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::thread::ThreadId;

use pyo3::exceptions::{PyImportError, PyRuntimeError};
use pyo3::prelude::*;
use tokio::runtime::{Builder, Runtime};

struct Owned {
    pid: u32,
    runtime: Runtime,
}

static CURRENT: AtomicPtr<Owned> = AtomicPtr::new(std::ptr::null_mut());
static EXITING: AtomicBool = AtomicBool::new(false);
static MAIN: std::sync::OnceLock<ThreadId> = std::sync::OnceLock::new();
static REBUILT: AtomicU64 = AtomicU64::new(0);

/// The runtime of this process.
///
/// After a fork the parent's runtime is left as it is: its thread does not exist here, and to drop
/// it would take the parent's sockets out of the epoll set that both processes share.
pub(crate) fn get(_py: Python<'_>) -> PyResult<&'static Runtime> {
    let pid = std::process::id();
    // SAFETY: the pointer comes from `Box::leak` below and is never freed.
    if let Some(owned) = unsafe { CURRENT.load(Ordering::Acquire).as_ref() }
        && owned.pid == pid
    {
        return Ok(&owned.runtime);
    }
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("cpaas")
        .enable_all()
        .build()
        .map_err(|_| PyRuntimeError::new_err("cpaas: the worker thread cannot be started"))?;
    let owned: &'static Owned = Box::leak(Box::new(Owned { pid, runtime }));
    CURRENT.store(std::ptr::from_ref(owned).cast_mut(), Ordering::Release);
    REBUILT.fetch_add(1, Ordering::Relaxed);
    Ok(&owned.runtime)
}

/// The runtime and the tables of classes belong to one interpreter: another one is refused with a sentence.
pub(crate) fn one_interpreter(_py: Python<'_>) -> PyResult<()> {
    static FIRST: std::sync::OnceLock<i64> = std::sync::OnceLock::new();
    // SAFETY: the current interpreter lives as long as this thread is attached to it.
    let id = unsafe { pyo3::ffi::PyInterpreterState_GetID(pyo3::ffi::PyInterpreterState_Get()) };
    if *FIRST.get_or_init(|| id) == id {
        return Ok(());
    }
    Err(PyImportError::new_err(
        "cpaas works in one interpreter of a process; a sub-interpreter cannot load it",
    ))
}

/// Called when the interpreter is about to end: from here on no other thread comes back to it.
#[pyfunction]
pub(crate) fn at_exit() {
    let _ = MAIN.set(std::thread::current().id());
    EXITING.store(true, Ordering::SeqCst);
}

/// Keeps a daemon thread away from an interpreter that is being taken down: to attach there would
/// unwind this thread through frames that cannot be unwound.
pub(crate) fn stay_out_at_exit() {
    while EXITING.load(Ordering::SeqCst) && MAIN.get() != Some(&std::thread::current().id()) {
        std::thread::park();
    }
}
