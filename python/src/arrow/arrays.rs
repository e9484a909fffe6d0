//! Copies of arrays, their release, and errors of arrow-rs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use arrow_schema::ArrowError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::argument_errors::bad_value;

/// Releases columns of another library. Their release may run Python code, which must not see an exception that is set.
pub(super) fn keeping_exception(release: impl FnOnce()) {
    Python::attach(|_| {
        let mut error = [std::ptr::null_mut(); 3];
        let [kind, value, traceback] = &mut error;
        // SAFETY: the interpreter is attached, and the exception is set again.
        unsafe { pyo3::ffi::PyErr_Fetch(kind, value, traceback) };
        release();
        let [kind, value, traceback] = error;
        // SAFETY: as above; the references are those of `PyErr_Fetch`.
        unsafe { pyo3::ffi::PyErr_Restore(kind, value, traceback) };
    });
}

/// The rows of all chunks as one array. The contents of the chunks must be valid.
pub(super) fn copied(chunks: Vec<&ArrayData>) -> PyResult<ArrayData> {
    let ranges: Vec<_> = chunks.iter().enumerate().map(|(index, chunk)| (index, 0..chunk.len())).collect();
    copied_ranges(chunks, &ranges)
}

/// Ranges of rows, each of one of the chunks, as one array. The contents of the chunks must be valid.
pub(super) fn copied_ranges(
    chunks: Vec<&ArrayData>,
    ranges: &[(usize, std::ops::Range<usize>)],
) -> PyResult<ArrayData> {
    let too_large = |error: ArrowError| {
        bad_value(format!("the result is too large for one array: use the stream of its chunks ({error})"))
    };
    // arrow-rs panics without null buffers if a null struct has a member that is a list.
    let copy = catch_unwind(AssertUnwindSafe(|| {
        let mut copy = MutableArrayData::new(chunks, true, ranges.iter().map(|(_, rows)| rows.len()).sum());
        for (index, rows) in ranges {
            copy.try_extend(*index, rows.start, rows.end).map_err(too_large)?;
        }
        Ok(copy.freeze())
    }));
    copy.unwrap_or_else(|_| Err(PyRuntimeError::new_err("cpaas: internal error: the array cannot be copied")))
}

#[expect(clippy::needless_pass_by_value, reason = "the signature of `map_err`")]
pub(super) fn internal(error: ArrowError) -> PyErr {
    PyRuntimeError::new_err(format!("cpaas: internal error: {error}"))
}
