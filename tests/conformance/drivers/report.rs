//! What a driver reports of a call that failed.

use cpaas::error::{Outcome, Processed};

/// A rejection with a status of 5xx may have been processed.
pub(crate) fn report(error: &cpaas::Error) -> &'static str {
    match (error.processed(), error.outcome) {
        (Processed::Yes, _) => "accepted",
        (Processed::Maybe, _) => "unknown",
        (Processed::No, Outcome::NotSent) => "not sent",
        (Processed::No, Outcome::Rejected) => "rejected",
        (Processed::No, _) => "invalid",
    }
}
