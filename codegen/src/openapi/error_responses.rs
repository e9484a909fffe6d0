//! The error responses and the authentication of each family.

use cpaas::http;
use cpaas::operation::{Meta, RetrySafety};
use serde_json::{Value, json};

use crate::json_schema::Json;

/// A family of operations.
#[derive(Debug)]
pub(super) struct Family {
    pub(super) id: http::Family,
    pub(super) tag: &'static str,
    pub(super) description: &'static str,
    name: &'static str,
    /// Whether an error of the whole request can have the status 200, by default or with an option of the sandbox. Lookup also reports
    /// errors with 200, but as elements of its normal result.
    pub(super) errors_under_200: bool,
}

/// The families, in the order of the specification.
pub(super) const FAMILIES: &[Family] = &[
    family_of(http::Family::Otp, "otp", "A: passcodes, usage, limits, workflows", "Otp", true),
    family_of(http::Family::Sms, "sms", "B: SMS", "Sms", true),
    family_of(http::Family::Lookup, "lookup", "C: number lookup", "Lookup", false),
    family_of(http::Family::Messaging, "messages", "D: SMS and chat messages", "Messages", false),
    family_of(http::Family::MessengerB, "messenger_b", "Webhook of messenger_b", "MessengerB", true),
    family_of(
        http::Family::MessengerC,
        "messenger_c",
        "Webhook of messenger_c; the bot's token is its path",
        "MessengerC",
        false,
    ),
];

const fn family_of(
    id: http::Family,
    tag: &'static str,
    description: &'static str,
    name: &'static str,
    errors_under_200: bool,
) -> Family {
    Family { id, tag, description, name, errors_under_200 }
}

pub(super) fn family(id: http::Family) -> &'static Family {
    let [first, ..] = FAMILIES else { unreachable!("the table is not empty") };
    FAMILIES.iter().find(|family| family.id == id).unwrap_or(first)
}

impl Family {
    /// The name of its error schema, and of its error response.
    #[must_use]
    pub(super) fn error_name(&self) -> String {
        format!("{}Error", self.name)
    }

    pub(super) fn error(&self) -> Json {
        json!({"$ref": format!("#/components/schemas/{}", self.error_name())}).into()
    }

    /// The schema of its error.
    pub(super) fn schema(&self) -> Json {
        let object = |properties: Value, required: &[&str]| json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
        let text = || json!({"type": "string"});
        let number = || json!({"type": "integer"});
        let schema = match self.id {
            http::Family::Otp => object(
                json!({"code": {"type": "integer", "not": {"const": 200}}, "message": text(), "requestID": {"type": ["string", "null"]}}),
                &["code", "message", "requestID"],
            ),
            http::Family::Sms => object(
                json!({"responseCode": {"type": "integer", "not": {"const": 0}}, "responseText": text()}),
                &["responseCode", "responseText"],
            ),
            http::Family::Lookup => json!({"type": "array", "minItems": 1, "items": object(
                json!({"response": {"type": "integer", "not": {"const": 0}}}),
                &["response"],
            )}),
            http::Family::MessengerB => object(
                json!({"status": {"type": "integer", "not": {"const": 0}}, "status_message": text()}),
                &["status", "status_message"],
            ),
            http::Family::MessengerC => object(
                json!({"ok": {"const": false}, "error_code": number(), "description": text()}),
                &["ok", "error_code", "description"],
            ),
            _ => object(json!({"code": number(), "message": text(), "field": text()}), &["code", "message"]),
        };
        schema.into()
    }

    /// Its error as a response: JSON, or the HTML page of a gateway in front of the provider.
    pub(super) fn response(&self) -> Json {
        Json::object([
            ("description", format!("An error of family {}.", self.tag).into()),
            ("headers", response_headers(429)),
            (
                "content",
                Json::object([
                    ("application/json", Json::object([("schema", self.error())])),
                    ("text/html", json!({"schema": {"type": "string"}}).into()),
                ]),
            ),
        ])
    }

    pub(super) fn security(&self) -> Json {
        let security = match self.id {
            http::Family::Otp => json!([{"basic": []}]),
            http::Family::Sms => json!([{"serviceKey": []}]),
            http::Family::Lookup => json!([{"serviceKey": []}, {"queryKey": []}]),
            http::Family::Messaging => json!([{}, {"serviceKey": []}, {"basic": []}]),
            http::Family::MessengerB => json!([{"channelToken": []}]),
            _ => json!([]),
        };
        security.into()
    }
}

/// The statuses of an operation, 200 first. The sandbox adds each sent message to its ledger, which can be full (507).
pub(super) fn statuses(meta: &Meta) -> Vec<u16> {
    let mut all = vec![200, 400, 401, 403, 404, 408, 413, 415, 429, 500, 501, 503];
    all.extend(meta.statuses);
    if meta.safety == RetrySafety::Send && meta.recipients.is_some() {
        all.push(507);
    }
    all.sort_unstable();
    all
}

pub(super) fn reason(status: u16) -> &'static str {
    match status {
        200 => {
            "Success. Families otp, sms and messenger_b also report errors with this status, and lookup reports one for each number; see the code in the body."
        }
        400 => "The request is invalid.",
        401 => "The credentials are missing or invalid.",
        403 => "The client's address is not in the allowlist, or the feature is off.",
        404 => "Not found.",
        408 => "The body did not arrive in time.",
        413 => "The body is too large.",
        415 => "The body is not JSON.",
        429 => "Too many requests; see `Retry-After`.",
        501 => "With `--strict`: the response would depend on an assumption of the sandbox.",
        507 => "The ledger is full.",
        _ => "Provider error.",
    }
}

/// The headers that a response can have.
pub(super) fn response_headers(status: u16) -> Json {
    let reference = |name: &str| json!({"$ref": format!("#/components/headers/{name}")});
    let mut headers = vec![("X-Sandbox-Assumed".to_owned(), reference("Assumed").into())];
    if status != 200 {
        headers.push(("Retry-After".to_owned(), reference("RetryAfter").into()));
    }
    Json::Object(headers)
}

pub(super) fn headers() -> Json {
    let headers = json!({
        "Assumed": {"description": "The assumptions (D numbers) that this response depends on.", "schema": {"type": "string", "pattern": "^D[0-9]{2}(,D[0-9]{2})*$"}},
        "RetryAfter": {"description": "Seconds to wait before a retry.", "schema": {"type": "integer", "minimum": 0}},
    });
    headers.into()
}

pub(super) fn security_schemes() -> Json {
    Json::object([
        (
            "basic",
            json!({"type": "http", "scheme": "basic", "description": "The account's sid and its API key."})
                .into(),
        ),
        ("serviceKey", json!({"type": "apiKey", "in": "header", "name": "X-Service-API-Key"}).into()),
        ("queryKey", json!({"type": "apiKey", "in": "query", "name": "key"}).into()),
        ("channelToken", json!({"type": "apiKey", "in": "header", "name": "X-Channel-Auth-Token"}).into()),
    ])
}
