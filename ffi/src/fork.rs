//! A fork while other threads use the library: its locks are taken before and released after, so that
//! the child, where those threads do not exist, finds them free.

use std::cell::RefCell;
use std::ffi::c_int;
use std::sync::{MutexGuard, Once, RwLockWriteGuard};

use crate::log::Sink;
use crate::open::Table;
use crate::runtime::Running;

struct Held {
    _table: RwLockWriteGuard<'static, Table>,
    _running: MutexGuard<'static, Option<Running>>,
    _log: Option<RwLockWriteGuard<'static, Option<Sink>>>,
}

thread_local! {
    static HELD: RefCell<Option<Held>> = const { RefCell::new(None) };
}

unsafe extern "C" {
    fn pthread_atfork(
        prepare: Option<extern "C" fn()>,
        parent: Option<extern "C" fn()>,
        child: Option<extern "C" fn()>,
    ) -> c_int;
}

/// Once a process, before there is a lock to hold.
pub(crate) fn prepare_for() {
    static ONCE: Once = Once::new();
    // SAFETY: the handlers neither unwind nor touch anything but the locks of this library.
    ONCE.call_once(|| unsafe {
        pthread_atfork(Some(take), Some(release), Some(release));
    });
}

extern "C" fn take() {
    let _ = HELD.try_with(|held| {
        let taken = Held {
            _table: crate::open::write(),
            _running: crate::runtime::lock(),
            _log: crate::log::write(),
        };
        if let Ok(mut held) = held.try_borrow_mut() {
            *held = Some(taken);
        }
    });
}

extern "C" fn release() {
    let _ = HELD.try_with(|held| held.try_borrow_mut().map(|mut held| held.take()));
}
