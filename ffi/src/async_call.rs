use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cpaas_core::client::{CallEnd, Client};
use cpaas_core::error::{Error, Outcome, Reason, SentState};
use tokio::runtime::Handle;
use tokio::sync::oneshot::{self, Receiver};

use crate::boundary::{Output, c_name, panic_if_requested, return_status, utf8};
use crate::call::to_output;
use crate::call_options::{apply, cpaas_call_options};
use crate::client::cpaas_client;
use crate::cpaas_status;
use crate::handles::{CALLBACK_OF, OpenClient, find};
use crate::process::runtime;
use crate::target::Target;

/// Receives the outcome of a call that `cpaas_call_async` started. The library calls it exactly once for each call,
/// also after `cpaas_cancel`, on one of its own threads.
///
/// `text` is the result or the error record as JSON, `len` bytes and a NUL after them, or NULL. It is valid during the
/// callback only. The function may block, and may call any function except `cpaas_shutdown` and
/// `cpaas_client_free` of its own client. It must not throw or longjmp.
#[allow(non_camel_case_types, reason = "the names of the C header")]
pub type cpaas_completion = Option<
    unsafe extern "C" fn(user_data: *mut c_void, status: cpaas_status, text: *const c_char, len: usize),
>;

static NEXT_NUMBER: AtomicU64 = AtomicU64::new(1);

/// Starts a call and returns at once; `done` is called exactly once with its outcome. The library copies `operation`
/// and `request`. `options` may be NULL. `call`, if not NULL, receives a number for `cpaas_cancel`, which is never 0,
/// before `done` can run. `user_data` is passed to `done` unchanged; it must stay valid until `done` returns.
///
/// With any status except `CPAAS_OK` no call was started and `done` is not called.
///
/// Errors: `CPAAS_BAD_ARGUMENT` (also for a NULL `done`), `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`,
/// `CPAAS_BAD_NAME`, `CPAAS_NO_THREAD`.
///
/// Thread-safe.
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
    return_status(|| unsafe {
        let function = done.ok_or(cpaas_status::CPAAS_BAD_ARGUMENT)?;
        let open = find(client)?;
        let target = Target::find(c_name(operation)?)?;
        let request = utf8(request, len)?.to_owned();
        let client = apply(&open.client, options)?;
        let runtime = runtime::handle_with_thread()?;
        let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed);
        let (cancel, cancelled) = oneshot::channel();
        open.add_call(number, cancel)?;
        if !call.is_null() {
            call.write(number);
        }
        let completion = Completion { function, user_data, open: Arc::clone(&open), number };
        start(&runtime, client, target, request, cancelled, completion);
        Ok(())
    })
}

/// Cancels a call that `cpaas_call_async` started, and returns at once. The callback of the call still runs, with the
/// actual outcome: `CPAAS_NOT_SENT` if nothing was sent, `CPAAS_UNKNOWN` if the request may have been processed, or
/// the outcome that the response had if it arrived first. For a call that has ended or never existed the status is
/// `CPAAS_OK`.
///
/// Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`.
///
/// Thread-safe.
#[unsafe(no_mangle)]
pub extern "C" fn cpaas_cancel(client: *const cpaas_client, call: u64) -> cpaas_status {
    return_status(|| {
        find(client)?.cancel(call);
        Ok(())
    })
}

type CompletionFn = unsafe extern "C" fn(*mut c_void, cpaas_status, *const c_char, usize);

/// The caller's function, with its arguments.
struct Completion {
    function: CompletionFn,
    user_data: *mut c_void,
    open: Arc<OpenClient>,
    number: u64,
}

// SAFETY: the caller of `cpaas_call_async` agrees that its function runs with `user_data` on another thread.
unsafe impl Send for Completion {}

impl Completion {
    fn run(self, output: Output) {
        let (status, text) = match output {
            Ok(text) => (cpaas_status::CPAAS_OK, text),
            Err((status, text)) => (status, text),
        };
        let text = text.map(|mut text| {
            text.push('\0');
            text
        });
        let (data, len) =
            text.as_ref().map_or((std::ptr::null(), 0), |text| (text.as_ptr().cast(), text.len() - 1));
        let outer = CALLBACK_OF.replace(self.open.key);
        // SAFETY: the function is the caller's, and `text` outlives the call.
        unsafe { (self.function)(self.user_data, status, data, len) };
        CALLBACK_OF.set(outer);
        self.open.remove_call(self.number);
    }
}

/// What the core reports about a call that was dropped: sent, attempts, reference.
type Abandoned = Arc<Mutex<Option<(SentState, u32, Option<String>)>>>;

/// A running call. Its completion runs exactly once, even if the task panics or the runtime drops it.
struct AsyncCall {
    completion: Option<Completion>,
    target: Target,
    abandoned: Abandoned,
    runtime: Handle,
}

fn start(
    runtime: &Handle,
    client: Client,
    target: Target,
    request: String,
    mut cancelled: Receiver<()>,
    completion: Completion,
) {
    let abandoned = Abandoned::default();
    let call = AsyncCall {
        completion: Some(completion),
        target,
        abandoned: Arc::clone(&abandoned),
        runtime: runtime.clone(),
    };
    let client = client.on_outcome(move |event| {
        if event.ending == CallEnd::Abandoned {
            let report = (event.sent, event.attempts, event.reference.map(str::to_owned));
            *abandoned.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
        }
    });
    runtime.spawn(async move {
        let mut call = call;
        panic_if_requested("task");
        let result = if cancelled.try_recv().is_ok() {
            None
        } else {
            tokio::select! {
                biased;
                result = target.call(&client, &request) => Some(result),
                _ = cancelled => None,
            }
        };
        let result = result.unwrap_or_else(|| Err(call.cancelled()));
        call.complete(to_output(result));
    });
}

impl AsyncCall {
    fn complete(&mut self, output: Output) {
        let Some(completion) = self.completion.take() else { return };
        let delivery = Delivery(Some((completion, output)));
        // A completion may block and may call this library, so it runs on a thread that may block.
        drop(self.runtime.spawn_blocking(move || delivery.run()));
    }

    fn cancelled(&self) -> Error {
        let report = self.abandoned.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (sent, attempts, reference) = report.unwrap_or((SentState::No, 0, None));
        let (outcome, message) = match sent {
            SentState::No => (Outcome::NotSent, "cancelled; nothing was sent"),
            _ => (Outcome::Unknown, "cancelled; the request may have been processed"),
        };
        Error::new(outcome, sent, Reason::Cancelled, self.target.name(), message)
            .with_attempts(attempts)
            .with_reference(reference)
    }
}

impl Drop for AsyncCall {
    fn drop(&mut self) {
        if self.completion.is_none() {
            return;
        }
        let output = if std::thread::panicking() {
            Err((cpaas_status::CPAAS_PANIC, None))
        } else {
            to_output(Err(self.cancelled()))
        };
        self.complete(output);
    }
}

/// A completion with its output. If the runtime has ended and drops it, it runs on a new thread, or else on this one.
struct Delivery(Option<(Completion, Output)>);

impl Delivery {
    fn run(mut self) {
        if let Some((completion, output)) = self.0.take() {
            completion.run(output);
        }
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        let Some(pending) = self.0.take() else { return };
        let pending = Arc::new(Mutex::new(Some(pending)));
        let shared = Arc::clone(&pending);
        let run = |pending: &Mutex<Option<(Completion, Output)>>| {
            let pending = pending.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some((completion, output)) = pending {
                completion.run(output);
            }
        };
        if std::thread::Builder::new().name("cpaas".to_owned()).spawn(move || run(&shared)).is_err() {
            run(&pending);
        }
    }
}
