//! What a call names: an operation of the table, or `raw` for any endpoint.

use cpaas_core::client::{Client, RawCall};
use cpaas_core::error::{Error, Outcome, Reason, SentState};
use cpaas_core::http::HttpResponse;
use cpaas_core::operation::{Family, Method};
use cpaas_core::operations::OperationId;
use serde_json::{Map, Value, json};

use crate::cpaas_status;

/// The name that is no operation's.
const RAW: &str = "raw";
const MEMBERS: [&str; 6] = ["method", "family", "path", "query", "headers", "body"];

#[derive(Clone, Copy)]
pub(crate) enum Called {
    Operation(OperationId),
    Raw,
}

impl Called {
    pub(crate) fn find(name: &str) -> Result<Self, cpaas_status> {
        match OperationId::find(name) {
            Some(operation) => Ok(Self::Operation(operation)),
            None if name == RAW => Ok(Self::Raw),
            None => Err(cpaas_status::CPAAS_BAD_NAME),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Operation(operation) => operation.meta().id,
            Self::Raw => RAW,
        }
    }

    /// The answer as JSON.
    pub(crate) async fn call(self, client: &Client, request: &str) -> Result<String, Error> {
        match self {
            Self::Operation(operation) => {
                client.call_json(operation, request).await.map(|answer| answer.value)
            }
            Self::Raw => {
                let answer = client.call_raw(read(request)?).await?;
                Ok(written(&answer.raw, answer.value))
            }
        }
    }
}

fn read(request: &str) -> Result<RawCall, Error> {
    let wrong =
        |message: &'static str| Error::new(Outcome::Invalid, SentState::No, Reason::Validation, RAW, message);
    let members: Map<String, Value> = serde_json::from_str(request)
        .map_err(|_| wrong("nothing was sent: the request is not a JSON object"))?;
    if members.keys().any(|name| !MEMBERS.contains(&name.as_str())) {
        return Err(wrong(
            "nothing was sent: a raw request has method, family, path, query, headers and body only",
        ));
    }
    let text = |name: &str| members.get(name).and_then(Value::as_str).unwrap_or_default();
    let method = Method::from_name(text("method"))
        .ok_or_else(|| wrong("nothing was sent: /method is GET, POST, PUT or DELETE"))?;
    let family = Family::from_name(text("family")).ok_or_else(|| {
        wrong("nothing was sent: /family is otp, sms, lookup, messaging, messenger_b or bot")
    })?;
    if !text("path").starts_with('/') {
        return Err(wrong("nothing was sent: /path is a text that begins with `/`"));
    }
    let mut call = RawCall::new(method, family, text("path"));
    let pairs = |name, message| pairs(members.get(name)).ok_or_else(|| wrong(message));
    for (name, value) in pairs("query", "nothing was sent: /query is an object of texts and numbers")? {
        call = call.query(name, value);
    }
    for (name, value) in pairs("headers", "nothing was sent: /headers is an object of texts and numbers")? {
        call = call.header(name, value);
    }
    Ok(match members.get("body") {
        None | Some(Value::Null) => call,
        Some(body) => call.body(body.clone()),
    })
}

/// `None` for what is no object of texts and numbers.
fn pairs(members: Option<&Value>) -> Option<Vec<(String, String)>> {
    match members {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::Object(members)) => {
            members.iter().map(|(name, value)| Some((name.clone(), plain(value)?))).collect()
        }
        Some(_) => None,
    }
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// XML, of which there is no value, stands as a text.
fn written(answer: &HttpResponse, value: Value) -> String {
    let body = match value {
        Value::Null if answer.body.trim_ascii_start().starts_with(b"<") => {
            String::from_utf8_lossy(&answer.body).into()
        }
        value => value,
    };
    let headers: Map<_, _> =
        answer.headers.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    json!({"status": answer.status, "headers": headers, "body": body}).to_string()
}
