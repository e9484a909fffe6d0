//! Error records to exceptions.

use cpaas::Error;
use pyo3::intern;
use pyo3::prelude::*;

use crate::decode;
use crate::plan::Kind;

/// The exception for an error; `keywords` says whether the request came as keyword arguments, whose
/// names the problems then carry.
pub(crate) fn raise(py: Python<'_>, error: &Error, keywords: bool) -> PyErr {
    match build(py, error, keywords) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

fn build<'py>(py: Python<'py>, error: &Error, keywords: bool) -> PyResult<Bound<'py, PyAny>> {
    let record = decode::from_json(py, &error.to_json(), &Kind::Any)?;
    py.import(intern!(py, "cpaas._errors"))?.call_method1(intern!(py, "from_record"), (record, keywords))
}
