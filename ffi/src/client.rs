use std::collections::HashMap;
use std::ffi::c_char;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};

use cpaas_core::client::Client;
use cpaas_core::config::Config;
use cpaas_core::error::Error;
use tokio::task::AbortHandle;

use crate::boundary::{answer, bare, guarded, utf8};
use crate::{cpaas_status, cpaas_text};

/// A client. Opaque: the pointer is a ticket, looked up at every call and never followed, so a freed
/// one is a status.
#[allow(non_camel_case_types, reason = "the names of the C header")]
#[derive(Debug)]
pub struct cpaas_client {
    _opaque: [u8; 0],
}

/// What stands behind a ticket.
pub(crate) struct Open {
    pub(crate) client: Client,
    pub(crate) running: Mutex<HashMap<u64, Option<AbortHandle>>>,
    pub(crate) idle: Condvar,
}

static NEXT: AtomicU64 = AtomicU64::new(1);
static OPEN: RwLock<Option<HashMap<u64, Arc<Open>>>> = RwLock::new(None);

pub(crate) fn find(client: *const cpaas_client) -> Result<Arc<Open>, cpaas_status> {
    if client.is_null() {
        return Err(cpaas_status::CPAAS_BAD_ARGUMENT);
    }
    let open = OPEN.read().unwrap_or_else(PoisonError::into_inner);
    let ticket = client.addr() as u64 / STEP;
    open.as_ref().and_then(|open| open.get(&ticket)).cloned().ok_or(cpaas_status::CPAAS_BAD_HANDLE)
}

/// Tickets look like aligned addresses, which debuggers and sanitizers like better.
const STEP: u64 = 16;

/// Makes a client from a configuration in JSON; members that it lacks come from the environment
/// variables `CPAAS_…`, then from the defaults. `{}` is allowed.
///
/// On `CPAAS_OK` `*client` is the client, to be freed with `cpaas_client_free`; otherwise it is NULL
/// and `out` holds the error record. A client may be used from many threads at once.
///
/// Errors: `CPAAS_INVALID` for a configuration with an unknown member or a wrong value.
///
/// # Safety
/// `config` is valid for `len` bytes; `client` and `out` are valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_client_new(
    config: *const c_char,
    len: usize,
    client: *mut *mut cpaas_client,
    out: *mut cpaas_text,
) -> cpaas_status {
    if client.is_null() {
        return cpaas_status::CPAAS_BAD_ARGUMENT;
    }
    // SAFETY: not NULL, and the caller gives a place that can be written.
    unsafe { client.write(std::ptr::null_mut()) };
    // SAFETY: handed on from the caller.
    unsafe {
        answer(out, || {
            let config = utf8(config, len).map_err(bare)?;
            let opened =
                open(config).map_err(|error| (cpaas_status::CPAAS_INVALID, Some(error.to_json())))?;
            client.write(opened);
            Ok(None)
        })
    }
}

fn open(config: &str) -> Result<*mut cpaas_client, Error> {
    let config = Config::from_json(config)?.or(Config::from_env()?);
    let client = Client::new(&config)?;
    let ticket = NEXT.fetch_add(1, Ordering::Relaxed);
    let state = Arc::new(Open { client, running: Mutex::default(), idle: Condvar::new() });
    OPEN.write().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().insert(ticket, state);
    Ok(std::ptr::without_provenance_mut((ticket * STEP) as usize))
}

/// Frees a client. Calls in flight are cancelled, and their callbacks have run when this returns, so it
/// must not be called from a callback of the same client. NULL and a freed client are allowed.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_client_free(client: *mut cpaas_client) {
    let _ = guarded(|| {
        let ticket = client.addr() as u64 / STEP;
        let taken = OPEN
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .as_mut()
            .and_then(|open| open.remove(&ticket));
        if let Some(open) = taken {
            close(&open);
        }
    });
}

fn close(open: &Open) {
    let mut running = open.running.lock().unwrap_or_else(PoisonError::into_inner);
    for abort in running.values_mut().filter_map(Option::take) {
        abort.abort();
    }
    while !running.is_empty() {
        running = open.idle.wait(running).unwrap_or_else(PoisonError::into_inner);
    }
}

/// Ends the worker thread after the calls in flight, for at most five seconds. Free all clients first.
/// The next call starts the thread again. It must not be called from a callback.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_shutdown() {
    let _ = guarded(crate::runtime::stop);
}
