//! Creates the exceptions for invalid arguments, and for calls that lack a resource of the process.

use std::ffi::CString;

use pyo3::exceptions::{PyImportError, PyMemoryError, PyOSError, PyUserWarning};
use pyo3::intern;
use pyo3::prelude::*;

use crate::interrupt::is_interrupt;

/// `cpaas.Invalid` for an argument with an invalid value.
pub(crate) fn bad_value(message: impl AsRef<str>) -> PyErr {
    from_function("bad_value", message.as_ref())
}

/// `cpaas.InvalidType` for an argument with a wrong type.
pub(crate) fn bad_type(message: impl AsRef<str>) -> PyErr {
    from_function("bad_type", message.as_ref())
}

/// Issues a `UserWarning` at the line that calls the public function.
pub(crate) fn warn(py: Python<'_>, message: &str) -> PyResult<()> {
    let message = CString::new(message.replace('\0', "\u{fffd}"))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 3)
}

/// The exception for an argument that could not be read, with the name of the argument. An exception of the caller's own
/// object, for example of its `__iter__`, becomes the cause.
pub(crate) fn located(py: Python<'_>, error: PyErr, place: &str) -> PyErr {
    if error.is_instance_of::<PyMemoryError>(py) || is_interrupt(py, &error) {
        return error;
    }
    let module = py.import(intern!(py, "cpaas._errors"));
    match module.and_then(|module| module.call_method1(intern!(py, "located"), (place, error.value(py)))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// The exception for a failure before the first byte of a request left: always one of the package, so that nobody
/// counts the call as unknown.
pub(crate) fn before_sending(py: Python<'_>, error: PyErr, operation: &str) -> PyErr {
    match is_own(py, &error) {
        true => with_operation(py, error, operation),
        _ if is_interrupt(py, &error) => error,
        _ if error.is_instance_of::<PyMemoryError>(py) => resource_missing(py, operation, error),
        _ => with_operation(py, located(py, error, "the request"), operation),
    }
}

/// Whether an exception is one of the package.
pub(crate) fn is_own(py: Python<'_>, error: &PyErr) -> bool {
    let class =
        py.import(intern!(py, "cpaas._errors")).and_then(|module| module.getattr(intern!(py, "Error")));
    class.and_then(|class| error.value(py).is_instance(&class)).unwrap_or_default()
}

/// The exception of a closed client.
pub(crate) fn client_closed(py: Python<'_>) -> PyErr {
    let module = py.import(intern!(py, "cpaas._errors"));
    match module.and_then(|module| module.call_method0(intern!(py, "client_closed"))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

fn from_function(name: &str, message: &str) -> PyErr {
    Python::attach(|py| {
        let module = py.import(intern!(py, "cpaas._errors"));
        match module.and_then(|module| module.call_method1(name, (message,))) {
            Ok(exception) => PyErr::from_value(exception),
            Err(error) => error,
        }
    })
}

/// Adds the name of the operation to an exception for an invalid argument.
pub(crate) fn with_operation(py: Python<'_>, error: PyErr, operation: &str) -> PyErr {
    let added = py.import(intern!(py, "cpaas._errors")).and_then(|module| {
        if error.value(py).is_instance(&module.getattr(intern!(py, "Error"))?)? {
            module.call_method1(intern!(py, "add_operation"), (error.value(py), operation))?;
        }
        Ok(())
    });
    added.err().unwrap_or(error)
}

/// The exception for a call that lacks a resource of the process, such as a file descriptor: nothing was sent.
pub(crate) fn resource_missing(py: Python<'_>, operation: &str, error: PyErr) -> PyErr {
    let is_resource = error.is_instance_of::<PyOSError>(py)
        || error.is_instance_of::<PyImportError>(py)
        || error.is_instance_of::<PyMemoryError>(py);
    if !is_resource || is_interrupt(py, &error) {
        return error;
    }
    let module = py.import(intern!(py, "cpaas._errors"));
    match module.and_then(|it| it.call_method1(intern!(py, "resource_missing"), (operation, error.value(py))))
    {
        Ok(exception) => PyErr::from_value(exception),
        Err(_) => error,
    }
}
