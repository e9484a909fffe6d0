use serde_json::json;

use super::{Reconcile, wrapped};
use crate::http::HttpResponse;

/// A delete whose repetition is refused because the record is unknown was done by the first try.
///
/// The answer is built from what is known: its record holds the `sid` and nothing else.
#[derive(Clone)]
pub struct Gone {
    sid: String,
    unknown: i64,
}

impl Gone {
    /// From the record's id and the provider's code for an unknown one (493 limits, 499 workflows).
    #[must_use]
    pub fn new(sid: impl Into<String>, unknown: i64) -> Self {
        Self { sid: sid.into(), unknown }
    }
}

impl std::fmt::Debug for Gone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gone").finish_non_exhaustive()
    }
}

impl Reconcile for Gone {
    fn refused(&self, code: i64) -> Option<HttpResponse> {
        (code == self.unknown).then(|| wrapped(&json!({ "sid": self.sid })))
    }
}
