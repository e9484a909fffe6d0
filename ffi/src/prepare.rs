//! Requests and responses for programs that have their own HTTP client.

use std::ffi::c_char;

use cpaas_core::http::{HttpRequest, HttpResponse};
use serde_json::{Map, Value, json};

use crate::boundary::{Failure, bytes, c_name, utf8, write_output, write_report};
use crate::call_target::{Target, call_output};
use crate::client_table::find_client;
use crate::handles::cpaas_client;
use crate::operations::operation;
use crate::{cpaas_status, cpaas_text};

/// Validates a request and returns it as an HTTP request. A program that sends requests with its own HTTP client usually needs
/// `cpaas_exchange_new` instead, which also retries and finds the outcome. `request` is
/// as for `cpaas_call`. `out`, not NULL, receives `{"method", "url", "headers": {name: value}, "body"}`, where
/// `body` is a string or null, or the error record. The URL and the headers contain credentials: do not log them. Sends
/// nothing and starts no thread.
///
/// Errors: `CPAAS_INVALID` with the error record, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`,
/// `CPAAS_BAD_NAME`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_prepare(
    client: *const cpaas_client,
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let (_, client) = find_client(client)?;
            let operation = self::operation(c_name(operation, "operation")?)?;
            let request = utf8(request, len, "request")?;
            let prepared = operation.prepare_json(request, client.context());
            call_output(prepared.map(|prepared| request_json(prepared.request)))
        })
    }
}

/// Validates a request as `cpaas_validate` does, with the settings of a client: `normalize`, `allow_countries`, `allow_types`, and
/// defaults such as the traffic account. Sends nothing. `out`, not NULL, receives the report.
///
/// Errors: `CPAAS_BAD_NAME` for an unknown operation, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_client_validate(
    client: *const cpaas_client,
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_report(out, || {
            let (_, client) = find_client(client)?;
            let operation = self::operation(c_name(operation, "operation")?)?;
            let request = utf8(request, len, "request")?;
            Ok(operation.validate_json_with_defaults(request, client.context()))
        })
    }
}

fn request_json(request: HttpRequest) -> String {
    let headers: Map<String, Value> =
        request.headers.into_iter().map(|(name, value)| (name, value.into())).collect();
    let body = request.body.map(|body| String::from_utf8_lossy(&body).into_owned());
    json!({"method": request.method.as_str(), "url": request.url, "headers": headers, "body": body})
        .to_string()
}

/// Reads the HTTP response to a request of `cpaas_prepare`. `headers` is a JSON object of strings, `headers_len` bytes,
/// or NULL; only `retry-after`, `content-type` and `age` are used. `body` is the unmodified body, `body_len` bytes
/// (NULL with length 0 if there is none). `out`, not NULL, receives the result or the error record, as for `cpaas_call`.
///
/// If the transport failed, there is no response to read: the outcome is "not sent" if no connection was made, else
/// "unknown". This function does not know the request: compare the `requestID` of `otp.verify` with yours, and count
/// the elements of a bulk result, because here `missing` does not count recipients that the response leaves out.
///
/// Errors: as for `cpaas_call`; `CPAAS_BAD_ARGUMENT` also if `headers` is not a JSON object.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_parse(
    client: *const cpaas_client,
    operation: *const c_char,
    http_status: u16,
    headers: *const c_char,
    headers_len: usize,
    body: *const c_char,
    body_len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        write_output(out, || {
            let (_, client) = find_client(client)?;
            let operation = self::operation(c_name(operation, "operation")?)?;
            let headers = if headers.is_null() { "{}" } else { utf8(headers, headers_len, "headers")? };
            let headers: Map<String, Value> = serde_json::from_str(headers)
                .map_err(|_| Failure::bad_argument("headers", "must be a JSON object"))?;
            let headers = headers
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_ascii_lowercase(), value.as_str()?.to_owned())))
                .collect();
            let body = bytes(body, body_len, "body")?;
            let response = HttpResponse::new(http_status, headers, body);
            Target::Operation(operation).to_output(client.read_response(operation, response))
        })
    }
}
