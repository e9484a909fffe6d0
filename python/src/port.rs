//! Where the answers of async calls come in: one queue for each event loop.
//!
//! Worker threads put answers into the queue and wake the loop through a file descriptor, once for a
//! batch; everything that touches the interpreter happens on the loop's own thread.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use cpaas::{Client, Error};
use pyo3::intern;
use pyo3::prelude::*;

use crate::client::finish;
use crate::event::{self, Hook, Seen};
use crate::plan::Plan;
use crate::request::Call;
use crate::response::Reply;
use crate::runtime::{self, Inside};
use crate::wake::Wake;

type Outcome = Result<Reply, Error>;

struct Arrived {
    key: u64,
    outcome: Outcome,
    seen: Option<Seen>,
}

/// Answers that have come, in order.
struct Queue {
    arrived: Mutex<Vec<Arrived>>,
    wake: Wake,
}

impl Queue {
    fn push(&self, arrived: Arrived) {
        let mut queue = lock(&self.arrived);
        let first = queue.is_empty();
        queue.push(arrived);
        drop(queue);
        if first {
            self.wake.set();
        }
    }

    /// What is known of a call whose answer has come.
    fn seen(&self, key: u64) -> Option<Seen> {
        lock(&self.arrived).iter_mut().find(|arrived| arrived.key == key)?.seen.take()
    }

    fn take(&self) -> Vec<Arrived> {
        self.wake.clear();
        std::mem::take(&mut *lock(&self.arrived))
    }
}

/// The request under way: the worker polls it, and the loop's thread may drop it.
type Request = Arc<Mutex<Option<Pin<Box<dyn Future<Output = Outcome> + Send>>>>>;

/// A call under way.
struct Waiting {
    future: Py<PyAny>,
    hook: Option<Hook>,
    plan: Option<&'static Plan>,
    keywords: bool,
    request: Request,
}

impl Waiting {
    /// Drops the request, on this thread, and says what is known of it; none when it had ended.
    fn abandon(&self) -> Option<Seen> {
        let request = lock(&self.request).take()?;
        drop(request);
        // The core tells nothing of a call that it never polled: that one did not begin.
        Some(event::take().unwrap_or_else(|| Seen::never_begun(self.plan.map_or("raw", |plan| plan.name))))
    }

    fn tell(&self, py: Python<'_>, seen: Option<&Seen>) {
        if let (Some(seen), Some(hook)) = (seen, &self.hook) {
            hook.tell(py, seen);
        }
    }
}

/// The calls of one event loop. Its methods run on the thread of that loop.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct Port {
    queue: Arc<Queue>,
    waiting: Mutex<(u64, HashMap<u64, Waiting>)>,
    pid: u32,
}

#[pymethods]
impl Port {
    #[new]
    fn new() -> PyResult<Self> {
        let queue = Queue { arrived: Mutex::default(), wake: Wake::new()? };
        Ok(Self { queue: Arc::new(queue), waiting: Mutex::default(), pid: std::process::id() })
    }

    /// The file descriptor that can be read when answers have come.
    fn fileno(&self) -> i32 {
        self.queue.wake.fileno()
    }

    /// The process that made it.
    #[getter]
    fn pid(&self) -> u32 {
        self.pid
    }

    /// Settles the futures whose answers have come.
    fn drain(&self, py: Python<'_>) -> PyResult<()> {
        for arrived in self.queue.take() {
            let Some(waiting) = lock(&self.waiting).1.remove(&arrived.key) else { continue };
            waiting.tell(py, arrived.seen.as_ref());
            settle(py, &waiting, arrived.outcome)?;
        }
        Ok(())
    }

    /// Gives up a call: its request is dropped. The exception gets a note of what is known.
    fn abandon(&self, py: Python<'_>, key: u64, error: &Bound<'_, PyAny>) {
        let Some(waiting) = lock(&self.waiting).1.remove(&key) else { return };
        // It may have ended, and its answer not have been fetched: the answer is lost, how it ended is not.
        let seen = waiting.abandon().or_else(|| self.queue.seen(key));
        waiting.tell(py, seen.as_ref());
        if let Some(seen) = seen {
            event::annotate(py, &PyErr::from_value(error.clone()), &seen.note());
        }
    }

    /// Waits until answers have come, for a loop that cannot watch a file descriptor.
    fn wait(&self, py: Python<'_>) {
        Inside::enter(py).outside(py, || self.queue.wake.wait());
    }
}

impl Port {
    /// Starts a call; its answer settles `future`.
    pub(crate) fn start(
        &self,
        py: Python<'_>,
        client: Client,
        call: Call,
        future: Py<PyAny>,
        hook: Option<Hook>,
    ) -> PyResult<u64> {
        let runtime = runtime::driven(py)?;
        let (plan, keywords) = (call.plan(), call.keywords());
        let request: Request = Arc::new(Mutex::new(Some(Box::pin(call.send(client)))));
        let mut waiting = lock(&self.waiting);
        waiting.0 += 1;
        let key = waiting.0;
        waiting.1.insert(key, Waiting { future, hook, plan, keywords, request: request.clone() });
        drop(waiting);
        drop(runtime.spawn(drive(key, request, self.queue.clone())));
        Ok(key)
    }
}

/// Runs on the worker thread: polls a request until it ends or is dropped.
async fn drive(key: u64, request: Request, queue: Arc<Queue>) {
    let ended = poll_fn(|context| {
        let mut request = lock(&request);
        let Some(future) = request.as_mut() else { return Poll::Ready(None) };
        let ended = future.as_mut().poll(context);
        if ended.is_ready() {
            *request = None;
        }
        ended.map(|outcome| Some(Arrived { key, outcome, seen: event::take() }))
    });
    if let Some(arrived) = ended.await {
        queue.push(arrived);
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        if self.pid == std::process::id() {
            for waiting in lock(&self.waiting).1.values() {
                let _ = waiting.abandon();
            }
        }
    }
}

fn settle(py: Python<'_>, waiting: &Waiting, outcome: Outcome) -> PyResult<()> {
    let future = waiting.future.bind(py);
    if future.call_method0(intern!(py, "done"))?.is_truthy()? {
        return Ok(());
    }
    match finish(py, waiting.plan, outcome, waiting.keywords) {
        Ok(value) => future.call_method1(intern!(py, "set_result"), (value,))?,
        Err(error) => future.call_method1(intern!(py, "set_exception"), (error.value(py),))?,
    };
    Ok(())
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
