//! Exports the outcomes of a campaign as an Arrow stream.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch, RecordBatchReader, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use cpaas_campaign::campaign::ExportRow;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::arrays::internal;
use super::fields::nullable;
use crate::campaign::{CampaignJournal, SharedJournal};

/// The columns of every campaign, and those that it keeps as text.
fn schema(kept: &[String]) -> SchemaRef {
    let required = |name, data_type| Field::new(name, data_type, false);
    let own = vec![
        Arc::new(required("row", DataType::Int64)),
        Arc::new(required("outcome", DataType::Utf8)),
        nullable("reason", DataType::Utf8),
        nullable("message_id", DataType::Utf8),
        Arc::new(required("recipients", DataType::List(nullable("item", DataType::Utf8)))),
        Arc::new(required("attempts", DataType::Int32)),
        nullable("delivery", DataType::Utf8),
        nullable("line", DataType::Int64),
    ];
    let kept = kept.iter().map(|name| nullable(name, DataType::Utf8));
    Arc::new(Schema::new(own.into_iter().chain(kept).collect::<Vec<_>>()))
}

/// The outcomes of a campaign. Each stream reads the journal from the first row and yields one batch for each chunk.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct ArrowOutcomes {
    journal: Py<CampaignJournal>,
    name: String,
    /// Only rows with one of these outcomes.
    outcomes: Option<Vec<String>>,
}

#[pymethods]
impl ArrowOutcomes {
    #[new]
    #[pyo3(signature = (journal, name, outcomes=None, /))]
    const fn new(journal: Py<CampaignJournal>, name: String, outcomes: Option<Vec<String>>) -> Self {
        Self { journal, name, outcomes }
    }

    /// The type, as a capsule `arrow_schema`.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let kept = self.journal.get().kept_columns(py, &self.name)?;
        let schema = FFI_ArrowSchema::try_from(schema(&kept).as_ref()).map_err(internal)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The rows, as a capsule `arrow_array_stream`.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        // The first rows are read now, so that an unknown campaign raises an exception here instead of failing the stream.
        let first = self.journal.get().outcomes(py, &self.name, 0)?;
        let kept = self.journal.get().kept_columns(py, &self.name)?;
        let stream = OutcomeBatches {
            journal: self.journal.get().shared(),
            name: self.name.clone(),
            schema: schema(&kept),
            outcomes: self.outcomes.clone(),
            first: Some(first),
            chunk: 1,
        };
        let stream = FFI_ArrowArrayStream::new(Box::new(stream));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// Reads a journal chunk by chunk.
struct OutcomeBatches {
    journal: Arc<SharedJournal>,
    name: String,
    schema: SchemaRef,
    outcomes: Option<Vec<String>>,
    /// The rows of the first chunk.
    first: Option<Vec<ExportRow>>,
    /// The number of the next chunk.
    chunk: u32,
}

impl OutcomeBatches {
    fn rows(&mut self) -> Result<Vec<ExportRow>, ArrowError> {
        if let Some(first) = self.first.take() {
            return Ok(first);
        }
        let rows = self.journal.outcomes(&self.name, self.chunk);
        let rows = rows.map_err(|error| ArrowError::ExternalError(error.to_string().into()))?;
        self.chunk += 1;
        Ok(rows)
    }
}

impl Iterator for OutcomeBatches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.rows() {
            Ok(rows) if rows.is_empty() => None,
            Ok(mut rows) => {
                if let Some(outcomes) = &self.outcomes {
                    rows.retain(|row| outcomes.iter().any(|outcome| outcome == row.outcome));
                }
                Some(batch(&self.schema, &rows))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl RecordBatchReader for OutcomeBatches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

fn batch(schema: &SchemaRef, rows: &[ExportRow]) -> Result<RecordBatch, ArrowError> {
    let mut recipients = ListBuilder::new(StringBuilder::new());
    for row in rows {
        recipients.append_value(row.recipients.iter().map(Some));
    }
    let text = |of: fn(&ExportRow) -> Option<&str>| -> ArrayRef {
        Arc::new(rows.iter().map(of).collect::<StringArray>())
    };
    let numbers = rows.iter().map(|row| i64::try_from(row.row).unwrap_or(i64::MAX));
    let lines = rows.iter().map(|row| row.line.map(|line| i64::try_from(line).unwrap_or(i64::MAX)));
    let attempts = rows.iter().map(|row| i32::from(row.attempts));
    let mut columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from_iter_values(numbers)),
        text(|row| Some(row.outcome)),
        text(|row| row.reason.as_deref()),
        text(|row| row.message_id.as_deref()),
        Arc::new(recipients.finish()),
        Arc::new(Int32Array::from_iter_values(attempts)),
        text(|row| row.delivery.as_deref()),
        Arc::new(lines.collect::<Int64Array>()),
    ];
    for column in 0..schema.fields().len().saturating_sub(columns.len()) {
        let values = rows.iter().map(|row| row.kept.text(column));
        columns.push(Arc::new(values.collect::<StringArray>()));
    }
    RecordBatch::try_new(schema.clone(), columns)
}
