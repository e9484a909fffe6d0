//! The log function of the process and its level; passes lines to the function.

use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};
use std::time::Duration;

use cpaas_core::printable::{MAX_MESSAGE, printable};

/// The log function. A thread that runs the function holds a reference to it, not a lock: the function may wait for a thread
/// that forks, and `fork` waits for the lock.
#[derive(Clone, Copy)]
pub(crate) struct Sink {
    pub(crate) function: unsafe extern "C" fn(*mut c_void, u32, *const c_char, usize),
    pub(crate) user_data: *mut c_void,
}

// SAFETY: the caller of `cpaas_log_callback` agrees that the function runs on any thread.
unsafe impl Send for Sink {}
// SAFETY: the caller of `cpaas_log_callback` agrees that the function runs on several threads at once.
unsafe impl Sync for Sink {}

static SINK: RwLock<Option<Arc<Sink>>> = RwLock::new(None);
static MAX_LEVEL: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static IS_LOGGING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread runs the log function.
pub(crate) fn is_logging() -> bool {
    IS_LOGGING.get()
}

/// Locks the log function against changes.
pub(crate) fn lock() -> RwLockWriteGuard<'static, Option<Arc<Sink>>> {
    SINK.write().unwrap_or_else(PoisonError::into_inner)
}

/// Resets the reference count in the child of a fork, where the threads that held references do not exist.
pub(crate) fn renew(sink: &mut Option<Arc<Sink>>) {
    if let Some(old) = sink.take() {
        *sink = Some(Arc::new(*old));
        std::mem::forget(old);
    }
}

/// Sets the log function and its level, and waits until no thread runs the previous function.
pub(crate) fn set(new: Option<Sink>, level: u32) {
    let mut sink = lock();
    MAX_LEVEL.store(if new.is_some() { level } else { 0 }, Ordering::Relaxed);
    let old = std::mem::replace(&mut *sink, new.map(Arc::new));
    drop(sink);
    while old.as_ref().is_some_and(|old| Arc::strong_count(old) > 1) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Whether lines of a level are logged.
pub(crate) fn is_enabled(level: u32) -> bool {
    level <= MAX_LEVEL.load(Ordering::Relaxed)
}

/// Passes a line to the log function: one that does not change a log or a terminal.
pub(crate) fn write_line(level: u32, line: &str) {
    if !is_enabled(level) || IS_LOGGING.replace(true) {
        return;
    }
    let mut line = printable(line, MAX_MESSAGE).into_owned();
    line.push('\0');
    let sink = SINK.read().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(sink) = &sink {
        // SAFETY: the caller provided the function, and `line` outlives the call.
        unsafe { (sink.function)(sink.user_data, level, line.as_ptr().cast(), line.len() - 1) };
    }
    drop(sink);
    IS_LOGGING.set(false);
}
