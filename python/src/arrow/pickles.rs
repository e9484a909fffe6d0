//! The pickle of an array: its type, then the buffers of its chunks.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use super::arrays::copied;
use super::compaction::compacted;
use crate::argument_errors::bad_value;

/// A field as values that can be pickled: name, nullable, metadata, format, children, dictionary.
type FieldState<'py> =
    (String, bool, HashMap<String, String>, String, Vec<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

/// An array as values that can be pickled: rows, validity, buffers, children.
type ArrayState<'py> = (usize, Option<Vec<u8>>, Vec<Bound<'py, PyBytes>>, Vec<Bound<'py, PyAny>>);

pub(super) fn field_state<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyAny>> {
    let states = |fields: &[FieldRef]| -> PyResult<Vec<Bound<'py, PyAny>>> {
        fields.iter().map(|field| field_state(py, field)).collect()
    };
    let (format_type, children, values) = match field.data_type() {
        DataType::Struct(fields) => (field.data_type(), states(fields)?, None),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => (field.data_type(), vec![field_state(py, item)?], None),
        DataType::Dictionary(keys, values) => {
            let values = Field::new("", values.as_ref().clone(), true);
            (keys.as_ref(), Vec::new(), Some(field_state(py, &values)?))
        }
        other => (other, Vec::new(), None),
    };
    let schema = FFI_ArrowSchema::try_from(format_type).map_err(|error| invalid(&error))?;
    let is_sorted = if matches!(field.data_type(), DataType::Map(_, true)) { "sorted" } else { "" };
    let format = format!("{}{is_sorted}", schema.format());
    let metadata: HashMap<String, String> =
        field.metadata().iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let state = (field.name(), field.is_nullable(), metadata, format, children, values);
    Ok(state.into_pyobject(py)?.into_any())
}

pub(super) fn restored_field(state: &Bound<'_, PyAny>) -> PyResult<Field> {
    let (name, nullable, metadata, format, children, dictionary): FieldState<'_> = state.extract()?;
    let children = children.iter().map(|child| restored_field(child).map(Arc::new));
    let children = children.collect::<PyResult<Vec<FieldRef>>>()?;
    let child = || children.first().cloned().ok_or_else(|| bad_value("the pickle is damaged"));
    let data_type = match (format.as_str(), &dictionary) {
        ("+s", _) => DataType::Struct(children.into()),
        ("+l", _) => DataType::List(child()?),
        ("+L", _) => DataType::LargeList(child()?),
        ("+m", _) => DataType::Map(child()?, false),
        ("+msorted", _) => DataType::Map(child()?, true),
        (format, _) if format.starts_with("+w:") => {
            let size = format.trim_start_matches("+w:").parse();
            DataType::FixedSizeList(child()?, size.map_err(|_| bad_value("the pickle is damaged"))?)
        }
        (format, dictionary) => {
            let schema =
                FFI_ArrowSchema::try_new(format, Vec::new(), None).map_err(|error| invalid(&error))?;
            let plain = DataType::try_from(&schema).map_err(|error| invalid(&error))?;
            match dictionary {
                None => plain,
                Some(values) => {
                    let values = restored_field(values)?;
                    DataType::Dictionary(Box::new(plain), Box::new(values.data_type().clone()))
                }
            }
        }
    };
    Ok(Field::new(name, data_type, nullable).with_metadata(metadata))
}

/// The rows of a chunk only: a slice is copied without the rest of its buffers.
pub(super) fn chunk_state<'py>(py: Python<'py>, chunk: &ArrayData) -> PyResult<Bound<'py, PyAny>> {
    array_state(py, &compacted(copied(vec![chunk])?)?)
}

fn array_state<'py>(py: Python<'py>, data: &ArrayData) -> PyResult<Bound<'py, PyAny>> {
    if data.offset() != 0 {
        return chunk_state(py, data);
    }
    let validity = data.nulls().map(|nulls| PyBytes::new(py, nulls.inner().sliced().as_slice()));
    let buffers: Vec<_> = data.buffers().iter().map(|buffer| PyBytes::new(py, buffer.as_slice())).collect();
    let children = data.child_data().iter().map(|child| array_state(py, child));
    let children = children.collect::<PyResult<Vec<_>>>()?;
    let state: Bound<'py, PyTuple> = (data.len(), validity, buffers, children).into_pyobject(py)?;
    Ok(state.into_any())
}

pub(super) fn restored_chunk(state: &Bound<'_, PyAny>, data_type: &DataType) -> PyResult<ArrayData> {
    let (len, validity, buffers, children): ArrayState<'_> = state.extract()?;
    let types: Vec<&DataType> = match data_type {
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => vec![item.data_type()],
        DataType::Dictionary(_, values) => vec![values],
        _ => Vec::new(),
    };
    let children = children.iter().zip(types).map(|(child, data_type)| restored_chunk(child, data_type));
    let builder = ArrayData::builder(data_type.clone())
        .len(len)
        .null_bit_buffer(validity.map(Buffer::from_vec))
        .buffers(buffers.iter().map(|bytes| Buffer::from(bytes.as_bytes())).collect())
        .child_data(children.collect::<PyResult<Vec<_>>>()?)
        .align_buffers(true);
    // `build` checks everything, because a pickle may be damaged.
    let built = catch_unwind(AssertUnwindSafe(|| builder.build()));
    built.map_err(|_| bad_value("the pickle is damaged"))?.map_err(|error| invalid(&error))
}

fn invalid(error: &ArrowError) -> PyErr {
    bad_value(format!("the pickle of an Arrow array is invalid: {error}"))
}
