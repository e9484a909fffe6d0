//! The outcome of each element of a bulk response.

use std::collections::BTreeSet;

use crate::model::open_enum;
use crate::operation::{RecipientMatch, ResponseExpectation, Unconfirmed};
use crate::problem::{Pointer, Problems, codes};
use crate::response::response_reader;
use crate::value::Value;

open_enum! {
    /// The outcome of one element of a bulk request.
    pub enum ElementOutcome {
        /// The element has an id.
        Accepted = "accepted",
        /// The element is a rejection.
        Rejected = "rejected",
        /// The element proves nothing, or the response lacks it: it has no id and is not a rejection, it is a rejection with an id,
        /// or it repeats the id or the recipient of another element.
        Missing = "missing",
    }
}

/// One element of the response to a bulk request.
pub(crate) trait Element {
    /// The member that contains the code of a rejection.
    const REJECTION: &'static str;
    /// Whether this code reports a failure.
    const IS_FAILURE: fn(i64) -> bool;

    fn recipient(&self) -> Option<&str>;
    fn id(&self) -> Option<&str>;
    fn member(&self, name: &str) -> Option<&Value>;
    fn set_outcome(&mut self, outcome: ElementOutcome);
}

/// Counts of elements by outcome.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) accepted: i64,
    pub(crate) rejected: i64,
    pub(crate) missing: i64,
    first_rejection: Option<i64>,
}

/// Sets the outcome of each element and counts the outcomes. The second value is `Ok` if at least one
/// element was accepted.
pub(crate) fn confirm<E: Element>(
    elements: &mut [E],
    expected: &ResponseExpectation,
    warnings: &mut Problems,
) -> (Counts, Result<(), Unconfirmed>) {
    let mut counts = Counts::default();
    let mut recipients = expected.recipients.clone();
    let mut ids = BTreeSet::new();
    for element in elements {
        let recipient = recipients.take(element.recipient());
        if recipient == RecipientMatch::Foreign {
            return (Counts::default(), Err(Unconfirmed::Mismatch));
        }
        let code = element.member(E::REJECTION).and_then(response_reader::integer);
        let rejection = code.filter(|code| E::IS_FAILURE(*code));
        let id = element.id().filter(|id| !id.is_empty());
        let is_repeated =
            !expected.test && !expected.repeated_ids && id.is_some_and(|id| !ids.insert(id.to_owned()));
        let outcome = match (id, rejection) {
            _ if is_repeated || recipient == RecipientMatch::Repeated => ElementOutcome::Missing,
            (Some(_), None) => ElementOutcome::Accepted,
            (None, Some(_)) => ElementOutcome::Rejected,
            _ => ElementOutcome::Missing,
        };
        counts.add(&outcome, rejection);
        element.set_outcome(outcome);
    }
    let result = counts.finish(expected.elements, warnings);
    (counts, result)
}

impl Counts {
    fn add(&mut self, outcome: &ElementOutcome, rejection: Option<i64>) {
        match outcome {
            ElementOutcome::Accepted => self.accepted += 1,
            ElementOutcome::Rejected => {
                self.rejected += 1;
                self.first_rejection = self.first_rejection.or(rejection);
            }
            _ => self.missing += 1,
        }
    }

    /// Counts the requested elements that the response lacks.
    fn finish(&mut self, expected: Option<usize>, warnings: &mut Problems) -> Result<(), Unconfirmed> {
        let found = self.accepted + self.rejected + self.missing;
        let expected = expected.and_then(|expected| i64::try_from(expected).ok()).unwrap_or(found);
        if found > expected {
            return Err(Unconfirmed::Mismatch);
        }
        self.missing += expected - found;
        if self.accepted == 0 {
            let all = self.rejected > 0 && self.missing == 0;
            return Err(if all {
                Unconfirmed::AllRejected(self.first_rejection)
            } else {
                Unconfirmed::Missing
            });
        }
        if self.missing > 0 {
            warnings.report(&codes::RESPONSE_ELEMENTS_MISSING, &Pointer::ROOT).limit(
                expected,
                self.accepted + self.rejected,
                "elements",
            );
        }
        Ok(())
    }
}
