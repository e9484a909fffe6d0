//! Reports of the HTTP requests and responses of one call, for the hooks `on_request` and `on_response`.
//!
//! The core reports on the thread that polls the call, which may never attach to the interpreter. A buffer of the call keeps
//! the reports until the thread of the caller takes them.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use cpaas::Client;
use cpaas::client::{RequestEvent, ResponseEvent};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A request, or the response to one.
pub(crate) enum HttpReport {
    Request(RequestEvent),
    Response(ResponseEvent),
}

impl HttpReport {
    pub(crate) const fn is_request(&self) -> bool {
        matches!(self, Self::Request(_))
    }

    const fn request(&self) -> &RequestEvent {
        match self {
            Self::Request(request) => request,
            Self::Response(response) => &response.request,
        }
    }

    pub(crate) const fn operation(&self) -> &'static str {
        self.request().operation
    }

    /// Creates the `cpaas.RequestEvent` or `cpaas.ResponseEvent`.
    pub(crate) fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let module = py.import(intern!(py, "cpaas._events"))?;
        let request = self.request();
        let members = (
            request.call_id,
            request.operation,
            request.attempt,
            request.method,
            &request.url,
            request.is_lookup,
        );
        let Self::Response(response) = self else {
            return module.getattr(intern!(py, "RequestEvent"))?.call1(members);
        };
        let end = PyDict::new(py);
        end.set_item(intern!(py, "status"), response.status)?;
        end.set_item(intern!(py, "elapsed"), response.elapsed.as_secs_f64())?;
        module.getattr(intern!(py, "ResponseEvent"))?.call(members, Some(&end))
    }
}

/// The reports of one call, in their order.
#[derive(Clone, Default)]
pub(crate) struct HttpReports(Arc<Mutex<Vec<HttpReport>>>);

impl HttpReports {
    /// Returns a client that adds its reports to this buffer.
    pub(crate) fn attach(&self, client: Client) -> Client {
        let (requests, responses) = (self.clone(), self.clone());
        client
            .on_request(move |event| requests.push(HttpReport::Request(event.clone())))
            .on_response(move |event| responses.push(HttpReport::Response(event.clone())))
    }

    fn push(&self, report: HttpReport) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(report);
    }

    /// Removes and returns the reports.
    pub(crate) fn take(&self) -> Vec<HttpReport> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Polls a call until it ends or has reports. Returns `None` if it has reports and has not ended.
    pub(crate) async fn next<T>(&self, mut call: Pin<&mut (dyn Future<Output = T> + Send)>) -> Option<T> {
        poll_fn(|context| match call.as_mut().poll(context) {
            Poll::Ready(ended) => Poll::Ready(Some(ended)),
            Poll::Pending if self.is_empty() => Poll::Pending,
            Poll::Pending => Poll::Ready(None),
        })
        .await
    }
}
