//! Columns that are read together.

use arrow_buffer::NullBuffer;
use arrow_data::ArrayData;

/// Columns with `len` rows in common: the row `r` is the item `first + r` of every column.
pub(super) struct Batch {
    pub(super) columns: Vec<ArrayData>,
    pub(super) first: usize,
    pub(super) nulls: Option<NullBuffer>,
    pub(super) len: usize,
}
