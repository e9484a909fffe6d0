//! Results that the program polls.

use std::ffi::c_void;

use crate::boundary::catch_panic;
use crate::client_table::find;
use crate::handles::cpaas_client;
use crate::result_queue::PendingResult;
use crate::{cpaas_status, cpaas_text};

/// The result of a call that `cpaas_call_start` started. The size of this struct never changes.
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
/// result is available, also for an invalid handle. Each call of `cpaas_call_start` has exactly one result, also after
/// `cpaas_cancel`; results that were not polled are freed with the client.
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
        let pending = open.results.take(n);
        let count = pending.len();
        for (index, result) in pending.into_iter().enumerate() {
            // SAFETY: the caller passes an array of `n` elements, and at most `n` results were taken.
            unsafe { results.add(index).write(result.into()) };
        }
        count
    })
    .unwrap_or_default()
}

/// Returns a file descriptor that is readable while `cpaas_poll` has results, for `poll`, `epoll` and event libraries.
/// Returns -1 if the handle is invalid or no descriptor is free. The descriptor belongs to the client: do not read or
/// close it. The child of a fork must call this function again.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_event_fd(client: *const cpaas_client) -> i32 {
    catch_panic(|| find(client).ok().and_then(|open| open.results.descriptor())).ok().flatten().unwrap_or(-1)
}

impl From<PendingResult> for cpaas_result {
    fn from(result: PendingResult) -> Self {
        Self {
            call: result.call,
            user_data: result.user_data,
            text: result.text.map_or(cpaas_text::NONE, cpaas_text::new),
            status: result.status,
            reserved: 0,
        }
    }
}
