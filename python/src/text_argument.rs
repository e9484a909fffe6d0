//! An argument that must be a `str`.

use std::ops::Deref;

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::{argument_errors, encode};

/// A `str`; any other type is a `cpaas.InvalidType`.
pub(crate) struct Text<'py>(Bound<'py, PyString>);

impl<'py> FromPyObject<'_, 'py> for Text<'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match value.cast::<PyString>() {
            Ok(text) => Ok(Self(text.to_owned())),
            Err(_) => {
                Err(argument_errors::bad_type(format!("must be str, got {}", encode::type_name(&value))))
            }
        }
    }
}

impl<'py> Deref for Text<'py> {
    type Target = Bound<'py, PyString>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
