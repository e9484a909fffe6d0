//! Calls whose HTTP requests the program sends.

use std::ffi::c_char;
use std::time::Duration;

use cpaas_core::bindings;
use cpaas_core::client::TransportError;
use cpaas_core::error::{Reason, SentState};

use crate::boundary::{
    Failure, NOT_NULL, bytes, c_name, catch_panic, clear, read_sized, return_status, utf8, write_output,
    write_sized,
};
use crate::call_options::{apply, cpaas_call_options};
use crate::call_target::Target;
use crate::client_table::find_client_of_exchange;
use crate::exchange_call::{ExchangeCall, NextStep, read_response};
use crate::exchange_table::{add, remove, with};
use crate::handles::{cpaas_client, cpaas_exchange};
use crate::process::program_function;
use crate::{cpaas_status, cpaas_text};

/// Step of an exchange: wait `wait_ms`, then call `cpaas_exchange_step` again.
pub const CPAAS_STEP_WAIT: u32 = 1;
/// Step of an exchange: send the request once, and report its response or its failure within `wait_ms`.
pub const CPAAS_STEP_SEND: u32 = 2;
/// Step of an exchange: the request of the last `CPAAS_STEP_SEND` is still in progress, for at most `wait_ms`. Do not send it again.
pub const CPAAS_STEP_RECEIVE: u32 = 3;
/// Step of an exchange: it has ended; `cpaas_exchange_end` returns its outcome.
pub const CPAAS_STEP_END: u32 = 4;

/// What the program knows about a request: no byte of it was processed. Only with proof, such as a connection that was not made.
pub const CPAAS_SENT_NO: u32 = 1;
/// What the program knows about a request: it may have been processed.
pub const CPAAS_SENT_MAYBE: u32 = 2;

/// Flag of a response: the connection ended, or the time passed, before the response was complete.
pub const CPAAS_RESPONSE_CUT: u32 = 1;
/// Flag of a response: it began before the whole request was written. Its success is not that of the request.
pub const CPAAS_RESPONSE_EARLY: u32 = 2;

/// What the program does next. Set `size` to `sizeof(cpaas_step)`. The strings and the body are those of `CPAAS_STEP_SEND`, else NULL;
/// they are valid until the exchange is freed. They contain credentials: do not log them.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_step {
    /// The size of this struct, in bytes.
    pub size: usize,
    /// `CPAAS_STEP_WAIT`, `CPAAS_STEP_SEND`, `CPAAS_STEP_RECEIVE` or `CPAAS_STEP_END`.
    pub kind: u32,
    /// The time until the next `cpaas_exchange_step`, in milliseconds.
    pub wait_ms: u32,
    /// The method, such as `POST`.
    pub method: *const c_char,
    /// The absolute URL.
    pub url: *const c_char,
    /// The host of the URL, with the port if the URL has one: the value of the header `host`.
    pub host: *const c_char,
    /// The path and the query of the URL.
    pub target: *const c_char,
    /// The header lines, such as `content-type: application/json`, and NULL at the end. `host`, `content-length`, `user-agent` and the
    /// headers of the connection are the program's.
    pub headers: *const *const c_char,
    /// The body, `body_len` bytes and a NUL after them; NULL if the request has no body. A body of length 0 needs `content-length: 0`.
    pub body: *const c_char,
    /// The number of bytes of the body.
    pub body_len: usize,
    /// 1 if the request must have a connection that carried no other one, else 0. A response that a proxy delivers twice would otherwise
    /// verify a wrong passcode.
    pub new_connection: u32,
}

/// A response that the program received. Zero the struct, then set `size` to `sizeof(cpaas_response)`. The library copies what it keeps.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub struct cpaas_response {
    /// The size of this struct, in bytes.
    pub size: usize,
    /// The HTTP status, from 100 to 999.
    pub http_status: u32,
    /// 0, `CPAAS_RESPONSE_CUT`, `CPAAS_RESPONSE_EARLY` or both.
    pub flags: u32,
    /// The header lines as received, `headers_len` bytes. Lines without a colon are ignored, and a status line begins a new block, of
    /// which only the last counts.
    pub headers: *const c_char,
    /// The number of bytes of the headers.
    pub headers_len: usize,
    /// The body without transfer and content coding, `body_len` bytes.
    pub body: *const c_char,
    /// The number of bytes of the body.
    pub body_len: usize,
}

/// Begins a call whose HTTP requests the program sends: with its own event loop, connections, proxy and TLS. Validation, attempts,
/// delays, deadline, reading of the provider's records and outcome are those of `cpaas_call`. The library uses no socket and no thread
/// for it. Sends nothing.
///
/// `operation`, `request` and `options` are as for `cpaas_call_with`. `exchange`, not NULL, receives the exchange if the status is
/// `CPAAS_OK`, else NULL; free it with `cpaas_exchange_free`. An invalid request has `CPAAS_OK` too: the exchange ends at its first step
/// with `CPAAS_INVALID`. `out`, not NULL, receives `{"argument", "message"}` for a caller error.
///
/// Then call `cpaas_exchange_step`, and do what it returns, until `CPAAS_STEP_END`. The exchange does not need its client: freeing the
/// client does not end it. Of the settings of connections, only `max_response_bytes` applies. A function of `cpaas_client_suppression`
/// runs on the calling thread, and the exchange waits for it.
///
/// One exchange may be used by several threads, but not at the same time: the second one gets `CPAAS_BAD_ARGUMENT`. The child of a fork
/// cannot use the exchanges of its parent, because both would send their requests: `CPAAS_BAD_HANDLE`.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`, `CPAAS_BAD_NAME`.
///
/// Thread-safe. No function of an exchange may be called from the log function or the suppression function.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_exchange_new(
    client: *const cpaas_client,
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    options: *const cpaas_call_options,
    exchange: *mut *mut cpaas_exchange,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        clear(exchange, std::ptr::null_mut());
        write_output(out, || {
            if exchange.is_null() {
                return Err(Failure::bad_argument("exchange", NOT_NULL));
            }
            let (open, client) = find_client_of_exchange(client)?;
            program_function::refuse("client")?;
            let target = Target::find(c_name(operation, "operation")?)?;
            let request = utf8(request, len, "request")?.to_owned();
            let client = apply(&client, options)?;
            let steps = client.steps(|client| {
                let call = async move { target.call(&client, &request).await };
                #[cfg(feature = "http")]
                let call = crate::process::log_scope::in_log_of(open.key, call);
                call
            });
            exchange.write(add(ExchangeCall::new(target, steps, open.max_response_bytes)));
            Ok(None)
        })
    }
}

/// Returns what the program does next, in `step`, not NULL. Call it after `cpaas_exchange_new`, after each report, and when `wait_ms` has
/// passed: a wait or a request whose time has passed ends then. It may be called earlier too, and does not block.
///
/// | `kind` | Do this |
/// |---|---|
/// | `CPAAS_STEP_WAIT` | wait for `wait_ms`, then call this function again |
/// | `CPAAS_STEP_SEND` | send this request once: no redirects, and no repetition, not even on another connection; report with `cpaas_exchange_respond` or `cpaas_exchange_fail`; call this function when `wait_ms` has passed without a report |
/// | `CPAAS_STEP_RECEIVE` | go on with the request of the last `CPAAS_STEP_SEND` |
/// | `CPAAS_STEP_END` | call `cpaas_exchange_end` and `cpaas_exchange_free` |
///
/// Each request is returned once as `CPAAS_STEP_SEND`. If any other step than `CPAAS_STEP_RECEIVE` follows it without a report, its time
/// has passed: abort it, and report nothing about it.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_exchange_step(
    exchange: *mut cpaas_exchange,
    step: *mut cpaas_step,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    let cleared = unsafe { write_sized(step, EMPTY_STEP, "step") };
    return_status(|| {
        if step.is_null() {
            return Err(Failure::bad_argument("step", NOT_NULL));
        }
        cleared?;
        let next = with(exchange, |call| Ok(cpaas_step::from(call.next_step())))?;
        // SAFETY: the same contract as this function's.
        unsafe { write_sized(step, next, "step") }
    })
}

/// Reports the response to the request of the last `CPAAS_STEP_SEND`. A body that is larger than `max_response_bytes` of the client counts
/// as cut there; a program may stop reading after one byte more.
///
/// Errors: `CPAAS_BAD_ARGUMENT` for an invalid `size`, status or flag, and if no request is in progress: the response has no effect then.
/// `CPAAS_BAD_HANDLE`.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_exchange_respond(
    exchange: *mut cpaas_exchange,
    response: *const cpaas_response,
) -> cpaas_status {
    return_status(|| {
        if response.is_null() {
            return Err(Failure::bad_argument("response", NOT_NULL));
        }
        // SAFETY: not NULL; else the same contract as this function's.
        let (given, headers, body) = unsafe {
            let given = read_sized(response, "response")?;
            (
                given,
                bytes(given.headers, given.headers_len, "headers")?,
                bytes(given.body, given.body_len, "body")?,
            )
        };
        let status = u16::try_from(given.http_status).ok().filter(|status| (100..1000).contains(status));
        let status =
            status.ok_or(Failure::bad_argument("response", "must have an `http_status` from 100 to 999"))?;
        if given.flags & !(CPAAS_RESPONSE_CUT | CPAAS_RESPONSE_EARLY) != 0 {
            return Err(Failure::bad_argument("response", "must have `flags` of CPAAS_RESPONSE_..."));
        }
        let is_early = given.flags & CPAAS_RESPONSE_EARLY != 0;
        with(exchange, |call| {
            let max_bytes = call.max_response_bytes;
            let is_too_large = body.len() > max_bytes;
            let is_cut = is_too_large || given.flags & CPAAS_RESPONSE_CUT != 0;
            let reason = if is_too_large { Reason::TooLarge } else { Reason::Reset };
            let response = || read_response(status, headers, body, max_bytes);
            call.report_request(|steps| match (is_cut, is_early) {
                (false, false) => steps.respond(response()),
                (false, true) => steps.respond_early(response()),
                (true, false) => {
                    steps.fail(TransportError::new(SentState::Yes, reason).partial(response()));
                }
                (true, true) => steps.fail(TransportError::new(SentState::Maybe, Reason::Reset)),
            })
        })
    })
}

/// Reports that the request of the last `CPAAS_STEP_SEND` failed before a status line was received. `sent` is `CPAAS_SENT_NO` only with
/// proof that no byte of the request was processed, else `CPAAS_SENT_MAYBE`. `reason` is one of these names:
///
/// | `reason` | Cause |
/// |---|---|
/// | `dns` | the host name could not be resolved |
/// | `connect` | the connection could not be made |
/// | `tls` | the TLS handshake failed |
/// | `certificate` | the server's certificate was rejected; with `CPAAS_SENT_NO` only another region is tried |
/// | `proxy` | the proxy failed before it opened a tunnel |
/// | `timeout` | the time passed |
/// | `reset` | the connection was lost |
/// | `decode` | the response was not valid HTTP, or its head was too large |
/// | `resources` | the process has run out of file descriptors or another resource |
///
/// Errors: `CPAAS_BAD_NAME` for an unknown reason; `CPAAS_BAD_ARGUMENT` for another `sent`, for `CPAAS_SENT_NO` with `decode`, and if
/// no request is in progress; `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`. After each of them the exchange is unchanged.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_exchange_fail(
    exchange: *mut cpaas_exchange,
    sent: u32,
    reason: *const c_char,
) -> cpaas_status {
    return_status(|| {
        let sent = sent_state(sent)?;
        // SAFETY: the same contract as this function's.
        let name = unsafe { c_name(reason, "reason") }?;
        let error = failure(sent, name).ok_or(Failure::Argument(
            cpaas_status::CPAAS_BAD_NAME,
            "reason",
            "must be one of the reasons of cpaas_exchange_fail",
        ))?;
        if sent == SentState::No && error.reason == Reason::Decode {
            return Err(Failure::bad_argument("sent", "must be CPAAS_SENT_MAYBE with this reason"));
        }
        with(exchange, |call| call.report_request(|steps| steps.fail(error)))
    })
}

/// Cancels an exchange: its next step is `CPAAS_STEP_END`, and its outcome `CPAAS_NOT_SENT` or `CPAAS_UNKNOWN` with the reason
/// `cancelled`. `sent` is what the program knows about the request in progress, as for `cpaas_exchange_fail`; abort that request. If none
/// is in progress, `sent` has no effect. An exchange that has ended keeps its outcome.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_exchange_cancel(exchange: *mut cpaas_exchange, sent: u32) -> cpaas_status {
    return_status(|| {
        let sent = sent_state(sent)?;
        with(exchange, |call| {
            call.cancel(sent);
            Ok(())
        })
    })
}

/// Returns the outcome of an exchange that has ended. The status and `out`, not NULL, are those of `cpaas_call`. Each call returns the
/// same.
///
/// Errors: as for `cpaas_call`; `CPAAS_BAD_ARGUMENT` if the exchange has not ended.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_exchange_end(
    exchange: *mut cpaas_exchange,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { write_output(out, || with(exchange, |call| call.output())) }
}

/// Frees an exchange, with the strings of its requests. Does nothing for NULL and for a freed exchange. A call that has not ended is
/// cancelled; if its request is in progress, it may have been processed. No other thread may use the exchange or its strings meanwhile, and
/// a suppression or log function of the exchange must not free it.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_exchange_free(exchange: *mut cpaas_exchange) {
    let _ = catch_panic(|| remove(exchange));
}

const EMPTY_STEP: cpaas_step = cpaas_step {
    size: 0,
    kind: 0,
    wait_ms: 0,
    method: std::ptr::null(),
    url: std::ptr::null(),
    host: std::ptr::null(),
    target: std::ptr::null(),
    headers: std::ptr::null(),
    body: std::ptr::null(),
    body_len: 0,
    new_connection: 0,
};

impl From<NextStep<'_>> for cpaas_step {
    fn from(step: NextStep<'_>) -> Self {
        match step {
            NextStep::Wait(left) => Self { kind: CPAAS_STEP_WAIT, wait_ms: milliseconds(left), ..EMPTY_STEP },
            NextStep::Receive(left) => {
                Self { kind: CPAAS_STEP_RECEIVE, wait_ms: milliseconds(left), ..EMPTY_STEP }
            }
            NextStep::End => Self { kind: CPAAS_STEP_END, ..EMPTY_STEP },
            NextStep::Send(request, left) => {
                let (body, body_len) = request.body();
                Self {
                    kind: CPAAS_STEP_SEND,
                    wait_ms: milliseconds(left),
                    method: request.method.as_ptr(),
                    url: request.url.as_ptr(),
                    host: request.host.as_ptr(),
                    target: request.target.as_ptr(),
                    headers: request.headers.as_ptr(),
                    body,
                    body_len,
                    new_connection: u32::from(request.needs_own_connection),
                    ..EMPTY_STEP
                }
            }
        }
    }
}

/// Whole milliseconds, after which the time has passed.
fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_micros().div_ceil(1000)).unwrap_or(u32::MAX)
}

fn sent_state(sent: u32) -> Result<SentState, Failure> {
    match sent {
        CPAAS_SENT_NO => Ok(SentState::No),
        CPAAS_SENT_MAYBE => Ok(SentState::Maybe),
        _ => Err(Failure::bad_argument("sent", "must be CPAAS_SENT_NO or CPAAS_SENT_MAYBE")),
    }
}

/// The failure of a request by the name of its reason.
fn failure(sent: SentState, name: &str) -> Option<TransportError> {
    let reason = match name {
        "certificate" => {
            let error = TransportError::new(sent, Reason::Tls);
            let is_not_sent = sent == SentState::No;
            return Some(error.certificate(is_not_sent.then_some("the program's TLS refused it")));
        }
        _ => Reason::from_name(name)?,
    };
    bindings::is_transport_failure(reason).then_some(TransportError::new(sent, reason))
}
