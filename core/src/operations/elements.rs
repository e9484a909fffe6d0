//! What the elements of a bulk response say, one by one.

use crate::macros::open_enum;
use crate::operation::Doubt;
use crate::problem::{Pointer, Problems, codes};

open_enum! {
    /// What became of one element of a bulk request.
    pub enum ElementOutcome {
        /// It has an id.
        Accepted = "accepted",
        /// It is a refusal.
        Rejected = "rejected",
        /// The response says neither.
        Missing = "missing",
    }
}

/// Counts of elements by outcome.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) accepted: i64,
    pub(crate) rejected: i64,
    pub(crate) missing: i64,
    refusal: Option<i64>,
}

impl Tally {
    /// Adds an element by its id and the code of its refusal.
    pub(crate) fn add(&mut self, id: Option<&str>, refusal: Option<i64>) -> ElementOutcome {
        if let Some(code) = refusal.filter(|code| *code != 0) {
            self.rejected += 1;
            self.refusal.get_or_insert(code);
            ElementOutcome::Rejected
        } else if id.is_some_and(|id| !id.is_empty()) {
            self.accepted += 1;
            ElementOutcome::Accepted
        } else {
            self.missing += 1;
            ElementOutcome::Missing
        }
    }

    /// Counts the elements that were asked for and did not come; judges the whole.
    pub(crate) fn judge(&mut self, expected: Option<usize>, warnings: &mut Problems) -> Result<(), Doubt> {
        let found = self.accepted + self.rejected + self.missing;
        let expected = expected.and_then(|expected| i64::try_from(expected).ok()).unwrap_or(found);
        if found > expected {
            return Err(Doubt::Mismatch);
        }
        self.missing += expected - found;
        if self.accepted == 0 {
            let all = self.rejected > 0 && self.missing == 0;
            return Err(if all { Doubt::AllRejected(self.refusal) } else { Doubt::Missing });
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
