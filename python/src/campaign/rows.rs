//! The rows of a campaign: a file, or any iterable of mappings.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use cpaas_campaign::source::{self, Source};
use cpaas_campaign::{Columns, Error, Messages};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};
use serde_json::Value;

use crate::argument_errors::{self, bad_type};
use crate::arrow::PyArrowRows;
use crate::encode;

/// The number of rows that are read at a time. Signals are checked between two batches.
const BATCH: usize = 256;

/// Opens rows: a path (`str` or `os.PathLike`), or an iterable of mappings.
///
/// `cpaas._campaign.files` converts an Arrow stream to an iterable first.
pub(super) fn open(rows: &Bound<'_, PyAny>, messages: &Messages) -> PyResult<PythonRows> {
    let is_path = rows.is_instance_of::<PyString>() || rows.hasattr("__fspath__")?;
    let inner = if is_path {
        let path: PathBuf = rows.extract()?;
        let py = rows.py();
        let opened = messages.encoding().and_then(|encoding| source::open(&path, encoding));
        Inner::File(opened.map_err(|error| crate::exceptions::of_campaign(py, &error))?)
    } else {
        let iterator = rows.try_iter().map_err(|_| {
            let name = encode::type_name(rows);
            bad_type(format!("rows: must be the path of a file or an iterable of mappings, got {name}"))
        })?;
        let columns = rows.cast::<PyArrowRows>().ok().map(|rows| rows.get().columns());
        Inner::Iterator(iterator.unbind(), VecDeque::new(), columns)
    };
    Ok(PythonRows { inner, count: 0, error: None })
}

enum Inner {
    File(Box<dyn Source + Send>),
    /// The columns are those of a table; other iterables have none.
    Iterator(Py<PyIterator>, VecDeque<Columns>, Option<Vec<String>>),
}

/// Rows from Python. The interpreter is released between batches.
pub(super) struct PythonRows {
    inner: Inner,
    count: usize,
    error: Option<PyErr>,
}

impl PythonRows {
    /// The exception that ended the reading.
    pub(super) fn take_error(&mut self) -> Option<PyErr> {
        self.error.take()
    }

    fn raised(&mut self, error: PyErr) -> Error {
        self.error = Some(error);
        Error::Source("the reading of the rows raised an exception".to_owned())
    }
}

impl Source for PythonRows {
    fn columns(&self) -> Option<&[String]> {
        match &self.inner {
            Inner::File(source) => source.columns(),
            Inner::Iterator(.., columns) => columns.as_deref(),
        }
    }

    fn next_row(&mut self) -> Result<Option<Columns>, Error> {
        if self.count.is_multiple_of(BATCH)
            && let Err(error) = Python::attach(|py| py.check_signals())
        {
            return Err(self.raised(error));
        }
        self.count += 1;
        let fetched = match &mut self.inner {
            Inner::File(source) => return source.next_row(),
            Inner::Iterator(_, batch, _) if !batch.is_empty() => return Ok(batch.pop_front()),
            Inner::Iterator(iterator, batch, _) => {
                let first = self.count;
                Python::attach(|py| fill(iterator.bind(py), batch, first)).map(|()| batch.pop_front())
            }
        };
        fetched.map_err(|error| self.raised(error))
    }

    fn line(&self) -> Option<u64> {
        match &self.inner {
            Inner::File(source) => source.line(),
            Inner::Iterator(..) => None,
        }
    }

    fn digest(&self) -> Option<String> {
        match &self.inner {
            Inner::File(source) => source.digest(),
            Inner::Iterator(..) => None,
        }
    }

    fn path(&self) -> Option<&Path> {
        match &self.inner {
            Inner::File(source) => source.path(),
            Inner::Iterator(..) => None,
        }
    }
}

fn fill(iterator: &Bound<'_, PyIterator>, batch: &mut VecDeque<Columns>, first: usize) -> PyResult<()> {
    for (number, row) in (first..).zip(iterator.clone().take(BATCH)) {
        batch.push_back(columns(&row?, number)?);
    }
    Ok(())
}

fn columns(row: &Bound<'_, PyAny>, number: usize) -> PyResult<Columns> {
    let json = encode::to_json(row)
        .map_err(|error| argument_errors::located(row.py(), error, &format!("row {number}")))?;
    match serde_json::from_str(&json) {
        Ok(Value::Object(columns)) => Ok(columns),
        _ => Err(bad_type(format!(
            "row {number}: must be a mapping of columns to values, got {}",
            encode::type_name(row)
        ))),
    }
}
