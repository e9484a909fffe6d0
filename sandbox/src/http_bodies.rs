//! Reads the bodies of requests and writes those of responses.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderName, StatusCode};
use axum::response::Response;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use tokio::time::timeout;

use crate::options::Options;

/// The maximum size of a request body, in bytes (D31).
const MAX_REQUEST: usize = 8 * 1024 * 1024;

pub(crate) const JSON: &str = "application/json";

/// Why a body cannot be read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BodyError {
    TooLarge,
    Incomplete,
    Late,
}

/// Reads the body of a request, at most 8 MiB, within the time limit of the options.
pub(crate) async fn read(body: Body, options: &Options) -> Result<Bytes, BodyError> {
    let limit = Duration::from_millis(options.body_timeout);
    match timeout(limit, Limited::new(body, MAX_REQUEST).collect()).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(BodyError::TooLarge),
        Ok(Err(_)) => Err(BodyError::Incomplete),
        Err(_) => Err(BodyError::Late),
    }
}

/// The body of a response, as an extension for the request log.
#[derive(Debug, Clone)]
pub(crate) struct Written(pub(crate) Bytes);

/// A response with this status, content type and body; an empty content type sets no header.
pub(crate) fn response(status: u16, content_type: &'static str, body: impl Into<Bytes>) -> Response {
    let body = body.into();
    let mut response = Response::new(Body::from(body.clone()));
    response.extensions_mut().insert(Written(body));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if !content_type.is_empty() {
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    response
}

pub(crate) fn json<T: Serialize + ?Sized>(status: u16, value: &T) -> Response {
    response(status, JSON, serde_json::to_vec(value).unwrap_or_default())
}

pub(crate) fn ok<T: Serialize + ?Sized>(value: &T) -> Response {
    json(200, value)
}

/// Sets a header; a value that HTTP does not allow is left out.
pub(crate) fn set_header(response: &mut Response, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(HeaderName::from_static(name), value);
    }
}
