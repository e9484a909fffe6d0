//! The log function of the process, with its level, and the call of it.

use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};
use std::time::Duration;

/// The log function. Each thread that runs the function holds a reference and no lock, so that a `fork` never waits
/// for a function that waits for the forking thread.
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

/// Replaces, in the child of a fork, the references that threads of the parent hold.
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

/// Passes a line to the log function, without control characters.
pub(crate) fn write_line(level: u32, mut line: String) {
    if !is_enabled(level) || IS_LOGGING.replace(true) {
        return;
    }
    line.retain(|c| !c.is_control());
    line.push('\0');
    let sink = SINK.read().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(sink) = &sink {
        // SAFETY: the function is the caller's, and `line` outlives the call.
        unsafe { (sink.function)(sink.user_data, level, line.as_ptr().cast(), line.len() - 1) };
    }
    drop(sink);
    IS_LOGGING.set(false);
}
