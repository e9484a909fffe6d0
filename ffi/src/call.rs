use std::ffi::c_char;

use cpaas_core::error::{Error, Outcome};

use crate::boundary::{Output, c_name, no_output, utf8, write_output};
use crate::call_options::{apply, cpaas_call_options};
use crate::client::cpaas_client;
use crate::handles::find;
use crate::process::{log, runtime};
use crate::target::Target;
use crate::{cpaas_status, cpaas_text};

/// Calls an operation and blocks until it ends, by default for at most 60 seconds.
///
/// `operation` is an operation id (`cpaas_operations` lists them), such as `sms.send`. `request` is a JSON object of
/// `len` bytes with the member names of the specification. `out`, not NULL, receives the result as JSON if the
/// status is `CPAAS_OK`, else the error record `{"outcome", "sent", "reason", "operation", "message", ...}`, or
/// `{NULL, 0}` for a status without a record; free it with `cpaas_text_free`.
///
/// The operation `raw` calls any endpoint with the address and the credentials of a family. Its request is
/// `{"method", "family", "path", "query", "headers", "body"}`; the last three are optional. Its result is
/// `{"status", "headers", "body"}`. A GET is retried like a read, any other method like a send.
///
/// One call sends at most one message, and the status is the outcome of the call. After `CPAAS_NOT_SENT` it is
/// safe to call again; after `CPAAS_UNKNOWN` another call may send a second message.
///
/// Errors: `CPAAS_INVALID` to `CPAAS_ACCEPTED_ID_UNKNOWN` with an error record. `CPAAS_BAD_ARGUMENT`,
/// `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`, `CPAAS_BAD_NAME` and `CPAAS_NO_THREAD` without one: nothing was sent. After
/// `CPAAS_PANIC` the request may have been sent.
///
/// Thread-safe. Must not be called from the log function.
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
            let open = find(client).map_err(no_output)?;
            let target = Target::find(c_name(operation).map_err(no_output)?).map_err(no_output)?;
            let request = utf8(request, len).map_err(no_output)?;
            let client = apply(&open.client, options).map_err(no_output)?;
            if log::is_logging() {
                return Err(no_output(cpaas_status::CPAAS_BAD_ARGUMENT));
            }
            to_output(runtime::block_on(target.call(&client, request)).map_err(no_output)?)
        })
    }
}

/// The result of a call, or the status and the error record.
pub(crate) fn to_output(result: Result<String, Error>) -> Output {
    result.map(Some).map_err(|error| {
        let status = match error.outcome {
            Outcome::Invalid => cpaas_status::CPAAS_INVALID,
            Outcome::Rejected => cpaas_status::CPAAS_REJECTED,
            Outcome::NotSent => cpaas_status::CPAAS_NOT_SENT,
            Outcome::Unknown => cpaas_status::CPAAS_UNKNOWN,
            Outcome::AcceptedIdUnknown => cpaas_status::CPAAS_ACCEPTED_ID_UNKNOWN,
        };
        (status, Some(error.to_json()))
    })
}
