//! The account of one call: what was tried, what is known of it, and who is told at its end.

use std::time::Duration;

use tokio::time::Instant;

use super::Client;
use super::hooks::{CallEnd, Event};
use super::transport::Progress;
use super::verdict::Subject;
use crate::error::{Error, Outcome, SentState};
use crate::operation::{Expected, RetrySafety};

pub(crate) struct Trip<'a> {
    pub(crate) client: &'a Client,
    pub(crate) subject: Subject,
    pub(crate) reference: Option<String>,
    /// What the response must agree with.
    pub(crate) expected: Expected,
    pub(crate) attempts: u32,
    /// Whether an earlier attempt may have been processed.
    pub(crate) doubt: bool,
    /// What the transport says of the attempt that is under way.
    pub(crate) progress: Progress,
    started: Instant,
    ended: bool,
}

impl<'a> Trip<'a> {
    pub(crate) fn new(
        client: &'a Client,
        subject: Subject,
        reference: Option<String>,
        expected: Expected,
    ) -> Self {
        Self {
            client,
            subject,
            reference,
            expected,
            attempts: 0,
            doubt: false,
            progress: Progress::default(),
            started: Instant::now(),
            ended: false,
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time left to the whole call.
    pub(crate) fn left(&self) -> Duration {
        self.client.limits.deadline.saturating_sub(self.elapsed())
    }

    /// The call was accepted.
    pub(crate) fn accepted(&mut self) {
        self.client.shared.budget.refill();
        self.end(CallEnd::Accepted, SentState::Yes, None);
    }

    /// The call failed.
    pub(crate) fn failed(&mut self, mut error: Error) -> Error {
        if self.doubt && self.must_stay_unknown(error.outcome) {
            let record = error.record_mut();
            record.outcome = Outcome::Unknown;
            record.sent = SentState::Maybe;
            record.message = "an earlier attempt may have been processed, and the last one failed; \
                              look for its effect before sending again"
                .to_owned();
        }
        error.record_mut().attempts = self.attempts;
        let error = error.with_reference(self.reference.take());
        self.end(CallEnd::Failed(error.outcome), error.sent, Some(&error));
        error
    }

    /// After an attempt of unknown fate, the failure of a later one proves nothing about the first.
    fn must_stay_unknown(&self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::NotSent => true,
            Outcome::Rejected => self.subject.safety != RetrySafety::Read,
            _ => false,
        }
    }

    fn end(&mut self, ending: CallEnd, sent: SentState, error: Option<&Error>) {
        self.ended = true;
        let (operation, attempts) = (self.subject.operation, self.attempts);
        tracing::debug!(operation, ending = ending.as_str(), sent = sent.as_str(), attempts, "call ended");
        let hooks = &self.client.shared.hooks;
        if hooks.on_outcome.is_some() {
            hooks.report(&Event {
                operation,
                reference: self
                    .reference
                    .as_deref()
                    .or_else(|| error.and_then(|error| error.reference.as_deref())),
                ending,
                sent,
                reason: error.map(|error| error.reason),
                status: error.and_then(|error| error.status),
                attempts,
                elapsed: self.elapsed(),
            });
        }
    }
}

impl Drop for Trip<'_> {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        let sent = if self.doubt { SentState::Maybe } else { self.progress.sent() };
        tracing::warn!(
            operation = self.subject.operation,
            reference = self.reference.as_deref(),
            sent = sent.as_str(),
            "abandoned"
        );
        self.end(CallEnd::Abandoned, sent, None);
    }
}
