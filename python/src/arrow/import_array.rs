//! Imports arrays from the C Data Interface.
//!
//! arrow-rs expects a valid structure: a malformed one makes it panic or read out of bounds. Therefore this module first checks
//! every number of the structure, such as lengths and counts. Contents (offsets, views, UTF-8) are checked where a row is read,
//! because a check of whole buffers would read everything again for each slice. Addresses cannot be checked.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::argument_errors::{bad_type, bad_value};
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, FieldRef, Fields};
use pyo3::prelude::*;

/// The largest length of an array or buffer. Greater ones do not fit into an address space, and overflow when arrow-rs
/// calculates sizes in bits.
const MAX_LENGTH: usize = 1 << 40;

/// The maximum number of children of a type.
const MAX_CHILDREN: usize = 1 << 20;

/// The maximum depth of nested types, so that recursive functions do not overflow the stack.
const MAX_DEPTH: usize = 64;

/// Imports an array of a supported type.
pub(super) fn import(array: FFI_ArrowArray, data_type: &DataType) -> PyResult<ArrayData> {
    guarded(|| {
        check(&array, data_type, 0)?;
        let imported = importable(&array, data_type);
        // SAFETY: the numbers of the structure are checked. The producer guarantees the addresses.
        let data = unsafe { from_ffi_and_data_type(array, imported.clone()) }
            .map_err(|error| malformed(&error.to_string()))?;
        Ok(if imported == *data_type { data } else { with_type(&data, data_type) })
    })
}

/// The type to import an array as. Polars exports an array of nulls with one buffer, as Arrow did before 1.0, but arrow-rs
/// expects none. Such an array is imported as structs without members, which have the same layout.
fn importable(array: &FFI_ArrowArray, data_type: &DataType) -> DataType {
    let child = |index: usize, field: &FieldRef| -> FieldRef {
        let data_type = importable(array.child(index), field.data_type());
        Arc::new(field.as_ref().clone().with_data_type(data_type))
    };
    match data_type {
        DataType::Null if array.num_buffers() == 1 => DataType::Struct(Fields::empty()),
        DataType::Struct(fields) => {
            DataType::Struct(fields.iter().enumerate().map(|(index, field)| child(index, field)).collect())
        }
        DataType::List(item) => DataType::List(child(0, item)),
        DataType::LargeList(item) => DataType::LargeList(child(0, item)),
        DataType::FixedSizeList(item, size) => DataType::FixedSizeList(child(0, item), *size),
        DataType::Map(entries, is_sorted) => DataType::Map(child(0, entries), *is_sorted),
        other => other.clone(),
    }
}

/// Restores the type of an array that was imported with the type from [`importable`].
fn with_type(data: &ArrayData, data_type: &DataType) -> ArrayData {
    let types: Vec<&DataType> = match data_type {
        DataType::Null => return ArrayData::new_null(&DataType::Null, data.len()),
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => vec![item.data_type()],
        _ => return data.clone(),
    };
    let children = data.child_data().iter().zip(types).map(|(child, data_type)| with_type(child, data_type));
    let children = children.collect();
    let builder = data.clone().into_builder().data_type(data_type.clone()).child_data(children);
    // SAFETY: the layout is the same, and nulls have no values.
    unsafe { builder.build_unchecked() }
}

/// Imports a type.
pub(super) fn import_field(schema: &FFI_ArrowSchema) -> PyResult<Field> {
    guarded(|| {
        check_schema(schema, 0)?;
        let field = Field::try_from(schema).map_err(|error| malformed(&error.to_string()))?;
        if is_importable(field.data_type()) {
            return Ok(field);
        }
        Err(bad_type("columns of unions, list views and run-end encoded values are not supported"))
    })
}

fn is_importable(data_type: &DataType) -> bool {
    match data_type {
        DataType::Union(..)
        | DataType::RunEndEncoded(..)
        | DataType::ListView(_)
        | DataType::LargeListView(_) => false,
        DataType::Struct(fields) => fields.iter().all(|field| is_importable(field.data_type())),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => is_importable(item.data_type()),
        DataType::Dictionary(_, values) => is_importable(values),
        _ => true,
    }
}

/// Runs an import. arrow-rs panics if a structure is malformed in a way that `check` does not detect.
fn guarded<T>(import: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(import)).unwrap_or_else(|_| Err(malformed("the structure is inconsistent")))
}

fn malformed(what: &str) -> PyErr {
    bad_value(format!("expected an array of the Arrow C Data Interface, got a malformed one: {what}"))
}

/// Checks the numbers of a schema, before any of its children is read.
fn check_schema(schema: &FFI_ArrowSchema, depth: usize) -> PyResult<()> {
    if schema.release().is_none() {
        return Err(malformed("the schema is released"));
    }
    if depth > MAX_DEPTH {
        return Err(malformed("types are nested too deeply"));
    }
    if schema.children().size_hint().0 > MAX_CHILDREN {
        return Err(malformed("the number of children is negative or too large"));
    }
    if schema.dictionary().is_some_and(|values| values.dictionary().is_some()) {
        return Err(malformed("a dictionary of dictionaries"));
    }
    schema.children().chain(schema.dictionary()).try_for_each(|child| check_schema(child, depth + 1))
}

/// Checks the numbers of an array that must have at least `rows` rows.
fn check(array: &FFI_ArrowArray, data_type: &DataType, rows: usize) -> PyResult<()> {
    if array.is_released() {
        return Err(malformed("the array is released"));
    }
    if array.len() > MAX_LENGTH || array.offset() > MAX_LENGTH {
        return Err(malformed("a length is negative or too large"));
    }
    if array.len() < rows {
        return Err(malformed("a child is shorter than its parent"));
    }
    let count = array.num_buffers();
    let is_expected = match data_type {
        DataType::Null => count <= 1,
        DataType::Struct(_) | DataType::FixedSizeList(..) => count == 1,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Binary | DataType::LargeBinary => count == 3,
        DataType::Utf8View | DataType::BinaryView => (3..=1 << 24).contains(&count),
        _ => count == 2,
    };
    if !is_expected {
        return Err(malformed("the number of buffers does not fit the type"));
    }
    let end = array.len() + array.offset();
    match data_type {
        DataType::Utf8 | DataType::Binary => check_last_offset::<i32>(array, end),
        DataType::LargeUtf8 | DataType::LargeBinary => check_last_offset::<i64>(array, end),
        DataType::Utf8View | DataType::BinaryView => check_view_lengths(array, count - 3),
        DataType::Struct(fields) => check_children(array, fields.iter().map(|field| field.data_type()), end),
        DataType::List(field) | DataType::LargeList(field) | DataType::Map(field, _) => {
            check_children(array, std::iter::once(field.data_type()), 0)
        }
        DataType::FixedSizeList(field, size) => {
            let size = usize::try_from(*size).map_err(|_| malformed("a list has a negative size"))?;
            let rows = end.checked_mul(size).ok_or_else(|| malformed("a list is too large"))?;
            check_children(array, std::iter::once(field.data_type()), rows)
        }
        DataType::Dictionary(_, values) => {
            let dictionary = array.dictionary().ok_or_else(|| malformed("a dictionary has no values"))?;
            check(dictionary, values, 0)
        }
        _ => Ok(()),
    }
}

fn check_children<'a>(
    array: &FFI_ArrowArray,
    types: impl ExactSizeIterator<Item = &'a DataType>,
    rows: usize,
) -> PyResult<()> {
    if array.num_children() != types.len() {
        return Err(malformed("the number of children does not fit the type"));
    }
    types.enumerate().try_for_each(|(index, data_type)| check(array.child(index), data_type, rows))
}

/// The last offset is the length of the data: arrow-rs reads it without a check.
fn check_last_offset<T: TryInto<usize>>(array: &FFI_ArrowArray, end: usize) -> PyResult<()> {
    if end == 0 {
        return Ok(());
    }
    let offsets = array.buffer(1).cast::<T>();
    if offsets.is_null() || !offsets.is_aligned() {
        return Err(malformed("the offsets must be an aligned buffer"));
    }
    // SAFETY: an array of `end` strings has `end + 1` offsets.
    let last = unsafe { offsets.add(end).read() };
    match last.try_into() {
        Ok(last) if last <= MAX_LENGTH => Ok(()),
        _ => Err(malformed("an offset is negative or too large")),
    }
}

fn check_view_lengths(array: &FFI_ArrowArray, count: usize) -> PyResult<()> {
    let lengths = array.buffer(array.num_buffers() - 1).cast::<i64>();
    if count == 0 {
        return Ok(());
    }
    if lengths.is_null() || !lengths.is_aligned() {
        return Err(malformed("the lengths of the buffers must be an aligned buffer"));
    }
    // SAFETY: an array of views has one length for each of its data buffers.
    let lengths = unsafe { std::slice::from_raw_parts(lengths, count) };
    let is_valid = |length: &i64| usize::try_from(*length).is_ok_and(|length| length <= MAX_LENGTH);
    if lengths.iter().all(is_valid) { Ok(()) } else { Err(malformed("a buffer has an invalid length")) }
}
