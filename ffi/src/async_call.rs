//! Asynchronous calls. A callback or the result queue receives the outcome.

use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cpaas_core::client::{CallEnd, Client};
use cpaas_core::error::Error;
use tokio::sync::oneshot::{self, Receiver};

use crate::async_calls::RunningCall;
use crate::boundary::{
    Failure, NOT_NULL, Output, c_name, clear, panic_if_requested, return_status, utf8, write_output,
};
use crate::call_options::{apply, cpaas_call_options};
use crate::call_target::{Target, call_output};
use crate::client_table::{OpenClient, find, find_client};
use crate::handles::cpaas_client;
use crate::limits::CallPermit;
use crate::process::callback::CALLBACK_OF;
use crate::process::handoff::Handoff;
use crate::process::log_scope::in_log_of;
use crate::process::program_function;
use crate::process::runtime::{self, AsyncRuntime};
use crate::process::thread_pool::ThreadPool;
use crate::result_queue::PendingResult;
use crate::{cpaas_status, cpaas_text};

/// Receives the outcome of a call that `cpaas_call_async` started. The library calls it exactly once for each call,
/// also after `cpaas_cancel`, on one of its own threads.
///
/// `text` is the result or the error record as JSON, `len` bytes and a NUL after them, or NULL. It is valid during the
/// callback only. The function may block, and may call any function except `cpaas_shutdown` and
/// `cpaas_client_free` of its own client. It must not throw or longjmp. At most `max_callback_threads` callbacks run at a
/// time (`cpaas_set_limits`), so a callback must not wait for another one.
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub type cpaas_completion = Option<
    unsafe extern "C" fn(user_data: *mut c_void, status: cpaas_status, text: *const c_char, len: usize),
>;

static NEXT_NUMBER: AtomicU64 = AtomicU64::new(1);

/// Starts a call and returns at once; `done` is called exactly once with its outcome. The library copies `operation`
/// and `request`. `options` may be NULL. `call`, if not NULL, receives the number of the call for `cpaas_cancel`, or 0 if no
/// call was started. The number of a call is never 0, and it is written before `done` can run. `user_data` is passed to `done` unchanged; it must stay
/// valid until `done` returns.
///
/// With any status except `CPAAS_OK` no call was started and `done` is not called.
///
/// Errors: `CPAAS_BAD_ARGUMENT` (also for a NULL `done`), `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`,
/// `CPAAS_BAD_NAME`, `CPAAS_NO_THREAD`, `CPAAS_TOO_MANY_CALLS`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_call_async(
    client: *const cpaas_client,
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    options: *const cpaas_call_options,
    done: cpaas_completion,
    user_data: *mut c_void,
    call: *mut u64,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { clear(call, 0) };
    // SAFETY: the same contract as this function's.
    return_status(|| unsafe {
        let function = done.ok_or(Failure::bad_argument("done", NOT_NULL))?;
        let delivery = Delivery::Callback { function, user_data };
        start(client, options, delivery, call, || target_and_request(operation, request, len))
    })
}

/// Starts a call whose result `cpaas_poll` returns, for programs with an event loop. The arguments and the errors are those
/// of `cpaas_call_async`; `user_data` is returned with the result.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_call_start(
    client: *const cpaas_client,
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    options: *const cpaas_call_options,
    user_data: *mut c_void,
    call: *mut u64,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe { clear(call, 0) };
    // SAFETY: the same contract as this function's.
    return_status(|| unsafe {
        let delivery = Delivery::Poll { user_data };
        start(client, options, delivery, call, || target_and_request(operation, request, len))
    })
}

/// Starts a call like `cpaas_call_async` and, with a NULL `done`, like `cpaas_call_start`: then `cpaas_poll` returns the result. The
/// library copies `operation`, `request` and `options`. `call`, if not NULL, receives the number of the call for
/// `cpaas_cancel`, written before `done` can run, or 0 if no call was started. `out`, not NULL, names an invalid argument:
/// `{"argument", "message"}`, or contains `{"message"}` for `CPAAS_NO_THREAD`, `CPAAS_TOO_MANY_CALLS` and `CPAAS_PANIC`. It is `{NULL, 0}`
/// if the call was started.
///
/// With any status except `CPAAS_OK` no call was started, `done` is not called, and `user_data` stays the caller's. A request that breaks a rule is not
/// an invalid argument: its call starts and ends with `CPAAS_INVALID`.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE` (also for a drained client), `CPAAS_BAD_NAME`,
/// `CPAAS_NO_THREAD`, `CPAAS_TOO_MANY_CALLS`.
///
/// Thread-safe.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cpaas_call_start_with(
    client: *const cpaas_client,
    operation: *const c_char,
    request: *const c_char,
    len: usize,
    options: *const cpaas_call_options,
    done: cpaas_completion,
    user_data: *mut c_void,
    call: *mut u64,
    out: *mut cpaas_text,
) -> cpaas_status {
    // SAFETY: the same contract as this function's.
    unsafe {
        clear(call, 0);
        write_output(out, || {
            let delivery = Delivery::new(done, user_data);
            start(client, options, delivery, call, || target_and_request(operation, request, len))?;
            Ok(None)
        })
    }
}

/// The arguments of a call in JSON.
///
/// # Safety
/// `operation` is NULL or a C string; `request` is NULL or valid for `len` bytes.
unsafe fn target_and_request(
    operation: *const c_char,
    request: *const c_char,
    len: usize,
) -> Result<(Target, String), Failure> {
    // SAFETY: the same contract as this function's.
    unsafe { Ok((Target::find(c_name(operation, "operation")?)?, utf8(request, len, "request")?.to_owned())) }
}

/// Starts a call whose outcome is delivered by a callback or by `cpaas_poll`. `read` reads the target and the request.
///
/// # Safety
/// The contract of `cpaas_call_async`.
pub(crate) unsafe fn start(
    client: *const cpaas_client,
    options: *const cpaas_call_options,
    delivery: Delivery,
    call: *mut u64,
    read: impl FnOnce() -> Result<(Target, String), Failure>,
) -> Result<(), Failure> {
    let (open, client) = find_client(client)?;
    program_function::refuse("client")?;
    let (target, request) = read()?;
    // SAFETY: the same contract as this function's.
    let client = unsafe { apply(&client, options)? };
    let runtime = runtime::with_driver(matches!(delivery, Delivery::Callback { .. }))?;
    let permit = CallPermit::acquire(&runtime.calls)?;
    let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed);
    let (cancel, cancelled) = oneshot::channel();
    let handoff = Arc::new(Handoff::new());
    open.calls.add(number, RunningCall { cancel: Some(cancel), handoff: Arc::clone(&handoff) })?;
    if !call.is_null() {
        // SAFETY: not NULL, and the caller passes memory that is valid for writes.
        unsafe { call.write(number) };
    }
    handoff.pass();
    let completion = Completion { delivery, open, number, permit, handoff };
    spawn(runtime, client, target, request, cancelled, completion);
    Ok(())
}

/// Cancels an asynchronous call, and returns at once. Its callback still runs, or
/// its result can still be polled, with the actual outcome: `CPAAS_NOT_SENT` if nothing was sent, `CPAAS_UNKNOWN` if the
/// request may have been processed, or the outcome of the response if it arrived first. For a call that has ended or
/// never existed the status is `CPAAS_OK`.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`.
///
/// Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_cancel(client: *const cpaas_client, call: u64) -> cpaas_status {
    return_status(|| {
        find(client)?.calls.cancel(call);
        Ok(())
    })
}

pub(crate) type CompletionFn = unsafe extern "C" fn(*mut c_void, cpaas_status, *const c_char, usize);

/// How the outcome of a call is delivered.
pub(crate) enum Delivery {
    Callback { function: CompletionFn, user_data: *mut c_void },
    Poll { user_data: *mut c_void },
}

impl Delivery {
    /// To a callback, or to `cpaas_poll` if there is none.
    pub(crate) fn new(done: cpaas_completion, user_data: *mut c_void) -> Self {
        match done {
            Some(function) => Self::Callback { function, user_data },
            None => Self::Poll { user_data },
        }
    }
}

/// The end of a call: how its outcome is delivered, and the permit that is released afterwards.
struct Completion {
    delivery: Delivery,
    open: Arc<OpenClient>,
    number: u64,
    permit: CallPermit,
    /// Passed by each thread that has the `user_data` or the outcome of the call.
    handoff: Arc<Handoff>,
}

// SAFETY: the caller of `cpaas_call_async` agrees that its function runs with `user_data` on another thread.
unsafe impl Send for Completion {}

impl Completion {
    /// Runs the callback, or adds the result to those that `cpaas_poll` returns.
    fn run(self, output: Output) {
        let (status, text) = match output {
            Ok(text) => (cpaas_status::CPAAS_OK, text),
            Err(failure) => (failure.status(), failure.into_text()),
        };
        match self.delivery {
            Delivery::Callback { function, user_data } => self.call_back(function, user_data, status, text),
            Delivery::Poll { user_data } => {
                let Self { open, number, permit, handoff, .. } = self;
                open.calls.results.push(PendingResult {
                    call: number,
                    user_data,
                    status,
                    text,
                    handoff,
                    _permit: permit,
                });
                open.calls.remove(number);
            }
        }
    }

    fn call_back(
        self,
        function: CompletionFn,
        user_data: *mut c_void,
        status: cpaas_status,
        text: Option<String>,
    ) {
        let text = text.map(|mut text| {
            text.push('\0');
            text
        });
        let (data, len) =
            text.as_ref().map_or((std::ptr::null(), 0), |text| (text.as_ptr().cast(), text.len() - 1));
        let outer = CALLBACK_OF.replace(self.open.key);
        self.handoff.pass();
        // SAFETY: the caller provided the function, and `text` outlives the call.
        unsafe { function(user_data, status, data, len) };
        self.handoff.pass();
        self.open.calls.ended_callbacks.join();
        CALLBACK_OF.set(outer);
        drop(self.permit);
        self.open.calls.remove(self.number);
    }
}

/// The error of an abandoned call, from the core's report.
type Abandoned = Arc<Mutex<Option<Error>>>;

/// A running call. Its completion runs exactly once, even if the task panics or the runtime drops it.
struct AsyncCall {
    completion: Option<Completion>,
    target: Target,
    abandoned: Abandoned,
    callbacks: Option<Arc<ThreadPool>>,
}

fn spawn(
    runtime: AsyncRuntime,
    client: Client,
    target: Target,
    request: String,
    mut cancelled: Receiver<()>,
    completion: Completion,
) {
    let abandoned = Abandoned::default();
    let key = completion.open.key;
    let handoff = Arc::clone(&completion.handoff);
    let call = AsyncCall {
        completion: Some(completion),
        target,
        abandoned: Arc::clone(&abandoned),
        callbacks: runtime.callbacks,
    };
    let client = client.on_outcome(move |event| {
        if event.ending == CallEnd::Abandoned {
            let error = event.cancelled_error();
            *abandoned.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    });
    runtime.handle.spawn(async move {
        let mut call = call;
        handoff.pass();
        panic_if_requested("task");
        let result = if cancelled.try_recv().is_ok() {
            None
        } else {
            tokio::select! {
                biased;
                result = in_log_of(key, target.call(&client, &request)) => Some(result),
                _ = cancelled => None,
            }
        };
        let result = result.unwrap_or_else(|| Err(call.cancelled()));
        call.complete(target.to_output(result));
    });
}

impl AsyncCall {
    fn complete(&mut self, output: Output) {
        let Some(completion) = self.completion.take() else { return };
        completion.handoff.pass();
        match &self.callbacks {
            Some(callbacks) => callbacks.run(Box::new(move || completion.run(output))),
            None => completion.run(output),
        }
    }

    fn cancelled(&self) -> Error {
        let error = self.abandoned.lock().unwrap_or_else(PoisonError::into_inner).take();
        error.unwrap_or_else(|| self.target.cancelled())
    }
}

impl Drop for AsyncCall {
    fn drop(&mut self) {
        if self.completion.is_none() {
            return;
        }
        let output = if std::thread::panicking() {
            Err(cpaas_status::CPAAS_PANIC.into())
        } else {
            call_output(Err(self.cancelled()))
        };
        self.complete(output);
    }
}
