//! Columns of a table that several inputs read together.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_schema::Field;
use pyo3::prelude::*;

use super::arrays::keeping_exception;
use super::batch::Batch;

/// Reads the next batch of a table.
pub(super) type Source = Box<dyn FnMut() -> PyResult<Option<Arc<Batch>>> + Send>;

/// The table and what its readers have not read yet.
pub(super) struct Shared {
    /// `None` after the end or an error. The input is released before an exception is set, because the release may run Python code.
    pub(super) source: Option<Source>,
    pub(super) queues: Vec<VecDeque<Arc<Batch>>>,
    /// All batches, for `append`.
    pub(super) kept: Option<Vec<Arc<Batch>>>,
}

impl Shared {
    fn next(&mut self, reader: usize) -> PyResult<Option<Arc<Batch>>> {
        if let Some(batch) = self.queues.get_mut(reader).and_then(VecDeque::pop_front) {
            return Ok(Some(batch));
        }
        let Some(source) = &mut self.source else { return Ok(None) };
        let next = source();
        let Ok(Some(batch)) = next else {
            self.source = None;
            return next;
        };
        for (index, queue) in self.queues.iter_mut().enumerate() {
            if index != reader {
                queue.push_back(batch.clone());
            }
        }
        if let Some(kept) = &mut self.kept {
            kept.push(batch.clone());
        }
        Ok(Some(batch))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let (source, queues, kept) = (self.source.take(), std::mem::take(&mut self.queues), self.kept.take());
        keeping_exception(|| drop((source, queues, kept)));
    }
}

pub(super) fn locked(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Columns of a table, which can be read once.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct ArrowTableColumns {
    pub(super) shared: Arc<Mutex<Shared>>,
    pub(super) reader: usize,
    pub(super) columns: Vec<usize>,
    pub(super) field: Field,
    pub(super) is_column: bool,
}

impl ArrowTableColumns {
    pub(super) fn reader(&self) -> (Field, TableReader) {
        let (shared, columns) = (self.shared.clone(), self.columns.clone());
        let reader = TableReader { shared, reader: self.reader, columns, is_column: self.is_column };
        (self.field.clone(), reader)
    }
}

/// An input that reads columns of a table.
pub(super) struct TableReader {
    shared: Arc<Mutex<Shared>>,
    reader: usize,
    columns: Vec<usize>,
    is_column: bool,
}

impl TableReader {
    pub(super) const fn is_column(&self) -> bool {
        self.is_column
    }

    pub(super) fn next(&self) -> PyResult<Option<Arc<Batch>>> {
        let Some(batch) = locked(&self.shared).next(self.reader)? else { return Ok(None) };
        let columns = self.columns.iter().filter_map(|index| batch.columns.get(*index).cloned());
        let (first, nulls, len) = (batch.first, batch.nulls.clone(), batch.len);
        Ok(Some(Arc::new(Batch { columns: columns.collect(), first, nulls, len })))
    }
}

impl Drop for TableReader {
    fn drop(&mut self) {
        let source = locked(&self.shared).source.take();
        drop(source);
    }
}
