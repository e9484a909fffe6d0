use std::time::Duration;

use serde_json::{Value, json};

use super::{Finding, Reconcile, answer, value};
use crate::http::{HttpRequest, HttpResponse};

/// Looks at the session of an OTP after a cancel whose repetition was refused.
///
/// The specification does not show the name of the state; `canceled` (as in its message) and
/// `cancelled` count.
pub struct Cancelled {
    get: HttpRequest,
    request_id: String,
}

impl Cancelled {
    /// From the request for the session and the id of the OTP.
    #[must_use]
    pub fn new(get: HttpRequest, request_id: impl Into<String>) -> Self {
        Self { get, request_id: request_id.into() }
    }
}

impl std::fmt::Debug for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cancelled").finish_non_exhaustive()
    }
}

impl Reconcile for Cancelled {
    fn question(&self) -> Option<HttpRequest> {
        Some(self.get.clone())
    }

    fn read(&mut self, session: &HttpResponse, _age: Duration) -> Finding {
        let Some(session) = value(session) else { return Finding::Unclear };
        if session.get("sid").and_then(Value::as_str) != Some(&self.request_id) {
            return Finding::Unclear;
        }
        match session.get("status").and_then(Value::as_str) {
            Some("canceled" | "cancelled") => {
                Finding::Done(answer(&json!({ "code": 200, "requestID": self.request_id })))
            }
            Some("success") => evidence("used successfully"),
            Some("expired") => evidence("expired"),
            Some(_) => evidence("not cancelled"),
            None => Finding::Unclear,
        }
    }

    fn doubts(&self, _code: i64) -> bool {
        true
    }
}

fn evidence(state: &str) -> Finding {
    Finding::Evidence(format!("the provider's records show the passcode as {state}"))
}
