//! Writes a logged request as a curl command or as a program. Environment variables replace the keys in its
//! headers, and `[secret]` replaces those in its URL and body.

use cpaas::http::Family;
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

use crate::faults::Kind;
use crate::log_entries::{LoggedRequest, LoggedResponse};
use crate::python_snippet;
use crate::time_text::iso;

/// The parameters that carry secrets.
const SECRET: &[&str] = &["key", "token"];

pub(crate) fn method(method: &hyper::Method) -> &'static str {
    match *method {
        hyper::Method::GET => "GET",
        hyper::Method::POST => "POST",
        hyper::Method::PUT => "PUT",
        hyper::Method::DELETE => "DELETE",
        hyper::Method::PATCH => "PATCH",
        hyper::Method::HEAD => "HEAD",
        hyper::Method::OPTIONS => "OPTIONS",
        _ => "OTHER",
    }
}

/// Path and query without secrets.
pub(crate) fn target(path: &str, query: &str, family: Option<Family>) -> Box<str> {
    let path = match (family, path.get(1..).and_then(|rest| rest.split_once('/'))) {
        (Some(Family::MessengerC), Some((_, rest))) => format!("/[secret]/{rest}"),
        _ => path.to_owned(),
    };
    if query.is_empty() {
        return path.into();
    }
    format!("{path}?{}", redact_query(query)).into()
}

pub(crate) fn redact_query(query: &str) -> String {
    let shown: Vec<String> = query
        .split('&')
        .map(|pair| match pair.split_once('=') {
            Some((name, _)) if SECRET.contains(&name) => format!("{name}=[secret]"),
            // A URL within the query may have secrets too.
            Some((name, value)) if has_secret(&percent_decode_str(value).decode_utf8_lossy()) => {
                format!("{name}=[secret]")
            }
            _ => pair.to_owned(),
        })
        .collect();
    shown.join("&")
}

/// Whether a URL has a token or user information.
fn has_secret(url: &str) -> bool {
    url.contains("token=") || redact_users(url) != url
}

/// A text without the user information of the URLs in it.
pub(crate) fn redact_users(text: &str) -> String {
    let mut parts = text.split("://");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let ends = |c: char| matches!(c, '/' | '?' | '#' | '\\' | '"') || c.is_whitespace();
        let (authority, rest) = part.split_at(part.find(ends).unwrap_or(part.len()));
        shown.push_str("://");
        match authority.rsplit_once('@') {
            Some((_, host)) => shown.extend(["[secret]@", host]),
            None => shown.push_str(authority),
        }
        shown.push_str(rest);
    }
    shown
}

/// A body without the tokens and the user information of the URLs in it.
pub(crate) fn redact_body(body: &[u8]) -> String {
    let text = redact_users(&String::from_utf8_lossy(body));
    let mut parts = text.split("token=");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.%~".contains(c)));
        shown.push_str("token=[secret]");
        shown.push_str(part.get(end.unwrap_or(part.len())..).unwrap_or_default());
    }
    shown
}

/// The authentication header of a request, and the environment variable with its value.
fn variable(logged: &LoggedRequest) -> Option<(&'static str, &'static str)> {
    Some(match logged.auth? {
        "authorization" => ("Authorization", "CPAAS_BASIC"),
        "x-service-api-key" => ("X-Service-API-Key", "CPAAS_SMS_KEY"),
        "x-channel-auth-token" => ("X-Channel-Auth-Token", "CPAAS_MESSENGER_B_TOKEN"),
        _ => return None,
    })
}

pub(crate) fn all(logged: &LoggedRequest, base: &str) -> Value {
    let body = redact_body(&logged.body);
    json!({
        "curl": curl(logged, base, &body),
        "python": python_snippet::program(logged, family(logged), &body),
        "javascript": javascript(logged, &body),
        "rust": rust(logged, &body),
    })
}

/// The family whose address and credentials the request had.
fn family(logged: &LoggedRequest) -> Option<Family> {
    let operation = logged.operation.and_then(cpaas::OperationId::find);
    operation.map(|operation| operation.meta().family)
}

fn curl(logged: &LoggedRequest, base: &str, body: &str) -> String {
    let target = &logged.target;
    let mut text = format!("curl -X {} {}", logged.method, shell(&format!("{base}{target}")));
    if let Some((header, name)) = variable(logged) {
        text.push_str(&format!(" -H \"{header}: ${name}\""));
    }
    if !body.is_empty() {
        text.push_str(&format!(" -H 'Content-Type: application/json' --data-raw {}", shell(body)));
    }
    text
}

/// A program for Node; the client reads its addresses and keys from the environment. `body` contains no secrets.
fn javascript(logged: &LoggedRequest, body: &str) -> String {
    let request =
        logged.operation.and_then(|name| Some((name, python_snippet::request_of(name, logged, body)?)));
    let call = match request {
        Some((name, request)) => format!("call({}, {request})", quoted(name)),
        None => format!("callRaw({})", raw_call(logged, body)),
    };
    let call = call
        .replace("\"bot_id\":\"[secret]\"", "\"bot_id\":process.env.CPAAS_BOT_ID")
        .replace("\"/[secret]/", "\"/\" + process.env.CPAAS_BOT_ID + \"/");
    let cut = if logged.truncated { "// The log contains only the beginning of the body.\n" } else { "" };
    format!(
        "{cut}import {{ Client }} from \"cpaas/client\";\n\nconst client = new Client(); // CPAAS_SMS_URL, CPAAS_SMS_KEY, …\nconsole.log(await client.{call});\nclient.close();"
    )
}

/// The argument of `callRaw`.
fn raw_call(logged: &LoggedRequest, body: &str) -> Value {
    let (path, query) = logged.target.split_once('?').unwrap_or((&logged.target, ""));
    let family = family(logged).unwrap_or(Family::Sms).as_str();
    let mut call = json!({"method": logged.method, "family": family, "path": path});
    if let Value::Object(members) = &mut call {
        if !query.is_empty() {
            let query = python_snippet::parameters(query).into_iter();
            members
                .insert("query".to_owned(), query.map(|(name, value)| (name, Value::from(value))).collect());
        }
        if let Ok(body) = serde_json::from_str(body) {
            members.insert("body".to_owned(), body);
        }
    }
    call
}

pub(crate) fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn rust(logged: &LoggedRequest, body: &str) -> String {
    let operation = logged.operation.and_then(cpaas::OperationId::find);
    match operation {
        Some(operation) => {
            format!("client.call_json(OperationId::{operation:?}, {}).await?", rust_literal(body))
        }
        None => {
            format!("client.call_raw(Method::{}, {:?}).await?", title(logged.method), logged.target)
        }
    }
}

/// A raw string literal, or one with escapes where a raw one is not possible: for control characters, and for those that change
/// the direction of text, which the compiler refuses.
fn rust_literal(text: &str) -> String {
    let escaped = |c: char| {
        c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if text.contains(escaped) {
        return format!("{text:?}");
    }
    let runs = text.split('"').skip(1).map(|rest| rest.len() - rest.trim_start_matches('#').len() + 1);
    let marks = "#".repeat(runs.max().unwrap_or(1));
    format!("r{marks}\"{text}\"{marks}")
}

fn title(method: &str) -> String {
    let mut letters = method.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_string() + &letters.as_str().to_ascii_lowercase())
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

impl LoggedResponse {
    pub(crate) fn show(&self) -> Value {
        json!({
            "status": self.status,
            "content_type": self.content_type,
            "body": redact_body(&self.body),
            "truncated": self.truncated,
        })
    }
}

impl LoggedRequest {
    pub(crate) fn show(&self, number: u64, base: &str) -> Value {
        let response = self.response.as_ref().map(|response| (response.status, &*response.body));
        json!({
            "n": number,
            "at": iso(self.at),
            "method": self.method,
            "target": self.target,
            "operation": self.operation,
            "region": self.region,
            "auth": self.auth,
            "traceparent": self.traceparent.map(|traceparent| traceparent.to_string()),
            "body": redact_body(&self.body),
            "truncated": self.truncated,
            "status": self.status,
            "answer": self.response.as_ref().map(LoggedResponse::show),
            "fault": self.fault.map(Kind::name),
            "assumed": self.assumed.ids().collect::<Vec<_>>(),
            "warnings": self.warnings,
            "explanation": crate::explanations::of_request(self.fault.map(Kind::name), self.operation, response),
            "copy": all(self, base),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_information_and_tokens_are_replaced() {
        assert_eq!(
            crate::callbacks::redact("https://user:pass@a.example:8443/x@y?token=t&z=1#f"),
            "https://[secret]@a.example:8443/x@y?token=[secret]&z=1#f"
        );
        assert_eq!(
            crate::callbacks::redact("https://a.example/@user?to=a@b"),
            "https://a.example/@user?to=a@b"
        );
        assert_eq!(
            redact_body(br#"{"url":"https://user:p%40@a.example/"}"#),
            r#"{"url":"https://[secret]@a.example/"}"#
        );
        assert_eq!(redact_query("a=1&url=https%3A%2F%2Fuser%3Apass%40a.example"), "a=1&url=[secret]");
        assert_eq!(redact_query("url=https%3A%2F%2Fa.example"), "url=https%3A%2F%2Fa.example");
    }
}
