//! Arrays without the data that their rows do not use.
//!
//! The rows of an array of views, and the keys of a dictionary, may use a small part of buffers that many slices share.

use arrow_buffer::{ArrowNativeType, Buffer};
use arrow_data::{ArrayData, ByteView, MAX_INLINE_VIEW_LEN};
use arrow_schema::{ArrowError, DataType};
use pyo3::prelude::*;

use super::arrays::{copied, copied_ranges};
use super::string_column::{Keys, items, view_bytes};
use crate::argument_errors::bad_value;

/// The maximum length of a buffer of views, whose offsets are signed in other libraries.
const MAX_BUFFER: usize = i32::MAX as usize;

/// An array that [`copied`] returned, without the data of views and dictionaries that no row uses. Its contents must be valid.
pub(super) fn compacted(data: ArrayData) -> PyResult<ArrayData> {
    if !has_shared_data(data.data_type()) {
        return Ok(data);
    }
    match data.data_type() {
        DataType::Utf8View | DataType::BinaryView => views(data),
        DataType::Dictionary(..) => dictionary(data),
        _ => {
            let children = data.child_data().iter().cloned().map(compacted).collect::<PyResult<_>>()?;
            data.into_builder().child_data(children).build().map_err(malformed)
        }
    }
}

fn has_shared_data(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8View | DataType::BinaryView | DataType::Dictionary(..) => true,
        DataType::Struct(fields) => fields.iter().any(|field| has_shared_data(field.data_type())),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => has_shared_data(item.data_type()),
        _ => false,
    }
}

/// The views with buffers that contain only their bytes.
fn views(data: ArrayData) -> PyResult<ArrayData> {
    let (views, buffers) = (items::<u128>(&data, 0), data.buffers().get(1..).unwrap_or_default());
    let is_long =
        |row: usize, view: u128| data.is_valid(row) && ByteView::from(view).length > MAX_INLINE_VIEW_LEN;
    let long = views.iter().enumerate().filter(|(row, view)| is_long(*row, **view));
    let used: usize = long.map(|(_, view)| ByteView::from(*view).length as usize).sum();
    if used >= buffers.iter().map(Buffer::len).sum() {
        return Ok(data); // views may share bytes
    }
    let (mut new_views, mut full, mut bytes) = (Vec::with_capacity(views.len()), Vec::new(), Vec::new());
    for (row, view) in views.iter().enumerate() {
        if !is_long(row, *view) {
            new_views.push(if data.is_valid(row) { *view } else { 0 });
            continue;
        }
        let text = view_bytes(view, buffers).ok_or_else(|| bad_value("an array has an invalid view"))?;
        if bytes.len() + text.len() > MAX_BUFFER {
            full.push(Buffer::from_vec(std::mem::take(&mut bytes)));
        }
        let (index, offset) = (u32::usize_as(full.len()), u32::usize_as(bytes.len()));
        new_views.push(ByteView::from(*view).with_buffer_index(index).with_offset(offset).as_u128());
        bytes.extend_from_slice(text);
    }
    full.push(Buffer::from_vec(bytes));
    full.insert(0, Buffer::from_vec(new_views));
    data.into_builder().buffers(full).build().map_err(malformed)
}

/// The keys with the values that they use, in their order. A dictionary that is not larger than the array keeps all values: they may
/// have a meaning, such as the categories of pandas.
fn dictionary(data: ArrayData) -> PyResult<ArrayData> {
    let (Some(keys), Some(values)) = (Keys::new(&data), data.child_data().first()) else { return Ok(data) };
    if values.len() <= data.len() {
        let values = compacted(copied(vec![values])?)?;
        return data.into_builder().child_data(vec![values]).build().map_err(malformed);
    }
    let key = |row: usize| if data.is_valid(row) { keys.get(row) } else { None };
    let mut used: Vec<usize> = (0..data.len()).filter_map(key).collect();
    used.sort_unstable();
    used.dedup();
    let ranges: Vec<_> = used.iter().map(|key| (0, *key..*key + 1)).collect();
    let values = compacted(copied_ranges(vec![values], &ranges)?)?;
    // The position of a key's value; 0 for null.
    let position = |row: usize| key(row).and_then(|key| used.binary_search(&key).ok()).unwrap_or_default();
    let len = data.len();
    let new_keys = match keys {
        Keys::I8(_) => native::<i8>(len, position),
        Keys::I16(_) => native::<i16>(len, position),
        Keys::I32(_) => native::<i32>(len, position),
        Keys::I64(_) => native::<i64>(len, position),
        Keys::U8(_) => native::<u8>(len, position),
        Keys::U16(_) => native::<u16>(len, position),
        Keys::U32(_) => native::<u32>(len, position),
        Keys::U64(_) => native::<u64>(len, position),
    };
    data.into_builder().buffers(vec![new_keys]).child_data(vec![values]).build().map_err(malformed)
}

fn native<T: ArrowNativeType>(len: usize, item: impl Fn(usize) -> usize) -> Buffer {
    Buffer::from_vec((0..len).map(|row| T::usize_as(item(row))).collect::<Vec<T>>())
}

#[expect(clippy::needless_pass_by_value, reason = "the signature of `map_err`")]
fn malformed(error: ArrowError) -> PyErr {
    bad_value(format!("expected a valid Arrow array: {error}"))
}
