//! The native client: one for each Python client, sync or async.

use std::sync::Mutex;

use cpaas::client::Answer;
use cpaas::{Client, Config, Error};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::plan::{self, Plan};
use crate::response::Response;
use crate::{decode, encode, fault, wait};

/// A client over the core. It belongs to the process that uses it: after a fork it is built again.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct Native {
    config: Config,
    state: Mutex<Option<(u32, Client)>>,
}

#[pymethods]
impl Native {
    #[new]
    fn new(py: Python<'_>, config: &Bound<'_, PyAny>) -> PyResult<Self> {
        let json = encode::to_json(config)?;
        let config = Config::from_json(&json)
            .and_then(|explicit| Ok(explicit.or(Config::from_env()?)))
            .map_err(|error| fault::raise(py, &error, false))?;
        let client = Client::new(&config).map_err(|error| fault::raise(py, &error, false))?;
        Ok(Self { config, state: Mutex::new(Some((std::process::id(), client))) })
    }

    /// Calls an operation and waits: index in the plan, arguments in its order.
    #[pyo3(signature = (operation, arguments, extra, timeout, deadline, validate, /))]
    fn call<'py>(
        &self,
        py: Python<'py>,
        operation: usize,
        arguments: &Bound<'py, PyTuple>,
        extra: Option<&Bound<'py, PyAny>>,
        timeout: Option<f64>,
        deadline: Option<f64>,
        validate: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let plan = plan::get(py, operation)?;
        let request = plan.request(arguments, extra)?;
        let client = self.with(py, timeout, deadline, validate)?;
        finish(py, plan, send(py, &client, plan, &request)?, true)
    }

    /// Calls an operation by its name, with its request as a mapping.
    #[pyo3(signature = (operation, request, timeout, deadline, validate, /))]
    fn call_named<'py>(
        &self,
        py: Python<'py>,
        operation: &str,
        request: &Bound<'py, PyAny>,
        timeout: Option<f64>,
        deadline: Option<f64>,
        validate: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let plan = named(py, operation)?;
        let request = encode::to_json(request)?;
        let client = self.with(py, timeout, deadline, validate)?;
        finish(py, plan, send(py, &client, plan, &request)?, false)
    }

    fn close(&self) {
        if let Ok(mut state) = self.state.lock() {
            leave(state.take());
        }
    }

    #[getter]
    fn closed(&self) -> bool {
        self.state.lock().map_or(true, |state| state.is_none())
    }
}

impl Native {
    fn client(&self, py: Python<'_>) -> PyResult<Client> {
        let mut state = self.state.lock().map_err(|_| PyRuntimeError::new_err("cpaas: poisoned"))?;
        match &*state {
            None => Err(PyRuntimeError::new_err("the client is closed")),
            Some((pid, client)) if *pid == std::process::id() => Ok(client.clone()),
            Some(_) => {
                let client = Client::new(&self.config).map_err(|error| fault::raise(py, &error, false))?;
                leave(state.replace((std::process::id(), client.clone())));
                Ok(client)
            }
        }
    }

    fn with(
        &self,
        py: Python<'_>,
        timeout: Option<f64>,
        deadline: Option<f64>,
        validate: Option<String>,
    ) -> PyResult<Client> {
        if timeout.is_none() && deadline.is_none() && validate.is_none() {
            return self.client(py);
        }
        let mut config = self.config.clone();
        config.timeout = timeout.or(config.timeout);
        config.deadline = deadline.or(config.deadline);
        config.validation = validate.or(config.validation);
        Client::new(&config).map_err(|error| fault::raise(py, &error, false))
    }
}

/// The operation with this name.
pub(crate) fn named(py: Python<'_>, operation: &str) -> PyResult<&'static Plan> {
    plan::find(py, operation)?
        .ok_or_else(|| PyValueError::new_err(format!("no operation is called {operation:?}")))
}

/// Lets go of a client; that of a parent process is left alone, with its sockets.
fn leave(state: Option<(u32, Client)>) {
    if let Some((pid, client)) = state
        && pid != std::process::id()
    {
        std::mem::forget(client);
    }
}

fn send(
    py: Python<'_>,
    client: &Client,
    plan: &Plan,
    request: &str,
) -> PyResult<Result<Answer<String>, Error>> {
    wait::block_on(py, Box::pin(client.call_json(plan.id, request)))
}

/// The Python result of a call.
pub(crate) fn finish<'py>(
    py: Python<'py>,
    plan: &Plan,
    result: Result<Answer<String>, Error>,
    keywords: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let mut answer = result.map_err(|error| fault::raise(py, &error, keywords))?;
    let value = decode::from_json(py, &answer.value, plan.kind(py)?)?;
    let response = Bound::new(py, Response::new(&mut answer))?;
    if value.is_instance_of::<PyTuple>() {
        let models = py.import(intern!(py, "cpaas.models"))?;
        return models.call_method1(intern!(py, "_records"), (value, response));
    }
    decode::set(&value, intern!(py, "_response"), &response)?;
    Ok(value)
}
