//! The entries of an account's logs: events and requests.

use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use serde_json::{Value, json};

use crate::assumptions::AssumptionSet;
use crate::bounded_log::MemorySize;
use crate::faults::Kind;
use crate::http_bodies::Written;
use crate::time_text::iso;
use crate::traceparent::Traceparent;

/// An event of an account.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) at: u64,
    pub(crate) kind: &'static str,
    /// The message, passcode or other record that it is about.
    pub(crate) subject: Option<Box<str>>,
    pub(crate) detail: Option<Box<Value>>,
    pub(crate) assumed: AssumptionSet,
}

impl MemorySize for Event {
    fn memory_size(&self) -> usize {
        let subject = self.subject.as_ref().map_or(0, |subject| subject.len());
        size_of::<Self>() + subject + self.detail.as_ref().map_or(0, |detail| detail.memory_size())
    }
}

impl Event {
    pub(crate) fn new(at: u64, kind: &'static str) -> Self {
        Self { at, kind, subject: None, detail: None, assumed: AssumptionSet::default() }
    }

    pub(crate) fn about(mut self, subject: impl Into<Box<str>>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    pub(crate) fn detail(mut self, detail: Value) -> Self {
        self.detail = Some(Box::new(detail));
        self
    }

    pub(crate) fn assuming(mut self, assumptions: AssumptionSet) -> Self {
        self.assumed = assumptions;
        self
    }

    pub(crate) fn show(&self, number: u64) -> Value {
        json!({
            "n": number,
            "at": iso(self.at),
            "kind": self.kind,
            "subject": self.subject,
            "detail": self.detail,
            "explanation": crate::explanations::of_event(self.kind),
            "assumed": self.assumed.ids().collect::<Vec<_>>(),
        })
    }
}

/// A request to the provider's API as the log keeps it: of the headers only `traceparent`, and with a target without secrets. Its body is redacted when
/// it is shown.
#[derive(Debug, Clone)]
pub(crate) struct LoggedRequest {
    pub(crate) at: u64,
    pub(crate) method: &'static str,
    /// Path and query, redacted.
    pub(crate) target: Box<str>,
    pub(crate) operation: Option<&'static str>,
    pub(crate) region: Option<&'static str>,
    /// The name of the header or parameter with the credentials, never its value.
    pub(crate) auth: Option<&'static str>,
    pub(crate) traceparent: Option<Traceparent>,
    pub(crate) body: Box<[u8]>,
    pub(crate) truncated: bool,
    /// The status of the provider's own response; 0 if there is none.
    pub(crate) status: u16,
    /// The response that the caller received; `None` if the connection was closed first.
    pub(crate) response: Option<LoggedResponse>,
    pub(crate) fault: Option<Kind>,
    pub(crate) assumed: AssumptionSet,
    pub(crate) warnings: Vec<String>,
}

/// A response as the caller received it.
#[derive(Debug, Clone)]
pub(crate) struct LoggedResponse {
    pub(crate) status: u16,
    pub(crate) content_type: Box<str>,
    pub(crate) body: Box<[u8]>,
    pub(crate) truncated: bool,
}

impl LoggedResponse {
    pub(crate) fn of(response: &Response) -> Self {
        let body = response.extensions().get::<Written>().map_or(&[] as &[u8], |written| &written.0);
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        Self {
            status: response.status().as_u16(),
            content_type: kind.unwrap_or_default().into(),
            body: body.get(..MAX_LOGGED_BODY).unwrap_or(body).into(),
            truncated: body.len() > MAX_LOGGED_BODY,
        }
    }
}

/// The maximum number of bytes kept of a body.
pub(crate) const MAX_LOGGED_BODY: usize = 4_096;

impl MemorySize for LoggedRequest {
    fn memory_size(&self) -> usize {
        let warnings = self.warnings.iter().map(|text| size_of::<String>() + text.capacity());
        let response =
            self.response.as_ref().map_or(0, |response| response.content_type.len() + response.body.len());
        size_of::<Self>() + self.target.len() + self.body.len() + response + warnings.sum::<usize>()
    }
}
