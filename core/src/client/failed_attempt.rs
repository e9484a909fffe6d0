//! Failed attempts: the error for the caller, and the facts for the retry strategy.

use std::borrow::Cow;
use std::time::Duration;

use super::call_info::{CallInfo, Classification, Received};
use super::error_text;
use super::retry::Failure;
use super::verdict_members::{IdMember, VerdictMembers};
use crate::clock::Clock;
use crate::date_time::retry_after;
use crate::error::{CallFacts, Error, Outcome, Reason, SentState};
use crate::http::HttpResponse;
use crate::model::newtypes::RequestId;
use crate::operation::{Family, RetrySafety, Unconfirmed};
use crate::problem::Problem;
use crate::provider_codes;

/// Why an attempt failed.
#[derive(Debug)]
pub(crate) struct FailedAttempt {
    pub(crate) error: Error,
    pub(crate) failure: Failure,
    /// The wait that the provider requests; never zero.
    pub(crate) retry_after: Option<Duration>,
}

impl FailedAttempt {
    /// The failure if the response came before the whole request was written: an accepted request is then unknown.
    pub(crate) fn early(mut self: Box<Self>) -> Box<Self> {
        if self.error.outcome == Outcome::AcceptedIdUnknown {
            let record = self.error.record_mut();
            (record.outcome, record.sent) = (Outcome::Unknown, SentState::Maybe);
            self.failure = Failure::Unknown;
        }
        self
    }
}

impl CallInfo {
    /// Whether a response proves something only if the whole request was written before it: a success, or a rate limit, after which the
    /// request is sent again.
    pub(crate) fn decides_when_whole(&self, response: &HttpResponse, clock: &dyn Clock) -> bool {
        match self.classify(response, Received::Whole, clock) {
            Ok(()) => true,
            Err(failed) => failed.failure == Failure::Throttled,
        }
    }

    /// The error for a response that is not a success.
    pub(crate) fn failed(
        &self,
        classification: Classification,
        response: &HttpResponse,
        members: VerdictMembers,
        clock: &dyn Clock,
    ) -> Box<FailedAttempt> {
        let (outcome, sent, reason, failure) = match classification {
            Classification::Throttled => {
                (Outcome::Rejected, SentState::Yes, Reason::Http, Failure::Throttled)
            }
            Classification::Unknown(reason) => (Outcome::Unknown, SentState::Maybe, reason, Failure::Unknown),
            Classification::IdUnknown(reason) => {
                (Outcome::AcceptedIdUnknown, SentState::Yes, reason, Failure::Final)
            }
            _ => (Outcome::Rejected, SentState::Yes, Reason::Http, Failure::Final),
        };
        // Reads are retried on each of these statuses, also when a proxy wrote the response.
        let failure = match response.status {
            408 | 500.. if self.safety == RetrySafety::Read => Failure::Unknown,
            _ => failure,
        };
        let code = self.code(&members);
        let wait = wait_of(response, clock);
        let has_message = members.has_message();
        let mut error = Error::new(outcome, sent, reason, self.operation, "");
        let record = error.record_mut();
        let is_throttled = classification == Classification::Throttled;
        record.set_facts(CallFacts { is_throttled, ..self.facts() });
        record.status = Some(response.status);
        record.code = code;
        record.code_meaning = self.meaning(code);
        record.provider_message = members.provider_message(self.family);
        record.request_id = match members.request_id {
            IdMember::Is(id) if self.family == Family::Otp => Some(RequestId::new(id)),
            _ => None,
        };
        record.retry_after_ms = wait.and_then(|wait| u64::try_from(wait.as_millis()).ok());
        record.message = error_text::of_response(classification, self.family, record, has_message, wait);
        Box::new(FailedAttempt { error, failure, retry_after: wait })
    }

    /// The error for a response that reports success but does not prove it.
    pub(crate) fn unconfirmed(
        &self,
        unconfirmed: Unconfirmed,
        response: &HttpResponse,
        clock: &dyn Clock,
    ) -> Box<FailedAttempt> {
        let classification = match unconfirmed {
            Unconfirmed::Missing => Classification::Unknown(Reason::Decode),
            Unconfirmed::Mismatch | Unconfirmed::RepeatedId => Classification::Unknown(Reason::Mismatch),
            Unconfirmed::IdMissing => Classification::IdUnknown(Reason::Decode),
            Unconfirmed::AllRejected(_) => Classification::Rejected,
        };
        let mut failed = self.failed(classification, response, self.read_members(&response.body), clock);
        let record = failed.error.record_mut();
        match unconfirmed {
            Unconfirmed::AllRejected(code) => {
                record.code = code;
                record.code_meaning = self.meaning(code);
                record.message = error_text::of_response(classification, self.family, record, false, None);
            }
            Unconfirmed::RepeatedId => record.message = error_text::of_repeated_id(record),
            _ => {}
        }
        failed
    }

    /// The error of a typed call whose response reports that a passcode is not valid.
    pub(crate) fn not_verified(
        &self,
        response: &HttpResponse,
        warnings: Vec<Problem>,
        attempts: u32,
        clock: &dyn Clock,
    ) -> Error {
        let members = self.read_members(&response.body);
        let mut error = self.failed(Classification::Rejected, response, members, clock).error;
        let record = error.record_mut();
        record.reason = Reason::NotVerified;
        record.message = error_text::of_invalid_passcode(record);
        record.problems = warnings;
        record.attempts = attempts;
        error
    }

    fn meaning(&self, code: Option<i64>) -> Option<Cow<'static, str>> {
        Some(provider_codes::find_of_operation(self.operation, self.family, code?)?.meaning.into())
    }

    pub(crate) fn code(&self, members: &VerdictMembers) -> Option<i64> {
        match self.family {
            Family::Sms => members.response_code.value(),
            Family::Lookup if members.array => members.elements.first.value(),
            Family::Lookup => members.lookup_code().value(),
            Family::MessengerB => members.status.value(),
            Family::MessengerC => members.error_code.value().or(members.code.value()),
            Family::Otp | Family::Messaging => members.code.value(),
        }
    }
}

/// The wait from `Retry-After`; `None` for zero, a past date and an invalid value.
fn wait_of(response: &HttpResponse, clock: &dyn Clock) -> Option<Duration> {
    let wait = retry_after(response.header("retry-after")?, clock.unix_time());
    wait.filter(|wait| !wait.is_zero())
}
