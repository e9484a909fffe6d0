//! Responses of the proxies, gateways and load balancers in front of the provider.

use crate::faults::{Fault, Gateway, Kind};
use crate::http_bodies::{JSON, response, set_header};
use crate::log_entries::LoggedResponse;
use axum::response::Response;

const HTML: &str = "text/html";
const TEXT: &str = "text/plain";

/// Status, content type and body of a gateway's response.
const fn page_of(gateway: Gateway) -> (u16, &'static str, &'static str) {
    match gateway {
        Gateway::Nginx => (
            502,
            HTML,
            "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n\
                 <hr><center>nginx</center>\r\n</body>\r\n</html>\r\n",
        ),
        Gateway::Varnish => (
            503,
            HTML,
            "<!DOCTYPE html>\n<html>\n  <head>\n    <title>503 Backend fetch failed</title>\n  </head>\n  <body>\n    \
                 <h1>Error 503 Backend fetch failed</h1>\n    <p>Backend fetch failed</p>\n    <h3>Guru Meditation:</h3>\n    \
                 <p>XID: 32770</p>\n    <hr>\n    <p>Varnish cache server</p>\n  </body>\n</html>\n",
        ),
        Gateway::Envoy => (
            503,
            TEXT,
            "upstream connect error or disconnect/reset before headers. reset reason: connection termination",
        ),
        Gateway::Grpc => (504, JSON, r#"{"code": 4, "message": "context deadline exceeded"}"#),
        Gateway::Aws => (504, JSON, r#"{"message": "Endpoint request timed out"}"#),
    }
}

/// The gateway's response for a fault.
pub(crate) fn reply(fault: &Fault) -> Response {
    let (status, content_type, page) = match (fault.gateway, fault.kind) {
        (Some(gateway), _) => page_of(gateway),
        (None, Kind::Gateway | Kind::AcceptThenGateway) => page_of(Gateway::Nginx),
        (None, Kind::AcceptThen429) => {
            (429, HTML, "<html><body><h1>too many requests [sandbox]</h1></body></html>")
        }
        (None, _) => (503, HTML, "<html><body><h1>upstream failed [sandbox]</h1></body></html>"),
    };
    let status = fault.status.unwrap_or(status);
    let mut reply = match &fault.body {
        Some(body) => response(status, content_type_of(body), body.clone()),
        None => response(status, content_type, page),
    };
    if let Some(seconds) = fault.retry_after.or_else(|| default_retry_after(fault.kind, status)) {
        set_header(&mut reply, "retry-after", &seconds.to_string());
    }
    if matches!(fault.kind, Kind::AnswerEarly | Kind::AnswerEarlyThenAccept) {
        set_header(&mut reply, "connection", "close");
    }
    reply
}

/// The response that the caller receives: the provider's, the gateway's, or none.
pub(crate) fn received(own: &Response, fault: Option<&Fault>) -> Option<LoggedResponse> {
    match fault {
        Some(Fault { kind: Kind::ResetAfterRead | Kind::CloseAfterRead, .. }) => None,
        Some(fault) if fault.kind.has_gateway_response() => Some(LoggedResponse::of(&reply(fault))),
        _ => Some(LoggedResponse::of(own)),
    }
}

/// The `Retry-After` of a kind, in seconds, if its rule does not set one.
fn default_retry_after(kind: Kind, status: u16) -> Option<u64> {
    match kind {
        Kind::AcceptThen503RetryAfter => Some(1),
        Kind::AnswerEarly | Kind::AnswerEarlyThenAccept if status == 503 => Some(0),
        _ => None,
    }
}

fn content_type_of(body: &str) -> &'static str {
    match body.trim_start().chars().next() {
        None => "",
        Some('{' | '[') => JSON,
        Some('<') => HTML,
        Some(_) => TEXT,
    }
}
