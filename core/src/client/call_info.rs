//! The types that the classification of responses, the error text and the retry loop share.

use crate::error::{CallFacts, Reason};
use crate::operation::{Family, Meta, RetrySafety, SuccessMarker};

/// The facts about a call that classification needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallInfo {
    pub(crate) operation: &'static str,
    pub(crate) family: Family,
    pub(crate) safety: RetrySafety,
    /// The member that confirms a success; `None` for an undocumented call.
    pub(crate) success_marker: Option<SuccessMarker>,
    /// Whether a rejection that is not in the provider's own form leaves the outcome unknown.
    pub(crate) strict_rejections: bool,
}

impl CallInfo {
    pub(crate) const fn of(meta: &Meta, strict_rejections: bool) -> Self {
        Self {
            operation: meta.id,
            family: meta.family,
            safety: meta.safety,
            success_marker: Some(meta.success_marker),
            strict_rejections,
        }
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
