//! The log of one client.

use std::ffi::c_void;

use crate::boundary::{Failure, return_status};
use crate::client_table::find;
use crate::cpaas_status;
use crate::handles::{cpaas_client, key};
use crate::process::log::{cpaas_log, sink, subscribe};
use crate::process::log_sink::set_of_client;

/// Sets the log function of a client; NULL, the initial value, turns its log off. The function receives the lines of this client's calls
/// only: also of those that run now, of asynchronous calls, and of calls that are cancelled or freed. The function of
/// `cpaas_log_callback` receives these lines too, and alone those of no call, such as that of a misspelled environment variable. `level`
/// is the most detailed level that is logged, whatever the level of `cpaas_log_callback` is.
///
/// After the return, the previous function is not running and will not be called again. After `cpaas_client_free` returns, no log
/// function of the client is running or will be called.
///
/// Errors: `CPAAS_BAD_ARGUMENT` for an unknown level, and for a call from a log function or the suppression function;
/// `CPAAS_BAD_HANDLE`.
///
/// Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_client_log(
    client: *const cpaas_client,
    log: cpaas_log,
    user_data: *mut c_void,
    level: u32,
) -> cpaas_status {
    return_status(|| {
        let key = find(client)?.key;
        let sink = sink(log, user_data, level)?;
        subscribe();
        set_of_client(key, sink);
        // Another thread may have freed the client before its function was set.
        find(client).map(drop).inspect_err(|_| set_of_client(key, None))
    })
}

/// Turns off the log of a client that was freed.
pub(crate) fn remove(client: *const cpaas_client) -> Result<(), Failure> {
    set_of_client(key(client, "client")?, None);
    Ok(())
}
