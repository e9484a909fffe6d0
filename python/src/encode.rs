//! Converts Python values to JSON.

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::Serialize;

use crate::interrupt::is_interrupt;
use crate::{argument_errors, surrogates};

/// The maximum number of nested levels, as in the JSON that the core reads. A value that contains itself exceeds it.
const MAX_DEPTH: u32 = 127;

/// The maximum number of items of an iterator, which may be infinite.
pub(crate) const MAX_ITEMS: usize = 1_000_000;

/// Why a value was not written, and the JSON pointer of the part at fault.
struct Unwritten {
    pointer: String,
    error: PyErr,
}

type Written = Result<(), Box<Unwritten>>;

impl From<PyErr> for Box<Unwritten> {
    fn from(error: PyErr) -> Self {
        Self::new(Unwritten { pointer: String::new(), error })
    }
}

impl Unwritten {
    /// Adds the name of the member, or the index of the item, that contains the value.
    fn inside(mut self: Box<Self>, name: &str) -> Box<Self> {
        self.pointer.insert_str(0, &name.replace('~', "~0").replace('/', "~1"));
        self.pointer.insert(0, '/');
        self
    }

    /// The exception; its message names the argument and the part of it.
    fn into_error(self, py: Python<'_>, argument: &str) -> PyErr {
        let Self { mut pointer, error } = self;
        // The place of a value that is nested too deep would only repeat a cycle.
        if pointer.matches('/').count() + 1 >= MAX_DEPTH as usize {
            pointer.clear();
        }
        argument_errors::located(py, error, &format!("{argument}{pointer}"))
    }
}

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
        write(&mut self.out, value, 1).map_err(|unwritten| unwritten.into_error(value.py(), keyword))
    }

    /// Adds a list as one comma-separated string. A string is added as it is.
    pub(crate) fn comma_list(&mut self, wire: &str, keyword: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if value.is_instance_of::<PyString>() {
            return self.member(wire, keyword, value);
        }
        let py = value.py();
        if !value.hasattr(intern!(py, "__iter__"))? && !value.hasattr(intern!(py, "__getitem__"))? {
            let found = type_name(value);
            return Err(argument_errors::bad_type(format!(
                "{keyword} must be str or a list of str, got {found}"
            )));
        }
        let items = list_items(value).map_err(|unwritten| unwritten.into_error(value.py(), keyword))?;
        if let Some(index) = items.iter().position(|item| item.contains(',')) {
            return Err(argument_errors::bad_value(format!(
                "{keyword}[{index}] must be one number, got several with a comma"
            )));
        }
        self.member(wire, keyword, PyString::new(value.py(), &items.join(",")).as_any())
    }

    /// Adds the members of a dict, in its order.
    pub(crate) fn members(&mut self, keyword: &str, dict: &Bound<'_, PyAny>) -> PyResult<()> {
        let dict = dict.cast::<PyDict>().map_err(|_| {
            argument_errors::bad_type(format!("{keyword}: must be a dict, got {}", type_name(dict)))
        })?;
        for (name, value) in dict {
            let name =
                key_text(&name).map_err(|error| argument_errors::located(dict.py(), error, keyword))?;
            self.member(name, name, &value)?;
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
    argument_to_json("", value)
}

/// An argument as JSON. Errors name it, or the part of it.
pub(crate) fn argument_to_json(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut out = Vec::with_capacity(256);
    write(&mut out, value, 0).map_err(|unwritten| unwritten.into_error(value.py(), name))?;
    Ok(into_string(out))
}

/// A dict as JSON. Errors name the member.
pub(crate) fn members(dict: &Bound<'_, PyDict>) -> PyResult<String> {
    let mut object = Object::new();
    object.members("", dict)?;
    Ok(object.finish())
}

/// Any Python value as JSON.
#[pyfunction]
#[pyo3(name = "to_json", signature = (value, /))]
pub(crate) fn to_json_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    to_json(value)
}

fn list_items(values: &Bound<'_, PyAny>) -> Result<Vec<String>, Box<Unwritten>> {
    let mut out = Vec::new();
    for (index, item) in items(values)?.enumerate() {
        let item = item?;
        out.push(list_item(&item).map_err(|error| Box::<Unwritten>::from(error).inside(&index.to_string()))?);
    }
    Ok(out)
}

fn list_item(item: &Bound<'_, PyAny>) -> PyResult<String> {
    match item.cast::<PyString>() {
        Ok(item) => text(item).map(str::to_owned),
        Err(_) => Err(argument_errors::bad_type(format!("must be str, got {}", type_name(item)))),
    }
}

fn write(out: &mut Vec<u8>, value: &Bound<'_, PyAny>, depth: u32) -> Written {
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
    } else if depth >= MAX_DEPTH {
        let error = format!("must be nested at most {MAX_DEPTH} levels deep");
        return Err(argument_errors::bad_value(error).into());
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
    // `int.__repr__`, because a subclass may override it.
    let digits = value.py().get_type::<PyInt>().call_method1(intern!(value.py(), "__repr__"), (value,));
    // Python limits the conversion, which takes quadratic time.
    let digits = digits.map_err(|error| {
        let is_long = error.is_instance_of::<PyValueError>(value.py());
        if is_long { argument_errors::bad_value("must be an int with fewer digits") } else { error }
    })?;
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

fn dict(out: &mut Vec<u8>, value: &Bound<'_, PyDict>, depth: u32) -> Written {
    out.push(b'{');
    for (index, (name, value)) in value.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        let name = key_text(&name)?;
        key(out, name);
        write(out, &value, depth + 1).map_err(|unwritten| unwritten.inside(name))?;
    }
    out.push(b'}');
    Ok(())
}

fn array(out: &mut Vec<u8>, values: &Bound<'_, PyAny>, depth: u32) -> Written {
    // A range has a length too, so only that of a list or tuple may exceed the limit.
    let is_list = values.is_instance_of::<PyList>() || values.is_instance_of::<PyTuple>();
    let max = if is_list { values.len()? } else { MAX_ITEMS };
    out.push(b'[');
    for (index, value) in limited(values, max)?.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(out, &value?, depth + 1).map_err(|unwritten| unwritten.inside(&index.to_string()))?;
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
fn other(out: &mut Vec<u8>, value: &Bound<'_, PyAny>, depth: u32) -> Written {
    let py = value.py();
    if let Some(method) = method(value, intern!(py, "isoformat"))? {
        return write(out, &method.call0()?, depth + 1);
    }
    if let Some(method) = method(value, intern!(py, "to_dict"))? {
        return write(out, &method.call0()?, depth + 1);
    }
    if let Some(method) = method(value, intern!(py, "total_seconds"))? {
        seconds(out, method.call0()?.extract()?)?;
        return Ok(());
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
    let advice = if bytes { "; decode it first: value.decode()" } else { "" };
    let error = format!("must be str, int, float, bool, None, a mapping or an iterable, got {name}{advice}");
    Err(argument_errors::bad_type(error).into())
}

/// A method of a value; `None` if it has none, or if its own code to read it fails.
pub(crate) fn method<'py>(
    value: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match value.getattr(name) {
        Ok(method) => Ok(Some(method)),
        Err(error) if is_interrupt(value.py(), &error) => Err(error),
        Err(_) => Ok(None),
    }
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
    value.to_str().map_err(|error| {
        let index = surrogates::index_of(value.py(), &error);
        argument_errors::bad_value(format!("must be valid Unicode, got a lone surrogate at index {index}"))
    })
}

pub(crate) fn key_text<'a>(name: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    let Ok(text) = name.cast::<PyString>() else {
        return Err(argument_errors::bad_type(format!("keys must be str, got {}", type_name(name))));
    };
    text.to_str()
        .map_err(|_| argument_errors::bad_value("keys must be valid Unicode, got a lone surrogate in a key"))
}

fn key(out: &mut Vec<u8>, name: &str) {
    serialize(out, name);
    out.push(b':');
}

/// Converts JSON that the functions above wrote; it is valid UTF-8.
fn into_string(out: Vec<u8>) -> String {
    String::from_utf8(out).unwrap_or_default()
}
