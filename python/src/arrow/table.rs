//! A table whose columns several inputs read together.
//!
//! The rows of a query may have another order each time it runs. Therefore the functions that need two columns of a table read the
//! table once, and each row of their result belongs to the same row of the table.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use arrow_buffer::NullBuffer;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, FieldRef, Fields};
use pyo3::prelude::*;

use super::batch::Batch;
use super::chunked_array::ArrowArray;
use super::fields::added_fields;
use super::input::Input;
use super::suggestions;
use super::table_columns::{ArrowTableColumns, Shared, locked};
use crate::argument_errors::bad_value;

/// A table, which is read once.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct ArrowTable {
    fields: Fields,
    /// Whether rows may be null, by the type.
    is_nullable: bool,
    shared: Arc<Mutex<Shared>>,
}

#[pymethods]
impl ArrowTable {
    /// Opens a table, which is the argument `column` or `batch`. `keep` keeps its batches for `append`.
    #[new]
    #[pyo3(signature = (table, argument, keep, /))]
    fn new(table: &Bound<'_, PyAny>, argument: &str, keep: bool) -> PyResult<Self> {
        let argument = if argument == "batch" { "batch" } else { "column" };
        let mut source = Input::table(table, argument)?;
        let (fields, is_nullable) = (source.fields().iter().cloned().collect(), source.is_nullable());
        let shared = Shared {
            source: Some(Box::new(move || source.next())),
            queues: Vec::new(),
            kept: keep.then(Vec::new),
        };
        Ok(Self { fields, is_nullable, shared: Arc::new(Mutex::new(shared)) })
    }

    /// A column, which the argument `argument` names. It is read with the other columns of this table.
    #[pyo3(signature = (name, argument, /))]
    fn column(&self, name: &str, argument: &str) -> PyResult<ArrowTableColumns> {
        let index = self.index(name, argument)?;
        let field = self.fields.get(index);
        let data_type = field.map_or(DataType::Null, |field| field.data_type().clone());
        let is_nullable = self.is_nullable || field.is_none_or(|field| field.is_nullable());
        Ok(self.columns(Field::new(name, data_type, is_nullable), vec![index], true))
    }

    /// The rows without some columns.
    #[pyo3(signature = (excluded, /))]
    fn rows(&self, excluded: Vec<String>) -> PyResult<ArrowTableColumns> {
        for name in &excluded {
            self.index(name, "id")?;
        }
        let columns = self.fields.iter().enumerate().filter(|(_, field)| !excluded.contains(field.name()));
        let (indexes, fields): (Vec<usize>, Vec<FieldRef>) =
            columns.map(|(index, field)| (index, field.clone())).unzip();
        let field = Field::new("rows", DataType::Struct(fields.into()), self.is_nullable);
        Ok(self.columns(field, indexes, false))
    }

    /// The columns `names` of the table (`None`: all), then the members of a result, or the result as the column `name`.
    #[pyo3(signature = (result, names, prefix, name, /))]
    fn append(
        &self,
        py: Python<'_>,
        result: &ArrowArray,
        names: Option<Vec<String>>,
        prefix: &str,
        name: &str,
    ) -> PyResult<ArrowArray> {
        let columns = match names {
            Some(names) => names.iter().map(|name| self.index(name, "id")).collect::<PyResult<Vec<_>>>()?,
            None => (0..self.fields.len()).collect(),
        };
        let own: Vec<FieldRef> =
            columns.iter().filter_map(|index| self.fields.get(*index).cloned()).collect();
        let added = added_fields(result.field(), prefix, name);
        for field in &added {
            if own.iter().any(|own| own.name() == field.name()) {
                let name = field.name();
                return Err(bad_value(format!(
                    "the table already has a column `{name}`; `prefix` renames the added columns"
                )));
            }
        }
        let hidden = own.len();
        let fields: Fields = own.iter().map(nullable_copy).chain(added).collect();
        let kept = locked(&self.shared).kept.clone().unwrap_or_default();
        let chunks = py.detach(|| joined(&kept, &columns, result, &fields))?;
        let field = Field::new("table", DataType::Struct(fields), false);
        Ok(ArrowArray::new(Arc::new(field), chunks).with_hidden(hidden))
    }
}

impl ArrowTable {
    fn columns(&self, field: Field, columns: Vec<usize>, is_column: bool) -> ArrowTableColumns {
        let mut shared = locked(&self.shared);
        shared.queues.push(VecDeque::new());
        let reader = shared.queues.len() - 1;
        ArrowTableColumns { shared: self.shared.clone(), reader, columns, field, is_column }
    }

    /// The index of a column, which the table must have once. The table is released if there is an error.
    fn index(&self, name: &str, argument: &str) -> PyResult<usize> {
        let mut found = self.fields.iter().enumerate().filter(|(_, field)| field.name() == name);
        let message = match (found.next(), found.next()) {
            (Some((index, _)), None) => return Ok(index),
            (Some(_), Some(_)) => format!("{argument}: the table has several columns `{name}`"),
            (None, _) => {
                let known: Vec<&str> = self.fields.iter().map(|field| field.name().as_str()).collect();
                let near = suggestions::nearest(name, &known);
                format!("{argument}: the table must have the column `{name}`{near}")
            }
        };
        drop(locked(&self.shared).source.take());
        Err(bad_value(message))
    }
}

/// A field of a table, nullable because a row of a struct may be null.
fn nullable_copy(field: &FieldRef) -> FieldRef {
    Arc::new(field.as_ref().clone().with_nullable(true))
}

/// The columns of the batches beside the chunks of a result. A chunk of a result never crosses the end of a batch.
fn joined(
    batches: &[Arc<Batch>],
    columns: &[usize],
    result: &ArrowArray,
    fields: &Fields,
) -> PyResult<Vec<ArrayData>> {
    let mut chunks = Vec::new();
    let mut batches = batches.iter().filter(|batch| batch.len > 0);
    let mut current: Option<(&Arc<Batch>, usize)> = None;
    for chunk in result.chunks() {
        let position = current.filter(|(batch, at)| *at < batch.len);
        let Some((batch, at)) = position.or_else(|| batches.next().map(|batch| (batch, 0))) else {
            return Err(bad_value("the result must belong to the table"));
        };
        let rows = chunk.len();
        let own = columns.iter().filter_map(|index| batch.columns.get(*index));
        let own = own.map(|column| rows_of(column, batch, at, rows));
        let added: Vec<ArrayData> = match chunk.data_type() {
            DataType::Struct(_) => {
                chunk.child_data().iter().map(|child| child.slice(chunk.offset(), rows)).collect()
            }
            _ => vec![chunk.clone()],
        };
        let builder = ArrayData::builder(DataType::Struct(fields.clone())).len(rows);
        let builder = builder.child_data(own.chain(added).collect());
        // SAFETY: each child has `rows` rows and the type of its field.
        chunks.push(unsafe { builder.build_unchecked() });
        current = Some((batch, at + rows));
    }
    Ok(chunks)
}

/// Rows of a column. They are null where the row of the batch is null.
fn rows_of(column: &ArrayData, batch: &Batch, at: usize, rows: usize) -> ArrayData {
    let column = column.slice(batch.first + at, rows);
    let Some(nulls) = &batch.nulls else { return column };
    if *column.data_type() == DataType::Null {
        return column;
    }
    let nulls = NullBuffer::union(column.nulls(), Some(&nulls.slice(at, rows)));
    // SAFETY: the array has the same rows, of which more are null.
    unsafe { column.into_builder().nulls(nulls).build_unchecked() }
}
