//! Arguments that are Arrow arrays or streams of them, through the PyCapsule interface.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, FieldRef};
use cpaas::printable::{MAX_NAME, printable};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{PyCapsule, PyTuple};

use super::batch::Batch;
use super::fields::{STRINGS, cast_advice, is_text, joined, type_label};
use super::import_array::{import, import_field};
use super::table_columns::{ArrowTableColumns, TableReader};
use crate::argument_errors::{bad_type, bad_value};
use crate::encode::type_name;

/// An argument: its type and its chunks.
pub(super) struct Input {
    /// The name of the argument.
    pub(super) name: &'static str,
    data_type: DataType,
    /// Whether rows may be null, by the type.
    is_nullable: bool,
    chunks: Chunks,
    is_column: bool,
}

enum Chunks {
    Array(Option<FFI_ArrowArray>),
    Stream(FFI_ArrowArrayStream),
    Buffered(VecDeque<ArrayData>),
    Table(TableReader),
}

impl Input {
    /// A column of text, or a table of one such column.
    pub(super) fn strings(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let input = Self { is_column: true, ..Self::open(value, name)? };
        let found = match &input.data_type {
            DataType::Struct(fields) => match fields.iter().as_slice() {
                [field] => field.data_type(),
                _ => {
                    let names = joined(fields);
                    let argument = if name == "to" { "number" } else { "text" };
                    let message = format!(
                        "{name}: must be one column of {STRINGS}, got a table with the columns {names}; name the column, as in `{argument}=\"…\"`"
                    );
                    return Err(bad_type(message));
                }
            },
            other => other,
        };
        if !is_text(found) {
            let (advice, found) = (cast_advice(found), type_label(found));
            return Err(bad_type(format!("{name}: must be {STRINGS}, got {found}{advice}")));
        }
        Ok(input)
    }

    /// A table or an array of structs.
    pub(super) fn table(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let input = Self::open(value, name)?;
        match &input.data_type {
            DataType::Struct(fields) => {
                let mut seen = BTreeSet::new();
                match fields.iter().map(|field| field.name()).find(|name| !seen.insert(*name)) {
                    None => Ok(input),
                    Some(twice) => Err(bad_value(format!(
                        "{name}: the names of columns must differ, got `{}` twice",
                        printable(twice, MAX_NAME)
                    ))),
                }
            }
            other => {
                let found = type_label(other);
                Err(bad_type(format!("{name}: must be a table or an array of structs, got {found}")))
            }
        }
    }

    fn open(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let py = value.py();
        if let Ok(columns) = value.cast::<ArrowTableColumns>() {
            let (field, reader) = columns.get().reader();
            let is_column = reader.is_column();
            return Ok(Self { is_column, ..Self::new(name, &field, Chunks::Table(reader)) });
        }
        if let Some(method) = value.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
            let capsule = method.call0()?;
            let mut stream: FFI_ArrowArrayStream = taken(&capsule, c"arrow_array_stream")?;
            let schema = py.detach(|| schema_of(&mut stream))?;
            let field = import_field(&schema)?;
            let chunks = Chunks::Stream(stream);
            return Ok(Self::new(name, &field, chunks));
        }
        if let Some(method) = value.getattr_opt(intern!(py, "__arrow_c_array__"))? {
            let pair = method.call0()?.cast_into::<PyTuple>()?;
            let schema: FFI_ArrowSchema = taken(&pair.get_item(0)?, c"arrow_schema")?;
            let array = taken(&pair.get_item(1)?, c"arrow_array")?;
            let field = import_field(&schema)?;
            let chunks = Chunks::Array(Some(array));
            return Ok(Self::new(name, &field, chunks));
        }
        let found = type_name(value);
        Err(bad_type(format!(
            "{name}: must have the method __arrow_c_stream__ or __arrow_c_array__, as data frames and their columns have, got {found}"
        )))
    }

    fn new(name: &'static str, field: &Field, chunks: Chunks) -> Self {
        let (data_type, is_nullable) = (field.data_type().clone(), field.is_nullable());
        Self { name, data_type, is_nullable, chunks, is_column: false }
    }

    /// Whether rows may be null, by the type.
    pub(super) fn is_nullable(&self) -> bool {
        let is_member_nullable = || self.fields().iter().any(|field| field.is_nullable());
        self.is_nullable || (self.is_column && is_member_nullable())
    }

    /// The columns of a table.
    pub(super) fn fields(&self) -> &[FieldRef] {
        match &self.data_type {
            DataType::Struct(fields) => fields,
            _ => &[],
        }
    }

    /// Reads all chunks now, because a database connection cannot have two open results.
    pub(super) fn buffered(mut self) -> PyResult<Self> {
        if matches!(self.chunks, Chunks::Table(_)) {
            return Ok(self); // its table is read once
        }
        let mut chunks = VecDeque::new();
        while let Some(chunk) = self.next_data()? {
            chunks.push_back(chunk);
        }
        Ok(Self { chunks: Chunks::Buffered(chunks), ..self })
    }

    /// The next chunk.
    pub(super) fn next(&mut self) -> PyResult<Option<Arc<Batch>>> {
        if let Chunks::Table(reader) = &self.chunks {
            return reader.next();
        }
        let Some(data) = self.next_data()? else { return Ok(None) };
        let is_plain = self.is_column && !matches!(self.data_type, DataType::Struct(_));
        Ok(Some(Arc::new(if is_plain {
            Batch { first: 0, nulls: None, len: data.len(), columns: vec![data] }
        } else {
            let (first, len, nulls) = (data.offset(), data.len(), data.nulls().cloned());
            Batch { first, len, nulls, columns: data.child_data().to_vec() }
        })))
    }

    fn next_data(&mut self) -> PyResult<Option<ArrayData>> {
        let array = match &mut self.chunks {
            Chunks::Array(array) => array.take(),
            Chunks::Stream(stream) => next_array(stream)?,
            Chunks::Buffered(chunks) => return Ok(chunks.pop_front()),
            Chunks::Table(_) => None,
        };
        array.map(|array| import(array, &self.data_type)).transpose()
    }
}

/// Moves a structure out of its capsule, which is empty afterwards. Without the GIL, two threads may have one capsule.
fn taken<T: Exported>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<T> {
    let capsule = capsule.cast::<PyCapsule>()?;
    with_critical_section(capsule, || {
        let pointer = capsule.pointer_checked(Some(name))?;
        // SAFETY: a capsule of this name contains this structure, and the section keeps other threads from it.
        Ok(unsafe { T::moved(pointer.as_ptr().cast()) })
    })
}

/// The structures of the C interfaces.
trait Exported {
    /// # Safety
    /// The address must be that of a valid structure.
    unsafe fn moved(address: *mut Self) -> Self;
}

impl Exported for FFI_ArrowArrayStream {
    unsafe fn moved(address: *mut Self) -> Self {
        // SAFETY: the caller fulfills the requirements of this function.
        unsafe { Self::from_raw(address) }
    }
}

impl Exported for FFI_ArrowSchema {
    unsafe fn moved(address: *mut Self) -> Self {
        // SAFETY: the caller fulfills the requirements of this function.
        unsafe { Self::from_raw(address) }
    }
}

impl Exported for FFI_ArrowArray {
    unsafe fn moved(address: *mut Self) -> Self {
        // SAFETY: the caller fulfills the requirements of this function.
        unsafe { Self::from_raw(address) }
    }
}

fn schema_of(stream: &mut FFI_ArrowArrayStream) -> PyResult<FFI_ArrowSchema> {
    let mut schema = FFI_ArrowSchema::empty();
    let function = stream.get_schema().filter(|_| stream.release().is_some());
    let function = function.ok_or_else(|| bad_value("the Arrow stream was read already"))?;
    // SAFETY: the stream is not released, and the function is its own.
    match unsafe { function(stream, &raw mut schema) } {
        0 => Ok(schema),
        code => Err(failed(stream, code)),
    }
}

fn next_array(stream: &mut FFI_ArrowArrayStream) -> PyResult<Option<FFI_ArrowArray>> {
    let mut array = FFI_ArrowArray::empty();
    let function = stream.get_next().ok_or_else(|| bad_value("the Arrow stream was read already"))?;
    // SAFETY: the stream is not released, and the function is its own.
    match unsafe { function(stream, &raw mut array) } {
        0 => Ok((!array.is_released()).then_some(array)),
        code => Err(failed(stream, code)),
    }
}

fn failed(stream: &mut FFI_ArrowArrayStream, code: i32) -> PyErr {
    // SAFETY: the stream is not released, and its last call failed.
    let text = stream.get_last_error().map(|function| unsafe { function(stream) });
    let text = text.filter(|text| !text.is_null());
    // SAFETY: the text is valid until the next call.
    let text = text.map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
    bad_value(format!("the Arrow stream failed: {}", text.unwrap_or_else(|| format!("error {code}"))))
}
