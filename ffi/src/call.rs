use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};

use cpaas_core::error::{Error, Outcome as Result_, Reason, Sent};
use cpaas_core::http::HttpResponse;
use cpaas_core::operations::OperationId;

use crate::boundary::{Outcome, answer, bare, name, status, utf8};
use crate::client::{Open, cpaas_client, find};
use crate::validate::operation;
use crate::{cpaas_status, cpaas_text, runtime};

/// Called once for every call of `cpaas_call_async`, on a thread of the library, also after a cancel.
/// `text` is valid during the call only. It may call any function but `cpaas_shutdown` and
/// `cpaas_client_free` of its client.
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub type cpaas_completion = Option<
    unsafe extern "C" fn(user_data: *mut c_void, status: cpaas_status, text: *const c_char, len: usize),
>;

/// Calls an operation and waits. `request` is JSON with the specification's member names; `out` is the
/// result as JSON, or the error record `{outcome, sent, reason, operation, message, …}`.
///
/// One call sends at most one message, and the status tells which of the closed set of outcomes it was.
///
/// # Safety
/// `operation` is a C string, `request` is valid for `len` bytes, `out` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_call(
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
            let runtime = runtime::handle().map_err(bare)?;
            if tokio::runtime::Handle::try_current().is_ok() {
                return Err(bare(cpaas_status::CPAAS_BAD_ARGUMENT));
            }
            said(runtime.block_on(open.client.call_json(operation, request)).map(|answer| answer.value))
        })
    }
}

static CALLS: AtomicU64 = AtomicU64::new(1);

/// Starts a call and returns at once; `done` runs exactly once, also after a cancel. `call`, when not
/// NULL, receives a number for `cpaas_cancel`. When the status is not `CPAAS_OK` nothing was started and
/// `done` does not run.
///
/// # Safety
/// `operation` is a C string, `request` is valid for `len` bytes (both are copied), `call` is NULL or
/// valid for writes, `done` may run on another thread with `user_data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_call_async(
    client: *const cpaas_client,
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    done: cpaas_completion,
    user_data: *mut c_void,
    call: *mut u64,
) -> cpaas_status {
    // SAFETY: handed on from the caller.
    status(|| unsafe {
        let done = done.ok_or(cpaas_status::CPAAS_BAD_ARGUMENT)?;
        let open = find(client)?;
        let operation = self::operation(name(operation)?)?;
        let request = utf8(request, len)?.to_owned();
        let number = CALLS.fetch_add(1, Ordering::Relaxed);
        let completion = Completion { done, user_data, open: Arc::clone(&open), number, operation };
        start(completion, request)?;
        if !call.is_null() {
            call.write(number);
        }
        Ok(())
    })
}

/// Cancels a call of `cpaas_call_async`. Its callback still runs, with its outcome: `CPAAS_UNKNOWN` when
/// the request may have left. A call that is over, or never was, is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_cancel(client: *const cpaas_client, call: u64) -> cpaas_status {
    status(|| {
        let open = find(client)?;
        let mut running = open.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(abort) = running.get_mut(&call).and_then(Option::take) {
            abort.abort();
        }
        Ok(())
    })
}

struct Completion {
    done: unsafe extern "C" fn(*mut c_void, cpaas_status, *const c_char, usize),
    user_data: *mut c_void,
    open: Arc<Open>,
    number: u64,
    operation: OperationId,
}

// SAFETY: the caller of `cpaas_call_async` agrees that `done` runs with `user_data` on another thread.
unsafe impl Send for Completion {}

impl Completion {
    fn finish(self, outcome: Outcome) {
        let (status, text) = match outcome {
            Ok(text) => (cpaas_status::CPAAS_OK, text),
            Err((status, text)) => (status, text),
        };
        let text = text.unwrap_or_default();
        // SAFETY: `done` is a function of the caller's, and the text lives until it returns.
        unsafe { (self.done)(self.user_data, status, text.as_ptr().cast(), text.len()) };
        let mut running = self.open.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.remove(&self.number);
        self.open.idle.notify_all();
    }
}

fn start(completion: Completion, request: String) -> Result<(), cpaas_status> {
    let runtime = runtime::handle()?;
    let (open, number, operation) = (Arc::clone(&completion.open), completion.number, completion.operation);
    let mut running = open.running.lock().unwrap_or_else(PoisonError::into_inner);
    let client = open.client.clone();
    let task =
        runtime.spawn(async move { client.call_json(operation, &request).await.map(|answer| answer.value) });
    running.insert(number, Some(task.abort_handle()));
    runtime.spawn(async move {
        let result = task.await.unwrap_or_else(|_| Err(cancelled(operation)));
        // A callback may call back into the library: it runs where blocking is allowed.
        let _ = tokio::task::spawn_blocking(move || completion.finish(said(result))).await;
    });
    Ok(())
}

fn cancelled(operation: OperationId) -> Error {
    let message = "cancelled; the request may have been processed";
    Error::new(Result_::Unknown, Sent::Maybe, Reason::Cancelled, operation.meta().id, message)
}

/// Checks a request and gives the HTTP request for it, for programs that bring their own HTTP: `out` is
/// `{"method", "url", "headers": {…}, "body": "…" or null}`. The headers and the URL carry credentials.
///
/// # Safety
/// As `cpaas_call`.
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
            said(operation.prepare_json(request, open.client.wire()).map(|prepared| {
                let request = prepared.request;
                let headers: serde_json::Map<_, _> =
                    request.headers.into_iter().map(|(name, value)| (name, value.into())).collect();
                let body = request.body.map(|body| String::from_utf8_lossy(&body).into_owned());
                serde_json::json!({
                    "method": request.method.as_str(), "url": request.url, "headers": headers, "body": body,
                })
                .to_string()
            }))
        })
    }
}

/// Reads the answer to a request of `cpaas_prepare`: `http_status`, the headers as a JSON object (NULL
/// for none) and the body as it came. `out` is the result, or the error record.
///
/// # Safety
/// As `cpaas_call`; `headers` is NULL or valid for `headers_len` bytes, `body` is valid for `body_len` bytes.
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
            let headers: serde_json::Map<String, serde_json::Value> =
                serde_json::from_str(headers).map_err(|_| bare(cpaas_status::CPAAS_BAD_ARGUMENT))?;
            let headers = headers
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_ascii_lowercase(), value.as_str()?.to_owned())))
                .collect();
            let body = utf8(body, body_len).map_err(bare)?;
            said(open.client.read_answer(operation, HttpResponse::new(http_status, headers, body)))
        })
    }
}

fn said(result: Result<String, Error>) -> Outcome {
    result.map(Some).map_err(|error| {
        let status = match error.outcome {
            Result_::Invalid => cpaas_status::CPAAS_INVALID,
            Result_::Rejected => cpaas_status::CPAAS_REJECTED,
            Result_::NotSent => cpaas_status::CPAAS_NOT_SENT,
            Result_::Unknown => cpaas_status::CPAAS_UNKNOWN,
            Result_::AcceptedIdUnknown => cpaas_status::CPAAS_ACCEPTED_ID_UNKNOWN,
        };
        (status, Some(error.to_json()))
    })
}
