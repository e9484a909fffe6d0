use std::ffi::c_char;

use cpaas_core::config::Config;
use cpaas_core::error::Error;

use crate::boundary::{answer, bare, guarded, utf8};
use crate::{cpaas_status, cpaas_text, open};

/// A client: addresses, credentials and connections. Opaque: the pointer is a ticket, looked up at every
/// call and never followed, so a freed or invented one is `CPAAS_BAD_HANDLE`.
#[allow(non_camel_case_types, reason = "the names of the C header")]
#[derive(Debug)]
pub struct cpaas_client {
    _opaque: [u8; 0],
}

/// Makes a client from a configuration in JSON (docs/c.md has the members). Members that it lacks come from
/// the environment variables `CPAAS_` and the member's name in upper case, then from the defaults; `{}`, or
/// NULL with 0, takes everything from there.
///
/// `client`: not NULL. With `CPAAS_OK` it receives the client, to be freed with `cpaas_client_free`;
/// otherwise NULL. `out`: not NULL, receives the error record.
///
/// A client may be used from many threads at once, and costs connections: make one and keep it. After a
/// fork the child may use the client it inherited; it gets connections of its own. Nothing is sent here.
///
/// Errors: `CPAAS_INVALID` for a configuration with an unknown member or a wrong value,
/// `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_client_new(
    config: *const c_char,
    len: usize,
    client: *mut *mut cpaas_client,
    out: *mut cpaas_text,
) -> cpaas_status {
    if client.is_null() {
        // SAFETY: handed on from the caller.
        return unsafe { answer(out, || Err(bare(cpaas_status::CPAAS_BAD_ARGUMENT))) };
    }
    // SAFETY: not NULL, and the caller gives a place that can be written.
    unsafe { client.write(std::ptr::null_mut()) };
    // SAFETY: handed on from the caller.
    unsafe {
        answer(out, || {
            let config = if config.is_null() && len == 0 { "{}" } else { utf8(config, len).map_err(bare)? };
            let opened =
                opened(config).map_err(|error| (cpaas_status::CPAAS_INVALID, Some(error.to_json())))?;
            client.write(opened);
            Ok(None)
        })
    }
}

fn opened(config: &str) -> Result<*mut cpaas_client, Error> {
    crate::fork::prepare_for();
    open::add(Config::from_json(config)?.or(Config::from_env()?))
}

/// Frees a client. Calls of `cpaas_call_async` in flight are cancelled, and their callbacks have run when
/// this returns. A `cpaas_call` under way on another thread ends as it would have. NULL and a freed client
/// are allowed.
///
/// It must not be called from a callback of the same client; there it does not wait.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_client_free(client: *mut cpaas_client) {
    let _ = guarded(|| open::remove(client));
}

/// Ends the threads of the library, after the callbacks that are running, for at most five seconds; for a
/// program that unloads the library or counts its threads. Free all clients first: a call under way on
/// another thread may lose its connection, which is `CPAAS_UNKNOWN`. The next call starts the threads
/// again. It must not be called from a callback; there it does nothing.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_shutdown() {
    let _ = guarded(crate::runtime::stop);
}
