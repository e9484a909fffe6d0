//! Text files with prices.

use cpaas_campaign::source::{self, Encoding};
use pyo3::prelude::*;

use crate::exceptions::of_campaign;

/// Decodes a text file that is UTF-8, UTF-16 with a byte order mark, or in the given encoding. `name` is the file's name in errors.
#[pyfunction]
#[pyo3(signature = (bytes, encoding, name, /))]
pub(crate) fn decode_text(
    py: Python<'_>,
    bytes: &[u8],
    encoding: Option<&str>,
    name: &str,
) -> PyResult<String> {
    let encoding = encoding.map(Encoding::named).transpose();
    let decoded = encoding.and_then(|encoding| source::read_text(bytes, encoding, name));
    decoded.map_err(|error| of_campaign(py, &error))
}
