//! The target of a call: an operation of the table, or `raw` for any endpoint.

use cpaas_core::OperationId;
use cpaas_core::client::{Client, RawCall};
use cpaas_core::error::{Error, Outcome, Reason, SentState};
use cpaas_core::http::HttpResponse;
use serde_json::{Map, Value, json};

use crate::boundary::{Failure, Output};
use crate::cpaas_status;

/// The name of a call to any endpoint.
const RAW: &str = "raw";
/// The fields of a raw request.
const RAW_FIELDS: [&str; 6] = ["method", "family", "path", "query", "headers", "body"];

#[derive(Clone, Copy)]
pub(crate) enum Target {
    Operation(OperationId),
    Raw,
}

impl Target {
    pub(crate) fn find(name: &str) -> Result<Self, Failure> {
        match OperationId::find(name) {
            Some(operation) => Ok(Self::Operation(operation)),
            None if name == RAW => Ok(Self::Raw),
            None => Err(Failure::Argument(
                cpaas_status::CPAAS_BAD_NAME,
                "operation",
                "must be `raw` or the id of an operation, as cpaas_operations lists them",
            )),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Operation(operation) => operation.meta().id,
            Self::Raw => RAW,
        }
    }

    /// The status and the output of a result. An invalid passcode has its own status, so that `CPAAS_OK`
    /// always means a valid passcode.
    pub(crate) fn to_output(self, result: Result<String, Error>) -> Output {
        match (self, result) {
            (Self::Operation(operation), Ok(json)) if operation.is_not_verified(&json) => {
                Err(Failure::Output(cpaas_status::CPAAS_NOT_VERIFIED, Some(json)))
            }
            (_, result) => call_output(result),
        }
    }

    /// The record of a call that was cancelled before it began.
    pub(crate) fn cancelled(self) -> Error {
        let message = "cancelled; nothing was sent";
        Error::new(Outcome::NotSent, SentState::No, Reason::Cancelled, self.name(), message)
    }

    /// Runs the call; returns its result as JSON.
    pub(crate) async fn call(self, client: &Client, request: &str) -> Result<String, Error> {
        match self {
            Self::Operation(operation) => {
                client.call_json(operation, request).await.map(|response| response.value)
            }
            Self::Raw => {
                let response = client.call_raw(raw_call(request)?).await?;
                Ok(raw_response_json(&response.raw, response.value))
            }
        }
    }
}

/// Reads the request of a raw call.
fn raw_call(request: &str) -> Result<RawCall, Error> {
    let invalid = |message: &str| {
        let message = format!("nothing was sent: {message}");
        Error::new(Outcome::Invalid, SentState::No, Reason::Validation, RAW, message)
    };
    let fields: Map<String, Value> =
        serde_json::from_str(request).map_err(|_| invalid("the request must be a JSON object"))?;
    if fields.keys().any(|name| !RAW_FIELDS.contains(&name.as_str())) {
        return Err(invalid(
            "unknown field; the fields of a raw request are method, family, path, query, headers and body",
        ));
    }
    let string = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
    let call = RawCall::from_names(string("method"), string("family"), string("path"));
    let mut call = call.map_err(invalid)?;
    if !string("path").starts_with('/') {
        return Err(invalid("path must be a string that starts with /"));
    }
    let pairs = |name, message| pairs(fields.get(name)).ok_or_else(|| invalid(message));
    for (name, value) in pairs("query", "query must be an object of strings and numbers")? {
        call = call.query(name, value);
    }
    for (name, value) in pairs("headers", "headers must be an object of strings and numbers")? {
        call = call.header(name, value);
    }
    Ok(match fields.get("body") {
        None | Some(Value::Null) => call,
        Some(body) => call.body(body.clone()),
    })
}

/// The members of an object of strings and numbers; `None` for any other value.
fn pairs(object: Option<&Value>) -> Option<Vec<(String, String)>> {
    match object {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::Object(members)) => {
            members.iter().map(|(name, value)| Some((name.clone(), string_or_number(value)?))).collect()
        }
        Some(_) => None,
    }
}

fn string_or_number(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The response of a raw call as JSON; an XML body becomes a string.
fn raw_response_json(response: &HttpResponse, value: Value) -> String {
    let body = match value {
        Value::Null if response.body.trim_ascii_start().starts_with(b"<") => {
            String::from_utf8_lossy(&response.body).into()
        }
        value => value,
    };
    let headers = response.headers.iter().map(|(name, value)| (name.clone(), value.as_str().into()));
    let headers: Map<String, Value> = headers.collect();
    json!({"status": response.status, "headers": headers, "body": body}).to_string()
}

/// The result of a call, or the status and the error record.
pub(crate) fn call_output(result: Result<String, Error>) -> Output {
    result.map(Some).map_err(|error| {
        let status = match error.outcome {
            Outcome::Invalid => cpaas_status::CPAAS_INVALID,
            Outcome::Rejected => cpaas_status::CPAAS_REJECTED,
            Outcome::NotSent => cpaas_status::CPAAS_NOT_SENT,
            Outcome::Unknown => cpaas_status::CPAAS_UNKNOWN,
            Outcome::AcceptedIdUnknown => cpaas_status::CPAAS_ACCEPTED_ID_UNKNOWN,
        };
        Failure::Output(status, Some(error.to_json()))
    })
}
