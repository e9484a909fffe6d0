//! What a failure in the logs means, and where the documentation describes it: a page, and a text of that page near the description.

use cpaas::provider_codes;
use serde_json::{Value, json};

use crate::magic_numbers;
use crate::message::Message;

const SANDBOX: &str = "sandbox.txt";
const PROVIDER_CODES: &str = "provider-codes.txt";

fn explanation(text: impl Into<String>, page: &str, find: impl Into<String>) -> Value {
    json!({"text": text.into(), "page": page, "find": find.into()})
}

/// Why a request failed: the kind of its fault, or the status and the body of the response that the caller received.
pub(crate) fn of_request(
    fault: Option<&str>,
    operation: Option<&str>,
    response: Option<(u16, &[u8])>,
) -> Option<Value> {
    if let Some(kind) = fault {
        let text = format!("A fault of the kind {kind} applied to this request.");
        return Some(explanation(text, SANDBOX, "## Faults"));
    }
    let (status, body) = response?;
    match (operation, status) {
        (None, 400..) => {
            let text = "No operation of the provider has this method and path.";
            return Some(explanation(text, SANDBOX, "## OpenAPI"));
        }
        (_, 501) => {
            let text = "The response relies on an assumption, which --strict does not allow.";
            return Some(explanation(text, SANDBOX, "## Assumptions"));
        }
        _ => {}
    }
    let body: Value = serde_json::from_slice(body).ok()?;
    let code = ["code", "responseCode"].iter().find_map(|name| body.get(name)?.as_i64())?;
    let operation = cpaas::OperationId::find(operation?)?.meta();
    let row = provider_codes::find_by_name(operation.id, code)
        .or_else(|| provider_codes::find(operation.family, code))?;
    let find = format!("| {} | {} |", row.family, row.code);
    Some(explanation(format!("{}: {}.", row.meaning, row.advice), PROVIDER_CODES, find))
}

/// Why an attempt to deliver a callback failed: the status of the response, or the outcome without one.
pub(crate) fn of_attempt(outcome: &str, status: Option<u16>) -> Option<Value> {
    let text = match (status, outcome) {
        (Some(200..300), _) => return None,
        (Some(410), _) => "410 disables the target: replay the callback to enable it again.",
        (Some(_), _) => "The target must respond with 2xx.",
        (None, "timeout") => "The target must respond before the time limit (--callback-timeout).",
        (None, "dns") => "The name of the target was not found.",
        (None, "tls") => "The certificate must be valid; --callback-ca adds a root certificate.",
        (None, "connect") => "Nothing accepts connections at this address.",
        (None, "host_not_allowed") => {
            "The target must be a loopback address; --allow-callback-host allows another host."
        }
        (None, "sandbox_itself") => "The sandbox never calls itself.",
        (None, "no_tls_provider") => {
            "An https target needs a TLS provider, which this program does not contain."
        }
        (None, "invalid_url") => "The target must be a valid http or https URL.",
        (None, _) => "The connection was closed before a response.",
    };
    Some(explanation(text, SANDBOX, "## Callbacks"))
}

/// What a failure among the events means.
pub(crate) fn of_event(kind: &str) -> Option<Value> {
    let (text, find) = match kind {
        "callback.failed" => ("An attempt failed: the log of callbacks shows its response.", "## Callbacks"),
        "callback.given_up" => ("The last attempt failed.", "## Callbacks"),
        "callback.refused" => ("The target is not allowed; `reason` names the rule.", "## Callbacks"),
        "callback.disabled" => {
            ("The target returned 410: replay the callback to enable it again.", "## Callbacks")
        }
        "callback.dropped" => ("Too many callbacks wait.", "## Callbacks"),
        "inbound.not_configured" => {
            ("The message was not forwarded: `reason` names the setting.", "`inbound_callback`")
        }
        _ => return None,
    };
    Some(explanation(text, SANDBOX, find))
}

/// Why a message failed, if its number selects the outcome.
pub(crate) fn of_message(message: &Message, status: &str) -> Option<Value> {
    const FAILED: [&str; 5] = ["failed", "undelivered", "expired", "rejected", "Created"];
    let failed = FAILED.iter().any(|one| one.eq_ignore_ascii_case(status));
    let meaning = magic_numbers::meaning(&message.to).filter(|_| failed && !message.inbound)?;
    Some(explanation(format!("Magic number: {meaning}."), SANDBOX, "## Magic numbers"))
}
