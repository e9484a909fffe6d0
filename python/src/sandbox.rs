//! The sandbox in this process, on its own thread.

use std::ffi::OsString;
use std::io;
use std::sync::{Mutex, PoisonError};

use cpaas_host::{catch_panic, without_sigpipe};
use cpaas_sandbox::command_line::{Command, read, run};
use cpaas_sandbox::{BlockingSandbox, Sandbox};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A running sandbox. After a fork the child leaks the sandbox of its parent.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct SandboxServer {
    running: Mutex<Option<(u32, BlockingSandbox)>>,
    url: String,
    config: Vec<(String, String)>,
}

#[pymethods]
impl SandboxServer {
    /// Starts a sandbox. The switches are those of the command `cpaas sandbox`.
    #[new]
    #[pyo3(signature = (switches, /))]
    fn new(py: Python<'_>, switches: Vec<(String, String)>) -> PyResult<Self> {
        let mut builder = Sandbox::builder();
        for (name, value) in &switches {
            builder = builder
                .set(name, value)
                .map_err(|error| crate::argument_errors::bad_value(error.to_string()))?;
        }
        let sandbox = py
            .detach(|| without_sigpipe(|| builder.start_blocking()))
            .map_err(|error| PyOSError::new_err(error.to_string()))?;
        let url = sandbox.url().to_owned();
        let config = sandbox.credentials().environment(&url).into_iter();
        let config = config
            .map(|(name, value)| (name.trim_start_matches("CPAAS_").to_ascii_lowercase(), value))
            .collect();
        Ok(Self { running: Mutex::new(Some((std::process::id(), sandbox))), url, config })
    }

    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// The settings for a client of this sandbox, and `bot_id`.
    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        self.config.iter().try_for_each(|(name, value)| out.set_item(name, value))?;
        Ok(out)
    }

    /// Stops the sandbox and waits until it has stopped. Idempotent.
    fn stop(&self, py: Python<'_>) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        stop(py, running);
    }
}

impl Drop for SandboxServer {
    fn drop(&mut self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        Python::try_attach(|py| stop(py, running));
    }
}

fn stop(py: Python<'_>, running: Option<(u32, BlockingSandbox)>) {
    match running {
        Some((pid, sandbox)) if pid == std::process::id() => py.detach(|| sandbox.stop()),
        Some((_, sandbox)) => std::mem::forget(sandbox),
        None => {}
    }
}

/// The command `cpaas sandbox`: runs until a signal stops it. Returns the exit code and the text to print.
#[pyfunction]
#[pyo3(signature = (arguments, /))]
pub(crate) fn run_sandbox(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<(u8, String)> {
    let builder = match read(arguments) {
        Ok(Command::Run(builder)) => builder,
        Ok(Command::Help(text) | Command::Version(text)) => return Ok((0, text)),
        Ok(_) => return Ok((0, String::new())),
        Err(text) => return Ok((2, text)),
    };
    let result = py.detach(|| {
        let build = || tokio::runtime::Builder::new_current_thread().enable_all().build();
        let no_runtime = || io::Error::other("the runtime could not be started");
        let runtime = catch_panic(build).ok_or_else(no_runtime)??;
        without_sigpipe(|| runtime.block_on(run(*builder)))
    });
    Ok(result.map_or_else(|error| (1, error.to_string()), |()| (0, String::new())))
}
