//! Rows of a campaign from an Arrow stream.

use std::sync::{Arc, Mutex, PoisonError};

use cpaas_campaign::source::Source;
use cpaas_campaign::{Columns, Error, Result};
use pyo3::prelude::*;
use serde_json::json;

use super::batch::Batch;
use super::batch_functions::row_values;
use super::fields::type_label;
use super::input::Input;
use super::json_cell::{Cells, is_supported};
use crate::argument_errors::{bad_type, bad_value};
use crate::metadata::Kind;
use crate::python_value;

/// The rows of a table, which is any object with an Arrow protocol. Nulls are absent values.
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
            return Err(bad_type(message));
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
            .map_err(|error| Error::Source(format!("row {}: {error}", self.row + 1)))?;
        *at += 1;
        self.row += 1;
        Ok(Some(values.unwrap_or_default()))
    }
}

/// The rows of a table as dicts, without the nulls.
#[pyclass(name = "ArrowRows", frozen, module = "cpaas._cpaas")]
pub(crate) struct PyArrowRows {
    /// `None` after the end or an error. The input is released before an exception is set, because the release may run Python
    /// code.
    rows: Mutex<Option<ArrowRows>>,
    columns: Vec<String>,
}

#[pymethods]
impl PyArrowRows {
    #[new]
    #[pyo3(signature = (table, /))]
    fn new(table: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rows = ArrowRows::new(table)?;
        Ok(Self { columns: rows.columns.clone(), rows: Mutex::new(Some(rows)) })
    }

    /// The names of the columns.
    #[getter]
    pub(crate) fn columns(&self) -> Vec<String> {
        self.columns.clone()
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        // The interpreter is released during the wait for the lock, because the thread that holds the lock may need the
        // interpreter to read the stream.
        let row = py.detach(|| {
            let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
            let row = rows.as_mut().map_or(Ok(None), ArrowRows::next_row);
            if !matches!(row, Ok(Some(_))) {
                *rows = None;
            }
            row
        });
        let row = row.map_err(|error| bad_value(error.to_string()))?;
        row.map(|row| python_value::from_json(py, &json!(row).to_string(), &Kind::Any)).transpose()
    }
}
