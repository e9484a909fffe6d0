//! The one runtime of the process, built again after a fork. Who waits in a sync call drives it; from the first
//! async call on a worker thread does, which never attaches to the interpreter.

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyImportError, PyRuntimeError};
use pyo3::prelude::*;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::yield_now;

struct Owned {
    pid: u32,
    runtime: Runtime,
    driven: AtomicBool,
}

static CURRENT: AtomicPtr<Owned> = AtomicPtr::new(std::ptr::null_mut());
static EXITING: AtomicBool = AtomicBool::new(false);
static MAIN: std::sync::OnceLock<ThreadId> = std::sync::OnceLock::new();
static INSIDE: AtomicUsize = AtomicUsize::new(0);

/// How long the end of the interpreter waits for threads that are inside.
const LEAVING: Duration = Duration::from_secs(2);

/// The runtime of this process.
pub(crate) fn get(py: Python<'_>) -> PyResult<&'static Runtime> {
    owned(py).map(|owned| &owned.runtime)
}

/// The runtime with the worker thread that drives it.
pub(crate) fn driven(py: Python<'_>) -> PyResult<&'static Runtime> {
    let owned = owned(py)?;
    if !owned.driven.swap(true, Ordering::SeqCst) {
        let drive = || owned.runtime.block_on(std::future::pending::<()>());
        let thread = std::thread::Builder::new().name("cpaas".to_owned()).spawn(drive);
        thread.map_err(|_| {
            owned.driven.store(false, Ordering::SeqCst);
            no_thread()
        })?;
    }
    Ok(&owned.runtime)
}

fn no_thread() -> PyErr {
    PyRuntimeError::new_err("cpaas: the worker thread cannot be started")
}

/// Timers are looked at after so many steps: a server that floods a connection must not hold up the deadlines.
const EVENTS: u32 = 4;

/// After a fork the parent's runtime is left as it is: its thread does not exist here, and to drop
/// it would take the parent's sockets out of the epoll set that both processes share.
fn owned(_py: Python<'_>) -> PyResult<&'static Owned> {
    if let Some(owned) = existing() {
        return Ok(owned);
    }
    let runtime =
        Builder::new_current_thread().event_interval(EVENTS).enable_all().build().map_err(|_| no_thread())?;
    let driven = AtomicBool::new(false);
    let owned: &'static Owned = Box::leak(Box::new(Owned { pid: std::process::id(), runtime, driven }));
    CURRENT.store(std::ptr::from_ref(owned).cast_mut(), Ordering::Release);
    Ok(owned)
}

fn existing() -> Option<&'static Owned> {
    // SAFETY: the pointer comes from `Box::leak` above and is never freed.
    let owned = unsafe { CURRENT.load(Ordering::Acquire).as_ref() };
    owned.filter(|owned| owned.pid == std::process::id())
}

/// Lets the connections of a client that was let go close where no thread would do it.
pub(crate) fn settle() {
    let Some(owned) = existing().filter(|owned| !owned.driven.load(Ordering::SeqCst)) else { return };
    if Handle::try_current().is_ok() {
        return;
    }
    owned.runtime.block_on(async {
        for _ in 0..3 {
            yield_now().await;
        }
    });
}

/// The runtime and the tables of classes belong to one interpreter, the main one: another one is refused with a sentence.
pub(crate) fn main_interpreter(_py: Python<'_>) -> PyResult<()> {
    // SAFETY: the current interpreter lives as long as this thread is attached to it.
    let id = unsafe { pyo3::ffi::PyInterpreterState_GetID(pyo3::ffi::PyInterpreterState_Get()) };
    if id == 0 {
        return Ok(());
    }
    Err(PyImportError::new_err(
        "cpaas works in the main interpreter of a process alone; a sub-interpreter cannot load it",
    ))
}

/// Called when the interpreter is about to end: from here on no other thread comes back to it, and
/// those that are inside are let out first.
#[pyfunction]
pub(crate) fn at_exit(py: Python<'_>) {
    let _ = MAIN.set(std::thread::current().id());
    EXITING.store(true, Ordering::SeqCst);
    py.detach(|| {
        let until = Instant::now() + LEAVING;
        while INSIDE.load(Ordering::SeqCst) > 0 && Instant::now() < until {
            std::thread::sleep(Duration::from_micros(200));
        }
    });
}

/// A thread in native code that may wait for the interpreter. The interpreter must not end meanwhile:
/// it would unwind the thread through frames that cannot be unwound.
pub(crate) struct Inside(());

impl Inside {
    pub(crate) fn enter(py: Python<'_>) -> Self {
        if !entered() {
            py.detach(stay_out);
        }
        Self(())
    }

    /// Runs `work` without the interpreter; at its end this thread waits outside for good.
    pub(crate) fn outside<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
        py.detach(|| {
            INSIDE.fetch_sub(1, Ordering::SeqCst);
            let done = work();
            if !entered() {
                stay_out();
            }
            done
        })
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.fetch_sub(1, Ordering::SeqCst);
    }
}

fn entered() -> bool {
    INSIDE.fetch_add(1, Ordering::SeqCst);
    if !EXITING.load(Ordering::SeqCst) || MAIN.get() == Some(&std::thread::current().id()) {
        return true;
    }
    INSIDE.fetch_sub(1, Ordering::SeqCst);
    false
}

fn stay_out() {
    loop {
        std::thread::park();
    }
}
