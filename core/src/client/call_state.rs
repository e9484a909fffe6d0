//! The state of one call: its attempts, whether its request was sent, and the report at its end.

use std::borrow::Cow;
use std::time::Duration;

use super::call_environment::CallEnvironment;
use super::call_info::CallInfo;
use super::call_log;
use super::echoed_secrets;
use super::error_text::after_unknown;
use super::hooks::{CallEnd, Event};
use super::stopwatch::Stopwatch;
use super::transport::Progress;
use crate::error::{Error, Outcome, Reason, SentState};
use crate::http::HttpResponse;
use crate::operation::{ResponseExpectation, RetrySafety};
use crate::problem::Problem;

pub(crate) struct CallState {
    pub(crate) environment: CallEnvironment,
    pub(crate) info: CallInfo,
    pub(crate) call_id: String,
    pub(crate) reference: Option<String>,
    /// The facts that the response must agree with.
    pub(crate) expected: ResponseExpectation,
    pub(crate) attempts: u32,
    /// The reason of the first attempt that may have been processed.
    pub(crate) unknown_attempt: Option<Reason>,
    /// The transport's report about the current attempt.
    pub(crate) progress: Progress,
    pub(crate) stopwatch: Stopwatch,
    ended: bool,
}

impl CallState {
    pub(crate) fn new(
        environment: CallEnvironment,
        info: CallInfo,
        reference: Option<String>,
        mut expected: ResponseExpectation,
    ) -> Self {
        expected.repeated_ids |= environment.limits.accept_repeated_ids;
        Self {
            stopwatch: Stopwatch::start(environment.clock()),
            call_id: environment.call_id(),
            environment,
            info,
            reference,
            expected,
            attempts: 0,
            unknown_attempt: None,
            progress: Progress::default(),
            ended: false,
        }
    }

    pub(crate) fn elapsed(&mut self) -> Duration {
        self.stopwatch.elapsed(self.environment.clock())
    }

    /// The time left until the deadline.
    pub(crate) fn left(&mut self) -> Duration {
        self.environment.limits.deadline.saturating_sub(self.elapsed())
    }

    /// Ends an accepted call.
    pub(crate) fn accepted(&mut self) {
        self.environment.shared.retry_budget.refill();
        self.end(CallEnd::Accepted, SentState::Yes, None, None);
    }

    /// Ends a call whose response reports that a passcode is not valid; returns the error of a typed call.
    pub(crate) fn not_verified(&mut self, response: &HttpResponse, warnings: Vec<Problem>) -> Error {
        self.environment.shared.retry_budget.refill();
        let clock = self.environment.clock();
        let mut error = self.info.not_verified(response, warnings, self.attempts, clock);
        error.record_mut().call_id = Some(self.call_id.clone());
        echoed_secrets::hide(&mut error, &self.environment.context, &self.expected);
        self.end(CallEnd::NotVerified, SentState::Yes, Some(response.status), Some(&error));
        error
    }

    /// Ends a failed call; returns its error with the number of attempts and the reference.
    pub(crate) fn failed(&mut self, error: Error) -> Error {
        let error = self.completed(error);
        self.end(CallEnd::Failed(error.outcome), error.sent, error.status, Some(&error));
        error
    }

    /// Adds what the call knows to the error of its last attempt.
    pub(crate) fn completed(&self, mut error: Error) -> Error {
        if let Some(reason) = self.unknown_attempt
            && self.must_stay_unknown(error.outcome)
        {
            let record = error.record_mut();
            let last = record.reason.as_str();
            (record.outcome, record.sent, record.reason) = (Outcome::Unknown, SentState::Maybe, reason);
            record.message = format!(
                "an earlier attempt ({}) may have been processed, and the last attempt failed ({last}): {}",
                reason.as_str(),
                after_unknown(record.retryable())
            );
        }
        let record = error.record_mut();
        (record.attempts, record.call_id) = (self.attempts, Some(self.call_id.clone()));
        echoed_secrets::hide(&mut error, &self.environment.context, &self.expected);
        error.with_reference(self.reference.clone())
    }

    /// Whether the outcome stays unknown because of an earlier attempt: a later failure does not show whether the earlier attempt
    /// was processed.
    fn must_stay_unknown(&self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::NotSent => true,
            Outcome::Rejected => self.info.safety != RetrySafety::Read,
            _ => false,
        }
    }

    /// The reference, for a log line.
    pub(crate) fn logged_reference(&self) -> Option<Cow<'_, str>> {
        self.reference.as_deref().and_then(call_log::shown_reference)
    }

    fn end(&mut self, ending: CallEnd, sent: SentState, status: Option<u16>, error: Option<&Error>) {
        self.ended = true;
        let elapsed = self.elapsed();
        let event = Event {
            call_id: &self.call_id,
            operation: self.info.operation,
            reference: self.reference.as_deref(),
            ending,
            sent,
            reason: error.map(|error| error.reason),
            status,
            attempts: self.attempts,
            elapsed,
            facts: self.info.facts(),
        };
        call_log::call_ended(&event, error);
        self.environment.hooks().report(&event);
    }
}

/// A call that the caller drops before its end is reported as abandoned.
impl Drop for CallState {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        let sent = if self.unknown_attempt.is_some() { SentState::Maybe } else { self.progress.sent() };
        tracing::warn!(
            call_id = &*self.call_id,
            operation = self.info.operation,
            reference = self.logged_reference().as_deref(),
            sent = sent.as_str(),
            "abandoned"
        );
        self.end(CallEnd::Abandoned, sent, None, None);
    }
}
