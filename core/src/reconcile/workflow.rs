use std::time::Duration;

use serde_json::{Map, Value};

use super::{Finding, Reconcile, covers, holds, meant, value, wrapped};
use crate::http::{HttpRequest, HttpResponse};

/// Looks at a workflow after an update, which *appends* its channels and must not be repeated.
///
/// It was done when the record has the description sent and ends with the channels sent. When it ends
/// with them twice over, an earlier update may have put them there: unclear.
pub struct Appended {
    get: HttpRequest,
    channels: Vec<Value>,
    sent: Map<String, Value>,
}

impl Appended {
    /// From the request for the record and the members sent.
    #[must_use]
    pub fn new(get: HttpRequest, mut sent: Map<String, Value>) -> Self {
        let channels = match sent.remove("channels") {
            Some(Value::Array(channels)) => channels,
            _ => Vec::new(),
        };
        Self { get, channels, sent }
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
        let channels = record.get("channels").map(meant).unwrap_or_default();
        let channels = channels.as_array().map(Vec::as_slice).unwrap_or_default();
        let appended = match without(channels, &self.channels) {
            None => return Finding::NotFound,
            Some(rest) => self.channels.is_empty() || without(rest, &self.channels).is_none(),
        };
        match (appended, holds(record, &self.sent)) {
            (true, true) => Finding::Done(wrapped(record)),
            (_, false) => Finding::NotFound,
            (false, true) => Finding::Unclear,
        }
    }
}

/// What stands before these channels, when the record ends with them.
fn without<'a>(held: &'a [Value], sent: &[Value]) -> Option<&'a [Value]> {
    let (rest, last) = held.split_at_checked(held.len().checked_sub(sent.len())?)?;
    last.iter().zip(sent).all(|(held, sent)| covers(held, sent)).then_some(rest)
}
