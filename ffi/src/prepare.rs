use std::ffi::c_char;

use cpaas_core::http::{HttpRequest, HttpResponse};
use serde_json::{Map, Value, json};

use crate::boundary::{answer, bare, bytes, name, utf8};
use crate::call::said;
use crate::client::cpaas_client;
use crate::open::find;
use crate::validate::operation;
use crate::{cpaas_status, cpaas_text};

/// Checks a request and gives the HTTP request for it, for programs that bring their own HTTP. `request` is
/// as for `cpaas_call`. `out`, not NULL, receives `{"method", "url", "headers": {name: value}, "body": text
/// or null}`, or the error record. The URL and the headers carry credentials: keep them out of logs. Nothing
/// is sent, and no thread is started.
///
/// Errors: `CPAAS_INVALID` with the record, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`,
/// `CPAAS_BAD_NAME`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_prepare(
    client: *const cpaas_client,
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    unsafe {
        answer(out, || {
            let open = find(client).map_err(bare)?;
            let operation = self::operation(name(operation).map_err(bare)?).map_err(bare)?;
            let request = utf8(request, len).map_err(bare)?;
            let prepared = operation.prepare_json(request, open.client.context());
            said(prepared.map(|prepared| written(prepared.request)))
        })
    }
}

fn written(request: HttpRequest) -> String {
    let headers: Map<_, _> = request.headers.into_iter().map(|(name, value)| (name, value.into())).collect();
    let body = request.body.map(|body| String::from_utf8_lossy(&body).into_owned());
    json!({"method": request.method.as_str(), "url": request.url, "headers": headers, "body": body})
        .to_string()
}

/// Reads the answer to a request of `cpaas_prepare`: its HTTP status, its headers as a JSON object of texts
/// (NULL for none; `retry-after`, `content-type` and `age` matter) and its body, `body_len` bytes as they came
/// (NULL with 0 for none). `out`, not NULL, receives the result or the error record, as for `cpaas_call`.
///
/// A transport that failed has no answer to read: it was not sent if no connection was made, else unknown. The
/// request is not known here: compare the `requestID` of `otp.verify` with yours, and count the elements of a bulk
/// result; `missing` counts those of the response alone.
///
/// Errors: as `cpaas_call`; `CPAAS_BAD_ARGUMENT` also for headers that are no JSON object.
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
    // SAFETY: handed on from the caller.
    unsafe {
        answer(out, || {
            let open = find(client).map_err(bare)?;
            let operation = self::operation(name(operation).map_err(bare)?).map_err(bare)?;
            let headers = if headers.is_null() { "{}" } else { utf8(headers, headers_len).map_err(bare)? };
            let headers: Map<String, Value> =
                serde_json::from_str(headers).map_err(|_| bare(cpaas_status::CPAAS_BAD_ARGUMENT))?;
            let headers = headers
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_ascii_lowercase(), value.as_str()?.to_owned())))
                .collect();
            let body = bytes(body, body_len).map_err(bare)?;
            said(open.client.read_response(operation, HttpResponse::new(http_status, headers, body)))
        })
    }
}
