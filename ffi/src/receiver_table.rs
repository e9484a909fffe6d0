//! The table of receivers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cpaas_core::callback::{Duplicates, Receiver};

use crate::boundary::Failure;
use crate::handles::bad_handle;

/// A receiver of the table.
pub(crate) struct OpenReceiver {
    pub(crate) receiver: Arc<Receiver>,
    pub(crate) duplicates: Duplicates,
}

pub(crate) type Receivers = BTreeMap<u64, OpenReceiver>;

static TABLE: Mutex<Receivers> = Mutex::new(Receivers::new());

pub(crate) fn lock() -> MutexGuard<'static, Receivers> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn find(key: u64) -> Result<Arc<Receiver>, Failure> {
    lock().get(&key).map(|open| Arc::clone(&open.receiver)).ok_or(bad_handle("receiver"))
}
