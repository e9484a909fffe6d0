//! Columns of names, such as encodings and regions, as dictionaries.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::Int16Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int16Array, StringArray};
use arrow_data::ArrayData;
use arrow_schema::{DataType, FieldRef};
use pyo3::prelude::*;

use super::arrays::internal;
use super::fields::nullable;

/// The names that a column may contain. All chunks share them, so that chunks are joined without another dictionary.
pub(super) struct Names {
    values: ArrayRef,
    keys: HashMap<String, i16>,
}

impl Names {
    pub(super) fn new<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> Self {
        let names: Vec<String> = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
        let values = Arc::new(names.iter().map(|name| Some(name.as_str())).collect::<StringArray>());
        let keys = names.into_iter().zip(0..=i16::MAX).collect();
        Self { values, keys }
    }

    /// The key of a name. A name that is not one of them has none.
    pub(super) fn key(&self, name: &str) -> Option<i16> {
        self.keys.get(name).copied()
    }

    /// A column of names by their keys.
    pub(super) fn column(&self, keys: Int16Array) -> PyResult<ArrayRef> {
        let column = DictionaryArray::<Int16Type>::try_new(keys, self.values.clone()).map_err(internal)?;
        Ok(Arc::new(column))
    }

    /// A column of names.
    pub(super) fn column_of<'a>(&self, names: impl Iterator<Item = Option<&'a str>>) -> PyResult<ArrayRef> {
        self.column(names.map(|name| name.and_then(|name| self.key(name))).collect())
    }
}

/// The type of a column of names.
pub(super) fn name_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int16), Box::new(DataType::Utf8))
}

/// The field of a column of names.
pub(super) fn name_field(name: &str) -> FieldRef {
    nullable(name, name_type())
}

/// Removes the names that do not occur from the dictionaries of all members, because engines show each name of a dictionary, for
/// example in counts by name.
pub(super) fn without_unused(chunks: Vec<ArrayData>) -> PyResult<Vec<ArrayData>> {
    let Some(DataType::Struct(fields)) = chunks.first().map(ArrayData::data_type) else { return Ok(chunks) };
    let name_type = name_type();
    let members: Vec<usize> = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| *field.data_type() == name_type)
        .map(|(member, _)| member)
        .collect();
    let mut chunks = chunks;
    for member in members {
        chunks = renumbered(chunks, member)?;
    }
    Ok(chunks)
}

/// Renumbers the names of one member.
fn renumbered(chunks: Vec<ArrayData>, member: usize) -> PyResult<Vec<ArrayData>> {
    let columns: Vec<DictionaryArray<Int16Type>> = chunks
        .iter()
        .filter_map(|chunk| chunk.child_data().get(member))
        .map(|column| DictionaryArray::from(column.clone()))
        .collect();
    let Some(names) = columns.first().map(|column| column.values().clone()) else { return Ok(chunks) };
    let mut used = vec![false; names.len()];
    for key in columns.iter().flat_map(|column| column.keys().iter().flatten()) {
        if let Some(used) = usize::try_from(key).ok().and_then(|key| used.get_mut(key)) {
            *used = true;
        }
    }
    let names = names.as_any().downcast_ref::<StringArray>();
    let kept = names.into_iter().flatten().zip(&used).filter(|(_, used)| **used).map(|(name, _)| name);
    let values: ArrayRef = Arc::new(kept.collect::<StringArray>());
    let mut next = 0;
    let numbers: Vec<i16> = used
        .iter()
        .map(|used| {
            let number = next;
            next += i16::from(*used);
            number
        })
        .collect();
    let number = |key: i16| usize::try_from(key).ok().and_then(|key| numbers.get(key)).copied().unwrap_or(0);
    let replaced = chunks.into_iter().zip(columns).map(|(chunk, column)| {
        let keys = column.keys().unary::<_, Int16Type>(number);
        let column = DictionaryArray::<Int16Type>::try_new(keys, values.clone()).map_err(internal)?;
        let mut members = chunk.child_data().to_vec();
        if let Some(old) = members.get_mut(member) {
            *old = column.to_data();
        }
        let builder = chunk.into_builder().child_data(members);
        // SAFETY: the new member has the type and the length of the old one.
        PyResult::Ok(unsafe { builder.build_unchecked() })
    });
    replaced.collect()
}
