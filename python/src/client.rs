//! The native client: one for each Python client, sync or async.

use std::pin::pin;
use std::sync::{Mutex, PoisonError};

use cpaas::{Client, Config, Error};
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::event::{self, Hook};
use crate::plan::Kind;
use crate::port::Port;
use crate::request::{self, Call};
use crate::response::{Reply, Response};
use crate::runtime::Inside;
use crate::{decode, encode, fault, plan, runtime, wait};

/// A client over the core. It belongs to the process that uses it: after a fork it is built again.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct Native {
    config: Config,
    hook: Option<Hook>,
    state: Mutex<Option<(u32, Client)>>,
}

#[pymethods]
impl Native {
    #[new]
    #[pyo3(signature = (config, hook=None, parent=None, /))]
    fn new(
        py: Python<'_>,
        config: &Bound<'_, PyDict>,
        hook: Option<(Py<PyAny>, Option<Py<PyAny>>)>,
        parent: Option<&Bound<'_, Self>>,
    ) -> PyResult<Self> {
        runtime::main_interpreter(py)?;
        let hook = hook.map(|(observe, wants)| Hook::new(observe, wants));
        let json = encode::members(config)?;
        let config = Config::from_json(&json)
            .and_then(|explicit| Ok(explicit.or(Config::from_env()?)))
            .map_err(|error| fault::raise(py, &error, false))?;
        let shared = parent.and_then(|parent| parent.get().open());
        let client = build(py, &config, hook.is_some(), shared.as_ref())?;
        Ok(Self { config, hook, state: Mutex::new(Some((std::process::id(), client))) })
    }

    /// Calls and waits; see [`Call::read`] for the first two arguments.
    #[pyo3(signature = (operation, arguments, extra, timeout, deadline, validate, /))]
    fn call<'py>(
        &self,
        operation: &Bound<'py, PyAny>,
        arguments: &Bound<'py, PyAny>,
        extra: Option<&Bound<'py, PyAny>>,
        timeout: Option<f64>,
        deadline: Option<f64>,
        validate: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = operation.py();
        let inside = Inside::enter(py);
        let call = Call::read(operation, arguments, extra)?;
        let client = request::options(self.client(py)?, timeout, deadline, validate)?;
        let (plan, keywords) = (call.plan(), call.keywords());
        let waited = wait::block_on(py, &inside, pin!(call.send(client)));
        let seen = event::take();
        if let (Some(seen), Some(hook)) = (&seen, &self.hook) {
            hook.tell(py, seen);
        }
        match waited {
            Ok(result) => finish(py, plan, result, keywords),
            Err(error) => {
                if let Some(seen) = seen {
                    event::annotate(py, &error, &seen.note());
                }
                Err(error)
            }
        }
    }

    /// Starts a call whose answer settles a future of the port's loop; gives the key to abandon it.
    #[pyo3(signature = (port, future, operation, arguments, extra, timeout, deadline, validate, /))]
    fn start(
        &self,
        port: &Bound<'_, Port>,
        future: Py<PyAny>,
        operation: &Bound<'_, PyAny>,
        arguments: &Bound<'_, PyAny>,
        extra: Option<&Bound<'_, PyAny>>,
        timeout: Option<f64>,
        deadline: Option<f64>,
        validate: Option<&str>,
    ) -> PyResult<u64> {
        let py = port.py();
        let call = Call::read(operation, arguments, extra)?;
        let client = request::options(self.client(py)?, timeout, deadline, validate)?;
        let hook = self.hook.as_ref().map(|hook| hook.clone_ref(py));
        port.get().start(py, client, call, future, hook)
    }

    /// Lets go of the connections.
    fn close(&self) {
        leave(self.state.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Whether it was closed.
    #[getter]
    fn closed(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }
}

impl Native {
    /// The client of this process, whose connections another configuration may share.
    fn open(&self) -> Option<Client> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.as_ref().filter(|(pid, _)| *pid == std::process::id()).map(|(_, client)| client.clone())
    }

    fn client(&self, py: Python<'_>) -> PyResult<Client> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            None => Err(PyRuntimeError::new_err("the client is closed")),
            Some((pid, client)) if *pid == std::process::id() => Ok(client.clone()),
            Some(_) => {
                let client = build(py, &self.config, self.hook.is_some(), None)?;
                leave(state.replace((std::process::id(), client.clone())));
                Ok(client)
            }
        }
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        leave(self.state.get_mut().unwrap_or_else(PoisonError::into_inner).take());
    }
}

fn build(py: Python<'_>, config: &Config, hooked: bool, shared: Option<&Client>) -> PyResult<Client> {
    let client =
        shared.map_or_else(|| Client::in_language(config, "python"), |shared| shared.reconfigured(config));
    let client = client.map_err(|error| fault::raise(py, &error, false))?;
    Ok(event::watch(client, hooked))
}

/// Lets go of a client; that of a parent process is left alone, with its sockets.
fn leave(state: Option<(u32, Client)>) {
    match state {
        Some((pid, client)) if pid == std::process::id() => {
            drop(client);
            runtime::settle();
        }
        Some((_, client)) => std::mem::forget(client),
        None => {}
    }
}

/// The Python result of a call: the class of the plan, or the response itself without a plan.
pub(crate) fn finish<'py>(
    py: Python<'py>,
    plan: Option<&'static plan::Plan>,
    result: Result<Reply, Error>,
    keywords: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let reply = result.map_err(|error| fault::raise(py, &error, keywords))?;
    let (value, response) = Response::new(reply, keywords.then_some(plan).flatten());
    let response = Bound::new(py, response)?;
    let Some(plan) = plan else { return Ok(response.into_any()) };
    let kind = plan.kind(py)?;
    let value = decode::from_json(py, &value, kind)?;
    if value.is_instance_of::<PyTuple>() {
        let models = py.import(intern!(py, "cpaas.models"))?;
        return models.call_method1(intern!(py, "_records"), (value, response));
    }
    if let Kind::Model(model) = kind
        && let Some(slot) = &model.response
    {
        slot.set(&value, &response)?;
    }
    Ok(value)
}
