//! Where the answers of async calls come in: one queue for each event loop.
//!
//! Worker threads put answers into the queue and wake the loop through a file descriptor, once for a
//! batch; everything that touches the interpreter happens on the loop's own thread.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cpaas::client::Answer;
use cpaas::{Client, Error};
use pyo3::intern;
use pyo3::prelude::*;
use tokio::task::AbortHandle;

use crate::client::finish;
use crate::plan::Plan;
use crate::runtime;
use crate::wake::Wake;

type Outcome = Result<Answer<String>, Error>;

/// Answers that have come, in order.
struct Queue {
    arrived: Mutex<Vec<(u64, Outcome)>>,
    wake: Wake,
}

impl Queue {
    fn push(&self, key: u64, outcome: Outcome) {
        let mut arrived = lock(&self.arrived);
        let first = arrived.is_empty();
        arrived.push((key, outcome));
        drop(arrived);
        if first {
            self.wake.set();
        }
    }

    fn take(&self) -> Vec<(u64, Outcome)> {
        self.wake.clear();
        std::mem::take(&mut *lock(&self.arrived))
    }
}

/// A call under way.
struct Waiting {
    future: Py<PyAny>,
    plan: &'static Plan,
    keywords: bool,
    task: AbortHandle,
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
        for (key, outcome) in self.queue.take() {
            let Some(waiting) = lock(&self.waiting).1.remove(&key) else { continue };
            settle(py, &waiting, outcome)?;
        }
        Ok(())
    }

    /// Gives up a call: its request is dropped.
    fn abandon(&self, key: u64) {
        if let Some(waiting) = lock(&self.waiting).1.remove(&key) {
            waiting.task.abort();
        }
    }

    /// Waits until answers have come, for a loop that cannot watch a file descriptor.
    fn wait(&self, py: Python<'_>) {
        py.detach(|| {
            self.queue.wake.wait();
            runtime::stay_out_at_exit();
        });
    }
}

impl Port {
    /// Starts a call; its answer settles `future`.
    pub(crate) fn start(
        &self,
        py: Python<'_>,
        client: Client,
        plan: &'static Plan,
        request: String,
        future: Py<PyAny>,
        keywords: bool,
    ) -> PyResult<u64> {
        let runtime = runtime::get(py)?;
        let mut waiting = lock(&self.waiting);
        waiting.0 += 1;
        let key = waiting.0;
        let queue = self.queue.clone();
        let task = runtime.spawn(async move {
            let outcome = client.call_json(plan.id, &request).await;
            queue.push(key, outcome);
        });
        waiting.1.insert(key, Waiting { future, plan, keywords, task: task.abort_handle() });
        Ok(key)
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        if self.pid == std::process::id() {
            lock(&self.waiting).1.values().for_each(|waiting| waiting.task.abort());
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
