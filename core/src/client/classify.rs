//! Classifies responses and transport errors: whether they prove that the request was accepted, rejected or not sent.
//!
//! A status alone never proves acceptance, except where the response is undocumented (`SuccessMarker::Nothing`, also an empty 200; raw
//! calls, with JSON, XML or an empty 204 or 205). 408, 429, 499 and 5xx alone prove nothing. Any other 3xx or 4xx is a
//! rejection unless the body, or the received part of it, reports a success; with `strict_rejections`, it is a rejection
//! only if the body is in the provider's own form. In the families `otp` and `sms`, and for the webhook calls, the body decides.
//! A verification needs both the status 200 and the documented body. In the family `lookup`, each element has its own outcome. In
//! the family `messaging`, a success status and an id are required.

use super::call_info::{CallInfo, Classification, Received};
use super::error_text;
use super::failed_attempt::FailedAttempt;
use super::retry::Failure;
use super::transport::TransportError;
use super::verdict_members::{IdMember, IntegerMember, VerdictMembers, has_too_many_values, looks_like_json};
use crate::clock::Clock;
use crate::error::{CallFacts, Error, Outcome, Reason, SentState};
use crate::http::{HttpRequest, HttpResponse};
use crate::operation::{Family, RetrySafety, SuccessMarker};
use crate::provider_codes;

impl CallInfo {
    /// Classifies a response by its deciding members; its other members are decoded later.
    pub(crate) fn classify(
        &self,
        response: &HttpResponse,
        received: Received,
        clock: &dyn Clock,
    ) -> Result<(), Box<FailedAttempt>> {
        if received == Received::Whole && has_too_many_values(&response.body) {
            return Err(self.failed(
                Classification::Unknown(Reason::TooLarge),
                response,
                VerdictMembers::default(),
                clock,
            ));
        }
        let members = self.read_members(beginning(&response.body, received));
        // A body without a length ends with the connection, so HTTP does not show whether it was cut.
        let received = if received == Received::Whole && members.truncated {
            Received::Cut(Reason::Decode)
        } else {
            received
        };
        match self.classification(response, &members, received) {
            Classification::Accepted => Ok(()),
            classification => Err(self.failed(classification, response, members, clock)),
        }
    }

    fn classification(
        &self,
        response: &HttpResponse,
        members: &VerdictMembers,
        received: Received,
    ) -> Classification {
        let status = response.status;
        // A cached response belongs to another verification.
        if self.safety == RetrySafety::Verify && is_cached(response) {
            return Classification::Unknown(Reason::Mismatch);
        }
        let classification = match status {
            200..=299 => self.of_2xx(response, members, received),
            408 | 429 | 499 | 500..=599 => self.of_5xx_or_429(response, members, received),
            300..=498 => self.of_other_status(status, members, received),
            _ => Classification::Unknown(Reason::Decode),
        };
        match classification {
            Classification::RejectedByStatus if self.strict_rejections => {
                Classification::Unknown(Reason::Http)
            }
            classification => classification,
        }
    }

    /// 2xx: accepted if the deciding member confirms it.
    fn of_2xx(
        &self,
        response: &HttpResponse,
        members: &VerdictMembers,
        received: Received,
    ) -> Classification {
        if members.contradicts {
            return Classification::Unknown(Reason::Decode);
        }
        if self.is_failed_verification(200, members, received) {
            return Classification::Accepted;
        }
        if received == Received::Whole
            && let Some(limited) = self.limit_response(response, members)
        {
            return limited;
        }
        if self.rejects(members) {
            return self.rejection_in_2xx(members, received);
        }
        match received {
            Received::Whole if !members.known => Classification::Unknown(Reason::Decode),
            Received::Whole if self.safety == RetrySafety::Verify && response.status != 200 => {
                Classification::Unknown(Reason::Decode)
            }
            Received::Whole if self.accepts(members) => Classification::Accepted,
            Received::Whole => Classification::Unknown(Reason::Decode),
            Received::Cut(reason) if self.is_accepted_when_cut(response, members) => {
                Classification::IdUnknown(reason)
            }
            Received::Cut(reason) => Classification::Unknown(reason),
        }
    }

    fn rejection_in_2xx(&self, members: &VerdictMembers, received: Received) -> Classification {
        let is_failure = self.family == Family::Otp
            && (members.code.value().is_some_and(|code| code >= 500) && members.request_id != IdMember::Null);
        match received {
            // A cut response of verify may have been an ordinary "wrong code".
            Received::Cut(reason) if self.safety == RetrySafety::Verify && !is_error_code(members.code) => {
                Classification::Unknown(reason)
            }
            // A code of 500 or more reports a failure of the provider. With `requestID: null` it is the provider's own rejection, whose
            // `processed` is `maybe`.
            _ if is_failure => Classification::Unknown(Reason::Http),
            // A rejection with the id of a created record contradicts itself.
            _ if self.has_created(members) => Classification::Unknown(Reason::Decode),
            _ => Classification::Rejected,
        }
    }

    /// 5xx, 408, 499 and 429: a gateway may write them after it forwarded the request.
    fn of_5xx_or_429(
        &self,
        response: &HttpResponse,
        members: &VerdictMembers,
        received: Received,
    ) -> Classification {
        let reason = match received {
            Received::Cut(reason) => return Classification::Unknown(reason),
            Received::Whole => Reason::Http,
        };
        if members.contradicts {
            Classification::Unknown(reason)
        } else if let Some(limited) = self.limit_response(response, members) {
            limited
        } else if !is_cached(response) && self.is_distinctive_rejection(members) {
            if self.is_failed_verification(response.status, members, received) {
                Classification::Accepted
            } else {
                Classification::Rejected
            }
        } else if self.confirms_alone(members) {
            Classification::Accepted
        } else {
            Classification::Unknown(reason)
        }
    }

    /// Other 4xx and 3xx.
    fn of_other_status(&self, status: u16, members: &VerdictMembers, received: Received) -> Classification {
        if members.contradicts {
            Classification::RejectedByStatus
        } else if self.is_failed_verification(status, members, received) {
            Classification::Accepted
        } else if let Some(reason) = self.contradicts_rejection(members, received) {
            Classification::Unknown(reason)
        } else if self.is_provider_rejection(members) {
            Classification::Rejected
        } else {
            Classification::RejectedByStatus
        }
    }

    /// Whether the deciding member confirms a success.
    fn accepts(&self, members: &VerdictMembers) -> bool {
        let Some(success_marker) = self.success_marker else { return true };
        match success_marker {
            SuccessMarker::Code if self.safety == RetrySafety::Verify => members.is_verified(),
            SuccessMarker::Code => members.code == IntegerMember::Is(200),
            SuccessMarker::ResponseCode => members.response_code == IntegerMember::Is(0),
            SuccessMarker::Status => members.status == IntegerMember::Is(0),
            SuccessMarker::Elements => {
                members.elements.accepted + members.elements.rejected > 0
                    || members.lookup_code() == IntegerMember::Is(0)
            }
            // An `id` next to a `code` may belong to a gateway's error.
            SuccessMarker::Id => {
                !is_failure_code(members.code) && (members.message_id || members.id && !members.has_code)
            }
            SuccessMarker::IdOrMessages => {
                !is_failure_code(members.code) && (members.message_id || members.messages)
            }
            SuccessMarker::Ids => members.elements.ids > 0,
            SuccessMarker::Record => members.object,
            // The response is undocumented: one that looks like an error proves nothing.
            SuccessMarker::Nothing => {
                let is_error = members.error
                    || members.has_code && members.has_message()
                    || self.family == Family::MessengerC && members.error_code.differs_from(0);
                !members.unreadable && !is_error
            }
        }
    }

    /// Whether the body alone, regardless of the status, proves that the request was accepted. A verification needs its status too.
    fn confirms_alone(&self, members: &VerdictMembers) -> bool {
        let proves = match self.success_marker {
            None | Some(SuccessMarker::Nothing | SuccessMarker::Record) => false,
            Some(SuccessMarker::Id | SuccessMarker::IdOrMessages) => members.message_id,
            Some(SuccessMarker::Elements) => members.elements.accepted > 0,
            Some(_) => true,
        };
        proves
            && members.known
            && !matches!(self.safety, RetrySafety::Read | RetrySafety::Verify)
            && !self.rejects(members)
            && self.accepts(members)
    }

    /// Why the body of a response with a status of a rejection makes the outcome unknown: it reports a success, or its
    /// beginning contains a sign of one.
    fn contradicts_rejection(&self, members: &VerdictMembers, received: Received) -> Option<Reason> {
        if self.safety == RetrySafety::Read || self.rejects(members) {
            return None;
        }
        let reports_success = match self.success_marker {
            None | Some(SuccessMarker::Record) => return None,
            Some(SuccessMarker::Nothing) => self.is_undocumented_success(members),
            Some(SuccessMarker::Elements) if received != Received::Whole => {
                members.elements.accepted > 0 || members.lookup_code() == IntegerMember::Is(0)
            }
            Some(_) if received != Received::Whole => {
                self.accepts(members) || self.has_created(members) && !is_failure_code(members.code)
            }
            Some(_) => {
                let has_failed = members.known && is_failure_code(members.code);
                self.confirms_alone(members)
                    || self.safety == RetrySafety::Verify && members.code == IntegerMember::Is(200)
                    || self.family == Family::Messaging && members.message_id && has_failed
            }
        };
        match received {
            _ if !reports_success => None,
            Received::Whole => Some(Reason::Decode),
            Received::Cut(reason) => Some(reason),
        }
    }

    /// Whether an undocumented response contains the success member of its family.
    fn is_undocumented_success(&self, members: &VerdictMembers) -> bool {
        match self.family {
            Family::MessengerC => members.ok == Some(true),
            _ => members.response_code == IntegerMember::Is(0),
        }
    }

    /// Whether the received part of a cut response contains the success member; in the family `messaging` the status decides, unless this
    /// part begins otherwise than a success.
    fn is_accepted_when_cut(&self, response: &HttpResponse, members: &VerdictMembers) -> bool {
        if matches!(self.safety, RetrySafety::Read | RetrySafety::Lookup)
            || self.safety == RetrySafety::Verify
        {
            return false;
        }
        match self.success_marker {
            Some(SuccessMarker::Id | SuccessMarker::IdOrMessages | SuccessMarker::Ids) => {
                let is_json = if response.body.is_empty() {
                    claims_json(response)
                } else {
                    looks_like_json(&response.body)
                };
                is_json && members.code == IntegerMember::Absent && !self.begins_as_failure(members)
            }
            Some(SuccessMarker::Code | SuccessMarker::ResponseCode | SuccessMarker::Status) => {
                self.accepts(members) && !(members.messages && has_sent_nothing(members))
            }
            Some(SuccessMarker::Nothing) => {
                members.response_code == IntegerMember::Is(0) || members.ok == Some(true)
            }
            _ => false,
        }
    }

    /// Whether the beginning of a response of the family `messaging` shows a failure, or that the whole cannot be a success.
    fn begins_as_failure(&self, members: &VerdictMembers) -> bool {
        let elements = members.elements;
        match self.success_marker {
            Some(SuccessMarker::Ids) => {
                members.object || elements.ids == 0 && (elements.count > 0 || elements.ends_in_object)
            }
            _ if members.array || members.error => true,
            _ if members.foreign && !members.id && members.sent.created == 0 => true,
            Some(SuccessMarker::IdOrMessages) => has_sent_nothing(members),
            _ => members.has_invalid_message_id(),
        }
    }

    /// Whether the deciding member reports a rejection.
    fn rejects(&self, members: &VerdictMembers) -> bool {
        match self.family {
            Family::Otp => members.code.differs_from(200),
            Family::Sms => members.response_code.differs_from(0),
            Family::Lookup => members.object && members.lookup_code().differs_from(0),
            Family::MessengerB => members.status.differs_from(0),
            Family::MessengerC => members.ok == Some(false),
            Family::Messaging => false,
        }
    }

    /// Whether the response has the form of the family's own rejections.
    fn is_provider_rejection(&self, members: &VerdictMembers) -> bool {
        match self.family {
            Family::Otp => {
                members.code_is_integer
                    && members.code.differs_from(200)
                    && members.has_message()
                    && matches!(members.request_id, IdMember::Absent | IdMember::Null)
            }
            Family::Sms => members.response_code.differs_from(0) && !members.id && !members.messages,
            Family::Lookup => {
                let all = members.elements.count > 0 && members.elements.rejected == members.elements.count;
                members.elements.with_id == 0 && !members.id && (self.rejects(members) || all)
            }
            Family::Messaging => {
                members.object
                    && members.code != IntegerMember::Absent
                    && members.has_message()
                    && !members.id
                    && !members.messages
            }
            Family::MessengerB | Family::MessengerC => self.rejects(members),
        }
    }

    /// Whether the response is a rejection in a form that no gateway writes.
    fn is_distinctive_rejection(&self, members: &VerdictMembers) -> bool {
        match self.family {
            Family::Otp => self.is_provider_rejection(members) && members.request_id == IdMember::Null,
            Family::Sms | Family::Lookup => self.is_provider_rejection(members),
            Family::Messaging | Family::MessengerB | Family::MessengerC => false,
        }
    }

    /// Whether a rejection contains an id of something that was created.
    fn has_created(&self, members: &VerdictMembers) -> bool {
        match self.family {
            Family::Otp => matches!(members.request_id, IdMember::Is(_)),
            Family::Sms | Family::Lookup | Family::Messaging => members.id || members.messages,
            Family::MessengerB | Family::MessengerC => false,
        }
    }

    /// Whether the provider itself limits the rate; a rejection if its own code shows another, permanent cause.
    fn limit_response(&self, response: &HttpResponse, members: &VerdictMembers) -> Option<Classification> {
        let is_limit = response.status == 429
            || matches!(response.status, 200..=299)
                && self.family == Family::Otp
                && members.code == IntegerMember::Is(429);
        let is_own = is_limit && members.known && !is_cached(response) && self.is_provider_rejection(members);
        let is_permanent = provider_codes::is_permanent(self.family, self.code(members));
        is_own.then_some(if is_permanent { Classification::Rejected } else { Classification::Throttled })
    }

    /// Whether the response reports a wrong passcode, which is a result of verify and not an error. Other codes are errors:
    /// 401, 403, 408, 429, those of limits and workflows, and 500 or more.
    fn is_failed_verification(&self, status: u16, members: &VerdictMembers, received: Received) -> bool {
        let is_wrong_code = |code: i64| matches!(code, 1..=491) && !matches!(code, 401 | 403 | 408 | 429);
        let has_form = if status == 200 { members.object } else { self.is_provider_rejection(members) };
        self.safety == RetrySafety::Verify
            && received == Received::Whole
            && members.known
            && has_form
            && is_wrong_code(i64::from(status))
            && members.code.differs_from(200)
            && members.code.value().is_some_and(is_wrong_code)
    }
}

impl CallInfo {
    /// The error for a transport error. `is_last` states that the deadline allowed no time beyond this attempt.
    pub(crate) fn transport_failed(
        &self,
        error: TransportError,
        request: &HttpRequest,
        attempts: u32,
        is_last: bool,
        clock: &dyn Clock,
    ) -> Box<FailedAttempt> {
        let next_region = !request.alternates.is_empty();
        let reason = match error.reason {
            Reason::Timeout if is_last => Reason::Deadline,
            reason => reason,
        };
        if let (Some(partial), SentState::Maybe | SentState::Yes) = (&error.partial, error.sent)
            && let Err(mut failed) = self.classify(partial, Received::Cut(reason), clock)
        {
            failed.error = failed.error.caused_by(error.source);
            return failed;
        }
        let (outcome, sent, failure) = match error.sent {
            SentState::No if reason == Reason::Config => (Outcome::Invalid, SentState::No, Failure::Final),
            // Another attempt cannot succeed, and waiting needs a runtime. Another region has another certificate.
            SentState::No if reason.is_permanent() || error.certificate.is_some() && !next_region => {
                (Outcome::NotSent, SentState::No, Failure::Final)
            }
            SentState::No => (Outcome::NotSent, SentState::No, Failure::NotSent { next_region }),
            SentState::Maybe | SentState::Yes => (Outcome::Unknown, SentState::Maybe, Failure::Unknown),
        };
        let place = if sent == SentState::No {
            error_text::place(reason, &request.url, &error, attempts)
        } else {
            String::new()
        };
        let mut failed = Error::new(outcome, sent, reason, self.operation, "");
        let record = failed.record_mut();
        record.set_facts(CallFacts { is_certificate_rejected: error.certificate.is_some(), ..self.facts() });
        record.message = error_text::of_transport_error(reason, sent, record.retryable(), &error, &place);
        let error = failed.caused_by(error.source);
        Box::new(FailedAttempt { error, failure, retry_after: None })
    }
}

/// The number of bytes of a cut body that are searched for deciding members. Usually the deadline has passed already, so that
/// there is no time for a large body.
const MAX_CUT_BODY: usize = 65_536;

fn beginning(body: &[u8], received: Received) -> &[u8] {
    match received {
        Received::Whole => body,
        Received::Cut(_) => body.get(..MAX_CUT_BODY).unwrap_or(body),
    }
}

/// Whether `code` of the family `messaging` reports a failure.
const fn is_failure_code(code: IntegerMember) -> bool {
    matches!(code, IntegerMember::Is(code) if provider_codes::is_messaging_failure(code))
}

/// Whether the received elements of `messages` show that the whole is not a success: all elements are read and none was
/// created, or all that are read are failures.
const fn has_sent_nothing(members: &VerdictMembers) -> bool {
    members.sent.created == 0 && (members.messages_end || members.sent.failed > 0)
}

/// Codes of verify that are errors even if the response was cut.
const fn is_error_code(code: IntegerMember) -> bool {
    matches!(code, IntegerMember::Is(401 | 403 | 429))
}

/// Whether the response comes from a cache and thus belongs to another request.
fn is_cached(response: &HttpResponse) -> bool {
    response.header("age").is_some_and(|age| age.trim().parse::<u64>() != Ok(0))
}

fn claims_json(response: &HttpResponse) -> bool {
    response.header("content-type").is_none_or(|kind| kind.to_ascii_lowercase().contains("json"))
}
