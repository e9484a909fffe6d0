//! The results of async calls: one queue for each event loop.
//!
//! The thread that polls a call pushes the result and wakes the loop through a file descriptor, once for a batch of results.
//! Only the thread of the loop creates the Python results.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use cpaas::Client;
use pyo3::intern;
use pyo3::prelude::*;

use crate::argument_errors;
use crate::call_result::{self, CallEnded};
use crate::event::{self, Hook, OwnedEvent};
use crate::http_reports::{HttpReport, HttpReports};
use crate::metadata::Metadata;
use crate::request::Call;
use crate::runtime::{self, InterpreterGuard};
use crate::wakeup_fd::WakeupFd;

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

/// The part that other threads share: messages in the order in which they arrived.
struct Queue {
    messages: Mutex<Vec<Message>>,
    wakeup: WakeupFd,
}

impl Queue {
    fn push(&self, message: Message) {
        let mut queue = lock(&self.messages);
        let first = queue.is_empty();
        queue.push(message);
        drop(queue);
        if first {
            self.wakeup.set();
        }
    }

    /// Removes and returns the event of a call that has ended, but whose result is still in the queue.
    fn take_event(&self, key: u64) -> Option<OwnedEvent> {
        lock(&self.messages).iter_mut().find_map(|message| match message {
            Message::Ended(completion) if completion.key == key => completion.event.take(),
            _ => None,
        })
    }

    /// Removes and returns the HTTP reports of a call.
    fn take_reports(&self, key: u64) -> Vec<HttpReport> {
        let mut messages = lock(&self.messages);
        let (reports, others): (Vec<_>, Vec<_>) =
            messages.drain(..).partition(|message| matches!(message, Message::Http(of, _) if *of == key));
        *messages = others;
        let report = |message| if let Message::Http(_, report) = message { Some(report) } else { None };
        reports.into_iter().filter_map(report).collect()
    }

    fn take_all(&self) -> Vec<Message> {
        self.wakeup.clear();
        std::mem::take(&mut *lock(&self.messages))
    }
}

/// A running request. A thread of the runtime polls it; the thread of the loop may drop it.
type Request = Arc<Mutex<Option<Pin<Box<dyn Future<Output = CallEnded> + Send>>>>>;

/// A call that has not ended.
struct PendingCall {
    future: Py<PyAny>,
    hook: Option<Hook>,
    metadata: Option<&'static Metadata>,
    keywords: bool,
    request: Request,
}

impl PendingCall {
    /// Drops the request on this thread. Returns its event, or `None` if the request had ended.
    fn abandon(&self) -> Option<OwnedEvent> {
        let request = lock(&self.request).take()?;
        drop(request);
        // The core reports no event for a call that it never polled.
        Some(event::take().unwrap_or_else(|| {
            OwnedEvent::not_started(self.metadata.map_or("raw", |metadata| metadata.name))
        }))
    }

    fn notify(&self, py: Python<'_>, event: Option<&OwnedEvent>) {
        if let (Some(event), Some(hook)) = (event, &self.hook) {
            hook.notify(py, event);
        }
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
    fn new() -> PyResult<Self> {
        let queue = Queue { messages: Mutex::default(), wakeup: WakeupFd::new()? };
        Ok(Self { queue: Arc::new(queue), pending: Mutex::default(), pid: std::process::id() })
    }

    /// The file descriptor that is readable while results are in the queue.
    fn fileno(&self) -> i32 {
        self.queue.wakeup.fileno()
    }

    /// The process that created the queue.
    #[getter]
    fn pid(&self) -> u32 {
        self.pid
    }

    /// Settles the futures of all calls that have ended.
    fn drain(&self, py: Python<'_>) -> PyResult<()> {
        for message in self.queue.take_all() {
            match message {
                Message::Http(key, report) => {
                    if let Some(hook) = self.hook(py, key) {
                        hook.report(py, &report);
                    }
                }
                Message::Ended(completion) => {
                    let Some(call) = lock(&self.pending).1.remove(&completion.key) else { continue };
                    call.notify(py, completion.event.as_ref());
                    settle(py, &call, completion.outcome)?;
                }
            }
        }
        Ok(())
    }

    /// Abandons a call: drops its request, and adds a note about its outcome to the exception. Returns whether it was sent:
    /// "no", "maybe" or "accepted".
    fn abandon(&self, py: Python<'_>, key: u64, error: &Bound<'_, PyAny>) -> &'static str {
        let Some(call) = lock(&self.pending).1.remove(&key) else { return "maybe" };
        // The call may have ended before its result was fetched: then its event is in the queue.
        let event = call.abandon().or_else(|| self.queue.take_event(key));
        if let Some(hook) = call.hook.as_ref().filter(|hook| hook.has_reporter()) {
            for report in self.queue.take_reports(key) {
                hook.report(py, &report);
            }
        }
        call.notify(py, event.as_ref());
        let Some(event) = event else { return "maybe" };
        event::add_note(py, &PyErr::from_value(error.clone()), &event.note());
        event.sent_or_accepted()
    }

    /// Blocks until results are in the queue, for a loop that cannot watch a file descriptor.
    fn wait(&self, py: Python<'_>) {
        InterpreterGuard::enter(py).detach(py, || self.queue.wakeup.wait());
    }
}

impl CompletionQueue {
    /// The hook of a call that has not ended. It is cloned, because it must be called without the lock: it may start other calls.
    fn hook(&self, py: Python<'_>, key: u64) -> Option<Hook> {
        lock(&self.pending).1.get(&key)?.hook.as_ref().map(|hook| hook.clone_ref(py))
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
        let (metadata, keywords) = (call.metadata(), call.keywords());
        let runtime = runtime::with_worker(py).map_err(|error| {
            argument_errors::resource_missing(py, metadata.map_or("", |metadata| metadata.name), error)
        })?;
        let reports = hook.as_ref().filter(|hook| hook.has_reporter()).map(|_| HttpReports::default());
        let client = match &reports {
            Some(reports) => reports.attach(client),
            None => client,
        };
        let request: Request = Arc::new(Mutex::new(Some(Box::pin(call.send(client)))));
        let mut pending = lock(&self.pending);
        pending.0 += 1;
        let key = pending.0;
        pending.1.insert(key, PendingCall { future, hook, metadata, keywords, request: request.clone() });
        drop(pending);
        drop(runtime.spawn(run(key, request, reports, self.queue.clone())));
        Ok(key)
    }
}

/// Polls a request until it ends or is dropped.
async fn run(key: u64, request: Request, reports: Option<HttpReports>, queue: Arc<Queue>) {
    let ended = poll_fn(|context| {
        let mut request = lock(&request);
        let Some(future) = request.as_mut() else { return Poll::Ready(None) };
        let ended = future.as_mut().poll(context);
        for report in reports.as_ref().map(HttpReports::take).unwrap_or_default() {
            queue.push(Message::Http(key, report));
        }
        if ended.is_ready() {
            *request = None;
        }
        ended.map(|outcome| Some(Completion { key, outcome, event: event::take() }))
    });
    if let Some(completion) = ended.await {
        queue.push(Message::Ended(completion));
    }
}

impl Drop for CompletionQueue {
    fn drop(&mut self) {
        if self.pid == std::process::id() {
            for call in lock(&self.pending).1.values() {
                let _ = call.abandon();
            }
        }
    }
}

fn settle(py: Python<'_>, call: &PendingCall, outcome: CallEnded) -> PyResult<()> {
    let future = call.future.bind(py);
    if future.call_method0(intern!(py, "done"))?.is_truthy()? {
        return Ok(());
    }
    match call_result::to_python(py, call.metadata, outcome, call.keywords) {
        Ok(value) => future.call_method1(intern!(py, "set_result"), (value,))?,
        Err(error) => future.call_method1(intern!(py, "set_exception"), (error.value(py),))?,
    };
    Ok(())
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
