//! The hooks of a client: reports of its requests, responses and calls, and the value of the header `traceparent`.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;

use super::transport::TransportError;
use crate::clock::{BoxFuture, Clock};
use crate::error::{CallFacts, Error, Outcome, Reason, SentState};
use crate::http::HttpResponse;

/// The header that names the trace of a request (W3C Trace Context).
pub(crate) const TRACEPARENT: &str = "traceparent";

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallEnd {
    /// With a successful response.
    Accepted,
    /// With the provider's response that a passcode is wrong, expired, cancelled or already used. A typed call returns it as an
    /// error with the reason [`Reason::NotVerified`], a call with JSON as a result.
    NotVerified,
    /// With an error.
    Failed(Outcome),
    /// The caller dropped the call before its end.
    Abandoned,
}

impl CallEnd {
    /// `accepted`, `not_verified`, `abandoned`, or the name of the outcome.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::NotVerified => "not_verified",
            Self::Failed(outcome) => outcome.as_str(),
            Self::Abandoned => "abandoned",
        }
    }
}

/// The report of one call to the hook of [`super::Client::on_outcome`]. It contains no message text, phone number, code or key.
/// `Debug` omits the reference, which the caller chooses.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Event<'a> {
    /// The id of the call, the same as in the events of its requests, its result or error, and its log lines.
    pub call_id: &'a str,
    /// The operation's name.
    pub operation: &'static str,
    /// The caller's reference of the request.
    pub reference: Option<&'a str>,
    /// How the call ended.
    pub ending: CallEnd,
    /// Whether the request reached the provider.
    pub sent: SentState,
    /// The reason, for an error and for a passcode that is not valid.
    pub reason: Option<Reason>,
    /// The HTTP status of the last response, for an error and for a passcode that is not valid.
    pub status: Option<u16>,
    /// The number of attempts; 0 if the request was invalid.
    pub attempts: u32,
    /// The duration of the call.
    pub elapsed: Duration,
    pub(crate) facts: CallFacts,
}

impl Event<'_> {
    /// The error of an abandoned call, for a binding that reports it as cancelled.
    #[doc(hidden)]
    #[must_use]
    pub fn cancelled_error(&self) -> Error {
        let (outcome, message) = match self.sent {
            SentState::No => (Outcome::NotSent, "cancelled; nothing was sent"),
            _ => (Outcome::Unknown, "cancelled; the request may have been processed"),
        };
        let mut error = Error::new(outcome, self.sent, Reason::Cancelled, self.operation, message);
        let record = error.record_mut();
        record.attempts = self.attempts;
        record.call_id = Some(self.call_id.to_owned());
        record.reference = self.reference.map(str::to_owned);
        record.set_facts(self.facts);
        error
    }
}

impl fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("call_id", &self.call_id)
            .field("operation", &self.operation)
            .field("ending", &self.ending)
            .field("sent", &self.sent)
            .field("reason", &self.reason)
            .field("status", &self.status)
            .field("attempts", &self.attempts)
            .field("elapsed", &self.elapsed)
            .finish_non_exhaustive()
    }
}

/// One HTTP request of a call, for the hook of [`super::Client::on_request`]. It contains no message text, phone number, code
/// or key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestEvent {
    /// The id of the call: 32 hexadecimal digits.
    pub call_id: String,
    /// The name of the call's operation.
    pub operation: &'static str,
    /// The number of the call's attempt, from 1.
    pub attempt: u32,
    /// Whether the request looks the call up in the provider's records, after an unknown outcome.
    pub is_lookup: bool,
    /// The HTTP method.
    pub method: &'static str,
    /// The URL without secrets: members of the path appear as `{name}`, values of the query as `REDACTED`.
    pub url: String,
}

/// The HTTP response to one request of a call, for the hook of [`super::Client::on_response`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResponseEvent {
    /// The request.
    pub request: RequestEvent,
    /// The HTTP status.
    pub status: u16,
    /// The time from the request to the end of the response.
    pub elapsed: Duration,
}

/// The end of one HTTP request of a call, with or without a response, for the hook of [`super::Client::on_request_end`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestEndEvent {
    /// The request.
    pub request: RequestEvent,
    /// The HTTP status, also of a partial response.
    pub status: Option<u16>,
    /// Why the request has no complete response.
    pub reason: Option<Reason>,
    /// The duration of the request.
    pub elapsed: Duration,
}

/// A request that was reported to the hooks, and the monotonic time of its start.
pub(crate) struct ReportedRequest {
    pub(crate) event: RequestEvent,
    pub(crate) started: Duration,
}

type OnRequest = dyn Fn(&RequestEvent) + Send + Sync;
type OnResponse = dyn Fn(&ResponseEvent) + Send + Sync;
type OnRequestEnd = dyn Fn(&RequestEndEvent) + Send + Sync;
type OnOutcome = dyn Fn(&Event<'_>) + Send + Sync;
type Traceparent = dyn Fn(&RequestEvent) -> BoxFuture<'static, Option<String>> + Send + Sync;

#[derive(Clone, Default)]
pub(crate) struct Hooks {
    pub(crate) on_request: Option<Arc<OnRequest>>,
    pub(crate) on_response: Option<Arc<OnResponse>>,
    pub(crate) on_request_end: Option<Arc<OnRequestEnd>>,
    pub(crate) on_outcome: Option<Arc<OnOutcome>>,
    pub(crate) traceparent: Option<Arc<Traceparent>>,
}

/// Runs a hook. A panic ends neither the call nor its report, because a request may have been processed by then; `None` after one.
pub(crate) fn run_hook<T>(
    hook: &'static str,
    call_id: &str,
    operation: &str,
    run: impl FnOnce() -> T,
) -> Option<T> {
    let done = catch_unwind(AssertUnwindSafe(run)).ok();
    if done.is_none() {
        log_panic(hook, call_id, operation);
    }
    done
}

/// [`run_hook`] for a value that arrives later.
async fn run_later(
    hook: &'static str,
    request: &RequestEvent,
    value: BoxFuture<'static, Option<String>>,
) -> Option<String> {
    let done = AssertUnwindSafe(value).catch_unwind().await;
    if done.is_err() {
        log_panic(hook, &request.call_id, request.operation);
    }
    done.ok().flatten()
}

fn log_panic(hook: &str, call_id: &str, operation: &str) {
    tracing::error!(call_id, operation, hook, "a hook panicked");
}

impl Hooks {
    pub(crate) fn report(&self, event: &Event<'_>) {
        if let Some(hook) = &self.on_outcome {
            run_hook("on_outcome", event.call_id, event.operation, || hook(event));
        }
    }

    /// Reports a request that will be sent. Returns whether a hook ran.
    pub(crate) fn report_request(&self, event: &RequestEvent) -> bool {
        if let Some(hook) = &self.on_request {
            run_hook("on_request", &event.call_id, event.operation, || hook(event));
        }
        self.on_request.is_some()
    }

    /// The value of the header `traceparent` for a request, from the hook of the program.
    pub(crate) fn traceparent(&self, event: &RequestEvent) -> Option<BoxFuture<'static, Option<String>>> {
        let hook = self.traceparent.as_ref()?;
        let value = run_hook(TRACEPARENT, &event.call_id, event.operation, || hook(event))?;
        let event = event.clone();
        Some(Box::pin(async move { run_later(TRACEPARENT, &event, value).await }))
    }

    /// Whether a hook needs the requests of calls.
    pub(crate) const fn need_requests(&self) -> bool {
        self.on_request.is_some()
            || self.on_response.is_some()
            || self.on_request_end.is_some()
            || self.traceparent.is_some()
    }

    /// Reports the response to a request, also a partial response, and the end of the request.
    pub(crate) fn report_response(
        &self,
        reported: ReportedRequest,
        result: &Result<HttpResponse, TransportError>,
        clock: &dyn Clock,
    ) {
        let (response, reason) = match result {
            Ok(response) => (Some(response), None),
            Err(error) => (error.partial.as_ref(), Some(error.reason)),
        };
        let ReportedRequest { event: request, started } = reported;
        let elapsed = clock.monotonic().saturating_sub(started);
        let status = response.map(|response| response.status);
        if let (Some(hook), Some(status)) = (&self.on_response, status) {
            let event = ResponseEvent { request: request.clone(), status, elapsed };
            run_hook("on_response", &request.call_id, request.operation, || hook(&event));
        }
        if let Some(hook) = &self.on_request_end {
            let event = RequestEndEvent { request, status, reason, elapsed };
            run_hook("on_request_end", &event.request.call_id, event.request.operation, || hook(&event));
        }
    }
}
