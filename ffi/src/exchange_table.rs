//! The table of exchanges.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use crate::boundary::Failure;
use crate::exchange_call::ExchangeCall;
use crate::handles::{bad_handle, cpaas_exchange, key, new_key};
use crate::process::program_function;

/// An exchange of the table. A thread that uses it never waits for another one.
pub(crate) struct OpenExchange {
    pid: u32,
    call: Mutex<ExchangeCall>,
}

pub(crate) type Exchanges = BTreeMap<u64, Arc<OpenExchange>>;

static TABLE: Mutex<Exchanges> = Mutex::new(Exchanges::new());

pub(crate) fn lock() -> MutexGuard<'static, Exchanges> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn add(call: ExchangeCall) -> *mut cpaas_exchange {
    let (key, handle) = new_key();
    let open = OpenExchange { pid: std::process::id(), call: Mutex::new(call) };
    lock().insert(key, Arc::new(open));
    handle
}

/// Runs a function with the call of an exchange. The exchange of a parent is a bad handle in the child of a fork: both would send its
/// requests.
pub(crate) fn with<T>(
    exchange: *const cpaas_exchange,
    run: impl FnOnce(&mut ExchangeCall) -> Result<T, Failure>,
) -> Result<T, Failure> {
    program_function::refuse("exchange")?;
    let found = lock().get(&key(exchange, "exchange")?).map(Arc::clone);
    let open = found.filter(|open| open.belongs_to_this_process()).ok_or(bad_handle("exchange"))?;
    let mut call = match open.call.try_lock() {
        Ok(call) => call,
        Err(TryLockError::Poisoned(call)) => call.into_inner(),
        Err(TryLockError::WouldBlock) => {
            return Err(Failure::bad_argument("exchange", "must not be used by two threads at a time"));
        }
    };
    run(&mut call)
}

/// Removes an exchange, and cancels its call if it has not ended.
pub(crate) fn remove(exchange: *const cpaas_exchange) {
    let Ok(key) = key(exchange, "exchange") else { return };
    let removed = lock().remove(&key);
    if let Some(open) = removed
        && !open.belongs_to_this_process()
    {
        // Its locks may be held by threads that do not exist in the child of a fork.
        std::mem::forget(open);
    }
}

impl OpenExchange {
    fn belongs_to_this_process(&self) -> bool {
        self.pid == std::process::id()
    }
}
