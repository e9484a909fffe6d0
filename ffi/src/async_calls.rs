//! The asynchronous calls of a client, and the results that were not polled.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot::Sender;

use crate::boundary::Failure;
use crate::cpaas_status;
use crate::handles::bad_handle;
use crate::process::callback::CALLBACK_OF;
use crate::process::handoff::{Handoff, SharedHandoff};
use crate::process::program_function;
use crate::result_queue::ResultQueue;

/// How long a callback waits for the callbacks of a client that it frees. Callbacks that free each other's clients end within 5 seconds.
const WAIT_IN_CALLBACK: Duration = Duration::from_secs(4);

/// The asynchronous calls of a client.
pub(crate) struct AsyncCalls {
    /// The key of the client.
    key: u64,
    pub(crate) results: ResultQueue,
    running: Mutex<Running>,
    idle: Condvar,
    /// Joined by each callback that has returned, and published by the thread that waits for all of them.
    pub(crate) ended_callbacks: SharedHandoff,
}

/// An asynchronous call: the channel that cancels it, once, and the hand-over of its `user_data`.
pub(crate) struct RunningCall {
    pub(crate) cancel: Option<Sender<()>>,
    pub(crate) handoff: Arc<Handoff>,
}

/// The calls whose callback has not returned.
#[derive(Default)]
struct Running {
    phase: Phase,
    calls: BTreeMap<u64, RunningCall>,
}

/// Whether a client accepts asynchronous calls.
#[derive(Default, PartialEq)]
enum Phase {
    #[default]
    Open,
    Drained,
    Freed,
}

impl AsyncCalls {
    pub(crate) fn new(key: u64) -> Self {
        Self {
            key,
            results: ResultQueue::default(),
            running: Mutex::default(),
            idle: Condvar::new(),
            ended_callbacks: SharedHandoff::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a call before it starts.
    pub(crate) fn add(&self, number: u64, call: RunningCall) -> Result<(), Failure> {
        let mut running = self.lock();
        match running.phase {
            Phase::Open => {
                running.calls.insert(number, call);
                Ok(())
            }
            Phase::Drained => {
                Err(Failure::Argument(cpaas_status::CPAAS_BAD_HANDLE, "client", "must not be drained"))
            }
            Phase::Freed => Err(bad_handle("client")),
        }
    }

    /// Removes a call whose callback has returned.
    pub(crate) fn remove(&self, number: u64) {
        self.lock().calls.remove(&number);
        self.idle.notify_all();
    }

    pub(crate) fn cancel(&self, number: u64) {
        let cancel = self.lock().calls.get_mut(&number).and_then(RunningCall::take_cancel);
        if let Some((cancel, handoff)) = cancel {
            handoff.pass();
            let _ = cancel.send(());
        }
    }

    /// Refuses further calls, waits at most `timeout` for those that run, and cancels the rest. In a callback of this client, cancels
    /// them at once.
    pub(crate) fn drain(&self, timeout: Duration) {
        let mut running = self.lock();
        if running.phase == Phase::Open {
            running.phase = Phase::Drained;
        }
        if CALLBACK_OF.get() != self.key {
            let waited = self.idle.wait_timeout_while(running, timeout, is_running);
            (running, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        self.cancel_all(running);
    }

    pub(crate) fn close(&self) {
        let mut running = self.lock();
        running.phase = Phase::Freed;
        self.cancel_all(running);
    }

    /// Cancels every call. Waits for the callbacks, unless this thread runs one of them, or a log function or suppression function, whose
    /// call may be one of them. In a callback of another client, waits at most [`WAIT_IN_CALLBACK`]: a callback of this client may free that one.
    fn cancel_all(&self, mut running: MutexGuard<'_, Running>) {
        for (cancel, handoff) in running.calls.values_mut().filter_map(RunningCall::take_cancel) {
            handoff.pass();
            let _ = cancel.send(());
        }
        match CALLBACK_OF.get() {
            _ if program_function::running().is_some() => {}
            0 => drop(self.idle.wait_while(running, is_running)),
            key if key == self.key => {}
            _ => drop(self.idle.wait_timeout_while(running, WAIT_IN_CALLBACK, is_running)),
        }
        self.ended_callbacks.publish();
    }
}

impl RunningCall {
    /// What cancels the call, unless it was taken before.
    fn take_cancel(&mut self) -> Option<(Sender<()>, Arc<Handoff>)> {
        self.cancel.take().map(|cancel| (cancel, Arc::clone(&self.handoff)))
    }
}

/// Whether calls have not ended.
fn is_running(running: &mut Running) -> bool {
    !running.calls.is_empty()
}
