//! Leases of a receiver: an accepted callback is never lost.

use std::ffi::c_char;
use std::sync::Arc;
use std::time::Duration;

use cpaas_core::bindings::is_key;
use cpaas_core::bindings::{is_token, new_token, retry_after};
use cpaas_core::callback::{Claimed, LeaseMemory, Received};
use cpaas_core::callback::{DEFAULT_KEEP, valid_lease};
use serde_json::{Map, Value};

use super::CPAAS_RECEIVER_MEMORY;
use crate::boundary::{Failure, return_status, utf8_or_empty};
use crate::cpaas_status;
use crate::handles::{bad_handle, cpaas_receiver, key};
use crate::receiver_table::{Leases, find, lock};

/// Stands between the key and the token in the text of a lease.
const SEPARATOR: char = '/';

/// Turns on leases: from now on `cpaas_receiver_receive` claims each event for `seconds`, and an event is lost neither if its
/// processing fails nor if the thread that processes it ends. Call it before the first `cpaas_receiver_receive`: events that were
/// received before are not known to the leases. Called again, it changes the time of later leases.
///
/// `seconds`, from 1 to 86,400, is the maximum time of processing: after that time a repeat is `"new"` again, even if the first run has
/// not ended. 90 is a good value. A lease is not renewed. The receiver remembers `CPAAS_RECEIVER_MEMORY` events that are done,
/// for 14 days, and as many that are being processed. Another receiver, also one with new keys, knows nothing of them, nor does
/// a process that is restarted.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_receiver_lease(receiver: *const cpaas_receiver, seconds: u32) -> cpaas_status {
    return_status(|| {
        let key = key(receiver, "receiver")?;
        let lease = valid_lease(Duration::from_secs(seconds.into()))
            .map_err(|_| Failure::bad_argument("seconds", "must be from 1 to 86,400"))?;
        let mut table = lock();
        let open = table.get_mut(&key).ok_or(bad_handle("receiver"))?;
        let memory = match open.leases.take() {
            Some(leases) => leases.memory,
            None => Arc::new(LeaseMemory::new(CPAAS_RECEIVER_MEMORY as usize)),
        };
        open.leases = Some(Leases { memory, lease });
        Ok(())
    })
}

/// Records that an event is done. Call it after the event was processed and before the response, with the `lease` from
/// `cpaas_receiver_receive`, also if the lease has ended. Does nothing for an empty lease, which is that of an event
/// without a key. May be repeated.
///
/// Errors: `CPAAS_BAD_ARGUMENT` for a text that is not a lease, and for a receiver without leases; `CPAAS_BAD_UTF8`,
/// `CPAAS_BAD_HANDLE`.
///
/// Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_receiver_done(
    receiver: *const cpaas_receiver,
    lease: *const c_char,
    len: usize,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    return_status(|| unsafe {
        with_lease(receiver, lease, len, |memory, event, _| memory.done(event, DEFAULT_KEEP))
    })
}

/// Frees an event that could not be processed, so that its repeat is `"new"`. Call it with the `lease` from
/// `cpaas_receiver_receive`, and respond with an HTTP status of 500. Does nothing if the event is done, if another request has
/// claimed it since, and for an empty lease.
///
/// Errors: as for `cpaas_receiver_done`.
///
/// Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_receiver_free_lease(
    receiver: *const cpaas_receiver,
    lease: *const c_char,
    len: usize,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    return_status(|| unsafe {
        with_lease(receiver, lease, len, |memory, event, token| memory.free(event, token))
    })
}

/// Runs a command with the key and the token of a lease.
///
/// # Safety
/// `lease` is NULL or valid for `len` bytes.
unsafe fn with_lease(
    receiver: *const cpaas_receiver,
    lease: *const c_char,
    len: usize,
    command: impl FnOnce(&LeaseMemory, &str, &str),
) -> Result<(), Failure> {
    let (_, leases) = find(key(receiver, "receiver")?)?;
    let leases = leases.ok_or(Failure::bad_argument("receiver", "must be a receiver with leases"))?;
    // SAFETY: the same contract as this function's.
    let lease = unsafe { utf8_or_empty(lease, len, "lease") }?;
    if lease.is_empty() {
        return Ok(());
    }
    let (event, token) = lease
        .split_once(SEPARATOR)
        .filter(|(event, token)| is_key(event) && is_token(token))
        .ok_or(Failure::bad_argument("lease", "must be the lease of a result of cpaas_receiver_receive"))?;
    command(&leases.memory, event, token);
    Ok(())
}

impl Leases {
    /// The members of the result of `cpaas_receiver_receive`: claims the event.
    pub(super) fn claim(&self, received: &Received) -> Map<String, Value> {
        let (state, status, left, lease) = match received.key() {
            None => ("new", 200, None, String::new()),
            Some(event) => self.claim_key(&event),
        };
        let members = [
            ("state", state.into()),
            ("status", status.into()),
            ("retry_after", left.into()),
            ("lease", lease.into()),
        ];
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn claim_key(&self, event: &str) -> (&'static str, u16, Option<u64>, String) {
        // Without random bytes nothing can be claimed; the provider repeats the callback.
        let Some(token) = new_token() else { return ("busy", 503, Some(1), String::new()) };
        match self.memory.claim(event, &token, self.lease) {
            Claimed::New => ("new", 200, None, format!("{event}{SEPARATOR}{token}")),
            Claimed::Busy(left) => ("busy", 503, Some(retry_after(left)), String::new()),
            Claimed::Done => ("done", 200, None, String::new()),
        }
    }
}
