use std::ffi::c_char;

use cpaas_core::callback::{mint_json, receive_json};
use serde::Deserialize;

use crate::boundary::{Outcome, answer, bare, utf8};
use crate::{cpaas_status, cpaas_text};

/// Checks a callback request and reads its event. `config` is the receiver's configuration, `request` is
/// `{"method", "url", "headers", "body"}`, `now` is the time in seconds since 1970.
///
/// `out` is `{"ok": true, "status": 200, "event": {…}}`. A refused request is `CPAAS_REFUSED` with
/// `{"ok": false, "status", "reason"}`: answer it with the status alone and keep the reason for the log.
///
/// Errors: `CPAAS_BAD_TEXT` for a configuration or request that is not of its form, the reason in `out`.
///
/// # Safety
/// `config` and `request` are valid for their lengths, `out` is valid for writes.
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

/// Makes a callback token, and the URL that carries it. `request` is `{"purpose", "reference", "lifetime",
/// "url"}`; `out` is `{"ok": true, "token", "url"}`.
///
/// # Safety
/// As `cpaas_receive`.
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
