use std::time::Duration;

use serde_json::{Value, json};

use super::{Finding, Reconcile, answer, value};
use crate::clock;
use crate::http::{HttpRequest, HttpResponse};
use crate::secret::Secret;

/// Whole seconds are recorded, and two clocks tick.
const MARGIN: u64 = 2;

/// Looks at the checks of an OTP's session after a verification whose response was lost.
///
/// The records cannot prove that this call's check was `valid`: another call's check of the same code looks the same, and
/// counting it would let a used code pass again. `valid` in the records is reported as evidence of an unknown outcome. A
/// check of this code that was `invalid`, the only one since the call began by the provider's own clock (the `Date`
/// header against `dateReceived`, taken as UTC), answers with the code 400, which is ours: the specification shows none.
pub struct Verified {
    get: HttpRequest,
    request_id: String,
    code: Secret,
}

impl Verified {
    /// From the request for the session, the id of the OTP and the code submitted.
    #[must_use]
    pub fn new(get: HttpRequest, request_id: impl Into<String>, code: impl Into<String>) -> Self {
        Self { get, request_id: request_id.into(), code: Secret::new(code) }
    }

    fn recent<'a>(&self, session: &'a Value, now: u64, age: Duration) -> Option<&'a str> {
        let text = |check: &'a Value, name| check.get(name).and_then(Value::as_str);
        let oldest = now.saturating_sub(age.as_secs() + MARGIN);
        let checks = session.get("checks")?.as_array()?;
        let mut ours = checks.iter().filter(|check| {
            let at = text(check, "dateReceived").and_then(clock::date_time);
            text(check, "code") == Some(self.code.expose())
                && at.is_some_and(|at| (oldest..=now + MARGIN).contains(&at))
        });
        let status = text(ours.next()?, "status");
        // Two checks of one code at the same time: another call's may be among them.
        if ours.next().is_some() { None } else { status }
    }
}

impl Reconcile for Verified {
    fn question(&self) -> Option<HttpRequest> {
        Some(self.get.clone())
    }

    fn read(&mut self, response: &HttpResponse, age: Duration) -> Finding {
        let now = response.header("date").and_then(clock::http_date);
        let (Some(session), Some(now)) = (value(response), now) else { return Finding::Unclear };
        if session.get("sid").and_then(Value::as_str) != Some(&self.request_id) {
            return Finding::Unclear;
        }
        match self.recent(&session, now, age) {
            Some("valid") => Finding::Evidence(
                "the provider's records show a recent check of this code that was valid; it may belong to another call"
                    .to_owned(),
            ),
            Some("invalid") => {
                Finding::Done(answer(&json!({ "code": 400 })))
            }
            _ => Finding::Unclear,
        }
    }
}
