use std::time::Duration;

use serde_json::{Map, Value};

use super::{Finding, Reconcile, covers, holds, meant, value};
use crate::http::{HttpRequest, HttpResponse};

/// Looks at a workflow after an update, which *appends* its channels and must not be repeated.
///
/// A record that ends with the channels sent proves nothing, since it may have ended so before: what it shows is evidence
/// of an unknown outcome, and never a success.
pub struct Appended {
    get: HttpRequest,
    sid: String,
    channels: Vec<Value>,
    sent: Map<String, Value>,
}

impl Appended {
    /// From the request for the record and the members sent.
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
    fn question(&self) -> Option<HttpRequest> {
        Some(self.get.clone())
    }

    fn read(&mut self, answer: &HttpResponse, _age: Duration) -> Finding {
        let body = value(answer);
        let Some(record) = body.as_ref().and_then(|body| body.get("data")).filter(|data| data.is_object())
        else {
            return Finding::Unclear;
        };
        if record.get("sid").and_then(Value::as_str) != Some(&self.sid) {
            return Finding::Unclear;
        }
        let channels = record.get("channels").map(meant).unwrap_or_default();
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
