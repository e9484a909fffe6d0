//! The stores that a client consults before it sends: suppressed numbers, and the guard against pumping.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use cpaas_core::error::Error;
use cpaas_core::guard::{Guard, GuardSettings};

use crate::boundary::{Failure, return_status, utf8, write_output};
use crate::client_table::{change_stores, find};
use crate::handles::cpaas_client;
use crate::program_store::ProgramStore;
use crate::{cpaas_status, cpaas_text};

/// Returns 1 if the number gets no SMS, 0 if it does, and any other value if that is not known. `number` is the number in the form that
/// is sent, digits with the country code, `len` bytes and a NUL after them, valid during the call only.
///
/// The library calls the function on threads that do nothing else, at most 64 at a time. It may block; after five seconds, or at the
/// deadline of the call, the call ends without it. While 64 are running, further calls wait, which counts toward the five seconds. It
/// must not throw or longjmp, and must not call this library: there, functions that make or start calls, drain a client or set a log are
/// `CPAAS_BAD_ARGUMENT`. For an exchange, it runs on the thread that calls the library, which waits for it.
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub type cpaas_suppression =
    Option<unsafe extern "C" fn(user_data: *mut c_void, number: *const c_char, len: usize) -> i32>;

/// Sets the store of numbers that get no SMS, a function of the program; NULL, the initial value, removes it. Calls that begin afterwards
/// consult it before their first attempt: `sms.send`, `sms.send_bulk`, and `messages.*` with the channel `sms`. If a recipient is
/// suppressed, the call is `CPAAS_INVALID` with the problem `suppressed`, and nothing is sent, to nobody. If the function returns
/// another value than 0 or 1, or does not return in time, the problem is `suppression.unavailable`. Passcodes are sent.
///
/// `user_data` is passed to the function. Both must stay valid until the process ends, because a call that has ended may leave the
/// function running. After a fork the child uses them too.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`.
///
/// Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_client_suppression(
    client: *const cpaas_client,
    is_suppressed: cpaas_suppression,
    user_data: *mut c_void,
) -> cpaas_status {
    return_status(|| {
        let store = is_suppressed.map(|function| {
            let store = ProgramStore::new(function, user_data);
            store.publish();
            Arc::new(store)
        });
        change_stores(client, |client, stores| {
            stores.suppression = store;
            Ok(stores.apply_suppression(client))
        })
    })
}

/// Sets a guard against pumping: it refuses passcodes that look like fraud. `settings` is a JSON object of `len` bytes; `{}` has the
/// defaults, which docs/c.md lists. NULL with length 0, the initial value, removes the guard. A call that it refuses is
/// `CPAAS_INVALID` with a problem `guard.…`, and nothing is sent. The guard counts in memory: for this client and this process, and
/// after a fork the child begins to count anew.
///
/// `out`, not NULL, receives the error record.
///
/// Errors: `CPAAS_INVALID` with an error record for an unknown setting or an invalid value, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`,
/// `CPAAS_BAD_HANDLE`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_client_guard(
    client: *const cpaas_client,
    settings: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            find(client)?;
            let settings = match settings.is_null() && len == 0 {
                true => None,
                false => Some(guard_settings(utf8(settings, len, "settings")?).map_err(invalid)?),
            };
            change_stores(client, |client, stores| {
                stores.guard = settings;
                stores.apply_guard(client)
            })?;
            Ok(None)
        })
    }
}

fn invalid(error: Error) -> Failure {
    Failure::Output(cpaas_status::CPAAS_INVALID, Some(error.to_json()))
}

/// Settings that a guard accepts.
fn guard_settings(json: &str) -> Result<GuardSettings, Error> {
    let given: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
    if given.get("store").is_some() {
        let text = "`store` requires a store in a database, which the C library does not contain; its guard counts in memory";
        return Err(Error::config(text));
    }
    let settings = GuardSettings::from_json(json)?;
    Guard::new(settings.clone())?;
    Ok(settings)
}
