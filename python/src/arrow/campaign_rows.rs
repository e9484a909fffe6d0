//! Rows of a campaign from an Arrow stream.

use std::sync::{Arc, Mutex};

use cpaas_campaign::source::Source;
use cpaas_campaign::{Columns, Error, Result};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use serde_json::json;

use super::batch_functions::row_values;
use super::cell::{Cells, is_supported};
use super::input::{Batch, Input, type_label};
use crate::decode;
use crate::metadata::Kind;

/// The rows of a table: anything that has the Arrow protocols. Nulls are absent values.
pub(crate) struct ArrowRows {
    input: Input,
    columns: Vec<String>,
    current: Option<(Arc<Batch>, usize)>,
    row: usize,
}

impl ArrowRows {
    /// Opens a table. A column needs a type that JSON has.
    pub(crate) fn new(table: &Bound<'_, PyAny>) -> PyResult<Self> {
        let input = Input::table(table, "rows")?;
        if let Some(field) = input.fields().iter().find(|field| !is_supported(field.data_type())) {
            let (name, found) = (field.name(), type_label(field.data_type()));
            let message = format!("rows: column `{name}` must have a type that JSON has, got {found}");
            return Err(PyTypeError::new_err(message));
        }
        let columns = input.fields().iter().map(|field| field.name().clone()).collect();
        Ok(Self { input, columns, current: None, row: 0 })
    }
}

impl Source for ArrowRows {
    fn columns(&self) -> Option<&[String]> {
        Some(&self.columns)
    }

    fn next_row(&mut self) -> Result<Option<Columns>> {
        while self.current.as_ref().is_none_or(|(batch, at)| *at >= batch.len) {
            match self.input.next().map_err(|error| Error::Source(error.to_string()))? {
                Some(batch) => self.current = Some((batch, 0)),
                None => return Ok(None),
            }
        }
        let Some((batch, at)) = &mut self.current else { return Ok(None) };
        let columns: Vec<_> =
            self.columns.iter().map(String::as_str).zip(batch.columns.iter().map(Cells::new)).collect();
        let values = row_values(batch, *at, &columns)
            .map_err(|error| Error::Source(format!("row {}: {error}", self.row)))?;
        *at += 1;
        self.row += 1;
        Ok(Some(values.unwrap_or_default()))
    }
}

/// The rows of a table as dicts, without the nulls.
#[pyclass(name = "ArrowRows", frozen, module = "cpaas._cpaas")]
pub(crate) struct PyArrowRows {
    rows: Mutex<ArrowRows>,
}

#[pymethods]
impl PyArrowRows {
    #[new]
    #[pyo3(signature = (table, /))]
    fn new(table: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { rows: Mutex::new(ArrowRows::new(table)?) })
    }

    /// The columns.
    #[getter]
    fn columns(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.locked(py, |rows| rows.columns.clone())
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let row = self.locked(py, ArrowRows::next_row)?;
        let row = row.map_err(|error| PyValueError::new_err(error.to_string()))?;
        row.map(|row| decode::from_json(py, &json!(row).to_string(), &Kind::Any)).transpose()
    }
}

impl PyArrowRows {
    /// The lock is waited for without the interpreter: its owner may need it to read the stream.
    fn locked<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut ArrowRows) -> T + Send) -> PyResult<T> {
        py.detach(|| self.rows.lock().ok().map(|mut rows| work(&mut rows)))
            .ok_or_else(|| PyRuntimeError::new_err("cpaas: internal error in an earlier row"))
    }
}
