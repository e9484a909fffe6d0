//! The results of a client that were not polled.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cpaas_status;
use crate::limits::CallPermit;
use crate::process::handoff::Handoff;
use crate::socket_pair::{Socket, descriptor_of, socket_pair};

/// A result that was not polled.
pub(crate) struct PendingResult {
    pub(crate) call: u64,
    pub(crate) user_data: *mut c_void,
    pub(crate) status: cpaas_status,
    pub(crate) text: Option<String>,
    /// Passed by the thread that polls the result.
    pub(crate) handoff: Arc<Handoff>,
    /// Counts the call until its result is polled.
    pub(crate) _permit: CallPermit,
}

// SAFETY: the caller of `cpaas_call_start` agrees that `user_data` is returned on another thread.
unsafe impl Send for PendingResult {}

/// An empty queue keeps memory for this many results.
const KEPT_CAPACITY: usize = 1024;

/// The results of a client that were not polled.
#[derive(Default)]
pub(crate) struct ResultQueue(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    results: VecDeque<PendingResult>,
    /// A connected pair: the program polls the first socket, and the library writes to the second. While there are results,
    /// one byte is unread, so that the first socket is readable.
    signal: Option<(Socket, Socket)>,
}

impl ResultQueue {
    pub(crate) fn push(&self, result: PendingResult) {
        let mut queue = self.lock();
        queue.results.push_back(result);
        if queue.results.len() == 1 {
            queue.set_readable();
        }
    }

    pub(crate) fn take(&self, max: usize) -> Vec<PendingResult> {
        let mut queue = self.lock();
        let count = queue.results.len().min(max);
        let taken: Vec<_> = queue.results.drain(..count).collect();
        if count > 0 && queue.results.is_empty() {
            queue.set_unreadable();
            queue.results.shrink_to(KEPT_CAPACITY);
        }
        taken
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lock().results.is_empty()
    }

    pub(crate) fn descriptor(&self) -> Option<i32> {
        let mut queue = self.lock();
        if queue.signal.is_none() {
            let (program, library) = socket_pair().ok()?;
            program.set_nonblocking(true).ok()?;
            library.set_nonblocking(true).ok()?;
            queue.signal = Some((program, library));
            if !queue.results.is_empty() {
                queue.set_readable();
            }
        }
        queue.signal.as_ref().and_then(|(program, _)| descriptor_of(program))
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
