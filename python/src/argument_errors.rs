//! Creates the exceptions for invalid arguments, and for calls that lack a resource of the process.

use pyo3::exceptions::{PyImportError, PyOSError};
use pyo3::intern;
use pyo3::prelude::*;

/// `cpaas.Invalid` for an argument with an invalid value.
pub(crate) fn bad_value(message: impl AsRef<str>) -> PyErr {
    from_function("bad_value", message.as_ref())
}

/// `cpaas.InvalidType` for an argument with a wrong type.
pub(crate) fn bad_type(message: impl AsRef<str>) -> PyErr {
    from_function("bad_type", message.as_ref())
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
        if error.value(py).is_instance(&module.getattr(intern!(py, "Invalid"))?)? {
            module.call_method1(intern!(py, "add_operation"), (error.value(py), operation))?;
        }
        Ok(())
    });
    added.err().unwrap_or(error)
}

/// The exception for a call that lacks a resource of the process, such as a file descriptor: nothing was sent.
pub(crate) fn resource_missing(py: Python<'_>, operation: &str, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyOSError>(py) && !error.is_instance_of::<PyImportError>(py) {
        return error;
    }
    let module = py.import(intern!(py, "cpaas._errors"));
    match module.and_then(|it| it.call_method1(intern!(py, "resource_missing"), (operation, error.value(py))))
    {
        Ok(exception) => PyErr::from_value(exception),
        Err(_) => error,
    }
}
