//! Callback requests and callback tokens, without state.

use std::ffi::c_char;

use cpaas_core::bindings::{mint_json, receive_json};
use serde::Deserialize;

use crate::boundary::{Failure, Output, utf8, write_output};
use crate::{cpaas_status, cpaas_text};

/// Verifies a callback request (a delivery report, an inbound message, a webhook event) and returns its event.
/// `config` is the configuration of the receiver, and `request` is `{"method", "url", "headers": {...}, "body"}`, or
/// `"body_base64"` for a binary body; docs/callbacks.md describes both JSON objects. `now` is the current time in
/// seconds since 1970. The function keeps no state and starts no thread.
///
/// `out`, not NULL, receives `{"ok": true, "status": 200, "event": {...}}`. An unauthenticated request is
/// `CPAAS_CALLBACK_REJECTED` with `{"ok": false, "status": 403, "reason"}`: respond with that HTTP status and an empty body,
/// and log the reason. A repeated report is not an error: to detect it, compare the nonce of the claims, the message id
/// and the status with earlier ones.
///
/// Errors: `CPAAS_BAD_TEXT` for an invalid configuration or request, with the reason as plain text in `out`;
/// `CPAAS_CALLBACK_REJECTED`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_receive(
    config: *const c_char,
    config_len: usize,
    request: *const c_char,
    request_len: usize,
    now: u64,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        with_config(config, config_len, request, request_len, out, |config, request| {
            receive_json(config, request, now).map_err(|error| error.to_string())
        })
    }
}

/// Creates a callback token and a URL that contains it. `config` and `now` are as for `cpaas_receive`. `request` is
/// `{"source", "reference"}` for the URL of that source's endpoint, or `{"purpose", "reference", "url"}` for a token in
/// the query of a URL. Both may have `lifetime`, a number of seconds or `"never"`, and `audience`. A token for the delivery
/// reports of an SMS needs the `reference` of the SMS; other tokens are bound to the audience only. `out`, not NULL,
/// receives `{"ok": true, "token", "url"}` (`url` if requested), or `{"ok": false, "message"}` with `CPAAS_CALLBACK_REJECTED`.
///
/// Errors: as for `cpaas_receive`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_token_mint(
    config: *const c_char,
    config_len: usize,
    request: *const c_char,
    request_len: usize,
    now: u64,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        with_config(config, config_len, request, request_len, out, |config, request| {
            mint_json(config, request, now).map_err(|error| error.to_string())
        })
    }
}

/// Runs a function of a configuration and a request, and writes its result.
///
/// # Safety
/// The contract of the exports.
unsafe fn with_config(
    config: *const c_char,
    config_len: usize,
    request: *const c_char,
    request_len: usize,
    out: *mut cpaas_text,
    run: impl FnOnce(&str, &str) -> Result<String, String>,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let config = utf8(config, config_len, "config")?;
            callback_output(run(config, utf8(request, request_len, "request")?))
        })
    }
}

/// The member that the results of `receive_json` and `mint_json` share.
#[derive(Deserialize)]
struct CallbackResult {
    ok: bool,
}

/// The status and the output of a result of `receive_json` or `mint_json`.
pub(crate) fn callback_output(result: Result<String, String>) -> Output {
    match result {
        Ok(json) if serde_json::from_str::<CallbackResult>(&json).is_ok_and(|result| result.ok) => {
            Ok(Some(json))
        }
        Ok(json) => Err(Failure::Output(cpaas_status::CPAAS_CALLBACK_REJECTED, Some(json))),
        Err(reason) => Err(Failure::Output(cpaas_status::CPAAS_BAD_TEXT, Some(reason))),
    }
}
