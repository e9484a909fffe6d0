//! Receivers of callbacks, which detect repeated reports.

mod leases;
mod request;

use std::ffi::c_char;

use cpaas_core::callback::{Arrival, Duplicates, Received, Receiver};
use serde_json::{Map, Value};

use crate::boundary::{Failure, NOT_NULL, Output, catch_panic, return_status, utf8, write_output};
use crate::callback::callback_output;
use crate::handles::{cpaas_receiver, key, new_key};
use crate::receiver_table::{OpenReceiver, find, lock};
use crate::{cpaas_status, cpaas_text};

/// How many states of messages a receiver remembers to detect repeated reports.
pub const CPAAS_RECEIVER_MEMORY: u32 = 10_000;

/// Creates a receiver of callbacks from a configuration, JSON of `len` bytes, which docs/callbacks.md describes. Create a
/// receiver once: it keeps the configuration and the keys, and remembers the last `CPAAS_RECEIVER_MEMORY` states of
/// messages. To rotate keys, create a new receiver and free the old one.
///
/// `receiver`, not NULL, receives the receiver if the status is `CPAAS_OK`, else NULL; free it with
/// `cpaas_receiver_free`. `out`, not NULL, receives the reason as plain text.
///
/// Errors: `CPAAS_BAD_TEXT` for an invalid configuration, with the member that is invalid, `CPAAS_BAD_ARGUMENT`,
/// `CPAAS_BAD_UTF8`.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_receiver_new(
    config: *const c_char,
    len: usize,
    receiver: *mut *mut cpaas_receiver,
    out: *mut cpaas_text,
) -> cpaas_status {
    if receiver.is_null() {
        // SAFETY: the same contract as this function's.
        return unsafe { write_output(out, || Err(Failure::bad_argument("receiver", NOT_NULL))) };
    }
    // SAFETY: not NULL, and the caller passes memory that is valid for writes.
    unsafe { receiver.write(std::ptr::null_mut()) };
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            crate::process::handle_forks();
            let config = utf8(config, len, "config")?;
            let open = OpenReceiver {
                receiver: Receiver::from_json(config).map_err(bad_text)?.into(),
                duplicates: Duplicates::new(CPAAS_RECEIVER_MEMORY as usize),
                leases: None,
            };
            let (key, handle) = new_key();
            lock().insert(key, open);
            receiver.write(handle);
            Ok(None)
        })
    }
}

/// Verifies a callback request and returns its event, like `cpaas_receive`, with more members. The provider repeats a callback
/// until it is accepted.
///
/// Without `cpaas_receiver_lease`, `"duplicate"` is true if this receiver has already seen the same state of the same message.
/// Respond to a duplicate as to the first report, and do not process it again. An event whose processing is interrupted is lost.
///
/// With `cpaas_receiver_lease`, the request claims its event:
///
/// | `state` | `status` | What to do |
/// |---|---|---|
/// | `"new"` | 200 | process the event, call `cpaas_receiver_done` with `lease`, and respond with 200; if that fails, call `cpaas_receiver_free_lease` and respond with 500 |
/// | `"busy"` | 503 | respond with 503 and the header `Retry-After` with the seconds of `retry_after`: another request is processing the event |
/// | `"done"` | 200 | respond with 200 |
///
/// `lease` is empty unless the state is `"new"`, and `retry_after` is null unless it is `"busy"`. An event without a `key` is always
/// `"new"`, and its `lease` is empty.
///
/// Errors: `CPAAS_BAD_TEXT` for an invalid request, with the reason as plain text in `out`; `CPAAS_CALLBACK_REJECTED`,
/// `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_receiver_receive(
    receiver: *const cpaas_receiver,
    request: *const c_char,
    request_len: usize,
    now: u64,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let request = || utf8(request, request_len, "request");
            receive(receiver, request, |receiver, request, members| {
                receiver.receive_json_with(request, now, members).map_err(|error| error.to_string())
            })
        })
    }
}

/// Forgets a callback request that `cpaas_receiver_receive` accepted, so that its repetition is not a duplicate. Call it
/// if the program could not process the event, and respond with an HTTP status of 500.
///
/// Errors: `CPAAS_BAD_TEXT`, `CPAAS_CALLBACK_REJECTED`, `CPAAS_BAD_ARGUMENT`, also for a receiver with leases, whose function
/// is `cpaas_receiver_free_lease`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`.
///
/// Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_receiver_forget(
    receiver: *const cpaas_receiver,
    request: *const c_char,
    request_len: usize,
    now: u64,
) -> cpaas_status {
    return_status(|| {
        // SAFETY: the same contract as this function's.
        let request = || unsafe { utf8(request, request_len, "request") };
        forget(receiver, request, |receiver, request, members| {
            receiver.receive_json_with(request, now, members).map_err(|error| error.to_string())
        })
    })
}

/// Frees a receiver. Does nothing for NULL and for a freed receiver.
///
/// Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_receiver_free(receiver: *mut cpaas_receiver) {
    let _ = catch_panic(|| {
        let removed = key(receiver, "receiver").ok().and_then(|key| lock().remove(&key));
        drop(removed);
    });
}

/// Adds members to the result of an accepted request.
type AddMembers<'a> = &'a mut dyn FnMut(&Received) -> Map<String, Value>;

/// Reads a request and claims its event, or marks it as a duplicate. `verify` passes the request to the receiver.
fn receive<R>(
    receiver: *const cpaas_receiver,
    read: impl FnOnce() -> Result<R, Failure>,
    verify: impl FnOnce(&Receiver, R, AddMembers<'_>) -> Result<String, String>,
) -> Output {
    let key = key(receiver, "receiver")?;
    let request = read()?;
    let (found, leases) = find(key)?;
    callback_output(match leases {
        Some(leases) => verify(&found, request, &mut |received| leases.claim(received)),
        None => verify(&found, request, &mut |received| {
            let arrival = lock().get_mut(&key).map(|open| open.duplicates.check(received));
            let is_duplicate = arrival == Some(Arrival::Repeat);
            Map::from_iter([("duplicate".to_owned(), Value::Bool(is_duplicate))])
        }),
    })
}

/// Reads a request and forgets it. `verify` passes it to the receiver.
fn forget<R>(
    receiver: *const cpaas_receiver,
    read: impl FnOnce() -> Result<R, Failure>,
    verify: impl FnOnce(&Receiver, R, AddMembers<'_>) -> Result<String, String>,
) -> Result<(), Failure> {
    let key = key(receiver, "receiver")?;
    let (found, leases) = find(key)?;
    if leases.is_some() {
        return Err(Failure::bad_argument("receiver", "must be a receiver without leases"));
    }
    let request = read()?;
    let result = verify(&found, request, &mut |received| {
        if let Some(open) = lock().get_mut(&key) {
            open.duplicates.forget(received);
        }
        Map::new()
    });
    callback_output(result).map(drop)
}

fn bad_text(error: impl ToString) -> Failure {
    Failure::Output(cpaas_status::CPAAS_BAD_TEXT, Some(error.to_string()))
}
