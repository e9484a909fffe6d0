//! The native client of a Python client, sync or async.

use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cpaas::guard::Guard;
use cpaas::request::RequestContext;
use cpaas::suppression::SuppressionStore;
use cpaas::{Client, Config};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
#[cfg(feature = "campaign")]
use pyo3::types::PyTuple;

use crate::call::{self, Call, Options};
use crate::call_result::{self, CallEnded};
use crate::completion_queue::CompletionQueue;
use crate::event::{self, OwnedEvent};
use crate::guard::NativeGuard;
use crate::hook::Hook;
use crate::http_reports::HttpReports;
use crate::interrupt::Interrupt;
use crate::metadata::Metadata;
use crate::observed_call::ObservedCall;
use crate::runtime::{self, InterpreterGuard};
use crate::{argument_errors, encode, exceptions, suppression};

/// A client of the core. After a fork the child builds its own.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct NativeClient {
    config: Config,
    context: Arc<RequestContext>,
    hook: Mutex<Option<Hook>>,
    suppression: Option<Arc<dyn SuppressionStore>>,
    guard: Option<Guard>,
    state: Mutex<Option<(u32, Client)>>,
}

#[pymethods]
impl NativeClient {
    #[new]
    #[pyo3(signature = (config, hook=None, parent=None, suppression=None, guard=None, /))]
    fn new(
        py: Python<'_>,
        config: &Bound<'_, PyDict>,
        hook: Option<Hook>,
        parent: Option<&Bound<'_, Self>>,
        suppression: Option<&Bound<'_, PyAny>>,
        guard: Option<&Bound<'_, NativeGuard>>,
    ) -> PyResult<Self> {
        runtime::require_main_interpreter(py)?;
        let json = encode::members(config)?;
        let invalid = |error: cpaas::Error| {
            exceptions::of_settings(py, &error, cpaas::bindings::has_mistyped_setting(&json))
        };
        let config = Config::from_json(&json).and_then(Config::or_env).map_err(invalid)?;
        let shared = parent.and_then(|parent| parent.get().current());
        let suppression = suppression.map(suppression::store);
        let guard = guard.map(|guard| guard.get().guard.clone());
        let client = build(&config, shared.as_ref(), suppression.clone(), guard.clone()).map_err(invalid)?;
        Ok(Self {
            config,
            context: Arc::new(client.context().clone()),
            hook: Mutex::new(hook),
            suppression,
            guard,
            state: Mutex::new(Some((std::process::id(), client))),
        })
    }

    /// Replaces the hook. Calls that have started keep the previous one.
    #[pyo3(signature = (hook, /))]
    fn set_hook(&self, hook: Option<Hook>) {
        let before = std::mem::replace(&mut *lock(&self.hook), hook);
        drop(before);
    }

    /// Runs the call of an operation and blocks until it ends; [`Call::operation`] describes the first two arguments.
    #[pyo3(signature = (operation, arguments, extra, timeout, deadline, validate, headers=None, /))]
    fn call<'py>(
        &self,
        operation: &Bound<'py, PyAny>,
        arguments: &Bound<'py, PyAny>,
        extra: Option<&Bound<'py, PyAny>>,
        timeout: Option<&Bound<'py, PyAny>>,
        deadline: Option<&Bound<'py, PyAny>>,
        validate: Option<&Bound<'py, PyAny>>,
        headers: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = Options { timeout, deadline, validate, headers };
        self.block(operation.py(), || Call::operation(operation, arguments, extra), options)
    }

    /// Runs a raw call and blocks until it ends.
    #[pyo3(signature = (request, timeout, deadline, headers=None, /))]
    fn call_raw<'py>(
        &self,
        request: &Bound<'py, PyDict>,
        timeout: Option<&Bound<'py, PyAny>>,
        deadline: Option<&Bound<'py, PyAny>>,
        headers: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = Options { timeout, deadline, headers, ..Options::default() };
        self.block(request.py(), || Call::raw(request), options)
    }

    /// Runs a call of `send_once` and blocks until it ends.
    #[pyo3(signature = (arguments, /))]
    #[cfg(feature = "campaign")]
    fn send_once<'py>(&self, arguments: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        self.block(arguments.py(), || Call::send_once(arguments), Options::default())
    }

    /// Starts the call of an operation. Its result settles `future`, a future of the queue's event loop. Returns the key of the call, for
    /// `CompletionQueue.abandon`.
    #[pyo3(signature = (queue, future, operation, arguments, extra, timeout, deadline, validate, headers=None, /))]
    fn start<'py>(
        &self,
        queue: &Bound<'py, CompletionQueue>,
        future: Py<PyAny>,
        operation: &Bound<'py, PyAny>,
        arguments: &Bound<'py, PyAny>,
        extra: Option<&Bound<'py, PyAny>>,
        timeout: Option<&Bound<'py, PyAny>>,
        deadline: Option<&Bound<'py, PyAny>>,
        validate: Option<&Bound<'py, PyAny>>,
        headers: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<u64> {
        let options = Options { timeout, deadline, validate, headers };
        self.enqueue(queue, future, || Call::operation(operation, arguments, extra), options)
    }

    /// As `start`, for a raw call.
    #[pyo3(signature = (queue, future, request, timeout, deadline, headers=None, /))]
    fn start_raw<'py>(
        &self,
        queue: &Bound<'py, CompletionQueue>,
        future: Py<PyAny>,
        request: &Bound<'py, PyDict>,
        timeout: Option<&Bound<'py, PyAny>>,
        deadline: Option<&Bound<'py, PyAny>>,
        headers: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<u64> {
        let options = Options { timeout, deadline, headers, ..Options::default() };
        self.enqueue(queue, future, || Call::raw(request), options)
    }

    /// As `start`, for a call of `send_once`.
    #[pyo3(signature = (queue, future, arguments, /))]
    #[cfg(feature = "campaign")]
    fn start_send_once<'py>(
        &self,
        queue: &Bound<'py, CompletionQueue>,
        future: Py<PyAny>,
        arguments: &Bound<'py, PyTuple>,
    ) -> PyResult<u64> {
        self.enqueue(queue, future, || Call::send_once(arguments), Options::default())
    }

    /// Closes all connections. Idempotent.
    fn close(&self) {
        release(lock(&self.state).take());
    }

    /// The families that have an address, each with the scheme, host and port of its addresses. Those of the environment are included.
    #[getter]
    fn family_origins(&self) -> Vec<(&'static str, Vec<String>)> {
        cpaas::bindings::family_origins(&self.context)
    }

    /// Whether the client was closed.
    #[getter]
    fn closed(&self) -> bool {
        lock(&self.state).is_none()
    }
}

impl NativeClient {
    /// The context of its requests, which outlives the connections.
    pub(crate) fn context(&self) -> Arc<RequestContext> {
        Arc::clone(&self.context)
    }

    /// The client, if it was built in this process. A client with another configuration may share its connections.
    fn current(&self) -> Option<Client> {
        let state = lock(&self.state);
        state.as_ref().filter(|(pid, _)| *pid == std::process::id()).map(|(_, client)| client.clone())
    }

    /// Runs a call and blocks until it ends.
    fn block<'py>(
        &self,
        py: Python<'py>,
        read: impl FnOnce() -> PyResult<Call>,
        options: Options<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let guard = InterpreterGuard::enter(py);
        let (call, client) = self.prepare(py, read, options)?;
        let hook = self.hook(py);
        let (metadata, is_method_call) = (call.metadata(), call.is_method_call());
        let runtime = runtime::current(py).map_err(|error| {
            argument_errors::resource_missing(py, metadata.map_or("", |metadata| metadata.name), error)
        })?;
        let mut interrupt = Interrupt::default();
        let (ended, event) = run(py, runtime, &guard, hook.as_ref(), call, client, &mut interrupt);
        interrupt.check_signals(py);
        if let (Some(event), Some(hook)) = (&event, &hook) {
            hook.notify(py, event, &mut interrupt);
        }
        let result = ended.map(|ended| call_result::to_python(py, metadata, ended, is_method_call));
        interrupt.check_signals(py);
        finish(py, metadata, result, event, interrupt)
    }

    /// Starts a call whose result settles `future`.
    fn enqueue<'py>(
        &self,
        queue: &Bound<'py, CompletionQueue>,
        future: Py<PyAny>,
        read: impl FnOnce() -> PyResult<Call>,
        options: Options<'_, 'py>,
    ) -> PyResult<u64> {
        let py = queue.py();
        let (call, client) = self.prepare(py, read, options)?;
        let hook = self.hook(py).map(|hook| hook.in_context(py)).transpose()?;
        queue.get().start(py, client, call, future, hook)
    }

    /// Reads the arguments of a call. Nothing has been sent when this fails, and the exception says so.
    fn prepare<'py>(
        &self,
        py: Python<'py>,
        read: impl FnOnce() -> PyResult<Call>,
        options: Options<'_, 'py>,
    ) -> PyResult<(Call, Client)> {
        let call = read().map_err(|error| argument_errors::before_sending(py, error, ""))?;
        let client = self
            .client(py)
            .and_then(|client| call::with_options(client, options))
            .map_err(|error| argument_errors::before_sending(py, error, call.name()))?;
        Ok((call, client))
    }

    fn hook(&self, py: Python<'_>) -> Option<Hook> {
        lock(&self.hook).as_ref().map(|hook| hook.clone_ref(py))
    }

    /// The instrumentations of its calls.
    #[cfg(feature = "campaign")]
    pub(crate) fn instruments(&self, py: Python<'_>) -> Option<Hook> {
        lock(&self.hook).as_ref().and_then(|hook| hook.instruments(py))
    }

    pub(crate) fn client(&self, py: Python<'_>) -> PyResult<Client> {
        let mut state = lock(&self.state);
        let error = match &*state {
            None => None,
            Some((pid, client)) if *pid == std::process::id() => return Ok(client.clone()),
            Some(_) => match build(&self.config, None, self.suppression.clone(), self.guard.clone()) {
                Ok(client) => {
                    release(state.replace((std::process::id(), client.clone())));
                    return Ok(client);
                }
                Err(error) => Some(error),
            },
        };
        // An exception is created without the lock: an import may release the GIL to a thread that waits for the lock.
        drop(state);
        Err(error.map_or_else(
            || argument_errors::client_closed(py),
            |error| exceptions::exception(py, &error, false),
        ))
    }
}

impl Drop for NativeClient {
    fn drop(&mut self) {
        release(self.state.get_mut().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// The environment variables that are not settings but resemble one, each with the variable that was probably meant.
#[pyfunction]
pub(crate) fn misspelled_variables() -> Vec<(String, String)> {
    let found = Config::misspelled_variables().into_iter();
    found.map(|variable| (variable.name, variable.meant)).collect()
}

fn build(
    config: &Config,
    shared: Option<&Client>,
    suppression: Option<Arc<dyn SuppressionStore>>,
    guard: Option<Guard>,
) -> Result<Client, cpaas::Error> {
    let client =
        shared.map_or_else(|| Client::for_binding(config, "python"), |shared| shared.reconfigured(config))?;
    let client = match suppression {
        Some(store) => client.suppression(store),
        None => client.without_suppression(),
    };
    let client = match guard {
        Some(guard) => client.guard(guard),
        None => client.without_guard(),
    };
    Ok(event::keep_events(client))
}

/// Runs a call and calls the hooks of its requests and responses, for which it pauses the call. Returns how it ended, or `None` if an
/// exception interrupted it before its end, and its event.
fn run(
    py: Python<'_>,
    runtime: &'static runtime::ProcessRuntime,
    guard: &InterpreterGuard,
    hook: Option<&Hook>,
    call: Call,
    client: Client,
    interrupt: &mut Interrupt,
) -> (Option<CallEnded>, Option<OwnedEvent>) {
    let Some(hook) = hook.filter(|hook| hook.needs().any()) else {
        let mut call = ObservedCall::new(call.send(client));
        let ended = runtime::block_on(py, runtime, guard, Pin::<&mut ObservedCall>::new(&mut call));
        return (ended.map_err(|error| interrupt.keep(error)).ok(), call.end());
    };
    let reports = HttpReports::default();
    let mut call = ObservedCall::new(call.send(reports.attach(client, hook.needs())));
    let ended = loop {
        let step = runtime::block_on(
            py,
            runtime,
            guard,
            pin!(reports.next(Pin::<&mut ObservedCall>::new(&mut call))),
        );
        let ended = step.map_err(|error| interrupt.keep(error)).ok().flatten();
        for report in reports.take() {
            hook.report(py, report, interrupt);
        }
        if ended.is_some() || interrupt.is_set() {
            break ended;
        }
    };
    let event = call.end();
    for report in reports.take() {
        hook.report(py, report, interrupt);
    }
    (ended, event)
}

/// The result of a call, or the exception that interrupted it, with a note about its outcome. `result` is `None` if the call was
/// abandoned.
fn finish<'py>(
    py: Python<'py>,
    metadata: Option<&'static Metadata>,
    result: Option<PyResult<Bound<'py, PyAny>>>,
    event: Option<OwnedEvent>,
    mut interrupt: Interrupt,
) -> PyResult<Bound<'py, PyAny>> {
    let (error, context) = match (interrupt.take(), result) {
        // The creation of the result was interrupted.
        (None, Some(Err(error))) if !argument_errors::is_own(py, &error) => (error, None),
        (None, result) => {
            event::set_ended(event);
            return result.unwrap_or_else(|| Err(PyRuntimeError::new_err("the call has no result")));
        }
        (Some(error), result) => (error, result.and_then(Result::err)),
    };
    let event = event.unwrap_or_else(|| OwnedEvent::not_started(call::name(metadata), None));
    event::add_note(py, &error, &event.note());
    if let Some(context) = context {
        error.set_context(py, Some(context));
    }
    Err(error)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Drops a client. The client of a parent process is leaked, because the parent uses its sockets.
fn release(state: Option<(u32, Client)>) {
    match state {
        Some((pid, client)) if pid == std::process::id() => {
            drop(client);
            runtime::close_dropped_connections();
        }
        Some((_, client)) => std::mem::forget(client),
        None => {}
    }
}
