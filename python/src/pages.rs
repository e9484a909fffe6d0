//! Pages of a list.

use pyo3::exceptions::PyUserWarning;
use pyo3::intern;
use pyo3::prelude::*;

use crate::metadata::{self, Kind, Metadata};
use crate::{encode, exceptions, python_value};

/// Computes the request for the next page of a list.
#[pyclass(module = "cpaas._cpaas")]
pub(crate) struct PageCursor {
    pages: cpaas::client::Pages,
    metadata: &'static Metadata,
}

#[pymethods]
impl PageCursor {
    #[new]
    #[pyo3(signature = (operation, /))]
    fn new(operation: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (metadata, _) = metadata::find(operation)?;
        Ok(Self { pages: cpaas::client::Pages::new(), metadata })
    }

    /// The request for the next page, or None after the last page.
    #[pyo3(signature = (request, body, /))]
    fn next<'py>(&mut self, request: &Bound<'py, PyAny>, body: &[u8]) -> PyResult<Option<Bound<'py, PyAny>>> {
        let request_json = encode::to_json(request)?;
        let previous = serde_json::from_str(&request_json).unwrap_or_default();
        let response = serde_json::from_slice(body).unwrap_or_default();
        let input = &self.metadata.id.meta().input;
        let next = self.pages.next(&previous, &response, |name| input.field(name).is_some());
        if self.pages.repeats() {
            let error = cpaas::client::Pages::repeated(self.metadata.name);
            return Err(exceptions::exception(request.py(), &error, true));
        }
        if self.pages.contradicts_total() {
            let message = c"the pages of the list contain more or fewer records than its `total`";
            // Python shows a warning once for each line of the program, so each list is logged too.
            request.py().import(intern!(request.py(), "cpaas._hooks"))?.call_method1(
                intern!(request.py(), "log_pages"),
                (self.metadata.name, message.to_string_lossy()),
            )?;
            // Level 3 is the caller: between it and this function are the iterator of the pages and its wrapper.
            PyErr::warn(request.py(), &request.py().get_type::<PyUserWarning>(), message, 3)?;
        }
        next.map(|next| python_value::from_json(request.py(), &next.to_string(), &Kind::Any)).transpose()
    }
}
