//! Results that the program polls.

use std::ffi::c_void;
use std::time::Duration;

use crate::boundary::{Failure, NOT_NULL, catch_panic, clear, return_status};
use crate::client_table::{OpenClient, find};
use crate::handles::cpaas_client;
use crate::process::program_function;
use crate::result_queue::PendingResult;
use crate::{cpaas_status, cpaas_text};

/// The result of an asynchronous call without a callback. The size of this struct never changes.
#[repr(C)]
#[derive(Debug)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_result {
    /// The number of the call.
    pub call: u64,
    /// The `user_data` of the call.
    pub user_data: *mut c_void,
    /// The result or the error record as JSON, or `{NULL, 0}`. Free it with `cpaas_text_free`.
    pub text: cpaas_text,
    /// The outcome, as `cpaas_call` returns it.
    pub status: cpaas_status,
    /// Always 0.
    pub reserved: u32,
}

/// Writes the results of ended calls to `results`, at most `n`, and returns their number. Does not block: 0 means that no
/// result is available, also for an invalid handle. Each asynchronous call without a callback has exactly one result, also after
/// `cpaas_cancel`. Results that were not polled are freed with the client; `cpaas_client_drain` returns them before.
///
/// Thread-safe: each result is returned once.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_poll(
    client: *const cpaas_client,
    results: *mut cpaas_result,
    n: usize,
) -> usize {
    catch_panic(|| {
        let Some(open) = find(client).ok().filter(|_| !results.is_null()) else { return 0 };
        // SAFETY: the caller passes an array of `n` elements.
        unsafe { write_results(&open, results, n) }
    })
    .unwrap_or_default()
}

/// Writes at most `n` results to an array; returns their number.
///
/// # Safety
/// `results` is valid for writes of `n` elements.
unsafe fn write_results(open: &OpenClient, results: *mut cpaas_result, n: usize) -> usize {
    let pending = open.calls.results.take(n);
    let count = pending.len();
    for (index, result) in pending.into_iter().enumerate() {
        result.handoff.pass();
        // SAFETY: the array has `n` elements, and at most `n` results were taken.
        unsafe { results.add(index).write(result.into()) };
    }
    count
}

/// Ends the asynchronous calls of a client before it is freed, so that the program gets the `user_data` of each one back. Refuses
/// further ones with `CPAAS_BAD_HANDLE`, waits at most `timeout_ms` milliseconds for those that run, cancels the rest, and waits for
/// their end, as `cpaas_client_free` does. Then writes the results that were not polled to `results`, an array of
/// `capacity` elements, and their number to `written`, not NULL. Free their texts. `results` may be NULL if `capacity` is 0.
///
/// The `user_data` of a call with a callback is passed to its callback, which has returned when this function returns. Calls of
/// `cpaas_call` and the typed functions are not affected, and still possible afterwards. A second call waits for nothing.
///
/// In a callback of the same client it waits for nothing, and in a callback of another client at most 4 seconds after the
/// cancellation: results that are missing then can be polled later.
///
/// Errors: `CPAAS_TOO_SMALL` if more results are left: handle the `capacity` results that were written, and call again.
/// `CPAAS_BAD_ARGUMENT`, also in a log function or the suppression function, whose call could not end; `CPAAS_BAD_HANDLE`. After both, nothing was drained.
///
/// Thread-safe: each result is returned once.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_client_drain(
    client: *const cpaas_client,
    timeout_ms: u32,
    results: *mut cpaas_result,
    capacity: usize,
    written: *mut usize,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { clear(written, 0) };
    return_status(|| {
        let open = find(client)?;
        if written.is_null() {
            return Err(Failure::bad_argument("written", NOT_NULL));
        }
        if results.is_null() && capacity > 0 {
            return Err(Failure::bad_argument("results", NOT_NULL));
        }
        program_function::refuse("client")?;
        open.calls.drain(Duration::from_millis(timeout_ms.into()));
        // SAFETY: `written` is not NULL, and the caller passes an array of `capacity` elements.
        unsafe { written.write(write_results(&open, results, capacity)) };
        if open.calls.results.is_empty() { Ok(()) } else { Err(cpaas_status::CPAAS_TOO_SMALL.into()) }
    })
}

/// Returns a file descriptor that is readable while `cpaas_poll` has results, for `poll`, `epoll` and event libraries; on Windows a socket,
/// for `WSAPoll`.
/// Returns -1 if the handle is invalid or no descriptor is free. The descriptor belongs to the client: do not read or
/// close it. The child of a fork must call this function again.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_event_fd(client: *const cpaas_client) -> i32 {
    catch_panic(|| find(client).ok().and_then(|open| open.calls.results.descriptor()))
        .ok()
        .flatten()
        .unwrap_or(-1)
}

impl From<PendingResult> for cpaas_result {
    fn from(result: PendingResult) -> Self {
        Self {
            call: result.call,
            user_data: result.user_data,
            text: cpaas_text::of(result.text),
            status: result.status,
            reserved: 0,
        }
    }
}
