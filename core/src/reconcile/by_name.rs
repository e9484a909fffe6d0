use std::time::Duration;

use serde_json::Value;

use super::{Finding, Reconcile, holds, value, wrapped};
use crate::http::{HttpRequest, HttpResponse};

/// Looks for a created record by its name, which is unique, through the pages of a list.
///
/// A record with the name and other content is somebody else's: then nothing is certain. Its absence
/// allows another try, since a duplicate is refused.
#[derive(Debug)]
pub struct ByName {
    list: HttpRequest,
    name: String,
    sent: Vec<(&'static str, Value)>,
    duplicate: i64,
    seen: u64,
}

impl ByName {
    /// From the list's first request, the name, the members sent, and the provider's code for a duplicate.
    #[must_use]
    pub fn new(
        list: HttpRequest,
        name: impl Into<String>,
        sent: Vec<(&'static str, Value)>,
        duplicate: i64,
    ) -> Self {
        Self { list, name: name.into(), sent, duplicate, seen: 0 }
    }

    fn next(&self, page: u64) -> HttpRequest {
        let mut request = self.list.clone();
        let mark = if request.url.contains('?') { '&' } else { '?' };
        request.url.push_str(&format!("{mark}page={page}"));
        request
    }
}

impl Reconcile for ByName {
    fn question(&self) -> Option<HttpRequest> {
        Some(self.list.clone())
    }

    fn read(&mut self, answer: &HttpResponse, _age: Duration) -> Finding {
        let Some(body) = value(answer) else { return Finding::Unclear };
        let data = body.get("data");
        let Some(records) = data.and_then(|data| data.get("result")).and_then(Value::as_array) else {
            return Finding::Unclear;
        };
        let named = |record: &&Value| record.get("name").and_then(Value::as_str) == Some(&self.name);
        if let Some(record) = records.iter().find(named) {
            return if holds(record, &self.sent) { Finding::Done(wrapped(record)) } else { Finding::Unclear };
        }
        let number = |name| data.and_then(|data| data.get(name)).and_then(Value::as_u64);
        self.seen += records.len() as u64;
        match (number("page"), number("total")) {
            (Some(page), Some(total)) if !records.is_empty() && self.seen < total => {
                Finding::Ask(Box::new(self.next(page + 1)))
            }
            _ => Finding::NotFound,
        }
    }

    fn doubts(&self, code: i64) -> bool {
        code == self.duplicate
    }
}
