//! The state of the process: the runtime, the log functions, and the locks that must be free during a fork.

#[cfg(feature = "http")]
use crate::boundary::catch_panic;

#[cfg(feature = "http")]
pub(crate) mod callback;
#[cfg(unix)]
mod forks;
#[cfg(unix)]
#[cfg_attr(not(feature = "http"), allow(dead_code, reason = "asynchronous calls use it"))]
pub(crate) mod handoff;
#[cfg(feature = "http")]
pub(crate) mod log;
#[cfg(feature = "http")]
pub(crate) mod log_scope;
#[cfg(feature = "http")]
pub(crate) mod log_sink;
#[cfg(not(unix))]
#[cfg_attr(not(feature = "http"), allow(dead_code, reason = "asynchronous calls use it"))]
pub(crate) mod no_handoff;
pub(crate) mod program_function;
#[cfg(feature = "http")]
pub(crate) mod runtime;
#[cfg(feature = "http")]
mod signals;
#[cfg(feature = "http")]
pub(crate) mod store_threads;
#[cfg(feature = "http")]
pub(crate) mod thread_pool;

#[cfg(unix)]
pub(crate) use forks::handle_forks;
#[cfg(not(unix))]
pub(crate) use no_handoff as handoff;

/// Registers the handlers of `fork`, which this system does not have.
#[cfg(not(unix))]
pub(crate) const fn handle_forks() {}

/// Ends the threads of the library, for a program that unloads the library or counts its threads. Waits at most 5
/// seconds for callbacks and suppression functions that are running. Free all clients first: a call that runs on another thread may lose its
/// connection, which is `CPAAS_UNKNOWN`. The next call starts the threads again. Idempotent.
///
/// Must not be called from a callback, the log function or the suppression function; there it does nothing.
#[cfg(feature = "http")]
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_shutdown() {
    let _ = catch_panic(runtime::stop);
}
