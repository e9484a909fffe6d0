//! Converts Python values to JSON.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::Serialize;

use crate::{argument_errors, surrogates};

/// The maximum depth of nesting. A value that contains itself exceeds it.
const MAX_DEPTH: u32 = 64;

/// The maximum number of items of an iterator, which may be infinite.
pub(crate) const MAX_ITEMS: usize = 1_000_000;

/// Writes the members of one JSON object.
pub(crate) struct Object {
    out: Vec<u8>,
}

impl Object {
    pub(crate) fn new() -> Self {
        let mut out = Vec::with_capacity(256);
        out.push(b'{');
        Self { out }
    }

    /// Adds a member. Errors name the keyword argument.
    pub(crate) fn member(&mut self, wire: &str, keyword: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.out.len() > 1 {
            self.out.push(b',');
        }
        key(&mut self.out, wire);
        write(&mut self.out, value, 0).map_err(|error| with_name(value, error, keyword))
    }

    /// Adds a list as one comma-separated string. A string is added as it is.
    pub(crate) fn comma_list(&mut self, wire: &str, keyword: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if value.is_instance_of::<PyString>() {
            return self.member(wire, keyword, value);
        }
        let items: PyResult<Vec<String>> = items(value)?.map(|item| list_item(&item?)).collect();
        let items = items.map_err(|error| with_name(value, error, keyword))?;
        self.member(wire, keyword, PyString::new(value.py(), &items.join(",")).as_any())
    }

    /// Adds the members of a dict, in its order.
    pub(crate) fn members(&mut self, keyword: &str, dict: &Bound<'_, PyAny>) -> PyResult<()> {
        let dict = dict.cast::<PyDict>().map_err(|_| {
            argument_errors::bad_type(format!("{keyword}: must be a dict, got {}", type_name(dict)))
        })?;
        for (name, value) in dict {
            let name = key_text(&name)?;
            self.member(text(name)?, text(name)?, &value)?;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> String {
        self.out.push(b'}');
        into_string(self.out)
    }
}

/// Any Python value as JSON.
pub(crate) fn to_json(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut out = Vec::with_capacity(256);
    write(&mut out, value, 0).map_err(|error| with_position(value, error))?;
    Ok(into_string(out))
}

/// A dict as JSON. Errors name the member.
pub(crate) fn members(dict: &Bound<'_, PyDict>) -> PyResult<String> {
    let mut object = Object::new();
    for (name, value) in dict {
        let name = name.extract::<String>()?;
        object.member(&name, &name, &value)?;
    }
    Ok(object.finish())
}

/// Any Python value as JSON.
#[pyfunction]
#[pyo3(name = "to_json", signature = (value, /))]
pub(crate) fn to_json_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    to_json(value)
}

/// A `TypeError` or `ValueError` with the name of the argument.
fn with_name(value: &Bound<'_, PyAny>, error: PyErr, name: &str) -> PyErr {
    let py = value.py();
    let error = with_position(value, error);
    if error.is_instance_of::<PyTypeError>(py) {
        argument_errors::bad_type(format!("{name}: {}", error.value(py)))
    } else if error.is_instance_of::<PyValueError>(py) {
        argument_errors::bad_value(format!("{name}: {}", error.value(py)))
    } else {
        error
    }
}

/// A `ValueError` with the position of a lone surrogate, if there is one.
fn with_position(value: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyValueError>(value.py()) { surrogates::locate(value, error) } else { error }
}

fn list_item(item: &Bound<'_, PyAny>) -> PyResult<String> {
    match item.cast::<PyString>() {
        Ok(item) => text(item).map(str::to_owned),
        Err(_) => {
            Err(argument_errors::bad_type(format!("must be a list of str, got an item {}", type_name(item))))
        }
    }
}

fn write(out: &mut Vec<u8>, value: &Bound<'_, PyAny>, depth: u32) -> PyResult<()> {
    if let Ok(value) = value.cast::<PyString>() {
        serialize(out, text(value)?);
    } else if value.is_none() {
        serialize(out, &());
    } else if let Ok(value) = value.cast::<PyBool>() {
        serialize(out, &value.is_true());
    } else if let Ok(value) = value.cast::<PyInt>() {
        integer(out, value)?;
    } else if let Ok(value) = value.cast::<PyFloat>() {
        float(out, value.extract()?)?;
    } else if depth > MAX_DEPTH {
        return Err(argument_errors::bad_value(format!("must be nested at most {MAX_DEPTH} levels deep")));
    } else if let Ok(value) = value.cast::<PyDict>() {
        dict(out, value, depth)?;
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        array(out, value, depth)?;
    } else {
        other(out, value, depth)?;
    }
    Ok(())
}

/// Writes a value whose serialization cannot fail.
fn serialize<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let _ = serde_json::to_writer(out, value);
}

fn integer(out: &mut Vec<u8>, value: &Bound<'_, PyInt>) -> PyResult<()> {
    if let Ok(value) = value.extract::<i64>() {
        serialize(out, &value);
        return Ok(());
    }
    // Calls `int.__repr__` itself, because a subclass may override `__repr__`.
    let digits = value.py().get_type::<PyInt>().call_method1(intern!(value.py(), "__repr__"), (value,))?;
    out.extend_from_slice(digits.extract::<String>()?.as_bytes());
    Ok(())
}

fn float(out: &mut Vec<u8>, value: f64) -> PyResult<()> {
    if !value.is_finite() {
        return Err(argument_errors::bad_value("must be a finite number"));
    }
    serialize(out, &value);
    Ok(())
}

fn dict(out: &mut Vec<u8>, value: &Bound<'_, PyDict>, depth: u32) -> PyResult<()> {
    out.push(b'{');
    for (index, (name, value)) in value.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        key(out, text(key_text(&name)?)?);
        write(out, &value, depth + 1)?;
    }
    out.push(b'}');
    Ok(())
}

fn array(out: &mut Vec<u8>, values: &Bound<'_, PyAny>, depth: u32) -> PyResult<()> {
    // Only a list or tuple may exceed the limit, because its items exist in memory; those of a range, for example, do not.
    let is_list = values.is_instance_of::<PyList>() || values.is_instance_of::<PyTuple>();
    let max = if is_list { values.len()? } else { MAX_ITEMS };
    out.push(b'[');
    for (index, value) in limited(values, max)?.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(out, &value?, depth + 1)?;
    }
    out.push(b']');
    Ok(())
}

/// The items of an iterable: at most its length or [`MAX_ITEMS`], whichever is greater.
pub(crate) fn items<'py>(values: &Bound<'py, PyAny>) -> PyResult<impl Iterator<Item = Item<'py>> + use<'py>> {
    limited(values, values.len().unwrap_or(0).max(MAX_ITEMS))
}

type Item<'py> = PyResult<Bound<'py, PyAny>>;

/// The first `max` items of an iterable, then an error if there are more.
fn limited<'py>(
    values: &Bound<'py, PyAny>,
    max: usize,
) -> PyResult<impl Iterator<Item = Item<'py>> + use<'py>> {
    let error = "must have at most 1,000,000 items, got more or an infinite iterator";
    let items = values.try_iter()?.enumerate();
    Ok(items
        .map(move |(index, item)| if index < max { item } else { Err(argument_errors::bad_value(error)) }))
}

/// Writes a duration in seconds, without a fraction if it has none.
fn seconds(out: &mut Vec<u8>, value: f64) -> PyResult<()> {
    if value.fract() == 0.0 && value.is_finite() {
        out.extend_from_slice(format!("{value:.0}").as_bytes());
        return Ok(());
    }
    float(out, value)
}

/// Writes dates, durations, UUIDs, records of this package, mappings and iterables.
fn other(out: &mut Vec<u8>, value: &Bound<'_, PyAny>, depth: u32) -> PyResult<()> {
    let py = value.py();
    if let Ok(method) = value.getattr(intern!(py, "isoformat")) {
        return write(out, &method.call0()?, depth + 1);
    }
    if let Ok(method) = value.getattr(intern!(py, "to_dict")) {
        return write(out, &method.call0()?, depth + 1);
    }
    if let Ok(method) = value.getattr(intern!(py, "total_seconds")) {
        return seconds(out, method.call0()?.extract()?);
    }
    let name = type_name(value);
    if name == "UUID" {
        return write(out, value.str()?.as_any(), depth + 1);
    }
    if value.hasattr(intern!(py, "keys"))? {
        let copy = py.get_type::<PyDict>().call1((value,))?;
        return write(out, &copy, depth + 1);
    }
    let bytes = matches!(name.as_str(), "bytes" | "bytearray" | "memoryview");
    if !bytes && value.hasattr(intern!(py, "__iter__"))? {
        return array(out, value, depth);
    }
    Err(argument_errors::bad_type(format!(
        "must be str, int, float, bool, None, a mapping or an iterable, got {name}"
    )))
}

/// The name of the type of a value, for messages; `None` for `None`.
pub(crate) fn type_name(value: &Bound<'_, PyAny>) -> String {
    if value.is_none() {
        return "None".to_owned();
    }
    value.get_type().name().map(|name| name.to_string()).unwrap_or_default()
}

/// The contents of a string; an error if it has a lone surrogate.
pub(crate) fn text<'a>(value: &'a Bound<'_, PyString>) -> PyResult<&'a str> {
    value.to_str().map_err(|_| argument_errors::bad_value("must be valid Unicode, got a lone surrogate"))
}

fn key_text<'a, 'py>(name: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyString>> {
    name.cast::<PyString>()
        .map_err(|_| argument_errors::bad_type(format!("keys must be str, got {}", type_name(name))))
}

fn key(out: &mut Vec<u8>, name: &str) {
    serialize(out, name);
    out.push(b':');
}

/// Converts JSON that the functions above wrote; it is valid UTF-8.
fn into_string(out: Vec<u8>) -> String {
    String::from_utf8(out).unwrap_or_default()
}
