//! The table of receivers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cpaas_core::callback::{Duplicates, LeaseMemory, Receiver};

use crate::boundary::Failure;
use crate::handles::bad_handle;

/// A receiver of the table.
pub(crate) struct OpenReceiver {
    pub(crate) receiver: Arc<Receiver>,
    pub(crate) duplicates: Duplicates,
    /// After `cpaas_receiver_lease`.
    pub(crate) leases: Option<Leases>,
}

/// The leases of a receiver, and the time of a lease.
#[derive(Clone)]
pub(crate) struct Leases {
    pub(crate) memory: Arc<LeaseMemory>,
    pub(crate) lease: Duration,
}

pub(crate) type Receivers = BTreeMap<u64, OpenReceiver>;

static TABLE: Mutex<Receivers> = Mutex::new(Receivers::new());

pub(crate) fn lock() -> MutexGuard<'static, Receivers> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The receiver of a key, and its leases.
pub(crate) fn find(key: u64) -> Result<(Arc<Receiver>, Option<Leases>), Failure> {
    let table = lock();
    let open = table.get(&key).ok_or(bad_handle("receiver"))?;
    Ok((Arc::clone(&open.receiver), open.leases.clone()))
}
