//! The outcome of each element of a bulk response.

use crate::model::open_enum;
use crate::operation::{Doubt, Expected};
use crate::problem::{Pointer, Problems, codes};
use crate::value::Value;

open_enum! {
    /// The outcome of one element of a bulk request.
    pub enum ElementOutcome {
        /// The element has an id.
        Accepted = "accepted",
        /// The element is a rejection.
        Rejected = "rejected",
        /// The element has no id and is not a rejection, or the response lacks the element.
        Missing = "missing",
    }
}

/// One element of the response to a bulk request.
pub(crate) trait Element {
    /// The member that contains the code of a rejection.
    const REJECTION: &'static str;

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
    expected: &Expected,
    warnings: &mut Problems,
) -> (Counts, Result<(), Doubt>) {
    let mut counts = Counts::default();
    if elements.iter().any(|element| !expected.recipients.include(element.recipient())) {
        return (counts, Err(Doubt::Mismatch));
    }
    for element in elements {
        let rejection = element.member(E::REJECTION).and_then(Value::as_i64);
        let outcome = counts.add(element.id(), rejection);
        element.set_outcome(outcome);
    }
    let result = counts.finish(expected.elements, warnings);
    (counts, result)
}

impl Counts {
    /// Counts an element by its id and the code of its rejection.
    fn add(&mut self, id: Option<&str>, rejection: Option<i64>) -> ElementOutcome {
        if let Some(code) = rejection.filter(|code| *code != 0) {
            self.rejected += 1;
            self.first_rejection.get_or_insert(code);
            ElementOutcome::Rejected
        } else if id.is_some_and(|id| !id.is_empty()) {
            self.accepted += 1;
            ElementOutcome::Accepted
        } else {
            self.missing += 1;
            ElementOutcome::Missing
        }
    }

    /// Counts the requested elements that the response lacks.
    fn finish(&mut self, expected: Option<usize>, warnings: &mut Problems) -> Result<(), Doubt> {
        let found = self.accepted + self.rejected + self.missing;
        let expected = expected.and_then(|expected| i64::try_from(expected).ok()).unwrap_or(found);
        if found > expected {
            return Err(Doubt::Mismatch);
        }
        self.missing += expected - found;
        if self.accepted == 0 {
            let all = self.rejected > 0 && self.missing == 0;
            return Err(if all { Doubt::AllRejected(self.first_rejection) } else { Doubt::Missing });
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
