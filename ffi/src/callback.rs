use std::ffi::c_char;

use cpaas_core::callback::{mint_json, receive_json};
use serde::Deserialize;

use crate::boundary::{Outcome, answer, bare, utf8};
use crate::{cpaas_status, cpaas_text};

/// Checks a callback request (a delivery report, an inbound message, a webhook event) and reads its event.
/// `config` is the receiver's configuration and `request` is `{"method", "url", "headers": {...}, "body"}`
/// (a body that is not text: `"body_base64"`), both JSON as in docs/callbacks.md; `now` is the time in
/// seconds since 1970. Pure: nothing is kept, and no thread is started.
///
/// `out`, not NULL, receives `{"ok": true, "status": 200, "event": {...}}`. A request that is not the
/// provider's is `CPAAS_REFUSED` with `{"ok": false, "status": 403, "reason"}`: answer it with that HTTP
/// status alone and keep the reason for the log. A repeated report is no error: compare the claims' nonce,
/// the message id and the status with those seen.
///
/// Errors: `CPAAS_BAD_TEXT` for a configuration or request that is not of its form, with the reason as
/// plain text in `out`; `CPAAS_REFUSED`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_receive(
    config: *const c_char,
    config_len: usize,
    request: *const c_char,
    request_len: usize,
    now: u64,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    unsafe {
        answer(out, || {
            let config = utf8(config, config_len).map_err(bare)?;
            let request = utf8(request, request_len).map_err(bare)?;
            told(receive_json(config, request, now).map_err(|error| error.to_string()))
        })
    }
}

/// Makes a callback token, and the URL that carries it. `config` and `now` are as for `cpaas_receive`;
/// `request` is `{"source", "reference"}` for the URL of the endpoint of that source, or `{"purpose",
/// "reference", "url", "lifetime"}` for a token on a URL, with the lifetime in seconds or `"never"`. The
/// delivery reports of an SMS need its `reference`; the others are bound to the audience alone.
/// `out`, not NULL, receives `{"ok": true, "token", "url"}`, or `{"ok": false, "message"}` with
/// `CPAAS_REFUSED`.
///
/// Errors: as `cpaas_receive`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_token_mint(
    config: *const c_char,
    config_len: usize,
    request: *const c_char,
    request_len: usize,
    now: u64,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    unsafe {
        answer(out, || {
            let config = utf8(config, config_len).map_err(bare)?;
            let request = utf8(request, request_len).map_err(bare)?;
            told(mint_json(config, request, now).map_err(|error| error.to_string()))
        })
    }
}

#[derive(Deserialize)]
struct Told {
    ok: bool,
}

fn told(result: Result<String, String>) -> Outcome {
    match result {
        Ok(json) if serde_json::from_str::<Told>(&json).is_ok_and(|told| told.ok) => Ok(Some(json)),
        Ok(json) => Err((cpaas_status::CPAAS_REFUSED, Some(json))),
        Err(reason) => Err((cpaas_status::CPAAS_BAD_TEXT, Some(reason))),
    }
}
