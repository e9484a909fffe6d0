//! Reports of the HTTP requests and responses of calls, for hooks and for the spans of instrumentations.
//!
//! The core reports on the thread that polls the call, which may never attach to the interpreter. A buffer keeps the reports until the
//! thread of the caller takes them.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use cpaas::Client;
use cpaas::client::{RequestEndEvent, RequestEvent, ResponseEvent};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tokio::sync::oneshot;

use crate::event::OwnedEvent;

/// The reports that the hooks and the instrumentations of a client need.
#[derive(Clone, Copy)]
pub(crate) struct Needs {
    pub(crate) requests: bool,
    pub(crate) responses: bool,
    /// The start and the end of each request, and the end of each call.
    pub(crate) spans: bool,
}

impl Needs {
    /// Whether there are reports before the end of a call.
    pub(crate) const fn any(self) -> bool {
        self.requests || self.responses || self.spans
    }
}

/// A report about a call.
pub(crate) enum HttpReport {
    /// A request before it is sent, for an instrumentation: the request waits for the value of its header `traceparent`.
    Start(RequestEvent, oneshot::Sender<Option<String>>),
    /// A request.
    Request(RequestEvent),
    /// The response to a request.
    Response(ResponseEvent),
    /// The end of a request, for an instrumentation.
    End(RequestEndEvent),
    /// The end of a call, for an instrumentation.
    CallEnd(OwnedEvent),
}

impl HttpReport {
    pub(crate) const fn operation(&self) -> &'static str {
        match self {
            Self::Start(request, _) | Self::Request(request) => request.operation,
            Self::Response(response) => response.request.operation,
            Self::End(end) => end.request.operation,
            Self::CallEnd(event) => event.operation(),
        }
    }

    /// Creates the arguments of its hooks.
    pub(crate) fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match self {
            Self::Start(request, _) | Self::Request(request) => {
                let event = py.import(intern!(py, "cpaas._events"))?.getattr(intern!(py, "RequestEvent"))?;
                (event.call1(members(request))?,).into_pyobject(py)
            }
            Self::Response(response) => {
                let event = py.import(intern!(py, "cpaas._events"))?.getattr(intern!(py, "ResponseEvent"))?;
                let end = PyDict::new(py);
                end.set_item(intern!(py, "status"), response.status)?;
                end.set_item(intern!(py, "elapsed"), response.elapsed.as_secs_f64())?;
                (event.call(members(&response.request), Some(&end))?,).into_pyobject(py)
            }
            Self::End(end) => {
                let reason = end.reason.map(cpaas::error::Reason::as_str);
                (&end.request.call_id, end.status, reason, end.elapsed.as_secs_f64()).into_pyobject(py)
            }
            Self::CallEnd(event) => (event.to_python(py)?,).into_pyobject(py),
        }
    }
}

/// The arguments of a `cpaas.RequestEvent`.
fn members(request: &RequestEvent) -> (&str, &'static str, u32, &'static str, &str, bool) {
    let RequestEvent { call_id, operation, attempt, method, url, is_lookup, .. } = request;
    (call_id, operation, *attempt, method, url, *is_lookup)
}

#[derive(Default)]
struct Buffer {
    reports: Vec<HttpReport>,
    /// The task that takes the reports. The call that adds one may run in another task.
    waker: Option<Waker>,
}

/// The reports of calls, in their order.
#[derive(Clone, Default)]
pub(crate) struct HttpReports(Arc<Mutex<Buffer>>);

impl HttpReports {
    /// Returns a client that adds its reports to this buffer.
    pub(crate) fn attach(&self, mut client: Client, needs: Needs) -> Client {
        if needs.requests {
            let reports = self.clone();
            client = client.on_request(move |event| reports.push(HttpReport::Request(event.clone())));
        }
        if needs.responses {
            let reports = self.clone();
            client = client.on_response(move |event| reports.push(HttpReport::Response(event.clone())));
        }
        if needs.spans {
            let (starts, ends, calls) = (self.clone(), self.clone(), self.clone());
            client = client
                .traceparent_later(move |event| {
                    let (sender, value) = oneshot::channel();
                    starts.push(HttpReport::Start(event.clone(), sender));
                    Box::pin(async { value.await.ok().flatten() })
                })
                .on_request_end(move |event| ends.push(HttpReport::End(event.clone())))
                .also_on_outcome(move |event| calls.push(HttpReport::CallEnd(OwnedEvent::from(event))));
        }
        client
    }

    fn push(&self, report: HttpReport) {
        let mut buffer = self.lock();
        buffer.reports.push(report);
        let waker = buffer.waker.take();
        drop(buffer);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Removes and returns the reports.
    pub(crate) fn take(&self) -> Vec<HttpReport> {
        std::mem::take(&mut self.lock().reports)
    }

    /// Wakes the current task at the next report.
    pub(crate) fn wake_at_next(&self, context: &Context<'_>) {
        self.lock().waker = Some(context.waker().clone());
    }

    /// Polls a future until it ends or there are reports. Returns `None` if there are reports and it has not ended.
    pub(crate) async fn next<T>(&self, mut future: Pin<&mut (dyn Future<Output = T> + Send)>) -> Option<T> {
        poll_fn(|context| {
            self.wake_at_next(context);
            match future.as_mut().poll(context) {
                Poll::Ready(ended) => Poll::Ready(Some(ended)),
                Poll::Pending if self.lock().reports.is_empty() => Poll::Pending,
                Poll::Pending => Poll::Ready(None),
            }
        })
        .await
    }

    fn lock(&self) -> MutexGuard<'_, Buffer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
