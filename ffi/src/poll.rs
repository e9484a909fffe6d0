use std::collections::VecDeque;
use std::ffi::c_void;
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::boundary::catch_panic;
use crate::client::cpaas_client;
use crate::handles::find;
use crate::limits::CallPermit;
use crate::{cpaas_status, cpaas_text};

/// The result of a call that `cpaas_call_start` started. The size of this struct never changes.
#[repr(C)]
#[derive(Debug)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_result {
    /// The number of the call.
    pub call: u64,
    /// The `user_data` of the call.
    pub user_data: *mut c_void,
    /// The result or the error record as JSON, or `{NULL, 0}`. Free it with `cpaas_text_free`.
    pub text: cpaas_text,
    /// The outcome, as `cpaas_call` returns it.
    pub status: cpaas_status,
    /// 0.
    pub reserved: u32,
}

/// Writes the results of ended calls to `results`, at most `n`, and returns their number. Does not block: 0 means that no
/// result is available, also for an invalid handle. Each call of `cpaas_call_start` has exactly one result, also after
/// `cpaas_cancel`; results that were not polled are freed with the client.
///
/// Thread-safe: each result is returned once.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_poll(
    client: *const cpaas_client,
    results: *mut cpaas_result,
    n: usize,
) -> usize {
    catch_panic(|| {
        let Some(open) = find(client).ok().filter(|_| !results.is_null()) else { return 0 };
        let pending = open.results.take(n);
        let count = pending.len();
        for (index, result) in pending.into_iter().enumerate() {
            // SAFETY: the caller passes an array of `n` elements, and at most `n` results were taken.
            unsafe { results.add(index).write(result.into_c()) };
        }
        count
    })
    .unwrap_or_default()
}

/// Returns a file descriptor that is readable while `cpaas_poll` has results, for `poll`, `epoll` and event libraries, or
/// -1 for an invalid handle or without a free descriptor. The descriptor belongs to the client: do not read or close it.
/// The child of a fork must call this function again.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_event_fd(client: *const cpaas_client) -> i32 {
    catch_panic(|| find(client).ok().and_then(|open| open.results.descriptor())).ok().flatten().unwrap_or(-1)
}

/// A result that was not polled.
pub(crate) struct PendingResult {
    pub(crate) call: u64,
    pub(crate) user_data: *mut c_void,
    pub(crate) status: cpaas_status,
    pub(crate) text: Option<String>,
    /// The call counts until its result is polled.
    pub(crate) _permit: CallPermit,
}

// SAFETY: the caller of `cpaas_call_start` agrees that `user_data` is returned on another thread.
unsafe impl Send for PendingResult {}

impl PendingResult {
    fn into_c(self) -> cpaas_result {
        cpaas_result {
            call: self.call,
            user_data: self.user_data,
            text: self.text.map_or(cpaas_text::NONE, cpaas_text::new),
            status: self.status,
            reserved: 0,
        }
    }
}

/// The results of a client that were not polled.
#[derive(Default)]
pub(crate) struct ResultQueue(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    results: VecDeque<PendingResult>,
    /// The descriptor for the program, and the one that makes it readable. One byte is in between while there are results.
    signal: Option<(UnixStream, UnixStream)>,
}

impl ResultQueue {
    pub(crate) fn push(&self, result: PendingResult) {
        let mut queue = self.lock();
        queue.results.push_back(result);
        if queue.results.len() == 1 {
            queue.set_readable();
        }
    }

    fn take(&self, max: usize) -> Vec<PendingResult> {
        let mut queue = self.lock();
        let count = queue.results.len().min(max);
        let taken: Vec<_> = queue.results.drain(..count).collect();
        if count > 0 && queue.results.is_empty() {
            queue.set_unreadable();
        }
        taken
    }

    fn descriptor(&self) -> Option<i32> {
        let mut queue = self.lock();
        if queue.signal.is_none() {
            let (program, library) = UnixStream::pair().ok()?;
            program.set_nonblocking(true).ok()?;
            library.set_nonblocking(true).ok()?;
            queue.signal = Some((program, library));
            if !queue.results.is_empty() {
                queue.set_readable();
            }
        }
        queue.signal.as_ref().map(|(program, _)| program.as_raw_fd())
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn set_readable(&self) {
        if let Some((_, library)) = &self.signal {
            let _ = (&*library).write(&[1]);
        }
    }

    fn set_unreadable(&self) {
        if let Some((program, _)) = &self.signal {
            let _ = (&*program).read(&mut [0; 8]);
        }
    }
}
