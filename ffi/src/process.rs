//! The state of the process: the runtime, the log functions, and the locks that must be free during a fork.

use std::cell::RefCell;
use std::ffi::c_int;
use std::sync::{Arc, MutexGuard, Once, RwLockWriteGuard};

use crate::boundary::catch_panic;
use crate::client_table::Table;
use crate::receiver_table::Receivers;

pub(crate) mod callback;
pub(crate) mod handoff;
pub(crate) mod log;
pub(crate) mod log_scope;
pub(crate) mod log_sink;
pub(crate) mod program_function;
pub(crate) mod runtime;
mod signals;
pub(crate) mod store_threads;
pub(crate) mod thread_pool;

/// Ends the threads of the library, for a program that unloads the library or counts its threads. Waits at most 5
/// seconds for callbacks and suppression functions that are running. Free all clients first: a call that runs on another thread may lose its
/// connection, which is `CPAAS_UNKNOWN`. The next call starts the threads again. Idempotent.
///
/// Must not be called from a callback, the log function or the suppression function; there it does nothing.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_shutdown() {
    let _ = catch_panic(runtime::stop);
}

/// The locks of the library. The forking thread holds them during a fork: in the child, no other thread exists that could
/// release them.
struct Locks {
    _table: RwLockWriteGuard<'static, Table>,
    _receivers: MutexGuard<'static, Receivers>,
    _runtime: MutexGuard<'static, Option<runtime::State>>,
    _log: RwLockWriteGuard<'static, Option<Arc<log_sink::Sink>>>,
    _client_logs: RwLockWriteGuard<'static, log_sink::ClientSinks>,
}

thread_local! {
    static LOCKS: RefCell<Option<Locks>> = const { RefCell::new(None) };
}

unsafe extern "C" {
    fn pthread_atfork(
        prepare: Option<extern "C" fn()>,
        parent: Option<extern "C" fn()>,
        child: Option<extern "C" fn()>,
    ) -> c_int;
}

/// Registers the handlers of `fork`. Called before the first lock is taken.
pub(crate) fn handle_forks() {
    static ONCE: Once = Once::new();
    // SAFETY: the handlers do not unwind, and access only the locks of this library.
    ONCE.call_once(|| unsafe {
        pthread_atfork(Some(lock_all), Some(unlock_all), Some(unlock_in_child));
    });
}

extern "C" fn lock_all() {
    let _ = LOCKS.try_with(|locks| {
        let taken = Locks {
            _table: crate::client_table::write(),
            _receivers: crate::receiver_table::lock(),
            _runtime: runtime::lock(),
            _log: log_sink::lock(),
            _client_logs: log_sink::lock_clients(),
        };
        if let Ok(mut locks) = locks.try_borrow_mut() {
            *locks = Some(taken);
        }
    });
}

/// In the child, no other thread runs a log function any more.
extern "C" fn unlock_in_child() {
    let _ = LOCKS.try_with(|locks| {
        if let Ok(mut locks) = locks.try_borrow_mut()
            && let Some(locks) = locks.as_mut()
        {
            let Locks { _log: log, _client_logs: client_logs, .. } = locks;
            log.iter_mut().chain(client_logs.values_mut()).for_each(log_sink::renew);
        }
    });
    unlock_all();
}

extern "C" fn unlock_all() {
    let _ = LOCKS.try_with(|locks| locks.try_borrow_mut().map(|mut locks| locks.take()));
}
