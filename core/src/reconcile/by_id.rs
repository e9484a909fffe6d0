//! Reconciliation of operations on a known record: cancel, verify, update and delete.

use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{Finding, Reconcile, covers, holds, parsed_list, value};
use crate::date_time;
use crate::http::{HttpRequest, HttpResponse};
use crate::secret::Secret;

/// Reads the record of a passcode after a cancel whose outcome is unknown or whose retry was rejected.
///
/// The name of the state is undocumented: `canceled` (as in the message of A4) and `cancelled` are both accepted.
pub struct Cancelled {
    get: HttpRequest,
    request_id: String,
}

impl Cancelled {
    /// Creates the reconciliation from the request for the record and the id of the passcode.
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
    fn first_request(&self) -> Option<HttpRequest> {
        Some(self.get.clone())
    }

    fn read_response(&mut self, record: &HttpResponse, _age: Duration) -> Finding {
        let Some(record) = value(record) else { return Finding::Unclear };
        if record.get("sid").and_then(Value::as_str) != Some(&self.request_id) {
            return Finding::Unclear;
        }
        match record.get("status").and_then(Value::as_str) {
            Some("canceled" | "cancelled") => {
                Finding::Done(super::response(&json!({ "code": 200, "requestID": self.request_id })))
            }
            Some("success") => evidence("used successfully"),
            Some("expired") => evidence("expired"),
            Some(_) => evidence("not cancelled"),
            None => Finding::Unclear,
        }
    }

    fn needs_records(&self, _code: i64) -> bool {
        true
    }
}

fn evidence(state: &str) -> Finding {
    Finding::Evidence(format!("the provider's records show the passcode as {state}"))
}

/// The tolerance for the times of records, in seconds: they have no fractions, and two clocks are compared.
const MARGIN: u64 = 2;

/// Reads the checks in the record of a passcode after the response of a verification was lost.
///
/// The records cannot prove that a `valid` check belongs to this call: another call with the same code leaves the same check. If
/// such a check were reported as a success, a used code could be accepted again. So a `valid` check is reported as evidence of an
/// unknown outcome. A single `invalid` check of this code since the call began is reported with the code 400, which this library
/// chose because no code is documented. All times are those of the provider: the header `Date` is compared with `dateReceived`,
/// read as UTC.
pub struct Verified {
    get: HttpRequest,
    request_id: String,
    code: Secret,
}

impl fmt::Debug for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verified").field("get", &self.get).finish_non_exhaustive()
    }
}

impl Verified {
    /// Creates the reconciliation from the request for the record, the id of the passcode and the submitted code.
    #[must_use]
    pub fn new(get: HttpRequest, request_id: impl Into<String>, code: impl Into<String>) -> Self {
        Self { get, request_id: request_id.into(), code: Secret::new(code) }
    }

    fn recent<'a>(&self, record: &'a Value, now: u64, age: Duration) -> Option<&'a str> {
        let text = |check: &'a Value, name| check.get(name).and_then(Value::as_str);
        let oldest = now.saturating_sub(age.as_secs().saturating_add(MARGIN));
        let checks = record.get("checks")?.as_array()?;
        let mut ours = checks.iter().filter(|check| {
            let at = text(check, "dateReceived").and_then(date_time::date_time);
            text(check, "code") == Some(self.code.expose())
                && at.is_some_and(|at| (oldest..=now + MARGIN).contains(&at))
        });
        let status = text(ours.next()?, "status");
        // Of two checks of the same code, one may belong to another call.
        if ours.next().is_some() { None } else { status }
    }
}

impl Reconcile for Verified {
    fn first_request(&self) -> Option<HttpRequest> {
        Some(self.get.clone())
    }

    fn read_response(&mut self, response: &HttpResponse, age: Duration) -> Finding {
        let now = response.header("date").and_then(date_time::http_date);
        let (Some(record), Some(now)) = (value(response), now) else { return Finding::Unclear };
        if record.get("sid").and_then(Value::as_str) != Some(&self.request_id) {
            return Finding::Unclear;
        }
        match self.recent(&record, now, age) {
            Some("valid") => Finding::Evidence(
                "the provider's records show a recent check of this code that was valid; it may belong to another call"
                    .to_owned(),
            ),
            Some("invalid") => {
                Finding::Done(super::response(&json!({ "code": 400 })))
            }
            _ => Finding::Unclear,
        }
    }
}

/// Reads a workflow after an update, which appends channels and must not be repeated.
///
/// A record that ends with the channels of the request does not confirm success, because it may have ended with them before the
/// update. The outcome stays unknown, and the state of the record is reported as evidence.
pub struct Appended {
    get: HttpRequest,
    sid: String,
    channels: Vec<Value>,
    sent: Map<String, Value>,
}

impl Appended {
    /// Creates the reconciliation from the request for the record, its id and the members of the update.
    #[must_use]
    pub fn new(get: HttpRequest, sid: impl Into<String>, mut sent: Map<String, Value>) -> Self {
        let channels = match sent.remove("channels") {
            Some(Value::Array(channels)) => channels,
            _ => Vec::new(),
        };
        Self { get, sid: sid.into(), channels, sent }
    }
}

impl std::fmt::Debug for Appended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Appended").finish_non_exhaustive()
    }
}

impl Reconcile for Appended {
    fn first_request(&self) -> Option<HttpRequest> {
        Some(self.get.clone())
    }

    fn read_response(&mut self, response: &HttpResponse, _age: Duration) -> Finding {
        let body = value(response);
        let Some(record) = body.as_ref().and_then(|body| body.get("data")).filter(|data| data.is_object())
        else {
            return Finding::Unclear;
        };
        if record.get("sid").and_then(Value::as_str) != Some(&self.sid) {
            return Finding::Unclear;
        }
        let channels = record.get("channels").map(parsed_list).unwrap_or_default();
        let channels = channels.as_array().map(Vec::as_slice).unwrap_or_default();
        let shown = if ends_with(channels, &self.channels) && holds(record, &self.sent) {
            "the workflow now ends with these channels; it may have done so before"
        } else {
            "the workflow does not end with these channels now"
        };
        Finding::Evidence(format!("the provider's records show: {shown}"))
    }
}

fn ends_with(held: &[Value], sent: &[Value]) -> bool {
    let last = held.len().checked_sub(sent.len()).and_then(|start| held.get(start..));
    last.is_some_and(|last| last.iter().zip(sent).all(|(held, sent)| covers(held, sent)))
}

/// Concludes that the first attempt of a delete was processed if a retry is rejected because the record is unknown.
///
/// The result is empty, because the record was not received.
#[derive(Clone)]
pub struct Gone {
    unknown: i64,
}

impl Gone {
    /// Creates the reconciliation from the provider's code for an unknown record (limits: 493, workflows: 499).
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
    fn result_of_rejection(&self, code: i64) -> Option<HttpResponse> {
        (code == self.unknown).then(|| super::response(&json!({})))
    }
}
