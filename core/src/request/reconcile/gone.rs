use serde_json::json;

use super::{Reconcile, answer};
use crate::http::HttpResponse;

/// A delete whose repetition is refused because the record is unknown was done by the first try.
///
/// The result holds nothing, since nothing of the record was received.
#[derive(Clone)]
pub struct Gone {
    unknown: i64,
}

impl Gone {
    /// From the provider's code for an unknown record (493 limits, 499 workflows).
    #[must_use]
    pub const fn new(unknown: i64) -> Self {
        Self { unknown }
    }
}

impl std::fmt::Debug for Gone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gone").finish_non_exhaustive()
    }
}

impl Reconcile for Gone {
    fn refused(&self, code: i64) -> Option<HttpResponse> {
        (code == self.unknown).then(|| answer(&json!({})))
    }
}
