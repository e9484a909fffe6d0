//! Blocking calls.

use std::ffi::c_char;

use cpaas_core::client::Client;

use crate::boundary::{Output, c_name, utf8, write_output};
use crate::call_options::{apply, cpaas_call_options};
use crate::call_target::Target;
use crate::client_table::find_client;
use crate::handles::cpaas_client;
use crate::process::log_scope::in_log_of;
use crate::process::{program_function, runtime};
use crate::{cpaas_status, cpaas_text};

/// Calls an operation and blocks until it ends, by default for at most 60 seconds.
///
/// `operation` is an operation id (`cpaas_operations` lists them), such as `sms.send`. `request` is a JSON object of
/// `len` bytes with the member names of the specification. `out`, not NULL, receives the result as JSON if the
/// status is `CPAAS_OK`, else the error record `{"outcome", "sent", "reason", "operation", "message", "processed",
/// "retryable", ...}`, or `{NULL, 0}` for a status without output; free it with `cpaas_text_free`. In the record,
/// `processed` is "no", "maybe" or "yes": whether the request took effect. `retryable` is true if the same call may
/// succeed later and cannot act twice, after a rate limit once `retry_after_ms` has passed.
///
/// The operation `raw` calls any endpoint with the address and the credentials of a family. Its request is
/// `{"method", "family", "path", "query", "headers", "body"}`; the last three are optional. Its result is
/// `{"status", "headers", "body"}`. A GET is retried like a read, any other method like a send.
///
/// An `otp.verify` with a wrong or expired passcode is `CPAAS_NOT_VERIFIED`, with the provider's response in `out`.
///
/// One call sends at most one message, and the status is the outcome of the call. Call again only if the record has
/// `"retryable":true`: otherwise another call may send a second message, or cannot succeed.
///
/// Errors: `CPAAS_INVALID` to `CPAAS_ACCEPTED_ID_UNKNOWN` with an error record; `CPAAS_NOT_VERIFIED`. Nothing was sent
/// after `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE` and `CPAAS_BAD_NAME`, with `{"argument",
/// "message"}` in `out`, and after `CPAAS_NO_THREAD`. After `CPAAS_PANIC` the request may have been sent.
///
/// Thread-safe. Must not be called from the log function or the suppression function.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_call(
    client: *const cpaas_client,
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { cpaas_call_with(client, operation, request, len, std::ptr::null(), out) }
}

/// The same as `cpaas_call`, with options for this call. `options` may be NULL.
///
/// Errors: as for `cpaas_call`; `CPAAS_BAD_ARGUMENT` also for options with an invalid `size` or value.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_call_with(
    client: *const cpaas_client,
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    options: *const cpaas_call_options,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let (open, client) = find_client(client)?;
            let target = Target::find(c_name(operation, "operation")?)?;
            let request = utf8(request, len, "request")?;
            let client = apply(&client, options)?;
            block_on(target, open.key, &client, request)
        })
    }
}

/// Runs a call of the client with this key to its end on this thread.
pub(crate) fn block_on(target: Target, key: u64, client: &Client, request: &str) -> Output {
    program_function::refuse("client")?;
    target.to_output(runtime::block_on(in_log_of(key, target.call(client, request)))?)
}
