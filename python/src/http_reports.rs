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
use pyo3::prelude::*;

/// A request, or the response to one.
pub(crate) enum HttpReport {
    Request(RequestEvent),
    Response(ResponseEvent),
}

impl HttpReport {
    /// Calls the reporter of `cpaas._event`.
    pub(crate) fn call(&self, py: Python<'_>, reporter: &Py<PyAny>) -> PyResult<()> {
        let (request, response) = match self {
            Self::Request(request) => (request, None),
            Self::Response(response) => {
                (&response.request, Some((response.status, response.elapsed.as_secs_f64())))
            }
        };
        let members = (
            request.call_id,
            request.operation,
            request.attempt,
            request.method,
            &request.url,
            request.is_lookup,
        );
        reporter.call1(py, (members, response)).map(drop)
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
