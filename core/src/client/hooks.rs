//! The hooks of a client: a report for each call, and the value of the header `traceparent`.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::error::{Error, Outcome, Reason, SentState};

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallEnd {
    /// With a successful response.
    Accepted,
    /// With an error.
    Failed(Outcome),
    /// The caller dropped the call before its end.
    Abandoned,
}

impl CallEnd {
    /// The name: `accepted`, that of the outcome, or `abandoned`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
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
    /// The operation's name.
    pub operation: &'static str,
    /// The caller's reference of the request.
    pub reference: Option<&'a str>,
    /// How the call ended.
    pub ending: CallEnd,
    /// Whether the request reached the provider.
    pub sent: SentState,
    /// The reason, for an error.
    pub reason: Option<Reason>,
    /// The HTTP status of the last response, for an error.
    pub status: Option<u16>,
    /// The number of attempts; 0 if the request was invalid.
    pub attempts: u32,
    /// The duration of the call.
    pub elapsed: Duration,
}

impl fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
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

type OnOutcome = dyn Fn(&Event<'_>) + Send + Sync;
type Traceparent = dyn Fn() -> Option<String> + Send + Sync;

#[derive(Clone, Default)]
pub(crate) struct Hooks {
    pub(crate) on_outcome: Option<Arc<OnOutcome>>,
    pub(crate) traceparent: Option<Arc<Traceparent>>,
}

impl Hooks {
    pub(crate) fn report(&self, event: &Event<'_>) {
        if let Some(hook) = &self.on_outcome {
            hook(event);
        }
    }

    /// Reports a call whose request was invalid.
    pub(crate) fn report_invalid(&self, error: &Error) {
        self.report(&Event {
            operation: error.operation,
            reference: error.reference.as_deref(),
            ending: CallEnd::Failed(error.outcome),
            sent: error.sent,
            reason: Some(error.reason),
            status: None,
            attempts: 0,
            elapsed: Duration::ZERO,
        });
    }
}
