//! The log functions of the process and of its clients, and their levels; passes lines to the functions.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};
use std::time::Duration;

use cpaas_core::printable::{MAX_MESSAGE, printable};

use super::handoff::SharedHandoff;
use super::log_scope::client_of_call;
use super::program_function::{self, ProgramFunction, running};

type Function = unsafe extern "C" fn(*mut c_void, u32, *const c_char, usize);

/// A log function and its level. A thread that runs the function holds a reference to it, not a lock: the function may wait for a
/// thread that forks, and `fork` waits for the lock.
pub(crate) struct Sink {
    function: Function,
    user_data: *mut c_void,
    max_level: u32,
    /// Published by the thread that sets or replaces the function, and joined by those that run it, which it does not order: tools see
    /// a race between two runs of the function.
    handoff: SharedHandoff,
    /// The process of `handoff`.
    pid: u32,
}

// SAFETY: the caller of `cpaas_log_callback` agrees that the function runs on any thread.
unsafe impl Send for Sink {}
// SAFETY: the caller of `cpaas_log_callback` agrees that the function runs on several threads at once.
unsafe impl Sync for Sink {}

impl Sink {
    pub(crate) fn new(function: Function, user_data: *mut c_void, max_level: u32) -> Self {
        let handoff = SharedHandoff::new();
        handoff.publish();
        Self { function, user_data, max_level, handoff, pid: std::process::id() }
    }

    /// `line` has a NUL at its end.
    fn write(&self, level: u32, line: &str) {
        self.handoff.join();
        // SAFETY: the caller provided the function, and `line` outlives the call.
        unsafe { (self.function)(self.user_data, level, line.as_ptr().cast(), line.len() - 1) };
        if self.pid == std::process::id() {
            self.handoff.join(); // else the function has forked, and this is the child
        }
    }
}

/// The log function of the process.
static SINK: RwLock<Option<Arc<Sink>>> = RwLock::new(None);
static MAX_LEVEL: AtomicU32 = AtomicU32::new(0);

/// The log functions of clients, by the keys of the clients.
pub(crate) type ClientSinks = BTreeMap<u64, Arc<Sink>>;

static CLIENTS: RwLock<ClientSinks> = RwLock::new(ClientSinks::new());
/// The most detailed level of `CLIENTS`.
static MAX_CLIENT_LEVEL: AtomicU32 = AtomicU32::new(0);

/// Locks the log function of the process against changes.
pub(crate) fn lock() -> RwLockWriteGuard<'static, Option<Arc<Sink>>> {
    SINK.write().unwrap_or_else(PoisonError::into_inner)
}

/// Locks the log functions of clients against changes.
pub(crate) fn lock_clients() -> RwLockWriteGuard<'static, ClientSinks> {
    CLIENTS.write().unwrap_or_else(PoisonError::into_inner)
}

/// Replaces a log function in the child of a fork, where the threads that held references to it do not exist.
#[cfg(unix)]
pub(crate) fn renew(sink: &mut Arc<Sink>) {
    let fresh = Arc::new(Sink::new(sink.function, sink.user_data, sink.max_level));
    std::mem::forget(std::mem::replace(sink, fresh));
}

/// Sets the log function of the process, and waits until no thread runs the previous function.
pub(crate) fn set(new: Option<Sink>) {
    let mut sink = lock();
    MAX_LEVEL.store(new.as_ref().map_or(0, |new| new.max_level), Ordering::Relaxed);
    let old = std::mem::replace(&mut *sink, new.map(Arc::new));
    drop(sink);
    wait_for_end(old);
}

/// Sets the log function of the client with this key, and waits until no thread runs the previous function.
pub(crate) fn set_of_client(key: u64, new: Option<Sink>) {
    let mut sinks = lock_clients();
    let old = match new {
        Some(new) => sinks.insert(key, Arc::new(new)),
        None => sinks.remove(&key),
    };
    let max_level = sinks.values().map(|sink| sink.max_level).max();
    MAX_CLIENT_LEVEL.store(max_level.unwrap_or(0), Ordering::Relaxed);
    drop(sinks);
    wait_for_end(old);
}

/// Waits until no thread runs a function. A function of the program does not wait for itself.
fn wait_for_end(old: Option<Arc<Sink>>) {
    let Some(old) = old else { return };
    while Arc::strong_count(&old) > 1 && running().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    old.handoff.publish();
}

/// The log function of the process, if it receives lines of a level.
fn process_sink(level: u32) -> Option<Arc<Sink>> {
    if level > MAX_LEVEL.load(Ordering::Relaxed) {
        return None;
    }
    SINK.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The log function of the client whose call runs on this thread, if it receives lines of a level.
fn client_sink(level: u32) -> Option<Arc<Sink>> {
    if level > MAX_CLIENT_LEVEL.load(Ordering::Relaxed) {
        return None;
    }
    let sinks = CLIENTS.read().unwrap_or_else(PoisonError::into_inner);
    sinks.get(&client_of_call()).filter(|sink| level <= sink.max_level).cloned()
}

/// Whether lines of a level are logged.
pub(crate) fn is_enabled(level: u32) -> bool {
    level <= MAX_LEVEL.load(Ordering::Relaxed) || client_sink(level).is_some()
}

/// Passes a line to the log functions: one that does not change a log or a terminal.
pub(crate) fn write_line(level: u32, line: &str) {
    if !is_enabled(level) || running() == Some(ProgramFunction::Log) {
        return;
    }
    let mut line = printable(line, MAX_MESSAGE).into_owned();
    line.push('\0');
    for sink_of in [process_sink, client_sink] {
        if let Some(sink) = sink_of(level) {
            program_function::run(ProgramFunction::Log, || sink.write(level, &line));
        }
    }
}
