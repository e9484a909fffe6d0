//! The types that the classification of responses, the error text and the retry loop share. [`CallInfo`] continues in `classify.rs`
//! (`classify`: the meaning of a response) and `failed_attempt.rs` (`failed`, `unconfirmed`, `not_verified`: the error of an attempt).

use super::verdict_members::{IntegerMember, VerdictMembers, read_members};
use crate::error::{CallFacts, Reason};
use crate::operation::{Family, Meta, ResponseExpectation, RetrySafety, SuccessMarker};
use crate::provider_codes;

/// The facts about a call that classification needs.
#[derive(Clone, Copy)]
pub(crate) struct CallInfo {
    pub(crate) operation: &'static str,
    pub(crate) family: Family,
    pub(crate) safety: RetrySafety,
    /// The member that confirms a success; `None` for an undocumented call.
    pub(crate) success_marker: Option<SuccessMarker>,
    /// Whether a rejection that is not in the provider's own form leaves the outcome unknown.
    pub(crate) strict_rejections: bool,
    /// The secret of the request if it is a number other than the provider's codes.
    pub(crate) secret_number: Option<i64>,
}

impl CallInfo {
    pub(crate) const fn of(meta: &Meta, strict_rejections: bool) -> Self {
        Self {
            operation: meta.id,
            family: meta.family,
            safety: meta.safety,
            success_marker: Some(meta.success_marker),
            strict_rejections,
            secret_number: None,
        }
    }

    /// The facts of a prepared request.
    pub(crate) fn of_request(self, safety: RetrySafety, expected: &ResponseExpectation) -> Self {
        let is_provider_code = |code: i64| code == 200 || provider_codes::find(self.family, code).is_some();
        let secret_number = expected.secret.expose().parse().ok().filter(|code| !is_provider_code(*code));
        Self { safety, secret_number, ..self }
    }

    /// Reads the deciding members of a response. A `code` that repeats the secret of the request is not a result.
    pub(crate) fn read_members(&self, body: &[u8]) -> VerdictMembers {
        let mut members = read_members(body);
        for code in [&mut members.code, &mut members.error_code] {
            if self.secret_number.is_some() && code.value() == self.secret_number {
                *code = IntegerMember::Absent;
            }
        }
        members
    }

    /// The facts of the call for the error record.
    pub(crate) fn facts(&self) -> CallFacts {
        CallFacts {
            safety: Some(self.safety),
            has_failure_codes: self.family == Family::Otp,
            ..CallFacts::default()
        }
    }
}

/// The part of a response that was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Received {
    /// All of it.
    Whole,
    /// Only its beginning.
    Cut(Reason),
}

/// The meaning of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Classification {
    Accepted,
    /// The provider rejected the request.
    Rejected,
    /// The status is a rejection, but the response is not in the provider's own form.
    RejectedByStatus,
    /// The provider limits the rate.
    Throttled,
    Unknown(Reason),
    /// Accepted, but the id was not received.
    IdUnknown(Reason),
}
