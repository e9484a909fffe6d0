use std::ffi::{c_char, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cpaas_core::error::{Error, Outcome as Ended};

use crate::boundary::{Outcome, answer, bare, name, status, utf8};
use crate::called::Called;
use crate::client::cpaas_client;
use crate::flight::{self, Caller};
use crate::open::find;
use crate::options::{cpaas_call_options, with};
use crate::{cpaas_status, cpaas_text, runtime};

/// Called exactly once for every call that `cpaas_call_async` started, on a thread of the library, also
/// after a cancel. `text` is the result or the error record as JSON, `len` bytes with a NUL after them, or
/// NULL; it is valid during the call only. The function may take its time and may call any function but
/// `cpaas_shutdown` and `cpaas_client_free` of its client; it must not throw or jump out.
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub type cpaas_completion = Option<
    unsafe extern "C" fn(user_data: *mut c_void, status: cpaas_status, text: *const c_char, len: usize),
>;

/// Calls an operation and waits for its end, by default for at most 60 seconds.
///
/// `operation` is a name of the table (`cpaas_operations`), such as `sms.send`. `request` is a JSON object
/// with the specification's member names, `len` bytes. `out`, not NULL, receives the result as JSON with
/// `CPAAS_OK`, else the error record `{"outcome", "sent", "reason", "operation", "message", ...}`, else
/// `{NULL, 0}`; free it with `cpaas_text_free`.
///
/// `raw` instead of a name of the table calls any endpoint, with the address and the credentials of a family:
/// the request is `{"method", "family", "path", "query", "headers", "body"}`, the last three optional, and
/// the result `{"status", "headers", "body"}`. A GET is retried as a read, anything else as a send.
///
/// One call sends at most one message, and the status says which of the closed set of outcomes it was.
/// After `CPAAS_NOT_SENT` it is safe to call again; after `CPAAS_UNKNOWN` it may send a second message.
///
/// Errors: `CPAAS_INVALID` to `CPAAS_ACCEPTED_ID_UNKNOWN` with a record; `CPAAS_BAD_ARGUMENT`,
/// `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`, `CPAAS_BAD_NAME`, `CPAAS_NO_THREAD` without: nothing was sent.
/// With `CPAAS_PANIC` it may have been sent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_call(
    client: *const cpaas_client,
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    unsafe { cpaas_call_with(client, operation, request, len, std::ptr::null(), out) }
}

/// `cpaas_call` with times, counts or validation of its own. `options` may be NULL.
///
/// Errors: as `cpaas_call`; `CPAAS_BAD_ARGUMENT` also for options with a wrong `size` or value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_call_with(
    client: *const cpaas_client,
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    options: *const cpaas_call_options,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    unsafe {
        answer(out, || {
            let open = find(client).map_err(bare)?;
            let called = Called::find(name(operation).map_err(bare)?).map_err(bare)?;
            let request = utf8(request, len).map_err(bare)?;
            let client = with(&open.client, options).map_err(bare)?;
            if crate::log::is_telling() {
                return Err(bare(cpaas_status::CPAAS_BAD_ARGUMENT));
            }
            said(runtime::wait(called.call(&client, request)).map_err(bare)?)
        })
    }
}

static NUMBERS: AtomicU64 = AtomicU64::new(1);

/// Starts a call and returns at once; `done` runs exactly once with its outcome. `operation` and `request`
/// are copied. `options` may be NULL. `call`, when not NULL, receives a number for `cpaas_cancel`, which is
/// never 0, before `done` can run. `user_data` is passed on untouched; it must stay valid until `done`
/// returns.
///
/// With any status but `CPAAS_OK` nothing was started and `done` does not run.
///
/// Errors: `CPAAS_BAD_ARGUMENT` (also for a NULL `done`), `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`,
/// `CPAAS_BAD_NAME`, `CPAAS_NO_THREAD`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_call_async(
    client: *const cpaas_client,
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    options: *const cpaas_call_options,
    done: cpaas_completion,
    user_data: *mut c_void,
    call: *mut u64,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    status(|| unsafe {
        let done = done.ok_or(cpaas_status::CPAAS_BAD_ARGUMENT)?;
        let open = find(client)?;
        let called = Called::find(name(operation)?)?;
        let request = utf8(request, len)?.to_owned();
        let client = with(&open.client, options)?;
        let runtime = runtime::driven()?;
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let (cancel, cancelled) = tokio::sync::oneshot::channel();
        open.started(number, cancel)?;
        if !call.is_null() {
            call.write(number);
        }
        let caller = Caller { done, user_data, open: Arc::clone(&open), number };
        flight::start(&runtime, client, called, request, cancelled, caller);
        Ok(())
    })
}

/// Cancels a call of `cpaas_call_async` and returns at once. Its callback still runs, with its true outcome:
/// `CPAAS_NOT_SENT` when nothing left the machine, `CPAAS_UNKNOWN` when the request may have been
/// processed, and whatever the answer said when it had come already. A call that is over, or never was, is
/// `CPAAS_OK`.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_cancel(client: *const cpaas_client, call: u64) -> cpaas_status {
    status(|| {
        find(client)?.cancel(call);
        Ok(())
    })
}

/// An answer, or the status and the record of an error.
pub(crate) fn said(result: Result<String, Error>) -> Outcome {
    result.map(Some).map_err(|error| {
        let status = match error.outcome {
            Ended::Invalid => cpaas_status::CPAAS_INVALID,
            Ended::Rejected => cpaas_status::CPAAS_REJECTED,
            Ended::NotSent => cpaas_status::CPAAS_NOT_SENT,
            Ended::Unknown => cpaas_status::CPAAS_UNKNOWN,
            Ended::AcceptedIdUnknown => cpaas_status::CPAAS_ACCEPTED_ID_UNKNOWN,
        };
        (status, Some(error.to_json()))
    })
}
