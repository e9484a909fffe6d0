//! What a user may attach to a client: who hears of every outcome, and who names the trace.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::error::{Error, Outcome, Reason, SentState};

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallEnd {
    /// With an answer of success.
    Accepted,
    /// With an error.
    Failed(Outcome),
    /// The caller dropped the call midway.
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

/// What the hook of [`super::Client::on_outcome`] hears; it holds no text, number, code or key. `Debug` leaves the reference
/// out, which is the caller's own text.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Event<'a> {
    /// The operation's name.
    pub operation: &'static str,
    /// The caller's own tag.
    pub reference: Option<&'a str>,
    /// How the call ended.
    pub ending: CallEnd,
    /// Whether the request reached the provider.
    pub sent: SentState,
    /// Why, for an error.
    pub reason: Option<Reason>,
    /// The HTTP status of the last answer, for an error.
    pub status: Option<u16>,
    /// How often the request was attempted.
    pub attempts: u32,
    /// How long the call took.
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

    /// A call that never began.
    pub(crate) fn tell_invalid(&self, error: &Error) {
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
