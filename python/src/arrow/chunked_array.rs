//! Results: arrays in chunks, exported through the PyCapsule interface.

use std::collections::VecDeque;
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, FieldRef};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList, PyTuple};

use super::arrays::{copied, internal, keeping_exception};
use super::fields::{added_fields, type_label};
use super::pickles;
use super::python_values::reader;
use super::shown_rows;
use crate::argument_errors::{bad_type, bad_value};

/// An Arrow array, which exports itself as one array or as a stream of chunks. Every Arrow library accepts one of the two.
#[pyclass(frozen, module = "cpaas.arrow")]
pub(crate) struct ArrowArray {
    field: FieldRef,
    chunks: Vec<ArrayData>,
    /// The number of the first columns that are those of the caller. Their contents are not checked, and `repr` hides them.
    hidden: usize,
}

impl ArrowArray {
    pub(super) fn new(field: FieldRef, chunks: Vec<ArrayData>) -> Self {
        let chunks = chunks.into_iter().filter(|chunk| !chunk.is_empty()).collect();
        Self { field, chunks, hidden: 0 }
    }

    /// The array, whose first `hidden` columns are those of the caller.
    pub(super) fn with_hidden(mut self, hidden: usize) -> Self {
        self.hidden = hidden;
        self
    }

    pub(super) fn field(&self) -> &Field {
        &self.field
    }

    pub(super) fn chunks(&self) -> &[ArrayData] {
        &self.chunks
    }

    /// Checks the contents of the caller's columns before arrow-rs reads them without checks.
    fn check_contents(&self) -> PyResult<()> {
        if self.hidden == 0 {
            return Ok(());
        }
        let malformed = |found: String| {
            bad_value(format!(
                "expected an array of the Arrow C Data Interface, got a malformed one: {found}"
            ))
        };
        for chunk in &self.chunks {
            catch_unwind(AssertUnwindSafe(|| chunk.validate_full()))
                .map_err(|_| malformed("the contents are inconsistent".to_owned()))?
                .map_err(|error| malformed(error.to_string()))?;
        }
        Ok(())
    }

    /// All chunks as one array. Several chunks are copied.
    fn joined(&self) -> PyResult<ArrayData> {
        if let [chunk] = self.chunks.as_slice() {
            return Ok(chunk.clone());
        }
        self.check_contents()?;
        if self.chunks.is_empty() {
            return Ok(ArrayData::new_empty(self.field.data_type()));
        }
        copied(self.chunks.iter().collect())
    }

    fn rows(&self) -> usize {
        self.chunks.iter().map(ArrayData::len).sum()
    }

    fn schema(&self) -> PyResult<FFI_ArrowSchema> {
        FFI_ArrowSchema::try_from(self.field.as_ref()).map_err(internal)
    }
}

impl Drop for ArrowArray {
    fn drop(&mut self) {
        if self.hidden > 0 {
            let chunks = std::mem::take(&mut self.chunks);
            keeping_exception(|| drop(chunks));
        }
    }
}

#[pymethods]
impl ArrowArray {
    /// The type, as a capsule `arrow_schema`.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, self.schema()?, c"arrow_schema")
    }

    /// The array as one chunk: the capsules `arrow_schema` and `arrow_array`.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let array = py.detach(|| self.joined().map(|data| FFI_ArrowArray::new(&data)))?;
        Ok((self.__arrow_c_schema__(py)?, PyCapsule::new_with_value(py, array, c"arrow_array")?))
    }

    /// The chunks, as a capsule `arrow_array_stream`.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let chunks = ExportedChunks {
            field: self.field.clone(),
            chunks: self.chunks.clone().into_iter(),
            error: None,
        };
        PyCapsule::new_with_value(py, chunks.stream(), c"arrow_array_stream")
    }

    /// The structs as a table, whose columns are their members. A null struct is a row of nulls: tables have no null rows.
    ///
    /// Raises:
    ///     `TypeError`: The array is not of structs.
    fn table(&self) -> PyResult<Self> {
        if !matches!(self.field.data_type(), DataType::Struct(_)) {
            let found = type_label(self.field.data_type());
            return Err(bad_type(format!("expected an array of structs, got {found}")));
        }
        let without_nulls = |chunk: &ArrayData| {
            // SAFETY: the members of a null struct are null, so the array is valid without the null buffer of the struct.
            unsafe { chunk.clone().into_builder().nulls(None).build_unchecked() }
        };
        let chunks = self.chunks.iter().map(without_nulls).collect();
        Ok(Self { field: self.field.clone(), chunks, hidden: self.hidden })
    }

    /// The rows as a list of Python objects: structs are dicts, decimals are `Decimal`.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for chunk in &self.chunks {
            let read = reader(py, chunk)?;
            for row in 0..chunk.len() {
                list.append(read(py, row)?)?;
            }
            py.check_signals()?;
        }
        Ok(list)
    }

    /// The rows as Python objects.
    fn __iter__(this: Py<Self>) -> ArrowArrayIterator {
        ArrowArrayIterator { array: this, position: Mutex::default() }
    }

    /// Whether another `ArrowArray` has the same type and rows. Nulls are equal.
    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        py.detach(|| {
            if self.field.data_type() != other.field.data_type() || self.rows() != other.rows() {
                return Ok(false);
            }
            self.check_contents()?;
            other.check_contents()?;
            let (one, other) = (self.joined()?, other.joined()?);
            Ok(one == other)
        })
    }

    /// Restores a pickle.
    #[new]
    #[pyo3(signature = (state, /))]
    fn from_pickle(state: (Bound<'_, PyAny>, usize, Vec<Bound<'_, PyAny>>)) -> PyResult<Self> {
        let (field, hidden, chunks) = state;
        let field = pickles::restored_field(&field)?;
        let chunks = chunks.iter().map(|chunk| pickles::restored_chunk(chunk, field.data_type()));
        let chunks = chunks.collect::<PyResult<Vec<_>>>()?;
        Ok(Self::new(Arc::new(field), chunks).with_hidden(hidden))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.check_contents()?;
        let chunks = self.chunks.iter().map(|chunk| pickles::chunk_state(py, chunk));
        let chunks = chunks.collect::<PyResult<Vec<_>>>()?;
        let state = (pickles::field_state(py, &self.field)?, self.hidden, chunks);
        (py.get_type::<Self>(), (state,)).into_pyobject(py)
    }

    /// The number of chunks.
    #[getter]
    fn num_chunks(&self) -> usize {
        self.chunks.len()
    }

    fn __len__(&self) -> usize {
        self.rows()
    }

    /// The type and the first rows: counts, prices and codes. Text, JSON, numbers of people and the caller's columns are `…`.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        shown_rows::repr(py, &self.field, &self.chunks, self.hidden)
    }
}

/// The number of rows that an iterator converts at once. A reader for each row would cost more than the conversion of the row.
const ROWS_AT_ONCE: usize = 1_000;

/// The rows of an array as Python objects.
#[pyclass(frozen, module = "cpaas._cpaas")]
pub(crate) struct ArrowArrayIterator {
    array: Py<ArrowArray>,
    position: Mutex<Position>,
}

#[derive(Default)]
struct Position {
    /// The chunk and the row that are converted next.
    chunk: usize,
    row: usize,
    /// Rows that are converted, or the exceptions for those that have no Python values.
    converted: VecDeque<PyResult<Py<PyAny>>>,
}

impl Position {
    /// The rows of a chunk that are converted next; the position is then after them.
    fn advance(&mut self, chunks: &[ArrayData]) -> Option<(usize, std::ops::Range<usize>)> {
        while let Some(chunk) = chunks.get(self.chunk) {
            let rows = self.row..chunk.len().min(self.row + ROWS_AT_ONCE);
            if !rows.is_empty() {
                self.row = rows.end;
                return Some((self.chunk, rows));
            }
            (self.chunk, self.row) = (self.chunk + 1, 0);
        }
        None
    }
}

#[pymethods]
impl ArrowArrayIterator {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let chunks = &self.array.get().chunks;
        let mut position = self.locked();
        if let Some(row) = position.converted.pop_front() {
            return row.map(Some);
        }
        let Some((index, rows)) = position.advance(chunks) else { return Ok(None) };
        // The conversion runs Python code, which may use this iterator.
        drop(position);
        let Some(chunk) = chunks.get(index) else { return Ok(None) };
        let read = reader(py, chunk)?;
        let mut converted: VecDeque<_> = rows.map(|row| read(py, row).map(Bound::unbind)).collect();
        let first = converted.pop_front().transpose()?;
        self.locked().converted.append(&mut converted);
        Ok(first)
    }
}

impl ArrowArrayIterator {
    fn locked(&self) -> MutexGuard<'_, Position> {
        self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A result whose members have a prefix before their names.
#[pyfunction]
#[pyo3(signature = (result, prefix, /))]
pub(crate) fn arrow_prefixed(result: &ArrowArray, prefix: &str) -> ArrowArray {
    if !matches!(result.field.data_type(), DataType::Struct(_)) {
        let field = result.field.clone();
        return ArrowArray { field, chunks: result.chunks.clone(), hidden: result.hidden };
    }
    let data_type = DataType::Struct(added_fields(&result.field, prefix, "").into());
    let renamed = |chunk: &ArrayData| {
        // SAFETY: only the names of the members change.
        unsafe { chunk.clone().into_builder().data_type(data_type.clone()).build_unchecked() }
    };
    let chunks = result.chunks.iter().map(renamed).collect();
    let field = result.field.as_ref().clone().with_data_type(data_type.clone());
    ArrowArray { field: Arc::new(field), chunks, hidden: result.hidden }
}

/// The private data of an exported stream. arrow-rs exports streams of record batches only, which cannot have null rows.
struct ExportedChunks {
    field: FieldRef,
    chunks: std::vec::IntoIter<ArrayData>,
    error: Option<CString>,
}

impl ExportedChunks {
    fn stream(self) -> FFI_ArrowArrayStream {
        let data = Box::into_raw(Box::new(self)).cast::<c_void>();
        // SAFETY: these functions expect this type of private data, and `release` frees it.
        unsafe {
            FFI_ArrowArrayStream::new_unchecked(
                Some(get_schema),
                Some(get_next),
                Some(get_last_error),
                Some(release),
                data,
            )
        }
    }

    /// # Safety
    /// [`ExportedChunks::stream`] must have created the stream, and the stream must not be released.
    unsafe fn of<'a>(stream: *mut FFI_ArrowArrayStream) -> &'a mut Self {
        // SAFETY: the caller fulfills the requirements of this function; the consumer does not call two functions at once.
        unsafe { &mut *(*stream).private_data().cast::<Self>() }
    }
}

unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: the consumer passes its stream.
    let chunks = unsafe { ExportedChunks::of(stream) };
    match FFI_ArrowSchema::try_from(chunks.field.as_ref()) {
        Ok(schema) => {
            // SAFETY: the consumer passes the address of an empty schema.
            unsafe { out.write(schema) };
            0
        }
        Err(error) => {
            chunks.error = CString::new(error.to_string()).ok();
            libc::EINVAL
        }
    }
}

unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: the consumer passes its stream.
    let chunks = unsafe { ExportedChunks::of(stream) };
    let array = chunks.chunks.next().map_or_else(FFI_ArrowArray::empty, |data| FFI_ArrowArray::new(&data));
    // SAFETY: the consumer passes the address of an empty array.
    unsafe { out.write(array) };
    0
}

unsafe extern "C" fn get_last_error(stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    // SAFETY: the consumer passes its stream.
    let chunks = unsafe { ExportedChunks::of(stream) };
    chunks.error.as_ref().map_or(std::ptr::null(), |error| error.as_ptr())
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    if stream.is_null() {
        return;
    }
    // SAFETY: `ExportedChunks::stream` allocated the private data, which is removed from the stream before it is freed.
    unsafe {
        let data = (*stream).set_private_data(std::ptr::null_mut()).cast::<ExportedChunks>();
        if !data.is_null() {
            drop(Box::from_raw(data));
        }
        let _ = (*stream).set_release(None);
    }
}
