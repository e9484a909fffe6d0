//! Reconciliation of operations that create a named record.

use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value};

use super::{Finding, Reconcile, holds, value};
use crate::http::{HttpRequest, HttpResponse};

/// The request for a page of the list; `None` is the first one.
type Page = dyn Fn(Option<i64>) -> Option<HttpRequest> + Send + Sync;

/// Searches the pages of a list for a created record by its name, which is unique.
///
/// Records have no time of creation, so a record with the same name and content does not prove that this call created it: the
/// outcome stays unknown, with the record's id as evidence. If no page contains the name, the call may be retried, because the
/// provider rejects a duplicate.
pub struct ByName {
    list: Box<Page>,
    name: String,
    sent: Map<String, Value>,
    duplicate: i64,
    seen: u64,
    /// The last page read.
    page: Option<u64>,
}

impl fmt::Debug for ByName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByName").field("seen", &self.seen).field("page", &self.page).finish_non_exhaustive()
    }
}

impl ByName {
    /// Creates the reconciliation from the requests of the list, the name, the other members, and the provider's code for a
    /// duplicate.
    #[must_use]
    pub fn new(
        list: impl Fn(Option<i64>) -> Option<HttpRequest> + Send + Sync + 'static,
        name: impl Into<String>,
        sent: Map<String, Value>,
        duplicate: i64,
    ) -> Self {
        Self { list: Box::new(list), name: name.into(), sent, duplicate, seen: 0, page: None }
    }
}

impl Reconcile for ByName {
    fn first_request(&self) -> Option<HttpRequest> {
        (self.list)(None)
    }

    fn read_response(&mut self, response: &HttpResponse, _age: Duration) -> Finding {
        let Some(body) = value(response) else { return Finding::Unclear };
        let data = body.get("data");
        let Some(records) = data.and_then(|data| data.get("result")).and_then(Value::as_array) else {
            return Finding::Unclear;
        };
        let named = |record: &&Value| record.get("name").and_then(Value::as_str) == Some(&self.name);
        if let Some(record) = records.iter().find(named) {
            return Finding::Evidence(evidence(record, holds(record, &self.sent)));
        }
        let number = |name| data.and_then(|data| data.get(name)).and_then(Value::as_u64);
        if number("page").is_some_and(|page| self.page.is_some_and(|last| page <= last)) {
            // Repeated pages prove nothing.
            return Finding::Unclear;
        }
        self.page = number("page");
        self.seen += records.len() as u64;
        match (number("page"), number("total")) {
            (Some(page), Some(total)) if !records.is_empty() && self.seen < total => {
                let next = i64::try_from(page + 1).ok().and_then(|page| (self.list)(Some(page)));
                next.map_or(Finding::Unclear, |request| Finding::Request(Box::new(request)))
            }
            (_, Some(total)) if self.seen >= total => Finding::NotFound,
            _ => Finding::Unclear,
        }
    }

    fn needs_records(&self, code: i64) -> bool {
        code == self.duplicate
    }
}

/// Describes a record with the requested name.
fn evidence(record: &Value, is_same: bool) -> String {
    let content = if is_same { "the same" } else { "other" };
    let found = format!("the provider's records contain a record with this name and {content} content");
    match record.get("sid").and_then(Value::as_str).filter(|sid| is_sid(sid)) {
        Some(sid) => format!("{found}: {sid}"),
        None => found,
    }
}

/// Whether a text has the form of a record's id: letters and digits.
fn is_sid(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
