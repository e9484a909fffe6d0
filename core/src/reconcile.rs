//! Reconciliation: finds out after an unknown outcome whether an operation was processed.
//!
//! An operation declares its reconciliation in [`crate::operation::Operation::reconcile`]. A reconciliation is a state machine
//! without I/O: it returns requests for the provider's records and reads their responses until it has a [`Finding`]. A finding of
//! success contains a response of the operation's own type, built from the records.

pub(crate) mod by_id;
pub(crate) mod by_name;
pub(crate) mod by_recipient;

use std::time::Duration;

use serde_json::{Map, Value};

use crate::http::{HttpRequest, HttpResponse};

pub(crate) use by_id::{Appended, Cancelled, Gone, Verified};
pub(crate) use by_name::ByName;
pub(crate) use by_recipient::{ByRecipient, SentPasscode};

/// The result of reading the records.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// The operation was processed: a successful response of its own type.
    Done(HttpResponse),
    /// The records do not contain a result of the operation.
    NotFound,
    /// The records do not show whether the operation was processed.
    Unclear,
    /// As `Unclear`, with the content of the records in a sentence without phone numbers, message text or codes.
    Evidence(String),
    /// Another request is needed: send it and read its response.
    Request(Box<HttpRequest>),
}

/// Searches the provider's records for one call.
pub trait Reconcile: Send + Sync {
    /// The first request; `None` if no record must be read.
    fn first_request(&self) -> Option<HttpRequest> {
        None
    }

    /// Reads the response to the last request, `age` after the call began.
    fn read_response(&mut self, _response: &HttpResponse, _age: Duration) -> Finding {
        Finding::Unclear
    }

    /// The response of the operation, if the rejection of a retry with `code` shows that the first attempt was processed.
    fn result_of_rejection(&self, _code: i64) -> Option<HttpResponse> {
        None
    }

    /// Whether the records must be read after the rejection of a retry with `code`.
    fn needs_records(&self, _code: i64) -> bool {
        false
    }
}

fn response(body: &Value) -> HttpResponse {
    HttpResponse::new(200, Vec::new(), body.to_string())
}

fn value(response: &HttpResponse) -> Option<Value> {
    serde_json::from_slice(&response.body).ok()
}

/// Whether a record has these members with these values.
fn holds(record: &Value, sent: &Map<String, Value>) -> bool {
    sent.iter().all(|(name, value)| record.get(name).is_some_and(|held| covers(&parsed_list(held), value)))
}

/// Whether a record contains the sent value. It may contain more members, and numbers as strings.
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

/// The list in a record: `buckets` and `channels` are an array, or a string that contains one.
fn parsed_list(value: &Value) -> Value {
    match value {
        Value::String(text) if text.starts_with('[') => {
            serde_json::from_str(text).unwrap_or_else(|_| value.clone())
        }
        _ => value.clone(),
    }
}
