use serde::Deserialize;

use super::road::Passed;
use crate::error::{Error, Outcome, Reason, Sent};
use crate::http::{HttpRequest, HttpResponse};
use crate::operation::Family;

/// The members of an answer that say whether it was a success.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Verdict {
    code: Option<i64>,
    message: Option<String>,
    #[serde(rename = "responseCode")]
    response_code: Option<i64>,
    #[serde(rename = "responseText")]
    response_text: Option<String>,
}

/// The error that an answer stands for, or none when it is a success.
pub(crate) fn refusal(request: &HttpRequest, response: &HttpResponse) -> Option<Error> {
    let body: Verdict = serde_json::from_slice(&response.body).unwrap_or_default();
    let (code, said) = match request.family {
        Family::Sms => (body.response_code.filter(|code| *code != 0), body.response_text),
        Family::Otp => (body.code.filter(|code| *code != 200), body.message),
        _ => (body.code, body.message),
    };
    let success = (200..300).contains(&response.status);
    if success && (code.is_none() || !matches!(request.family, Family::Sms | Family::Otp)) {
        return None;
    }
    let status = response.status;
    let unknown = code.is_none() && matches!(status, 408 | 500 | 502 | 503 | 504);
    let (outcome, sent, message) = if unknown {
        (Outcome::Unknown, Sent::Maybe, format!("HTTP {status}: the request may have been processed"))
    } else {
        (
            Outcome::Rejected,
            Sent::Yes,
            format!("the provider refused it (HTTP {status}); nothing was sent on"),
        )
    };
    let mut error = Error::new(outcome, sent, Reason::Http, request.operation, message);
    let record = error.record_mut();
    record.status = Some(status);
    record.code = code;
    record.provider_message = said;
    Some(error)
}

/// A success whose body cannot be read.
pub(crate) fn unreadable(operation: &'static str, family: Family, passed: &Passed) -> Error {
    let (outcome, sent) = match family {
        Family::Messaging => (Outcome::AcceptedIdUnknown, Sent::Yes),
        _ => (Outcome::Unknown, Sent::Maybe),
    };
    let message = "the answer cannot be read; the request may have been processed";
    let mut error = Error::new(outcome, sent, Reason::Decode, operation, message);
    error.record_mut().status = Some(passed.response.status);
    error.record_mut().attempts = passed.attempts;
    error
}
