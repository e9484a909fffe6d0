//! The untouched answer.

use cpaas::Problem;
use cpaas::http::HttpResponse;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::plan::{Kind, Plan};
use crate::{decode, fault};

/// The answer as it came: status, headers and body, and how many attempts it took.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct Response {
    #[pyo3(get)]
    status: u16,
    #[pyo3(get)]
    attempts: u32,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// A list of problems as JSON; empty for none.
    warnings: String,
}

/// What an accepted call brought.
pub(crate) struct Reply {
    value: String,
    warnings: Vec<Problem>,
    attempts: u32,
    raw: HttpResponse,
}

impl Reply {
    pub(crate) fn new<T>(value: String, answer: cpaas::client::Response<T>) -> Self {
        Self { value, warnings: answer.warnings, attempts: answer.attempts, raw: answer.raw }
    }
}

impl Response {
    /// Takes a reply apart; `plan` names the arguments of a call that came with keywords.
    pub(crate) fn new(reply: Reply, plan: Option<&'static Plan>) -> (String, Self) {
        let warnings = match reply.warnings.as_slice() {
            [] => String::new(),
            found => fault::problems_json(found, plan),
        };
        let HttpResponse { status, headers, body, .. } = reply.raw;
        (reply.value, Self { status, attempts: reply.attempts, headers, body, warnings })
    }
}

#[pymethods]
impl Response {
    #[new]
    #[pyo3(signature = (status, headers, body, attempts=1, warnings=String::new()))]
    fn from_parts(
        status: u16,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
        attempts: u32,
        warnings: String,
    ) -> Self {
        Self { status, attempts, headers, body, warnings }
    }

    /// The headers, names in lower case; of a repeated one the last.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for (name, value) in &self.headers {
            out.set_item(name, value)?;
        }
        Ok(out)
    }

    /// The headers in the order they came.
    #[getter]
    fn header_list(&self) -> Vec<(String, String)> {
        self.headers.clone()
    }

    /// The body, untouched.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.body)
    }

    /// What validation found worth knowing.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.warnings.is_empty() {
            return Ok(PyTuple::empty(py).into_any());
        }
        let found = decode::from_json(py, &self.warnings, &Kind::Any)?;
        py.import(intern!(py, "cpaas._errors"))?.call_method1(intern!(py, "problems"), (found,))
    }

    /// The body read as JSON; None when it is none.
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match std::str::from_utf8(&self.body) {
            Ok(text) => decode::from_json(py, text, &Kind::Any).or_else(|_| Ok(py.None().into_bound(py))),
            Err(_) => Ok(py.None().into_bound(py)),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let state =
            (self.status, self.headers.clone(), PyBytes::new(py, &self.body), self.attempts, &self.warnings);
        (py.get_type::<Self>(), state).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        format!("<cpaas response: HTTP {}, {} bytes>", self.status, self.body.len())
    }
}
