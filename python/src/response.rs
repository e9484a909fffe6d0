//! The HTTP response of an accepted call.

use cpaas::Problem;
use cpaas::http::HttpResponse;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::metadata::{Kind, Metadata};
use crate::{exceptions, python_value};

/// The unmodified response: status, headers and body, and the number of attempts and the id of its call.
#[pyclass(frozen, module = "cpaas.models")]
pub(crate) struct Response {
    #[pyo3(get)]
    status: u16,
    #[pyo3(get)]
    attempts: u32,
    #[pyo3(get)]
    call_id: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// The list of problems as JSON; an empty string if there are none.
    warnings: String,
}

impl Response {
    /// The response of an accepted call. With `metadata`, the warnings name keyword arguments.
    pub(crate) fn new(
        raw: HttpResponse,
        attempts: u32,
        call_id: String,
        warnings: &[Problem],
        metadata: Option<&'static Metadata>,
    ) -> Self {
        let warnings = match warnings {
            [] => String::new(),
            found => exceptions::problems_json(found, metadata),
        };
        let HttpResponse { status, headers, body, .. } = raw;
        Self { status, attempts, call_id, headers, body, warnings }
    }
}

#[pymethods]
impl Response {
    #[new]
    #[pyo3(signature = (status, headers, body, attempts=1, warnings=String::new(), call_id=String::new()))]
    fn from_parts(
        status: u16,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
        attempts: u32,
        warnings: String,
        call_id: String,
    ) -> Self {
        Self { status, attempts, call_id, headers, body, warnings }
    }

    /// The headers, with names in lower case. A repeated header has its last value.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for (name, value) in &self.headers {
            out.set_item(name, value)?;
        }
        Ok(out)
    }

    /// All headers, in their order.
    #[getter]
    fn header_list(&self) -> Vec<(String, String)> {
        self.headers.clone()
    }

    /// The unmodified body.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.body)
    }

    /// The warnings about the request and the response.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.warnings.is_empty() {
            return Ok(PyTuple::empty(py).into_any());
        }
        let found = python_value::from_json(py, &self.warnings, &Kind::Any)?;
        py.import(intern!(py, "cpaas._errors"))?.call_method1(intern!(py, "problems"), (found,))
    }

    /// The body parsed as JSON, or None if it is not JSON.
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match std::str::from_utf8(&self.body) {
            Ok(text) => {
                python_value::from_json(py, text, &Kind::Any).or_else(|_| Ok(py.None().into_bound(py)))
            }
            Err(_) => Ok(py.None().into_bound(py)),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let body = PyBytes::new(py, &self.body);
        let state = (self.status, self.headers.clone(), body, self.attempts, &self.warnings, &self.call_id);
        (py.get_type::<Self>(), state).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        format!("<cpaas response: HTTP {}, {} bytes>", self.status, self.body.len())
    }
}
