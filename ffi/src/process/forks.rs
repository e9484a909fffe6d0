//! The locks that must be free in the child of a fork.

use std::cell::RefCell;
use std::ffi::c_int;
#[cfg(feature = "http")]
use std::sync::Arc;
use std::sync::{MutexGuard, Once, RwLockWriteGuard};

#[cfg(feature = "http")]
use super::{log_sink, runtime};
use crate::client_table::Table;
use crate::exchange_table::Exchanges;
#[cfg(feature = "http")]
use crate::receiver_table::Receivers;

/// The locks of the library. The forking thread holds them during a fork: in the child, no other thread exists that could
/// release them.
struct Locks {
    _table: RwLockWriteGuard<'static, Table>,
    _exchanges: MutexGuard<'static, Exchanges>,
    #[cfg(feature = "http")]
    _receivers: MutexGuard<'static, Receivers>,
    #[cfg(feature = "http")]
    _runtime: MutexGuard<'static, Option<runtime::State>>,
    #[cfg(feature = "http")]
    _log: RwLockWriteGuard<'static, Option<Arc<log_sink::Sink>>>,
    #[cfg(feature = "http")]
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
            _exchanges: crate::exchange_table::lock(),
            #[cfg(feature = "http")]
            _receivers: crate::receiver_table::lock(),
            #[cfg(feature = "http")]
            _runtime: runtime::lock(),
            #[cfg(feature = "http")]
            _log: log_sink::lock(),
            #[cfg(feature = "http")]
            _client_logs: log_sink::lock_clients(),
        };
        if let Ok(mut locks) = locks.try_borrow_mut() {
            *locks = Some(taken);
        }
    });
}

/// In the child, no other thread runs a log function any more.
extern "C" fn unlock_in_child() {
    #[cfg(feature = "http")]
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
