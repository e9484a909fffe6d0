//! Text for messages, logs and terminals.

use pyo3::prelude::*;
use pyo3::types::PyString;

/// Text that does not change a log or a terminal: see `cpaas::printable`, whose `MAX_MESSAGE` is the default of `max`. A lone
/// surrogate is replaced too.
#[pyfunction]
#[pyo3(signature = (text, max=2000, /))]
pub(crate) fn printable(text: &Bound<'_, PyString>, max: usize) -> String {
    cpaas::printable::printable(&text.to_string_lossy(), max).into_owned()
}
