//! Arguments that must have a type. Errors are those of the package and name the argument.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};

use crate::argument_errors::{bad_type, bad_value};
use crate::{encode, surrogates};

/// A `str` without lone surrogates.
pub(crate) fn text<'a>(name: &str, value: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    let text = string(name, value)?;
    text.to_str().map_err(|error| {
        let index = surrogates::index_of(text.py(), &error);
        bad_value(format!("{name} must be valid Unicode, got a lone surrogate at index {index}"))
    })
}

/// A `str` that a stranger may have written: lone surrogates become U+FFFD, so that it is rejected like any other bad token.
pub(crate) fn untrusted_text<'a>(name: &str, value: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, str>> {
    let text = string(name, value)?;
    Ok(text.to_str().map_or_else(|_| Cow::Owned(surrogates::lossy(text)), Cow::Borrowed))
}

fn string<'a, 'py>(name: &str, value: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyString>> {
    value.cast::<PyString>().map_err(|_| wrong_type(name, "str", value))
}

/// An integer from 1; `default` if it is absent.
pub(crate) fn count(name: &str, value: Option<&Bound<'_, PyAny>>, default: usize) -> PyResult<usize> {
    let Some(value) = value else { return Ok(default) };
    if !value.is_instance_of::<PyInt>() || value.is_instance_of::<PyBool>() {
        return Err(wrong_type(name, "int", value));
    }
    if value.lt(1)? {
        return Err(bad_value(format!("{name} must be at least 1")));
    }
    value.extract().map_err(|_| bad_value(format!("{name} must be less than 2**64")))
}

/// The error for an argument of another type.
pub(crate) fn wrong_type(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    bad_type(format!("{name} must be {expected}, got {}", encode::type_name(value)))
}
