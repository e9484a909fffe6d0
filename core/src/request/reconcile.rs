//! Finding out, after an unknown outcome, whether an operation was done.
//!
//! An operation declares in [`crate::operation::Operation::reconcile`] how the provider's records
//! answer that question. A reconciliation is a small machine without I/O: it asks for requests and
//! reads their answers until it has a [`Finding`]. What it finds is an answer in the operation's own
//! shape, built from what the records hold, so that the caller gets the same type either way.

mod by_name;
mod cancelled;
mod gone;
mod verified;
mod workflow;

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::http::{HttpRequest, HttpResponse};

pub use by_name::ByName;
pub use cancelled::Cancelled;
pub use gone::Gone;
pub use verified::Verified;
pub use workflow::Appended;

/// What the records say.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// It was done: an answer of success in the operation's own shape.
    Done(HttpResponse),
    /// The records do not show it.
    NotFound,
    /// The records cannot tell.
    Unclear,
    /// The records cannot tell; what they show, in a sentence without numbers, texts or codes.
    Evidence(String),
    /// Another question is needed.
    Ask(Box<HttpRequest>),
}

/// How one call is looked for in the provider's records.
pub trait Reconcile: Send + Sync {
    /// The first question; none when the records need not be asked.
    fn question(&self) -> Option<HttpRequest> {
        None
    }

    /// Reads the answer to the last question, `age` after the call began.
    fn read(&mut self, _answer: &HttpResponse, _age: Duration) -> Finding {
        Finding::Unclear
    }

    /// The answer when the provider refuses a repetition with `code`, and that refusal says that the
    /// first try was done.
    fn refused(&self, _code: i64) -> Option<HttpResponse> {
        None
    }

    /// Whether a refusal of a repetition with `code` is worth a question.
    fn doubts(&self, _code: i64) -> bool {
        false
    }
}

/// A response of family A around a record, and nothing besides.
fn wrapped(data: &Value) -> HttpResponse {
    answer(&json!({ "data": data }))
}

fn answer(body: &Value) -> HttpResponse {
    HttpResponse::new(200, Vec::new(), body.to_string())
}

fn value(answer: &HttpResponse) -> Option<Value> {
    serde_json::from_slice(&answer.body).ok()
}

/// Whether the record holds these members with these values.
fn holds(record: &Value, sent: &Map<String, Value>) -> bool {
    sent.iter().all(|(name, value)| record.get(name).is_some_and(|held| covers(&meant(held), value)))
}

/// Whether a record shows what was sent; it may show more, and numbers as text.
fn covers(held: &Value, sent: &Value) -> bool {
    match (held, sent) {
        (Value::Object(held), Value::Object(sent)) => {
            sent.iter().all(|(name, value)| held.get(name).is_some_and(|held| covers(held, value)))
        }
        (Value::Array(held), Value::Array(sent)) => {
            held.len() == sent.len() && held.iter().zip(sent).all(|(held, sent)| covers(held, sent))
        }
        (Value::Number(number), Value::String(text)) | (Value::String(text), Value::Number(number)) => {
            *text == number.to_string()
        }
        _ => held == sent,
    }
}

/// `buckets` and `channels` may stand in a record as an array or as text that holds one.
fn meant(value: &Value) -> Value {
    match value {
        Value::String(text) if text.starts_with('[') => {
            serde_json::from_str(text).unwrap_or_else(|_| value.clone())
        }
        _ => value.clone(),
    }
}
