//! The limits of the process, and the count of its asynchronous calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::boundary::{Failure, NOT_NULL, read_sized, return_status};
use crate::cpaas_status;

/// The default of `max_calls`.
pub const CPAAS_DEFAULT_MAX_CALLS: u32 = 16_384;
/// The default of `max_callback_threads`.
pub const CPAAS_DEFAULT_MAX_CALLBACK_THREADS: u32 = 32;

/// The limits of the process. Zero the struct, then set `size` to `sizeof(cpaas_limits)` and the limits you need; 0 is
/// the default.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_limits {
    /// The size of this struct, in bytes.
    pub size: usize,
    /// At most this many asynchronous calls whose callback has not returned, or whose result was not polled; 16,384 by
    /// default. A further call is `CPAAS_TOO_MANY_CALLS`.
    pub max_calls: u32,
    /// At most this many threads that run callbacks; 32 by default. Further callbacks wait for a thread.
    pub max_callback_threads: u32,
}

static MAX_CALLS: AtomicU32 = AtomicU32::new(CPAAS_DEFAULT_MAX_CALLS);
static MAX_CALLBACK_THREADS: AtomicU32 = AtomicU32::new(CPAAS_DEFAULT_MAX_CALLBACK_THREADS);

/// Sets the limits of the process, for calls that start afterwards. Until it is called, the defaults apply.
///
/// Errors: `CPAAS_BAD_ARGUMENT`.
///
/// Thread-safe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_set_limits(limits: *const cpaas_limits) -> cpaas_status {
    return_status(|| {
        if limits.is_null() {
            return Err(Failure::bad_argument("limits", NOT_NULL));
        }
        // SAFETY: not NULL, and the caller passes a struct whose first member is its size.
        let given = unsafe { read_sized(limits, "limits") }?;
        let or = |value: u32, default: u32| if value == 0 { default } else { value };
        MAX_CALLS.store(or(given.max_calls, CPAAS_DEFAULT_MAX_CALLS), Ordering::Relaxed);
        let threads = or(given.max_callback_threads, CPAAS_DEFAULT_MAX_CALLBACK_THREADS);
        MAX_CALLBACK_THREADS.store(threads, Ordering::Relaxed);
        Ok(())
    })
}

pub(crate) fn max_callback_threads() -> usize {
    MAX_CALLBACK_THREADS.load(Ordering::Relaxed) as usize
}

/// The number of calls of a process that have not ended.
#[derive(Default)]
pub(crate) struct CallCount(AtomicU32);

/// The permit of one call, which counts the call until the permit is dropped.
pub(crate) struct CallPermit(Arc<CallCount>);

impl CallPermit {
    pub(crate) fn acquire(count: &Arc<CallCount>) -> Result<Self, Failure> {
        let max = MAX_CALLS.load(Ordering::Relaxed);
        let added = count.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, |calls| {
            (calls < max).then_some(calls.saturating_add(1))
        });
        added.map(|_| Self(Arc::clone(count))).map_err(|_| cpaas_status::CPAAS_TOO_MANY_CALLS.into())
    }
}

impl Drop for CallPermit {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::AcqRel);
    }
}
