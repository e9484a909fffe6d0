//! The results of async calls: one queue for each event loop.
//!
//! The thread that polls a call pushes the result and wakes the loop, once for a batch of results: through a file descriptor, or through
//! a thread of Python for a loop that cannot watch one. Only the thread of the loop creates the Python results.

use std::collections::{HashMap, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use cpaas::Client;
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;

use crate::argument_errors;
use crate::call::{self, Call};
use crate::call_result::{self, CallEnded};
use crate::event::{self, OwnedEvent};
use crate::hook::Hook;
use crate::http_reports::{HttpReport, HttpReports};
use crate::interrupt::Interrupt;
use crate::metadata::Metadata;
use crate::observed_call::ObservedCall;
use crate::runtime::{self, InterpreterGuard};
use crate::wakeup::Wakeup;

struct Completion {
    key: u64,
    outcome: CallEnded,
    event: Option<OwnedEvent>,
}

/// A message about a call from the thread that polls it.
enum Message {
    /// A request or a response.
    Http(u64, HttpReport),
    /// The end of the call.
    Ended(Completion),
}

impl Message {
    const fn key(&self) -> u64 {
        match self {
            Self::Http(key, _) => *key,
            Self::Ended(completion) => completion.key,
        }
    }
}

/// The part that other threads share: messages in the order in which they arrived.
#[derive(Default)]
struct Queue {
    messages: Mutex<VecDeque<Message>>,
    wakeup: Wakeup,
}

impl Queue {
    fn push(&self, message: Message) {
        let mut queue = lock(&self.messages);
        let first = queue.is_empty();
        queue.push_back(message);
        drop(queue);
        if first {
            self.wakeup.set();
        }
    }

    /// Removes and returns the messages about a call.
    fn take(&self, key: u64) -> VecDeque<Message> {
        let mut messages = lock(&self.messages);
        let (taken, others) = messages.drain(..).partition(|message| message.key() == key);
        *messages = others;
        taken
    }

    /// Removes and returns the oldest message. It removes one at a time, because a hook may abandon the call of another message.
    fn pop(&self) -> Option<Message> {
        lock(&self.messages).pop_front()
    }
}

/// A running request. A thread of the runtime polls it; the thread of the loop may drop it.
type Request = Arc<Mutex<Option<ObservedCall>>>;

/// A call that has not ended.
struct PendingCall {
    future: Py<PyAny>,
    hook: Option<Hook>,
    metadata: Option<&'static Metadata>,
    is_method_call: bool,
    /// The request of an operation, as JSON.
    text: Option<Arc<String>>,
    request: Request,
    /// Its reports that are not in the queue.
    reports: Option<HttpReports>,
    /// Set if the call ended after its task was cancelled.
    ended: Option<Ended>,
}

/// The end of a call whose task was cancelled.
struct Ended {
    event: Option<OwnedEvent>,
    /// Whether the hooks of the outcome were called.
    is_notified: bool,
}

impl PendingCall {
    fn is_cancelled(&self, py: Python<'_>) -> PyResult<bool> {
        self.future.bind(py).call_method0(intern!(py, "done"))?.is_truthy()
    }

    /// Drops the request on this thread. Returns its event, or `None` if the request had ended.
    fn abandon(&self) -> Option<OwnedEvent> {
        let request = lock(&self.request).take()?;
        // The core reports no event for a call that it never polled.
        Some(request.end().unwrap_or_else(|| {
            let reference = self.text.as_ref().and_then(|text| call::reference(text));
            OwnedEvent::not_started(call::name(self.metadata), reference)
        }))
    }

    fn notify(&self, py: Python<'_>, event: Option<&OwnedEvent>, interrupt: &mut Interrupt) {
        if let (Some(event), Some(hook)) = (event, &self.hook) {
            hook.notify(py, event, interrupt);
        }
    }
}

/// The result of a call in its future. The task takes it, or is cancelled before that.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct CallOutcome {
    result: Mutex<Option<PyResult<Py<PyAny>>>>,
    event: Option<OwnedEvent>,
}

#[pymethods]
impl CallOutcome {
    /// Returns the result, or raises the exception.
    fn take(&self) -> PyResult<Py<PyAny>> {
        let result = lock(&self.result).take();
        result.unwrap_or_else(|| Err(PyRuntimeError::new_err("the result was taken already")))
    }
}

/// The calls of one event loop. Its methods run on the thread of that loop.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct CompletionQueue {
    queue: Arc<Queue>,
    /// The last key, and the calls by their keys.
    pending: Mutex<(u64, HashMap<u64, PendingCall>)>,
    pid: u32,
}

#[pymethods]
impl CompletionQueue {
    #[new]
    fn new() -> Self {
        Self { queue: Arc::default(), pending: Mutex::default(), pid: std::process::id() }
    }

    /// Opens the file descriptor that is readable while results are in the queue. Returns None on a system whose loops cannot watch one.
    fn fileno(&self) -> PyResult<Option<i32>> {
        Ok(self.queue.wakeup.fileno()?)
    }

    /// The part on which a thread waits for results. It does not keep the queue alive.
    fn waiter(&self) -> CompletionWaiter {
        CompletionWaiter(self.queue.clone())
    }

    /// The process that created the queue.
    #[getter]
    fn pid(&self) -> u32 {
        self.pid
    }

    /// Settles the futures of all calls that have ended. An exception that interrupts the program is raised after that.
    fn drain(&self, py: Python<'_>) -> PyResult<()> {
        self.queue.wakeup.clear();
        let mut interrupt = Interrupt::default();
        while let Some(message) = self.queue.pop() {
            match message {
                Message::Http(key, report) => {
                    if let Some(hook) = self.hook(py, key) {
                        hook.report(py, report, &mut interrupt);
                    }
                }
                Message::Ended(completion) => {
                    if let Err(error) = self.end(py, completion, &mut interrupt) {
                        interrupt.keep(error);
                    }
                }
            }
        }
        interrupt.take().map_or(Ok(()), Err)
    }

    /// Abandons a call: drops its request, and adds a note about its outcome to the exception. Returns whether it was sent:
    /// "no", "maybe" or "accepted".
    fn abandon(
        &self,
        py: Python<'_>,
        key: u64,
        future: &Bound<'_, PyAny>,
        error: &Bound<'_, PyAny>,
    ) -> PyResult<&'static str> {
        let mut interrupt = Interrupt::default();
        let call = lock(&self.pending).1.remove(&key);
        let (note, sent) = match call {
            Some(call) => {
                let event = self.end_abandoned(py, key, call, &mut interrupt);
                event.map(|event| (event.note(), event.sent_or_accepted()))
            }
            // The future has the result, which the task did not take.
            None => future.call_method0(intern!(py, "result")).ok().and_then(|outcome| {
                let outcome = outcome.cast::<CallOutcome>().ok()?.get();
                outcome.event.as_ref().map(|event| (event.note(), event.sent_or_accepted()))
            }),
        }
        .unzip();
        if let Some(note) = note {
            event::add_note(py, &PyErr::from_value(error.clone()), &note);
        }
        interrupt.take().map_or(Ok(sent.unwrap_or("maybe")), Err)
    }
}

/// Waits for the results of a queue, for a loop that cannot watch a file descriptor.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct CompletionWaiter(Arc<Queue>);

#[pymethods]
impl CompletionWaiter {
    /// Blocks until results arrive. Returns False after the queue was dropped.
    fn wait(&self, py: Python<'_>) -> bool {
        InterpreterGuard::enter(py).detach(py, || self.0.wakeup.wait())
    }
}

impl CompletionQueue {
    /// The hook of a call that has not ended. It is cloned, because it must be called without the lock: it may start other calls.
    fn hook(&self, py: Python<'_>, key: u64) -> Option<Hook> {
        lock(&self.pending).1.get(&key)?.hook.as_ref().map(|hook| hook.clone_ref(py))
    }

    /// Calls the hooks of a call that has ended, and settles its future.
    fn end(&self, py: Python<'_>, completion: Completion, interrupt: &mut Interrupt) -> PyResult<()> {
        let Completion { key, outcome, event } = completion;
        let Some(mut call) = lock(&self.pending).1.remove(&key) else { return Ok(()) };
        let is_notified = !call.is_cancelled(py)?;
        if is_notified {
            call.notify(py, event.as_ref(), interrupt);
        }
        // A hook may have cancelled the task.
        if !call.is_cancelled(py)? {
            return settle(py, &call, outcome, event);
        }
        call.ended = Some(Ended { event, is_notified });
        lock(&self.pending).1.insert(key, call);
        Ok(())
    }

    /// Ends a call whose task was cancelled: drops its request, and calls the hooks that were not called yet.
    fn end_abandoned(
        &self,
        py: Python<'_>,
        key: u64,
        mut call: PendingCall,
        interrupt: &mut Interrupt,
    ) -> Option<OwnedEvent> {
        let mut ended =
            call.ended.take().unwrap_or_else(|| Ended { event: call.abandon(), is_notified: false });
        for message in self.queue.take(key) {
            match message {
                Message::Ended(completion) => ended.event = completion.event,
                Message::Http(_, report) => {
                    if let Some(hook) = &call.hook {
                        hook.report(py, report, interrupt);
                    }
                }
            }
        }
        if let (Some(reports), Some(hook)) = (&call.reports, &call.hook) {
            for report in reports.take() {
                hook.report(py, report, interrupt);
            }
        }
        if !ended.is_notified {
            call.notify(py, ended.event.as_ref(), interrupt);
        }
        ended.event
    }

    /// Starts a call whose result settles `future`. Returns its key.
    pub(crate) fn start(
        &self,
        py: Python<'_>,
        client: Client,
        call: Call,
        future: Py<PyAny>,
        hook: Option<Hook>,
    ) -> PyResult<u64> {
        let (metadata, is_method_call, text) = (call.metadata(), call.is_method_call(), call.request());
        let runtime = runtime::with_worker(py).map_err(|error| {
            argument_errors::resource_missing(py, metadata.map_or("", |metadata| metadata.name), error)
        })?;
        let reporter = hook.as_ref().filter(|hook| hook.needs().any());
        let (client, reports) = match reporter.map(|hook| (hook, HttpReports::default())) {
            Some((hook, reports)) => (reports.attach(client, hook.needs()), Some(reports)),
            None => (client, None),
        };
        let request: Request = Arc::new(Mutex::new(Some(ObservedCall::new(call.send(client)))));
        let mut pending = lock(&self.pending);
        pending.0 += 1;
        let key = pending.0;
        pending.1.insert(
            key,
            PendingCall {
                future,
                hook,
                metadata,
                is_method_call,
                text,
                request: request.clone(),
                reports: reports.clone(),
                ended: None,
            },
        );
        drop(pending);
        drop(runtime.spawn(run(key, request, reports, self.queue.clone())));
        Ok(key)
    }
}

/// Polls a request until it ends or is dropped.
async fn run(key: u64, request: Request, reports: Option<HttpReports>, queue: Arc<Queue>) {
    poll_fn(|context| {
        let mut request = lock(&request);
        let Some(future) = request.as_mut() else { return Poll::Ready(()) };
        if let Some(reports) = &reports {
            reports.wake_at_next(context);
        }
        let ended = Pin::new(future).poll(context);
        for report in reports.as_ref().map(HttpReports::take).unwrap_or_default() {
            queue.push(Message::Http(key, report));
        }
        // In the queue before the lock is released, so that a task that abandons the call finds its end.
        ended.map(|outcome| {
            let event = request.take().and_then(ObservedCall::end);
            queue.push(Message::Ended(Completion { key, outcome, event }));
        })
    })
    .await;
}

impl Drop for CompletionQueue {
    fn drop(&mut self) {
        if self.pid == std::process::id() {
            for call in lock(&self.pending).1.values() {
                let _ = call.abandon();
            }
            self.queue.wakeup.close();
        }
    }
}

fn settle(py: Python<'_>, call: &PendingCall, outcome: CallEnded, event: Option<OwnedEvent>) -> PyResult<()> {
    let result = call_result::to_python(py, call.metadata, outcome, call.is_method_call).map(Bound::unbind);
    let outcome = CallOutcome { result: Mutex::new(Some(result)), event };
    call.future.call_method1(py, intern!(py, "set_result"), (outcome,)).map(drop)
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
