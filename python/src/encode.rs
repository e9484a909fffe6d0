//! Python values to JSON text.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::half;

/// Nested deeper than this is taken for a cycle.
const DEPTH: u32 = 64;

/// Writes the members of one JSON object.
pub(crate) struct Object {
    out: String,
}

impl Object {
    pub(crate) fn new() -> Self {
        let mut out = String::with_capacity(256);
        out.push('{');
        Self { out }
    }

    /// Adds a member.
    pub(crate) fn member(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.comma();
        key(&mut self.out, name);
        write(&mut self.out, value, 0).map_err(|error| explain(value, error, name))
    }

    /// Adds a list as one string, separated by commas; a string stays as it is.
    pub(crate) fn joined(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if value.is_instance_of::<PyString>() {
            return self.member(name, value);
        }
        let items: PyResult<Vec<String>> = items(value)?.map(|item| joinable(&item?)).collect();
        let items = items.map_err(|error| explain(value, error, name))?;
        self.member(name, PyString::new(value.py(), &items.join(",")).as_any())
    }

    /// Adds the members of a mapping, in its order.
    pub(crate) fn members(&mut self, name: &str, mapping: &Bound<'_, PyAny>) -> PyResult<()> {
        let Ok(dict) = mapping.cast::<PyDict>() else {
            return Err(PyTypeError::new_err(format!("`{name}` is a dict")));
        };
        for (name, value) in dict {
            let name = name.cast::<PyString>().map_err(|_| PyTypeError::new_err("a key is no str"))?;
            self.member(text(name)?, &value)?;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> String {
        self.out.push('}');
        self.out
    }

    fn comma(&mut self) {
        if self.out.len() > 1 {
            self.out.push(',');
        }
    }
}

/// Any Python value as JSON text.
pub(crate) fn to_json(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut out = String::with_capacity(256);
    write(&mut out, value, 0).map_err(|error| placed(value, error))?;
    Ok(out)
}

/// A dict as JSON text; what cannot be written is said with the member's name.
pub(crate) fn members(dict: &Bound<'_, PyDict>) -> PyResult<String> {
    let mut object = Object::new();
    for (name, value) in dict {
        object.member(&name.extract::<String>()?, &value)?;
    }
    Ok(object.finish())
}

/// Any Python value as JSON text.
#[pyfunction]
#[pyo3(name = "to_json", signature = (value, /))]
pub(crate) fn to_json_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    to_json(value)
}

/// With the member's name, and, of half a character, the place.
fn explain(value: &Bound<'_, PyAny>, error: PyErr, name: &str) -> PyErr {
    let py = value.py();
    let error = placed(value, error);
    if error.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(format!("{name}: {}", error.value(py)))
    } else if error.is_instance_of::<PyValueError>(py) {
        PyValueError::new_err(format!("{name}: {}", error.value(py)))
    } else {
        error
    }
}

fn placed(value: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyValueError>(value.py()) { half::place(value, error) } else { error }
}

/// An item of a list that becomes one string.
fn joinable(item: &Bound<'_, PyAny>) -> PyResult<String> {
    match item.cast::<PyString>() {
        Ok(item) => text(item).map(str::to_owned),
        Err(_) => item.extract(),
    }
}

fn write(out: &mut String, value: &Bound<'_, PyAny>, depth: u32) -> PyResult<()> {
    if let Ok(value) = value.cast::<PyString>() {
        quote(out, text(value)?);
    } else if value.is_none() {
        out.push_str("null");
    } else if let Ok(value) = value.cast::<PyBool>() {
        out.push_str(if value.is_true() { "true" } else { "false" });
    } else if let Ok(value) = value.cast::<PyInt>() {
        integer(out, value)?;
    } else if let Ok(value) = value.cast::<PyFloat>() {
        float(out, value.extract()?)?;
    } else if depth > DEPTH {
        return Err(PyValueError::new_err("nested too deeply"));
    } else if let Ok(value) = value.cast::<PyDict>() {
        dict(out, value, depth)?;
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        array(out, value, depth)?;
    } else {
        other(out, value, depth)?;
    }
    Ok(())
}

fn integer(out: &mut String, value: &Bound<'_, PyInt>) -> PyResult<()> {
    use std::fmt::Write as _;
    if let Ok(value) = value.extract::<i64>() {
        let _ = write!(out, "{value}");
        return Ok(());
    }
    let plain = value.py().get_type::<PyInt>().call_method1(intern!(value.py(), "__repr__"), (value,))?;
    out.push_str(&plain.extract::<String>()?);
    Ok(())
}

fn float(out: &mut String, value: f64) -> PyResult<()> {
    if !value.is_finite() {
        return Err(PyValueError::new_err("not a finite number"));
    }
    out.push_str(&serde_json::to_string(&value).unwrap_or_default());
    Ok(())
}

fn dict(out: &mut String, value: &Bound<'_, PyDict>, depth: u32) -> PyResult<()> {
    out.push('{');
    for (index, (name, value)) in value.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        let name = name.cast::<PyString>().map_err(|_| PyTypeError::new_err("a key is no str"))?;
        key(out, text(name)?);
        write(out, &value, depth + 1)?;
    }
    out.push('}');
    Ok(())
}

fn array(out: &mut String, values: &Bound<'_, PyAny>, depth: u32) -> PyResult<()> {
    out.push('[');
    for (index, value) in bounded(values)?.enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, &value?, depth + 1)?;
    }
    out.push(']');
    Ok(())
}

/// The items of a value that is sent: a list is there already, and whatever makes its items as they are read is bounded.
fn bounded<'py>(
    values: &Bound<'py, PyAny>,
) -> PyResult<impl Iterator<Item = PyResult<Bound<'py, PyAny>>> + use<'py>> {
    let is_list = values.is_instance_of::<PyList>() || values.is_instance_of::<PyTuple>();
    let most = if is_list { values.len()? } else { MOST_ITEMS };
    let items = values.try_iter()?.enumerate();
    Ok(items.map(move |(index, item)| if index < most { item } else { Err(endless()) }))
}

/// At most this many items are read from what does not say how many it has: an iterator may have no end.
pub(crate) const MOST_ITEMS: usize = 1_000_000;

/// The items of an iterable; an error behind the last that may be read.
pub(crate) fn items<'py>(
    values: &Bound<'py, PyAny>,
) -> PyResult<impl Iterator<Item = PyResult<Bound<'py, PyAny>>> + use<'py>> {
    let most = values.len().unwrap_or(0).max(MOST_ITEMS);
    let items = values.try_iter()?.enumerate();
    Ok(items.map(move |(index, item)| if index < most { item } else { Err(endless()) }))
}

fn endless() -> PyErr {
    PyValueError::new_err("must have an end: at most 1,000,000 items are read from an iterator")
}

/// Dates, identifiers, our own models, and whatever can be iterated over.
fn other(out: &mut String, value: &Bound<'_, PyAny>, depth: u32) -> PyResult<()> {
    let py = value.py();
    if let Ok(method) = value.getattr(intern!(py, "isoformat")) {
        return write(out, &method.call0()?, depth + 1);
    }
    if let Ok(method) = value.getattr(intern!(py, "to_dict")) {
        return write(out, &method.call0()?, depth + 1);
    }
    let class = value.get_type();
    let name = class.name()?;
    if name == "UUID" {
        return write(out, value.str()?.as_any(), depth + 1);
    }
    if value.hasattr(intern!(py, "keys"))? {
        let copy = py.get_type::<PyDict>().call1((value,))?;
        return write(out, &copy, depth + 1);
    }
    let bytes = name == "bytes" || name == "bytearray" || name == "memoryview";
    if !bytes && value.hasattr(intern!(py, "__iter__"))? {
        return array(out, value, depth);
    }
    Err(PyTypeError::new_err(format!("a {name} cannot be sent as JSON")))
}

pub(crate) fn text<'a>(value: &'a Bound<'_, PyString>) -> PyResult<&'a str> {
    value.to_str().map_err(|_| PyValueError::new_err("the text holds half of a surrogate pair"))
}

fn key(out: &mut String, name: &str) {
    quote(out, name);
    out.push(':');
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    if text.as_bytes().chunks(16).any(escapes) {
        escaped(out, text);
    } else {
        out.push_str(text);
    }
    out.push('"');
}

/// Whether a block holds a byte that JSON escapes; without branches, so that it takes a few instructions.
fn escapes(block: &[u8]) -> bool {
    block.iter().fold(false, |found, &byte| found | (byte < 0x20) | (byte == b'"') | (byte == b'\\'))
}

fn escaped(out: &mut String, text: &str) {
    use std::fmt::Write as _;
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| escapes(&[*byte])) {
        out.push_str(text.get(plain..at).unwrap_or_default());
        plain = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            _ => {
                let _ = write!(out, "\\u{byte:04x}");
            }
        }
    }
    out.push_str(text.get(plain..).unwrap_or_default());
}
