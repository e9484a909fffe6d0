//! Whether a request took effect, and whether it may be repeated.

use super::{Outcome, Processed, Record};
use crate::retry_safety::RetrySafety;

/// The facts of a call that `processed` and `retryable` depend on, besides the members of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CallFacts {
    /// How the request may be retried; `None` for an error outside of a call.
    pub(crate) safety: Option<RetrySafety>,
    /// Whether codes of 500 and more report a failure of the provider (family `otp`).
    pub(crate) has_failure_codes: bool,
    /// Whether the provider itself limits the rate.
    pub(crate) is_throttled: bool,
    /// Whether the server's certificate was rejected.
    pub(crate) is_certificate_rejected: bool,
}

/// Where `processed` and `retryable` come from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Facts {
    /// They follow from the call.
    OfCall(CallFacts),
    /// A stored record contains them, but not the facts of its call.
    Stored { processed: Processed, retryable: bool },
}

impl CallFacts {
    /// Facts of calls. Each other call has the effect of one of these.
    fn examples() -> impl Iterator<Item = Self> {
        let safeties = [None, Some(RetrySafety::Read), Some(RetrySafety::Idempotent)];
        safeties.into_iter().flat_map(|safety| {
            (0..8_u8).map(move |bits| Self {
                safety,
                has_failure_codes: bits & 1 != 0,
                is_throttled: bits & 2 != 0,
                is_certificate_rejected: bits & 4 != 0,
            })
        })
    }
}

impl Default for Facts {
    fn default() -> Self {
        Self::OfCall(CallFacts::default())
    }
}

impl Record {
    /// Whether the request took effect at the provider: `No` for an invalid request, a request that was not sent and a rejection,
    /// but `Maybe` for a rejection with HTTP 500 to 599 or a code of the family `otp` of 500 and more; `Maybe` for an unknown
    /// outcome; `Yes` if only the id is unknown. Of a stored record: as stored, until a change of its members excludes that.
    #[must_use]
    pub fn processed(&self) -> Processed {
        self.effect().0
    }

    /// Whether the same request with the same settings may succeed later and cannot act twice. After a rate limit, wait for
    /// `retry_after_ms` first. Of a stored record: as stored, until a change of its members excludes that.
    #[must_use]
    pub fn retryable(&self) -> bool {
        self.effect().1
    }

    fn effect(&self) -> (Processed, bool) {
        match self.facts {
            Facts::OfCall(facts) => self.effect_with(facts),
            Facts::Stored { processed, retryable } if self.is_possible(processed, retryable) => {
                (processed, retryable)
            }
            Facts::Stored { .. } => self.effect_with(CallFacts::default()),
        }
    }

    /// Whether a call that ended with this record may have had this effect.
    pub(super) fn is_possible(&self, processed: Processed, retryable: bool) -> bool {
        CallFacts::examples().any(|facts| self.effect_with(facts) == (processed, retryable))
    }

    fn effect_with(&self, facts: CallFacts) -> (Processed, bool) {
        match self.outcome {
            Outcome::Invalid => (Processed::No, false),
            Outcome::NotSent => {
                (Processed::No, !self.reason.is_permanent() && !facts.is_certificate_rejected)
            }
            Outcome::Rejected if self.is_failure_of_provider(facts) => {
                (Processed::Maybe, facts.safety == Some(RetrySafety::Read))
            }
            Outcome::Rejected => (Processed::No, facts.is_throttled),
            Outcome::Unknown => (Processed::Maybe, facts.safety.is_some_and(RetrySafety::is_repeatable)),
            Outcome::AcceptedIdUnknown => (Processed::Yes, false),
        }
    }

    /// Whether a rejection reports that the provider failed, so that the request may have been processed.
    fn is_failure_of_provider(&self, facts: CallFacts) -> bool {
        self.status.is_some_and(|status| (500..=599).contains(&status))
            || facts.has_failure_codes && self.code.is_some_and(|code| code >= 500)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Error, Reason, SentState};
    use super::*;

    use RetrySafety::{Append, Cancel, Create, Idempotent, Lookup, Read, Send, Verify};

    /// Every operation class, whether it reads, and whether its second request changes nothing.
    const CLASSES: [(Option<RetrySafety>, bool, bool); 9] = [
        (Some(Read), true, true),
        (Some(Idempotent), false, true),
        (Some(Cancel), false, true),
        (Some(Send), false, false),
        (Some(Lookup), false, false),
        (Some(Create), false, false),
        (Some(Append), false, false),
        (Some(Verify), false, false),
        (None, false, false),
    ];

    fn facts(safety: Option<RetrySafety>) -> CallFacts {
        CallFacts { safety, ..CallFacts::default() }
    }

    fn effect(outcome: Outcome, reason: Reason, facts: CallFacts) -> (&'static str, bool) {
        let mut error = Error::new(outcome, SentState::Maybe, reason, "x", "y");
        error.record_mut().set_facts(facts);
        (error.processed().as_str(), error.retryable())
    }

    fn rejected(status: u16, code: i64, facts: CallFacts) -> (&'static str, bool) {
        let mut error = Error::new(Outcome::Rejected, SentState::Yes, Reason::Http, "x", "y");
        let record = error.record_mut();
        (record.status, record.code) = (Some(status), Some(code));
        record.set_facts(facts);
        (error.processed().as_str(), error.retryable())
    }

    #[test]
    fn nothing_sent_has_no_effect_and_may_be_repeated_unless_only_a_change_can_help() {
        for facts in CLASSES.map(|(safety, ..)| facts(safety)) {
            for reason in [
                Reason::Dns,
                Reason::Connect,
                Reason::Proxy,
                Reason::Timeout,
                Reason::Deadline,
                Reason::Reset,
                Reason::Resources,
                Reason::Cancelled,
                Reason::Tls,
            ] {
                assert_eq!(effect(Outcome::NotSent, reason, facts), ("no", true), "{reason:?}");
            }
            assert_eq!(effect(Outcome::NotSent, Reason::Runtime, facts), ("no", false));
            let untrusted = CallFacts { is_certificate_rejected: true, ..facts };
            assert_eq!(effect(Outcome::NotSent, Reason::Tls, untrusted), ("no", false));
            for reason in [Reason::Validation, Reason::Config] {
                assert_eq!(effect(Outcome::Invalid, reason, facts), ("no", false));
            }
        }
    }

    #[test]
    fn an_unknown_outcome_may_be_repeated_if_a_second_request_changes_nothing() {
        for reason in [Reason::Http, Reason::Decode, Reason::Reset, Reason::Cancelled, Reason::Connect] {
            for (safety, _, is_repeatable) in CLASSES {
                let facts = facts(safety);
                assert_eq!(effect(Outcome::Unknown, reason, facts), ("maybe", is_repeatable), "{safety:?}");
                assert_eq!(effect(Outcome::AcceptedIdUnknown, reason, facts), ("yes", false));
            }
        }
    }

    #[test]
    fn a_rejection_has_no_effect_unless_the_provider_failed() {
        for (safety, is_read, _) in CLASSES {
            let facts = facts(safety);
            let otp = CallFacts { has_failure_codes: true, ..facts };
            for (status, code) in [(499, 499), (400, 990), (200, 990), (302, 1), (600, 1)] {
                assert_eq!(rejected(status, code, facts), ("no", false), "{status} {code}");
            }
            for status in [500, 503, 599] {
                assert_eq!(rejected(status, 1, facts), ("maybe", is_read), "{status}");
            }
            assert_eq!(rejected(200, 499, otp), ("no", false));
            assert_eq!(rejected(200, 500, otp), ("maybe", is_read));
            assert_eq!(rejected(400, 600, otp), ("maybe", is_read));
            let throttled = CallFacts { is_throttled: true, ..facts };
            assert_eq!(rejected(429, 429, throttled), ("no", true));
            // A failure with the status of a rate limit may have been processed.
            assert_eq!(rejected(429, 500, CallFacts { is_throttled: true, ..otp }), ("maybe", is_read));
            assert_eq!(rejected(429, 902, facts), ("no", false));
        }
    }

    #[test]
    fn the_record_contains_both_members_and_they_cannot_be_set() {
        let mut error = Error::new(Outcome::Unknown, SentState::Maybe, Reason::Reset, "sms.send", "m");
        let record = r#"{"outcome":"unknown","sent":"maybe","reason":"reset","operation":"sms.send","message":"m","processed":"maybe","retryable":false,"attempts":0}"#;
        assert_eq!(error.to_json(), record);
        error.record_mut().outcome = Outcome::NotSent;
        assert_eq!((error.processed(), error.retryable()), (Processed::No, true));
        let mut stored: Record = serde_json::from_str(&record.replace("false", "true")).unwrap();
        assert_eq!((stored.processed(), stored.retryable()), (Processed::Maybe, true));
        stored.outcome = Outcome::AcceptedIdUnknown;
        assert_eq!((stored.processed(), stored.retryable()), (Processed::Yes, false));
    }
}
