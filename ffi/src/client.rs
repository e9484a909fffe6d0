//! Creates and frees clients.

use std::ffi::c_char;

use cpaas_core::config::Config;
use cpaas_core::error::Error;

use crate::boundary::{Failure, NOT_NULL, Output, catch_panic, utf8, write_output};
#[cfg(feature = "http")]
use crate::client_log;
use crate::handles::cpaas_client;
use crate::{client_table, cpaas_status, cpaas_text};

/// Creates a client from a configuration, JSON of `len` bytes; docs/c-reference.md lists the settings. A missing setting
/// is read from the environment, for example `sms_url` from `CPAAS_SMS_URL`. If the variable is missing too, the default
/// applies. `{}`, or NULL with length 0, is an empty configuration. Sends nothing. The first client starts the threads
/// that resolve host names; in `libcpaas-core`, it starts none.
///
/// `client`, not NULL, receives the client if the status is `CPAAS_OK`, else NULL; free it with
/// `cpaas_client_free`. `out`, not NULL, receives the error record.
///
/// Threads may share a client. A client owns connections: create one and keep it. After a fork the child may use the
/// client of its parent; the child opens new connections.
///
/// Errors: `CPAAS_INVALID` with an error record for an unknown setting or an invalid value, `CPAAS_BAD_ARGUMENT`,
/// `CPAAS_BAD_UTF8`, `CPAAS_NO_THREAD` if no thread can be started.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_client_new(
    config: *const c_char,
    len: usize,
    client: *mut *mut cpaas_client,
    out: *mut cpaas_text,
) -> cpaas_status {
    if client.is_null() {
        // SAFETY: the same contract as this function's.
        return unsafe { write_output(out, || Err(Failure::bad_argument("client", NOT_NULL))) };
    }
    // SAFETY: not NULL, and the caller passes memory that is valid for writes.
    unsafe { client.write(std::ptr::null_mut()) };
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let config = if config.is_null() && len == 0 { "{}" } else { utf8(config, len, "config")? };
            open(config, |handle| client.write(handle))
        })
    }
}

fn open(config: &str, write: impl FnOnce(*mut cpaas_client)) -> Output {
    crate::process::handle_forks();
    let invalid = |error: Error| Failure::Output(cpaas_status::CPAAS_INVALID, Some(error.to_json()));
    let config =
        with_stores_named(config).and_then(Config::from_json).and_then(Config::or_env).map_err(invalid)?;
    #[cfg(feature = "http")]
    crate::process::runtime::start()?;
    write(client_table::add(config).map_err(invalid)?);
    Ok(None)
}

/// A configuration that does not contain the stores of other languages, which have functions of their own here.
fn with_stores_named(config: &str) -> Result<&str, Error> {
    let given: serde_json::Value = serde_json::from_str(config).unwrap_or_default();
    for name in ["suppression", "guard"] {
        if given.get(name).is_some() {
            let text = format!("`{name}` is not a setting in C: call cpaas_client_{name}");
            return Err(Error::config(text));
        }
    }
    Ok(config)
}

/// Frees a client. Cancels its asynchronous calls and waits until their callbacks have returned. A `cpaas_call` that
/// runs on another thread and an exchange are not affected, but log no more to the function of `cpaas_client_log`. Does nothing for NULL
/// and for a freed client.
///
/// Must not be called from a callback of the same client, a log function or the suppression function; there, it does not wait. In a callback of another
/// client, it waits at most 4 seconds, because two callbacks may free each other's client; then a callback of the freed client may still run.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_client_free(client: *mut cpaas_client) {
    let _ = catch_panic(|| {
        let _is_removed = client_table::remove(client);
        #[cfg(feature = "http")]
        {
            if _is_removed {
                crate::process::runtime::close_dropped_connections();
            }
            let _ = client_log::remove(client);
        }
    });
}
